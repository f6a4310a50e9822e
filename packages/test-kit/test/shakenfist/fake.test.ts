/** The cluster's side of the wire: what a client in any language meets. */
import * as InvalidOption from "@effect-manila/test-kit/InvalidOption"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Server from "@effect-manila/test-kit/Server"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { request } from "node:http"
import { assert, describe, it } from "vitest"
import { client, login, on, op, send, until } from "./support.ts"

const instanceBody = { name: "web", cpus: 1, memory: 1024, disk: [{ size: 8 }], network: [] }

describe("the root page", () => {
  it("has each capability, and without one that is switched off no text that holds it", () => {
    for (const token of FakeShakenFist.capabilities) {
      on({ without: [token] }, (cluster) =>
        Effect.gen(function* () {
          const { headers, text } = yield* send(cluster, "GET", "/")
          assert.match(headers["content-type"] ?? "", /^text\/html/)
          const others = FakeShakenFist.capabilities.filter((other) => other !== token)
          for (const other of others) assert.include(text, other)
          // A token may be the beginning of another one.
          assert.strictEqual(
            text.includes(token),
            others.some((other) => other.includes(token)),
            token
          )
        })
      )
    }
  })

  it("needs no token, and neither do the health pages", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        for (const path of ["/", "/livez", "/readyz", "/healthz"]) {
          assert.strictEqual((yield* send(cluster, "GET", path)).status, 200)
        }
        assert.strictEqual((yield* send(cluster, "GET", "/instances")).status, 401)
      })
    ))

  it("may have moved: a 301 with where to", () =>
    on({ basePath: "/api", movedFrom: "/old" }, (cluster) =>
      Effect.gen(function* () {
        const { headers, status } = yield* send(cluster, "GET", "/old")
        assert.deepStrictEqual([status, headers["location"]], [301, "http://cluster.test/api"])
        assert.strictEqual((yield* send(cluster, "GET", "/instances")).status, 404)
        assert.strictEqual((yield* send(cluster, "GET", "/api")).status, 200)
      })
    ))

  it("a capability that is switched off takes what it announces with it", () =>
    on({ without: ["object-pending-operations", "network-delete-async"] }, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const { uuid } = yield* cluster.network()
        yield* cluster.enqueue({ targets: [{ type: "network", uuid }] })
        assert.notProperty((yield* ask("GET", `/networks/${uuid}`)).json, "has_pending_operations")
        const listed = (yield* ask("GET", `/networks/${uuid}/clusteroperations`)).json as ReadonlyArray<object>
        assert.notProperty(listed[0], "observational")
        const removed = yield* ask("DELETE", `/networks/${uuid}`)
        assert.deepStrictEqual([removed.status, (removed.json as { uuid: string }).uuid], [200, uuid])
        yield* cluster.setCapability("object-pending-operations", true)
        assert.propertyVal((yield* ask("GET", `/networks/${uuid}`)).json, "has_pending_operations", true)
      })
    ))
})

