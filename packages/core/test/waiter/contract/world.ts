/**
 * What the contract's claims are written with: an adapter that makes a cloud's probe of a script, and a world that runs
 * one wait and keeps what every wait has to keep.
 */
import * as Script from "@effect-manila/test-kit/Script"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type * as Goal from "@effect-manila/core/waiter/Goal"
import type * as Patience from "@effect-manila/core/waiter/Patience"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as LogLevel from "effect/LogLevel"
import * as Logger from "effect/Logger"
import type * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe, it } from "vitest"

/** What a scripted look fails with; an adapter turns it into its cloud's own error. */
export class ScriptedFault extends Data.TaggedError("ScriptedFault")<{
  readonly message: string
  readonly transient: boolean
  readonly retryAfterMillis?: number
}> {}

/**
 * How a cloud runs the contract. Scripts say `working` and `moving` (two statuses on the way), `ready` (what is waited
 * for) and `failed` (the end of it).
 */
export interface Adapter<A, E> {
  readonly name: string
  readonly probe: (
    look: Effect.Effect<Option.Option<Script.Observed>, ScriptedFault>
  ) => Effect.Effect<Option.Option<A>, E>
  /** Reached at `ready`, failed at `failed`. */
  readonly ready: Goal.Goal<A>
  /** Reached once it isn't there. */
  readonly gone: Goal.Goal<A>
  /** How the cloud calls a scripted status. */
  readonly shows: (status: string) => string
  /** Reads the cloud's own errors. */
  readonly patience: (options: PatienceOptions) => Patience.Patience<E>
}

export interface PatienceOptions {
  readonly tolerate?: number
  readonly backoff?: (inARow: number) => Duration.DurationInput
}

export type Answer = string | Script.Answer<Script.Observed, ScriptedFault>

export const fault = (message = "503", retryAfterMillis?: number): Answer =>
  Script.fail(
    new ScriptedFault({ message, transient: true, ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }) })
  )

/** `Script.make` reads the type of an answer from each kind of it; a list that may hold any of them says it here. */
export const scriptOf = (answers: ReadonlyArray<Answer>) =>
  Script.make(answers) as Effect.Effect<Script.Script<Script.Observed, ScriptedFault>>

export const refusal = (message = "403"): Answer => Script.fail(new ScriptedFault({ message, transient: false }))

export type Probe<A, E> = Effect.Effect<Option.Option<A>, E>

export interface Watched<A, E> {
  readonly outcome: Waiter.Outcome<A, E>
  /** When each look began, in milliseconds. */
  readonly starts: ReadonlyArray<number>
  readonly looks: ReadonlyArray<Script.Look>
  /** When the wait ended, in milliseconds. */
  readonly at: number
}

export interface Settings<A, E> extends Omit<Waiter.Options<E>, "patience"> {
  readonly goal?: Goal.Goal<A>
  readonly patience?: PatienceOptions
  /** Goes around the adapter's probe; `look` counts from 1. */
  readonly around?: (probe: Probe<A, E>, look: number) => Probe<A, E>
}

export const now: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1_000_000)

/** The status a wait ended with, and how: `Reached`, `TimedOut limit`, `Failed status`. */
export const ending = <A, E>(outcome: Waiter.Outcome<A, E>): string =>
  outcome._tag === "TimedOut" || outcome._tag === "Failed" ? `${outcome._tag} ${outcome.error.cause}` : outcome._tag

export class World<A, E> {
  readonly adapter: Adapter<A, E>

  constructor(adapter: Adapter<A, E>) {
    this.adapter = adapter
  }

  /**
   * One wait on a script, and what holds for each: looks follow each other by the floor at least, never two in flight,
   * and none comes after the ending.
   */
  watch(answers: ReadonlyArray<Answer>, settings: Settings<A, E> = {}): Effect.Effect<Watched<A, E>> {
    const { adapter } = this
    return Effect.gen(function* () {
      const script = yield* scriptOf(answers)
      const { around, goal, patience, ...options } = settings
      let look = 0
      const probe = Effect.suspend(() => {
        look++
        const plain = adapter.probe(script.probe)
        return around === undefined ? plain : around(plain, look)
      })
      const outcome = yield* Waiter.outcome(probe, goal ?? adapter.ready, {
        ...options,
        patience: adapter.patience(patience ?? {})
      })
      const at = yield* now
      const before = yield* script.count
      yield* Effect.sleep("10 minutes")
      assert.strictEqual(yield* script.count, before, "a look after the ending")
      assert.isAtMost(yield* script.mostInFlight, 1, "looks in flight together")
      const looks = yield* script.looks
      for (const [index, { start }] of looks.entries()) {
        const previous = looks[index - 1]
        if (previous === undefined) continue
        assert.isDefined(previous.end, "a look began while another was in flight")
        assert.isAtLeast(start - previous.end! + 1e-6, 100, "a gap under the floor")
      }
      return { outcome, starts: looks.map(({ start }) => start), looks, at }
    })
  }
}

export type Claim = (name: string, program: Effect.Effect<void, unknown>) => void

/** Leaves out the warnings of scripted faults. */
export const quietly = Logger.minimumLogLevel(LogLevel.None)

const onVirtualTime = (program: Effect.Effect<void, unknown>): void =>
  VirtualTime.runSync(Effect.provide(program, quietly), { left: "fail" })

/** Half a day is more than any claim takes; only the moments at which somebody wakes cost anything. */
const onTestClock = (program: Effect.Effect<void, unknown>): Promise<void> =>
  Effect.gen(function* () {
    const running = yield* Effect.fork(program)
    yield* TestClock.adjust("12 hours")
    assert.isTrue((yield* Fiber.poll(running))._tag === "Some", "it is still running after 12 hours")
    yield* Fiber.join(running)
  }).pipe(Effect.provide([TestContext.TestContext, quietly]), Effect.runPromise)

export type ClockName = "VirtualTime" | "TestClock"

/** Registers claims as tests, once for each clock. */
export const onClocks = (clocks: ReadonlyArray<ClockName>, claims: (claim: Claim) => void): void => {
  for (const clock of clocks) {
    const run = clock === "VirtualTime" ? onVirtualTime : onTestClock
    // A wake-up of `TestClock` takes some milliseconds, and more on a machine that does much else.
    describe(`on ${clock}`, { timeout: 60_000 }, () => claims((name, program) => it(name, () => run(program))))
  }
}
