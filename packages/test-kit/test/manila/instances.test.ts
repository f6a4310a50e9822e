/** Share instances: what an administrator sees of them, and what happens to their share; as the service does, measured. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import { ask, type Asked, type Cloud, get, messageOf } from "../support/ask.ts"

const admin = { as: "admin" } as const
const specs = { driver_handles_share_servers: "False", replication_type: "readable" }

const seed: FakeCloud.Seed = {
  shareTypes: [{ name: "replicated", extra_specs: specs }],
  shares: [
    { id: "plain", instance_id: "plain-instance" },
    { id: "copied", instance_id: "first", share_type: "replicated" }
  ],
  replicas: [{ id: "second", share_id: "copied", replica_state: "in_sync" }]
}

const refused = (cloud: Cloud, method: string, path: string, asked: Asked = admin) =>
  Effect.map(ask(cloud, method, path, asked), (answer) => [answer.status, messageOf(answer)])

const action = (cloud: Cloud, id: string, body: object, asked: Asked = admin) =>
  ask(cloud, "POST", `/v2/share_instances/${id}/action`, { ...asked, body })

/** `[id, status, replica_state]` of a share's instances. */
const instancesOf = (cloud: Cloud, share: string) =>
  Effect.map(get(cloud, `/v2/shares/${share}/instances`, admin), ({ json }) =>
    (json.share_instances ?? []).map((one: Record<string, unknown>) => [one["id"], one["status"], one["replica_state"]])
  )

const idsOf = (cloud: Cloud, query: string, asked: Asked = admin) =>
  Effect.map(get(cloud, `/v2/share_instances${query}`, asked), ({ json }) =>
    json.share_instances.map(({ id }: { readonly id: string }) => id)
  )

const shareStatus = (cloud: Cloud, id: string) =>
  Effect.map(get(cloud, `/v2/shares/${id}`, admin), ({ json, status }) => (status === 200 ? json.share.status : status))

describe("the instances of", () => {
  it.effect("a share are one, and of a replicated share its replicas", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      assert.deepStrictEqual(yield* instancesOf(cloud, "plain"), [["plain-instance", "available", null]])
      assert.deepStrictEqual(yield* instancesOf(cloud, "copied"), [
        ["first", "available", "active"],
        ["second", "available", "in_sync"]
      ])
      assert.deepStrictEqual(yield* idsOf(cloud, ""), ["plain-instance", "first", "second"])
    })
  )

  it.effect("every share are hidden from all but administrators", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const path = "/v2/share_instances/plain-instance"
      const denied = [403, "Access was denied to this resource."]
      for (const target of ["/v2/share_instances", path, "/v2/shares/plain/instances", `${path}/export_locations`])
        assert.deepStrictEqual(yield* refused(cloud, "GET", target, {}), denied, target)
      const body = { force_delete: null }
      assert.deepStrictEqual(yield* refused(cloud, "POST", `${path}/action`, { body }), denied)
    })
  )

  it.effect("no share are said so in the service's words", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const gone = [404, "The resource could not be found."]
      assert.deepStrictEqual(yield* refused(cloud, "GET", "/v2/share_instances/nope"), gone)
      assert.deepStrictEqual(yield* refused(cloud, "GET", "/v2/shares/nope/instances"), gone)
      assert.strictEqual((yield* action(cloud, "nope", { force_delete: null })).status, 404)
      const locations = "/v2/share_instances/nope/export_locations"
      const missing = [404, "Share instance 'nope' not found."]
      assert.deepStrictEqual(yield* refused(cloud, "GET", locations), missing)
      assert.deepStrictEqual(yield* refused(cloud, "GET", `${locations}/nope`), missing)
      const older = { ...admin, version: "2.2" }
      assert.deepStrictEqual(yield* refused(cloud, "GET", "/v2/share_instances/plain-instance", older), gone)
    })
  )
})

