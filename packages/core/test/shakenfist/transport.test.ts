import * as Artifact from "@effect-manila/core/shakenfist/Artifact"
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Network from "@effect-manila/core/shakenfist/Network"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { assert, describe, it } from "vitest"
import type { Cluster } from "./support.ts"
import { busy, lines, now, on, times } from "./support.ts"

const create = (network: string): Instance.Create => ({
  name: "web",
  cpus: 1,
  memory: 1024,
  networks: [{ network }],
  disks: [{ size: 8 }]
})

const ready = (cluster: Cluster) => Effect.map(cluster.network(), ({ uuid }) => create(uuid))

describe("a network's deletion", () => {
  it("given 202 on network delete, then the handle is polled until it is complete", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        yield* Network.deleteAndWait({ ref: uuid })
        assert.strictEqual(calls()[0]?.status, 202)
        assert.deepStrictEqual(lines(calls()), [
          "DELETE /networks/*",
          ...Array.from({ length: 4 }, () => "GET /clusteroperations/net_op/*")
        ])
        assert.strictEqual((yield* Network.get({ ref: uuid })).state, "deleted")
      })
    ))

  it("given 202 on network delete, ended in error gives the failed-operation error with the view", () =>
    on({ options: { lifecycles: { "network.delete": [["queued", 1000], ["executing", 1000], ["error"]] } } }, (world) =>
      Effect.gen(function* () {
        const { uuid } = yield* world.cluster.network()
        const error = yield* Effect.flip(Network.deleteAndWait({ ref: uuid }))
        assert.strictEqual(error._tag, "OperationFailed")
        if (error._tag !== "OperationFailed") return
        assert.deepStrictEqual([error.operationType, error.tasks, error.state], ["net_op", ["network_delete"], "error"])
        assert.deepInclude(error.view as object, { uuid: error.uuid, state: "error", network_uuid: uuid })
      })
    ))

  it("given 202 on network delete, aborted or deleted are failures too", () => {
    for (const end of ["abort", "deleted"] as const) {
      on({ options: { lifecycles: { "network.delete": [["queued", 1000], [end]] } } }, ({ cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.network()
          const error = yield* Effect.flip(Network.deleteAndWait({ ref: uuid }))
          assert.deepInclude({ ...error }, { _tag: "OperationFailed", state: end })
        })
      )
    }
  })

  it("given 202 on network delete, swept before the first poll gives not-found", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        const removal = yield* Network.remove({ ref: uuid })
        assert.isTrue("op_uuid" in removal)
        if (!("op_uuid" in removal)) return
        yield* cluster.forget(removal.op_uuid)
        const error = yield* Effect.flip(ClusterOperation.awaitOperation(removal))
        assert.strictEqual(error._tag, "NotFound")
      })
    ))

  it("waits until nothing is attached any more, and gives up with its operation", () => {
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        const instance = yield* cluster.instance({ networks: [uuid] })
        const waiting = yield* Effect.fork(Network.deleteAndWait({ ref: uuid }))
        yield* Effect.sleep("30 seconds")
        assert.strictEqual((yield* Network.get({ ref: uuid })).state, "delete-wait")
        yield* Instance.deleteAndWait({ ref: instance.uuid })
        yield* Fiber.join(waiting)
        assert.isBelow(yield* now, 60_000)
      })
    )
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        yield* cluster.instance({ networks: [uuid] })
        const error = yield* Effect.flip(Network.deleteAndWait({ ref: uuid }))
        assert.deepInclude({ ...error }, { _tag: "OperationFailed", state: "error" })
        assert.isAbove(yield* now, 525_000)
      })
    )
  }, 30_000)

  it("a server without network-delete-async answers with the network, which is waited for", () =>
    on({ options: { without: ["network-delete-async"] } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        yield* Network.deleteAndWait({ ref: uuid })
        assert.strictEqual(lines(calls()).at(-1), "GET /networks/*")
        assert.strictEqual(yield* now, 3000)
      })
    ))

  it("two requests at once may share one operation", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        assert.deepStrictEqual(yield* Network.remove({ ref: uuid }), yield* Network.remove({ ref: uuid }))
      })
    ))
})