describe("logins and tokens", () => {
  it("give a token for 15 minutes, and say what is wrong", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const good = yield* send(cluster, "POST", "/auth", { body: cluster.demo })
        assert.deepInclude(good.json as object, { token_type: "Bearer", expires_in: 900 })
        for (const [body, status] of [
          [{ namespace: "demo" }, 400],
          [{ namespace: "demo", key: 7 }, 400],
          [{ namespace: "nowhere", key: "x" }, 404],
          [{ namespace: "demo", key: "x" }, 401],
          [{ ...cluster.demo, more: 1 }, 400]
        ] as const) {
          const refused = yield* send(cluster, "POST", "/auth", { body })
          assert.strictEqual(refused.status, status)
          assert.deepInclude(refused.json as object, { status })
          assert.isString((refused.json as { error: unknown }).error)
        }
      })
    ))

  it("end after their time, or when they are revoked", () =>
    on({ tokenLife: "10 seconds" }, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        assert.strictEqual((yield* ask("GET", "/instances")).status, 200)
        yield* until(10_000)
        assert.strictEqual((yield* ask("GET", "/instances")).status, 401)
        const again = yield* client(cluster)
        yield* cluster.expireTokens
        assert.strictEqual((yield* again("GET", "/instances")).status, 401)
      })
    ))

  it("a bad token sends a browser to the front page: whoever reads HTML, or doesn't say what it reads", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const bad = (accept: string | undefined) =>
          send(cluster, "GET", "/instances", {
            headers: { authorization: "Bearer nonsense", ...(accept === undefined ? {} : { accept }) }
          })
        for (const accept of [undefined, "text/html", "text/html,*/*"]) {
          const { headers, status } = yield* bad(accept)
          assert.deepStrictEqual([status, headers["location"]], [302, "/"])
          assert.match(headers["set-cookie"] ?? "", /1970/)
        }
        for (const accept of ["*/*", "application/json"]) assert.strictEqual((yield* bad(accept)).status, 401)
      })
    ))
})

describe("bodies", () => {
  it("are read on a GET, whatever their type; one that is no JSON counts as none, and one that is no object is refused", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const { uuid } = yield* cluster.instance()
        yield* op(cluster, uuid, [["complete"]])
        const listed = (request: object) => ask("GET", `/instances/${uuid}/clusteroperations`, request)
        const count = ({ json }: { readonly json: never }) => (json as ReadonlyArray<unknown>).length
        assert.strictEqual(
          count(yield* listed({ text: '{"all": true}', headers: { "content-type": "text/plain" } })),
          1
        )
        assert.strictEqual(count(yield* listed({ text: "all=true" })), 0)
        assert.strictEqual((yield* listed({ text: "[true]" })).status, 400)
        assert.strictEqual((yield* listed({ text: "3" })).status, 400)
      })
    ))

  it("with a member the route does not know are refused", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const { uuid } = yield* cluster.instance()
        for (const path of [`/instances/${uuid}`, "/instances", `/instances/${uuid}/clusteroperations`]) {
          const { json, status } = yield* ask("GET", path, { body: { surplus: 1 } })
          assert.strictEqual(status, 400)
          assert.match((json as { error: string }).error, /surplus/)
        }
      })
    ))

  it("with a member named as a part of the path take its place", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const one = yield* cluster.instance()
        const two = yield* cluster.instance()
        const { json } = yield* ask("GET", `/instances/${one.uuid}`, { body: { instance_ref: two.uuid } })
        assert.strictEqual((json as { uuid: string }).uuid, two.uuid)
      })
    ))

  it("win over the query, which only some routes read", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster, "system")
        const one = yield* cluster.instance({ name: "web" })
        const target = { target_object_type: "instance", target_uuid: one.uuid }
        const query = Object.entries(target)
        assert.strictEqual((yield* ask("GET", "/clusteroperations", { query })).status, 200)
        const mixed = { body: { target_object_type: "gizmo" }, query }
        assert.strictEqual((yield* ask("GET", "/clusteroperations", mixed)).status, 400)
        // `all` of a list of instances is not looked for there.
        const listed = yield* ask("GET", "/instances", { query: [["all", "banana"]] })
        assert.strictEqual(listed.status, 200)
      })
    ))
})

