/**
 * What a wait does, worked out on paper: a pure function from a scenario to its looks and its ending.
 *
 * It sleeps nothing and shares no code with any waiter. Read it as the contract: each step of the loop is one of its
 * sentences.
 *
 * @since 0.1.0
 */
import * as Timeline from "../Timeline.ts"
import * as Scenario from "./Scenario.ts"

/**
 * The constants of the contract, in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Promises {
  /** The least from the end of a look to the start of the next. */
  readonly floor: number
  /** How long a look that begins at the limit may take. */
  readonly grace: number
  /** The most of a `Retry-After` that is obeyed. */
  readonly maxRetryAfter: number
}

/**
 * What this library promises: 100 ms, 5 s, 10 minutes.
 *
 * @since 0.1.0
 * @category data
 */
export const promises: Promises = { floor: 100, grace: 5000, maxRetryAfter: 600_000 }

/** Looks begin at whole milliseconds; a millionth more is what is left of a sum. */
const whole = (millis: number): number => Math.ceil(millis - 1e-6)

/** When a pace would look again, in time of its own, given the time a look ended; and the longest gap it may ask for. */
const pacer = (pace: Scenario.Pace, draw: () => number) => {
  let origin: number | undefined
  let last = 0
  let gaps = 0
  const next = (now: number): number => {
    switch (pace._tag) {
      case "Spaced":
        return now + pace.interval
      case "Fixed": {
        const { interval } = pace
        origin ??= now
        const behind = gaps++ > 0 && now > last + interval
        // The next point of the grid; at once if one was missed altogether.
        if (behind || interval === 0) last = now
        else last = origin + (Math.floor((now - origin) / interval) + 1) * interval
        return last
      }
      case "Backoff": {
        const gap = Math.min(pace.initial * pace.factor ** gaps++, pace.cap)
        if (pace.jitter === 0) return now + gap
        const drawn = draw()
        return now + gap * (1 - pace.jitter) * (1 - drawn) + gap * (1 + pace.jitter) * drawn
      }
    }
  }
  return { next, longest: pace._tag === "Fixed" ? pace.interval : pace._tag === "Backoff" ? pace.cap : Infinity }
}

/**
 * The longest gap a pace may leave between two looks, in milliseconds; `Infinity` if it promises none.
 *
 * @since 0.1.0
 */
export const longestGap = (pace: Scenario.Pace): number =>
  pace._tag === "Spaced" ? pace.interval : pacer(pace, () => 0).longest

/**
 * The least from the `n`-th fault in a row to the next look, in milliseconds.
 *
 * @since 0.1.0
 */
export const holdAfter = (hold: number, n: number): number => Math.min(30_000, hold * 2 ** (n - 1))

type Verdict = "pending" | "reached" | "failed" | "needsAction"

/** What one status means, `stable` left out. */
const meaning = ({ absent, failures, stops, wanted }: Scenario.Goal, status: string): Verdict => {
  if (status === Timeline.gone) return absent
  if (failures.includes(status)) return "failed"
  if (stops.includes(status)) return "needsAction"
  return wanted.includes(status) ? "reached" : "pending"
}

/**
 * The looks and the ending of a scenario. `draw` gives a number from 0 to 1 for each gap of a jittered pace.
 *
 * @example
 * ```ts
 * import * as Reference from "@effect-manila/test-kit/model/Reference"
 * import * as Scenario from "@effect-manila/test-kit/model/Scenario"
 *
 * const { at, ending } = Reference.story(Scenario.make([["working", "7 seconds"], ["ready"]]))
 * // ending: reached at ready, at: 10 000
 * ```
 *
 * @since 0.1.0
 */
export const story = (
  scenario: Scenario.Scenario,
  { floor, grace, maxRetryAfter }: Promises = promises,
  draw: () => number = () => 0.5
): Scenario.Story => {
  const { goal, hold, interrupt, limit, tolerate } = scenario
  const pace = pacer(scenario.pace, draw)
  const looks: Array<Scenario.Look> = []
  /** Consecutive faults, and consecutive looks that saw what is wanted. */
  let faults = 0
  let wanted = 0
  /** What Retry-After, hold and floor added: the pace knows nothing of it, and takes nothing for lateness. */
  let added = 0
  /** The first look comes at once. */
  let start = 0

  const end = (ending: Scenario.Ending, at: number): Scenario.Story => {
    const history = Scenario.historyOf(looks)
    return at > interrupt
      ? { looks, ending: { _tag: "interrupted" }, at: interrupt, history }
      : { looks, ending, at, history }
  }
  const timedOut = (cause: "limit" | "attempts" | "schedule", at: number, retryAfter: number | null = null) =>
    end({ _tag: "timedOut", cause, retryAfter }, at)

  for (;;) {
    if (start > interrupt) return end({ _tag: "interrupted" }, interrupt)
    const { fault, retryAfter = 0, takes = 0 } = scenario.incidents[looks.length] ?? {}
    const ended = start + takes
    // The look at the limit gets a little longer; any other one is aborted there, unless it ends at that very moment.
    const isLast = start >= limit
    const aborted = isLast ? limit + grace : limit
    const isAborted = isLast ? ended >= aborted : ended > aborted
    if (Math.min(ended, aborted) > interrupt) {
      looks.push({ start, end: interrupt, saw: "aborted", kind: "aborted" })
      return end({ _tag: "interrupted" }, interrupt)
    }
    if (isAborted) {
      looks.push({ start, end: aborted, saw: "aborted", kind: "aborted" })
      return timedOut("limit", aborted)
    }

    // A permanent fault ends the wait, and so does one transient fault in a row too many; any good look forgives all.
    if (fault !== undefined) {
      looks.push({ start, end: ended, saw: `${fault} fault`, kind: fault })
      faults++
      if (fault === "permanent" || faults > tolerate) return end({ _tag: "faulted", inARow: faults }, ended)
    } else {
      const status = Timeline.at(scenario.timeline, start)
      looks.push({ start, end: ended, saw: status, kind: status === Timeline.gone ? "gone" : "seen" })
      faults = 0
      const verdict = meaning(goal, status)
      wanted = verdict === "reached" ? wanted + 1 : 0
      if (verdict !== "pending" && (verdict !== "reached" || wanted >= goal.stable)) {
        return end({ _tag: verdict, status }, ended)
      }
    }

    // The limit, then the attempts, then the schedule may be at their end.
    if (isLast) return timedOut("limit", ended)
    if (looks.length >= scenario.attempts) return timedOut("attempts", ended)
    if (looks.length > scenario.repeats) return timedOut("schedule", ended)

    // The pace says when, and whoever asks for more gets it.
    const paced = Math.min(pace.next(Math.floor(ended - added + 1e-3)) + added, ended + pace.longest)
    const asked = Math.min(retryAfter, maxRetryAfter)
    if (asked > 0 && ended + asked > limit) return timedOut("limit", ended, retryAfter)
    const held = fault === undefined ? 0 : holdAfter(hold, faults)
    const at = Math.max(paced, ended + asked, ended + held, ended + floor)
    added += at - paced

    // Past the limit there is one more look, at the limit, unless the floor forbids it.
    if (at < limit) start = whole(at)
    else if (ended + floor > limit) return timedOut("limit", limit)
    else start = limit
  }
}
