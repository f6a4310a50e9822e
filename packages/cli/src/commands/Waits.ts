/**
 * What every command that waits has in common: its limit, its pace, what it tells on the way, and how to go on.
 *
 * @since 0.1.0
 */
import type * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Find from "@effect-manila/core/manila/Find"
import * as Message from "@effect-manila/core/manila/Message"
import type * as Goal from "@effect-manila/core/waiter/Goal"
import type * as Option from "effect/Option"
import type * as Kinds from "./Kinds.ts"
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Verb from "@effect-manila/core/manila/Verb"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as CoreProgress from "@effect-manila/core/waiter/Progress"
import * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Context } from "../Command.ts"
import { Progress } from "../Progress.ts"
import type { Ending, ProgressEvent } from "../progress/Event.ts"
import * as GoOn from "./GoOn.ts"
import * as Sent from "./Sent.ts"

/**
 * The waiting flags' values. Durations are milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Args {
  readonly timeout: number | undefined
  readonly interval: number | undefined
  readonly maxInterval: number | undefined
  readonly maxAttempts: number | undefined
  readonly tolerate: number | undefined
}

/**
 * How to look: the flags' pace and patience. `--max-interval` above `--interval` makes the gaps double up to it.
 *
 * @since 0.1.0
 */
export const how = (args: Args, base: Pace.Pace): { pace: Pace.Pace; patience: Patience.Patience<unknown> } => {
  const interval = args.interval ?? 5_000
  const most = args.maxInterval ?? interval
  const attempts = args.maxAttempts
  const pace =
    args.interval === undefined && args.maxInterval === undefined
      ? { ...base, attempts: attempts ?? base.attempts }
      : most > interval
        ? Pace.backoff({ initial: interval, cap: most, attempts })
        : Pace.every(Math.min(interval, most), { attempts })
  return {
    pace,
    patience: args.tolerate === undefined ? Patience.standard : Patience.make({ tolerate: args.tolerate })
  }
}

/**
 * The whole command's limit, started now: the flag's, else the pace's own.
 *
 * @since 0.1.0
 */
export const deadline = (args: Args, base: Pace.Pace): Effect.Effect<Deadline.Deadline> =>
  Deadline.start(args.timeout === undefined ? base.limit : Duration.millis(args.timeout))

/**
 * The limit of a command that may wait. With `--no-wait` there is only one that was asked for: the token carries it.
 *
 * @since 0.1.0
 */
export const begin = (
  args: Args & { readonly wait: boolean | undefined },
  base: Pace.Pace
): Effect.Effect<Deadline.Deadline | undefined> =>
  args.wait === true || (args.wait === false && args.timeout !== undefined)
    ? deadline(args, base)
    : Effect.succeed(undefined)

/**
 * Runs a step that only reads (a name look-up, say) within the limit; past it the command has timed out.
 *
 * @since 0.1.0
 */
export const within =
  (limit: Deadline.Deadline | undefined, subject: WaitError.Subject) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E | WaitError.WaitTimedOut, R> =>
    limit === undefined
      ? step
      : Effect.flatMap(Deadline.remainingMillis(limit), (left) =>
          Number.isFinite(left)
            ? Effect.timeoutFail(step, {
                duration: Duration.millis(Math.max(0, left)),
                onTimeout: () => outOfTime(limit, subject)
              })
            : step
        )

const outOfTime = (limit: Deadline.Deadline, subject: WaitError.Subject) => {
  const limitMillis = Duration.toMillis(limit.limit)
  return new WaitError.WaitTimedOut({
    subject,
    wanted: "to be found",
    status: "",
    statuses: [],
    looks: 0,
    elapsedMillis: limitMillis,
    lastFault: null,
    observed: null,
    cause: "limit",
    limitMillis,
    stoodMillis: 0,
    retryAfterMillis: null
  })
}

/**
 * Tells a wait's looks and faults as they come.
 *
 * @since 0.1.0
 */
