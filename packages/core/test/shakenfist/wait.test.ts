import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type { Progress } from "@effect-manila/core/waiter/Progress"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { assert, describe, it } from "vitest"
import { busy, lines, now, on, times } from "./support.ts"

const { awaitNoPendingOperations } = Settle

const view = "instances/*"

describe("awaitNoPendingOperations", () => {
  it("given nothing pending, when waiting, then exactly one GET and no sleep", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual([lines(calls()), yield* now], [["GET /instances/*"], 0])
      })
    ))

  it("given pending for 3 polls, then 4 GETs at 0, i, 2i, 3i", () => {
    for (const seconds of [1, 5, 10]) {
      on({}, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid, [["queued", seconds * 2500], ["complete"]])
          yield* awaitNoPendingOperations("instance", uuid, { interval: `${seconds} seconds` })
          assert.deepStrictEqual(
            times(calls()),
            [0, 1, 2, 3].map((n) => n * seconds * 1000)
          )
        })
      )
    }
  })

  it("given pending for ever, timeout 300, interval 10, then timeout at 300 on the simulated clock, never before", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const error = yield* Effect.flip(
          awaitNoPendingOperations("instance", uuid, { timeout: "300 seconds", interval: "10 seconds" })
        )
        assert.strictEqual(error._tag, "WaitTimedOut")
        assert.deepStrictEqual(
          times(calls()),
          Array.from({ length: 31 }, (_, n) => n * 10_000)
        )
        assert.strictEqual(yield* now, 300_000)
        if (error._tag === "WaitTimedOut") {
          assert.deepStrictEqual([error.cause, error.status, error.looks], ["limit", "pending", 31])
          assert.deepStrictEqual(error.subject, { kind: "instance", id: uuid, verb: "settle" })
        }
      })
    ))

  it("given timeout 0 and pending, then one GET and timeout", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid, { timeout: 0 }))
        assert.deepStrictEqual([error._tag, calls().length, yield* now], ["WaitTimedOut", 1, 0])
      })
    ))

  it("given timeout 0 and not pending, then return", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* awaitNoPendingOperations("instance", uuid, { timeout: 0 })
        assert.strictEqual(calls().length, 1)
      })
    ))

  it("given interval larger than timeout, then two GETs, the second at the timeout", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const options = { timeout: "7 seconds", interval: "1 minute" } as const
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid, options))
        assert.deepStrictEqual([error._tag, times(calls())], ["WaitTimedOut", [0, 7000]])
      })
    ))

  it("given only observational work in flight, then return at once", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        for (const state of ["queued", "preflight", "executing", "error"] as const) {
          yield* busy(cluster, uuid, [[state]], { observational: true })
        }
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(calls().length, 1)
      })
    ))

  it("given a queued operation behind a newer complete one, then the wait holds and pointer polling would not", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const older = yield* busy(cluster, uuid, [["queued", 20_000], ["complete"]])
        const newer = yield* busy(cluster, uuid, [["complete"]])
        const { last_cluster_operation } = yield* Instance.get({ ref: uuid })
        assert.strictEqual(last_cluster_operation?.op_uuid, newer.uuid)
        assert.notStrictEqual(older.uuid, newer.uuid)
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 20_000)
      })
    ))

  it("given executing, then queued (deferred), then complete, then it waits through", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [
          ["queued", 1000],
          ["executing", 1000],
          ["queued", 15_000],
          ["executing", 1000],
          ["complete"]
        ])
        yield* awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual([yield* now, calls().length], [18_000, 19])
      })
    ))

  it("preflight is pending too", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["preflight", 3000], ["complete"]])
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 3000)
      })
    ))

  const without = (view: Readonly<Record<string, unknown>>) => {
    const { has_pending_operations: _, ...rest } = view
    return rest
  }

  it("given the capability but a view without the field, then incapable, on the first or any later poll", () => {
    for (const after of [0, 2500]) {
      on({}, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid)
          const waiting = yield* Effect.fork(Effect.flip(awaitNoPendingOperations("instance", uuid)))
          if (after === 0) yield* cluster.editView(uuid, without)
          else yield* Effect.delay(cluster.editView(uuid, without), after)
          const error = yield* Fiber.join(waiting)
          assert.strictEqual(error._tag, "Incapable")
          if (error._tag === "Incapable") {
            assert.deepStrictEqual([error.missing, error.capability], ["field", "object-pending-operations"])
          }
          assert.strictEqual(calls().length, after === 0 ? 1 : 4)
        })
      )
    }
  })

  it("given the field is null or a string, then incapable, never 'not pending'", () => {
    for (const value of [null, "false", "true", "", 0, 1, [], {}]) {
      on({}, ({ cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* cluster.editView(uuid, (view) => ({ ...view, has_pending_operations: value }))
          const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
          assert.strictEqual(error._tag, "Incapable", JSON.stringify(value))
        })
      )
    }
  })

  it("given the capability absent, then incapable and no request but the root page", () =>
    on({ options: { without: [Settle.capability] } }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
        assert.strictEqual(error._tag, "Incapable")
        assert.match(error.message, /object-pending-operations/)
        assert.deepStrictEqual(lines(sent), ["GET /"])
      })
    ))

  it("given an unknown kind, then a caller's error and no request at all", () =>
    on({}, ({ sent }) =>
      Effect.gen(function* () {
        // As a command line would give it.
        const error = yield* Effect.flip(awaitNoPendingOperations("blob" as Settle.Kind, "x"))
        assert.strictEqual(error._tag, "InvalidArgument")
        assert.deepStrictEqual(lines(sent), [])
      })
    ))

  it("given 404 on poll 3, then not-found", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        yield* Effect.fork(Effect.delay(cluster.vanish(uuid), 1500))
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
        assert.deepStrictEqual([error._tag, calls().length], ["NotFound", 3])
      })
    ))

  it("given soft delete by uuid, then normal return once the delete operation ends", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.remove({ ref: uuid })
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 5000)
        assert.strictEqual((yield* Instance.get({ ref: uuid })).state, "deleted")
      })
    ))

  it("given the object waited for by name is deleted, then not-found", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        yield* cluster.instance({ name: "web" })
        yield* Instance.remove({ ref: "web" })
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", "web"))
        assert.deepStrictEqual([error._tag, yield* now], ["NotFound", 5000])
      })
    ))

  it("given the token expires mid-wait, then one re-login and the wait goes on", () =>
    on({ options: { tokenLife: "2500 millis" } }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["queued", 4000], ["complete"]])
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 4000)
        const logins = sent.filter(({ path }) => path === "/auth")
        assert.deepStrictEqual(times(logins), [0, 3000])
        const at3 = sent.filter(({ time }) => time === 3000)
        assert.deepStrictEqual(
          at3.map(({ status }) => status),
          [401, 200, 200]
        )
      })
    ))

  it("given 401 twice in a row, then unauthenticated", () =>
    on(
      { faults: [Faults.on({ path: view, nth: { from: 3 } }, FakeShakenFist.refusal(401, "unauthorized"))] },
      (world) =>
        Effect.gen(function* () {
          const { calls, cluster, sent } = world
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid)
          const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
          assert.deepStrictEqual([error._tag, calls().length, yield* now], ["Unauthorized", 4, 2000])
          assert.strictEqual(sent.filter(({ path }) => path === "/auth").length, 2)
        })
    ))

  it("given 503 on one poll, then service-unavailable propagates by default", () =>
    on({ faults: [Faults.on({ path: view, nth: 2 }, FakeShakenFist.refusal(503, "database unavailable"))] }, (world) =>
      Effect.gen(function* () {
        const { uuid } = yield* world.cluster.instance()
        yield* busy(world.cluster, uuid)
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
        assert.deepStrictEqual([error._tag, world.calls().length], ["Unavailable", 2])
        assert.match(error.message, /database unavailable/)
      })
    ))

  it("given 503 on one poll, then it is retried only if asked for", () =>
    on({ faults: [Faults.on({ path: view, nth: 2 }, FakeShakenFist.refusal(503))] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["queued", 2500], ["complete"]])
        const events: Array<Progress> = []
        yield* awaitNoPendingOperations("instance", uuid, {
          patience: Patience.make({ tolerate: 1 }),
          onProgress: (event) => Effect.sync(() => void events.push(event))
        })
        assert.deepStrictEqual(times(calls()), [0, 1000, 2000, 3000])
        assert.strictEqual(events.filter(({ _tag }) => _tag === "Faulted").length, 1)
      })
    ))

  it("given a reset connection on one poll, then one immediate repeat, and the wait goes on", () =>
    on({ faults: [Faults.on({ path: view, nth: 2 }, Faults.reset)] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["queued", 1500], ["complete"]])
        yield* awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual(times(calls()), [0, 1000, 1000, 2000])
      })
    ))

  it("given a connection reset twice on one poll, then the transport's own fault", () =>
    on({ faults: [Faults.on({ path: view, nth: [2, 3] }, Faults.reset)] }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
        assert.deepStrictEqual([error._tag, calls().length, yield* now], ["TransportFault", 3, 1000])
      })
    ))

  it("an answer that is slow or cut short is not repeated at once", () => {
    for (const [outcome, settings] of [
      [Faults.truncate(10), {}],
      [Faults.malformed, {}],
      [Faults.hang, { requestTimeout: "3 seconds" }]
    ] as const) {
      on({ settings, faults: [Faults.on({ path: view }, outcome)] }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid))
          assert.deepStrictEqual([error._tag, calls().length], ["TransportFault", 1])
        })
      )
    }
  })

  it("given an interrupt during sleep, then no further GET", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const waiting = yield* Effect.fork(awaitNoPendingOperations("instance", uuid, { interval: "10 seconds" }))
        yield* Effect.sleep("15 seconds")
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
        assert.strictEqual(yield* now, 15_000)
        yield* Effect.sleep("10 minutes")
        assert.strictEqual(calls().length, 2)
      })
    ))

  it("given a namespace and no get-instance-namespace, then incapable", () => {
    for (const [kind, token] of [
      ["instance", "get-instance-namespace"],
      ["network", "get-network-namespace"]
    ] as const) {
      on({ as: "system", options: { without: [token] } }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          yield* cluster[kind]({ name: "web" })
          const error = yield* Effect.flip(awaitNoPendingOperations(kind, "web", { namespace: "demo" }))
          assert.strictEqual(error._tag, "Incapable")
          assert.include(error.message, token)
          assert.deepStrictEqual(calls(), [])
        })
      )
    }
  })

  it("a namespace is sent in the body, and none if none was given", () =>
    on({ as: "system" }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance({ name: "web", namespace: "other" })
        yield* awaitNoPendingOperations("instance", "web", { namespace: "other" })
        yield* awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual(
          calls().map(({ body }) => body),
          ['{"namespace":"other"}', ""]
        )
      })
    ))

  it("given artifact, network and instance, then the right path each", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        for (const kind of ["artifact", "network", "instance"] as const) {
          const { uuid } = yield* cluster[kind]()
          yield* awaitNoPendingOperations(kind, uuid)
        }
        assert.deepStrictEqual(lines(calls()), ["GET /artifacts/*", "GET /networks/*", "GET /instances/*"])
      })
    ))

  it("given an operation that errors, then the wait returns normally", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        for (const end of ["error", "abort", "deleted"] as const) {
          yield* busy(cluster, uuid, [["executing", 2500], [end]])
        }
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 3000)
      })
    ))

  it("given work of another object, then not held", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const one = yield* cluster.instance()
        const two = yield* cluster.instance()
        yield* busy(cluster, two.uuid)
        yield* awaitNoPendingOperations("instance", one.uuid)
        assert.strictEqual(yield* now, 0)
      })
    ))

  it("agent operations don't hold a wait", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* cluster.agentOperation(uuid)
        yield* awaitNoPendingOperations("instance", uuid)
        assert.strictEqual(yield* now, 0)
      })
    ))

  it("given two waits at once, then independent clocks and results", () =>
    on({}, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const one = yield* cluster.instance()
        const two = yield* cluster.network()
        yield* busy(cluster, one.uuid, [["queued", 12_000], ["complete"]])
        yield* cluster.enqueue({ targets: [{ type: "network", uuid: two.uuid }] })
        const first = yield* Effect.fork(
          Effect.zipRight(Effect.either(awaitNoPendingOperations("instance", one.uuid)), now)
        )
        yield* Effect.sleep("3 seconds")
        const second = yield* Effect.fork(
          Effect.zipRight(
            Effect.either(
              awaitNoPendingOperations("network", two.uuid, { timeout: "20 seconds", interval: "3 seconds" })
            ),
            now
          )
        )
        assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [12_000, 23_000])
        // And one login for both.
        assert.strictEqual(sent.filter(({ path }) => path === "/auth").length, 1)
      })
    ))

  it("parallel waits whose token ends share one re-login", () =>
    on({ options: { tokenLife: "1500 millis" } }, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const uuids = yield* Effect.forEach(Array.from({ length: 5 }), () =>
          Effect.gen(function* () {
            const { uuid } = yield* cluster.instance()
            yield* busy(cluster, uuid, [["queued", 2000], ["complete"]])
            return uuid
          })
        )
        yield* Effect.forEach(uuids, (uuid) => awaitNoPendingOperations("instance", uuid), { concurrency: 5 })
        assert.deepStrictEqual(times(sent.filter(({ path }) => path === "/auth")), [0, 2000])
      })
    ))

  it("given no interval, then a look every second", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["queued", 3000], ["complete"]])
        yield* awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual(times(calls()), [0, 1000, 2000, 3000])
      })
    ))

  it("given no timeout, then the async strategy's: nothing, a minute, an hour", () => {
    for (const [strategy, millis] of [
      ["continue", 0],
      ["pause", 60_000],
      ["block", 3_600_000],
      [undefined, 3_600_000]
    ] as const) {
      on({ settings: { strategy } }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid)
          const options = { interval: "30 seconds" } as const
          const error = yield* Effect.flip(awaitNoPendingOperations("instance", uuid, options))
          // The others are refused for a token that ended.
          const looks = calls().filter(({ status }) => status === 200).length
          assert.deepStrictEqual([error._tag, yield* now, looks], ["WaitTimedOut", millis, millis / 30_000 + 1])
        })
      )
    }
  }, 30_000)
})
