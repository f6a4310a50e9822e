/**
 * The laws of waiting, for any wait: each runs the wait under test on scenarios in virtual time and compares what it did
 * with what was promised.
 *
 * @example
 * ```ts
 * import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
 * import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
 * import { describe, it } from "vitest"
 *
 * Waiter.suite({ describe, it }, Adapter.ofWaiter({
 *   name: "a resource with a status",
 *   probe: (look) => look,
 *   statusOf: ({ status }) => status
 * }))
 * ```
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Scenarios from "../arbitrary/Scenarios.ts"
import * as Reference from "../model/Reference.ts"
import type * as Scenario from "../model/Scenario.ts"
import * as Timeline from "../Timeline.ts"
import * as VirtualTime from "../VirtualTime.ts"
import type { Adapter } from "./Adapter.ts"
import { featuresOf, promisesOf } from "./Adapter.ts"
import * as Compare from "./internal/Compare.ts"
import { memoryIsFlat } from "./internal/Memory.ts"
import * as Property from "./internal/Property.ts"
import * as Run from "./internal/Run.ts"
import * as Law from "./Law.ts"

type WaitLaw = Law.Law<Adapter>

/** What a law sees of one run. */
interface Case {
  readonly adapter: Adapter
  readonly scenario: Scenario.Scenario
  readonly story: Scenario.Story
  readonly ran: Run.Ran
  readonly promises: Reference.Promises
}

/** Of every run: the same number draws the jitter of the wait and of the model. */
const seed = "laws"

const caseOf = (adapter: Adapter, scenario: Scenario.Scenario): Case => ({
  adapter,
  scenario,
  story: Run.storyOf(adapter, scenario, seed),
  ran: Run.run(adapter, scenario, { seed }),
  promises: promisesOf(adapter)
})

type Source = (adapter: Adapter) => FastCheck.Arbitrary<Scenario.Scenario>

const anything: Source = (adapter) => Scenarios.scenario(featuresOf(adapter))
const survivable: Source = (adapter) => Scenarios.survivable(featuresOf(adapter))

/** Laws over one source look at the same runs, so that twenty laws don't cost twenty times as much. */
const known = new WeakMap<Adapter, Map<string, ReadonlyArray<Case>>>()

const casesOf = (adapter: Adapter, source: Source, { runs, seed }: Law.Options): ReadonlyArray<Case> => {
  const ofAdapter = known.get(adapter) ?? new Map<string, ReadonlyArray<Case>>()
  known.set(adapter, ofAdapter)
  const key = `${source === anything ? "anything" : "survivable"} ${runs} ${seed}`
  const cases =
    ofAdapter.get(key) ?? Property.sample(source(adapter), { runs, seed }).map((one) => caseOf(adapter, one))
  ofAdapter.set(key, cases)
  return cases
}

const law = (
  name: string,
  claim: string,
  complaint: (of: Case) => string | undefined,
  source: Source = anything
): WaitLaw => ({
  name,
  claim,
  check: (adapter, options = {}) => {
    const isShared = options.path === undefined && (source === anything || source === survivable)
    const complaining = (of: Case) => of.ran.broken ?? complaint(of)
    if (isShared && casesOf(adapter, source, options).every((of) => complaining(of) === undefined)) return
    Property.check(
      `${adapter.name}: ${claim}`,
      source(adapter),
      (scenario) => complaining(caseOf(adapter, scenario)),
      (scenario) => {
        const { ran, story } = caseOf(adapter, scenario)
        return Compare.print(scenario, story, ran)
      },
      options
    )
  }
})

/**
 * A wait ends with the verdict of the reference model, at its time.
 *
 * @since 0.1.0
 * @category laws
 */
export const endsAsTheModel: WaitLaw = law(
  "ends as the model says",
  "a wait ends with the verdict of the reference model, at its time",
  ({ ran, story }) => Compare.ending(story, ran)
)

/**
 * A wait looks when the reference model looks, and at nothing else.
 *
 * @since 0.1.0
 * @category laws
 */
export const looksAsTheModel: WaitLaw = law(
  "looks when the model looks",
  "looks begin and end at the times of the reference model, and see what it sees",
  ({ ran, story }) => Compare.looks(story, ran)
)

