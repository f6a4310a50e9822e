import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Lifecycle from "@effect-manila/test-kit/Lifecycle"
import { act, ask, createShare, get, messageOf, statusOf } from "../support/ask.ts"

describe("a new share", () => {
  it.effect("is answered before a scheduler has seen it, and has host and zone right after", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const made = yield* ask(cloud, "POST", "/v2/shares", {
        as: "admin",
        body: { share: { share_proto: "nfs", size: "2", name: "one", description: "d", metadata: { a: "b" } } }
      })
      const { share } = made.json
      assert.deepStrictEqual(
        [share.status, share.size, share.share_proto, share.host, share.availability_zone, share.progress],
        ["creating", 2, "NFS", null, null, null]
      )
      const next = (yield* get(cloud, `/v2/shares/${share.id}`, { as: "admin" })).json.share
      assert.deepStrictEqual([next.host, next.availability_zone], ["manila@alpha#pool", "nova"])
      assert.deepStrictEqual([next.name, next.description, next.metadata], ["one", "d", { a: "b" }])
    })
  )

  it.effect("has export locations when it is available, and one of them is an administrator's", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const id = yield* createShare(cloud)
      const path = `/v2/shares/${id}/export_locations`
      assert.deepStrictEqual((yield* get(cloud, path)).json.export_locations, [])
      assert.strictEqual((yield* get(cloud, `/v2/shares/${id}`, { version: "2.8" })).json.share.export_location, null)
      yield* TestClock.adjust("6 seconds")
      const seen = (yield* get(cloud, path)).json.export_locations
      assert.deepStrictEqual(
        seen.map((one: { preferred: boolean }) => one.preferred),
        [true, false]
      )
      const all = (yield* get(cloud, path, { as: "admin" })).json.export_locations
      const [hidden] = all.filter((one: { is_admin_only: boolean }) => one.is_admin_only)
      assert.strictEqual((yield* get(cloud, `${path}/${seen[0].id}`)).json.export_location.path, seen[0].path)
      assert.strictEqual((yield* get(cloud, `${path}/${hidden.id}`)).status, 403)
      assert.strictEqual((yield* get(cloud, `${path}/nope`)).status, 404)
      assert.strictEqual((yield* get(cloud, path, { version: "2.8" })).status, 404)
      const old = (yield* get(cloud, `/v2/shares/${id}`, { version: "2.8" })).json.share
      assert.deepStrictEqual(
        old.export_locations,
        all.map((one: { path: string }) => one.path)
      )
    })
  )

  it.effect("of a type with share servers needs a share network", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shareTypes: [{ name: "dhss", extra_specs: { driver_handles_share_servers: "True" } }],
          shareNetworks: [{ id: "net" }, { id: "broken", status: "error" }]
        }
      })
      const create = (more: object) =>
        Effect.map(
          ask(cloud, "POST", "/v2/shares", {
            body: { share: { share_proto: "NFS", size: 1, share_type: "dhss", ...more } }
          }),
          (answer) => answer.status
        )
      assert.strictEqual(yield* create({}), 400)
      assert.strictEqual(yield* create({ share_network_id: "broken" }), 400)
      assert.strictEqual(yield* create({ share_network_id: "net" }), 200)
    })
  )

  it.effect("keeps to the sizes its type allows, on extend and shrink too", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shareTypes: [
            {
              name: "default",
              extra_specs: { "provisioning:min_share_size": "2", "provisioning:max_share_size": "4" }
            }
          ],
          shares: [{ id: "one", size: 3 }]
        }
      })
      const create = (size: number) =>
        Effect.map(
          ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size } } }),
          (answer) => answer.status
        )
      assert.deepStrictEqual([yield* create(1), yield* create(2), yield* create(5)], [400, 200, 400])
      assert.strictEqual((yield* act(cloud, "one", "extend", { new_size: 5 })).status, 400)
      assert.strictEqual((yield* act(cloud, "one", "shrink", { new_size: 1 })).status, 400)
      // An administrator may go past the maximum.
      assert.strictEqual((yield* act(cloud, "one", "extend", { new_size: 5 }, { as: "admin" })).status, 202)
    })
  )

  it.effect("keeps to the zones of its type, from 2.48 on", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shareTypes: [{ name: "near", extra_specs: { availability_zones: "here,there" } }],
          shares: [{ availability_zone: "here" }, { availability_zone: "far" }]
        }
      })
      const create = (zone: string, version = "2.99") =>
        Effect.map(
          ask(cloud, "POST", "/v2/shares", {
            version,
            body: { share: { share_proto: "NFS", size: 1, share_type: "near", availability_zone: zone } }
          }),
          ({ status, json }) => [status, json.share?.availability_zone]
        )
      assert.deepStrictEqual(yield* create("here"), [200, "here"])
      assert.deepStrictEqual(yield* create("far"), [400, undefined])
      assert.deepStrictEqual(yield* create("far", "2.47"), [200, "far"])
      assert.deepStrictEqual(yield* create("nowhere"), [404, undefined])
    })
  )

  it.effect("in a group is deleted only by whoever names the group", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shareGroups: [{ id: "grp" }] } })
      const id = yield* createShare(cloud, { share_group_id: "grp" })
      yield* TestClock.adjust("6 seconds")
      const remove = (query: string) =>
        Effect.map(ask(cloud, "DELETE", `/v2/shares/${id}${query}`), (one) => one.status)
      assert.strictEqual(yield* remove(""), 400)
      assert.strictEqual(yield* remove("?share_group_id=x"), 400)
      assert.strictEqual(yield* remove("?share_group_id=grp"), 202)
    })
  )
})