describe("an instance", () => {
  const shown = (cloud: Cloud, id: string, version = "2.99") =>
    Effect.map(get(cloud, `/v2/share_instances/${id}`, { ...admin, version }), ({ json }) => json.share_instance)

  it.effect("is created like any other below 2.54, and has no progress there", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { shares: [{ id: "copy", instance_id: "one", status: "creating_from_snapshot", progress: "40%" }] }
      })
      assert.include(yield* shown(cloud, "one", "2.54"), { status: "creating_from_snapshot", progress: "40%" })
      const old = yield* shown(cloud, "one", "2.53")
      assert.strictEqual(old.status, "creating")
      assert.notProperty(old, "progress")
    })
  )

  it.effect("is mounted read-only where replicas can be read and it is not the active one", () =>
    Effect.gen(function* () {
      const casts = (type: string) =>
        Effect.gen(function* () {
          const extra_specs = { ...specs, replication_type: type }
          const cloud = yield* FakeCloud.make({ seed: { ...seed, shareTypes: [{ name: "replicated", extra_specs }] } })
          const replica = yield* get(cloud, "/v2/share-replicas/second", admin)
          const all = yield* Effect.forEach(["plain-instance", "first", "second"], (id) => shown(cloud, id))
          return [...all, replica.json.share_replica].map((one) => one.cast_rules_to_readonly)
        })
      assert.deepStrictEqual(yield* casts("readable"), [false, false, true, true])
      assert.deepStrictEqual(yield* casts("writable"), [false, false, false, false])
      assert.deepStrictEqual(yield* casts("dr"), [false, false, false, false])
    })
  )
})

describe("the list", () => {
  it.effect("has no pages: a limit is only good for a link, and one that is no number for a 500", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const one = yield* get(cloud, "/v2/share_instances?limit=1&offset=1", admin)
      assert.deepStrictEqual([one.json.share_instances.length, one.json.share_instances_links], [3, undefined])
      const three = yield* get(cloud, "/v2/share_instances?limit=3", admin)
      assert.strictEqual(three.json.share_instances_links[0].rel, "next")
      assert.include(three.json.share_instances_links[0].href, "marker=second")
      assert.strictEqual((yield* get(cloud, "/v2/share_instances?limit=x", admin)).status, 500)
    })
  )

  it.effect("is filtered by export locations since 2.35 and by the recycle bin since 2.69", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { ...seed, shares: [...(seed.shares ?? []), { id: "bin", instance_id: "binned", is_soft_deleted: true }] }
      })
      const { json } = yield* get(cloud, "/v2/share_instances/second/export_locations", admin)
      const { id, path } = json.export_locations[1]
      for (const filter of [`?export_location_id=${id}`, `?export_location_path=${encodeURIComponent(path)}`]) {
        assert.deepStrictEqual(yield* idsOf(cloud, filter), ["second"], filter)
        assert.lengthOf(yield* idsOf(cloud, filter, { ...admin, version: "2.34" }), 4, filter)
      }
      assert.deepStrictEqual(yield* idsOf(cloud, "?export_location_id=nope"), [])
      assert.deepStrictEqual(yield* idsOf(cloud, "?is_soft_deleted=true"), ["binned"])
      assert.deepStrictEqual(yield* idsOf(cloud, "?is_soft_deleted=no"), ["plain-instance", "first", "second"])
      assert.deepStrictEqual(yield* refused(cloud, "GET", "/v2/share_instances?is_soft_deleted=maybe"), [
        400,
        "Invalid value maybe for is_soft_deleted. Expecting a boolean."
      ])
    })
  )
})

describe("export locations", () => {
  it.effect("are each instance's own, and one of another instance is shown too", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const of = (id: string) =>
        Effect.map(
          get(cloud, `/v2/share_instances/${id}/export_locations`, admin),
          (answer) => answer.json.export_locations
        )
      const [mine, other] = [yield* of("plain-instance"), yield* of("second")]
      assert.deepStrictEqual(
        mine.map((one: { readonly share_instance_id: string }) => one.share_instance_id),
        ["plain-instance", "plain-instance", "plain-instance"]
      )
      const shown = yield* get(cloud, `/v2/share_instances/plain-instance/export_locations/${other[0].id}`, admin)
      assert.strictEqual(shown.json.export_location.share_instance_id, "second")
      assert.deepStrictEqual(yield* refused(cloud, "GET", "/v2/share_instances/first/export_locations/nope"), [
        404,
        "Export location nope could not be found."
      ])
    })
  )
})

