/**
 * The laws of paces: what a pace's gaps look like over a long wait.
 *
 * @since 0.1.0
 */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as VirtualTime from "../VirtualTime.ts"
import type { Runner } from "./Law.ts"
import * as Law from "./Law.ts"

/**
 * A pace and what is promised of it. Times are milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject {
  readonly name: string
  readonly pace: Pace.PaceInput
  /** The gap it grows up to, or always has. */
  readonly cap?: number | undefined
  /** The share by which gaps are spread in both directions, before the cap. Default 0: no gap differs by chance. */
  readonly jitter?: number | undefined
  /** Looks after which it ends. Default: never. */
  readonly looks?: number | undefined
}

type PaceLaw = Law.Law<Subject>

const pending = Goal.make<void>("never", () => Goal.pending("pending"))

/** How many looks a pace is watched for. */
const watched = 200

interface Watched {
  readonly gaps: ReadonlyArray<number>
  readonly ended: "limit" | "attempts" | "schedule"
}

const watch = ({ pace }: Subject, seed: string | number): Watched => {
  const starts: Array<number> = []
  const look = Effect.map(Clock.currentTimeNanos, (nanos) => {
    starts.push(Number(nanos) / 1_000_000)
    return Option.some<void>(undefined)
  })
  const { attempts } = Pace.fromInput(pace)
  const outcome = VirtualTime.runSync(
    Waiter.outcome(look, pending, { pace, limit: Duration.infinity, attempts: Math.min(attempts, watched) }),
    { seed, maxTime: "3650 days" }
  )
  const gaps = starts.slice(1).map((start, index) => start - starts[index]!)
  return { gaps, ended: outcome._tag === "TimedOut" ? outcome.error.cause : "limit" }
}

const law = (
  name: string,
  claim: string,
  complaint: (subject: Subject, watched: Watched, options: Law.Options) => string | undefined
): PaceLaw => ({
  name,
  claim,
  check: (subject, options = {}) => {
    const seen = watch(subject, options.seed ?? "pace")
    const said = complaint(subject, seen, options)
    if (said !== undefined) {
      throw new Error(`${subject.name}: ${claim}\n\n${said}\n\ngaps: ${seen.gaps.slice(0, 12).join(", ")} … ms`)
    }
  }
})

/**
 * No gap is under the floor.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverUnderTheFloor: PaceLaw = law(
  "no gap is under the floor",
  "no gap is under the floor of 100 ms",
  (_, { gaps }) => {
    const short = gaps.find((gap) => gap < Duration.toMillis(Pace.floor))
    return short === undefined ? undefined : `a gap of ${short} ms`
  }
)

/**
 * The cap is applied after jitter: no gap is longer.
 *
 * @since 0.1.0
 * @category laws
 */
export const capAfterJitter: PaceLaw = law(
  "the cap comes after jitter",
  "no gap is longer than the cap, jitter or not",
  ({ cap }, { gaps }) => {
    const most = Math.max(cap ?? Infinity, Duration.toMillis(Pace.floor))
    const long = gaps.find((gap) => gap > Math.ceil(most))
    return long === undefined ? undefined : `a gap of ${long} ms, and the cap is ${cap} ms`
  }
)

/**
 * Jitter stays on at the cap: gaps there differ, and none is shorter than the spread allows.
 *
 * @since 0.1.0
 * @category laws
 */
export const jitterStaysOn: PaceLaw = law(
  "jitter stays on at the cap",
  "gaps at the cap differ by the jitter's share, and are no shorter than it allows; without jitter they are equal",
  ({ cap, jitter = 0 }, { gaps }) => {
    if (cap === undefined) return undefined
    const late = gaps.slice(-Math.floor(gaps.length / 2))
    const least = Math.max(cap * (1 - jitter), Duration.toMillis(Pace.floor))
    const short = late.find((gap) => gap < Math.floor(least))
    if (short !== undefined) return `a gap of ${short} ms at the cap, under ${least} ms`
    const distinct = new Set(late).size
    // Half of them are cut off by the cap; gaps are whole milliseconds, and the floor may cut off the others.
    const spread = cap - Math.max(least, Duration.toMillis(Pace.floor))
    const expected = jitter === 0 || spread < 1 ? 1 : Math.min(spread, late.length) / 6
    if (late.length > 20 && distinct < expected) return `only ${distinct} different gaps of ${late.length} at the cap`
    return jitter === 0 && distinct > 1 ? `${distinct} different gaps at the cap without jitter` : undefined
  }
)

/**
 * Without jitter, gaps never shrink.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverShrinks: PaceLaw = law(
  "gaps never shrink",
  "without jitter no gap is shorter than the one before it",
  ({ jitter = 0 }, { gaps }) => {
    const at = jitter === 0 ? gaps.findIndex((gap, index) => index > 0 && gap < gaps[index - 1]!) : -1
    return at < 0 ? undefined : `gap ${at + 1} is ${gaps[at]} ms, after one of ${gaps[at - 1]} ms`
  }
)

/**
 * A pace never ends unless it was told to, and then exactly there.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverEndsUnlessTold: PaceLaw = law(
  "it never ends unless told",
  "a pace never comes to its end unless it was told to, and then after as many looks as it was told",
  ({ looks = Infinity }, { ended, gaps }) => {
    const expected = Math.min(looks, watched)
    if (gaps.length + 1 !== expected) return `${gaps.length + 1} looks, and ${expected} are due`
    return looks > watched && ended === "schedule" ? "its schedule came to its end" : undefined
  }
)

/**
 * One seed gives one sequence of gaps; with jitter another seed gives another.
 *
 * @since 0.1.0
 * @category laws
 */
export const sameSeedSameGaps: PaceLaw = law(
  "one seed is one sequence",
  "one seed gives one sequence of gaps, and with jitter another seed gives another",
  (subject, { gaps }, options) => {
    const again = watch(subject, options.seed ?? "pace").gaps
    if (JSON.stringify(again) !== JSON.stringify(gaps)) return `the second time: ${again.slice(0, 12).join(", ")} … ms`
    const cap = subject.cap ?? Infinity
    const visible = (subject.jitter ?? 0) * Math.min(cap, Math.max(...gaps)) > 1 && cap > Duration.toMillis(Pace.floor)
    return visible && gaps.length > 5 && JSON.stringify(watch(subject, "another").gaps) === JSON.stringify(gaps)
      ? "another seed gives the same gaps"
      : undefined
  }
)

/**
 * All laws of a pace.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<PaceLaw> = [
  neverUnderTheFloor,
  capAfterJitter,
  jitterStaysOn,
  neverShrinks,
  neverEndsUnlessTold,
  sameSeedSameGaps
]

/**
 * @since 0.1.0
 */
export const suite = (runner: Runner, subject: Subject, options?: Law.Options): void =>
  Law.suite(runner, laws, subject, options)