describe("an update", () => {
  it.effect("reads the display names, and not the ones that create reads", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shares: [{ id: "one", name: "one", description: "d" }] } })
      const put = (share: unknown) => ask(cloud, "PUT", "/v2/shares/one", { body: { share } })
      assert.strictEqual((yield* put({ name: "two", description: "e" })).json.share.name, "one")
      const changed = (yield* put({ display_name: "two", display_description: null })).json.share
      assert.deepStrictEqual([changed.name, changed.description], ["two", null])
      assert.strictEqual((yield* put(null)).status, 400)
      assert.strictEqual((yield* ask(cloud, "PUT", "/v2/shares/one", { body: {} })).status, 422)
    })
  )
})

describe("metadata", () => {
  it.effect("is added to, replaced, and taken away key by key", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shares: [{ id: "one", metadata: { a: "b" } }] } })
      const path = "/v2/shares/one/metadata"
      const metadata = (value: unknown) => ({ body: { metadata: value } })
      assert.deepStrictEqual((yield* ask(cloud, "POST", path, metadata({ c: "d" }))).json, {
        metadata: { a: "b", c: "d" }
      })
      assert.deepStrictEqual((yield* ask(cloud, "PUT", path, metadata({ z: "1" }))).json, { metadata: { z: "1" } })
      assert.deepStrictEqual((yield* get(cloud, `${path}/z`)).json, { meta: { z: "1" } })
      const removed = yield* ask(cloud, "DELETE", `${path}/z`)
      assert.deepStrictEqual([removed.status, removed.text], [200, ""])
      assert.strictEqual((yield* get(cloud, `${path}/z`)).status, 404)
      assert.strictEqual((yield* ask(cloud, "DELETE", `${path}/z`)).status, 404)
      assert.deepStrictEqual((yield* ask(cloud, "PUT", path, metadata({}))).json, { metadata: {} })
      for (const wrong of ["x", ["x"], { a: "" }, { a: 1 }, { "": "x" }, { a: null }, null])
        assert.strictEqual((yield* ask(cloud, "POST", path, metadata(wrong))).status, 400, JSON.stringify(wrong))
    })
  )

  it.effect("of one key needs two bodies, and works for a share with one key", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shares: [{ id: "one", metadata: { a: "1" } }] } })
      const post = (body: object) => ask(cloud, "POST", "/v2/shares/one/metadata/a", { body })
      assert.strictEqual((yield* post({ meta: { a: "2" } })).status, 500)
      assert.strictEqual((yield* post({ metadata: { a: "2" } })).status, 400)
      assert.deepStrictEqual((yield* post({ meta: { a: "2" }, metadata: { a: "2" } })).json, { metadata: { a: "2" } })
      yield* ask(cloud, "POST", "/v2/shares/one/metadata", { body: { metadata: { b: "3" } } })
      assert.strictEqual((yield* post({ meta: { a: "4" }, metadata: { a: "4" } })).status, 400)
    })
  )

  it.effect("of a snapshot is added to in silence", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { shares: [{ id: "one" }], snapshots: [{ id: "snap", share_id: "one", metadata: { a: "b" } }] }
      })
      const path = "/v2/snapshots/snap/metadata"
      const added = yield* ask(cloud, "POST", path, { body: { metadata: { c: "d" } } })
      assert.deepStrictEqual(added.json, { metadata: { c: "d" } })
      assert.deepStrictEqual((yield* get(cloud, path)).json, { metadata: { a: "b", c: "d" } })
      assert.strictEqual((yield* ask(cloud, "POST", path, { body: { metadata: null } })).status, 500)
      assert.strictEqual((yield* get(cloud, path, { version: "2.72" })).status, 404)
    })
  )
})

