/** How long an operation is seen once it is finished, and what the cluster's own work does not disturb. */
import type { UpkeepOptions } from "@effect-manila/test-kit/shakenfist/UpkeepOptions"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import type { Cluster } from "./support.ts"
import { client, isListed, now, on, op, until } from "./support.ts"

const day = 86_400_000
const week = 7 * day
const tick = 60_000

/** Milliseconds from its end to when an operation is seen for the last time, on a cluster that has been up for an hour. */
const visible = (finish: number, upkeep: UpkeepOptions = {}, end = "complete"): number =>
  on({ upkeep }, (cluster) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance()
      // The walks of a type begin with its first operation.
      yield* op(cluster, uuid, [["complete"]])
      const { uuid: watched } = yield* op(cluster, uuid, [["executing", finish], [end]])
      yield* until(finish)
      for (;;) {
        if (!(yield* isListed(cluster, uuid, watched))) return (yield* now) - finish
        // Only at a tick is anything taken away, unless walks take time.
        const at = yield* now
        yield* until(Math.floor(at / tick) * tick + tick)
        if (at - finish > 10 * tick) return Infinity
      }
    })
  )

const hour = 3_600_000

/** With instant walks they come at ticks 5 minutes apart, with others 6. */
const period = (upkeep: UpkeepOptions) => (upkeep.walkBase === undefined ? 300_000 : 360_000)

describe("a finished operation", () => {
  it("given finish at t, then at t+30 still listed, whatever the phase", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.integer({ min: 0, max: 2 * hour }),
        FastCheck.integer({ min: 0, max: tick }),
        FastCheck.boolean(),
        (finish, tickPhase, slow) =>
          on({ upkeep: { tickPhase, ...(slow ? { walkBase: "1 second" } : {}) } }, (cluster) =>
            Effect.gen(function* () {
              const { uuid } = yield* cluster.instance()
              yield* op(cluster, uuid, [["complete"]])
              const watched = yield* op(cluster, uuid, [["executing", finish], ["complete"]])
              yield* until(finish + 30_000)
              assert.isTrue(yield* isListed(cluster, uuid, watched.uuid))
            })
          )
      ),
      { numRuns: 60 }
    )
  })

  for (const [name, upkeep, longest] of [
    ["instant walks", {}, 330_000],
    ["walks taking a second", { walkBase: "1 second" }, 390_000]
  ] as const) {
    it(`given ${name}, then gone by t+${longest / 1000} in every phase, and never by t+30`, () => {
      FastCheck.assert(
        FastCheck.property(FastCheck.integer({ min: 0, max: hour }), (offset) => {
          const millis = visible(hour + offset, upkeep)
          assert.isAbove(millis, 30_000)
          assert.isAtMost(millis, longest)
        }),
        { numRuns: 60 }
      )
    })

    it(`given the worst and the best phase and ${name}, then exactly ${longest / 1000} s, and a millisecond over 30 s`, () => {
      // The first walk is at the first tick.
      const walk = tick + period(upkeep) * 12
      assert.strictEqual(visible(walk - 30_000, upkeep), longest)
      assert.strictEqual(visible(walk - 30_001, upkeep), 30_001)
    })

    it(`given ${name}, then the mean over all phases is half a period and thirty seconds`, () => {
      const span = period(upkeep)
      const seen = Array.from({ length: 60 }, (_, n) => visible(hour + Math.round((n * span) / 60) + 17, upkeep))
      const mean = seen.reduce((sum, one) => sum + one, 0) / seen.length
      assert.approximately(mean, span / 2 + 30_000, 4000)
    })
  }

  it("aborted and deleted ones go as complete ones do", () => {
    for (const end of ["abort", "deleted"]) assert.strictEqual(visible(tick + 3_600_000 - 30_001, {}, end), 30_001)
  })

  it("the grace is settable", () => {
    assert.strictEqual(visible(tick + 3_600_000 - 30_001, { grace: 0 }), 30_001)
    assert.strictEqual(visible(tick + 3_600_000 - 1, { grace: 0 }), 1)
  })

  it("given a backlog larger than the budget, then removal goes on each minute with no five-minute pause until done", () =>
    on({ upkeep: { walkPerOperation: "1 second" } }, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Effect.forEach(Array.from({ length: 50 }), () => op(cluster, uuid, [["complete"]]))
        const left = Effect.map(cluster.backlog, ({ byType }) => byType["net_op"] ?? 0)
        yield* until(59_000)
        assert.strictEqual(yield* left, 50)
        const counts: Array<number> = []
        for (const minute of [1, 2, 3, 4]) {
          yield* until(minute * tick + 25_000)
          counts.push(yield* left)
        }
        // 20 s a tick, one a second; the third walk reaches the end.
        assert.deepStrictEqual(counts, [30, 10, 0, 0])
        // And pauses: what finishes now stays until five minutes after it.
        yield* op(cluster, uuid, [["complete"]])
        yield* until(8 * tick)
        assert.strictEqual(yield* left, 1)
        yield* until(9 * tick + 1000)
        assert.strictEqual(yield* left, 0)
      })
    ))

  it("the backlog counts by type what is over the grace and not taken away yet, and no errors", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* op(cluster, uuid, [["complete"]])
        yield* op(cluster, uuid, [["abort"]], { type: "node_inst_op" })
        yield* op(cluster, uuid, [["error"]])
        yield* op(cluster, uuid, [["executing"]])
        assert.deepStrictEqual((yield* cluster.backlog).cluster_deleted_object_backlog, 0)
        yield* until(31_000)
        assert.deepStrictEqual(yield* cluster.backlog, {
          cluster_deleted_object_backlog: 2,
          byType: { net_op: 1, node_inst_op: 1 }
        })
      })
    ))

  it("types have a budget each, or share one", () => {
    for (const [isBudgetShared, left] of [
      [false, 0],
      [true, 20]
    ] as const) {
      on({ upkeep: { walkPerOperation: "1 second", isBudgetShared } }, (cluster) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          for (const type of ["a_op", "b_op"]) {
            yield* Effect.forEach(Array.from({ length: 20 }), () => op(cluster, uuid, [["complete"]], { type }))
          }
          yield* until(tick + 59_000)
          assert.strictEqual((yield* cluster.backlog).cluster_deleted_object_backlog, left)
        })
      )
    }
  })

  it("given a change of state after the walk listed it (deleted from complete), then the grace counts from the newer change", () => {
    // Listed at 60 s, its turn is at 65 s, and it changes in between: planned from the start, or by somebody.
    for (const isPlanned of [true, false]) {
      on({ upkeep: { walkPerOperation: "5 seconds" } }, (cluster) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* op(cluster, uuid, [["complete"]])
          const second = yield* op(cluster, uuid, isPlanned ? [["complete", 62_000], ["deleted"]] : [["complete"]])
          yield* until(62_000)
          assert.strictEqual((yield* cluster.operations({ type: "instance", uuid })).length, 1)
          if (!isPlanned) yield* cluster.script(second.uuid, [["deleted"]])
          yield* until(tick + 59_000)
          assert.isTrue(yield* isListed(cluster, uuid, second.uuid))
          // The walk had reached the end at 70 s: the next one is at the first tick after 370 s.
          yield* until(7 * tick + 1)
          assert.isFalse(yield* isListed(cluster, uuid, second.uuid))
        })
      )
    }
  })
})

