import * as Script from "@effect-manila/test-kit/Script"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { assert } from "vitest"
import type { Answer, Claim, World } from "./world.ts"
import { ending, fault, refusal, scriptOf } from "./world.ts"

const { delayed, never, times } = Script
const fixed = Schedule.fixed("5 seconds")

/** How long to look. */
export const limits = <A, E>(world: World<A, E>, claim: Claim): void => {
  const { adapter } = world

  claim(
    "13. the limit is inclusive: 300 s of looks every 5 s are 61 looks",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["working"], { pace: Pace.deletion })
      assert.strictEqual(starts.length, 61)
      assert.strictEqual(starts.at(-1), 300_000)
      assert.strictEqual(at, 300_000)
      assert.strictEqual(ending(outcome), "TimedOut limit")
    })
  )

  for (const [answer, expected] of [
    ["ready", "Reached"],
    ["failed", "Failed status"],
    ["working", "TimedOut limit"],
    [fault(), "TimedOut limit"],
    [refusal(), "Faulted"]
  ] satisfies ReadonlyArray<readonly [Answer, string]>) {
    const name =
      typeof answer === "string" ? answer : expected === "Faulted" ? "a permanent fault" : "a transient fault"
    claim(
      `13. the look at the limit decides: ${name} is ${expected}`,
      Effect.gen(function* () {
        const { at, outcome, starts } = yield* world.watch(["working", "working", answer], { limit: "10 seconds" })
        assert.deepStrictEqual([starts, at], [[0, 5000, 10_000], 10_000])
        assert.strictEqual(ending(outcome), expected)
      })
    )
  }

  claim(
    "14. a limit shorter than the interval gives two looks, one at the limit",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["working", "ready"], {
        pace: Schedule.fixed("10 seconds"),
        limit: "3 seconds"
      })
      assert.deepStrictEqual([starts, at], [[0, 3000], 3000])
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "14. a limit between two ticks gets a look of its own",
    Effect.gen(function* () {
      const { at, starts } = yield* world.watch(["working"], { pace: fixed, limit: "12 seconds" })
      assert.deepStrictEqual([starts, at], [[0, 5000, 10_000, 12_000], 12_000])
    })
  )

  claim(
    "14. a wait's limit overrides its pace's",
    Effect.gen(function* () {
      const { starts } = yield* world.watch(["working"], { pace: Pace.deletion, limit: "6 seconds" })
      assert.deepStrictEqual(starts, [0, 5000, 6000])
      const { at } = yield* world.watch(["working"], { pace: Pace.withLimit(fixed, "6 seconds") })
      assert.strictEqual(at - 606_000, 6000)
    })
  )

  claim(
    "15. limit 0 is one look and its verdict, and so is a limit that is negative or no number",
    Effect.gen(function* () {
      for (const limit of [0, -1, Number.NaN]) {
        for (const [answer, expected] of [
          ["ready", "Reached"],
          ["failed", "Failed status"],
          ["working", "TimedOut limit"]
        ] as const) {
          const { at, outcome, starts } = yield* world.watch([answer, "ready"], { limit })
          assert.strictEqual(starts.length, 1)
          assert.strictEqual(at, starts[0])
          assert.strictEqual(ending(outcome), expected)
        }
      }
    })
  )

  claim(
    "15. the only look of limit 0 may take its time, but not more than 5 s",
    Effect.gen(function* () {
      const slow = yield* world.watch([delayed("3 seconds", "ready")], { limit: 0 })
      assert.deepStrictEqual([slow.outcome._tag, slow.at], ["Reached", 3000])
      const endless = yield* world.watch([never], { limit: 0 })
      assert.deepStrictEqual([endless.outcome._tag, endless.at - endless.starts[0]!], ["TimedOut", 5000])
    })
  )

  claim(
    "16. a look in flight when the limit passes is aborted there",
    Effect.gen(function* () {
      const { at, looks, outcome } = yield* world.watch([delayed("7 seconds", "working")], {
        pace: fixed,
        limit: "20 seconds"
      })
      assert.deepStrictEqual(
        looks.map(({ start }) => start),
        [0, 12_000, 19_100]
      )
      assert.deepStrictEqual(looks.at(-1), { start: 19_100, end: 20_000, ending: "interrupted" })
      assert.strictEqual(at, 20_000)
      assert.strictEqual(ending(outcome), "TimedOut limit")
      // It ends with what was seen before.
      if (outcome._tag === "TimedOut") {
        assert.strictEqual(outcome.error.looks, 2)
        assert.strictEqual(outcome.error.status, adapter.shows("working"))
        assert.strictEqual(outcome.error.stoodMillis, 13_000)
      }
    })
  )

  claim(
    "16. a look that ends at the very limit has made it",
    Effect.gen(function* () {
      const only = yield* world.watch([delayed("7 seconds", "ready")], { limit: "7 seconds" })
      assert.deepStrictEqual([ending(only.outcome), only.at], ["Reached", 7000])
      const second = yield* world.watch(["working", delayed("5 seconds", "ready")], { limit: "10 seconds" })
      assert.deepStrictEqual([ending(second.outcome), second.at - second.starts[0]!], ["Reached", 10_000])
      const pending = yield* world.watch(["working", delayed("5 seconds", "moving")], { limit: "10 seconds" })
      assert.deepStrictEqual([ending(pending.outcome), pending.at - pending.starts[0]!], ["TimedOut limit", 10_000])
      assert.strictEqual(pending.looks.length, 2)
      if (pending.outcome._tag === "TimedOut") {
        assert.strictEqual(pending.outcome.error.status, adapter.shows("moving"))
      }
    })
  )

  claim(
    "17. a look that begins at the limit may outlive it",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["working", delayed("3 seconds", "ready")], {
        limit: "4 seconds"
      })
      assert.deepStrictEqual([starts, at], [[0, 4000], 7000])
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "17. a look that begins at the limit is aborted 5 s later",
    Effect.gen(function* () {
      for (const slow of [never, delayed("5001 millis", "ready")]) {
        const { at, looks, outcome } = yield* world.watch(["working", slow], { limit: "4 seconds" })
        const begin = looks[0]!.start
        assert.deepStrictEqual(looks.at(-1), { start: begin + 4000, end: begin + 9000, ending: "interrupted" })
        assert.strictEqual(at - begin, 9000)
        assert.strictEqual(ending(outcome), "TimedOut limit")
      }
    })
  )

  claim(
    "18. the look at the limit is left out if the floor would push it past the limit",
    Effect.gen(function* () {
      const out = yield* world.watch(["working", delayed(4901, "working"), "ready"], { limit: "10 seconds" })
      assert.deepStrictEqual(out.starts, [0, 5000])
      assert.strictEqual(out.at, 10_000)
      assert.strictEqual(ending(out.outcome), "TimedOut limit")
      const within = yield* world.watch(["working", delayed(4900, "working"), "ready"], { limit: "10 seconds" })
      assert.deepStrictEqual(
        within.starts.map((start) => start - within.starts[0]!),
        [0, 5000, 10_000]
      )
      assert.strictEqual(within.outcome._tag, "Reached")
    })
  )

  claim(
    "18. a limit under the floor is one look",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["working", "ready"], { pace: fixed, limit: 99 })
      assert.deepStrictEqual([starts, at], [[0], 99])
      assert.strictEqual(ending(outcome), "TimedOut limit")
    })
  )

  claim(
    "19. no look comes after the ending, at whatever moment the limit passes",
    Effect.gen(function* () {
      // `watch` waits ten minutes after each ending and counts.
      for (const limit of [0, 1, 99, 100, 101, 4999, 5000, 5001, 6999, 7000, 7001, 11_900, 12_000, 12_100]) {
        const { at, looks } = yield* world.watch(times(9, delayed("2 seconds", "working")), { pace: fixed, limit })
        const begin = looks[0]!.start
        const last = looks.at(-1)!
        assert.isAtMost(last.start - begin, limit)
        assert.isAtMost(at - begin, limit + 5000)
        assert.isAtMost(last.end!, at)
      }
    })
  )

  claim(
    "21. one deadline spans a request and several waits in a row",
    Effect.gen(function* () {
      const deadline = yield* Deadline.start("20 seconds")
      yield* Effect.sleep("5 seconds")
      const first = yield* world.watch(["working", "working", "ready"], { limit: deadline })
      assert.deepStrictEqual([first.starts, ending(first.outcome)], [[5000, 10_000, 15_000], "Reached"])
      if (first.outcome._tag === "Reached") {
        const { elapsedMillis, statuses } = first.outcome.report
        assert.strictEqual(elapsedMillis, 15_000)
        assert.deepStrictEqual(
          statuses.map(({ firstSeen, lastSeen, looks }) => [firstSeen, lastSeen, looks]),
          [
            [5000, 10_000, 2],
            [15_000, 15_000, 1]
          ]
        )
      }
    })
  )

  claim(
    "21. a later wait has what the earlier ones left",
    Effect.gen(function* () {
      const script = yield* scriptOf(["working", "working", "ready", "working"])
      const deadline = yield* Deadline.start("20 seconds")
      const wait = Waiter.outcome(adapter.probe(script.probe), adapter.ready, { limit: deadline, pace: fixed })
      assert.strictEqual(ending(yield* wait), "Reached")
      yield* Effect.sleep("3 seconds")
      assert.strictEqual(ending(yield* wait), "TimedOut limit")
      // No time is left, and still a look at the limit.
      assert.strictEqual(ending(yield* wait), "TimedOut limit")
      yield* Effect.sleep("1 milli")
      assert.strictEqual(ending(yield* wait), "TimedOut limit")
      assert.deepStrictEqual(yield* script.starts, [0, 5000, 10_000, 13_000, 18_000, 20_000, 20_000])
    })
  )

  claim(
    "22. a deadline that has passed leaves no look, and ends the wait as timed out",
    Effect.gen(function* () {
      const deadline = yield* Deadline.start("20 seconds")
      yield* Effect.sleep("20001 millis")
      assert.strictEqual(yield* Deadline.remainingMillis(deadline), -1)
      const { at, outcome, starts } = yield* world.watch(["ready"], { limit: deadline })
      assert.deepStrictEqual([starts, at, ending(outcome)], [[], 20_001, "TimedOut limit"])
      if (outcome._tag === "TimedOut") {
        const { elapsedMillis, limitMillis, looks, status, stoodMillis } = outcome.error
        assert.deepStrictEqual(
          { elapsedMillis, limitMillis, looks, status, stoodMillis },
          { elapsedMillis: 20_001, limitMillis: 20_000, looks: 0, status: "", stoodMillis: 0 }
        )
      }
    })
  )

  claim(
    "22. a deadline that is used up to the millisecond leaves one look",
    Effect.gen(function* () {
      const deadline = yield* Deadline.start("20 seconds")
      yield* Effect.sleep("20 seconds")
      const { outcome, starts } = yield* world.watch(["ready"], { limit: deadline })
      assert.deepStrictEqual([starts, outcome._tag], [[20_000], "Reached"])
    })
  )

  claim(
    "23. the limit ends a look that hangs even where nothing is interruptible",
    Effect.gen(function* () {
      const { at, outcome } = yield* Effect.uninterruptible(world.watch(["working", never], { limit: "8 seconds" }))
      assert.deepStrictEqual([at, ending(outcome)], [8000, "TimedOut limit"])
    })
  )

  claim(
    "23. in a finalizer a wait goes on to its ending, whoever interrupts",
    Effect.gen(function* () {
      let ended = ""
      const scoped = Effect.onExit(Effect.never, () =>
        Effect.map(world.watch(["working", "ready"], { limit: "8 seconds" }), ({ outcome }) => {
          ended = ending(outcome)
        })
      )
      const running = yield* Effect.fork(scoped)
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(running)
      assert.strictEqual(ended, "Reached")
    })
  )
}
