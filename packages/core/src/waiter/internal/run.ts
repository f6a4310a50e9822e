/**
 * One wait from its options to its outcome.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deadline from "../Deadline.ts"
import type * as Goal from "../Goal.ts"
import * as Pace from "../Pace.ts"
import * as Patience from "../Patience.ts"
import * as WaitError from "../WaitError.ts"
import type * as Waiter from "../Waiter.ts"
import * as Driver from "./driver.ts"
import * as Observe from "./observe.ts"
import * as T from "./transition.ts"

export const run = <A, E, R, R2>(
  probe: Effect.Effect<Option.Option<A>, E, R>,
  goal: Goal.Goal<A>,
  options: Waiter.Options<E, R2>
): Effect.Effect<Waiter.Outcome<A, E>, never, R | R2> => {
  const subject = options.subject ?? { kind: "resource" }
  const wanted = goal.description
  const pace = Pace.fromInput(options.pace ?? Pace.status)
  const patience = options.patience ?? Patience.standard
  const wait = Effect.gen(function* () {
    const span = yield* spanOf(options.limit, pace)
    const { limit, offset } = span
    const watch = Observe.make<A, E, R2>({ subject, wanted, offset, patience, options })
    yield* watch.started(span.whole)
    const bounds = {
      limit,
      attempts: options.attempts ?? pace.attempts,
      floor: Duration.toMillis(Pace.floor),
      maxGap: Duration.toMillis(pace.maxGap),
      maxRetryAfter: Duration.toMillis(pace.maxRetryAfter)
    }
    const listener = yield* watch.listener
    const driven =
      limit < 0
        ? nothingSeen<A, E>(goal)
        : yield* Driver.run({ probe: watch.look(probe), goal, pace, patience, bounds, listener })
    const reason = driven.stop._tag === "Failed" ? yield* watch.reason : null
    const ending = toOutcome(driven, subject, wanted, span, reason)
    yield* watch.ended(ending)
    return ending
  })
  return Observe.traced(wait, subject, wanted)
}

/** In milliseconds: the whole limit, how much of it was used before this wait began, and what is left. */
interface Span {
  readonly whole: number
  readonly offset: number
  readonly limit: number
}

const spanOf = (given: Waiter.Options["limit"], pace: Pace.Pace): Effect.Effect<Span> => {
  if (given !== undefined && Deadline.isDeadline(given)) {
    const whole = Duration.toMillis(given.limit)
    return Effect.map(Deadline.elapsedMillis(given), (offset) => ({ whole, offset, limit: whole - offset }))
  }
  const whole = Duration.toMillis(given ?? pace.limit)
  return Effect.succeed({ whole, offset: 0, limit: whole })
}

/** A wait that had no time left when it began: its deadline passed during the request before it. */
const nothingSeen = <A, E>(goal: Goal.Goal<A>): Driver.Driven<A, E> => ({
  state: T.begin(goal),
  stop: { _tag: "TimedOut", cause: "limit", retryAfter: null },
  elapsed: 0
})

/** The compiler has checked the fields; checking a history of 64 statuses again is half of what an ending costs. */
const typed = { disableValidation: true }

const toOutcome = <A, E>(
  { elapsed, state, stop }: Driver.Driven<A, E>,
  subject: WaitError.Subject,
  wanted: string,
  { offset, whole }: Span,
  reason: WaitError.Reason | null
): Waiter.Outcome<A, E> => {
  const { last, observed } = state
  const report: WaitError.Report = {
    subject,
    wanted,
    status: last?.status ?? "",
    statuses: T.statuses(state).map((seen) => ({
      ...seen,
      firstSeen: seen.firstSeen + offset,
      lastSeen: seen.lastSeen + offset
    })),
    looks: state.looks,
    elapsedMillis: elapsed + offset,
    lastFault: state.lastFault,
    observed: Option.getOrNull(observed)
  }
  switch (stop._tag) {
    case "Reached":
      return { _tag: "Reached", observed: stop.observed, matched: stop.matched, report }
    case "Failed": {
      const { cause, detail } = stop
      return { _tag: "Failed", observed, error: new WaitError.WaitFailed({ ...report, cause, detail, reason }, typed) }
    }
    case "NeedsAction":
      return {
        _tag: "NeedsAction",
        observed,
        error: new WaitError.WaitNeedsAction({ ...report, next: stop.next }, typed)
      }
    case "TimedOut": {
      const fields = {
        ...report,
        cause: stop.cause,
        limitMillis: Number.isFinite(whole) ? whole : null,
        stoodMillis: last === undefined ? 0 : elapsed - last.firstSeen,
        retryAfterMillis: stop.retryAfter
      }
      const error = new WaitError.WaitTimedOut(fields, typed)
      return { _tag: "TimedOut", observed, error }
    }
    case "Faulted":
      return { _tag: "Faulted", observed, error: stop.error, inARow: stop.inARow, report }
  }
}