describe("who sees what", () => {
  it("objects of another namespace are not there, and the administrator's routes say unauthorized", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster, "other")
        const made = {
          instances: (yield* cluster.instance({ name: "web" })).uuid,
          networks: (yield* cluster.network()).uuid,
          artifacts: (yield* cluster.artifact()).uuid
        }
        for (const [collection, uuid] of Object.entries(made)) {
          for (const [method, path] of [
            ["GET", ""],
            ["DELETE", ""],
            ["GET", "/clusteroperations"],
            ["GET", "/metadata"]
          ] as const) {
            assert.strictEqual((yield* ask(method, `/${collection}/${uuid}${path}`)).status, 404)
          }
          assert.deepStrictEqual((yield* ask("GET", `/${collection}`)).json, [])
        }
        const named = yield* ask("GET", "/instances/web", { body: { namespace: "demo" } })
        assert.strictEqual(named.status, 404)
        assert.strictEqual((yield* ask("GET", "/auth/namespaces")).status, 401)
        const asSystem = yield* client(cluster, "system")
        assert.strictEqual((yield* asSystem("GET", `/instances/${made.instances}`)).status, 200)
        assert.strictEqual((yield* asSystem("GET", "/auth/namespaces")).status, 200)
      })
    ))

  it("a shared artifact is read by all, its operations too, and changed by its owner", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.artifact({ namespace: "system", isShared: true })
        const ask = yield* client(cluster)
        assert.strictEqual((yield* ask("GET", `/artifacts/${uuid}`)).status, 200)
        assert.strictEqual((yield* ask("GET", `/artifacts/${uuid}/clusteroperations`)).status, 200)
        assert.strictEqual((yield* ask("DELETE", `/artifacts/${uuid}`)).status, 404)
        assert.strictEqual((yield* ask("POST", "/artifacts", { body: { url: "x", shared: true } })).status, 403)
      })
    ))

  it("a name that two objects have is refused, and finds what is active only", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        yield* cluster.instance({ name: "web" })
        yield* cluster.instance({ name: "web" })
        assert.strictEqual((yield* ask("GET", "/instances/web")).status, 400)
        assert.strictEqual((yield* ask("GET", "/instances/none")).status, 404)
      })
    ))

  it("one operation is its objects' owner's, and a blob's the administrator's", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const made = yield* op(cluster, uuid, [["queued"]])
        const path = `/clusteroperations/net_op/${made.uuid}`
        assert.strictEqual((yield* (yield* client(cluster, "demo"))("GET", path)).status, 200)
        const other = yield* client(cluster, "other")
        assert.strictEqual((yield* other("GET", path)).status, 403)
        assert.strictEqual((yield* other("GET", `/clusteroperations/${made.uuid}/chain`)).status, 403)
        const system = yield* client(cluster, "system")
        assert.strictEqual((yield* system("GET", `/clusteroperations/art_op/${made.uuid}`)).status, 404)
        const blob = yield* cluster.blob
        const body = { target_object_type: "blob", target_uuid: blob.uuid }
        assert.strictEqual((yield* other("GET", "/clusteroperations", { body })).status, 403)
        assert.strictEqual((yield* system("GET", "/clusteroperations", { body })).status, 200)
      })
    ))
})

