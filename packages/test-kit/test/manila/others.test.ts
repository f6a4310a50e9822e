import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { ask, type Asked, type Cloud, get, messageOf } from "../support/ask.ts"

const admin = { as: "admin" } as const

const statusOf = (cloud: Cloud, method: string, path: string, asked: Asked = {}) =>
  Effect.map(ask(cloud, method, path, asked), (answer) => answer.status)

describe("share types", () => {
  const body = (more: object = {}) => ({
    share_type: { name: "gold", extra_specs: { driver_handles_share_servers: "False", secret: "x" }, ...more }
  })

  it.effect("are made, shown twice in one body, used and deleted by an administrator", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      assert.strictEqual(yield* statusOf(cloud, "POST", "/v2/types", { body: body() }), 403)
      const made = yield* ask(cloud, "POST", "/v2/types", { ...admin, body: body() })
      assert.strictEqual(made.status, 200)
      assert.deepStrictEqual(made.json.share_type, made.json.volume_type)
      const { id } = made.json.share_type
      assert.strictEqual(yield* statusOf(cloud, "POST", "/v2/types", { ...admin, body: body() }), 409)
      const create = yield* ask(cloud, "POST", "/v2/shares", {
        body: { share: { share_proto: "NFS", size: 1, share_type: "gold" } }
      })
      const { share } = create.json
      assert.deepStrictEqual(
        [share.share_type, share.share_type_name, share.volume_type, share.snapshot_support],
        [id, "gold", "gold", false]
      )
      const old = yield* get(cloud, `/v2/shares/${share.id}`, { version: "2.5" })
      assert.strictEqual(old.json.share.share_type, "gold")
      const inUse = yield* ask(cloud, "DELETE", `/v2/types/${id}`, admin)
      assert.deepStrictEqual([inUse.status, messageOf(inUse)], [400, "Target share type is still in use."])
      yield* cloud.script(share.id, [{ status: "gone" }])
      assert.strictEqual(yield* statusOf(cloud, "DELETE", `/v2/types/${id}`, admin), 202)
      assert.strictEqual(yield* statusOf(cloud, "GET", `/v2/types/${id}`), 404)
    })
  )

  it.effect("show a member what tenants may see, with booleans for what was left out", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const made = yield* ask(cloud, "POST", "/v2/types", { ...admin, body: body() })
      const path = `/v2/types/${made.json.share_type.id}`
      const specs = (asked: Asked) => Effect.map(get(cloud, path, asked), ({ json }) => json.share_type.extra_specs)
      const known = { driver_handles_share_servers: "False" }
      const unset = {
        snapshot_support: false,
        create_share_from_snapshot_support: false,
        revert_to_snapshot_support: false,
        mount_snapshot_support: false
      }
      assert.deepStrictEqual(yield* specs(admin), { ...known, secret: "x" })
      assert.deepStrictEqual(yield* specs({ version: "2.23" }), known)
      assert.deepStrictEqual(yield* specs({ version: "2.24" }), { ...known, ...unset })
      assert.deepStrictEqual(yield* specs({}), { ...known, ...unset, snapshot_inherit_share_access_support: false })
    })
  )

  it.effect("need a name and the one required spec", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      for (const wrong of [
        {},
        { share_type: {} },
        { share_type: { name: "x" } },
        { share_type: { name: "x", extra_specs: { driver_handles_share_servers: "maybe" } } }
      ])
        assert.strictEqual(yield* statusOf(cloud, "POST", "/v2/types", { ...admin, body: wrong }), 400)
      const described = { ...admin, version: "2.40", body: body({ description: "d" }) }
      assert.strictEqual(yield* statusOf(cloud, "POST", "/v2/types", described), 400)
    })
  )

  it.effect("that are private are given to projects and taken away", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shareTypes: [{ id: "p", name: "private", is_public: false }] } })
      const project = cloud.credentials.projectId
      const change = (action: string) =>
        statusOf(cloud, "POST", "/v2/types/p/action", { ...admin, body: { [action]: { project } } })
      const visible = statusOf(cloud, "GET", "/v2/types/p")
      assert.strictEqual(yield* visible, 404)
      assert.strictEqual(yield* change("addProjectAccess"), 202)
      assert.strictEqual(yield* change("addProjectAccess"), 409)
      assert.strictEqual(yield* visible, 200)
      const list = yield* get(cloud, "/v2/types/p/share_type_access", admin)
      assert.deepStrictEqual(list.json.share_type_access, [{ share_type_id: "p", project_id: project }])
      assert.strictEqual(yield* change("removeProjectAccess"), 202)
      assert.strictEqual(yield* change("removeProjectAccess"), 404)
      assert.strictEqual(yield* visible, 404)
    })
  )

  it.effect("are renamed from 2.50 on, and their specs change one by one", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shareTypes: [{ id: "t", name: "t" }] } })
      const rename = (version: string) =>
        statusOf(cloud, "PUT", "/v2/types/t", { ...admin, version, body: { share_type: { name: "u" } } })
      assert.deepStrictEqual([yield* rename("2.49"), yield* rename("2.50")], [404, 200])
      const path = "/v2/types/t/extra_specs"
      assert.strictEqual(yield* statusOf(cloud, "GET", path), 403)
      const set = yield* ask(cloud, "POST", path, { ...admin, body: { extra_specs: { a: "b" } } })
      assert.deepStrictEqual(set.json, { extra_specs: { a: "b" } })
      assert.strictEqual((yield* get(cloud, path, admin)).json.extra_specs.a, "b")
      assert.strictEqual(yield* statusOf(cloud, "DELETE", `${path}/a`, admin), 202)
      assert.strictEqual(yield* statusOf(cloud, "DELETE", `${path}/a`, admin), 404)
    })
  )
})