/**
 * After a verdict, a fault that ends it, or the limit, no look follows and none is in flight.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverAfterTheEnd: WaitLaw = law(
  "never looks after the end",
  "after the end of a wait no look follows and none is in flight",
  ({ ran: { after, inFlight } }) =>
    after > 0 ? `${after} looks after the end` : inFlight > 0 ? `${inFlight} looks in flight after the end` : undefined
)

/**
 * Interruption ends a wait at once, aborts the look in flight, and no look follows.
 *
 * @since 0.1.0
 * @category laws
 */
export const interruptible: WaitLaw = law(
  "interruption ends it at once",
  "interruption ends a wait at once, aborts the look in flight, and no look follows",
  ({ ran, scenario, story }) => {
    if (story.ending._tag !== "interrupted") return undefined
    if (ran.ended !== undefined) return `it had ended by itself at ${ran.at} ms (${ran.ended.ending})`
    if (ran.at !== scenario.interrupt) return `interrupted at ${scenario.interrupt} ms, it ended at ${ran.at} ms`
    return ran.after + ran.inFlight > 0 ? `${ran.after + ran.inFlight} looks after the interruption` : undefined
  }
)

/**
 * The first look comes at once.
 *
 * @since 0.1.0
 * @category laws
 */
export const firstLookAtOnce: WaitLaw = law(
  "looks at once",
  "the first look comes at once, whatever the pace",
  ({ ran }) =>
    ran.looks.length === 0
      ? "it never looked"
      : ran.looks[0]!.start === 0
        ? undefined
        : `the first look came after ${ran.looks[0]!.start} ms`
)

const gaps = (looks: ReadonlyArray<Scenario.Look>) =>
  looks.slice(1).map(({ start }, index) => ({ before: index, gap: start - looks[index]!.end }))

/**
 * No gap between two looks is under the floor, whatever pace and server ask for.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverUnderTheFloor: WaitLaw = law(
  "no gap is under the floor",
  "from the end of a look to the start of the next passes the floor at least",
  ({ promises: { floor }, ran }) => {
    const short = gaps(ran.looks).find(({ gap }) => gap < floor)
    return short === undefined
      ? undefined
      : `a gap of ${short.gap} ms after look ${short.before + 1}, under ${floor} ms`
  }
)

/**
 * No gap is longer than the pace's longest, unless the server or a fault asked for more.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverOverTheMaximum: WaitLaw = law(
  "no gap is over the maximum",
  "no gap is longer than the pace's longest, what the server asked for, or the hold after faults",
  ({ promises, ran, scenario }) => {
    let faults = 0
    for (const { before, gap } of gaps(ran.looks)) {
      const { fault, retryAfter = 0 } = scenario.incidents[before] ?? {}
      faults = fault === undefined ? 0 : faults + 1
      const most = Math.max(
        Reference.longestGap(scenario.pace),
        promises.floor,
        Math.min(retryAfter, promises.maxRetryAfter),
        faults === 0 ? 0 : Reference.holdAfter(scenario.hold, faults)
      )
      // Looks begin at whole milliseconds.
      if (gap > Math.ceil(most)) return `a gap of ${gap} ms after look ${before + 1}, over ${most} ms`
    }
    return undefined
  }
)

/**
 * What a server asks for with `Retry-After` is obeyed once, up to the documented most.
 *
 * @since 0.1.0
 * @category laws
 */
export const obeysRetryAfter: WaitLaw = law(
  "obeys Retry-After",
  "the next look comes no sooner than the server asked for, up to the most that is obeyed",
  ({ promises, ran, scenario }) => {
    for (const { before, gap } of gaps(ran.looks)) {
      const asked = Math.min(scenario.incidents[before]?.retryAfter ?? 0, promises.maxRetryAfter)
      if (gap < asked) return `look ${before + 2} came after ${gap} ms, and the server had asked for ${asked} ms`
    }
    return undefined
  }
)

/**
 * No two looks of a wait are in flight together, however slow they are.
 *
 * @since 0.1.0
 * @category laws
 */
export const neverTwoInFlight: WaitLaw = law(
  "no two looks in flight",
  "no two looks of a wait are in flight together",
  ({ ran: { mostInFlight } }) => (mostInFlight > 1 ? `${mostInFlight} looks in flight together` : undefined)
)

/**
 * The looks a wait reports are the requests that were sent, but for one that was aborted at the limit.
 *
 * @since 0.1.0
 * @category laws
 */
export const oneRequestPerLook: WaitLaw = law(
  "one request a look",
  "a wait reports as many looks as requests were answered",
  ({ ran: { ended, looks } }) => {
    const answered = looks.filter(({ kind }) => kind !== "aborted").length
    return ended?.looks === undefined || ended.looks === answered
      ? undefined
      : `it reports ${ended.looks} looks, and ${answered} requests were answered`
  }
)

