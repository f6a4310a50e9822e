/**
 * Waits for a goal: looks at the pace's times until a verdict, a permanent fault, or the limit.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import { dual } from "effect/Function"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Deadline from "./Deadline.ts"
import type * as Goal from "./Goal.ts"
import * as Hint from "./internal/hint.ts"
import { run } from "./internal/run.ts"
import type * as Pace from "./Pace.ts"
import type * as Patience from "./Patience.ts"
import type * as Progress from "./Progress.ts"
import type * as WaitError from "./WaitError.ts"

/**
 * How to wait. Every part has a default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<in E = unknown, out R = never> {
  /** Default {@link Pace.status}: a look every 5 s, without limit. */
  readonly pace?: Pace.PaceInput | undefined
  /** Overrides the pace's limit: a duration from the start of this wait, or a deadline shared with other steps. */
  readonly limit?: Duration.DurationInput | Deadline.Deadline | undefined
  /** The most looks; overrides the pace's. */
  readonly attempts?: number | undefined
  /** Default {@link Patience.standard}: ten transient faults in a row. */
  readonly patience?: Patience.Patience<E> | undefined
  /** What is waited for, for messages, spans and metrics. */
  readonly subject?: WaitError.Subject | undefined
  /**
   * Looks up the service's own reason once the wait has failed. It gets at most 5 s, and whatever goes wrong with it
   * is ignored.
   */
  readonly reason?: Effect.Effect<Option.Option<WaitError.Reason>, unknown, R> | undefined
  /** Told of every look; must be quick, since the next look waits for it. */
  readonly onProgress?: ((event: Progress.Progress) => Effect.Effect<void, never, R>) | undefined
  /** Also make a span of every look. Default `false`: one span a wait, with an event per change of status. */
  readonly spanPerLook?: boolean | undefined
}

/**
 * How a wait ended, as a value.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome<A, E> =
  | {
      readonly _tag: "Reached"
      /** The last observation; `None` if absence was wanted. */
      readonly observed: Option.Option<A>
      /** Which goal matched. */
      readonly matched: string
      readonly report: WaitError.Report
    }
  | { readonly _tag: "Failed"; readonly observed: Option.Option<A>; readonly error: WaitError.WaitFailed }
  | { readonly _tag: "TimedOut"; readonly observed: Option.Option<A>; readonly error: WaitError.WaitTimedOut }
  | { readonly _tag: "NeedsAction"; readonly observed: Option.Option<A>; readonly error: WaitError.WaitNeedsAction }
  | {
      /** A permanent fault, or the last of more transient ones in a row than patience had. */
      readonly _tag: "Faulted"
      readonly observed: Option.Option<A>
      readonly error: E
      readonly inARow: number
      readonly report: WaitError.Report
    }

/**
 * Tells the running wait what came with an answer: a `Retry-After` in milliseconds, the service's own progress text.
 * Cleared before each look, which may set it several times: the longest `Retry-After` and the last text count. Does
 * nothing outside of a look.
 *
 * @since 0.1.0
 */
export const hint = (hint: {
  readonly retryAfterMillis?: number | undefined
  readonly progress?: string | undefined
}): Effect.Effect<void> =>
  Effect.map(FiberRef.get(Hint.current), (box) => {
    if (box === null) return
    const { progress, retryAfterMillis } = hint
    if (retryAfterMillis !== undefined && retryAfterMillis > box.retryAfterMillis) {
      box.retryAfterMillis = retryAfterMillis
    }
    if (progress !== undefined) box.progress = progress
  })

/**
 * Waits, and gives every ending as a value. Fails only with defects; interruption goes through.
 *
 * @since 0.1.0
 * @category waiting
 */
export const outcome: {
  <G, PE = unknown, R2 = never>(
    goal: Goal.Goal<G>,
    options?: Options<PE, R2>
  ): <A extends G, E extends PE, R>(
    probe: Effect.Effect<Option.Option<A>, E, R>
  ) => Effect.Effect<Outcome<A, E>, never, R | R2>
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options?: Options<E, R2>
  ): Effect.Effect<Outcome<A, E>, never, R | R2>
} = dual(
  (args) => Effect.isEffect(args[0]),
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options: Options<E, R2> = {}
  ): Effect.Effect<Outcome<A, E>, never, R | R2> => run(probe, goal, options)
)

/**
 * Waits until the goal is reached and gives the last observation (`None` if absence was wanted).
 *
 * Fails with `WaitFailed`, `WaitTimedOut` or `WaitNeedsAction`, or with the probe's own error on a permanent fault.
 *
 * @since 0.1.0
 * @category waiting
 */
