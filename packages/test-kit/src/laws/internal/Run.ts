/**
 * Runs one scenario on the wait under test, in virtual time, and keeps everything a law may ask.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Reference from "../../model/Reference.ts"
import type * as Scenario from "../../model/Scenario.ts"
import * as Timeline from "../../Timeline.ts"
import * as VirtualTime from "../../VirtualTime.ts"
import type { Adapter, Ended, Observed, Source } from "../Adapter.ts"
import { LookFault, promisesOf } from "../Adapter.ts"

export interface Ran {
  readonly looks: ReadonlyArray<Scenario.Look>
  /** `undefined` if it was interrupted. */
  readonly ended: Ended | undefined
  readonly at: number
  /** Looks that began after the end. */
  readonly after: number
  readonly mostInFlight: number
  /** Looks that were in flight when the wait had ended. */
  readonly inFlight: number
  readonly fibers: ReadonlyArray<VirtualTime.Waiting>
  /** A defect, or a run that did not end. */
  readonly broken: string | undefined
}

/** What the clock shows when a wait begins: at nought, a sum and a difference are the same. */
const origin = 1_000_000_000

const nowMillis: Effect.Effect<number> = Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos - BigInt(origin) * 1_000_000n) / 1_000_000
)

interface Open {
  start: number
  end: number | undefined
  saw: string
  kind: Scenario.Look["kind"]
}

/** What a scenario's looks see, and what was seen of the looks. */
const watch = (scenario: Scenario.Scenario) => {
  const looks: Array<Open> = []
  let inFlight = 0
  let most = 0
  let retryAfter = 0

  const answer = ({ fault, retryAfter: asked, takes = 0 }: Scenario.Incident, open: Open) => {
    const given = Effect.suspend((): Effect.Effect<Option.Option<Observed>, LookFault> => {
      retryAfter = fault === undefined ? (asked ?? 0) : 0
      if (fault !== undefined) {
        open.saw = `${fault} fault`
        open.kind = fault
        const transient = fault === "transient"
        const message = transient ? "503" : "403"
        return Effect.fail(new LookFault({ message, transient, retryAfterMillis: asked }))
      }
      const status = Timeline.at(scenario.timeline, open.start)
      open.saw = status
      open.kind = status === Timeline.gone ? "gone" : "seen"
      return status === Timeline.gone ? Effect.succeedNone : Effect.succeedSome({ status })
    })
    if (takes === Infinity) return Effect.never
    return takes === 0 ? given : Effect.zipRight(Effect.sleep(takes), given)
  }

  const look = Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(nowMillis, (start) => {
      const open: Open = { start, end: undefined, saw: "aborted", kind: "aborted" }
      const incident = scenario.incidents[looks.length] ?? {}
      looks.push(open)
      most = Math.max(most, ++inFlight)
      return Effect.onExit(restore(answer(incident, open)), () =>
        Effect.map(nowMillis, (end) => {
          inFlight--
          open.end = end
        })
      )
    })
  )
  const source: Source = { look, lastRetryAfter: Effect.sync(() => retryAfter) }
  return {
    source,
    count: () => looks.length,
    inFlight: () => inFlight,
    most: () => most,
    looks: (): ReadonlyArray<Scenario.Look> => looks.map((open) => ({ ...open, end: open.end ?? Infinity }))
  }
}

export interface Options {
  readonly seed?: string | number | undefined
  /** Goes on beside the wait. */
  readonly beside?: Effect.Effect<void> | undefined
}

const quiet = Logger.minimumLogLevel(LogLevel.None)

/** How long nothing may happen after the end. */
const afterwards = 3_600_000

export const run = (adapter: Adapter, scenario: Scenario.Scenario, options: Options = {}): Ran => {
  const watched = watch(scenario)
  let at = 0
  let count = 0
  let inFlight = 0
  const program = Effect.gen(function* () {
    if (options.beside !== undefined) yield* Effect.fork(options.beside)
    const waiting = yield* Effect.fork(adapter.wait(watched.source, scenario))
    const exit = Number.isFinite(scenario.interrupt)
      ? yield* Effect.timeoutOption(Fiber.await(waiting), scenario.interrupt)
      : Option.some(yield* Fiber.await(waiting))
    if (Option.isNone(exit)) yield* Fiber.interrupt(waiting)
    at = yield* nowMillis
    count = watched.count()
    inFlight = watched.inFlight()
    yield* Effect.sleep(afterwards)
    return exit
  })
  const { exit, left } = VirtualTime.runExit(Effect.provide(program, quiet), {
    seed: options.seed,
    start: origin,
    maxTime: "400 days",
    // Some thirty times what the longest scenario takes.
    maxSteps: 50_000
  })
  const looks = watched.looks()
  const broken = Exit.isFailure(exit)
    ? Cause.pretty(exit.cause)
    : Option.isSome(exit.value) && Exit.isFailure(exit.value.value)
      ? Cause.pretty(exit.value.value.cause)
      : undefined
  return {
    looks: looks.slice(0, count),
    ended:
      Exit.isSuccess(exit) && Option.isSome(exit.value) && Exit.isSuccess(exit.value.value)
        ? exit.value.value.value
        : undefined,
    at,
    after: looks.length - count,
    mostInFlight: watched.most(),
    inFlight,
    fibers: left,
    broken
  }
}

/** What a wait holds when it is interrupted, in bytes; its looks are forgotten. What a tracer keeps is the tracer's. */
export const heap = (adapter: Adapter, scenario: Scenario.Scenario, used: () => number): number => {
  const look = Effect.map(nowMillis, (now) => Option.some({ status: Timeline.at(scenario.timeline, now % 120_000) }))
  const source: Source = { look, lastRetryAfter: Effect.succeed(0) }
  const program = Effect.gen(function* () {
    const waiting = yield* Effect.fork(adapter.wait(source, scenario))
    const before = used()
    yield* Effect.sleep(scenario.interrupt)
    const after = used()
    yield* Fiber.interrupt(waiting)
    return after - before
  })
  return VirtualTime.runSync(Effect.withTracerEnabled(Effect.provide(program, quiet), false), {
    start: origin,
    maxTime: "400 days"
  })
}

/** The numbers a run with this seed draws, one after the other. */
export const drawsOf = (seed: string | number): (() => number) => {
  const random = Random.make(seed)
  return () => Effect.runSync(random.next)
}

export const storyOf = (adapter: Adapter, scenario: Scenario.Scenario, seed: string | number): Scenario.Story =>
  Reference.story(scenario, promisesOf(adapter), drawsOf(seed))