describe("the recycle bin", () => {
  it.effect("takes a share without changing its status, gives it back, and is emptied after seven days", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: { shares: [{ id: "one" }, { id: "two" }] },
        tokenLifetimeMillis: 1e12
      })
      assert.strictEqual((yield* act(cloud, "one", "restore")).status, 200)
      assert.strictEqual((yield* act(cloud, "one", "soft_delete")).status, 202)
      assert.strictEqual((yield* act(cloud, "one", "soft_delete")).status, 403)
      yield* act(cloud, "two", "soft_delete")
      const { share } = (yield* get(cloud, "/v2/shares/one")).json
      assert.deepStrictEqual(
        [share.status, share.is_soft_deleted, share.scheduled_to_be_deleted_at],
        ["available", true, "1970-01-08T00:00:00.000000"]
      )
      assert.strictEqual((yield* act(cloud, "one", "extend", { new_size: 9 })).status, 403)
      assert.strictEqual((yield* act(cloud, "one", "restore")).status, 202)
      yield* TestClock.adjust("7 days")
      assert.strictEqual(yield* statusOf(cloud, "one"), "available")
      assert.strictEqual(yield* statusOf(cloud, "two"), "gone")
    })
  )
})

describe("a snapshot", () => {
  const seed: FakeCloud.Seed = { shares: [{ id: "one", size: 2 }] }

  it.effect("is made with 202 and the object, and keeps its share from being deleted", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const made = yield* ask(cloud, "POST", "/v2/snapshots", { body: { snapshot: { share_id: "one", name: "s" } } })
      assert.strictEqual(made.status, 202)
      const { snapshot } = made.json
      assert.deepStrictEqual([snapshot.status, snapshot.size, snapshot.name], ["creating", 2, "s"])
      assert.strictEqual((yield* ask(cloud, "DELETE", `/v2/snapshots/${snapshot.id}`)).status, 400)
      yield* TestClock.adjust("4 seconds")
      const refusal = yield* ask(cloud, "DELETE", "/v2/shares/one")
      assert.strictEqual(messageOf(refusal), "Invalid share: Share still has 1 dependent snapshots.")
      assert.strictEqual((yield* act(cloud, "one", "force_delete", null, { as: "admin" })).status, 400)
      assert.strictEqual((yield* ask(cloud, "DELETE", `/v2/snapshots/${snapshot.id}`)).status, 202)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* get(cloud, `/v2/snapshots/${snapshot.id}`)).status, 404)
      assert.strictEqual((yield* ask(cloud, "DELETE", "/v2/shares/one")).status, 202)
    })
  )

  it.effect("that fails says why", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed,
        lifecycles: { "snapshot.create": { phases: Lifecycle.phases(["creating", 1], "error"), reason: {} } }
      })
      const made = yield* ask(cloud, "POST", "/v2/snapshots", { body: { snapshot: { share_id: "one" } } })
      yield* TestClock.adjust("1 second")
      const { id } = made.json.snapshot
      assert.strictEqual((yield* get(cloud, `/v2/snapshots/${id}`)).json.snapshot.status, "error")
      const [message] = (yield* get(cloud, `/v2/messages?resource_id=${id}`)).json.messages
      assert.deepStrictEqual([message.resource_type, message.action_id], ["SHARE_SNAPSHOT", "002"])
    })
  )

  const uuid = (n: number) => `5a5a5a5a-0000-4000-8000-00000000000${n}`

  it.effect("takes its share back, size included, and is held until that is done", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const old = yield* cloud.snapshot({ id: uuid(1), share_id: "one" })
      yield* act(cloud, "one", "extend", { new_size: 5 })
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* act(cloud, "one", "revert", { snapshot_id: old.id })).status, 202)
      const snapshotStatus = Effect.map(get(cloud, `/v2/snapshots/${old.id}`), ({ json }) => json.snapshot.status)
      assert.deepStrictEqual([yield* statusOf(cloud, "one"), yield* snapshotStatus], ["reverting", "restoring"])
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual([yield* statusOf(cloud, "one"), yield* snapshotStatus], ["available", "available"])
      assert.strictEqual((yield* get(cloud, "/v2/shares/one")).json.share.size, 2)
    })
  )

  it.effect("that is not the latest takes nothing back, nor does one while rules change", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      yield* cloud.snapshot({ id: uuid(1), share_id: "one" })
      yield* cloud.snapshot({ id: uuid(2), share_id: "one" })
      const revert = (snapshot: string) =>
        Effect.map(act(cloud, "one", "revert", { snapshot_id: snapshot }), (answer) => answer.status)
      assert.strictEqual(yield* revert(uuid(1)), 409)
      assert.strictEqual(yield* revert(uuid(3)), 400)
      assert.strictEqual(yield* revert("x"), 400)
      yield* act(cloud, "one", "allow_access", { access_type: "ip", access_to: "10.0.0.1" })
      assert.strictEqual(yield* revert(uuid(2)), 409)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* revert(uuid(2)), 202)
    })
  )

  it.effect("of a share that can't be taken one of is 422, and one of a smaller share makes no share", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shareTypes: [{ name: "bare", extra_specs: {} }],
          shares: [
            { id: "one", size: 2 },
            { id: "bare", share_type: "bare" }
          ],
          snapshots: [{ id: "snap", share_id: "one" }]
        }
      })
      const take = ask(cloud, "POST", "/v2/snapshots", { body: { snapshot: { share_id: "bare" } } })
      assert.strictEqual((yield* take).status, 422)
      const make = (size: unknown) =>
        Effect.map(
          ask(cloud, "POST", "/v2/shares", { body: { share: { share_proto: "NFS", size, snapshot_id: "snap" } } }),
          ({ status, json }) => [status, json.share?.size]
        )
      assert.deepStrictEqual(yield* make(1), [400, undefined])
      assert.deepStrictEqual(yield* make(null), [200, 2])
      assert.deepStrictEqual(yield* make(3), [200, 3])
    })
  )

  it.effect("that can be mounted has rules and exports of its own", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { ...seed, snapshots: [{ id: "snap", share_id: "one" }] } })
      const post = (body: object, version = "2.99") =>
        ask(cloud, "POST", "/v2/snapshots/snap/action", { version, body })
      const rule = { allow_access: { access_type: "ip", access_to: "10.0.0.1" } }
      assert.strictEqual((yield* post(rule, "2.31")).status, 404)
      const made = yield* post(rule)
      assert.deepStrictEqual([made.status, made.json.snapshot_access.state], [202, "queued_to_apply"])
      assert.strictEqual((yield* post(rule)).status, 400)
      yield* TestClock.adjust("3 seconds")
      const list = yield* get(cloud, "/v2/snapshots/snap/access-list")
      assert.strictEqual(list.json.snapshot_access_list[0].state, "active")
      assert.strictEqual((yield* post({ deny_access: { access_id: made.json.snapshot_access.id } })).status, 202)
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual((yield* get(cloud, "/v2/snapshots/snap/access-list")).json.snapshot_access_list, [])
      const exports = yield* get(cloud, "/v2/snapshots/snap/export-locations")
      assert.strictEqual(exports.json.share_snapshot_export_locations.length, 2)
    })
  )
})

