/**
 * Where nothing says what the service or its own client does, one answer was chosen. Each is written down in
 * docs/shakenfist.md under the same number, and held here.
 */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { busy, now, on, times } from "./support.ts"

describe("choice 1: the loop of the wait", () => {
  it("the time-out is inclusive: the last look is at it, clamped, and it is told there and then", () => {
    for (const [timeout, interval, looks] of [
      [3000, 1000, [0, 1000, 2000, 3000]],
      [3500, 1000, [0, 1000, 2000, 3000, 3500]],
      [0, 1000, [0]]
    ] as const) {
      on({}, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid)
          yield* Effect.flip(Settle.awaitNoPendingOperations("instance", uuid, { timeout, interval }))
          assert.deepStrictEqual([times(calls()), yield* now], [looks, timeout])
        })
      )
    }
  })

  it("what ends just at the time-out has ended in time", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["executing", 3500], ["complete"]])
        yield* Settle.awaitNoPendingOperations("instance", uuid, { timeout: 3500 })
      })
    ))

  it("looks are on a grid from the end of the first one, so that slow answers don't add up", () =>
    on({ latency: "300 millis" }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["executing", 5000], ["complete"]])
        yield* Settle.awaitNoPendingOperations("instance", uuid)
        const arrived = times(calls())
        const gaps = arrived.slice(2).map((time, n) => time - arrived[n + 1]!)
        assert.isTrue(
          gaps.every((gap) => gap === 1000),
          gaps.join()
        )
      })
    ))

  it("it gives nothing, and a namespace is sent for artifacts too, without asking for a capability", () =>
    on({ as: "system", options: { without: ["get-instance-namespace", "get-network-namespace"] } }, (world) =>
      Effect.gen(function* () {
        yield* world.cluster.artifact({ name: "image", namespace: "demo" })
        const result = yield* Settle.awaitNoPendingOperations("artifact", "image", { namespace: "demo" })
        assert.isUndefined(result)
        assert.strictEqual(world.calls()[0]?.body, '{"namespace":"demo"}')
      })
    ))
})

describe("choice 2: lists don't say whether operations are pending", () => {
  it("the fake's lists leave the field out, and the wait never asks one", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const [listed] = yield* Instance.list({})
        assert.notProperty(listed, "has_pending_operations")
        assert.property(yield* Instance.get({ ref: uuid }), "has_pending_operations")
        yield* Settle.awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(calls().at(-1)?.path, `/instances/${uuid}`)
      })
    ))
})

describe("choice 3: the three listings take a namespace, and ask for the capability of their own name only", () => {
  it("the namespace stands in the body beside `all`", () =>
    on({ as: "system", options: { without: ["get-instance-namespace"] } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        yield* cluster.instance({ name: "web" })
        yield* ClusterOperation.getInstanceClusterOperations({ ref: "web", namespace: "demo" })
        assert.strictEqual(calls()[0]?.body, '{"all":false,"namespace":"demo"}')
      })
    ))
})

describe("choice 4: only listings are relied on for `observational`", () => {
  it("the fake's single view and chain leave it out, and are read as not observational", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const made = yield* busy(cluster, uuid, [["queued"]], { observational: true })
        const single = yield* ClusterOperation.get({ operationType: "net_op", uuid: made.uuid })
        const [chained] = yield* ClusterOperation.chain({ uuid: made.uuid })
        const [listed] = yield* ClusterOperation.byTarget({ type: "instance", uuid })
        assert.deepStrictEqual(
          [single, chained!, listed!].map((one) => ["observational" in one, ClusterOperation.isObservational(one)]),
          [
            [false, false],
            [false, false],
            [true, true]
          ]
        )
      })
    ))
})

describe("choice 5: an error report is shown if there is one, and missed by nobody if not", () => {
  it("a failure carries the whole view, with the report of a server that has it", () => {
    for (const errorReports of [true, false]) {
      on({ as: "system", options: { errorReports } }, ({ cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid, [["executing", 1000], ["error"]])
          const error = yield* Effect.flip(Settle.instance(uuid))
          assert.strictEqual(error._tag, "OperationFailed")
          if (error._tag === "OperationFailed") {
            assert.strictEqual("error_report" in (error.view as object), errorReports)
          }
        })
      )
    }
  })
})

describe("choice 6: the words of failures", () => {
  it("each names the object by its capitalised label and uuid", () => {
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        yield* cluster.vanish(uuid)
        const gone = yield* Effect.flip(Settle.network(uuid))
        assert.strictEqual(
          gone.message,
          `Network ${uuid} went away while its operations were waited for (in the first listing)`
        )
        const other = yield* cluster.network()
        const made = yield* cluster.enqueue({
          targets: [{ type: "network", uuid: other.uuid }],
          tasks: ["network_ensure_mesh"],
          phases: [["queued", 1000], ["error"]]
        })
        const failed = yield* Effect.flip(Settle.network(other.uuid))
        assert.strictEqual(
          failed.message,
          `Network ${other.uuid}: cluster operation ${made.uuid} (net_op) (network_ensure_mesh) is in state error`
        )
      })
    )
    on({ as: "system", options: { without: [Settle.capability] } }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        const error = yield* Effect.flip(Settle.network(uuid))
        assert.strictEqual(
          error.message,
          `settle (Network ${uuid}): the server does not announce the capability object-pending-operations; ` +
            "server and client have to be of one revision"
        )
      })
    )
  })

  it("a limit of whole minutes is told in minutes, any other in seconds", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        for (const [timeout, words] of [
          ["1 minute", "within 1 minute "],
          ["5 minutes", "within 5 minutes "],
          ["90 seconds", "within 90 s "],
          ["0 seconds", "within 0 s "]
        ] as const) {
          assert.include((yield* Effect.flip(Settle.instance(uuid, { timeout }))).message, words)
        }
      })
    ))
})

describe("choice 8: the server looks for the object before it looks at the body", () => {
  it("a value of the wrong kind is a 404 where there is no such object, and a 400 where there is", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        // As a program without types would send it.
        const all = "banana" as unknown as boolean
        const missing = yield* Effect.flip(ClusterOperation.getInstanceClusterOperations({ ref: "nowhere", all }))
        assert.strictEqual(missing._tag, "NotFound")
        const { uuid } = yield* cluster.instance()
        const wrong = yield* Effect.flip(ClusterOperation.getInstanceClusterOperations({ ref: uuid, all }))
        assert.strictEqual(wrong._tag, "BadRequest")
      })
    ))
})