describe("instances and networks", () => {
  it("an operation is listed and pending at the moment the request is answered", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const network = yield* ask("POST", "/networks", { body: { name: "n", netblock: "10.2.0.0/24" } })
        const { uuid } = network.json as { readonly uuid: string }
        assert.deepInclude(network.json as object, { state: "initial", has_pending_operations: true })
        const listed = yield* ask("GET", `/networks/${uuid}/clusteroperations`)
        assert.strictEqual((listed.json as ReadonlyArray<unknown>).length, 1)
        yield* until(4000)
        assert.deepInclude((yield* ask("GET", `/networks/${uuid}`)).json as object, {
          state: "created",
          has_pending_operations: false
        })
      })
    ))

  it("an instance goes from initial over creating to created, its image first", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const body = { ...instanceBody, disk: [{ size: 8, base: "debian:12" }] }
        const { json } = yield* ask("POST", "/instances", { body })
        const { uuid } = json as { readonly uuid: string }
        const listed = (yield* ask("GET", `/instances/${uuid}/clusteroperations`)).json as ReadonlyArray<{
          readonly operation_type: string
          readonly tasks: ReadonlyArray<string>
        }>
        assert.deepStrictEqual(
          listed.map(({ operation_type, tasks }) => [operation_type, tasks.length]),
          [
            ["node_inst_netdesc_op", 2],
            ["artifact_fetch_op", 1]
          ]
        )
        const states: Array<string> = []
        for (let second = 0; second < 30; second++) {
          yield* until(second * 1000)
          const { state } = (yield* ask("GET", `/instances/${uuid}`)).json as { readonly state: string }
          if (states.at(-1) !== state) states.push(state)
        }
        assert.deepStrictEqual(states, ["initial", "creating", "created"])
      })
    ))

  it("an instance that fails says so in two steps", () =>
    on({ lifecycles: { "instance.create": [["executing", 2000], ["error"]] } }, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const { json } = yield* ask("POST", "/instances", { body: instanceBody })
        const { uuid } = json as { readonly uuid: string }
        const state = Effect.map(ask("GET", `/instances/${uuid}`), ({ json }) => (json as { state: string }).state)
        yield* until(2000)
        assert.strictEqual(yield* state, "creating-error")
        yield* until(3000)
        assert.strictEqual(yield* state, "error")
      })
    ))

  it("a hot plug is answered at once, and two operations do it, one after the other", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const network = yield* cluster.network()
        const { uuid } = yield* cluster.instance()
        const path = `/instances/${uuid}/interfaces`
        const plugged = yield* ask("POST", path, { body: { network: { network_uuid: network.uuid } } })
        assert.deepInclude(plugged.json as object, { state: "initial", instance_uuid: uuid, model: "virtio" })
        const ops = yield* cluster.operations({ type: "network", uuid: network.uuid })
        assert.deepStrictEqual(
          ops.map(({ tasks, type }) => [type, tasks]),
          [
            ["node_inst_net_iface_op", ["hot_plug_instance_interface"]],
            ["net_op", ["network_apply_create_network_node", "network_ensure_mesh"]]
          ]
        )
        yield* until(3500)
        assert.deepStrictEqual(
          (yield* cluster.operations({ type: "network", uuid: network.uuid })).map(({ state }) => state),
          ["queued", "complete"]
        )
        yield* until(10_000)
        const [row] = (yield* ask("GET", path)).json as ReadonlyArray<{ readonly state: string }>
        assert.strictEqual(row?.state, "created")
      })
    ))

  it("what isn't ready is 406, what is taken 409, and what can't be 400", () =>
    on({ lifecycles: { "network.create": [["queued"]] } }, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        const made = yield* ask("POST", "/networks", { body: { name: "n", netblock: "10.2.0.0/24" } })
        const slow = (made.json as { readonly uuid: string }).uuid
        const ready = yield* cluster.network()
        const create = (more: object) =>
          Effect.map(ask("POST", "/instances", { body: { ...instanceBody, ...more } }), ({ status }) => status)
        assert.strictEqual(yield* create({ network: [{ network_uuid: slow }] }), 406)
        const taken = [{ network_uuid: ready.uuid, address: "10.0.0.9" }]
        assert.strictEqual(yield* create({ network: taken }), 200)
        assert.strictEqual(yield* create({ network: taken }), 409)
        assert.strictEqual(yield* create({ network: [{ network_uuid: "nowhere" }] }), 404)
        for (const wrong of [
          { name: "a.b" },
          { name: "a".repeat(64) },
          { disk: [] },
          { secure_boot: true },
          { network: [{}] }
        ]) {
          assert.strictEqual(yield* create(wrong), 400, JSON.stringify(wrong))
        }
        for (const netblock of ["10.0.0.0/30", "10.0.0.0", "300.0.0.0/24"]) {
          assert.strictEqual((yield* ask("POST", "/networks", { body: { name: "n", netblock } })).status, 400)
        }
        assert.strictEqual((yield* (yield* client(cluster, "system"))("DELETE", "/networks/floating")).status, 403)
      })
    ))

  it("metadata is set, read and removed in the same way for each kind", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const ask = yield* client(cluster)
        for (const kind of ["instance", "network", "artifact"] as const) {
          const { uuid } = yield* cluster[kind]()
          const path = `/${kind}s/${uuid}/metadata`
          assert.strictEqual((yield* ask("PUT", `${path}/colour`, { body: { value: "red" } })).status, 200)
          assert.strictEqual((yield* ask("POST", path, { body: { key: "size", value: 3 } })).status, 200)
          assert.deepStrictEqual((yield* ask("GET", path)).json as unknown, { colour: "red", size: 3 })
          assert.strictEqual((yield* ask("DELETE", `${path}/size`)).status, 200)
          assert.strictEqual((yield* ask("DELETE", `${path}/size`)).status, 404)
        }
      })
    ))
})

