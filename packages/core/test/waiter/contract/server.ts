import * as Script from "@effect-manila/test-kit/Script"
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { assert } from "vitest"
import type { Claim, Probe, World } from "./world.ts"
import { ending, fault } from "./world.ts"

const every2 = Schedule.fixed("2 seconds")

/** What a `Retry-After` does. */
export const server = <A, E>(world: World<A, E>, claim: Claim): void => {
  /** The n-th look's answer carries the n-th `Retry-After`. */
  const asking =
    (...millis: ReadonlyArray<number | undefined>) =>
    (probe: Probe<A, E>, look: number): Probe<A, E> =>
      Effect.zipLeft(probe, Waiter.hint({ retryAfterMillis: millis[look - 1] }))

  claim(
    "24. a Retry-After on a good answer delays the next look, once",
    Effect.gen(function* () {
      const { starts } = yield* world.watch(["working", "working", "working", "ready"], {
        pace: every2,
        around: asking(7000, undefined, 1000)
      })
      assert.deepStrictEqual(starts, [0, 7000, 9000, 11_000])
    })
  )

  claim(
    "24. it counts from the end of the answer",
    Effect.gen(function* () {
      const { starts } = yield* world.watch([Script.delayed("1 second", "working"), "ready"], {
        pace: every2,
        around: asking(7000)
      })
      assert.deepStrictEqual(starts, [0, 8000])
    })
  )

  claim(
    "24. a Retry-After on a fault delays the next look, once",
    Effect.gen(function* () {
      const { outcome, starts } = yield* world.watch([fault("429", 7000), "working", "ready"], { pace: every2 })
      assert.deepStrictEqual(starts, [0, 7000, 9000])
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "24. the longest of pace, back-off and Retry-After decides",
    Effect.gen(function* () {
      const short = yield* world.watch([fault("429", 100), "ready"], { pace: every2 })
      assert.deepStrictEqual(short.starts, [0, 2000])
      const held = yield* world.watch([fault("429", 3000), "ready"], {
        pace: every2,
        patience: { backoff: () => "5 seconds" }
      })
      assert.strictEqual(held.starts[1]! - held.starts[0]!, 5000)
    })
  )

  claim(
    "25. at most ten minutes of a Retry-After are obeyed, or as many as the pace says",
    Effect.gen(function* () {
      const standard = yield* world.watch(["working", "ready"], { pace: every2, around: asking(3_600_000) })
      assert.deepStrictEqual(standard.starts, [0, 600_000])
      const pace = Pace.make(every2, { maxRetryAfter: "30 seconds" })
      const settable = yield* world.watch(["working", "ready"], { pace, around: asking(3_600_000) })
      assert.strictEqual(settable.starts[1]! - settable.starts[0]!, 30_000)
      const onFault = yield* world.watch([fault("429", 3_600_000), "ready"], { pace })
      assert.strictEqual(onFault.starts[1]! - onFault.starts[0]!, 30_000)
    })
  )

  claim(
    "25. what is not obeyed does not end a wait whose limit holds the rest",
    Effect.gen(function* () {
      const pace = Pace.make(every2, { maxRetryAfter: "30 seconds", limit: "1 minute" })
      const { outcome, starts } = yield* world.watch(["working", "ready"], { pace, around: asking(3_600_000) })
      assert.deepStrictEqual([starts, outcome._tag], [[0, 30_000], "Reached"])
    })
  )

  claim(
    "26. a Retry-After beyond the limit ends the wait now, saying what was asked",
    Effect.gen(function* () {
      const good = yield* world.watch(["working", "working", "ready"], {
        limit: "20 seconds",
        around: asking(undefined, 15_001)
      })
      const bad = yield* world.watch(["working", fault("429", 15_001), "ready"], { limit: "20 seconds" })
      for (const { at, outcome, starts } of [good, bad]) {
        const begin = starts[0]!
        assert.deepStrictEqual([starts.length, at - begin], [2, 5000])
        assert.strictEqual(ending(outcome), "TimedOut limit")
        if (outcome._tag === "TimedOut") {
          assert.strictEqual(outcome.error.retryAfterMillis, 15_001)
          assert.match(outcome.error.message, /the server asked to wait 15 s, which is past the limit/)
        }
      }
    })
  )

  claim(
    "26. a Retry-After up to the very limit leaves the look at the limit",
    Effect.gen(function* () {
      const { outcome, starts } = yield* world.watch(["working", "working", "ready"], {
        limit: "20 seconds",
        around: asking(undefined, 15_000)
      })
      assert.deepStrictEqual([starts, outcome._tag], [[0, 5000, 20_000], "Reached"])
    })
  )

  claim(
    "26. a Retry-After that comes with the last look changes nothing",
    Effect.gen(function* () {
      const { at, outcome } = yield* world.watch(["working"], { limit: "5 seconds", around: asking(undefined, 9000) })
      assert.strictEqual(at, 5000)
      if (outcome._tag === "TimedOut") assert.isNull(outcome.error.retryAfterMillis)
      const reached = yield* world.watch(["ready"], { limit: "5 seconds", around: asking(9000) })
      assert.strictEqual(reached.outcome._tag, "Reached")
    })
  )

  claim(
    "27. time that was added is not lateness: the schedule does not fire twice",
    Effect.gen(function* () {
      const { starts } = yield* world.watch([...Script.times(5, "working"), "ready"], {
        pace: every2,
        around: asking(7000, undefined, 13_000)
      })
      assert.deepStrictEqual(starts, [0, 7000, 9000, 22_000, 24_000, 26_000])
    })
  )

  claim(
    "28. the longest Retry-After of one look counts, and none outlives its look",
    Effect.gen(function* () {
      const { starts } = yield* world.watch(["working", "working", "ready"], {
        pace: every2,
        around: (probe, look) =>
          look > 1
            ? probe
            : Effect.zipLeft(
                probe,
                Effect.forEach([3000, 7000, 5000, Number.NaN, -1], (retryAfterMillis) =>
                  Waiter.hint({ retryAfterMillis })
                )
              )
      })
      assert.deepStrictEqual(starts, [0, 7000, 9000])
    })
  )

  claim(
    "28. a hint is heard from a look that forks, is timed out, or fails",
    Effect.gen(function* () {
      const hinted = Waiter.hint({ retryAfterMillis: 7000 })
      const settings = { pace: every2 }
      const forked = yield* world.watch(["working", "ready"], {
        ...settings,
        around: (probe, look) =>
          look > 1 ? probe : Effect.zipLeft(probe, Effect.all([hinted, Effect.void], { concurrency: 2 }))
      })
      const failed = yield* world.watch([fault(), "ready"], {
        ...settings,
        around: (probe, look) => (look > 1 ? probe : Effect.zipRight(hinted, probe))
      })
      const raced = yield* world.watch([fault(), "ready"], {
        ...settings,
        around: (probe, look) => (look > 1 ? probe : Effect.raceFirst(Effect.zipRight(hinted, probe), Effect.never))
      })
      for (const { starts } of [forked, failed, raced]) assert.strictEqual(starts[1]! - starts[0]!, 7000)
    })
  )

  claim(
    "28. a hint outside of a look is nobody's",
    Effect.gen(function* () {
      yield* Waiter.hint({ retryAfterMillis: 60_000 })
      const { starts } = yield* world.watch(["working", "working", "ready"], {
        pace: every2,
        onProgress: () => Waiter.hint({ retryAfterMillis: 60_000 })
      })
      assert.deepStrictEqual(starts, [0, 2000, 4000])
    })
  )

  claim(
    "28. a wait inside a look keeps its hints to itself",
    Effect.gen(function* () {
      const inner = Waiter.outcome(
        Effect.zipLeft(Effect.succeedSome({ status: "ready" }), Waiter.hint({ retryAfterMillis: 9000 })),
        Goal.make("anything", () => Goal.reached("ready", "anything"))
      )
      const { starts } = yield* world.watch(["working", "ready"], {
        pace: every2,
        around: (probe) => Effect.zipLeft(probe, inner)
      })
      assert.deepStrictEqual(starts, [0, 2000])
    })
  )
}
