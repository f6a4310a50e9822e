import * as Settle from "@effect-manila/core/shakenfist/settle"
import type * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import type { Cluster, Scene, World } from "./support.ts"
import { busy, lines, now, on, times } from "./support.ts"

/** The helper settles an instance, as the administrator; `story` comes before. */
const settling = <A>(
  story: (cluster: Cluster, uuid: string) => Effect.Effect<unknown>,
  check: (
    outcome: Settle.SettleError | undefined,
    seen: { readonly uuid: string; readonly world: World }
  ) => Effect.Effect<A, unknown, ShakenFist.ShakenFist>,
  scene: Scene = {}
) =>
  on({ as: "system", ...scene }, (world) =>
    Effect.gen(function* () {
      const { uuid } = yield* world.cluster.instance()
      yield* story(world.cluster, uuid)
      const outcome = yield* Effect.match(Settle.instance(uuid), {
        onFailure: (error) => error,
        onSuccess: () => undefined
      })
      return yield* check(outcome, { uuid, world })
    })
  )

const returns = (outcome: Settle.SettleError | undefined) =>
  Effect.sync(() => assert.isUndefined(outcome, outcome?.message))

const listing = "/clusteroperations"

/** Something that is at work from the first listing to the second, 20 s later. */
const held = (cluster: Cluster, uuid: string) => busy(cluster, uuid, [["queued", 15_000], ["complete"]])

