/**
 * What a law needs to know of the wait under test: how to run it on looks that a scenario gives, and what it said at its
 * end.
 *
 * @since 0.1.0
 */
import type * as Goal from "@effect-manila/core/waiter/Goal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Reference from "../model/Reference.ts"
import type * as Scenario from "../model/Scenario.ts"
import * as Terms from "./Terms.ts"

/**
 * What a good look of a scenario sees.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly status: string
}

/**
 * What a look of a scenario fails with; an adapter turns it into its service's own error.
 *
 * @since 0.1.0
 * @category errors
 */
export class LookFault extends Data.TaggedError("LookFault")<{
  readonly message: string
  readonly transient: boolean
  readonly retryAfterMillis: number | undefined
}> {}

/**
 * One look at the scenario, counted and timed: one request of the service under test. A `Retry-After` on a good answer
 * is told to the running wait by `Waiter.hint`; waits made otherwise read `lastRetryAfter` after the look.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly look: Effect.Effect<Option.Option<Observed>, LookFault>
  /** The milliseconds the last good answer asked for, 0 for none. */
  readonly lastRetryAfter: Effect.Effect<number>
}

/**
 * What a wait says at its end. What it doesn't say is not checked.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ended {
  readonly ending: "reached" | "failed" | "needsAction" | "timedOut" | "faulted"
  /** The last status, as the scenario has it. */
  readonly status?: string | undefined
  /** Of a time-out. */
  readonly cause?: "limit" | "attempts" | "schedule" | undefined
  /** Of a time-out: what the server asked for, if that is past the limit. */
  readonly retryAfter?: number | null | undefined
  /** Faults in a row. */
  readonly inARow?: number | undefined
  readonly looks?: number | undefined
  readonly history?: ReadonlyArray<Scenario.StatusSeen> | undefined
}

/**
 * What the wait under test has; laws and scenarios are chosen by it. Default: all of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Features {
  readonly paces: ReadonlyArray<Scenario.Pace["_tag"]>
  readonly limit: boolean
  readonly attempts: boolean
  /** A schedule of its own that may end. */
  readonly repeats: boolean
  /** Survives transient faults; without it any fault ends the wait. */
  readonly patience: boolean
  readonly retryAfter: boolean
  /** Stops where a person has to go on. */
  readonly needsAction: boolean
  /** Wants several good looks in a row. */
  readonly stable: boolean
  /** The goals it has, if a scenario can't say what is wanted. The first is also used alone. Default: any goal. */
  readonly goals: ReadonlyArray<Scenario.Goal> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Adapter {
  readonly name: string
  readonly wait: (source: Source, terms: Scenario.Terms) => Effect.Effect<Ended>
  readonly features?: Partial<Features> | undefined
  /** Where the wait's constants differ from those of this library. */
  readonly promises?: Partial<Reference.Promises> | undefined
}

/**
 * @since 0.1.0
 */
export const featuresOf = ({ features }: Adapter): Features => ({
  paces: ["Fixed", "Spaced", "Backoff"],
  limit: true,
  attempts: true,
  repeats: true,
  patience: true,
  retryAfter: true,
  needsAction: true,
  stable: true,
  goals: undefined,
  ...features
})

/**
 * @since 0.1.0
 */
export const promisesOf = ({ promises }: Adapter): Reference.Promises => ({ ...Reference.promises, ...promises })

/**
 * What an outcome of the waiter says, in the laws' words.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromOutcome = <A, E>(
  outcome: Waiter.Outcome<A, E>,
  statusOf: (status: string) => string = (status) => status
): Ended => {
  const report = "report" in outcome ? outcome.report : outcome.error
  const said = {
    status: statusOf(report.status),
    looks: report.looks,
    history: report.statuses.map((seen) => ({ ...seen, status: statusOf(seen.status) }))
  }
  switch (outcome._tag) {
    case "Reached":
      return { ending: "reached", ...said }
    case "Failed":
      return { ending: "failed", ...said }
    case "NeedsAction":
      return { ending: "needsAction", ...said }
    case "TimedOut":
      return { ending: "timedOut", ...said, cause: outcome.error.cause, retryAfter: outcome.error.retryAfterMillis }
    case "Faulted":
      return { ending: "faulted", ...said, inARow: outcome.inARow }
  }
}

/**
 * An adapter of waits that are made with the waiter: all it needs is how a look is made into the service's own.
 *
 * @example
 * ```ts
 * import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
 *
 * const plain = Adapter.ofWaiter({
 *   name: "a resource with a status",
 *   probe: (look) => look,
 *   statusOf: ({ status }) => status
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofWaiter = <A, E>(parts: {
  readonly name: string
  readonly probe: (look: Effect.Effect<Option.Option<Observed>, LookFault>) => Effect.Effect<Option.Option<A>, E>
  readonly statusOf: (resource: A) => string
  /** Default: a goal made of the scenario's words. */
  readonly goal?: ((terms: Scenario.Terms) => Goal.Goal<A>) | undefined
  /** Default: reads `transient` and `retryAfterMillis` of the error. */
  readonly options?: ((terms: Scenario.Terms) => Waiter.Options<E>) | undefined
  readonly features?: Partial<Features> | undefined
}): Adapter => ({
  name: parts.name,
  features: parts.features,
  wait: ({ lastRetryAfter, look }, terms) => {
    const hinted = Effect.zipLeft(
      look,
      Effect.flatMap(lastRetryAfter, (retryAfterMillis) => Waiter.hint({ retryAfterMillis }))
    )
    const goal = parts.goal?.(terms) ?? Terms.goal<A>(terms, parts.statusOf)
    const options: Waiter.Options<E> = parts.options?.(terms) ?? Terms.options(terms)
    return Effect.map(Waiter.outcome(parts.probe(hinted), goal, options), (outcome) => fromOutcome(outcome))
  }
})
