import * as Artifact from "@effect-manila/core/shakenfist/Artifact"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Network from "@effect-manila/core/shakenfist/Network"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as Configuration from "@effect-manila/core/shakenfist/Configuration"
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Server from "@effect-manila/test-kit/Server"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import type { Cluster } from "./support.ts"
import { busy, now, on, times } from "./support.ts"

const plain: Instance.Create = { name: "web", cpus: 1, memory: 1024, networks: [], disks: [{ size: 8 }] }

/** Shows states in turn, one a look. */
const showing = (cluster: Cluster, uuid: string, states: ReadonlyArray<string>) => {
  let look = 0
  return cluster.editView(uuid, (view) => ({ ...view, state: states[Math.min(look++, states.length - 1)] }))
}

describe("waiting for an instance to be created", () => {
  it("`error` and every suffixed one end it as failed, on the look that sees them; every other state is waited through", () => {
    for (const [states, tag, looks] of [
      [["initial", "preflight", "creating", "created"], "ok", 4],
      [["creating", "error"], "WaitFailed", 2],
      [["creating", "creating-error"], "WaitFailed", 2],
      [["creating", "x_error"], "WaitFailed", 2],
      [["initial-error"], "WaitFailed", 1],
      [["preflight-error", "error"], "WaitFailed", 1],
      [["creating", "delete-wait"], "WaitFailed", 2],
      [["creating", "deleted"], "WaitFailed", 2],
      [["something-new", "created"], "ok", 2]
    ] as const) {
      on({}, ({ calls, cluster }) =>
        Effect.gen(function* () {
          const { uuid } = yield* cluster.instance()
          yield* showing(cluster, uuid, states)
          const ended = yield* Effect.match(Instance.awaitCreated({ ref: uuid }), {
            onFailure: ({ _tag }) => _tag as string,
            onSuccess: ({ state }) => (state === "created" ? "ok" : String(state))
          })
          assert.deepStrictEqual([ended, calls().length], [tag, looks], states.join(", "))
        })
      )
    }
  })

  it("looks every 5 s, and ends at 600 s with a time-out that says what it saw", () =>
    on({ options: { lifecycles: { "instance.create": [["queued"]] } } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        void cluster
        const { uuid } = yield* Instance.create(plain)
        const error = yield* Effect.flip(Instance.awaitCreated({ ref: uuid }))
        assert.deepStrictEqual([error._tag, yield* now], ["WaitTimedOut", 600_000])
        assert.deepStrictEqual(times(calls()).slice(1, 4), [0, 5000, 10_000])
        assert.match(error.message, /last status initial for 600 s/)
      })
    ))

  it("one that was never there, and one that is taken away, are failures that are told apart", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const missing = yield* Effect.flip(Instance.awaitCreated({ ref: "nowhere" }))
        assert.strictEqual(missing._tag === "WaitFailed" ? missing.cause : missing._tag, "notFound")
        yield* cluster.lifecycle("instance.create", [["queued"]])
        const { uuid } = yield* Instance.create(plain)
        yield* Effect.fork(Effect.delay(cluster.vanish(uuid), "7 seconds"))
        const gone = yield* Effect.flip(Instance.awaitCreated({ ref: uuid }))
        assert.strictEqual(gone._tag === "WaitFailed" ? gone.cause : gone._tag, "goneAfterSeen")
      })
    ))

  it("asking and waiting looks every second for the strategy's time, and never gives an unfinished instance", () => {
    on({}, ({ calls }) =>
      Effect.gen(function* () {
        const made = yield* Instance.createAndWait(plain)
        assert.deepStrictEqual([made.state, yield* now, calls().length], ["created", 10_000, 12])
      })
    )
    on({ settings: { strategy: "pause" }, options: { lifecycles: { "instance.create": [["executing"]] } } }, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Instance.createAndWait(plain))
        assert.deepStrictEqual([error._tag, yield* now], ["WaitTimedOut", 60_000])
      })
    )
  })
})

describe("waiting for an instance to be deleted", () => {
  it("ends at `deleted`, though it is still there for its uuid", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance({ name: "web" })
        yield* Instance.deleteAndWait({ ref: "web" })
        assert.strictEqual(yield* now, 5000)
        assert.strictEqual((yield* Instance.get({ ref: uuid })).state, "deleted")
      })
    ))

  it("ends at once if it is not there", () => on({}, () => Instance.awaitDeleted({ ref: "nowhere" })))

  it("waits for its operation's turn, longer than a minute, and fails with it", () => {
    on({ options: { lifecycles: { "instance.delete": [["queued", 400_000], ["complete"]] } } }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.deleteAndWait({ ref: uuid })
        assert.strictEqual(yield* now, 400_000)
      })
    )
    on({ options: { lifecycles: { "instance.delete": [["queued", 3000], ["error"]] } } }, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const error = yield* Effect.flip(Instance.deleteAndWait({ ref: uuid }))
        assert.deepStrictEqual([error._tag, yield* now], ["WaitFailed", 3000])
      })
    )
  }, 30_000)

  it("an instance in error can be deleted, and its old error is not the end of it", () =>
    on({ options: { lifecycles: { "instance.create": [["error"]] } } }, ({ cluster }) =>
      Effect.gen(function* () {
        void cluster
        const { uuid } = yield* Instance.create(plain)
        yield* Effect.sleep("10 seconds")
        assert.strictEqual((yield* Instance.get({ ref: uuid })).state, "error")
        yield* Instance.deleteAndWait({ ref: uuid })
      })
    ))
})