describe("a forced delete", () => {
  it.effect("of the only instance takes the share with it, snapshots or not", () =>
    Effect.gen(function* () {
      const snapshots = [{ id: "snap", share_id: "plain" }]
      const cloud = yield* FakeCloud.make({ seed: { ...seed, snapshots } })
      assert.strictEqual((yield* action(cloud, "plain-instance", { force_delete: null })).status, 202)
      assert.deepStrictEqual(yield* instancesOf(cloud, "plain"), [["plain-instance", "deleting", null]])
      assert.strictEqual(yield* shareStatus(cloud, "plain"), "deleting")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* get(cloud, "/v2/share_instances/plain-instance", admin)).status, 404)
      assert.strictEqual(yield* shareStatus(cloud, "plain"), 404)
      assert.strictEqual((yield* get(cloud, "/v2/snapshots/snap")).status, 200)
    })
  )

  it.effect("of the active replica shows in the share, which goes on as the others", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      yield* action(cloud, "first", { force_delete: null })
      assert.deepStrictEqual(yield* instancesOf(cloud, "copied"), [
        ["first", "deleting", "active"],
        ["second", "available", "in_sync"]
      ])
      assert.strictEqual(yield* shareStatus(cloud, "copied"), "deleting")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* instancesOf(cloud, "copied"), [["second", "available", "in_sync"]])
      assert.strictEqual(yield* shareStatus(cloud, "copied"), "available")
      yield* action(cloud, "second", { force_delete: null })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* shareStatus(cloud, "copied"), 404)
    })
  )

  it.effect("of what no back end has never ends", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        lifecycles: { "share.create": { phases: phases(["creating", "1 second"], "error"), reason: {} } }
      })
      const made = yield* ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size: 1 } } })
      yield* TestClock.adjust("10 seconds")
      const [[id, status]] = yield* instancesOf(cloud, made.json.share.id)
      assert.strictEqual(status, "error")
      yield* action(cloud, id, { force_delete: null })
      yield* TestClock.adjust("50 minutes")
      assert.strictEqual(yield* shareStatus(cloud, made.json.share.id), "deleting")
    })
  )

  it.effect("that fails leaves a message about the instance", () =>
    Effect.gen(function* () {
      const failing = { phases: phases(["deleting", "2 seconds"], "error_deleting"), reason: {} }
      const cloud = yield* FakeCloud.make({ seed, lifecycles: { "share_instance.force_delete": failing } })
      yield* action(cloud, "plain-instance", { force_delete: null })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* instancesOf(cloud, "plain"), [["plain-instance", "error_deleting", null]])
      const { messages } = (yield* get(cloud, "/v2/messages?resource_id=plain-instance")).json
      assert.deepStrictEqual([messages[0].resource_type, messages[0].action_id], ["SHARE", "007"])
    })
  )
})

describe("a status set by hand", () => {
  it.effect("shows in the share if it is its active instance's", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      for (const [id, share, shown] of [
        ["plain-instance", "plain", "error"],
        ["second", "copied", "available"],
        ["first", "copied", "error"]
      ] as const) {
        assert.strictEqual((yield* action(cloud, id, { reset_status: { status: "error" } })).status, 202)
        assert.strictEqual(yield* shareStatus(cloud, share), shown, id)
        const { json } = yield* get(cloud, `/v2/share_instances/${id}`, admin)
        assert.strictEqual(json.share_instance.status, "error", id)
      }
    })
  )

  it.effect("is one of eight, and has another key up to 2.6", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const reset = (body: object, version: string) =>
        Effect.map(action(cloud, "plain-instance", body, { ...admin, version }), (answer) => [
          answer.status,
          messageOf(answer).replace(/: .*/, "")
        ])
      const status = "error"
      assert.deepStrictEqual(yield* reset({ reset_status: { status: "extending" } }, "2.99"), [
        400,
        "Invalid state. Valid states"
      ])
      assert.deepStrictEqual(yield* reset({ reset_status: null }, "2.99"), [400, "Must specify 'status'"])
      assert.deepStrictEqual(yield* reset({ "os-reset_status": { status } }, "2.6"), [202, ""])
      assert.strictEqual((yield* reset({ "os-reset_status": { status } }, "2.7"))[0], 404)
      assert.strictEqual((yield* reset({ reset_status: { status } }, "2.6"))[0], 404)
      assert.strictEqual((yield* reset({ "os-reset_status": { status } }, "2.2"))[0], 404)
    })
  )
})
