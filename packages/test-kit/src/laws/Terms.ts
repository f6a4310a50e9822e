/**
 * A scenario's terms in the words of the waiter: for adapters of waits that are made with it.
 *
 * @since 0.1.0
 */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Reference from "../model/Reference.ts"
import type * as Scenario from "../model/Scenario.ts"
import * as Timeline from "../Timeline.ts"

/**
 * @since 0.1.0
 * @category conversions
 */
export const pace = ({ attempts, limit, pace, repeats }: Scenario.Terms): Pace.Pace => {
  const options = {
    limit,
    attempts: Number.isFinite(attempts) ? attempts : undefined
  }
  const made =
    pace._tag === "Fixed"
      ? Pace.every(pace.interval, options)
      : pace._tag === "Spaced"
        ? Pace.make(Schedule.spaced(pace.interval), options)
        : Pace.backoff({ ...pace, ...options })
  return Number.isFinite(repeats)
    ? { ...made, schedule: Schedule.intersect(made.schedule, Schedule.recurs(repeats)) }
    : made
}

/**
 * A goal over whatever has a status.
 *
 * @since 0.1.0
 * @category conversions
 */
export const goal = <A>(
  { goal: { absent, failures, stable, stops, wanted } }: Scenario.Terms,
  statusOf: (resource: A) => string
): Goal.Goal<A> =>
  Goal.stableFor(
    Goal.make<A>(wanted.join(" or "), ({ seen }) => {
      const status = Option.match(seen, { onNone: () => Timeline.gone, onSome: statusOf })
      if (Option.isNone(seen)) {
        if (absent === "pending") return Goal.pending(status)
        return absent === "reached" ? Goal.reached(status, status) : Goal.failed(status, "notFound", "it is not there")
      }
      if (failures.includes(status)) return Goal.failed(status, "status", `status ${status}`)
      if (stops.includes(status)) return Goal.needsAction(status, "a person")
      return wanted.includes(status) ? Goal.reached(status, status) : Goal.pending(status)
    }),
    stable
  )

/**
 * Reads errors as every error of this library does: `transient`, `retryAfterMillis`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const patience = ({ hold, tolerate }: Scenario.Terms): Patience.Patience<unknown> =>
  Patience.make({ tolerate, backoff: (inARow) => Reference.holdAfter(hold, inARow) })

/**
 * All three as options of a wait.
 *
 * @since 0.1.0
 * @category conversions
 */
export const options = (terms: Scenario.Terms): Waiter.Options<unknown> => ({
  pace: pace(terms),
  patience: patience(terms)
})
