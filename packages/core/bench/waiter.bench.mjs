/**
 * What a wait costs beside a bare loop that sleeps and looks, both in virtual time and measured in one run.
 *
 *     npx tsx --conditions=@effect-manila/source packages/core/bench/waiter.bench.mjs
 *
 * Microseconds are this machine's; the ratios are what to compare.
 */
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"

const reader = {
  status: ({ status }) => status,
  failures: ["error"],
  leaving: ["deleting"],
  steady: ["available"]
}
const goal = StatusGoal.present(reader, "available")
const seen = Option.some({ status: "creating" })
const probe = Effect.sync(() => seen)

const loop = (looks) =>
  Effect.gen(function* () {
    for (let look = 1; ; look++) {
      yield* probe
      if (look === looks) return
      yield* Effect.sleep(5000)
    }
  })

const subjects = [
  ["a bare loop", loop],
  [
    "Effect.repeat",
    (looks) => Effect.repeat(probe, Schedule.intersect(Schedule.fixed(5000), Schedule.recurs(looks - 1)))
  ],
  ["Waiter.outcome", (looks) => Waiter.outcome(probe, goal, { attempts: looks })],
  ["with a limit", (looks) => Waiter.outcome(probe, goal, { limit: (looks - 1) * 5000 })],
  ["with progress", (looks) => Waiter.outcome(probe, goal, { attempts: looks, onProgress: () => Effect.void })],
  [
    "with back-off",
    (looks) =>
      Waiter.outcome(probe, goal, { attempts: looks, pace: Pace.backoff({ initial: 500, cap: 5000, jitter: 0.2 }) })
  ],
  ["a span per look", (looks) => Waiter.outcome(probe, goal, { attempts: looks, spanPerLook: true })]
]

const shapes = [
  [
    "1000 waits of 50 looks, one after the other",
    1000,
    50,
    (waits, one) => {
      for (let index = 0; index < waits; index++) VirtualTime.runExit(one)
    }
  ],
  [
    "1000 waits of 50 looks, together",
    1000,
    50,
    (waits, one) => {
      VirtualTime.runExit(
        Effect.forEach(Array.from({ length: waits }), () => one, { concurrency: "unbounded", discard: true })
      )
    }
  ],
  [
    "a day of looks every 5 s",
    1,
    17_281,
    (_, one) => {
      VirtualTime.runExit(one)
    }
  ]
]

const millis = (run) => {
  const before = performance.now()
  run()
  return performance.now() - before
}

for (const [title, waits, looks, run] of shapes) {
  const best = subjects.map(() => Infinity)
  // Interleaved, and the best of several rounds, so that what else the machine does hits all alike.
  for (let round = 0; round < 4; round++) {
    for (const [index, [, make]] of subjects.entries()) {
      const took = millis(() => run(waits, make(looks)))
      if (round > 0) best[index] = Math.min(best[index], took)
    }
  }
  console.log(`\n${title}`)
  for (const [index, [name]] of subjects.entries()) {
    const perLook = (best[index] * 1000) / (waits * looks)
    const ratio = (best[index] / best[0]).toFixed(2)
    console.log(
      `  ${name.padEnd(16)} ${best[index].toFixed(0).padStart(6)} ms  ${perLook.toFixed(1).padStart(6)} µs a look  × ${ratio}`
    )
  }
}
