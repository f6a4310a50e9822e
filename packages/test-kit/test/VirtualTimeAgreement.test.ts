/**
 * The same programs, made at random, under `TestClock` and in virtual time.
 */
import { assert, describe, it } from "@effect/vitest"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"

type Program =
  | { readonly _tag: "Sleep"; readonly millis: number }
  | { readonly _tag: "Yield" }
  | { readonly _tag: "Sequence" | "Parallel" | "Race"; readonly parts: ReadonlyArray<Program> }
  | { readonly _tag: "Timeout"; readonly millis: number; readonly part: Program }
  | { readonly _tag: "Repeat"; readonly pace: Pace; readonly part: Program }
  | { readonly _tag: "Background"; readonly part: Program }

interface Pace {
  readonly kind: "spaced" | "fixed" | "windowed" | "exponential" | "jittered"
  readonly millis: number
  readonly times: number
}

/** Whole milliseconds of a wide range, so that two sleepers hardly ever share an instant: there the clocks may differ. */
const millis = FastCheck.integer({ min: 1, max: 1_000_000 })

const pace: FastCheck.Arbitrary<Pace> = FastCheck.record({
  kind: FastCheck.constantFrom("spaced", "fixed", "windowed", "exponential", "jittered"),
  millis,
  times: FastCheck.integer({ min: 0, max: 3 })
})

const { program } = FastCheck.letrec<{ program: Program; leaf: Program }>((tie) => ({
  leaf: FastCheck.oneof(
    { weight: 5, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Sleep" as const), millis }) },
    { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Yield" as const) }) }
  ),
  program: FastCheck.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    FastCheck.record({
      _tag: FastCheck.constantFrom("Sequence" as const, "Parallel" as const, "Race" as const),
      parts: FastCheck.array(tie("program"), { minLength: 1, maxLength: 3 })
    }),
    FastCheck.record({ _tag: FastCheck.constant("Timeout" as const), millis, part: tie("program") }),
    FastCheck.record({ _tag: FastCheck.constant("Repeat" as const), pace, part: tie("program") }),
    FastCheck.record({ _tag: FastCheck.constant("Background" as const), part: tie("program") })
  )
}))

const schedule = ({ kind, millis, times }: Pace): Schedule.Schedule<unknown> => {
  const base = (): Schedule.Schedule<unknown> => {
    switch (kind) {
      case "spaced":
        return Schedule.spaced(millis)
      case "fixed":
        return Schedule.fixed(millis)
      case "windowed":
        return Schedule.windowed(millis)
      case "exponential":
        return Schedule.exponential(millis)
      case "jittered":
        return Schedule.jittered(Schedule.spaced(millis))
    }
  }
  return Schedule.intersect(base(), Schedule.recurs(times))
}

type Trace = Array<readonly [path: string, event: string, time: number]>

const run = (program: Program, path: string, trace: Trace): Effect.Effect<void> => {
  const note = (event: string) => Effect.map(Clock.currentTimeMillis, (now) => void trace.push([path, event, now]))
  const parts = (all: ReadonlyArray<Program>) => all.map((part, i) => run(part, `${path}.${i}`, trace))
  const body = (): Effect.Effect<unknown> => {
    switch (program._tag) {
      case "Sleep":
        return Effect.sleep(program.millis)
      case "Yield":
        return Effect.yieldNow()
      case "Sequence":
        return Effect.all(parts(program.parts))
      case "Parallel":
        return Effect.all(parts(program.parts), { concurrency: "unbounded" })
      case "Race":
        return Effect.raceAll(parts(program.parts))
      case "Timeout":
        return Effect.timeoutOption(run(program.part, `${path}.t`, trace), program.millis)
      case "Repeat":
        return Effect.repeat(run(program.part, `${path}.r`, trace), schedule(program.pace))
      case "Background":
        return Effect.fork(run(program.part, `${path}.b`, trace))
    }
  }
  return note("start").pipe(
    Effect.zipRight(Effect.suspend(body)),
    Effect.onInterrupt(() => note("interrupted")),
    Effect.zipRight(note("end"))
  )
}

/** `TestClock` isn't at 0 when a program starts, which costs a jittered time its last digits. */
const micros = (millis: number) => Math.round(millis * 1_000)

/** Events of one path keep their order; those of different paths at one instant may come either way. */
const byPath = (trace: Trace) =>
  trace
    .map((event, i) => [event, i] as const)
    .toSorted(([a, i], [b, j]) => (a[0] === b[0] ? i - j : a[0] < b[0] ? -1 : 1))
    .map(([event]) => event)

describe("VirtualTime and TestClock", () => {
  it.effect(
    "agree on what happens when, in programs made at random",
    () =>
      Effect.gen(function* () {
        const programs = FastCheck.sample(program, { numRuns: 30, seed: 20 })
        let events = 0
        for (const [i, one] of programs.entries()) {
          const virtual: Trace = []
          const ended = VirtualTime.runExit(run(one, "0", virtual), { seed: i })
          const slow: Trace = []
          const start = yield* Clock.currentTimeMillis
          const fiber = yield* run(one, "0", slow).pipe(
            Effect.zipRight(Clock.currentTimeMillis),
            Effect.withRandom(Random.make(i)),
            Effect.fork
          )
          yield* TestClock.adjust("1 day")
          const end = yield* Fiber.join(fiber)
          assert.deepStrictEqual(
            byPath(virtual.map(([path, event, time]) => [path, event, micros(time)] as const)),
            byPath(slow.map(([path, event, time]) => [path, event, micros(time - start)] as const)),
            JSON.stringify(one)
          )
          assert.strictEqual(micros(ended.elapsedMillis), micros(end - start))
          events += virtual.length
        }
        assert.isAbove(events, 150)
      }),
    { timeout: 30_000 }
  )

  it.effect("differ in what a wake-up costs, by far", () =>
    Effect.gen(function* () {
      const wait = Effect.repeatN(Effect.sleep("5 seconds"), 49)
      const timed = (effect: Effect.Effect<unknown>) =>
        Effect.sync(() => performance.now()).pipe(
          Effect.zip(effect),
          Effect.map(([start]) => performance.now() - start)
        )
      const slow = yield* timed(Effect.zipRight(Effect.fork(wait), TestClock.adjust("250 seconds")))
      const runs = yield* timed(Effect.sync(() => Array.from({ length: 100 }, () => VirtualTime.runSync(wait))))
      assert.isBelow(runs / 100, slow / 25)
    })
  )
})
