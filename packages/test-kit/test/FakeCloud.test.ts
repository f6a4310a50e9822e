import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Lifecycle from "@effect-manila/test-kit/Lifecycle"
import { act, ask, createShare, get, messageOf, statusOf } from "./support/ask.ts"

describe("a lifecycle", () => {
  it.effect("a share is creating for six seconds and available after", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const id = yield* createShare(cloud)
      assert.strictEqual(yield* statusOf(cloud, id), "creating")
      yield* TestClock.adjust("5999 millis")
      assert.strictEqual(yield* statusOf(cloud, id), "creating")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* statusOf(cloud, id), "available")
    })
  )

  it.effect("each call of an action takes the next of its lifecycles, and the last one stays", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        lifecycles: { "share.create": [{ phases: [{ status: "error" }] }, { phases: [{ status: "available" }] }] }
      })
      const statuses: Array<string> = []
      for (let n = 0; n < 3; n++) statuses.push(yield* statusOf(cloud, yield* createShare(cloud)))
      assert.deepStrictEqual(statuses, ["error", "available", "available"])
    })
  )

  it.effect("after gone the share is a 404 and no longer listed", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shares: [{ id: "one" }] } })
      yield* ask(cloud, "DELETE", "/v2/shares/one")
      assert.strictEqual(yield* statusOf(cloud, "one"), "deleting")
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(yield* statusOf(cloud, "one"), "gone")
      assert.deepStrictEqual((yield* get(cloud, "/v2/shares")).json.shares, [])
      assert.strictEqual((yield* ask(cloud, "DELETE", "/v2/shares/one")).status, 404)
    })
  )

  it.effect("the size of an extended share changes when it is available again, not before", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shares: [{ id: "one", size: 2 }] } })
      assert.strictEqual((yield* act(cloud, "one", "extend", { new_size: 5 })).status, 202)
      yield* TestClock.adjust("3999 millis")
      const during = yield* get(cloud, "/v2/shares/one")
      yield* TestClock.adjust("1 millis")
      const after = yield* get(cloud, "/v2/shares/one")
      assert.deepStrictEqual([during.json.share.status, during.json.share.size], ["extending", 2])
      assert.deepStrictEqual([after.json.share.status, after.json.share.size], ["available", 5])
    })
  )

  it.effect("a failed or rolled back resize leaves the size, and says why", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shares: [
            { id: "up", size: 2 },
            { id: "down", size: 2 }
          ]
        },
        lifecycles: {
          "share.extend": { phases: Lifecycle.phases(["extending", "1 second"], "extending_error"), reason: {} },
          "share.shrink": {
            phases: Lifecycle.phases(["shrinking", "1 second"], "available"),
            effect: "none",
            reason: { detailId: "018" }
          }
        }
      })
      yield* act(cloud, "up", "extend", { new_size: 5 })
      yield* act(cloud, "down", "shrink", { new_size: 1 })
      yield* TestClock.adjust("10 seconds")
      const up = yield* get(cloud, "/v2/shares/up")
      const down = yield* get(cloud, "/v2/shares/down")
      assert.deepStrictEqual([up.json.share.status, up.json.share.size], ["extending_error", 2])
      assert.deepStrictEqual([down.json.share.status, down.json.share.size], ["available", 2])
      const told = (yield* get(cloud, "/v2/messages?sort_key=action_id&sort_dir=asc")).json.messages
      assert.deepStrictEqual(
        told.map((one: Record<string, string>) => [one.action_id, one.detail_id, one.resource_id]),
        [
          ["008", "015", "up"],
          ["009", "018", "down"]
        ]
      )
    })
  )

  it.effect("a phase without an end stands until a request changes it", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        lifecycles: { "share.create": { phases: [{ status: "creating" }] } },
        tokenLifetimeMillis: 1e12
      })
      const id = yield* createShare(cloud)
      yield* TestClock.adjust("365 days")
      assert.strictEqual(yield* statusOf(cloud, id), "creating")
      yield* act(cloud, id, "reset_status", { status: "available" }, { as: "admin" })
      assert.strictEqual(yield* statusOf(cloud, id), "available")
    })
  )

  it.effect("a test gives an object another future", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const share = yield* cloud.share({ size: 3 })
      yield* cloud.script(share.id, Lifecycle.phases(["migrating", "1 minute"], "available"))
      assert.strictEqual(yield* statusOf(cloud, share.id), "migrating")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(cloud, share.id), "available")
      yield* cloud.script(share.id, [{ status: "gone" }])
      assert.strictEqual(yield* statusOf(cloud, share.id), "gone")
    })
  )

  it.effect("a changed lifecycle counts from the next call on", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const first = yield* createShare(cloud)
      yield* cloud.lifecycle("share.create", { phases: [{ status: "error" }] })
      const second = yield* createShare(cloud)
      assert.strictEqual(yield* statusOf(cloud, first), "creating")
      assert.strictEqual(yield* statusOf(cloud, second), "error")
    })
  )
})

