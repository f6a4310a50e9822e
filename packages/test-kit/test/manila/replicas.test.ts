/** Replicas and backups: what their share shows, what they count for, and what they forbid; as the service does, measured. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import { act, ask, type Asked, type Cloud, createShare, get, messageOf, statusOf } from "../support/ask.ts"

const admin = { as: "admin" } as const
const specs = { driver_handles_share_servers: "False", snapshot_support: "True", replication_type: "readable" }
const seed: FakeCloud.Options["seed"] = { shareTypes: [{ name: "replicated", extra_specs: specs }] }

const refused = (cloud: Cloud, method: string, path: string, asked: Asked) =>
  Effect.map(ask(cloud, method, path, asked), (answer) => [answer.status, messageOf(answer)])

const addReplica = (cloud: Cloud, share: string) =>
  ask(cloud, "POST", "/v2/share-replicas", { body: { share_replica: { share_id: share } } })

const addBackup = (cloud: Cloud, share: string) =>
  ask(cloud, "POST", "/v2/share-backups", {
    headers: { "x-openstack-manila-api-experimental": "True" },
    body: { share_backup: { share_id: share, name: "b" } }
  })

const promote = (cloud: Cloud, replica: string) =>
  ask(cloud, "POST", `/v2/share-replicas/${replica}/action`, { body: { promote: null } })

const replicaOf = (cloud: Cloud, id: string) =>
  Effect.map(get(cloud, `/v2/share-replicas/${id}`), ({ json }) => [
    json.share_replica.status,
    json.share_replica.replica_state
  ])

/** A share of that type with another replica in sync. */
const replicated = (cloud: Cloud) =>
  Effect.gen(function* () {
    const share = yield* createShare(cloud, { share_type: "replicated" })
    yield* TestClock.adjust("1 minute")
    const made = yield* addReplica(cloud, share)
    yield* TestClock.adjust("1 minute")
    return { share, replica: String(made.json.share_replica.id) }
  })

describe("a promotion", () => {
  it.effect("shows as replication_change on the replica and on its share until it has ended", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const { replica, share } = yield* replicated(cloud)
      assert.strictEqual((yield* promote(cloud, replica)).json.share_replica.status, "replication_change")
      assert.strictEqual(yield* statusOf(cloud, share), "replication_change")
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["replication_change", "in_sync"])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(cloud, share), "available")
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["available", "active"])
    })
  )

  it.effect("that fails leaves the share and its other replicas in error too", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed,
        lifecycles: { "replica.promote": { phases: phases(["replication_change", "2 seconds"], "error") } }
      })
      const { replica, share } = yield* replicated(cloud)
      yield* promote(cloud, replica)
      assert.strictEqual(yield* statusOf(cloud, share), "replication_change")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(cloud, share), "error")
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["error", "in_sync"])
      const { share_replicas: all } = (yield* get(cloud, `/v2/share-replicas/detail?share_id=${share}`)).json
      assert.deepStrictEqual(
        all.map((one: { readonly status: string; readonly replica_state: string }) => [one.status, one.replica_state]),
        [
          ["error", "active"],
          ["error", "in_sync"]
        ]
      )
    })
  )
})

describe("the quota of", () => {
  const exceeded = (what: string) =>
    `ShareReplicaSizeExceedsAvailableQuota: ${what}Requested share replica exceeds allowed project/user or share type gigabytes quota.`
  const atLimit = (what: string) =>
    `ShareReplicasLimitExceeded: ${what}Maximum number of allowed share-replicas is exceeded.`
  const creating = "Failed while creating a share with replication support. "
  for (const [name, message] of [
    ["share_replicas", atLimit],
    ["replica_gigabytes", exceeded]
  ] as const) {
    it.effect(`${name} counts the share itself, and ends with 413`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed, quotas: { [name]: 2 } })
        const { share } = yield* replicated(cloud)
        const replica = { share_replica: { share_id: share } }
        assert.deepStrictEqual(yield* refused(cloud, "POST", "/v2/share-replicas", { body: replica }), [
          413,
          message("")
        ])
        const more = { share: { share_proto: "NFS", size: 1, share_type: "replicated" } }
        assert.deepStrictEqual(yield* refused(cloud, "POST", "/v2/shares", { body: more }), [413, message(creating)])
        const plain = { share: { share_proto: "NFS", size: 1 } }
        assert.strictEqual((yield* ask(cloud, "POST", "/v2/shares", { body: plain })).status, 200)
        const detail = yield* get(cloud, `/v2/quota-sets/${cloud.credentials.projectId}/detail`)
        assert.deepStrictEqual(detail.json.quota_set[name], { limit: 2, in_use: 2, reserved: 0 })
      })
    )
  }

  for (const [name, message] of [
    ["backups", "BackupLimitExceeded: Maximum number of backups allowed (1) exceeded."],
    [
      "backup_gigabytes",
      "ShareBackupSizeExceedsAvailableQuota: Requested backup exceeds allowed Backup gigabytes quota. Requested 1G, quota is 1G and 1G has been consumed."
    ]
  ] as const) {
    it.effect(`${name} ends with 413, and leaves the share as it was`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ quotas: { [name]: 1 } })
        const share = yield* createShare(cloud)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* addBackup(cloud, share)).status, 202)
        yield* TestClock.adjust("1 minute")
        const second = yield* addBackup(cloud, share)
        assert.deepStrictEqual([second.status, messageOf(second)], [413, message])
        assert.strictEqual(yield* statusOf(cloud, share), "available")
        const { absolute } = (yield* get(cloud, "/v2/limits")).json.limits
        assert.deepStrictEqual([absolute.totalShareBackupsUsed, absolute.totalBackupGigabytesUsed], [1, 1])
      })
    )
  }
})

