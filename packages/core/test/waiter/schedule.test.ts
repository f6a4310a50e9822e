/** Schedules over long times, and what only a clock of one's own can show. */
import * as Script from "@effect-manila/test-kit/Script"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Supervisor from "effect/Supervisor"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { assert, describe, it } from "vitest"
import { fault, quietly, scriptOf } from "./contract/world.ts"
import { reader } from "./support/judge.ts"

const goal = StatusGoal.present(reader, "available")
const creating = Effect.succeedSome({ status: "creating" })

/** The gaps of a wait that sees `creating` for so long, and how it ended. */
const longWait = (pace: Pace.PaceInput, limit: Duration.DurationInput) => {
  const starts: Array<number> = []
  const probe = Effect.flatMap(Clock.currentTimeNanos, (nanos) => {
    starts.push(Number(nanos) / 1_000_000)
    return creating
  })
  const outcome = VirtualTime.runSync(Waiter.outcome(probe, goal, { pace, limit }))
  assert(outcome._tag === "TimedOut" && outcome.error.cause === "limit")
  const gaps = starts.slice(1).map((start, index) => start - starts[index]!)
  // The look at the limit comes before its time.
  return { starts, gaps: gaps.slice(0, -1), error: outcome.error }
}

// Quick by itself, and slow on a machine that does much else.
describe("a day", { timeout: 60_000 }, () => {
  it("6. without a limit a wait is still there after a day of creating, and has looked 17 281 times", () => {
    const program = Effect.gen(function* () {
      const script = yield* Script.make(["creating"])
      const waiting = yield* Effect.fork(Waiter.until(script.probe, goal))
      yield* Effect.sleep("24 hours")
      // The look of this very instant, if it comes after this fiber.
      yield* Effect.sleep(1)
      assert.isTrue(Option.isNone(yield* Fiber.poll(waiting)))
      const starts = yield* script.starts
      yield* Fiber.interrupt(waiting)
      return starts
    })
    const starts = VirtualTime.runSync(program)
    assert.strictEqual(starts.length, 17_281)
    for (const [index, start] of starts.entries()) assert.strictEqual(start, index * 5000)
  })

  it("without a limit nothing waits for one: a wait is no fiber but its own", () => {
    let started = 0
    class Count extends Supervisor.AbstractSupervisor<void> {
      readonly value = Effect.void
      override onStart() {
        started++
      }
    }
    const fibersOf = (limit: Duration.DurationInput) => {
      started = 0
      VirtualTime.runSync(Waiter.outcome(creating, goal, { limit, attempts: 3 }).pipe(Effect.supervised(new Count())))
      return started
    }
    assert.deepStrictEqual([fibersOf(Infinity), fibersOf("1 hour")], [0, 2])
  })

  it("52. a day of one status is one entry", () => {
    const { error, starts } = longWait(Pace.status, "24 hours")
    assert.strictEqual(starts.length, 17_281)
    assert.deepStrictEqual(error.statuses, [{ status: "creating", firstSeen: 0, lastSeen: 86_400_000, looks: 17_281 }])
  })

  it("52. a status that flaps for a day fills 64 entries: the first 16 and the last ones", () => {
    let look = 0
    const probe = Effect.sync(() => Option.some({ status: `s${look++}` }))
    const outcome = VirtualTime.runSync(Waiter.outcome(probe, goal, { limit: "24 hours" }))
    assert(outcome._tag === "TimedOut")
    const { statuses } = outcome.error
    const names = statuses.map(({ status }) => status)
    assert.deepStrictEqual(
      names.slice(0, 16),
      Array.from({ length: 16 }, (_, index) => `s${index}`)
    )
    assert.deepStrictEqual(
      names.slice(16),
      Array.from({ length: 48 }, (_, index) => `s${17_281 - 48 + index}`)
    )
    assert.strictEqual(outcome.error.looks, 17_281)
  })

  it("52. 64 statuses are all kept, and the 65th is the first to cost one", () => {
    for (const [looks, dropped] of [
      [64, undefined],
      [65, "s16"],
      [66, "s17"]
    ] as const) {
      let look = 0
      const probe = Effect.sync(() => Option.some({ status: `s${look++}` }))
      const outcome = VirtualTime.runSync(Waiter.outcome(probe, goal, { attempts: looks }))
      assert(outcome._tag === "TimedOut")
      const names = outcome.error.statuses.map(({ status }) => status)
      assert.strictEqual(names.length, 64)
      assert.strictEqual(names.at(-1), `s${looks - 1}`)
      if (dropped !== undefined) assert.notInclude(names, dropped)
    }
  })

  it("9. exponential and spaced in union, with jitter, never become a busy loop", () => {
    const schedule = Schedule.exponential("1 second").pipe(
      Schedule.union(Schedule.spaced("10 seconds")),
      Schedule.jittered
    )
    const { gaps } = longWait(schedule, "24 hours")
    for (const gap of gaps) {
      assert.isAtLeast(gap, 800)
      assert.isAtMost(gap, 12_001)
    }
    assert.isAbove(gaps.length, 86_400 / 12)
    assert.isBelow(gaps.length, 86_400 / 8 + 10)
  })

  it("9. an exponential that outgrows every number stays at its cap", () => {
    for (const pace of [
      Pace.backoff({ initial: "1 second", cap: "8 seconds" }),
      Pace.make(Schedule.exponential("1 second", 10), { maxGap: "8 seconds" })
    ]) {
      const { gaps, starts } = longWait(pace, "24 hours")
      assert.isAbove(starts.length, 10_790)
      assert.isTrue(gaps.slice(4).every((gap) => gap === 8000))
    }
  })

  it("9. the cap is applied after jitter, and jitter stays on at the cap", () => {
    const { gaps } = longWait(Pace.backoff({ initial: "1 second", cap: "8 seconds", jitter: 0.5 }), "6 hours")
    const capped = gaps.slice(10)
    assert.isAtMost(Math.max(...gaps), 8000)
    assert.isAtLeast(Math.min(...capped), 4000)
    // Half of them would be past the cap, and the other half differ.
    assert.isAbove(new Set(capped).size, 500)
    assert.approximately(capped.filter((gap) => gap === 8000).length / capped.length, 0.5, 0.05)
    for (const [index, gap] of gaps.slice(0, 3).entries()) {
      assert.isAtLeast(gap, 500 * 2 ** index)
      assert.isAtMost(gap, 1500 * 2 ** index + 1)
    }
  })

  it("a pace of one interval may be given a longer gap at most", () => {
    assert.strictEqual(Duration.toMillis(Pace.every("5 seconds").maxGap), 5000)
    assert.strictEqual(Duration.toMillis(Pace.every("5 seconds", { maxGap: "1 minute" }).maxGap), 60_000)
  })

  it("9. a seed gives the same jitter again", () => {
    const pace = Pace.backoff({ initial: "1 second", cap: "8 seconds", jitter: 0.3 })
    assert.deepStrictEqual(longWait(pace, "1 hour").starts, longWait(pace, "1 hour").starts)
  })

  it("10. only an interval is given, and no gap of 200 looks is longer", () => {
    const { gaps } = longWait(Pace.every("5 seconds"), "1000 seconds")
    assert.strictEqual(gaps.length, 199)
    assert.isTrue(gaps.every((gap) => gap === 5000))
  })

  it("5. no gap is under the floor, whatever a pace's numbers", () => {
    const pace = FastCheck.record({
      initial: FastCheck.double({ min: -10, max: 500 }),
      cap: FastCheck.double({ min: -10, max: 500 }),
      factor: FastCheck.double({ min: -3, max: 3 }),
      jitter: FastCheck.double({ min: 0, max: 2 })
    })
    FastCheck.assert(
      FastCheck.property(pace, (options) => {
        const { gaps, starts } = longWait(Pace.backoff(options), "5 seconds")
        assert.isTrue(gaps.every((gap) => gap >= 100))
        assert.isAtMost(starts.length, 51)
        assert.strictEqual(starts.at(-1), 5000)
      }),
      { numRuns: 100 }
    )
  })

  it("27. a fraction of a millisecond is not lateness", () => {
    const millis = FastCheck.double({ min: 0, max: 40, noNaN: true })
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(millis, millis), { minLength: 12, maxLength: 12 }),
        (looks) => {
          const starts: Array<number> = []
          const probe = Effect.gen(function* () {
            starts.push(Number(yield* Clock.currentTimeNanos) / 1_000_000)
            const [takes, asks] = looks[starts.length - 1]!
            yield* Effect.sleep(takes)
            yield* Waiter.hint({ retryAfterMillis: asks < 20 ? 2000 + asks : 0 })
            return Option.some({ status: "creating" })
          })
          VirtualTime.runSync(Waiter.outcome(probe, goal, { pace: Schedule.fixed("2 seconds"), attempts: 12 }))
          for (const [index, start] of starts.entries()) {
            if (index > 0) assert.isAtLeast(start - starts[index - 1]!, 1900)
          }
        }
      ),
      { numRuns: 200 }
    )
  })
})