describe("settle", () => {
  it("(a) given no new error in the second listing, when the wait returns, then the helper returns", () =>
    settling(held, (outcome, { world }) =>
      Effect.gen(function* () {
        yield* returns(outcome)
        assert.deepStrictEqual(lines(world.calls()), [
          "GET /clusteroperations",
          "GET /instances/*",
          "GET /instances/*",
          "GET /instances/*",
          "GET /clusteroperations"
        ])
        assert.deepStrictEqual(times(world.calls()), [0, 0, 10_000, 20_000, 20_000])
      })
    ))

  it("(b) given a mutating operation absent at first and in error at second, when the wait returns, then it fails naming that operation", () => {
    let failing = ""
    settling(
      (cluster, uuid) =>
        Effect.gen(function* () {
          yield* held(cluster, uuid)
          yield* Effect.fork(
            Effect.delay(
              Effect.map(
                busy(cluster, uuid, [["queued", 1000], ["error"]], { type: "node_inst_op", tasks: ["instance_poke"] }),
                (made) => {
                  failing = made.uuid
                }
              ),
              5000
            )
          )
        }),
      (outcome, { uuid }) =>
        Effect.sync(() => {
          assert.strictEqual(outcome?._tag, "OperationFailed")
          if (outcome?._tag !== "OperationFailed") return
          assert.deepStrictEqual(
            [outcome.uuid, outcome.operationType, outcome.tasks, outcome.state],
            [failing, "node_inst_op", ["instance_poke"], "error"]
          )
          for (const part of [failing, `Instance ${uuid}`, "error", "instance_poke"]) {
            assert.include(outcome.message, part)
          }
        })
    )
  })

  it("a mutating operation queued at first and in error at second fails it, between two polls too", () =>
    settling(
      (cluster, uuid) => busy(cluster, uuid, [["queued", 12_000], ["executing", 2000], ["error"]]),
      (outcome) => Effect.sync(() => assert.strictEqual(outcome?._tag, "OperationFailed"))
    ))

  it("(c) given an operation in error in both listings, when the wait returns, then it is ignored", () =>
    settling((cluster, uuid) => Effect.zipRight(busy(cluster, uuid, [["error"]]), held(cluster, uuid)), returns))

  it("(d) given an observational operation newly in error, when the wait returns, then it is ignored", () =>
    settling(
      (cluster, uuid) =>
        Effect.zipRight(
          busy(cluster, uuid, [["queued", 5000], ["error"]], { observational: true }),
          held(cluster, uuid)
        ),
      returns
    ))

  it("(e) given the client times out, when helped, then the five-minute failure names label and uuid", () =>
    settling(
      (cluster, uuid) => busy(cluster, uuid),
      (outcome, { uuid, world }) =>
        Effect.gen(function* () {
          assert.strictEqual(outcome?._tag, "SettleTimedOut")
          assert.include(outcome?.message, `Instance ${uuid}`)
          assert.include(outcome?.message, "5 minutes")
          assert.strictEqual(yield* now, 300_000)
          // No second listing.
          assert.strictEqual(lines(world.calls()).filter((line) => line === "GET /clusteroperations").length, 1)
        })
    ))

  it("(f) given the capability is absent, when called, then it fails before any listing or wait", () =>
    settling(
      (cluster, uuid) => busy(cluster, uuid),
      (outcome, { uuid, world }) =>
        Effect.sync(() => {
          assert.strictEqual(outcome?._tag, "Incapable")
          for (const part of [Settle.capability, "of one revision", uuid]) assert.include(outcome?.message, part)
          assert.deepStrictEqual(lines(world.sent), ["GET /"])
        }),
      { options: { without: [Settle.capability] } }
    ))

  it("(g) given type, uuid and poll interval, when called, then the wait gets exactly them and timeout 300", () => {
    for (const [kind, seconds] of [
      ["instance", 7],
      ["network", 30],
      ["artifact", 60]
    ] as const) {
      on({ as: "system" }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster[kind]()
          yield* cluster.enqueue({ targets: [{ type: kind, uuid }] })
          const error = yield* Effect.flip(Settle.settle(kind, uuid, { interval: `${seconds} seconds` }))
          assert.strictEqual(error._tag, "SettleTimedOut")
          if (error._tag === "SettleTimedOut") assert.strictEqual(error.wait.limitMillis, 300_000)
          const looks = calls().filter(({ path }) => path === `/${kind}s/${uuid}`)
          const grid = Array.from({ length: Math.ceil(300 / seconds) }, (_, n) => n * seconds * 1000)
          assert.deepStrictEqual(times(looks), [...grid, 300_000])
        })
      )
    }
  })

  it("(h, review) given the wait raises incapable (field missing), then a named failure, no stack trace", () =>
    settling(
      (cluster, uuid) =>
        Effect.zipRight(
          held(cluster, uuid),
          cluster.editView(uuid, (view) => ({ ...view, has_pending_operations: undefined }))
        ),
      (outcome, { uuid }) =>
        Effect.sync(() => {
          assert.strictEqual(outcome?._tag, "Incapable")
          if (outcome?._tag !== "Incapable") return
          assert.deepStrictEqual(
            [outcome.operation, outcome.missing, outcome.target],
            ["settle", "field", `Instance ${uuid}`]
          )
          assert.include(outcome.message, `Instance ${uuid}`)
          assert.include(outcome.message, Settle.capability)
        })
    ))

  it("(i, review) given the object vanishes in the wait, then a named failure, no quiet return", () =>
    settling(
      (cluster, uuid) => Effect.zipRight(held(cluster, uuid), Effect.fork(Effect.delay(cluster.vanish(uuid), 5000))),
      (outcome, { uuid, world }) =>
        Effect.sync(() => {
          assert.strictEqual(outcome?._tag, "Gone")
          if (outcome?._tag !== "Gone") return
          assert.deepStrictEqual([outcome.uuid, outcome.during], [uuid, "the wait"])
          assert.include(outcome.message, `Instance ${uuid}`)
          assert.strictEqual(lines(world.calls()).filter((line) => line === "GET /clusteroperations").length, 1)
        })
    ))

  /** Lists without the flag, as a server before it, whatever else it says. */
  const withoutFlag = (nth: number, operations: ReadonlyArray<unknown>): Faults.Fault =>
    Faults.on({ path: listing, nth }, Faults.status(200, { body: JSON.stringify(operations) }))

  const raw = (uuid: string, state: string, more = {}) => ({
    operation_type: "node_inst_op",
    uuid,
    state,
    tasks: ["collect_billing_statistics", "health_check_kvm_process"],
    ...more
  })

  it("given a sweep operation with no observational key in error, then it fails (absent is false)", () =>
    settling(
      () => Effect.void,
      (outcome) => Effect.sync(() => assert.strictEqual(outcome?._tag, "OperationFailed")),
      { faults: [withoutFlag(1, []), withoutFlag(2, [raw("a", "error")])] }
    ))

  it("given an observational key of null, then it fails too", () =>
    settling(
      () => Effect.void,
      (outcome) => Effect.sync(() => assert.strictEqual(outcome?._tag, "OperationFailed")),
      { faults: [withoutFlag(1, []), withoutFlag(2, [raw("a", "error", { observational: null })])] }
    ))

  it("given two new errors, then the first in listing order is named", () =>
    settling(
      () => Effect.void,
      (outcome) => Effect.sync(() => assert.deepInclude({ ...outcome }, { _tag: "OperationFailed", uuid: "c" })),
      {
        faults: [
          withoutFlag(1, [raw("b", "error")]),
          withoutFlag(2, [
            raw("d", "complete"),
            raw("a", "error", { observational: true }),
            raw("b", "error"),
            raw("c", "error"),
            raw("e", "error")
          ])
        ]
      }
    ))

  it("given an operation queued at first and swept before second, then the helper returns", () =>
    settling(
      (cluster, uuid) =>
        Effect.gen(function* () {
          yield* held(cluster, uuid)
          const swept = yield* busy(cluster, uuid, [["queued", 2000], ["abort"]])
          yield* Effect.fork(Effect.delay(cluster.forget(swept.uuid), 12_000))
        }),
      returns
    ))

  it("given abort or deleted at second, then the helper returns", () => {
    for (const end of ["abort", "deleted"] as const) {
      settling((cluster, uuid) => busy(cluster, uuid, [["queued", 5000], [end]]), returns)
    }
  })

  it("given an error that was present at first and is gone at second, then the helper returns", () =>
    settling(
      (cluster, uuid) =>
        Effect.gen(function* () {
          yield* held(cluster, uuid)
          const errored = yield* busy(cluster, uuid, [["error"]])
          yield* Effect.fork(Effect.delay(cluster.forget(errored.uuid), 12_000))
        }),
      returns
    ))

  it("given error, then the object is retried under a new operation that completes, then it still fails on the errored one", () => {
    let errored = ""
    settling(
      (cluster, uuid) =>
        Effect.gen(function* () {
          errored = (yield* busy(cluster, uuid, [["queued", 3000], ["error"]])).uuid
          yield* busy(cluster, uuid, [["queued", 6000], ["executing", 3000], ["complete"]])
        }),
      (outcome) => Effect.sync(() => assert.deepInclude({ ...outcome }, { _tag: "OperationFailed", uuid: errored }))
    )
  })

  it("given a 404 from the first listing, then the same named failure as (i)", () =>
    settling(
      (cluster, uuid) => cluster.vanish(uuid),
      (outcome, { world }) =>
        Effect.sync(() => {
          assert.deepInclude({ ...outcome }, { _tag: "Gone", during: "the first listing" })
          assert.deepStrictEqual(lines(world.calls()), ["GET /clusteroperations"])
        })
    ))

  it("given a 404 from the second listing, then the same named failure too", () =>
    settling(
      held,
      (outcome) =>
        Effect.sync(() => assert.deepInclude({ ...outcome }, { _tag: "Gone", during: "the second listing" })),
      { faults: [Faults.on({ path: listing, nth: 2 }, FakeShakenFist.refusal(404, "instance not found"))] }
    ))

  it("given the network wrapper, then interval 5; the instance wrapper, then 10", () => {
    for (const [kind, seconds] of [
      ["network", 5],
      ["instance", 10]
    ] as const) {
      on({ as: "system" }, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster[kind]()
          yield* cluster.enqueue({ targets: [{ type: kind, uuid }] })
          const error = yield* Effect.flip(Settle[kind](uuid))
          assert.strictEqual(error._tag, "SettleTimedOut")
          assert.include(error.message, `${kind === "network" ? "Network" : "Instance"} ${uuid}`)
          const looks = times(calls().filter(({ path }) => path !== listing))
          assert.deepStrictEqual(looks.slice(0, 3), [0, seconds * 1000, seconds * 2000])
          assert.strictEqual(looks.at(-1), 300_000)
        })
      )
    }
  })

  it("a label of one's own stands in the messages, capitalised", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const error = yield* Effect.flip(Settle.instance(uuid, { label: "web server", timeout: "90 seconds" }))
        assert.strictEqual(error.message, `Web server ${uuid}: its operations did not complete within 90 s (10 looks)`)
      })
    ))

  it("operations of another object don't fail it", () =>
    settling(
      (cluster, uuid) =>
        Effect.gen(function* () {
          yield* held(cluster, uuid)
          const other = yield* cluster.instance()
          yield* busy(cluster, other.uuid, [["queued", 5000], ["error"]])
        }),
      returns
    ))

  it("the listing of a foreign object is refused as it is, and as the administrator's it is not", () => {
    on({ as: "other" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const error = yield* Effect.flip(Settle.instance(uuid))
        assert.strictEqual(error._tag, "Forbidden")
      })
    )
    on({ as: "system" }, ({ cluster }) => Effect.flatMap(cluster.instance(), ({ uuid }) => Settle.instance(uuid)))
  })

  it("without cluster-operations-by-target nothing is listed or waited for", () =>
    settling(
      () => Effect.void,
      (outcome, { world }) =>
        Effect.sync(() => {
          assert.strictEqual(outcome?._tag, "Incapable")
          assert.include(outcome?.message, "cluster-operations-by-target")
          assert.deepStrictEqual(world.calls(), [])
        }),
      { options: { without: ["cluster-operations-by-target"] } }
    ))
})