describe("requests", () => {
  it("send what the Python client sends: nulls for what was not given, sorted, and no member of their own", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const network = yield* cluster.network()
        yield* Instance.create({ ...plain, networks: [{ network: network.uuid, address: "10.0.0.7" }] })
        yield* Network.create({ name: "n", netblock: "10.9.0.0/24" })
        yield* Artifact.create({ url: "https://images.test/x" })
        const [instance, net, artifact] = calls().map(({ body }) => body)
        assert.strictEqual(
          instance,
          '{"configdrive":null,"cpus":1,"disk":[{"base":null,"bus":null,"size":8,"type":"disk"}],"memory":1024,' +
            `"metadata":null,"name":"web","namespace":null,"network":[{"address":"10.0.0.7","network_uuid":"${network.uuid}"}],` +
            '"nvram_template":null,"secure_boot":false,"side_channels":null,"ssh_key":null,"uefi":false,' +
            '"user_data":null,"video":null}'
        )
        assert.strictEqual(
          net,
          '{"name":"n","namespace":null,"netblock":"10.9.0.0/24","provide_dhcp":true,"provide_nat":true}'
        )
        assert.strictEqual(artifact, '{"namespace":null,"shared":false,"url":"https://images.test/x"}')
      })
    ))

  it("without parameters have no body", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* Instance.get({ ref: uuid })
        yield* Artifact.list({})
        yield* Instance.remove({ ref: uuid })
        for (const { body, headers } of calls()) {
          assert.strictEqual(body, "")
          assert.notProperty(headers, "content-type")
        }
      })
    ))

  it("a reference from a person does not reach another route", () =>
    on({}, ({ sent }) =>
      Effect.gen(function* () {
        yield* Effect.flip(Instance.get({ ref: "a/../../auth/namespaces" }))
        assert.strictEqual(sent.at(-1)?.path, "/instances/a%2F..%2F..%2Fauth%2Fnamespaces")
      })
    ))

  it("lists, metadata and namespaces", () =>
    on({ as: "system" }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance({ name: "web" })
        yield* Instance.setMetadata({ ref: uuid, key: "colour", value: "red" })
        yield* Network.setMetadata({ ref: (yield* cluster.network()).uuid, key: "a b", value: [1] })
        assert.deepStrictEqual(yield* Instance.getMetadata({ ref: uuid }), { colour: "red" })
        yield* Instance.removeMetadata({ ref: uuid, key: "colour" })
        assert.deepStrictEqual(yield* Instance.getMetadata({ ref: uuid }), {})
        assert.deepStrictEqual(
          (yield* Instance.list({})).map(({ name }) => name),
          ["web"]
        )
        assert.strictEqual((yield* Instance.get({ ref: "web", namespace: "demo" })).uuid, uuid)
        assert.deepStrictEqual(yield* Instance.removeAll({ namespace: "demo" }), [uuid])
        assert.strictEqual(calls().at(-1)?.body, '{"confirm":true,"namespace":"demo"}')
      })
    ))

  it("a hot plug is settled by its instance", () =>
    on({ as: "system" }, ({ cluster }) =>
      Effect.gen(function* () {
        const network = yield* cluster.network()
        const { uuid } = yield* cluster.instance()
        const plugged = yield* Instance.plugInterface({ ref: uuid, network: { network: network.uuid } })
        assert.strictEqual(plugged.state, "initial")
        yield* Settle.instance(uuid)
        const [row] = yield* Instance.interfaces({ ref: uuid })
        assert.deepStrictEqual([row?.uuid, row?.state], [plugged.uuid, "created"])
      })
    ))

  it("fields that a newer server adds reach the caller", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* cluster.editView(uuid, (view) => ({ ...view, brand_new: { a: 1 } }))
        assert.deepInclude((yield* Instance.get({ ref: uuid })) as object, { brand_new: { a: 1 } })
      })
    ))

  it("an answer that is something else says where, and not what", () =>
    on({}, ({ cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* cluster.editView(uuid, (view) => ({ ...view, cpus: "a secret" }))
        const error = yield* Effect.flip(Instance.get({ ref: uuid }))
        assert.strictEqual(error._tag, "Malformed")
        assert.match(error.message, /cpus/)
        assert.notMatch(error.message, /a secret/)
      })
    ))
})

describe("on a real socket", () => {
  it("a GET and a DELETE carry their JSON bodies, and a bad token is a 401", async () => {
    const program = Effect.gen(function* () {
      const { app, cluster, variables } = yield* FakeShakenFist.makeApp()
      const server = yield* Server.make(app)
      const { SHAKENFIST_API_URL: url = "" } = variables(server.origin)
      const config = Configuration.make({ url, ...cluster.system })
      const client = Layer.provide(ShakenFist.layer(config), NodePlatform.layer)
      const { uuid } = yield* cluster.instance({ name: "web" })
      yield* busy(cluster, uuid, [["complete"]])
      yield* Effect.gen(function* () {
        const all = yield* ClusterOperation.getInstanceClusterOperations({ ref: "web", all: true, namespace: "demo" })
        assert.strictEqual(all.length, 1)
        yield* cluster.expireTokens
        yield* Settle.awaitNoPendingOperations("instance", uuid)
        assert.deepStrictEqual(yield* Instance.removeAll({ namespace: "demo" }), [uuid])
        const journal = yield* cluster.journal.entries
        assert.deepStrictEqual(
          journal.map(({ method, status }) => `${method} ${status}`),
          ["GET 200", "POST 200", "GET 200", "GET 401", "POST 200", "GET 200", "DELETE 200"]
        )
      }).pipe(Effect.provide(client))
    })
    await Effect.runPromise(Effect.scoped(program))
  })
})