describe("a reason", () => {
  const failing: Lifecycle.Lifecycle = {
    phases: Lifecycle.phases(["creating", "10 seconds"], "error"),
    reason: { detailId: "008" }
  }

  it.effect("becomes a message when the failure is reached, with the request that began it", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ lifecycles: { "share.create": failing } })
      const made = yield* ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size: 1 } } })
      const id = made.json.share.id
      yield* TestClock.adjust("9999 millis")
      assert.deepStrictEqual((yield* get(cloud, `/v2/messages?resource_id=${id}`)).json.messages, [])
      yield* TestClock.adjust("1 millis")
      const [message] = (yield* get(cloud, `/v2/messages?resource_id=${id}`)).json.messages
      assert.strictEqual(message.request_id, made.headers["x-openstack-request-id"])
      assert.strictEqual(message.action_id, "001")
      assert.strictEqual(message.detail_id, "008")
      assert.strictEqual(message.message_level, "ERROR")
      assert.strictEqual(message.resource_type, "SHARE")
      assert.strictEqual(message.created_at, "1970-01-01T00:00:10.000000")
      assert.strictEqual(message.expires_at, "1970-01-31T00:00:10.000000")
      assert.match(message.user_message, /^allocate host: ./)
    })
  )

  it.effect("never appears if the failure is overtaken", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ lifecycles: { "share.create": failing } })
      const id = yield* createShare(cloud)
      yield* TestClock.adjust("5 seconds")
      yield* act(cloud, id, "reset_status", { status: "available" }, { as: "admin" })
      yield* TestClock.adjust("30 minutes")
      assert.deepStrictEqual((yield* get(cloud, "/v2/messages")).json.messages, [])
    })
  )

  it.effect("may bring its own words, which stand after the action's name", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { shares: [{ id: "one" }] },
        lifecycles: {
          "share.delete": {
            phases: Lifecycle.phases(["deleting", "1 second"], "error_deleting"),
            reason: { message: "the disk is on fire" }
          }
        }
      })
      yield* ask(cloud, "DELETE", "/v2/shares/one")
      yield* TestClock.adjust("1 second")
      const [message] = (yield* get(cloud, "/v2/messages")).json.messages
      assert.strictEqual(message.user_message, "delete: the disk is on fire")
      assert.strictEqual(yield* statusOf(cloud, "one"), "error_deleting")
    })
  )

  it.effect("a share no back end was found for is deleted on the spot", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ lifecycles: { "share.create": failing } })
      const id = yield* createShare(cloud)
      yield* TestClock.adjust("10 seconds")
      const admin = yield* get(cloud, `/v2/shares/${id}`, { as: "admin" })
      assert.deepStrictEqual([admin.json.share.host, admin.json.share.availability_zone], [null, null])
      assert.strictEqual((yield* ask(cloud, "DELETE", `/v2/shares/${id}`)).status, 202)
      assert.strictEqual(yield* statusOf(cloud, id), "gone")
    })
  )
})

