/**
 * An asynchronous verb: the request that starts it, and the wait that ends it.
 *
 * Verbs are data, so that tests enumerate them and a stopped wait can be taken up again by another process.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Deadline from "../waiter/Deadline.ts"
import type * as Goal from "../waiter/Goal.ts"
import * as Pace from "../waiter/Pace.ts"
import type * as WaitError from "../waiter/WaitError.ts"
import * as Waiter from "../waiter/Waiter.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import * as Message from "./Message.ts"

/**
 * How to wait for a verb. Every part has a default.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<out R = never> extends Omit<Waiter.Options<ManilaError, R>, "subject" | "reason"> {
  /** Look up the service's user message when the wait fails: one request, at most 5 s. Default `true`. */
  readonly lookUpReason?: boolean | undefined
  /** Told once the service has accepted the request, before the first look: the id is known from here on. */
  readonly onAccepted?: ((subject: WaitError.Subject) => Effect.Effect<void, never, R>) | undefined
}

/**
 * `Target` is what a look needs to find the resource: an id, or for an access rule its share's id too.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verb<in I, in out Target extends { readonly id: string }, in out A> {
  /** `share`, `snapshot`, `access rule`. */
  readonly kind: string
  /** `create`, `extend`, `delete`. */
  readonly verb: string
  /** Sends the mutating request, once. */
  readonly request: (input: I) => Effect.Effect<Accepted<Target>, ManilaError, Manila>
  readonly probe: (target: Target) => Effect.Effect<Option.Option<A>, ManilaError, Manila>
  /**
   * When it is done. `resumed`: another process sent the request, possibly long ago, so that the old state may be gone
   * for good and is not waited out.
   */
  readonly goal: (input: I, resumed: boolean) => Goal.Goal<A>
  /** The resource whose user messages tell why it failed. Default: the target itself. */
  readonly blamed?: ((target: Target) => string) | undefined
  /** {@link Pace.status}, or {@link Pace.deletion} for verbs that end in absence. */
  readonly pace: Pace.Pace
}

/**
 * What is known once the service has accepted a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Accepted<out Target> {
  readonly target: Target
  readonly name?: string | null | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = <I, Target extends { readonly id: string }, A>(verb: Verb<I, Target, A>): Verb<I, Target, A> => verb

/**
 * Sends the request, then waits. One limit (the options', else the pace's) spans both: a request that takes 50 s of 60
 * leaves 10 for the wait. The request itself is never aborted by the limit.
 *
 * Fails with `WaitFailed`, `WaitTimedOut` or `WaitNeedsAction`, with the request's own error, or with the error of a
 * permanent fault.
 *
 * @since 0.1.0
 * @category waiting
 */
export const run = <I, Target extends { readonly id: string }, A, R = never>(
  verb: Verb<I, Target, A>,
  input: I,
  options: Options<R> = {}
): Effect.Effect<Option.Option<A>, ManilaError | WaitError.WaitError, Manila | R> =>
  Effect.flatMap(outcome(verb, input, options), Waiter.fromOutcome)

/**
 * As {@link run}, with the wait's ending as a value. The request's own error is still an error.
 *
 * @since 0.1.0
 * @category waiting
 */
export const outcome = <I, Target extends { readonly id: string }, A, R = never>(
  verb: Verb<I, Target, A>,
  input: I,
  options: Options<R> = {}
): Effect.Effect<Waiter.Outcome<A, ManilaError>, ManilaError, Manila | R> =>
  Effect.gen(function* () {
    const limit = yield* deadline(verb, options)
    const accepted = yield* verb.request(input)
    return yield* settle(verb, input, accepted, { ...options, limit })
  })

/**
 * Only the wait, for a request that has been accepted: the second half of {@link outcome}.
 *
 * @since 0.1.0
 * @category waiting
 */
export const settle = <I, Target extends { readonly id: string }, A, R = never>(
  verb: Verb<I, Target, A>,
  input: I,
  accepted: Accepted<Target>,
  options: Options<R> & { readonly resumed?: boolean | undefined } = {}
): Effect.Effect<Waiter.Outcome<A, ManilaError>, never, Manila | R> => {
  const { target } = accepted
  const subject: WaitError.Subject = { kind: verb.kind, id: target.id, name: accepted.name, verb: verb.verb }
  const told = options.onAccepted === undefined ? Effect.void : options.onAccepted(subject)
  const waiting: Waiter.Options<ManilaError, Manila | R> = {
    ...options,
    pace: options.pace ?? verb.pace,
    subject,
    reason: options.lookUpReason === false ? undefined : Message.reason(verb.blamed?.(target) ?? target.id)
  }
  return Effect.zipRight(told, Waiter.outcome(verb.probe(target), verb.goal(input, options.resumed ?? false), waiting))
}

/**
 * The limit over a whole verb, started now: the options', else their pace's, else the verb's own.
 *
 * @since 0.1.0
 */
export const deadline = <I, Target extends { readonly id: string }, A, R>(
  verb: Verb<I, Target, A>,
  { limit, pace }: Options<R>
): Effect.Effect<Deadline.Deadline> =>
  limit !== undefined && Deadline.isDeadline(limit)
    ? Effect.succeed(limit)
    : Deadline.start(limit ?? Pace.fromInput(pace ?? verb.pace).limit)