const isLimit = (of: Case) => of.ran.ended?.ending === "timedOut" && Number.isFinite(of.scenario.limit)

/**
 * A wait never times out before its limit, and not before a look at it, unless the server asked for more time or the
 * floor forbids the look.
 *
 * @since 0.1.0
 * @category laws
 */
export const limitNeverEarly: WaitLaw = law(
  "the limit is never early",
  "a wait times out by its limit at the limit, with a last look at it",
  (of) => {
    const { promises, ran, scenario, story } = of
    if (!isLimit(of) || story.ending._tag !== "timedOut" || story.ending.cause !== "limit") return undefined
    if (story.ending.retryAfter !== null) return undefined
    if (ran.at < scenario.limit) return `it timed out at ${ran.at} ms, before its limit of ${scenario.limit} ms`
    const last = ran.looks.at(-1)
    return last === undefined || (last.end <= scenario.limit - promises.floor && last.start < scenario.limit)
      ? `its last look was at ${last?.start} ms, and the limit is ${scenario.limit} ms`
      : undefined
  }
)

/**
 * A wait never outlives its limit, but for a look that begins at it, which gets the documented grace.
 *
 * @since 0.1.0
 * @category laws
 */
export const limitNeverLate: WaitLaw = law(
  "the limit is never late",
  "no look begins after the limit, and a wait outlives it only by a look that begins at it",
  ({ promises: { grace }, ran, scenario: { limit } }) => {
    const late = ran.looks.find(({ start }) => start > limit)
    if (late !== undefined) return `a look began at ${late.start} ms, after the limit of ${limit} ms`
    const last = ran.looks.at(-1)
    const most = last !== undefined && last.start === limit ? limit + grace : limit
    return ran.at > most ? `it ended at ${ran.at} ms, and the limit is ${limit} ms` : undefined
  }
)

/**
 * Up to N transient faults in a row don't change the verdict.
 *
 * @since 0.1.0
 * @category laws
 */
export const transientFaultsAreInvisible: WaitLaw = law(
  "transient faults don't change the verdict",
  "up to N transient faults in a row leave the verdict of a wait as it would be without them",
  ({ adapter, ran, scenario }) => {
    const without = Run.run(adapter, { ...scenario, incidents: [] }, { seed })
    const [one, two] = [ran.ended, without.ended]
    return one?.ending === two?.ending && one?.status === two?.status
      ? undefined
      : `${one?.ending} ${one?.status ?? ""} with faults, ${two?.ending} ${two?.status ?? ""} without`
  },
  survivable
)

/**
 * N + 1 transient faults in a row end a wait on the last of them, as a fault and not as a time-out.
 *
 * @since 0.1.0
 * @category laws
 */
export const oneFaultTooMany: WaitLaw = law(
  "one fault too many ends it",
  "one transient fault in a row more than tolerated ends a wait on that look, as a fault",
  ({ ran, scenario: { incidents, tolerate } }) => {
    const expected = incidents.length
    if (ran.ended?.ending !== "faulted") return `it ended as ${ran.ended?.ending} after ${tolerate + 1} faults in a row`
    if (ran.looks.length !== expected) return `it ended with look ${ran.looks.length}, not with look ${expected}`
    return ran.ended.inARow === undefined || ran.ended.inARow === tolerate + 1
      ? undefined
      : `it reports ${ran.ended.inARow} faults in a row, not ${tolerate + 1}`
  },
  (adapter) =>
    FastCheck.record({ survived: Scenarios.survivable(featuresOf(adapter)), good: FastCheck.nat(3) }).map(
      ({ good, survived }) => {
        const tolerate = featuresOf(adapter).patience ? survived.tolerate : 0
        return {
          ...survived,
          tolerate,
          timeline: Timeline.make([["working"]]),
          incidents: [
            ...Array.from({ length: good }, (): Scenario.Incident => ({})),
            ...Array.from({ length: tolerate + 1 }, (): Scenario.Incident => ({ fault: "transient" }))
          ]
        }
      }
    )
)

/**
 * A permanent fault ends a wait on its look, at once, never as a time-out.
 *
 * @since 0.1.0
 * @category laws
 */
