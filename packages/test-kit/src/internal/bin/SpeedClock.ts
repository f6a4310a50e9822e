/**
 * The live clock, some times as fast.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * Starts at the time the given clock shows, and runs `speed` times as fast: ten of its seconds pass in one.
 */
export const make = (live: Clock.Clock, speed: number): Clock.Clock => {
  const millis = live.unsafeCurrentTimeMillis()
  const nanos = live.unsafeCurrentTimeNanos()
  // Both from the monotonic one: the faster the clock, the more a step of the system's clock would tear them apart.
  const passedNanos = () => Number(live.unsafeCurrentTimeNanos() - nanos) * speed
  const currentMillis = () => millis + Math.floor(passedNanos() / 1_000_000)
  const currentNanos = () => nanos + BigInt(Math.round(passedNanos()))
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: currentMillis,
    unsafeCurrentTimeNanos: currentNanos,
    currentTimeMillis: Effect.sync(currentMillis),
    currentTimeNanos: Effect.sync(currentNanos),
    sleep: (duration) => live.sleep(Duration.times(duration, 1 / speed))
  }
}
