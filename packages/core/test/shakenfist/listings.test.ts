import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Network from "@effect-manila/core/shakenfist/Network"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import type { ShakenFistError } from "@effect-manila/core/shakenfist/ShakenFistError"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import type { Cluster } from "./support.ts"
import { busy, lines, on } from "./support.ts"

const { byTarget, chain, getArtifactClusterOperations, getInstanceClusterOperations, getNetworkClusterOperations } =
  ClusterOperation

/** A request without the client, as a script sends it. */
const raw = (
  cluster: Cluster,
  path: string,
  body = "",
  query: ReadonlyArray<readonly [string, string]> = [],
  as: "system" | "demo" = "system"
) =>
  Effect.gen(function* () {
    const ask = (
      method: string,
      path: string,
      body: string,
      query: ReadonlyArray<readonly [string, string]>,
      headers: Readonly<Record<string, string>>
    ) =>
      Effect.map(
        cluster.app({
          method,
          origin: InProcess.defaultOrigin,
          path,
          query,
          headers: { accept: "*/*", ...headers },
          body
        }),
        (reply) => (reply._tag === "Answer" ? reply.answer : assert.fail("no answer"))
      )
    const login = yield* ask("POST", "/auth", JSON.stringify(cluster[as]), [], {})
    const { access_token } = JSON.parse(login.body) as { readonly access_token: string }
    const answer = yield* ask("GET", path, body, query, { authorization: `Bearer ${access_token}` })
    return { status: answer.status, json: JSON.parse(answer.body) as unknown }
  })

const states = (json: unknown): ReadonlyArray<unknown> =>
  (json as ReadonlyArray<{ readonly state: unknown }>).map(({ state }) => state)

