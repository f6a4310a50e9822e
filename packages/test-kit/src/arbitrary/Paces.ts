/**
 * Paces and bounds that shrink to the plainest: every second, no bound.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as Scenario from "../model/Scenario.ts"

/**
 * Intervals people use, and a few that make trouble: nothing, less than a floor, no divisor of a second.
 *
 * @since 0.1.0
 */
export const interval: FastCheck.Arbitrary<number> = FastCheck.constantFrom(
  1000,
  5000,
  2000,
  100,
  250,
  700,
  30_000,
  1,
  0
)

/**
 * @since 0.1.0
 */
export const fixed: FastCheck.Arbitrary<Scenario.Pace> = interval.map((interval) => ({ _tag: "Fixed", interval }))

/**
 * @since 0.1.0
 */
export const spaced: FastCheck.Arbitrary<Scenario.Pace> = interval.map((interval) => ({ _tag: "Spaced", interval }))

/**
 * Growing, capped, with and without jitter. The cap is at times under the first gap.
 *
 * @since 0.1.0
 */
export const backoff: FastCheck.Arbitrary<Scenario.Pace> = FastCheck.record({
  initial: FastCheck.constantFrom(1000, 500, 100, 2000, 50),
  factor: FastCheck.constantFrom(2, 1, 1.5, 3, 10),
  cap: FastCheck.constantFrom(8000, 1000, 5000, 300, 30_000),
  jitter: FastCheck.constantFrom(0, 0.2, 0.5, 1)
}).map((options) => ({ _tag: "Backoff", ...options }))

/**
 * One of the kinds.
 *
 * @since 0.1.0
 */
export const pace = (
  kinds: ReadonlyArray<Scenario.Pace["_tag"]> = ["Fixed", "Spaced", "Backoff"]
): FastCheck.Arbitrary<Scenario.Pace> =>
  FastCheck.oneof(...kinds.map((kind) => ({ Fixed: fixed, Spaced: spaced, Backoff: backoff })[kind]))

/**
 * The gap that times of a scenario are counted in, in milliseconds: its edges are where a tick falls.
 *
 * @since 0.1.0
 */
export const unitOf = (pace: Scenario.Pace): number =>
  Math.max(100, pace._tag === "Backoff" ? Math.min(pace.initial, pace.cap) : pace.interval)

/**
 * A time as so many ticks and a nudge: mostly on a tick, a millisecond before or after it, sometimes anywhere.
 *
 * @since 0.1.0
 * @category models
 */
export interface Edge {
  readonly ticks: number
  readonly nudge: number
}

/**
 * @since 0.1.0
 */
export const edge = (most = 6): FastCheck.Arbitrary<Edge> =>
  FastCheck.record({
    ticks: FastCheck.nat(most),
    nudge: FastCheck.oneof(
      { weight: 4, arbitrary: FastCheck.constant(0) },
      { weight: 3, arbitrary: FastCheck.constantFrom(-1, 1) },
      { weight: 1, arbitrary: FastCheck.constantFrom(-100, 99, 100, 101) },
      { weight: 1, arbitrary: FastCheck.integer({ min: -300, max: 900 }) }
    )
  })

/**
 * @since 0.1.0
 */
export const millisOf = ({ nudge, ticks }: Edge, unit: number): number => Math.max(0, ticks * unit + nudge)
