/**
 * Statuses and how long each stands, as data: what an object's status is follows from the clock alone.
 *
 * A fake that flips a status in a fiber after a sleep depends on who runs first. One that reads its timeline when it is
 * asked can't be wrong by a tick.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { Phase } from "./Lifecycle.ts"
import { timeText } from "./internal/TimeText.ts"

/**
 * The status of an object that isn't there any more: reads answer 404.
 *
 * @since 0.1.0
 * @category data
 */
export const gone = "gone"

/**
 * One status, from its first millisecond to the first of the next one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Span {
  readonly status: string
  readonly start: number
  /** `Infinity` for the last one. */
  readonly end: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Timeline {
  readonly spans: readonly [Span, ...Array<Span>]
}

/**
 * A status and how long it stands; the last one has no duration and stands for ever.
 *
 * @since 0.1.0
 * @category models
 */
export type Step = readonly [status: string, duration: Duration.DurationInput] | readonly [status: string]

/**
 * A timeline that begins at 0. Throws if there is no status, if one before the last has no duration, or if the last
 * has one.
 *
 * @example
 * ```ts
 * import * as Timeline from "@effect-manila/test-kit/Timeline"
 *
 * const create = Timeline.make([["creating", "20 seconds"], ["available"]])
 * Timeline.at(create, 19_999) // "creating"
 * Timeline.at(create, 20_000) // "available"
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (steps: ReadonlyArray<Step>): Timeline =>
  fromPhases(
    steps.map(([status, duration]) =>
      duration === undefined ? { status } : { status, millis: Duration.toMillis(duration) }
    )
  )

/**
 * The same from the phases of a fake cloud's lifecycle.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromPhases = (phases: ReadonlyArray<Phase>): Timeline => {
  let start = 0
  const spans = phases.map(({ millis, status }, i): Span => {
    const last = i === phases.length - 1
    if (millis === undefined && !last) {
      throw new Error(`a timeline's status ${i + 1} (${status}) has no duration, but ${phases[i + 1]!.status} follows`)
    }
    if (millis !== undefined && last) throw new Error(`a timeline's last status (${status}) stands for ever`)
    if (millis !== undefined && !(millis >= 0)) throw new Error(`a timeline's status ${status} can't last ${millis} ms`)
    const span = { status, start, end: start + (millis ?? Infinity) }
    start = span.end
    return span
  })
  const [first, ...rest] = spans
  if (first === undefined) throw new Error("a timeline has at least one status")
  return { spans: [first, ...rest] }
}

/**
 * The status so many milliseconds after the beginning. A status begins at its boundary; before 0 it is the first one.
 *
 * @since 0.1.0
 * @category getters
 */
export const at = (self: Timeline, millis: number): string => {
  const { spans } = self
  for (let i = spans.length - 1; i > 0; i--) {
    if (millis >= spans[i]!.start) return spans[i]!.status
  }
  return spans[0].status
}

/**
 * `at` as a probe sees it: `None` where the status is `gone`.
 *
 * @since 0.1.0
 * @category getters
 */
export const observe = (self: Timeline, millis: number): Option.Option<string> =>
  Option.liftPredicate(at(self, millis), (status) => status !== gone)

/**
 * The milliseconds at which the status changes, in order.
 *
 * @since 0.1.0
 * @category getters
 */
export const boundaries = (self: Timeline): ReadonlyArray<number> => self.spans.slice(1).map(({ start }) => start)

/**
 * When the last status begins, in milliseconds.
 *
 * @since 0.1.0
 * @category getters
 */
export const end = (self: Timeline): number => self.spans.at(-1)!.start

/**
 * The statuses in order.
 *
 * @since 0.1.0
 * @category getters
 */
export const statuses = (self: Timeline): ReadonlyArray<string> => self.spans.map(({ status }) => status)

/**
 * The same data as phases of a fake cloud's lifecycle.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toPhases = (self: Timeline): ReadonlyArray<Phase> =>
  self.spans.map(({ end, start, status }) => (end === Infinity ? { status } : { status, millis: end - start }))

/**
 * One line for people: `creating 20s, then available`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (self: Timeline): string =>
  self.spans
    .map(({ end, start, status }) => (end === Infinity ? status : `${status} ${timeText(end - start)}`))
    .join(", then ")