export const told =
  (emit: (event: ProgressEvent) => Effect.Effect<void>, id: string) =>
  (event: CoreProgress.Progress): Effect.Effect<void> => {
    switch (event._tag) {
      case "Looked":
        return emit({
          _tag: "status",
          id,
          status: event.status,
          progress: event.progress,
          elapsedMillis: event.elapsedMillis,
          nextInMillis: event.nextMillis === null ? null : event.nextMillis - event.elapsedMillis,
          looks: event.looks
        })
      case "Faulted":
        return emit({
          _tag: "fault",
          id,
          detail: event.fault,
          inARow: event.inARow,
          tolerated: event.tolerated,
          nextInMillis: event.nextMillis === null ? null : event.nextMillis - event.elapsedMillis
        })
      default:
        return Effect.void
    }
  }

/**
 * Tells how a wait ended. `goOn` is for a wait whose limit passed.
 *
 * @since 0.1.0
 */
export const ended = <A, E>(
  id: string,
  outcome: Waiter.Outcome<A, E>,
  goOn: GoOn.GoOn | undefined
): Effect.Effect<void, never, Progress> =>
  Effect.flatMap(Progress, ({ emit }) => {
    const report = "report" in outcome ? outcome.report : outcome.error
    return emit({
      _tag: "ended",
      id,
      ending: endingOf(outcome),
      status: report.status,
      detail: outcome._tag === "Reached" ? outcome.matched : messageOf(outcome.error),
      elapsedMillis: report.elapsedMillis,
      looks: report.looks,
      reason: outcome._tag === "Failed" ? outcome.error.reason : null,
      ...(outcome._tag === "TimedOut" && outcome.error.cause === "limit" && goOn?.afterTimeOut !== undefined
        ? { resume: goOn.afterTimeOut }
        : {})
    })
  })

