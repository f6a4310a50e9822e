/**
 * One limit over a whole verb: name look-up, mutating request and several waits in a row draw on the same budget.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

const TypeId: unique symbol = Symbol.for("@effect-manila/core/waiter/Deadline")

/**
 * @since 0.1.0
 * @category models
 */
export interface Deadline {
  readonly [TypeId]: typeof TypeId
  /** `Clock.currentTimeNanos` at its start: monotonic, so that moving the system clock changes nothing. */
  readonly startNanos: bigint
  readonly limit: Duration.Duration
}

/**
 * @since 0.1.0
 * @category refinements
 */
export const isDeadline = (input: unknown): input is Deadline => Predicate.hasProperty(input, TypeId)

/**
 * Starts now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const start = (limit: Duration.DurationInput): Effect.Effect<Deadline> =>
  Effect.map(Clock.currentTimeNanos, (startNanos) => ({
    [TypeId]: TypeId,
    startNanos,
    limit: Duration.decode(limit)
  }))

/**
 * Milliseconds since its start.
 *
 * @since 0.1.0
 */
export const elapsedMillis = (self: Deadline): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeNanos, (now) => Number(now - self.startNanos) / 1_000_000)

/**
 * Milliseconds that are left: `Infinity` without a limit, negative once it has passed.
 *
 * @since 0.1.0
 */
export const remainingMillis = (self: Deadline): Effect.Effect<number> =>
  Effect.map(elapsedMillis(self), (elapsed) => Duration.toMillis(self.limit) - elapsed)