describe("one operation", () => {
  it("with the strategy continue there is one look, given as it is", () =>
    on({ settings: { strategy: "continue" } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const made = yield* busy(cluster, uuid)
        const view = yield* ClusterOperation.awaitOperation({ op_type: "net_op", op_uuid: made.uuid })
        assert.deepStrictEqual([view.state, calls().length, yield* now], ["queued", 1, 0])
      })
    ))

  it("a time-out names the operation and its last state", () =>
    on({ settings: { strategy: "pause" } }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const made = yield* busy(cluster, uuid, [["executing"]])
        const error = yield* Effect.flip(ClusterOperation.awaitOperation({ op_type: "net_op", op_uuid: made.uuid }))
        assert.strictEqual(error._tag, "WaitTimedOut")
        assert.match(error.message, new RegExp(`${made.uuid}.*executing`))
        assert.strictEqual(yield* now, 60_000)
      })
    ))
})

describe("refusals that say 'not yet'", () => {
  const notReady = Faults.on(
    { method: "POST", path: "instances", nth: [1, 2] },
    FakeShakenFist.refusal(406, "network is not ready")
  )

  it("given 406 twice then 200 on create, then two 1 s sleeps", () =>
    on({ faults: [notReady] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { name } = yield* Instance.create(yield* ready(cluster))
        assert.strictEqual(name, "web")
        assert.deepStrictEqual(times(calls()), [0, 1000, 2000])
      })
    ))

  it("given 406 and strategy continue, then raised at once", () =>
    on({ settings: { strategy: "continue" }, faults: [notReady] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.create(yield* ready(cluster)))
        assert.deepStrictEqual([error._tag, calls().length, yield* now], ["NotReady", 1, 0])
      })
    ))

  it("a 406 is repeated until the strategy's time is over, and not past it", () => {
    const always = Faults.on({ method: "POST", path: "instances" }, FakeShakenFist.refusal(406))
    on({ settings: { strategy: "pause" }, faults: [always] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.create(yield* ready(cluster)))
        assert.deepStrictEqual([error._tag, calls().length, yield* now], ["NotReady", 61, 60_000])
      })
    )
  })

  it("one limit spans the 406s, the request and the wait", () => {
    const long = Faults.on({ method: "POST", path: "instances", nth: { from: 1, to: 15 } }, FakeShakenFist.refusal(406))
    on({ faults: [long] }, ({ cluster }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.createAndWait(yield* ready(cluster), { limit: "20 seconds" }))
        assert.strictEqual(error._tag, "WaitTimedOut")
        assert.strictEqual(yield* now, 20_000)
        if (error._tag === "WaitTimedOut") assert.deepStrictEqual([error.looks, error.status], [6, "creating"])
      })
    )
  })

  it("given 507 with transient true and the flag on, then Retry-After waited, at most 5 attempts", () => {
    for (const [retryAfter, seconds] of [
      ["7", 7],
      ["0", 1],
      ["600", 60],
      [undefined, 15],
      ["soon", 15]
    ] as const) {
      on({ settings: { retryTransientCapacity: true } }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          yield* cluster.refuseForRoom({ times: 9, isTransient: true, retryAfter })
          const error = yield* Effect.flip(Instance.create(yield* ready(cluster)))
          assert.deepInclude({ ...error }, { _tag: "InsufficientResources", transient: true })
          assert.deepStrictEqual(
            times(calls()),
            [0, 1, 2, 3, 4].map((n) => n * seconds * 1000)
          )
        })
      )
    }
  })

  it("given 507 that passes, then the instance is made", () =>
    on({ settings: { retryTransientCapacity: true } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        yield* cluster.refuseForRoom({ times: 2, isTransient: true, retryAfter: "3" })
        yield* Instance.create(yield* ready(cluster))
        assert.deepStrictEqual(times(calls()), [0, 3000, 6000])
      })
    ))

  it("a 507's wait is shortened to what is left of the deadline", () =>
    on({ settings: { retryTransientCapacity: true, strategy: "pause" } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        yield* cluster.refuseForRoom({ times: 9, isTransient: true, retryAfter: "40" })
        yield* Effect.flip(Instance.create(yield* ready(cluster)))
        assert.deepStrictEqual(times(calls()), [0, 40_000, 60_000])
      })
    ))

  it("given 507, flag off or not transient, raised at once", () => {
    for (const [retryTransientCapacity, isTransient] of [
      [false, true],
      [true, false]
    ] as const) {
      on({ settings: { retryTransientCapacity } }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          yield* cluster.refuseForRoom({ times: 1, isTransient, retryAfter: "3" })
          const error = yield* Effect.flip(Instance.create(yield* ready(cluster)))
          assert.deepStrictEqual([error._tag, calls().length], ["InsufficientResources", 1])
        })
      )
    }
  })
})

