import * as Script from "@effect-manila/test-kit/Script"
import * as Schedule from "effect/Schedule"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { assert } from "vitest"
import type { Claim, World } from "./world.ts"
import { ending, fault, refusal } from "./world.ts"

const { times } = Script
const every1 = Schedule.fixed("1 second")

/** Looks that fail. */
export const faults = <A, E>(world: World<A, E>, claim: Claim): void => {
  claim(
    "20. a back-off beyond the limit does not cost the look at the limit",
    Effect.gen(function* () {
      const { outcome, starts } = yield* world.watch([fault(), "ready"], {
        pace: every1,
        limit: "4 seconds",
        patience: { backoff: () => "1 hour" }
      })
      assert.deepStrictEqual([starts, outcome._tag], [[0, 4000], "Reached"])
    })
  )

  claim(
    "42. ten transient faults in a row are survived, and one more ends the wait with the last",
    Effect.gen(function* () {
      const ten = yield* world.watch([...times(10, fault()), "ready"], { pace: every1 })
      assert.deepStrictEqual([ten.outcome._tag, ten.looks.length], ["Reached", 11])
      const eleven = yield* world.watch([...times(10, fault()), fault("the last"), "ready"], { pace: every1 })
      assert.strictEqual(eleven.looks.length, 11)
      const { outcome } = eleven
      assert.strictEqual(outcome._tag, "Faulted")
      if (outcome._tag === "Faulted") {
        assert.strictEqual(outcome.inARow, 11)
        assert.match(String(outcome.error), /the last/)
        assert.strictEqual(outcome.report.looks, 11)
      }
    })
  )

  claim(
    "42. any good look resets the count",
    Effect.gen(function* () {
      const answers = [fault(), fault(), "working", fault(), fault(), fault(), "ready"]
      const survived = yield* world.watch(answers, { pace: every1, patience: { tolerate: 3 } })
      assert.deepStrictEqual([survived.outcome._tag, survived.looks.length], ["Reached", 7])
      const over = yield* world.watch(times(4, fault()), { pace: every1, patience: { tolerate: 3 } })
      assert.deepStrictEqual([over.outcome._tag, over.looks.length], ["Faulted", 4])
      if (over.outcome._tag === "Faulted") assert.strictEqual(over.outcome.inARow, 4)
    })
  )

  claim(
    "42. an absence is a good look too",
    Effect.gen(function* () {
      const { outcome } = yield* world.watch([fault(), Script.none], {
        goal: world.adapter.gone,
        patience: { tolerate: 1 }
      })
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "42. without tolerance the first fault ends the wait",
    Effect.gen(function* () {
      for (const tolerate of [0, -1, Number.NaN]) {
        const { at, looks, outcome } = yield* world.watch([fault(), "ready"], { patience: { tolerate } })
        assert.deepStrictEqual([outcome._tag, looks.length, at - looks[0]!.start], ["Faulted", 1, 0])
      }
    })
  )

  claim(
    "43. back-off doubles from 500 ms to 30 s, and a good look starts it anew",
    Effect.gen(function* () {
      const { starts } = yield* world.watch([...times(10, fault()), "working", fault(), "ready"], {
        pace: Schedule.spaced("100 millis")
      })
      const gaps = starts.slice(1).map((start, index) => start - starts[index]!)
      assert.deepStrictEqual(gaps, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 100, 500])
    })
  )

  claim(
    "43. a fault is repeated at the pace's tick if the back-off is over by then, and the grid stays",
    Effect.gen(function* () {
      const within = yield* world.watch([fault(), fault(), "working", "ready"], { pace: Schedule.fixed("5 seconds") })
      assert.deepStrictEqual(within.starts, [0, 5000, 10_000, 15_000])
      const beyond = yield* world.watch([fault(), fault(), fault(), "working", "working", "ready"], { pace: every1 })
      const begin = beyond.starts[0]!
      assert.deepStrictEqual(
        beyond.starts.map((start) => start - begin),
        [0, 1000, 2000, 4000, 5000, 6000]
      )
    })
  )

  claim(
    "44. a permanent fault ends the wait on its look, with its own error",
    Effect.gen(function* () {
      const first = yield* world.watch([refusal("no entry"), "ready"])
      assert.deepStrictEqual([first.outcome._tag, first.looks.length, first.at], ["Faulted", 1, 0])
      if (first.outcome._tag === "Faulted") assert.match(String(first.outcome.error), /no entry/)
      const later = yield* world.watch(["working", fault(), refusal(), "ready"])
      assert.deepStrictEqual([later.outcome._tag, later.looks.length], ["Faulted", 3])
    })
  )

  claim(
    "44. a permanent fault is never a time-out, even at the limit or with the attempts used up",
    Effect.gen(function* () {
      const limit = yield* world.watch(["working", refusal()], { limit: "5 seconds" })
      const attempts = yield* world.watch(["working", refusal()], { attempts: 2 })
      const schedule = yield* world.watch(["working", refusal()], { pace: Schedule.recurs(1) })
      for (const { outcome } of [limit, attempts, schedule]) assert.strictEqual(outcome._tag, "Faulted")
    })
  )

  claim(
    "45. a failure beside the interruption of its siblings is a fault, not an interruption",
    Effect.gen(function* () {
      const { outcome, starts } = yield* world.watch([fault(), "ready"], {
        around: (probe, look) =>
          look > 1
            ? probe
            : Effect.map(Effect.all([probe, Effect.never], { concurrency: "unbounded" }), ([seen]) => seen)
      })
      assert.deepStrictEqual([outcome._tag, starts], ["Reached", [0, 5000]])
    })
  )

  claim(
    "45. two failures at once are one fault",
    Effect.gen(function* () {
      const { outcome, starts } = yield* world.watch([fault("one"), "ready"], {
        patience: { tolerate: 1 },
        around: (probe, look) =>
          look > 1 ? probe : Effect.catchAllCause(probe, (cause) => Effect.failCause(Cause.parallel(cause, cause)))
      })
      assert.deepStrictEqual([outcome._tag, starts], ["Reached", [0, 5000]])
    })
  )

  claim(
    "45. a defect is no fault and goes through",
    Effect.gen(function* () {
      for (const limit of ["1 minute", "Infinity"]) {
        const exit = yield* Effect.exit(
          world.watch(["working"], {
            ...(limit === "Infinity" ? {} : { limit: "1 minute" }),
            around: (probe, look) => (look > 1 ? Effect.die("a bug") : probe)
          })
        )
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause) && Cause.squash(exit.cause) === "a bug")
      }
    })
  )

  claim(
    "45. a look that interrupts itself ends the wait as interrupted",
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        world.watch(["working"], { limit: "1 minute", around: (probe, look) => (look > 1 ? Effect.interrupt : probe) })
      )
      assert.isTrue(Exit.isInterrupted(exit))
    })
  )

  claim(
    "47. a transient fault that was survived is told at a time-out",
    Effect.gen(function* () {
      const { outcome } = yield* world.watch(["working", fault("503 upstream"), "working"], { limit: "20 seconds" })
      assert.strictEqual(ending(outcome), "TimedOut limit")
      if (outcome._tag === "TimedOut") {
        assert.strictEqual(outcome.error.lastFault, "503 upstream")
        assert.match(outcome.error.message, /last fault: 503 upstream/)
      }
    })
  )
}