describe("options", () => {
  const refusal = (options: FakeCloud.Options) =>
    Effect.map(Effect.exit(FakeCloud.make(options)), (exit) => {
      assert(Exit.isFailure(exit))
      const [defect] = Cause.defects(exit.cause)
      return String(defect instanceof Error ? defect.message : defect)
    })

  const cases: ReadonlyArray<readonly [FakeCloud.Options, RegExp]> = [
    [{ lifecycles: { "share.create": { phases: [] } } }, /^lifecycles\["share.create"\]\.phases: /],
    [
      { lifecycles: { "share.extend": [{ phases: [{ status: "extending" }, { status: "available" }] }] } },
      /^lifecycles\["share.extend"\]\[0\]\.phases\[0\]\.millis: .*never comes/
    ],
    [
      { lifecycles: { "share.delete": { phases: [{ status: "gone", millis: 1 }, { status: "available" }] } } },
      /phases\[0\]\.status: nothing can follow gone/
    ],
    [{ lifecycles: { "share.delete": { phases: [{ status: "x", millis: -1 }, { status: "gone" }] } } }, /millis: .*-1/],
    [
      { lifecycles: { "share.create": { phases: [{ status: "error" }], reason: { detailId: "8" } } } },
      /reason\.detailId/
    ],
    [
      { lifecycles: JSON.parse('{"share.made":{"phases":[{"status":"x"}]}}') },
      /^lifecycles\["share.made"\]: .*no such/
    ],
    [{ seed: { shares: [{}, { size: 1.5 }] } }, /^seed\.shares\[1\]\.size: /],
    [{ seed: { shares: [{ share_type: "nope" }] } }, /^seed\.shares\[0\]\.share_type: .*nope/],
    [{ seed: { shares: [{ id: "a" }, { id: "a" }] } }, /^seed\.shares\[1\]\.id: .*twice/],
    [{ seed: { shares: [{ status: "gone" }] } }, /^seed\.shares\[0\]\.status: /],
    [{ seed: { shares: [{ status: "error", phases: [{ status: "error" }] }] } }, /^seed\.shares\[0\]\.status: /],
    [{ seed: { shares: [{ created_at: "yesterday" }] } }, /^seed\.shares\[0\]\.created_at: /],
    [{ seed: { shares: [{ share_proto: "FTP" }] } }, /^seed\.shares\[0\]\.share_proto: /],
    [{ seed: { snapshots: [{ share_id: "nope" }] } }, /^seed\.snapshots\[0\]\.share_id: /],
    [{ seed: { accessRules: [{ share_id: "nope" }] } }, /^seed\.accessRules\[0\]\.share_id: /],
    [{ seed: { messages: [{ action_id: "x" }] } }, /^seed\.messages\[0\]\.action_id: /],
    [{ microversion: { max: "2.100" } }, /^microversion\.max: /],
    [{ microversion: { min: "2.9", max: "2.5" } }, /^microversion\.min: /],
    [{ tokenLifetimeMillis: 0 }, /^tokenLifetimeMillis: /],
    [{ pageCap: -1 }, /^pageCap: /],
    [{ quotas: { shares: 1.5 } }, /^quotas\.shares: /],
    [{ catalog: [{ type: "" }] }, /^catalog\[0\]\.type: /]
  ]

  it.effect("that make no sense are refused by name", () =>
    Effect.forEach(cases, ([options, expected]) =>
      Effect.map(refusal(options), (message) => assert.match(message, expected))
    )
  )

  it.effect("the same random seed makes the same cloud", () =>
    Effect.gen(function* () {
      const ids = Effect.flatMap(FakeCloud.make(), (cloud) => createShare(cloud))
      const [a, b, c] = yield* Effect.all([
        Effect.withRandom(ids, Random.make("a")),
        Effect.withRandom(ids, Random.make("a")),
        Effect.withRandom(ids, Random.make("b"))
      ])
      assert.strictEqual(a, b)
      assert.notStrictEqual(a, c)
    })
  )

  it.effect("a seeded object may have a future of its own", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shares: [{ id: "one", phases: Lifecycle.phases(["extending", "1 minute"], "extending_error"), reason: {} }]
        }
      })
      assert.strictEqual(yield* statusOf(cloud, "one"), "extending")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(cloud, "one"), "extending_error")
      assert.strictEqual((yield* get(cloud, "/v2/messages?resource_id=one")).json.messages.length, 1)
    })
  )
})