describe("answers", () => {
  it("given an HTML body on 502, then a plain API error with the text kept", () =>
    on({ faults: [Faults.on({ path: "instances/*" }, Faults.html(502))] }, ({ calls }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.get({ ref: "web" }))
        assert.strictEqual(error._tag, "Unexpected")
        if (error._tag !== "Unexpected") return
        assert.strictEqual(error.status, 502)
        assert.match(error.text, /^<html>.*502 Bad Gateway/)
        // Safe, so it was tried again.
        assert.strictEqual(calls().length, 3)
      })
    ))

  it("each status is an error of its own", () => {
    for (const [status, tag] of [
      [400, "BadRequest"],
      [401, "Unauthorized"],
      [403, "Forbidden"],
      [404, "NotFound"],
      [409, "Conflict"],
      [500, "Unavailable"],
      [503, "Unavailable"],
      [507, "InsufficientResources"],
      [302, "Unexpected"],
      [405, "Unexpected"],
      [418, "Unexpected"],
      [502, "Unexpected"],
      [504, "Unexpected"],
      [201, "Unexpected"]
    ] as const) {
      on({ faults: [Faults.on({ path: "instances/*" }, FakeShakenFist.refusal(status, "so it is"))] }, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Instance.get({ ref: "web" }))
          assert.strictEqual(error._tag, tag, String(status))
          assert.include(error.message, "so it is")
          assert.include(error.message, "instance.get")
        })
      )
    }
  })

  it("a request that changes something and is answered 5xx, or not at all, has an unknown outcome and is sent once", () => {
    for (const outcome of [
      ...[500, 502, 503, 504].map((status) => FakeShakenFist.refusal(status)),
      Faults.reset,
      Faults.truncate(5),
      Faults.malformed,
      Faults.hang
    ]) {
      const faults = [Faults.on({ method: "DELETE", path: "instances/*" }, outcome)]
      on({ faults, settings: { requestTimeout: "5 seconds" } }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          const error = yield* Effect.flip(Instance.remove({ ref: uuid }))
          assert.deepStrictEqual([error._tag, calls().length], ["OutcomeUnknown", 1])
        })
      )
    }
  })

  it("a request that changes something and is interrupted has an unknown outcome in its cause", () =>
    on({ faults: [Faults.on({ method: "DELETE" }, Faults.hang)] }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const running = yield* Effect.fork(Instance.remove({ ref: uuid }))
        yield* Effect.sleep("1 second")
        const exit = yield* Fiber.interrupt(running)
        assert.isTrue(Exit.isFailure(exit) && Cause.isInterrupted(exit.cause))
        if (Exit.isFailure(exit)) {
          const failures = Chunk.toReadonlyArray(Cause.failures(exit.cause))
          assert.deepStrictEqual(
            failures.map(({ _tag }) => _tag),
            ["OutcomeUnknown"]
          )
        }
      })
    ))

  it("a login that fails within a request that changes something leaves no doubt: it was not sent", () =>
    on({ faults: [Faults.on({ path: "/auth" }, FakeShakenFist.refusal(503, "database unavailable"))] }, (world) =>
      Effect.gen(function* () {
        const { uuid } = yield* world.cluster.instance()
        const error = yield* Effect.flip(Instance.remove({ ref: uuid }))
        assert.deepInclude({ ...error }, { _tag: "Unauthorized", status: 503 })
        assert.deepStrictEqual(world.calls(), [])
      })
    ))

  it("the refusal to delete several networks names those in use", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        yield* cluster.instance({ networks: [uuid] })
        const error = yield* Effect.flip(Network.removeAll({ namespace: "demo" }))
        assert.strictEqual(error._tag, "Forbidden")
        assert.include(error.message, `"unable":["${uuid}"]`)
      })
    ))

  it("an artifact that was deleted already is answered with null", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.artifact()
        assert.strictEqual((yield* Artifact.remove({ ref: uuid }))?.state, "deleted")
        assert.isNull(yield* Artifact.remove({ ref: uuid }))
      })
    ))
})

