/**
 * Timelines that are wrong where waits go wrong: a status that begins exactly on a tick, a millisecond before it, that
 * flaps, that comes back, that never ends.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import * as Timeline from "../Timeline.ts"
import * as Paces from "./Paces.ts"

/**
 * The words of scenarios: two statuses on the way, what is wanted, a failure, one that needs a person, absence.
 *
 * @since 0.1.0
 * @category data
 */
export const words = ["working", "ready", "failed", "moving", "stopped", Timeline.gone] as const

/**
 * A status and how long it stands, in ticks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Step {
  readonly status: string
  readonly stands: Paces.Edge
}

/**
 * Steps and the last status, not yet in milliseconds. Statuses on the way are likelier than endings.
 *
 * @since 0.1.0
 */
export const steps = (
  statuses: ReadonlyArray<string> = words
): FastCheck.Arbitrary<{ readonly steps: ReadonlyArray<Step>; readonly last: string }> => {
  const onTheWay = statuses.filter((status) => status === "working" || status === "moving")
  const status = FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.constantFrom(...(onTheWay.length > 0 ? onTheWay : statuses)) },
    { weight: 1, arbitrary: FastCheck.constantFrom(...statuses) }
  )
  return FastCheck.record({
    steps: FastCheck.array(FastCheck.record({ status, stands: Paces.edge(4) }), { maxLength: 5, size: "max" }),
    last: FastCheck.constantFrom(...statuses)
  })
}

/**
 * @since 0.1.0
 */
export const ofSteps = (
  { last, steps }: { readonly steps: ReadonlyArray<Step>; readonly last: string },
  unit: number
): Timeline.Timeline =>
  Timeline.make([...steps.map(({ stands, status }) => [status, Paces.millisOf(stands, unit)] as const), [last]])

/**
 * A timeline for looks every `unit` milliseconds.
 *
 * @since 0.1.0
 */
export const timeline = (
  unit = 5000,
  statuses: ReadonlyArray<string> = words
): FastCheck.Arbitrary<Timeline.Timeline> => steps(statuses).map((made) => ofSteps(made, unit))

/**
 * One that is on its way, and then comes to its end once and for all.
 *
 * @since 0.1.0
 */
export const settling = (
  unit = 5000,
  endings: ReadonlyArray<string> = ["ready", "failed"]
): FastCheck.Arbitrary<Timeline.Timeline> =>
  FastCheck.record({
    steps: FastCheck.array(
      FastCheck.record({ status: FastCheck.constantFrom("working", "moving"), stands: Paces.edge(4) }),
      { maxLength: 4 }
    ),
    last: FastCheck.constantFrom(...endings)
  }).map((made) => ofSteps(made, unit))