describe("share networks", () => {
  it.effect("are made, changed and deleted, unless a share is on them", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const post = (network: object) => ask(cloud, "POST", "/v2/share-networks", { body: { share_network: network } })
      assert.strictEqual((yield* post({ neutron_net_id: "x" })).status, 400)
      const made = yield* post({ name: "net", description: "d", neutron_net_id: "n", neutron_subnet_id: "s" })
      const { id, share_network_subnets: subnets, status } = made.json.share_network
      assert.deepStrictEqual([status, subnets[0].neutron_net_id], ["active", "n"])
      const old = yield* get(cloud, `/v2/share-networks/${id}`, { version: "2.50" })
      assert.strictEqual(old.json.share_network.neutron_net_id, "n")
      yield* ask(cloud, "PUT", `/v2/share-networks/${id}`, { body: { share_network: { name: "new" } } })
      assert.strictEqual((yield* get(cloud, "/v2/share-networks?name=new")).json.share_networks.length, 1)
      const share = yield* cloud.share({ share_network_id: id })
      assert.strictEqual(yield* statusOf(cloud, "DELETE", `/v2/share-networks/${id}`), 409)
      yield* cloud.script(share.id, [{ status: "gone" }])
      assert.strictEqual(yield* statusOf(cloud, "DELETE", `/v2/share-networks/${id}`), 202)
      assert.strictEqual(yield* statusOf(cloud, "GET", `/v2/share-networks/${id}`), 404)
    })
  )
})

describe("share groups", () => {
  it.effect("are shown and renamed", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: { shareGroups: [{ id: "g", name: "grp" }] } })
      const put = (group: object) => ask(cloud, "PUT", "/v2/share-groups/g", { body: { share_group: group } })
      assert.strictEqual((yield* put({ name: "new" })).json.share_group.name, "new")
      assert.strictEqual((yield* put({ status: "error" })).status, 400)
      assert.strictEqual(yield* statusOf(cloud, "GET", "/v2/share-groups/g", { as: "other" }), 404)
    })
  )
})

describe("quota sets", () => {
  it.effect("are read by their project, changed and reset by an administrator, and count at once", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ quotas: { shares: 5 }, seed: { shares: [{ size: 7 }] } })
      const path = `/v2/quota-sets/${cloud.credentials.projectId}`
      const shares = Effect.map(get(cloud, path), ({ json }) => json.quota_set.shares)
      assert.strictEqual(yield* statusOf(cloud, "GET", path, { as: "other" }), 403)
      assert.strictEqual(yield* shares, 5)
      const limits = (yield* get(cloud, "/v2/limits")).json.limits.absolute
      assert.deepStrictEqual([limits.maxTotalShares, limits.totalSharesUsed, limits.totalShareGigabytesUsed], [5, 1, 7])
      const detail = (yield* get(cloud, `${path}/detail`)).json.quota_set
      assert.deepStrictEqual(detail.gigabytes, { limit: -1, in_use: 7, reserved: 0 })
      const put = (quota: object, as: "demo" | "admin" = "admin") =>
        statusOf(cloud, "PUT", path, { as, body: { quota_set: quota } })
      assert.strictEqual(yield* put({ shares: 1 }, "demo"), 403)
      assert.strictEqual(yield* put({ nonsense: 1 }), 400)
      assert.strictEqual(yield* put({ shares: 1 }), 200)
      assert.strictEqual(yield* shares, 1)
      const body = { share: { share_proto: "NFS", size: 1 } }
      assert.strictEqual(yield* statusOf(cloud, "POST", "/v2/shares", { body }), 413)
      assert.strictEqual(yield* statusOf(cloud, "DELETE", path, admin), 202)
      assert.strictEqual(yield* shares, 5)
    })
  )
})