describe("an operation in error", () => {
  it("given error, then listed at 6 days 23 h, gone at 7 days and a minute; single lookup by system still 200", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Effect.sleep(12_345)
        const made = yield* now
        const errored = yield* op(cluster, uuid, [["executing", 90_000], ["error"]])
        yield* until(made + week - hour)
        assert.isTrue(yield* isListed(cluster, uuid, errored.uuid))
        yield* until(made + week)
        assert.isTrue(yield* isListed(cluster, uuid, errored.uuid))
        yield* until(made + week + tick)
        assert.isFalse(yield* isListed(cluster, uuid, errored.uuid))
        const path = `/clusteroperations/net_op/${errored.uuid}`
        const asSystem = yield* client(cluster, "system")
        assert.strictEqual((yield* asSystem("GET", path)).status, 200)
        const asDemo = yield* client(cluster, "demo")
        assert.strictEqual((yield* asDemo("GET", path)).status, 403)
      })
    ))

  it("given retention 0, then errored listed for ever", () =>
    on({ upkeep: { retention: 0 } }, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const errored = yield* op(cluster, uuid, [["error"]])
        yield* until(3 * week)
        assert.isTrue(yield* isListed(cluster, uuid, errored.uuid))
      })
    ))

  it("given a still executing operation older than retention, then listed, until it has failed and been pruned", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const states = ["queued", "preflight", "executing"] as const
        const made = yield* Effect.forEach(states, (state) => op(cluster, uuid, [[state, 8 * day], ["error"]]))
        yield* until(8 * day - 1)
        for (const one of made) assert.isTrue(yield* isListed(cluster, uuid, one.uuid))
        yield* until(8 * day + tick)
        for (const one of made) assert.isFalse(yield* isListed(cluster, uuid, one.uuid))
      })
    ))
})

const pointer = (cluster: Cluster, uuid: string) =>
  Effect.gen(function* () {
    const ask = yield* client(cluster)
    const { json } = yield* ask("GET", `/instances/${uuid}`)
    const { has_pending_operations, last_cluster_operation } = json as {
      readonly has_pending_operations: boolean
      readonly last_cluster_operation: { readonly op_uuid: string } | null
    }
    return { pending: has_pending_operations, pointer: last_cluster_operation?.op_uuid ?? null }
  })