const endingOf = <A, E>(outcome: Waiter.Outcome<A, E>): Ending => {
  switch (outcome._tag) {
    case "Reached":
      return "reached"
    case "Failed":
      return outcome.error.cause === "notFound" ? "missing" : "failed"
    case "TimedOut":
      return "timedOut"
    case "NeedsAction":
      return "needsAction"
    case "Faulted":
      return "faulted"
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * @since 0.1.0
 * @category models
 */
export interface RunOptions<I, Target extends { readonly id: string }, A> {
  readonly verb: Verb.Verb<I, Target, A>
  readonly input: I
  /** What the person called it, if the service's answer has no name. */
  readonly name?: string | null | undefined
  readonly goes: GoOn.Goes
  readonly args: Args & { readonly wait: boolean | undefined }
  readonly context: Context
  readonly limit: Deadline.Deadline | undefined
}

/**
 * `outcome` is there if it was waited for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ran<Target, A> {
  readonly accepted: Verb.Accepted<Target>
  readonly outcome: Waiter.Outcome<A, ManilaError> | undefined
}

/**
 * A verb as a command runs it: the request, then (with `--wait`) the wait, or (with `--no-wait`) a token for later.
 *
 * The request's own error is an error; a wait's ending is a value, since a command may have a record to print first.
 *
 * @since 0.1.0
 */
export const run = <I, Target extends { readonly id: string }, A>(
  options: RunOptions<I, Target, A>
): Effect.Effect<Ran<Target, A>, ManilaError, Manila | Keystone.Keystone | Progress> =>
  runWith({ ...options, request: options.verb.request })

/**
 * As {@link run}, with a request of the command's own, which may keep the answer or fail in its own way.
 *
 * @since 0.1.0
 */
export const runWith = <I, Target extends { readonly id: string }, A, E>(
  options: RunOptions<I, Target, A> & {
    readonly request: (input: I) => Effect.Effect<Verb.Accepted<Target>, E, Manila>
  }
): Effect.Effect<Ran<Target, A>, E | ManilaError, Manila | Keystone.Keystone | Progress> =>
  Effect.gen(function* () {
    const { args, context, goes, input, limit, verb } = options
    const { emit } = yield* Progress
    const called = options.name ?? (input as { readonly id?: unknown }).id
    const what = `${verb.kind}${typeof called === "string" ? ` ${called}` : ""}: ${verb.verb}`
    const answered = yield* Sent.change(what)(options.request(input))
    const accepted = { ...answered, name: answered.name ?? options.name }
    const { id } = accepted.target
    if (args.wait !== true) {
      if (args.wait === false) {
        const later = yield* GoOn.make(context, goes, id, args, limit)
        yield* emit({ _tag: "resume", kind: goes.kind, id, name: accepted.name, resume: later.resume })
      }
      return { accepted, outcome: undefined }
    }
    const goOn = yield* GoOn.make(context, goes, id, args, limit)
    const outcome = yield* settle(verb, input, accepted, { args, goes, goOn, limit, resumed: false })
    return { accepted, outcome }
  })

/**
 * The wait of a verb whose request was accepted, now or by another process.
 *
 * @since 0.1.0
 */
export const settle = <I, Target extends { readonly id: string }, A>(
  verb: Verb.Verb<I, Target, A>,
  input: I,
  accepted: Verb.Accepted<Target>,
  options: {
    readonly args: Args
    readonly goes: Pick<GoOn.Goes, "kind">
    readonly goOn: GoOn.GoOn
    readonly limit: Deadline.Deadline | undefined
    readonly resumed: boolean
  }
): Effect.Effect<Waiter.Outcome<A, ManilaError>, never, Manila | Progress> =>
  Effect.gen(function* () {
    const { args, goes, goOn, limit, resumed } = options
    const { emit } = yield* Progress
    const { id } = accepted.target
    const outcome = yield* quietly(
      Verb.settle(verb, input, accepted, {
        ...how(args, verb.pace),
        limit,
        resumed,
        onAccepted: () =>
          emit({
            _tag: "started",
            kind: goes.kind,
            id,
            name: accepted.name,
            verb: verb.verb,
            wanted: verb.goal(input, resumed).description,
            limitMillis: limit === undefined ? null : Duration.toMillis(limit.limit),
            resume: goOn.resume
          }),
        onProgress: told(emit, id)
      })
    )
    yield* ended(id, outcome, goOn)
    return outcome
  })

/**
 * A wait for a status, without a verb.
 *
 * @since 0.1.0
 */
export const plain = (
  kind: Kinds.Kind,
  id: string,
  goal: Goal.Goal<Kinds.Seen>,
  options: {
    readonly args: Args
    readonly goOn: GoOn.GoOn | undefined
    readonly limit: Deadline.Deadline | undefined
    readonly name?: string | null | undefined
    readonly probe?: Effect.Effect<Option.Option<Kinds.Seen>, Kinds.FindError, Manila>
  }
): Effect.Effect<Waiter.Outcome<Kinds.Seen, Kinds.FindError>, never, Manila | Progress> =>
  Effect.gen(function* () {
    const { args, goOn, limit, name } = options
    const { emit } = yield* Progress
    const subject = { kind: kind.kind, id, name }
    const limitMillis = limit === undefined ? null : Duration.toMillis(limit.limit)
    yield* emit({ _tag: "started", ...subject, wanted: goal.description, limitMillis, resume: goOn?.resume })
    const outcome = yield* quietly(
      Waiter.outcome(options.probe ?? kind.probe(id), goal, {
        ...how(args, Pace.status),
        limit,
        subject,
        // A name that nothing had at first has no messages to ask for.
        reason: Find.isId(id) ? Message.reason(id) : undefined,
        onProgress: told(emit, id)
      })
    )
    yield* ended(id, outcome, goOn)
    return outcome
  })

/** The waiter's own log lines say what the progress lines say. */
export const quietly: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Logger.withMinimumLogLevel(
  LogLevel.Error
)