describe("taking over and letting go", () => {
  it.effect("a managed share has its size when it is available, and an unmanaged one is gone", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const share = { export_path: "10.0.0.1:/old", service_host: "manila@alpha#pool", protocol: "nfs" }
      const manage = (body: object, as: "admin" | "demo" = "admin") =>
        ask(cloud, "POST", "/v2/shares/manage", { as, body: { share: body } })
      assert.strictEqual((yield* manage(share, "demo")).status, 403)
      assert.strictEqual((yield* manage({})).status, 422)
      assert.strictEqual((yield* manage({ ...share, service_host: "manila@alpha" })).status, 400)
      assert.strictEqual((yield* manage({ ...share, service_host: "x@y#z" })).status, 404)
      const made = yield* manage(share)
      assert.deepStrictEqual([made.json.share.status, made.json.share.size], ["manage_starting", null])
      assert.strictEqual((yield* manage(share)).status, 409)
      yield* TestClock.adjust("4 seconds")
      const { id } = made.json.share
      const seen = (yield* get(cloud, `/v2/shares/${id}`, { as: "admin" })).json.share
      assert.deepStrictEqual([seen.status, seen.size], ["available", 1])
      assert.strictEqual((yield* act(cloud, id, "unmanage", null, { as: "admin" })).status, 202)
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual((yield* get(cloud, `/v2/shares/${id}`, { as: "admin" })).status, 404)
    })
  )
})

