import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { act, ask, get, messageOf } from "../support/ask.ts"

const seed: FakeCloud.Seed = { shares: [{ id: "one" }] }
const cloudWith = (options: FakeCloud.Options = {}) => FakeCloud.make({ seed, ...options })

describe("microversions", () => {
  const asked: ReadonlyArray<readonly [version: string | null, status: number, echoed: string | undefined]> = [
    [null, 200, "2.0"],
    ["2.0", 200, "2.0"],
    ["2.99", 200, "2.99"],
    [" 2.50 ", 200, "2.50"],
    ["2.100", 406, "2.100"],
    ["1.0", 406, "1.0"],
    ["3.0", 406, "3.0"],
    ["latest", 400, undefined],
    ["2", 400, undefined],
    ["2.07", 400, undefined],
    ["", 400, undefined]
  ]
  for (const [version, status, echoed] of asked) {
    it.effect(`${version ?? "no header"} is ${status} and echoed as ${echoed ?? "nothing"}`, () =>
      Effect.gen(function* () {
        const answer = yield* get(yield* cloudWith(), "/v2/shares", { version })
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers["x-openstack-manila-api-version"], echoed)
        assert.strictEqual(answer.headers["vary"], echoed === undefined ? undefined : "X-OpenStack-Manila-API-Version")
      })
    )
  }

  it.effect("above the maximum of the cloud are 406, and the documents say the maximum", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith({ microversion: { min: "2.10", max: "2.40" } })
      const above = yield* get(cloud, "/v2/shares", { version: "2.41" })
      assert.strictEqual(above.status, 406)
      assert.strictEqual(
        messageOf(above),
        "Version 2.41 is not supported by the API. Minimum is 2.10 and maximum is 2.40."
      )
      assert.strictEqual((yield* get(cloud, "/v2/shares", { version: "2.9" })).status, 406)
      for (const path of ["/", "/v2/"]) {
        const [version] = (yield* get(cloud, path, { version: null })).json.versions
        assert.deepStrictEqual([version.min_version, version.version], ["2.10", "2.40"])
      }
    })
  )

  it.effect("an operation outside its range is the ordinary 404 of the service", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const early = yield* get(cloud, "/v2/messages", { version: "2.36" })
      assert.strictEqual(early.status, 404)
      assert.deepStrictEqual(early.json, {
        itemNotFound: { code: 404, message: "The resource could not be found." }
      })
      assert.strictEqual((yield* get(cloud, "/v2/messages", { version: "2.37" })).status, 200)
    })
  )

  it.effect("actions lose their prefix at 2.7", () =>
    Effect.gen(function* () {
      const status = (action: string, version: string) =>
        Effect.flatMap(cloudWith(), (cloud) =>
          Effect.map(act(cloud, "one", action, { new_size: 2 }, { version }), (answer) => answer.status)
        )
      assert.deepStrictEqual(
        [
          yield* status("os-extend", "2.6"),
          yield* status("extend", "2.6"),
          yield* status("os-extend", "2.7"),
          yield* status("extend", "2.7")
        ],
        [202, 404, 404, 202]
      )
    })
  )

  it.effect("the experimental header is echoed, and needed where something is experimental", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const headers = { "x-openstack-manila-api-experimental": "yes" }
      assert.strictEqual(
        (yield* get(cloud, "/v2/shares", { headers })).headers["x-openstack-manila-api-experimental"],
        "True"
      )
      const reset = (version: string, more: object = {}) =>
        act(cloud, "one", "reset_task_state", { task_state: null }, { as: "admin", version, ...more })
      assert.strictEqual((yield* reset("2.95")).status, 404)
      assert.strictEqual((yield* reset("2.95", { headers })).status, 202)
      assert.strictEqual((yield* reset("2.96")).status, 202)
    })
  )

  it.effect("creating_from_snapshot shows from 2.54 on, with how far it is", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith({ seed: { ...seed, snapshots: [{ id: "snap", share_id: "one" }] } })
      const made = yield* ask(cloud, "POST", "/v2/shares", {
        body: { share: { share_proto: "NFS", size: 1, snapshot_id: "snap" } }
      })
      const { id } = made.json.share
      const seen = (version: string) =>
        Effect.map(get(cloud, `/v2/shares/${id}`, { version }), ({ json }) => [json.share.status, json.share.progress])
      assert.deepStrictEqual(yield* seen("2.99"), ["creating", null])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* seen("2.54"), ["creating_from_snapshot", "50%"])
      assert.deepStrictEqual(yield* seen("2.53"), ["creating", undefined])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* seen("2.99"), ["available", "100%"])
    })
  )
})