describe("the journal", () => {
  it.effect("has every request with its answer, and can be counted and cleared", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      yield* get(cloud, "/v2/shares?name=x", { version: "2.50" })
      yield* TestClock.adjust("2 seconds")
      yield* get(cloud, "/v2/shares/nope")
      yield* get(cloud, "/v3", { service: "/identity" })
      yield* ask(cloud, "POST", "/v2/shares", { body: {} })
      const entries = yield* cloud.journal.entries
      assert.deepStrictEqual(
        entries.map((entry) => [entry.time, entry.method, entry.path, entry.status, entry.service]),
        [
          [0, "GET", "/share/v2/shares", 200, "share"],
          [2000, "GET", "/share/v2/shares/nope", 404, "share"],
          [2000, "GET", "/identity/v3", 200, "identity"],
          [2000, "POST", "/share/v2/shares", 422, "share"]
        ]
      )
      assert.deepStrictEqual([entries[0]?.query, entries[0]?.microversion], [[["name", "x"]], "2.50"])
      assert.match(entries[0]?.requestId ?? "", /^req-[\da-f-]{36}$/)
      assert.strictEqual(yield* cloud.journal.count({ service: "share" }), 3)
      assert.strictEqual(yield* cloud.journal.count({ path: /shares$/, method: "post" }), 1)
      assert.strictEqual((yield* cloud.journal.filter({ status: 404 })).length, 1)
      yield* cloud.journal.clear
      assert.strictEqual(yield* cloud.journal.count(), 0)
    })
  )
})

describe("quotas", () => {
  it.effect("one share too many is 413 with a Retry-After of 0", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ quotas: { shares: 1 } })
      yield* createShare(cloud)
      const second = yield* ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size: 1 } } })
      assert.strictEqual(second.status, 413)
      assert.strictEqual(second.headers["retry-after"], "0")
      assert.strictEqual(second.json.overLimit.retryAfter, "0")
      assert.match(messageOf(second), /^ShareLimitExceeded: .*\(1\)/)
      assert.strictEqual(
        (yield* ask(cloud, "POST", "/v2/shares", { as: "other", body: { share: { share_proto: "NFS", size: 1 } } }))
          .status,
        200
      )
    })
  )

  it.effect("gigabytes are 413 on create and 403 on extend, and a size that is to come counts", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        quotas: { gigabytes: 4, per_share_gigabytes: 3 },
        seed: { shares: [{ id: "one" }] }
      })
      const big = yield* ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size: 4 } } })
      assert.match(messageOf(big), /ShareSizeExceedsLimit/)
      assert.strictEqual((yield* act(cloud, "one", "extend", { new_size: 3 })).status, 202)
      const create = yield* ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size: 2 } } })
      assert.deepStrictEqual([create.status, create.headers["retry-after"]], [413, "0"])
      yield* createShare(cloud)
      yield* cloud.share({ id: "two" })
      const extend = yield* act(cloud, "two", "extend", { new_size: 2 })
      assert.deepStrictEqual([extend.status, extend.headers["retry-after"]], [403, undefined])
    })
  )

  it.effect("a snapshot too many is 413, and a changed limit counts at once", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ quotas: { snapshots: 0 }, seed: { shares: [{ id: "one" }] } })
      const snap = ask(cloud, "POST", "/v2/snapshots", { body: { snapshot: { share_id: "one" } } })
      assert.strictEqual((yield* snap).status, 413)
      yield* cloud.setQuota({ snapshots: 1 })
      assert.strictEqual((yield* snap).status, 202)
      assert.strictEqual((yield* snap).status, 413)
    })
  )
})
