/**
 * Whole scenarios. They shrink to an empty timeline, a plain pace, no incident and no bound.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as Scenario from "../model/Scenario.ts"
import * as Timeline from "../Timeline.ts"
import * as Paces from "./Paces.ts"
import * as Timelines from "./Timelines.ts"

/**
 * What may be in a scenario. Default: everything.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly paces?: ReadonlyArray<Scenario.Pace["_tag"]> | undefined
  readonly limit?: boolean | undefined
  readonly attempts?: boolean | undefined
  readonly repeats?: boolean | undefined
  readonly patience?: boolean | undefined
  readonly retryAfter?: boolean | undefined
  readonly needsAction?: boolean | undefined
  readonly stable?: boolean | undefined
  /** Only these goals. */
  readonly goals?: ReadonlyArray<Scenario.Goal> | undefined
}

/**
 * Milliseconds a server may ask for: nothing, less than a floor, some ticks, more than anybody obeys.
 *
 * @since 0.1.0
 */
export const retryAfter = (unit = 1000): FastCheck.Arbitrary<number> =>
  FastCheck.oneof(
    { weight: 6, arbitrary: Paces.edge(4).map((edge) => Paces.millisOf(edge, unit)) },
    { weight: 2, arbitrary: FastCheck.constantFrom(1000, 7000, 0, 1) },
    { weight: 1, arbitrary: FastCheck.constantFrom(600_000, 600_001, 3_600_000) }
  )

/** None first, so that it shrinks to none. */
const bound = <A>(wanted: boolean | undefined, share: number, arbitrary: FastCheck.Arbitrary<A>, nil: A) =>
  wanted === false
    ? FastCheck.constant(nil)
    : FastCheck.oneof(
        { withCrossShrink: true },
        { weight: 100 - share, arbitrary: FastCheck.constant(nil) },
        { weight: share, arbitrary }
      )

interface Drawn {
  readonly kind: "plain" | "slow" | "hangs" | "transient" | "permanent"
  readonly takes: Paces.Edge
  readonly asks: number | undefined
}

const drawn = ({ retryAfter: asks = true }: Options): FastCheck.Arbitrary<Drawn> =>
  FastCheck.record({
    kind: FastCheck.oneof(
      { weight: 24, arbitrary: FastCheck.constant<Drawn["kind"]>("plain") },
      { weight: 4, arbitrary: FastCheck.constant<Drawn["kind"]>("transient") },
      { weight: 3, arbitrary: FastCheck.constant<Drawn["kind"]>("slow") },
      { weight: 1, arbitrary: FastCheck.constant<Drawn["kind"]>("permanent") },
      { weight: 1, arbitrary: FastCheck.constant<Drawn["kind"]>("hangs") }
    ),
    takes: Paces.edge(3),
    asks: bound(asks, 15, retryAfter(), undefined)
  })

const incidentOf = ({ asks, kind, takes }: Drawn, unit: number): Scenario.Incident => ({
  ...(kind === "transient" || kind === "permanent" ? { fault: kind } : {}),
  ...(kind === "slow" ? { takes: Paces.millisOf(takes, unit) } : kind === "hangs" ? { takes: Infinity } : {}),
  ...(asks === undefined ? {} : { retryAfter: asks })
})

const plainGoal: Scenario.Goal = { wanted: ["ready"], failures: ["failed"], stops: [], absent: "failed", stable: 1 }

const goals = (options: Options): FastCheck.Arbitrary<Scenario.Goal> => {
  if (options.goals !== undefined) return FastCheck.constantFrom(...options.goals)
  return FastCheck.record({
    wanted: FastCheck.constantFrom<ReadonlyArray<string>>(["ready"], ["ready"], ["ready"], ["ready", "moving"], []),
    failures: FastCheck.constantFrom<ReadonlyArray<string>>(["failed"], ["failed"], [], ["failed", "moving"]),
    stops: FastCheck.constantFrom<ReadonlyArray<string>>(...(options.needsAction === false ? [[]] : [[], ["stopped"]])),
    absent: FastCheck.constantFrom<Scenario.Goal["absent"]>("failed", "reached", "pending"),
    stable: options.stable === false ? FastCheck.constant(1) : FastCheck.constantFrom(1, 1, 1, 2, 3)
  })
}

/**
 * Nobody waits for ever: 31 ticks are more than most of what happens. They shrink to few, so that a counterexample is no
 * longer than what it shows.
 */
const interrupts = [1, 2, 0, 5, 12, 31, 31, 31, 31, 60, 60, 60, 60]

/**
 * @since 0.1.0
 */
export const scenario = (options: Options = {}): FastCheck.Arbitrary<Scenario.Scenario> =>
  FastCheck.record({
    goal: goals(options),
    pace: Paces.pace(options.paces),
    timeline: Timelines.steps(),
    incidents: FastCheck.array(drawn(options), { maxLength: 8, size: "max" }),
    limit: bound(options.limit, 40, Paces.edge(12), undefined),
    attempts: bound(options.attempts, 20, FastCheck.integer({ min: 1, max: 12 }), Infinity),
    repeats: bound(options.repeats, 20, FastCheck.nat(10), Infinity),
    tolerate: options.patience === false ? FastCheck.constant(0) : FastCheck.constantFrom(10, 3, 1, 0),
    hold: options.patience === false ? FastCheck.constant(0) : FastCheck.constantFrom(500, 0, 3000),
    interrupt: FastCheck.noBias(FastCheck.nat(interrupts.length - 1)).map((at) => interrupts[at] ?? 0)
  }).map(({ incidents, interrupt, limit, timeline, ...rest }) => {
    const unit = Paces.unitOf(rest.pace)
    return {
      ...rest,
      timeline: Timelines.ofSteps(timeline, unit),
      incidents: incidents.map((one) => incidentOf(one, unit)),
      limit: limit === undefined ? Infinity : Paces.millisOf(limit, unit),
      interrupt: interrupt * unit + 0.5
    }
  })

/**
 * Any timeline that is over in the end, looked at every so often without bounds, and what the faults may do to it: up to
 * `tolerate` transient ones in a row.
 *
 * @since 0.1.0
 */
export const survivable = (options: Options = {}): FastCheck.Arbitrary<Scenario.Scenario> =>
  FastCheck.record({
    pace: Paces.pace(options.paces),
    timeline: FastCheck.record({
      steps: FastCheck.array(
        FastCheck.record({ status: FastCheck.constantFrom("working", "moving"), stands: Paces.edge(4) }),
        { maxLength: 4 }
      ),
      last: FastCheck.constantFrom("ready", "failed", Timeline.gone)
    }),
    tolerate: FastCheck.integer({ min: 1, max: 5 }),
    runs: FastCheck.array(FastCheck.record({ faults: FastCheck.nat(5), asks: FastCheck.nat(3) }), { maxLength: 5 })
  }).map(({ pace, runs, timeline, tolerate }) => ({
    pace,
    timeline: Timelines.ofSteps(timeline, Paces.unitOf(pace)),
    incidents: runs.flatMap(({ asks, faults }): Array<Scenario.Incident> => [
      ...Array.from({ length: Math.min(faults, tolerate) }, (): Scenario.Incident => ({
        fault: "transient",
        ...(asks > 0 && options.retryAfter !== false ? { retryAfter: asks * 1000 } : {})
      })),
      {}
    ]),
    goal: options.goals?.[0] ?? plainGoal,
    limit: Infinity,
    attempts: Infinity,
    repeats: Infinity,
    tolerate,
    hold: 500,
    interrupt: 86_400_000.5
  }))