describe("paths", () => {
  it.effect("that nobody knows get the router's own 404, in the form the caller reads", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const json = yield* get(cloud, "/v2/nothing")
      assert.strictEqual(json.status, 404)
      assert.strictEqual(json.json.code, "404 Not Found")
      assert.deepStrictEqual(
        [json.headers["x-openstack-manila-api-version"], json.headers["x-compute-request-id"]],
        [undefined, undefined]
      )
      const html = yield* get(cloud, "/v2/nothing", { headers: { accept: "*/*" } })
      assert.match(html.headers["content-type"] ?? "", /^text\/html/)
      const plain = yield* get(cloud, "/v2/nothing", { headers: { accept: "" } })
      assert.match(plain.headers["content-type"] ?? "", /^text\/plain/)
      for (const [method, path] of [
        ["PUT", "/v2/shares"],
        ["PATCH", "/v2/shares/one"],
        ["HEAD", "/v2/shares"],
        ["GET", "/v2/shares/"],
        ["GET", "/v1/shares"]
      ] as const)
        assert.strictEqual((yield* ask(cloud, method, path)).status, 404, `${method} ${path}`)
    })
  )

  it.effect("may have the project's id, which links repeat; another's is malformed", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const { projectId } = cloud.credentials
      const with_ = yield* get(cloud, `/v2/${projectId}/shares/one`)
      assert.strictEqual(with_.json.share.links[0].href, `http://cloud/share/v2/${projectId}/shares/one`)
      assert.strictEqual(with_.json.share.links[1].href, `http://cloud/share/${projectId}/shares/one`)
      const without = yield* get(cloud, "/v2/shares/one")
      assert.strictEqual(without.json.share.links[0].href, "http://cloud/share/v2/shares/one")
      const foreign = yield* get(cloud, `/v2/${cloud.other.projectId}/shares/one`)
      assert.deepStrictEqual([foreign.status, messageOf(foreign)], [400, "Malformed request url"])
      assert.strictEqual((yield* get(cloud, "/v2/zz/shares/one")).json.title, "Not Found")
    })
  )

  it.effect("may have doubled slashes and a suffix", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      assert.strictEqual((yield* get(cloud, "/v2//shares")).status, 200)
      assert.strictEqual((yield* get(cloud, "/v2/shares.json")).status, 200)
    })
  )

  it.effect("the version documents: 300 for everybody, 200 with a token, and a redirect between", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      assert.strictEqual((yield* get(cloud, "/", { as: "nobody" })).status, 300)
      assert.strictEqual((yield* get(cloud, "/v2/", { as: "nobody" })).status, 401)
      assert.strictEqual((yield* get(cloud, "/v2/")).status, 200)
      const redirect = yield* get(cloud, "/v2")
      assert.deepStrictEqual([redirect.status, redirect.headers["location"]], [302, "http://cloud/share/v2/"])
    })
  )
})

describe("tokens", () => {
  it.effect("a missing, wrong or ended token is 401 with a challenge and no fault body", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith({ tokenLifetimeMillis: 60_000 })
      const missing = yield* get(cloud, "/v2/shares", { as: "nobody" })
      assert.strictEqual(missing.status, 401)
      assert.strictEqual(missing.headers["www-authenticate"], 'Keystone uri="http://cloud/identity"')
      assert.strictEqual(missing.json.error.code, 401)
      assert.strictEqual((yield* get(cloud, "/v2/shares", { headers: { "x-auth-token": "gAAAAAx" } })).status, 401)
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual((yield* get(cloud, "/v2/shares")).status, 200)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* get(cloud, "/v2/shares")).status, 401)
    })
  )

  it.effect("all end at once if a test says so, and a new one is good", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      yield* cloud.expireTokens
      assert.strictEqual((yield* get(cloud, "/v2/shares")).status, 401)
      const { username: name, password, domainId, projectId } = cloud.credentials
      const login = yield* ask(cloud, "POST", "/v3/auth/tokens", {
        service: "/identity",
        body: {
          auth: {
            identity: { methods: ["password"], password: { user: { name, password, domain: { id: domainId } } } },
            scope: { project: { id: projectId } }
          }
        }
      })
      const headers = { "x-auth-token": login.headers["x-subject-token"] ?? "" }
      assert.strictEqual((yield* get(cloud, "/v2/shares", { headers })).status, 200)
    })
  )
})