export const permanentFaultsEndAtOnce: WaitLaw = law(
  "a permanent fault ends it at once",
  "a permanent fault ends a wait on its look, as a fault, with patience and limit to spare or not",
  ({ ran }) => {
    const at = ran.looks.findIndex(({ kind }) => kind === "permanent")
    if (at < 0) return undefined
    if (at < ran.looks.length - 1) return `look ${at + 1} was refused, and ${ran.looks.length - at - 1} looks followed`
    if (ran.at !== ran.looks[at]!.end) return `it was refused at ${ran.looks[at]!.end} ms, and ended at ${ran.at} ms`
    return ran.ended?.ending === "faulted" ? undefined : `it ended as ${ran.ended?.ending}`
  }
)

/**
 * The reported history is the timeline as the looks saw it.
 *
 * @since 0.1.0
 * @category laws
 */
export const historyIsWhatWasSeen: WaitLaw = law(
  "its history is what was seen",
  "the reported statuses, with their times and counts, are those that the looks saw",
  ({ ran }) => Compare.history(ran)
)

/**
 * Two runs with one seed are one and the same.
 *
 * @since 0.1.0
 * @category laws
 */
export const sameSeedSameRun: WaitLaw = law(
  "the same seed is the same run",
  "two runs with one seed look at the same times and end the same way",
  ({ adapter, ran, scenario }) =>
    JSON.stringify(Run.run(adapter, scenario, { seed })) === JSON.stringify(ran) ? undefined : "the second run differs"
)

/**
 * A wait leaves no fiber behind.
 *
 * @since 0.1.0
 * @category laws
 */
export const leavesNothingBehind: WaitLaw = law(
  "leaves no fiber behind",
  "an hour after its end no fiber of a wait is there",
  ({ ran: { fibers } }) =>
    fibers.length === 0 ? undefined : fibers.map(({ fiber, waitsFor }) => `${fiber} waits for ${waitsFor}`).join("; ")
)

/**
 * Moving the system's clock, forward or back, changes nothing.
 *
 * @since 0.1.0
 * @category laws
 */
export const theSystemClockIsNothing: WaitLaw = law(
  "the system's clock changes nothing",
  "moving the system's clock during a wait changes neither its looks nor its end",
  ({ adapter, ran, scenario }) => {
    const beside = Effect.forEach(
      [1, 700, 4999, 20_000],
      (after, index) =>
        Effect.zipRight(Effect.sleep(after), VirtualTime.moveSystemClock((index % 2 === 0 ? 1 : -3) * 86_400_000)),
      { discard: true }
    )
    const moved = Run.run(adapter, scenario, { seed, beside })
    return JSON.stringify(moved.looks) === JSON.stringify(ran.looks) && moved.at === ran.at
      ? undefined
      : `it ended at ${moved.at} ms after ${moved.looks.length} looks, and at ${ran.at} ms after ${ran.looks.length} otherwise`
  }
)

export {
  /**
   * The memory of a wait doesn't grow with its looks, however its statuses change.
   *
   * @since 0.1.0
   * @category laws
   */
  memoryIsFlat
}

/**
 * All laws of a wait.
 *
 * @since 0.1.0
 * @category laws
 */
export const laws: ReadonlyArray<WaitLaw> = [
  endsAsTheModel,
  looksAsTheModel,
  neverAfterTheEnd,
  interruptible,
  firstLookAtOnce,
  neverUnderTheFloor,
  neverOverTheMaximum,
  obeysRetryAfter,
  neverTwoInFlight,
  oneRequestPerLook,
  limitNeverEarly,
  limitNeverLate,
  transientFaultsAreInvisible,
  oneFaultTooMany,
  permanentFaultsEndAtOnce,
  historyIsWhatWasSeen,
  sameSeedSameRun,
  leavesNothingBehind,
  theSystemClockIsNothing,
  memoryIsFlat
]

/**
 * The laws that can be asked of an adapter: those of patience and `Retry-After` need these features.
 *
 * @since 0.1.0
 */
export const lawsFor = (adapter: Adapter): ReadonlyArray<WaitLaw> => {
  const { limit, patience, retryAfter } = featuresOf(adapter)
  const left = new Set<WaitLaw>([
    ...(patience ? [] : [transientFaultsAreInvisible]),
    ...(retryAfter ? [] : [obeysRetryAfter]),
    ...(limit ? [] : [limitNeverEarly, limitNeverLate])
  ])
  return laws.filter((law) => !left.has(law))
}

/**
 * Registers a test for each law that applies.
 *
 * @since 0.1.0
 */
export const suite = (runner: Law.Runner, adapter: Adapter, options?: Law.Options): void =>
  Law.suite(runner, lawsFor(adapter), adapter, options)