describe("authentication", () => {
  it("a wrong key and an unknown namespace are refused with their real status, once", () => {
    for (const [credentials, status] of [
      [{ key: "wrong" }, 401],
      [{ namespace: "nowhere" }, 404]
    ] as const) {
      on({ credentials }, ({ calls, sent }) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(Instance.get({ ref: "web" }))
          assert.deepInclude({ ...error }, { _tag: "Unauthorized", status })
          assert.deepStrictEqual([lines(sent), calls()], [["GET /", "POST /auth"], []])
        })
      )
    }
  })

  it("an administrator's route refuses others with a 401, which is renewed once and then told", () =>
    on({ as: "demo" }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        yield* cluster.instance()
        const service = yield* ShakenFist.ShakenFist
        const error = yield* Effect.flip(
          service.execute(
            { ...Instance.list, forms: [{ method: "GET", path: () => "/auth/namespaces" }], operation: "namespaces" },
            {}
          )
        )
        assert.strictEqual(error._tag, "Unauthorized")
        assert.deepStrictEqual(lines(sent), [
          "GET /",
          "POST /auth",
          "GET /auth/namespaces",
          "POST /auth",
          "GET /auth/namespaces"
        ])
      })
    ))

  it("a revoked token is renewed, whatever was asked with it, because the request says it reads no HTML", () =>
    on({}, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.get({ ref: uuid })
        yield* cluster.expireTokens
        yield* Instance.remove({ ref: uuid })
        assert.deepStrictEqual(
          sent.map(({ status }) => status),
          [200, 200, 200, 401, 200, 200]
        )
        assert.isTrue(sent.every(({ headers }) => headers["accept"] === "application/json"))
      })
    ))

  it("the login carries no token, and every other request does", () =>
    on({}, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.get({ ref: uuid })
        assert.deepStrictEqual(
          sent.map(({ headers }) => /^Bearer \S+$/.test(headers["authorization"] ?? "")),
          [false, false, true]
        )
        const { key, namespace } = cluster.demo
        assert.deepStrictEqual(JSON.parse(sent[1]?.body ?? ""), { key, namespace })
      })
    ))
})

describe("the root page", () => {
  it("a base that moved (301) is followed, and used from then on without a doubled slash", () =>
    on({ options: { basePath: "/api", movedFrom: "/old" }, path: "/old" }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.get({ ref: uuid })
        assert.deepStrictEqual(lines(sent), ["GET /old", "GET /api", "POST /api/auth", "GET /api/instances/*"])
      })
    ))

  it("a slash at the end of the URL does not double", () =>
    on({ options: { basePath: "/api" }, path: "/api/" }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.get({ ref: uuid })
        assert.deepStrictEqual(lines(sent), ["GET /api", "POST /api/auth", "GET /api/instances/*"])
      })
    ))

  it("an error is told as it is, not taken for a server without capabilities, and asked again next time", () =>
    on({ faults: [Faults.on({ path: "/", nth: [1, 2, 3] }, FakeShakenFist.refusal(503, "away"))] }, (world) =>
      Effect.gen(function* () {
        const { uuid } = yield* world.cluster.instance()
        const request = ClusterOperation.byTarget({ type: "instance", uuid })
        assert.strictEqual((yield* Effect.flip(request))._tag, "Unavailable")
        yield* request
      })
    ))

  it("is not followed in circles", () =>
    on({ faults: [Faults.on({ path: "/" }, Faults.status(301, { headers: { location: "/" } }))] }, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.get({ ref: "x" }))
        assert.match(error.message, /circles/)
      })
    ))

  it("fibers that come at once share one root page and one login", () =>
    on({ latency: "1 second" }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Effect.all(
          Array.from({ length: 4 }, () => Instance.get({ ref: uuid })),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(lines(sent), [
          "GET /",
          "POST /auth",
          ...Array.from({ length: 4 }, () => "GET /instances/*")
        ])
      })
    ))

  it("the one that asked first may be interrupted without harm to the others", () =>
    on({ latency: "1 second" }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const first = yield* Effect.fork(Instance.get({ ref: uuid }))
        const second = yield* Effect.fork(Effect.delay(Instance.get({ ref: uuid }), "100 millis"))
        yield* Effect.sleep("500 millis")
        yield* Fiber.interrupt(first)
        yield* Fiber.join(second)
        assert.strictEqual(lines(sent).filter((line) => line === "GET /").length, 1)
      })
    ))
})