describe("the clock", { timeout: 60_000 }, () => {
  it("7. moving the system's clock changes nothing", () => {
    for (const hours of [-1000, -1, 1, 1000]) {
      const starts: Array<bigint> = []
      const probe = Effect.gen(function* () {
        const look = starts.push(yield* Clock.currentTimeNanos)
        yield* VirtualTime.moveSystemClock(hours * 3_600_000 * (look % 2 === 0 ? 1 : -2))
        return Option.some({ status: look === 5 ? "available" : "creating" })
      })
      const run = VirtualTime.runExit(Waiter.outcome(probe, goal, { limit: "1 minute" }))
      assert.strictEqual(run.elapsedMillis, 20_000)
      assert.deepStrictEqual(
        starts.map((nanos) => Number(nanos) / 1e9),
        [0, 5, 10, 15, 20]
      )
      assert(run.exit._tag === "Success" && run.exit.value._tag === "Reached")
      assert.strictEqual(run.exit.value.report.elapsedMillis, 20_000)
    }
  })

  it("7. nor a limit in the middle of a look, nor a deadline", () => {
    const program = Effect.gen(function* () {
      const script = yield* scriptOf([Script.delayed("7 seconds", "creating")])
      const waiting = yield* Effect.fork(Waiter.outcome(script.probe, goal, { limit: "20 seconds" }))
      yield* Effect.sleep("3 seconds")
      yield* VirtualTime.setSystemClock(-1_000_000)
      yield* Effect.sleep("10 seconds")
      yield* VirtualTime.setSystemClock(9e12)
      const outcome = yield* Fiber.join(waiting)
      return [outcome, yield* script.starts] as const
    })
    const run = VirtualTime.runExit(program)
    assert(run.exit._tag === "Success")
    assert.deepStrictEqual(run.exit.value[1], [0, 12_000, 19_100])
    assert.strictEqual(run.elapsedMillis, 20_000)
  })

  /** Runs with a clock whose sleeps are heard, and may be longer than asked for. */
  const listening = <A, E>(effect: Effect.Effect<A, E>, sleeps: (millis: number) => number) =>
    VirtualTime.runExit(
      Effect.clockWith((clock) =>
        Effect.withClock(effect, {
          [Clock.ClockTypeId]: Clock.ClockTypeId,
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanos: clock.currentTimeNanos,
          sleep: (duration) => clock.sleep(Duration.millis(sleeps(Duration.toMillis(duration))))
        })
      )
    )

  it("8. no sleep is longer than a day", () => {
    const heard: Array<number> = []
    let look = 0
    const probe = Effect.sync(() => Option.some({ status: look++ === 2 ? "available" : "creating" }))
    const run = listening(
      Waiter.outcome(probe, goal, { pace: Schedule.spaced("10 days"), limit: "25 days" }),
      (millis) => (heard.push(millis), millis)
    )
    assert(run.exit._tag === "Success" && run.exit.value._tag === "Reached")
    assert.strictEqual(run.elapsedMillis, 20 * 86_400_000)
    assert.isAbove(heard.length, 20)
    assert.isAtMost(Math.max(...heard), 86_400_000)
  })

  it("17. a look whose timer is late, past the limit, is one that begins at the limit", () => {
    for (const woken of [12_000, 12_010]) {
      let look = 0
      const probe = Effect.suspend(() =>
        look++ === 0 ? creating : Effect.delay(Effect.succeedSome({ status: "available" }), "1 second")
      )
      const late = new Map([
        [11_900, woken],
        [12_000, 12_200]
      ])
      const run = listening(
        Waiter.outcome(probe, goal, { pace: Schedule.spaced(11_900), limit: "12 seconds" }),
        (millis) => late.get(millis) ?? millis
      )
      assert(run.exit._tag === "Success")
      assert.deepStrictEqual([run.exit.value._tag, run.elapsedMillis], ["Reached", woken + 1000])
    }
  })

  it("58. both clocks tell the same story of the same wait", async () => {
    const story = Effect.gen(function* () {
      const script = yield* scriptOf([
        "creating",
        Script.delayed("7 seconds", "creating"),
        fault("429", 9000),
        fault(),
        Script.delayed("300 millis", "queued"),
        "queued",
        Script.never
      ])
      const events: Array<unknown> = []
      const outcome = yield* Waiter.outcome(script.probe, goal, {
        pace: Pace.backoff({ initial: "1 second", cap: "6 seconds" }),
        limit: "47 seconds",
        onProgress: (event) => Effect.sync(() => void events.push(event))
      })
      assert(outcome._tag === "TimedOut")
      return { events, looks: yield* script.looks, error: { ...outcome.error } }
    })
    const virtual = VirtualTime.runSync(Effect.provide(story, quietly))
    const tested = await Effect.gen(function* () {
      const running = yield* Effect.fork(story)
      yield* TestClock.adjust("1 minute")
      return yield* Fiber.join(running)
    }).pipe(Effect.provide([TestContext.TestContext, quietly]), Effect.runPromise)
    assert.deepStrictEqual(virtual, tested)
    assert.strictEqual(virtual.looks.length, 7)
    assert.strictEqual(virtual.error.elapsedMillis, 47_000)
  })
})