describe("bodies", () => {
  const cases: ReadonlyArray<readonly [what: string, body: unknown, status: number, headers?: Record<string, string>]> =
    [
      ["none", undefined, 400],
      ["no JSON", "{", 400],
      ["not said to be JSON", { share: {} }, 400, { "content-type": "text/plain" }],
      ["without the root", {}, 422],
      ["a list", [], 422],
      ["a root that is no object", { share: "x" }, 422],
      ["without size", { share: { share_proto: "NFS" } }, 500],
      ["without protocol", { share: { size: 1 } }, 500],
      ["size 0", { share: { share_proto: "NFS", size: 0 } }, 400],
      ["size as text", { share: { share_proto: "NFS", size: "2" } }, 200],
      ["half a size", { share: { share_proto: "NFS", size: 1.5 } }, 400],
      ["an unknown protocol", { share: { share_proto: "FTP", size: 1 } }, 400],
      ["two types", { share: { share_proto: "NFS", size: 1, share_type: "default", volume_type: "default" } }, 400],
      ["a type that is not there", { share: { share_proto: "NFS", size: 1, share_type: "x" } }, 404],
      ["a zone that is not there", { share: { share_proto: "NFS", size: 1, availability_zone: "x" } }, 404],
      ["a network that is not there", { share: { share_proto: "NFS", size: 1, share_network_id: "x" } }, 404],
      ["a snapshot that is not there", { share: { share_proto: "NFS", size: 1, snapshot_id: "x" } }, 404],
      ["public by a member", { share: { share_proto: "NFS", size: 1, is_public: true } }, 403],
      ["public or not", { share: { share_proto: "NFS", size: 1, is_public: "maybe" } }, 400],
      ["empty metadata", { share: { share_proto: "NFS", size: 1, metadata: { a: "" } } }, 400],
      ["metadata that is no text", { share: { share_proto: "NFS", size: 1, metadata: { a: 1 } } }, 400],
      ["a long name", { share: { share_proto: "NFS", size: 1, name: "a".repeat(256) } }, 400],
      ["too much", { share: { share_proto: "NFS", size: 1, x: "a".repeat(120_000) } }, 413]
    ]
  for (const [what, body, status, headers = {}] of cases) {
    it.effect(`a share with ${what} is ${status}`, () =>
      Effect.gen(function* () {
        const answer = yield* ask(yield* cloudWith(), "POST", "/v2/shares", { body, headers })
        assert.strictEqual(answer.status, status, answer.text)
      })
    )
  }

  it.effect("an action is one key that is known", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const post = (body: unknown) => ask(cloud, "POST", "/v2/shares/one/action", { body })
      assert.strictEqual(messageOf(yield* post(undefined)), "There is no such action: None")
      assert.strictEqual(messageOf(yield* post({ nonsense: 1 })), "There is no such action: nonsense")
      assert.strictEqual((yield* post({ extend: {}, shrink: {} })).status, 400)
      assert.strictEqual((yield* post({})).status, 400)
      assert.strictEqual((yield* post([1])).status, 404)
      assert.strictEqual((yield* post(5)).status, 404)
    })
  )

  it.effect("a read or delete with a body is 400", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      assert.strictEqual((yield* get(cloud, "/v2/shares/one", { body: {} })).status, 400)
      assert.strictEqual((yield* ask(cloud, "DELETE", "/v2/shares/one", { body: {} })).status, 400)
    })
  )
})

describe("request ids", () => {
  it.effect("are new on every answer, and the same in both headers", () =>
    Effect.gen(function* () {
      const cloud = yield* cloudWith()
      const a = yield* get(cloud, "/v2/shares")
      const b = yield* get(cloud, "/v2/shares/nope")
      assert.match(a.headers["x-openstack-request-id"] ?? "", /^req-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      assert.strictEqual(a.headers["x-compute-request-id"], a.headers["x-openstack-request-id"])
      assert.notStrictEqual(a.headers["x-openstack-request-id"], b.headers["x-openstack-request-id"])
    })
  )
})
