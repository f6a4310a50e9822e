import * as Script from "@effect-manila/test-kit/Script"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { assert } from "vitest"
import type { Claim, World } from "./world.ts"
import { ending } from "./world.ts"

const { delayed, never, times } = Script

/** When to look. */
export const pace = <A, E>(world: World<A, E>, claim: Claim): void => {
  const startsAre = (
    starts: ReadonlyArray<number>,
    pace: Pace.PaceInput,
    answer: Parameters<typeof world.watch>[0][number] = "working"
  ) =>
    Effect.gen(function* () {
      const watched = yield* world.watch([...times(starts.length - 1, answer), "ready"], { pace })
      assert.deepStrictEqual(watched.starts, starts)
      assert.strictEqual(ending(watched.outcome), "Reached")
    })

  claim(
    "1. the first look comes at once",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["ready"])
      assert.deepStrictEqual(starts, [0])
      assert.strictEqual(at, 0)
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "1. the first look comes at once also if the schedule begins with a long delay",
    startsAre([0, 3_600_000], Schedule.spaced("1 hour"))
  )

  claim(
    "2. a fixed schedule of instant looks is a grid",
    startsAre([0, 5000, 10_000, 15_000], Schedule.fixed("5 seconds"))
  )

  claim(
    "2. the schedule begins at the end of the first look",
    startsAre([0, 7000, 12_000, 17_000], Schedule.fixed("5 seconds"), delayed("2 seconds", "working"))
  )

  claim(
    "2. spaced counts from the end of each look, windowed keeps to its windows",
    Effect.zipRight(
      startsAre([0, 7000, 14_000, 21_000], Schedule.spaced("5 seconds"), delayed("2 seconds", "working")),
      Effect.gen(function* () {
        const { looks } = yield* world.watch([...times(3, delayed("7 seconds", "working")), "ready"], {
          pace: Schedule.windowed("5 seconds")
        })
        const begin = looks[0]!.start
        assert.deepStrictEqual(
          looks.slice(0, 3).map(({ end, start }) => [start - begin, end! - begin]),
          [
            [0, 7000],
            [12_000, 19_000],
            [22_000, 29_000]
          ]
        )
      })
    )
  )

  claim(
    "2. without a pace a wait looks every 5 s",
    Effect.gen(function* () {
      const { starts } = yield* world.watch(["working", "working", "ready"])
      assert.deepStrictEqual(starts, [0, 5000, 10_000])
    })
  )

  claim(
    "3. a late tick comes at once after the floor",
    startsAre([0, 12_000, 19_100, 26_200], Schedule.fixed("5 seconds"), delayed("7 seconds", "working"))
  )

  claim(
    "3. ticks missed during a slow look are not made up",
    Effect.gen(function* () {
      const { starts } = yield* world.watch(
        ["working", delayed("23 seconds", "working"), "working", "working", "working", "ready"],
        { pace: Schedule.fixed("5 seconds") }
      )
      assert.deepStrictEqual(starts, [0, 5000, 28_100, 30_100, 35_100, 40_100])
    })
  )

  claim(
    "4. two looks are never in flight together, however slow they are",
    Effect.gen(function* () {
      const { looks } = yield* world.watch(
        [...times(4, delayed("31 seconds", "working")), delayed("1 second", "ready")],
        { pace: Schedule.fixed("100 millis") }
      )
      for (const [index, { start }] of looks.entries()) {
        if (index > 0) assert.isAtLeast(start, looks[index - 1]!.end!)
      }
    })
  )

  for (const [name, schedule] of [
    ["spaced(0)", Schedule.spaced(0)],
    ["fixed(0)", Schedule.fixed(0)],
    ["windowed(0)", Schedule.windowed(0)],
    ["a negative interval", Schedule.fixed(-5000)],
    ["an interval that is no number", Schedule.fixed(Number.NaN)],
    ["forever", Schedule.forever],
    ["1 ms", Schedule.spaced(1)]
  ] as const) {
    claim(`5. the floor of 100 ms holds for ${name}`, startsAre([0, 100, 200, 300, 400], schedule))
  }

  claim(
    "5. the floor counts from the end of a look",
    startsAre([0, 1100, 2200], Schedule.spaced(0), delayed("1 second", "working"))
  )

  claim(
    "9. reaching the cap of a back-off is not its end",
    startsAre(
      [0, 1000, 3000, 7000, 15_000, 23_000, 31_000, 39_000],
      Pace.backoff({ initial: "1 second", cap: "8 seconds" })
    )
  )

  claim(
    "9. a back-off has a factor of its own, and counts from the end of a look",
    startsAre(
      [0, 2000, 6000, 14_000, 22_000],
      Pace.backoff({ initial: "1 second", factor: 3, cap: "7 seconds" }),
      delayed("1 second", "working")
    )
  )

  claim(
    "10. no gap is longer than maxGap, whatever the schedule says",
    startsAre(
      [0, 1000, 3000, 7000, 11_000, 15_000],
      Pace.make(Schedule.exponential("1 second"), { maxGap: "4 seconds" })
    )
  )

  claim(
    "10. a pace of one interval has no longer gap than that",
    Effect.gen(function* () {
      const { looks } = yield* world.watch(
        [delayed("12 seconds", "working"), "working", delayed("1 second", "working"), "working", "ready"],
        { pace: Pace.every("5 seconds", { maxGap: undefined }) }
      )
      for (const [index, { start }] of looks.entries()) {
        if (index > 0) assert.isAtMost(start - looks[index - 1]!.end!, 5000)
      }
      assert.deepStrictEqual(Duration.toMillis(Pace.every("5 seconds").maxGap), 5000)
    })
  )

  claim(
    "11. the attempts are looks, and the wait ends with the last of them",
    Effect.gen(function* () {
      const { at, outcome, starts } = yield* world.watch(["working"], { attempts: 3 })
      assert.deepStrictEqual(starts, [0, 5000, 10_000])
      assert.strictEqual(at, 10_000)
      assert.strictEqual(ending(outcome), "TimedOut attempts")
    })
  )

  claim(
    "11. the last attempt's verdict counts",
    Effect.gen(function* () {
      const { outcome } = yield* world.watch(["working", "ready"], { attempts: 2 })
      assert.strictEqual(outcome._tag, "Reached")
    })
  )

  claim(
    "11. less than one attempt is one, and so is what is no number",
    Effect.gen(function* () {
      for (const attempts of [1, 0, -3, Number.NaN]) {
        const { outcome, starts } = yield* world.watch(["working"], { attempts })
        assert.strictEqual(starts.length, 1)
        assert.strictEqual(ending(outcome), "TimedOut attempts")
        const paced = yield* world.watch(["working"], { pace: Pace.every("1 second", { attempts }) })
        assert.strictEqual(paced.starts.length, 1)
      }
    })
  )

  claim(
    "11. a wait's attempts override its pace's",
    Effect.gen(function* () {
      const pace = Pace.every("1 second", { attempts: 2 })
      assert.strictEqual((yield* world.watch(["working"], { pace })).starts.length, 2)
      assert.strictEqual((yield* world.watch(["working"], { pace, attempts: 4 })).starts.length, 4)
    })
  )

  claim(
    "12. a schedule that comes to its end ends the wait, saying so",
    Effect.gen(function* () {
      const recurs = yield* world.watch(["working"], {
        pace: Schedule.intersect(Schedule.recurs(2), Schedule.spaced("5 seconds"))
      })
      assert.deepStrictEqual([recurs.starts, recurs.at], [[0, 5000, 10_000], 10_000])
      assert.strictEqual(ending(recurs.outcome), "TimedOut schedule")
      const upTo = yield* world.watch(["working"], {
        pace: Schedule.fixed("5 seconds").pipe(Schedule.upTo("12 seconds"))
      })
      assert.strictEqual(upTo.starts.length, 4)
      assert.strictEqual(ending(upTo.outcome), "TimedOut schedule")
      const stop = yield* world.watch(["working"], { pace: Schedule.stop })
      assert.deepStrictEqual([stop.starts.length, stop.at - stop.starts[0]!], [1, 0])
    })
  )

  claim(
    "12. a schedule's end does not hide what its last look saw",
    Effect.gen(function* () {
      const { outcome } = yield* world.watch(["working", "ready"], { pace: Schedule.recurs(1) })
      assert.strictEqual(outcome._tag, "Reached")
      const failed = yield* world.watch(["working", "failed"], { pace: Schedule.recurs(1) })
      assert.strictEqual(ending(failed.outcome), "Failed status")
    })
  )

  claim(
    "16. a look that never ends is aborted at the limit, with nothing seen",
    Effect.gen(function* () {
      const { at, looks, outcome } = yield* world.watch([never], { limit: "10 seconds" })
      assert.strictEqual(at, 10_000)
      assert.deepStrictEqual(looks, [{ start: 0, end: 10_000, ending: "interrupted" }])
      assert.strictEqual(ending(outcome), "TimedOut limit")
      if (outcome._tag === "TimedOut") {
        assert.deepStrictEqual([outcome.error.looks, outcome.error.status, outcome.error.stoodMillis], [0, "", 0])
      }
    })
  )
}
