import { assert, describe, it } from "@effect/vitest"
import * as Script from "@effect-manila/test-kit/Script"
import * as Timeline from "@effect-manila/test-kit/Timeline"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"

const available = Option.some({ status: "available" })

const most = (concurrency: number) =>
  VirtualTime.runSync(
    Effect.gen(function* () {
      const script = yield* Script.make([Script.delayed("1 second", "creating")])
      yield* Effect.all(Script.times(6, script.probe), { concurrency })
      return yield* script.mostInFlight
    })
  )

describe("Script", () => {
  it("answers in order, each kind of answer as a probe gives it, and the last one again and again", () => {
    const answers = VirtualTime.runSync(
      Effect.gen(function* () {
        const script = yield* Script.make([
          "creating",
          Script.none,
          Script.fail("503"),
          Script.seen({ status: "available", size: 1 }),
          "available"
        ])
        return yield* Effect.all(Script.times(6, Effect.either(script.probe)))
      })
    )
    assert.deepStrictEqual(answers, [
      Either.right(Option.some({ status: "creating" })),
      Either.right(Option.none()),
      Either.left("503"),
      Either.right(Option.some({ status: "available", size: 1 })),
      Either.right(available),
      Either.right(available)
    ])
  })

  it("remembers when each look began, when it ended and how", () => {
    const [looks, starts, count] = VirtualTime.runSync(
      Effect.gen(function* () {
        const script = yield* Script.make([
          Script.delayed("2 seconds", "creating"),
          Script.delayed(1, Script.fail("reset")),
          Script.none,
          Script.never,
          Script.delayed("1 hour", Script.none)
        ])
        yield* script.probe
        yield* Effect.sleep("3 seconds")
        yield* Effect.ignore(script.probe)
        yield* script.probe
        yield* Effect.timeoutOption(script.probe, 9)
        yield* Effect.fork(script.probe)
        yield* Effect.sleep(5)
        return [yield* script.looks, yield* script.starts, yield* script.count] as const
      })
    )
    assert.deepStrictEqual(looks, [
      { start: 0, end: 2_000, ending: "seen" },
      { start: 5_000, end: 5_001, ending: "failed" },
      { start: 5_001, end: 5_001, ending: "none" },
      { start: 5_001, end: 5_010, ending: "interrupted" },
      { start: 5_010, end: undefined, ending: "in flight" }
    ])
    assert.deepStrictEqual(starts, [0, 5_000, 5_001, 5_001, 5_010])
    assert.strictEqual(count, 5)
  })

  it("tells looks that overlap", () => {
    assert.deepStrictEqual([most(1), most(3)], [1, 3])
  })

  it("with `past: die` a look too many is a defect", () => {
    const run = VirtualTime.runExit(
      Effect.flatMap(Script.make(["creating", "available"], { past: "die" }), ({ probe }) => Effect.repeatN(probe, 2))
    )
    assert(Exit.isFailure(run.exit))
    assert.match(Cause.pretty(run.exit.cause), /the script has 2 answers, and look 3 came/)
  })

  it("an empty list is a defect", () => {
    assert.throws(() => VirtualTime.runSync(Script.make([])), /at least one answer/)
  })

  it("follows a timeline from the moment it was made, whatever happens to the system's clock", () => {
    const seen = VirtualTime.runSync(
      Effect.gen(function* () {
        yield* Effect.sleep("1 hour")
        const script = yield* Script.fromTimeline(Timeline.make([["deleting", "9 seconds"], ["gone"]]))
        const first = yield* script.probe
        yield* VirtualTime.moveSystemClock(3_600_000)
        yield* Effect.sleep(8_999)
        const second = yield* script.probe
        yield* Effect.sleep(1)
        return [first, second, yield* script.probe]
      })
    )
    assert.deepStrictEqual(seen, [
      Option.some({ status: "deleting" }),
      Option.some({ status: "deleting" }),
      Option.none()
    ])
  })

  it.effect("works on the test clock too", () =>
    Effect.gen(function* () {
      const script = yield* Script.make([Script.delayed("2 seconds", "available")])
      const fiber = yield* Effect.fork(script.probe)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), available)
      assert.deepStrictEqual(yield* script.looks, [{ start: 0, end: 2_000, ending: "seen" }])
    })
  )
})