describe("a share with replicas", () => {
  it.effect("can't be unmanaged, nor its snapshots, nor can snapshots be managed", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const { replica, share } = yield* replicated(cloud)
      const made = yield* ask(cloud, "POST", "/v2/snapshots", { body: { snapshot: { share_id: share } } })
      yield* TestClock.adjust("1 minute")
      const { id } = made.json.snapshot
      const unmanaged = yield* act(cloud, share, "unmanage", null, admin)
      assert.deepStrictEqual(
        [unmanaged.status, messageOf(unmanaged)],
        [409, `Share ${share} has replicas. It cannot be unmanaged until all replicas are removed.`]
      )
      const unmanage = { ...admin, body: { unmanage: null } }
      assert.deepStrictEqual(yield* refused(cloud, "POST", `/v2/snapshots/${id}/action`, unmanage), [
        409,
        `Share ${share} has replicas. Snapshots of this share cannot currently be unmanaged until all replicas are removed.`
      ])
      const manage = { ...admin, body: { snapshot: { share_id: share, provider_location: "x" } } }
      assert.deepStrictEqual(yield* refused(cloud, "POST", "/v2/snapshots/manage", manage), [
        409,
        `Invalid share: Share ${share} has replicas. Snapshots of this share cannot currently be managed until all replicas are removed.`
      ])
      yield* ask(cloud, "DELETE", `/v2/share-replicas/${replica}`)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* ask(cloud, "POST", `/v2/snapshots/${id}/action`, unmanage)).status, 202)
    })
  )
})

describe("a resync", () => {
  it.effect("brings the data up to date, and leaves a replica in error", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const { replica } = yield* replicated(cloud)
      const path = `/v2/share-replicas/${replica}/action`
      const asAdmin = (body: unknown) =>
        Effect.map(ask(cloud, "POST", path, { ...admin, body }), ({ status }) => status)
      assert.strictEqual(yield* asAdmin({ reset_replica_state: { replica_state: "out_of_sync" } }), 202)
      assert.strictEqual(yield* asAdmin({ reset_status: { status: "error" } }), 202)
      assert.strictEqual(yield* asAdmin({ resync: null }), 202)
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["error", "out_of_sync"])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["error", "in_sync"])
      const promoted = yield* promote(cloud, replica)
      assert.deepStrictEqual(
        [promoted.status, messageOf(promoted)],
        [400, `Unable to perform a replication action: Replica ${replica} must be in available state to be promoted.`]
      )
      assert.strictEqual(yield* asAdmin({ reset_status: { status: "available" } }), 202)
      assert.deepStrictEqual(yield* replicaOf(cloud, replica), ["available", "in_sync"])
    })
  )
})

describe("a restore", () => {
  it.effect("wants a share that is large enough and available, and says so", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        lifecycles: { "backup.restore": { phases: phases(["restoring", "2 seconds"], "error") } }
      })
      const shares = [
        yield* createShare(cloud, { size: 2 }),
        yield* createShare(cloud),
        yield* createShare(cloud, { size: 3 })
      ]
      const [own = "", small = "", large = ""] = shares
      yield* TestClock.adjust("1 minute")
      const { json } = yield* addBackup(cloud, own)
      yield* TestClock.adjust("1 minute")
      const { id } = json.share_backup
      const restore = (target: string) =>
        refused(cloud, "POST", `/v2/share-backups/${id}/action`, {
          headers: { "x-openstack-manila-api-experimental": "True" },
          body: { restore: target }
        })
      assert.deepStrictEqual(yield* restore(small), [
        400,
        "Invalid share: Share size 1 is too small to restore backup of size 2."
      ])
      assert.strictEqual((yield* restore(large))[0], 202)
      assert.strictEqual(yield* statusOf(cloud, large), "backup_restoring")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* statusOf(cloud, large), "backup_restoring_error")
      assert.strictEqual(yield* statusOf(cloud, own), "available")
      const backup = yield* ask(cloud, "POST", `/v2/share-backups/${id}/action`, {
        ...admin,
        headers: { "x-openstack-manila-api-experimental": "True" },
        body: { reset_status: { status: "available" } }
      })
      assert.strictEqual(backup.status, 202)
      assert.deepStrictEqual(yield* restore(large), [400, "Invalid share: Share to be restored to must be available."])
    })
  )
})

describe("what is adopted", () => {
  it.effect("says since when, once its answer has been sent", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const share = yield* createShare(cloud)
      yield* TestClock.adjust("1 minute")
      const body = { snapshot: { share_id: share, provider_location: "/there", metadata: { a: "b" } } }
      const made = (yield* ask(cloud, "POST", "/v2/snapshots/manage", { ...admin, body })).json.snapshot
      assert.deepStrictEqual(made.metadata, { a: "b" })
      const shown = (yield* get(cloud, `/v2/snapshots/${made.id}`, admin)).json.snapshot
      assert.deepStrictEqual(shown.metadata, { a: "b", __managed_at: made.created_at.replace("T", " ") })
      assert.deepStrictEqual(yield* refused(cloud, "POST", "/v2/snapshots/manage", { ...admin, body }), [
        409,
        `Manage existing share snapshot failed due to invalid share snapshot: A share snapshot ${made.id} is already managed for provider location /there.`
      ])
      const taken = { share: { protocol: "NFS", export_path: "/old", service_host: "manila@alpha#pool" } }
      const old = (yield* ask(cloud, "POST", "/v2/shares/manage", { ...admin, body: taken })).json.share
      const metadata = (yield* get(cloud, `/v2/shares/${old.id}`, admin)).json.share.metadata
      assert.deepStrictEqual(metadata, { __managed_at: old.created_at.replace("T", " ") })
    })
  )
})