describe("the pointer", () => {
  it("given the newest mutating operation swept and an older errored one, then the pointer names the errored one", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const errored = yield* op(cluster, uuid, [["error"]])
        const newest = yield* op(cluster, uuid, [["complete"]])
        assert.strictEqual((yield* pointer(cluster, uuid)).pointer, newest.uuid)
        yield* until(61_000)
        assert.strictEqual((yield* pointer(cluster, uuid)).pointer, errored.uuid)
        yield* until(week + 2 * tick)
        assert.strictEqual((yield* pointer(cluster, uuid)).pointer, null)
      })
    ))

  it("given a sweep every 300 s, then the pointer and pending never change because of it", () =>
    on({ lifecycles: { sweep: [[["queued", 20_000], ["executing", 30_000], ["complete"]], [["error"]]] } }, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const errored = yield* op(cluster, uuid, [["error"]])
        for (let second = 0; second < 1500; second += 10) {
          yield* until(second * 1000)
          assert.deepStrictEqual(yield* pointer(cluster, uuid), { pending: false, pointer: errored.uuid })
        }
        const sweeps = (yield* cluster.operations({ type: "instance", uuid })).filter((one) => one.observational)
        assert.isAbove(sweeps.length, 2)
      })
    ))
})

describe("the sweep of instances", () => {
  it("queues one observational operation for each created instance, and for no other", () =>
    on({ lifecycles: { "instance.create": [["queued"]] } }, (cluster) =>
      Effect.gen(function* () {
        const created = yield* cluster.instance()
        const ask = yield* client(cluster)
        const body = { name: "web", cpus: 1, memory: 1, disk: [{ size: 1 }], network: [] }
        const { json } = yield* ask("POST", "/instances", { body })
        const { uuid } = json as { readonly uuid: string }
        yield* until(300_000)
        const sweeps = (uuid: string) =>
          Effect.map(cluster.operations({ type: "instance", uuid }), (ops) => ops.filter((one) => one.observational))
        assert.deepStrictEqual(
          (yield* sweeps(created.uuid)).map(({ tasks, type }) => [type, tasks]),
          [["node_inst_op", ["collect_billing_statistics", "health_check_kvm_process"]]]
        )
        assert.deepStrictEqual(yield* sweeps(uuid), [])
      })
    ))

  it("a pass that is over its budget leaves instances out, and begins with them the next time", () =>
    on({ upkeep: { sweepPerInstance: "4 seconds" } }, (cluster) =>
      Effect.gen(function* () {
        const uuids = yield* Effect.forEach(Array.from({ length: 5 }), () =>
          Effect.map(cluster.instance(), ({ uuid }) => uuid)
        )
        const swept = Effect.forEach(uuids, (uuid) =>
          Effect.map(cluster.operations({ type: "instance", uuid }), (ops) => ops.length)
        )
        yield* until(320_000)
        assert.deepStrictEqual(yield* swept, [1, 1, 1, 0, 0])
        yield* until(620_000)
        const second = yield* swept
        assert.isTrue(second[3] === 1 && second[4] === 1)
      })
    ))

  it("an errored sweep leaves its instance alone", () =>
    on({ lifecycles: { sweep: [["queued", 1000], ["error"]] } }, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* until(310_000)
        const ask = yield* client(cluster)
        const { json } = yield* ask("GET", `/instances/${uuid}`)
        assert.deepInclude(json as object, {
          state: "created",
          has_pending_operations: false,
          last_cluster_operation: null
        })
        assert.strictEqual((yield* cluster.operations({ type: "instance", uuid }))[0]?.state, "error")
      })
    ))

  it("asking for a blob's checksum verifies it: an observational operation of the blob, and of nothing else", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { blob, uuid } = yield* cluster.artifact()
        const ask = yield* client(cluster, "system")
        const path = `/blobs/${blob}/checksum/sha256`
        assert.isNull((yield* ask("GET", path)).json)
        const by = { target_object_type: "blob", target_uuid: blob }
        const listed = yield* ask("GET", "/clusteroperations", { body: by })
        assert.deepInclude((listed.json as ReadonlyArray<object>)[0], {
          operation_type: "node_blob_op",
          tasks: ["verify_size_and_checksum"],
          observational: true,
          blob_uuid: blob
        })
        const artifact = yield* ask("GET", `/artifacts/${uuid}`)
        assert.deepInclude(artifact.json as object, { has_pending_operations: false, last_cluster_operation: null })
        yield* Effect.sleep("10 seconds")
        assert.isString((yield* ask("GET", path)).json)
      })
    ))
})

describe("an object", () => {
  it("that is deleted is found by uuid for an hour, and its operations with it", () =>
    on({ lifecycles: { "instance.delete": [["executing", 1000], ["complete"]] } }, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance({ name: "web" })
        const errored = yield* op(cluster, uuid, [["error"]])
        const ask = yield* client(cluster)
        yield* ask("DELETE", "/instances/web")
        yield* until(1000)
        assert.strictEqual((yield* ask("GET", "/instances/web")).status, 404)
        const again = client(cluster)
        yield* until(1000 + hour - 1)
        assert.strictEqual((yield* (yield* again)("GET", `/instances/${uuid}`)).status, 200)
        assert.isTrue(yield* isListed(cluster, uuid, errored.uuid))
        yield* until(1000 + hour)
        assert.strictEqual((yield* (yield* again)("GET", `/instances/${uuid}`)).status, 404)
        assert.isFalse(yield* isListed(cluster, uuid, errored.uuid))
      })
    ))
})
