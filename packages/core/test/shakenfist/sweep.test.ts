import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import type * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { observationalSweeps } from "./observational.ts"
import type { Cluster } from "./support.ts"
import { busy, on } from "./support.ts"

const sweepTasks = ["collect_billing_statistics", "health_check_kvm_process"]

/** The whole test: an instance is made, settles, and a sweep of it is looked for. */
const run = (
  options: FakeShakenFist.Options,
  story: (cluster: Cluster, uuid: string) => Effect.Effect<unknown> = () => Effect.void
) =>
  on({ as: "system", options: { tokenLife: "1 hour", ...options } }, ({ cluster }) =>
    Effect.gen(function* () {
      const { uuid } = yield* Instance.createAndWait({
        name: "web",
        cpus: 1,
        memory: 1024,
        networks: [],
        disks: [{ size: 8 }]
      })
      yield* Settle.instance(uuid)
      yield* story(cluster, uuid)
      return yield* Effect.either(observationalSweeps(uuid))
    })
  )

const passes = (result: ReturnType<typeof run>): number =>
  result._tag === "Right" ? result.right : assert.fail(String(result.left))

const fails = (result: ReturnType<typeof run>): string =>
  result._tag === "Left" ? result.left.message : assert.fail("it passed")

const noSweep = { sweepPhase: "1 hour" } as const

describe("the test of observational sweeps", () => {
  it("finds a sweep between 0 and 480 s, in every phase", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 0, max: 300_000 }),
        FastCheck.integer({ min: 0, max: 60_000 }),
        FastCheck.boolean(),
        (sweepPhase, tickPhase, slow) => {
          const upkeep = { sweepPhase, tickPhase, walkBase: slow ? 1000 : 0 }
          const seconds = passes(run({ upkeep }))
          assert.isAtLeast(seconds, 0)
          assert.isAtMost(seconds, 480)
        }
      ),
      { numRuns: 25 }
    )
  }, 30_000)

  it("needs a whole period in the worst phase, and a look more", () => {
    const all = [0, 5, 9, 11, 15, 20, 25, 30, 60, 120, 180, 240, 299].map((phase) =>
      passes(run({ upkeep: { sweepPhase: `${phase} seconds` } }))
    )
    assert.isAtLeast(Math.min(...all), 0)
    assert.isAtMost(Math.max(...all), 310)
    assert.isAbove(Math.max(...all), 280)
  }, 30_000)

  it("given a sweep at 250 s, then found within one poll, and the test ends", () => {
    // The instance is created at 10 s, and settled by then.
    assert.strictEqual(passes(run({ upkeep: { sweepPhase: "260 seconds" } })), 250)
  })

  it("given the sweep operation swept before the 60 s are over, then passes", () => {
    passes(
      run({ upkeep: { sweepPhase: "255 seconds" }, lifecycles: { sweep: [["queued"]] } }, (cluster, uuid) =>
        Effect.fork(
          Effect.gen(function* () {
            yield* Effect.sleep("270 seconds")
            const [sweep] = yield* cluster.operations({ type: "instance", uuid })
            yield* cluster.forget(sweep?.uuid ?? "")
          })
        )
      )
    )
  })

  it("given it errors, then passes; given it stays queued 60 s, then fails", () => {
    passes(run({ lifecycles: { sweep: [["queued", 5000], ["error"]] } }))
    assert.match(fails(run({ lifecycles: { sweep: [["queued"]] } })), /still queued after 60 s/)
  })

  it("given a mutating operation that finishes between the two reads, then no false failure (listing read first)", () => {
    let ended = 0
    on({ as: "system", latency: "500 millis", options: { tokenLife: "1 hour" } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        // Whatever a round reads first, the work that it sees ends before the second read, half a second later.
        const between = Effect.gen(function* () {
          let seen = 0
          for (;;) {
            const work = yield* busy(cluster, uuid, [["executing"]])
            while (calls().length === seen) yield* Effect.sleep("100 millis")
            yield* cluster.script(work.uuid, [["complete"]])
            ended++
            yield* Effect.sleep("2 seconds")
            seen = calls().length
          }
        })
        yield* Effect.raceFirst(observationalSweeps(uuid), between)
      })
    )
    assert.isAbove(ended, 25)
  })

  it("given no sweep in 480 s, then fails with the stated reason", () => {
    assert.match(fails(run({ upkeep: noSweep })), /no sweep of the instance was seen within 480 s/)
  })

  it("given an operation with only one of the two tasks, then not taken for the sweep", () => {
    for (const task of sweepTasks) {
      const message = fails(
        run({ upkeep: noSweep }, (cluster, uuid) =>
          busy(cluster, uuid, [["error"]], { type: "node_inst_op", tasks: [task], observational: true })
        )
      )
      assert.match(message, /no sweep/)
    }
  })

  it("a sweep that is not observational fails it", () => {
    const message = fails(
      run({ upkeep: noSweep }, (cluster, uuid) =>
        busy(cluster, uuid, [["complete"]], { type: "node_inst_op", tasks: sweepTasks })
      )
    )
    assert.match(message, /not observational/)
  })

  it("a pass that misses the instance is made up for by the next one, within the bound", () => {
    const seconds = passes(
      run({ upkeep: { sweepPerInstance: "4 seconds", sweepPhase: "30 seconds" } }, (cluster) =>
        Effect.forEach(Array.from({ length: 2 }), () => cluster.instance())
      )
    )
    assert.isAtMost(seconds, 480)
  })
})
