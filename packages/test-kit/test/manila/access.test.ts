import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Lifecycle from "@effect-manila/test-kit/Lifecycle"
import { act, ask, type Asked, type Cloud, get, messageOf } from "../support/ask.ts"

const seed: FakeCloud.Seed = { shares: [{ id: "one", name: "one" }] }

const allow = (cloud: Cloud, rule: object = {}, asked: Asked = {}) =>
  act(
    cloud,
    "one",
    Number((asked.version ?? "2.99").slice(2)) < 7 ? "os-allow_access" : "allow_access",
    { access_type: "ip", access_to: "10.0.0.0/24", ...rule },
    asked
  )

const rule = (cloud: Cloud, id: string) =>
  Effect.map(get(cloud, `/v2/share-access-rules/${id}`), (answer) =>
    answer.status === 404 ? "gone" : answer.json.access.state
  )

const shareRules = (cloud: Cloud, version = "2.99") =>
  Effect.map(get(cloud, "/v2/shares/one", { version }), (answer) => answer.json.share.access_rules_status)

describe("an access rule", () => {
  it.effect("is queued, applied and active, and the share syncs meanwhile", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const made = yield* allow(cloud, { metadata: { k: "v" } })
      assert.strictEqual(made.status, 200)
      const { access } = made.json
      assert.deepStrictEqual(
        [access.state, access.access_level, access.metadata, access.updated_at, access.access_key],
        ["queued_to_apply", "rw", { k: "v" }, null, null]
      )
      assert.strictEqual(yield* shareRules(cloud), "syncing")
      assert.strictEqual(yield* shareRules(cloud, "2.27"), "out_of_sync")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* rule(cloud, access.id), "applying")
      yield* TestClock.adjust("2 seconds")
      const done = yield* get(cloud, `/v2/share-access-rules/${access.id}`)
      assert.deepStrictEqual(
        [done.json.access.state, done.json.access.updated_at],
        ["active", "1970-01-01T00:00:03.000000"]
      )
      assert.strictEqual(yield* shareRules(cloud), "active")
    })
  )

  it.effect("below 2.28 says what became of all rules of its share", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { ...seed, accessRules: [{ id: "old", share_id: "one", access_to: "10.9.9.9" }] }
      })
      assert.strictEqual((yield* allow(cloud, {}, { version: "2.6" })).json.access.state, "new")
      const states = (version: string) =>
        Effect.map(
          act(cloud, "one", version === "2.0" ? "os-access_list" : "access_list", null, { version }),
          (answer) => answer.json.access_list.map((one: { state: string }) => one.state)
        )
      assert.deepStrictEqual(yield* states("2.0"), ["new", "new"])
      assert.deepStrictEqual(yield* states("2.27"), ["new", "new"])
      assert.deepStrictEqual(yield* states("2.28"), ["active", "queued_to_apply"])
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* states("2.0"), ["active", "active"])
    })
  )

  it.effect("that fails leaves error on the share and a message about it", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed,
        lifecycles: {
          "access.create": { phases: Lifecycle.phases(["queued_to_apply", 1], "error"), reason: { detailId: "020" } }
        }
      })
      yield* allow(cloud)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* shareRules(cloud), "error")
      const [message] = (yield* get(cloud, "/v2/messages?resource_id=one")).json.messages
      assert.deepStrictEqual([message.action_id, message.detail_id, message.resource_type], ["010", "020", "SHARE"])
      // Before 2.28 no rule may be added while one is in error.
      assert.strictEqual((yield* allow(cloud, { access_to: "10.1.1.1" }, { version: "2.27" })).status, 400)
      assert.strictEqual((yield* allow(cloud, { access_to: "10.1.1.1" }, { version: "2.28" })).status, 200)
    })
  )

  it.effect("is denied, shown until it is gone, and may be denied twice", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { ...seed, accessRules: [{ id: "rule", share_id: "one" }] } })
      const deny = act(cloud, "one", "deny_access", { access_id: "rule" })
      assert.strictEqual((yield* deny).status, 202)
      assert.strictEqual((yield* deny).status, 202)
      assert.strictEqual(yield* rule(cloud, "rule"), "queued_to_deny")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* rule(cloud, "rule"), "denying")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* rule(cloud, "rule"), "gone")
      assert.strictEqual((yield* deny).status, 404)
      assert.strictEqual(yield* shareRules(cloud), "active")
    })
  )

  it.effect("that changes its level is answered with the state from before", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { ...seed, accessRules: [{ id: "rule", share_id: "one" }] } })
      const update = (level: string, version = "2.99") =>
        ask(cloud, "PUT", "/v2/share-access-rules/rule", { version, body: { update_access: { access_level: level } } })
      assert.strictEqual((yield* update("ro", "2.87")).status, 404)
      assert.strictEqual((yield* update("rx")).status, 400)
      const changed = yield* update("ro")
      assert.deepStrictEqual([changed.json.access.state, changed.json.access.access_level], ["active", "ro"])
      assert.strictEqual(yield* rule(cloud, "rule"), "queued_to_update")
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* rule(cloud, "rule"), "active")
    })
  )

  it.effect("of cephx has a key once it is active", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const made = yield* allow(cloud, { access_type: "cephx", access_to: "alice" })
      assert.strictEqual(made.json.access.access_key, null)
      yield* TestClock.adjust("3 seconds")
      const { access } = (yield* get(cloud, `/v2/share-access-rules/${made.json.access.id}`)).json
      assert.match(access.access_key, /^.{38}==$/)
    })
  )

  it.effect("for the same network is the same rule, however it is written", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      yield* allow(cloud, { access_to: "10.1.1.1" })
      const twin = yield* allow(cloud, { access_to: "10.1.1.1/32" })
      assert.strictEqual(twin.status, 400)
      assert.strictEqual(messageOf(twin), "Share access ip:10.1.1.1/32 exists.")
      assert.strictEqual((yield* allow(cloud, { access_to: "10.1.1.0/255.255.255.0" })).status, 200)
      assert.strictEqual((yield* allow(cloud, { access_to: "10.1.1.0/24" })).status, 400)
      assert.strictEqual((yield* allow(cloud, { access_to: "fd00::/64" })).status, 200)
      assert.strictEqual((yield* allow(cloud, { access_to: "fd00:0::0/64" })).status, 400)
    })
  )
})