describe("messages", () => {
  const seed: FakeCloud.Seed = {
    messages: [
      { id: "m1", resource_id: "a", detail_id: "008", created_at: "2026-01-01T00:00:00" },
      { id: "m2", resource_id: "b", action_id: "008", created_at: "2026-01-02T00:00:00" },
      { id: "m3", resource_id: "a", project_id: "other", created_at: "2026-01-03T00:00:00" },
      { id: "m4", resource_id: "a", created_at: "2026-03-01T00:00:00" }
    ]
  }
  const begin = TestClock.setTime(Date.parse("2026-02-01T00:00:00Z"))

  it.effect("are found by their fields, the newest first, once their time has come", () =>
    Effect.gen(function* () {
      yield* begin
      const cloud = yield* FakeCloud.make({ seed })
      const found = (query: string, as: "demo" | "admin" = "demo", version = "2.99") =>
        Effect.map(get(cloud, `/v2/messages${query}`, { as, version }), (answer) =>
          answer.json.messages.map((one: { id: string }) => one.id).join(" ")
        )
      assert.strictEqual(yield* found(""), "m2 m1")
      assert.strictEqual(yield* found("", "admin"), "m3 m2 m1")
      assert.strictEqual(yield* found("?resource_id=a"), "m1")
      assert.strictEqual(yield* found("?detail_id=008"), "m1")
      assert.strictEqual(yield* found("?action_id=008"), "m2")
      assert.strictEqual(yield* found("?message_level=error&resource_type=share"), "m2 m1")
      assert.strictEqual(yield* found("?sort_dir=nonsense"), "m1 m2")
      assert.strictEqual(yield* found("?limit=1&offset=1"), "m1")
      assert.strictEqual(yield* found("?created_since=2026-01-01T12:00:00"), "m2")
      assert.strictEqual(yield* found("?created_before=2026-01-01T14:00:00%2B02:00"), "m1")
      assert.strictEqual(yield* found("?created_since=2026-01-01T12:00:00", "demo", "2.51"), "m2 m1")
      assert.strictEqual((yield* get(cloud, "/v2/messages?created_since=soon")).status, 400)
      assert.strictEqual((yield* get(cloud, "/v2/messages?sort_key=nonsense")).status, 400)
      assert.strictEqual((yield* get(cloud, "/v2/messages?limit=x")).status, 400)
    })
  )

  it.effect("are deleted with 204, by those who may", () =>
    Effect.gen(function* () {
      yield* begin
      const cloud = yield* FakeCloud.make({ seed })
      const remove = (id: string, as: "demo" | "reader" = "demo") =>
        Effect.map(ask(cloud, "DELETE", `/v2/messages/${id}`, { as }), (answer) => answer.status)
      assert.strictEqual(yield* remove("m1", "reader"), 403)
      assert.strictEqual(yield* remove("m1"), 204)
      assert.strictEqual(yield* remove("m1"), 404)
      assert.strictEqual(yield* remove("m3"), 404)
    })
  )
})
