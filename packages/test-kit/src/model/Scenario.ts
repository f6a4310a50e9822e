/**
 * One wait as data: what the service does, what happens to each look, and what was asked for.
 *
 * Laws, models and pictures all read the same scenario, so that a counterexample is a value that can be kept.
 *
 * @since 0.1.0
 */
import * as Timeline from "../Timeline.ts"
import { timeText } from "../internal/TimeText.ts"

/**
 * When to look again, in milliseconds. `Fixed` is a grid that begins at the end of the first look, `Spaced` counts from
 * the end of each look; a `Backoff` grows by `factor` up to `cap`, each gap spread by `jitter` (0 to 1) in both
 * directions and capped after that.
 *
 * @since 0.1.0
 * @category models
 */
export type Pace =
  | { readonly _tag: "Fixed"; readonly interval: number }
  | { readonly _tag: "Spaced"; readonly interval: number }
  | {
      readonly _tag: "Backoff"
      readonly initial: number
      readonly factor: number
      readonly cap: number
      readonly jitter: number
    }

/**
 * What a status means. One that is in no list is waited on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Goal {
  readonly wanted: ReadonlyArray<string>
  readonly failures: ReadonlyArray<string>
  /** Somebody has to go on by hand. */
  readonly stops: ReadonlyArray<string>
  /** What it means that the object isn't there. */
  readonly absent: "reached" | "failed" | "pending"
  /** Looks in a row that have to see what is wanted. */
  readonly stable: number
}

/**
 * What was asked of a wait. Times are milliseconds; `Infinity` is no bound.
 *
 * @since 0.1.0
 * @category models
 */
export interface Terms {
  readonly goal: Goal
  readonly pace: Pace
  readonly limit: number
  /** The most looks. */
  readonly attempts: number
  /** How often the schedule goes on after the first look. */
  readonly repeats: number
  /** Transient faults in a row that don't end the wait. */
  readonly tolerate: number
  /** The least from a first fault to the next look; it doubles with each further fault in a row, up to 30 s. */
  readonly hold: number
}

/**
 * What is special about one look; without any of it the look takes no time and sees the timeline.
 *
 * @since 0.1.0
 * @category models
 */