export const until: {
  <G, PE = unknown, R2 = never>(
    goal: Goal.Goal<G>,
    options?: Options<PE, R2>
  ): <A extends G, E extends PE, R>(
    probe: Effect.Effect<Option.Option<A>, E, R>
  ) => Effect.Effect<Option.Option<A>, E | WaitError.WaitError, R | R2>
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options?: Options<E, R2>
  ): Effect.Effect<Option.Option<A>, E | WaitError.WaitError, R | R2>
} = dual(
  (args) => Effect.isEffect(args[0]),
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options: Options<E, R2> = {}
  ): Effect.Effect<Option.Option<A>, E | WaitError.WaitError, R | R2> =>
    Effect.flatMap(run(probe, goal, options), fromOutcome)
)

/**
 * The effect an outcome stands for.
 *
 * @since 0.1.0
 */
export const fromOutcome = <A, E>(outcome: Outcome<A, E>): Effect.Effect<Option.Option<A>, E | WaitError.WaitError> =>
  outcome._tag === "Reached" ? Effect.succeed(outcome.observed) : Effect.fail(outcome.error)

/**
 * The events of a wait as a stream, which ends when the goal is reached and fails as {@link until} does. Ending the
 * stream early interrupts the wait.
 *
 * @since 0.1.0
 * @category waiting
 */
export const changes: {
  <G, PE = unknown, R2 = never>(
    goal: Goal.Goal<G>,
    options?: Options<PE, R2>
  ): <A extends G, E extends PE, R>(
    probe: Effect.Effect<Option.Option<A>, E, R>
  ) => Stream.Stream<Progress.Progress, E | WaitError.WaitError, R | R2>
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options?: Options<E, R2>
  ): Stream.Stream<Progress.Progress, E | WaitError.WaitError, R | R2>
} = dual(
  (args) => Effect.isEffect(args[0]),
  <A, E, R, R2 = never>(
    probe: Effect.Effect<Option.Option<A>, E, R>,
    goal: Goal.Goal<A>,
    options: Options<E, R2> = {}
  ): Stream.Stream<Progress.Progress, E | WaitError.WaitError, R | R2> =>
    Stream.asyncPush<Progress.Progress, E | WaitError.WaitError, R | R2>(
      (emit) => {
        const listening: Options<E, R2> = {
          ...options,
          onProgress: (event) =>
            Effect.zipRight(
              options.onProgress === undefined ? Effect.void : options.onProgress(event),
              Effect.sync(() => emit.single(event))
            )
        }
        return Effect.forkScoped(
          Effect.onExit(until(probe, goal, listening), (exit) =>
            Effect.sync(() => (Exit.isSuccess(exit) ? emit.end() : emit.halt(exit.cause)))
          )
        )
      },
      { bufferSize: "unbounded" }
    )
)

/**
 * One of several waits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Wait<out A, out E, out R> {
  readonly outcome: (limit: Deadline.Deadline | undefined) => Effect.Effect<Outcome<A, E>, never, R>
}

/**
 * Describes one of several waits, to be run by {@link untilAll}.
 *
 * @since 0.1.0
 * @category many
 */
export const wait = <A, E, R, R2 = never>(
  probe: Effect.Effect<Option.Option<A>, E, R>,
  goal: Goal.Goal<A>,
  options: Options<E, R2> = {}
): Wait<A, E, R | R2> => ({
  outcome: (limit) => run(probe, goal, limit === undefined ? options : { ...options, limit })
})

/**
 * Runs several waits together under one limit. Each ends on its own, and the outcomes come in the order of the waits.
 *
 * `limit` is a duration from now or a deadline already running; without one each wait keeps its own. `concurrency`
 * bounds how many are looked at together; the default is all of them.
 *
 * @since 0.1.0
 * @category many
 */
export const untilAll = <A, E, R>(
  waits: Iterable<Wait<A, E, R>>,
  options: {
    readonly limit?: Duration.DurationInput | Deadline.Deadline | undefined
    readonly concurrency?: number | undefined
  } = {}
): Effect.Effect<Array<Outcome<A, E>>, never, R> =>
  Effect.flatMap(deadlineOf(options.limit), (limit) =>
    Effect.forEach(waits, (one) => one.outcome(limit), { concurrency: options.concurrency ?? "unbounded" })
  )

const deadlineOf = (
  limit: Duration.DurationInput | Deadline.Deadline | undefined
): Effect.Effect<Deadline.Deadline | undefined> =>
  limit === undefined || Deadline.isDeadline(limit) ? Effect.succeed(limit) : Deadline.start(limit)

/**
 * Runs a wait from code outside Effect. Rejects with the wait's error. Once the signal is aborted nothing starts and
 * no request follows; the promise then rejects with the signal's reason.
 *
 * @since 0.1.0
 * @category interop
 */
export const toPromise = async <A, E>(
  wait: Effect.Effect<A, E>,
  options: { readonly signal?: AbortSignal | undefined } = {}
): Promise<A> => {
  const { signal } = options
  // Effect.runPromise starts an effect even if its signal is already aborted.
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(wait, signal === undefined ? undefined : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.isInterrupted(exit.cause)) signal?.throwIfAborted()
  throw Cause.squash(exit.cause)
}