describe("listings", () => {
  it("given all=true in the body, then finished ones appear; given it in the query, then too; given body false and query true, then body wins", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["complete"]])
        yield* busy(cluster, uuid)
        const path = `/instances/${uuid}/clusteroperations`
        const all = ["queued", "complete"]
        assert.deepStrictEqual(states((yield* raw(cluster, path, '{"all": true}')).json), all)
        assert.deepStrictEqual(states((yield* raw(cluster, path, "", [["all", "true"]])).json), all)
        assert.deepStrictEqual(states((yield* raw(cluster, path, '{"all": false}', [["all", "true"]])).json), [
          "queued"
        ])
        assert.deepStrictEqual(states((yield* raw(cluster, path)).json), ["queued"])
        // And ours.
        assert.deepStrictEqual(states(yield* getInstanceClusterOperations({ ref: uuid, all: true })), all)
        assert.deepStrictEqual(states(yield* getInstanceClusterOperations({ ref: uuid })), ["queued"])
      })
    ))

  it('given all=false, then the body is `{"all":false}`, not empty, and no query is sent', () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const [instance, network, artifact] = [
          yield* cluster.instance(),
          yield* cluster.network(),
          yield* cluster.artifact()
        ]
        yield* getInstanceClusterOperations({ ref: instance.uuid, all: false })
        yield* getNetworkClusterOperations({ ref: network.uuid })
        yield* getArtifactClusterOperations({ ref: artifact.uuid, all: true })
        assert.deepStrictEqual(
          calls().map(({ body, method, query }) => [method, body, query]),
          [
            ["GET", '{"all":false}', ""],
            ["GET", '{"all":false}', ""],
            ["GET", '{"all":true}', ""]
          ]
        )
        assert.deepStrictEqual(lines(calls()), [
          "GET /instances/*/clusteroperations",
          "GET /networks/*/clusteroperations",
          "GET /artifacts/*/clusteroperations"
        ])
      })
    ))

  it("given all=banana, then 400", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const path = `/instances/${uuid}/clusteroperations`
        assert.strictEqual((yield* raw(cluster, path, '{"all": "banana"}')).status, 400)
        assert.strictEqual((yield* raw(cluster, path, "", [["all", "banana"]])).status, 400)
        // A body that wins is not looked behind.
        assert.strictEqual((yield* raw(cluster, path, '{"all": "on"}', [["all", "banana"]])).status, 200)
      })
    ))

  it("given each listed operation, then `observational` is present and boolean", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid, [["complete"]])
        yield* Effect.sleep("300 seconds")
        yield* busy(cluster, uuid, [["error"]])
        const listings = [
          yield* getInstanceClusterOperations({ ref: uuid, all: true }),
          yield* byTarget({ type: "instance", uuid })
        ]
        for (const listed of listings) {
          assert.deepStrictEqual(
            listed.map(({ observational }) => observational),
            [false, true]
          )
        }
      })
    ))

  it("given by-target of a foreign namespace as non-system, then 403; unknown uuid 404; unknown type 400; as system 200", () =>
    on({ as: "other" }, ({ client, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const tag = (type: string, uuid: string) =>
          Effect.map(Effect.flip(byTarget({ type, uuid })), ({ _tag }) => _tag)
        assert.strictEqual(yield* tag("instance", uuid), "Forbidden")
        assert.strictEqual(yield* tag("instance", "00000000-0000-4000-8000-000000000000"), "NotFound")
        assert.strictEqual(yield* tag("network", uuid), "NotFound")
        assert.strictEqual(yield* tag("gizmo", uuid), "BadRequest")
        yield* Effect.provide(byTarget({ type: "instance", uuid }), client("system"))
      })
    ))

  it("by-target lists every state, the newest first, and sends its parameters in the body", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        for (const state of ["queued", "executing", "complete", "abort", "deleted", "error"] as const) {
          yield* busy(cluster, uuid, [[state]])
        }
        assert.deepStrictEqual(states(yield* byTarget({ type: "instance", uuid })), [
          "error",
          "deleted",
          "abort",
          "complete",
          "executing",
          "queued"
        ])
        assert.strictEqual(calls()[0]?.body, `{"target_object_type":"instance","target_uuid":"${uuid}"}`)
      })
    ))

  it("given an absent cluster-operations-by-target, then incapable with no request", () =>
    on({ options: { without: ["cluster-operations-by-target"] } }, ({ calls }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(byTarget({ type: "instance", uuid: "x" }))
        assert.strictEqual(error._tag, "Incapable")
        assert.deepStrictEqual(calls(), [])
      })
    ))

  it("each wrapper is gated by its own capability", () => {
    for (const [token, request] of [
      ["instance-clusteroperations", getInstanceClusterOperations({ ref: "x" })],
      ["network-clusteroperations", getNetworkClusterOperations({ ref: "x" })],
      ["artifact-clusteroperations", getArtifactClusterOperations({ ref: "x" })],
      ["get-cluster-operations", ClusterOperation.get({ operationType: "net_op", uuid: "x" })],
      ["cluster-operation-chain", chain({ uuid: "x" })]
    ] as ReadonlyArray<readonly [string, Effect.Effect<unknown, ShakenFistError, ShakenFist.ShakenFist>]>) {
      on({ options: { without: [token] } }, ({ calls }) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(request)
          assert.deepInclude({ ...error }, { _tag: "Incapable", capability: token })
          assert.deepStrictEqual(calls(), [])
        })
      )
    }
  })

  it("given token `instance-agentoperations` absent but `instance-agentoperations-all` present, then the check is true (substring)", () => {
    on({ options: { without: ["instance-agentoperations"] } }, () =>
      Effect.gen(function* () {
        const { has } = yield* ShakenFist.ShakenFist
        assert.isTrue(yield* has("instance-agentoperations"))
      })
    )
    on({ options: { without: ["instance-agentoperations", "instance-agentoperations-all"] } }, () =>
      Effect.gen(function* () {
        const { has } = yield* ShakenFist.ShakenFist
        assert.isFalse(yield* has("instance-agentoperations"))
      })
    )
  })

  it("given a page that changes after construction, then the old answer stays", () =>
    on({}, ({ cluster, sent }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Settle.awaitNoPendingOperations("instance", uuid)
        yield* cluster.setCapability("cluster-operations-by-target", false)
        yield* byTarget({ type: "instance", uuid })
        assert.strictEqual(sent.filter(({ path }) => path === "/").length, 1)
      })
    ))

  it("a chain is the operation and what it depends on, the newest first", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const first = yield* busy(cluster, uuid, [["queued", 1000], ["complete"]])
        const second = yield* busy(cluster, uuid, [["executing", 1000], ["complete"]], { dependsOn: [first.uuid] })
        yield* busy(cluster, uuid)
        const listed = yield* chain({ uuid: second.uuid })
        assert.deepStrictEqual(
          listed.map(({ uuid }) => uuid),
          [second.uuid, first.uuid]
        )
      })
    ))

  it("a network can be listed as the upstream suite does: finished ones with all, none of those without", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* Network.createAndWait({ name: "net", netblock: "10.1.0.0/24" })
        yield* Settle.network(uuid)
        const all = yield* getNetworkClusterOperations({ ref: uuid, all: true })
        const finished = all.filter(({ state }) => ["complete", "deleted", "abort"].includes(state))
        assert.isAbove(finished.length, 0)
        assert.isTrue(all.every(({ observational }) => typeof observational === "boolean"))
        const path = `/networks/${uuid}/clusteroperations`
        const { json } = yield* raw(cluster, path, "", [["all", "true"]])
        assert.deepStrictEqual(states(json), states(all))
        const outstanding = yield* getNetworkClusterOperations({ ref: uuid })
        const uuids = new Set(all.map(({ uuid }) => uuid))
        assert.isFalse(outstanding.some(({ uuid }) => uuids.has(uuid)))
      })
    ))
})