export interface Incident {
  /** How long it takes; `Infinity` hangs. The status is the one at its beginning. */
  readonly takes?: number
  readonly fault?: "transient" | "permanent"
  /** The answer, a fault's too, asks to wait so long. */
  readonly retryAfter?: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Scenario extends Terms {
  readonly timeline: Timeline.Timeline
  /** By look, the first one first. */
  readonly incidents: ReadonlyArray<Incident>
  /** When the caller interrupts the wait. Between two milliseconds, so that nothing else happens just then. */
  readonly interrupt: number
}

/**
 * A look: `saw` is a status, or what became of it instead.
 *
 * @since 0.1.0
 * @category models
 */
export interface Look {
  readonly start: number
  readonly end: number
  readonly saw: string
  readonly kind: "seen" | "gone" | "transient" | "permanent" | "aborted"
}

/**
 * How a wait ended.
 *
 * @since 0.1.0
 * @category models
 */
export type Ending =
  | { readonly _tag: "reached" | "failed" | "needsAction"; readonly status: string }
  | {
      readonly _tag: "timedOut"
      readonly cause: "limit" | "attempts" | "schedule"
      /** What the server asked for, if that is past the limit. */
      readonly retryAfter: number | null
    }
  | { readonly _tag: "faulted"; readonly inARow: number }
  | { readonly _tag: "interrupted" }

/**
 * Statuses seen; consecutive equal ones are one entry, with the times at which the looks ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface StatusSeen {
  readonly status: string
  readonly firstSeen: number
  readonly lastSeen: number
  readonly looks: number
}

/**
 * What comes of a scenario.
 *
 * @since 0.1.0
 * @category models
 */
export interface Story {
  readonly looks: ReadonlyArray<Look>
  readonly ending: Ending
  /** When it ended, in milliseconds since its beginning. */
  readonly at: number
  readonly history: ReadonlyArray<StatusSeen>
}

/**
 * The statuses of good looks, as a wait should report them.
 *
 * @since 0.1.0
 */
export const historyOf = (looks: ReadonlyArray<Look>): ReadonlyArray<StatusSeen> => {
  const history: Array<StatusSeen> = []
  for (const { end, kind, saw } of looks) {
    if (kind !== "seen" && kind !== "gone") continue
    const last = history.at(-1)
    if (last?.status === saw) history[history.length - 1] = { ...last, lastSeen: end, looks: last.looks + 1 }
    else history.push({ status: saw, firstSeen: end, lastSeen: end, looks: 1 })
  }
  return history
}

/**
 * What most scenarios are: every 5 s, no limit, ten transient faults in a row.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  timeline: ReadonlyArray<Timeline.Step>,
  options: Partial<Omit<Scenario, "timeline" | "goal">> & { readonly goal?: Partial<Goal> } = {}
): Scenario => ({
  incidents: [],
  pace: { _tag: "Fixed", interval: 5000 },
  limit: Infinity,
  attempts: Infinity,
  repeats: Infinity,
  tolerate: 10,
  hold: 500,
  interrupt: Infinity,
  ...options,
  timeline: Timeline.make(timeline),
  goal: { wanted: ["ready"], failures: ["failed"], stops: [], absent: "failed", stable: 1, ...options.goal }
})

const time = (millis: number): string => (millis === Infinity ? "for ever" : timeText(millis))

const paceText = (pace: Pace): string => {
  if (pace._tag !== "Backoff") return `${pace._tag.toLowerCase()} ${time(pace.interval)}`
  const jitter = pace.jitter === 0 ? "" : `, jitter ${pace.jitter}`
  return `back-off ${time(pace.initial)} × ${pace.factor} up to ${time(pace.cap)}${jitter}`
}

const incidentText = ({ fault, retryAfter, takes }: Incident): string =>
  [
    fault === undefined ? undefined : `${fault} fault`,
    takes === undefined ? undefined : takes === Infinity ? "hangs" : `takes ${time(takes)}`,
    retryAfter === undefined ? undefined : `Retry-After ${time(retryAfter)}`
  ]
    .filter((part) => part !== undefined)
    .join(", ")

/**
 * A few lines for people: only what differs from the usual is said.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (scenario: Scenario): string => {
  const { attempts, goal, hold, interrupt, limit, pace, repeats, tolerate } = scenario
  const bounds = [
    paceText(pace),
    limit === Infinity ? undefined : `limit ${time(limit)}`,
    attempts === Infinity ? undefined : `${attempts} attempts`,
    repeats === Infinity ? undefined : `the schedule recurs ${repeats} times`,
    tolerate === 10 ? undefined : `tolerates ${tolerate}`,
    hold === 500 ? undefined : `hold ${time(hold)}`,
    interrupt === Infinity ? undefined : `interrupted at ${time(interrupt)}`
  ].filter((part) => part !== undefined)
  const wants = [
    `${goal.wanted.join(" or ") || "nothing"}${goal.stable > 1 ? ` ${goal.stable} times in a row` : ""}`,
    goal.failures.length === 0 ? undefined : `fails on ${goal.failures.join(", ")}`,
    goal.stops.length === 0 ? undefined : `stops on ${goal.stops.join(", ")}`,
    `gone is ${goal.absent}`
  ].filter((part) => part !== undefined)
  const incidents = scenario.incidents
    .map((incident, index) => [index + 1, incidentText(incident)] as const)
    .filter(([, text]) => text !== "")
    .map(([look, text]) => `look ${look} ${text}`)
  return [
    `timeline  ${Timeline.format(scenario.timeline)}`,
    `wants     ${wants.join("; ")}`,
    `pace      ${bounds.join("; ")}`,
    ...(incidents.length === 0 ? [] : [`but       ${incidents.join("; ")}`])
  ].join("\n")
}

/**
 * An ending in a few words.
 *
 * @since 0.1.0
 * @category conversions
 */
export const endingText = (ending: Ending): string => {
  switch (ending._tag) {
    case "timedOut":
      return `timed out (${ending.cause}${ending.retryAfter === null ? "" : `, asked to wait ${time(ending.retryAfter)}`})`
    case "faulted":
      return `faulted, ${ending.inARow} in a row`
    case "interrupted":
      return "interrupted"
    default:
      return `${ending._tag} at ${ending.status}`
  }
}