describe("the cluster as an app", () => {
  it("is the same one for the same seed", () => {
    const page = () => on({}, (cluster) => Effect.map(cluster.instance(), ({ uuid }) => [uuid, cluster.demo.key]))
    assert.deepStrictEqual(page(), page())
  })

  it("refuses options that make no sense, by name", () => {
    for (const [options, option] of [
      [{ without: ["teleport"] }, "without"],
      [{ lifecycles: { sweep: [["asleep"]] } }, 'lifecycles["sweep"]'],
      [{ lifecycles: { sweep: [["queued"], ["complete"]] } }, 'lifecycles["sweep"]'],
      [{ upkeep: { tick: 0 } }, "upkeep.tick"]
    ] as const) {
      const exit = Effect.runSyncExit(FakeShakenFist.make(options as unknown as FakeShakenFist.Options))
      assert.isTrue(Exit.isFailure(exit))
      if (!Exit.isFailure(exit)) continue
      const [defect] = Cause.defects(exit.cause)
      assert.instanceOf(defect, InvalidOption.InvalidOption)
      assert.strictEqual((defect as InvalidOption.InvalidOption).option, option)
    }
  })

  it("takes faults in front of it, with the service's own bodies", () =>
    on({}, (cluster) =>
      Effect.gen(function* () {
        const faulty = yield* Faults.wrap(cluster, [
          Faults.on({ path: "instances", nth: 1 }, FakeShakenFist.refusal(503, "database unavailable"))
        ])
        const headers = yield* login(cluster)
        const { json, status } = yield* send({ ...cluster, app: faulty.app }, "GET", "/instances", { headers })
        assert.deepStrictEqual([status, json as unknown], [503, { error: "database unavailable", status: 503 }])
      })
    ))

  it("is served on a port, where a GET has a body", async () => {
    const program = Effect.gen(function* () {
      const { app, cluster, variables } = yield* FakeShakenFist.makeApp({ basePath: "/api" })
      const server = yield* Server.make(app)
      const { uuid } = yield* cluster.instance({ namespace: "system" })
      yield* op(cluster, uuid, [["complete"]])
      const { SHAKENFIST_API_URL: url, SHAKENFIST_KEY: key, SHAKENFIST_NAMESPACE: namespace } = variables(server.origin)
      const ask = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
        Effect.async<unknown>((resume) => {
          const length = { "content-length": String(body.length) }
          request(`${url}${path}`, { method, headers: { ...length, ...headers } }, (answer) => {
            let text = ""
            answer.on("data", (chunk: Buffer) => (text += chunk.toString()))
            answer.on("end", () => resume(Effect.sync(() => JSON.parse(text) as unknown)))
          }).end(body)
        })
      const token = yield* ask("POST", "/auth", JSON.stringify({ namespace, key }))
      const authorization = `Bearer ${(token as { access_token: string }).access_token}`
      return yield* ask("GET", `/instances/${uuid}/clusteroperations`, '{"all": true}', {
        authorization,
        accept: "*/*"
      })
    })
    const listed = await Effect.runPromise(Effect.scoped(program))
    assert.strictEqual((listed as ReadonlyArray<unknown>).length, 1)
  })
})