describe("an access target", () => {
  const targets: ReadonlyArray<readonly [type: string, to: string, status: number, version?: string]> = [
    ["ip", "10.0.0.1", 200],
    ["ip", "10.0.0.0/8", 200],
    ["ip", "0.0.0.0/0", 200],
    ["ip", "10.0.0", 400],
    ["ip", "10.0.0.256", 400],
    ["ip", "10.0.0.01", 400],
    ["ip", "10.0.0.1/24", 400],
    ["ip", "10.0.0.0/33", 400],
    ["ip", "10.0.0.0/24/1", 400],
    ["ip", "fd00::1", 200],
    ["ip", "fd00::/32", 200],
    ["ip", "1:2:3:4:5:6:7:8", 200],
    ["ip", "::ffff:10.0.0.1", 200],
    ["ip", "fd00::1/64", 400],
    ["ip", "fd00::1::2", 400],
    ["ip", "1:2:3:4:5:6:7", 400],
    ["ip", "fd00::1", 400, "2.37"],
    ["user", "alice", 200],
    ["user", "bob", 400],
    ["user", "a/bcde", 400],
    ["user", "....", 400],
    ["cert", "host.example", 200],
    ["cert", "a".repeat(65), 400],
    ["cert", " ", 400],
    ["cephx", "alice", 200],
    ["cephx", "client.alice", 400],
    ["cephx", "", 400],
    ["cephx", "alice", 400, "2.12"],
    ["nonsense", "x", 400]
  ]
  for (const [type, to, status, version = "2.99"] of targets) {
    it.effect(`${type} ${to.slice(0, 30)} is ${status} at ${version}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed })
        const answer = yield* allow(cloud, { access_type: type, access_to: to }, { version })
        assert.strictEqual(answer.status, status, answer.text)
      })
    )
  }

  it.effect("that is missing makes the service stumble", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      assert.strictEqual((yield* act(cloud, "one", "allow_access", {})).status, 500)
      assert.strictEqual((yield* act(cloud, "one", "allow_access", null)).status, 500)
      assert.strictEqual((yield* act(cloud, "one", "deny_access", {})).status, 500)
      assert.strictEqual((yield* act(cloud, "one", "deny_access", null)).status, 400)
    })
  )
})

describe("both ways of asking", () => {
  it.effect("the action ends at 2.44 and the resource begins at 2.45", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { ...seed, accessRules: [{ id: "rule", share_id: "one" }] } })
      const action = (version: string, name: string) =>
        Effect.map(act(cloud, "one", name, null, { version }), (answer) => answer.status)
      const resource = (version: string) =>
        Effect.map(get(cloud, "/v2/share-access-rules?share_id=one", { version }), (answer) => answer.status)
      assert.deepStrictEqual(
        [
          yield* action("2.6", "os-access_list"),
          yield* action("2.6", "access_list"),
          yield* action("2.7", "os-access_list"),
          yield* action("2.44", "access_list"),
          yield* action("2.45", "access_list")
        ],
        [200, 404, 404, 200, 404]
      )
      assert.deepStrictEqual([yield* resource("2.44"), yield* resource("2.45")], [404, 200])
    })
  )

  it.effect("the list needs a share, and its filters are checked from 2.82", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          ...seed,
          accessRules: [
            { id: "r1", share_id: "one", access_to: "10.1.1.1", metadata: { k: "v" } },
            { id: "r2", share_id: "one", access_type: "user", access_to: "alice", access_level: "ro" }
          ]
        }
      })
      const list = (query: string, version = "2.99") => get(cloud, `/v2/share-access-rules${query}`, { version })
      const ids = (query: string) =>
        Effect.map(list(query), (answer) => answer.json.access_list.map((one: { id: string }) => one.id))
      assert.strictEqual((yield* list("")).status, 400)
      assert.strictEqual((yield* list("?share_id=nope")).status, 400)
      assert.deepStrictEqual(yield* ids("?share_id=one&access_type=user"), ["r2"])
      assert.deepStrictEqual(yield* ids("?share_id=one&access_level=rw"), ["r1"])
      assert.deepStrictEqual(yield* ids("?share_id=one&metadata={'k':'v'}"), ["r1"])
      assert.strictEqual((yield* list("?share_id=one&access_to=10.1.1.1")).status, 400)
      assert.strictEqual((yield* list("?share_id=one&access_to=10.1.1.1", "2.81")).status, 200)
      assert.strictEqual((yield* list("?share_id=one&access_type=x")).status, 400)
    })
  )

  it.effect("metadata of a rule is added to, and answered with what was added", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { ...seed, accessRules: [{ id: "rule", share_id: "one", metadata: { k: "v" } }] }
      })
      const put = (metadata: unknown) =>
        ask(cloud, "PUT", "/v2/share-access-rules/rule/metadata", { body: { metadata } })
      const remove = ask(cloud, "DELETE", "/v2/share-access-rules/rule/metadata/k")
      assert.deepStrictEqual((yield* put({ a: "b" })).json, { metadata: { a: "b" } })
      const shown = yield* get(cloud, "/v2/share-access-rules/rule")
      assert.deepStrictEqual(shown.json.access.metadata, { k: "v", a: "b" })
      assert.strictEqual(messageOf(yield* put({ a: "" })), "Invalid metadata.")
      assert.strictEqual((yield* remove).status, 200)
      assert.strictEqual((yield* remove).status, 404)
    })
  )

  it.effect("a rule of a share that is nobody's business is not there", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { ...seed, accessRules: [{ id: "rule", share_id: "one" }] } })
      assert.strictEqual((yield* get(cloud, "/v2/share-access-rules/rule", { as: "other" })).status, 404)
      assert.strictEqual((yield* act(cloud, "one", "deny_access", { access_id: "rule" }, { as: "other" })).status, 404)
    })
  )
})
