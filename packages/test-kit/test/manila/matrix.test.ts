/**
 * In which status the service lets which operation through, and with what code it refuses: measured on a real server at
 * microversion 2.99, for every status there is.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { act, type Answer, ask, type Cloud, get } from "../support/ask.ts"

type Rows = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string | null>>>>>

const matrix: {
  readonly share: Rows
  readonly share_by_task_state: Rows
  readonly share_soft_deleted: Readonly<Record<string, number>>
  readonly snapshot: Rows
} = JSON.parse(readFileSync(new URL("../fixtures/measured-matrix.json", import.meta.url), "utf8"))

const snapshotId = "5a5a5a5a-0000-4000-8000-000000000001"
const admin = { as: "admin" } as const

/** What each row of the table asks of the share `one`, with the rule `rule` and, where it needs one, a snapshot. */
const onShare: Readonly<Record<string, (cloud: Cloud) => Effect.Effect<Answer>>> = {
  delete: (cloud) => ask(cloud, "DELETE", "/v2/shares/one", admin),
  force_delete: (cloud) => act(cloud, "one", "force_delete", null, admin),
  soft_delete: (cloud) => act(cloud, "one", "soft_delete", null, admin),
  restore: (cloud) => act(cloud, "one", "restore", null, admin),
  extend: (cloud) => act(cloud, "one", "extend", { new_size: 9 }, admin),
  shrink: (cloud) => act(cloud, "one", "shrink", { new_size: 1 }, admin),
  unmanage: (cloud) => act(cloud, "one", "unmanage", null, admin),
  reset_status: (cloud) => act(cloud, "one", "reset_status", { status: "error" }, admin),
  revert: (cloud) => act(cloud, "one", "revert", { snapshot_id: snapshotId }, admin),
  create_snapshot: (cloud) =>
    ask(cloud, "POST", "/v2/snapshots", { ...admin, body: { snapshot: { share_id: "one" } } }),
  allow_access: (cloud) => act(cloud, "one", "allow_access", { access_type: "ip", access_to: "10.9.9.9" }, admin),
  deny_access: (cloud) => act(cloud, "one", "deny_access", { access_id: "rule" }, admin),
  update_access: (cloud) =>
    ask(cloud, "PUT", "/v2/share-access-rules/rule", { ...admin, body: { update_access: { access_level: "ro" } } }),
  update: (cloud) => ask(cloud, "PUT", "/v2/shares/one", { ...admin, body: { share: { display_name: "x" } } }),
  metadata_set: (cloud) => ask(cloud, "POST", "/v2/shares/one/metadata", { ...admin, body: { metadata: { a: "b" } } }),
  show: (cloud) => get(cloud, "/v2/shares/one", admin)
}

const seedOf = (share: FakeCloud.ShareSeed, needsSnapshot: boolean): FakeCloud.Seed => ({
  shares: [{ id: "one", size: 2, project_id: "admin", ...share }],
  accessRules: [{ id: "rule", share_id: "one" }],
  snapshots: needsSnapshot ? [{ id: snapshotId, share_id: "one" }] : []
})

const onSnapshot: Readonly<Record<string, (cloud: Cloud) => Effect.Effect<Answer>>> = {
  delete: (cloud) => ask(cloud, "DELETE", `/v2/snapshots/${snapshotId}`, admin),
  force_delete: (cloud) =>
    ask(cloud, "POST", `/v2/snapshots/${snapshotId}/action`, { ...admin, body: { force_delete: null } }),
  unmanage: (cloud) => ask(cloud, "POST", `/v2/snapshots/${snapshotId}/action`, { ...admin, body: { unmanage: null } }),
  allow_access: (cloud) =>
    ask(cloud, "POST", `/v2/snapshots/${snapshotId}/action`, {
      ...admin,
      body: { allow_access: { access_type: "ip", access_to: "10.9.9.9" } }
    }),
  revert_share: (cloud) => act(cloud, "one", "revert", { snapshot_id: snapshotId }, admin),
  create_share_from: (cloud) =>
    ask(cloud, "POST", "/v2/shares", {
      ...admin,
      body: { share: { share_proto: "NFS", size: 2, snapshot_id: snapshotId } }
    }),
  update: (cloud) =>
    ask(cloud, "PUT", `/v2/snapshots/${snapshotId}`, { ...admin, body: { snapshot: { display_name: "x" } } })
}

const each = (
  rows: Rows,
  seed: (status: string | null, operation: string) => FakeCloud.Seed,
  operations: Readonly<Record<string, (cloud: Cloud) => Effect.Effect<Answer>>>
) => {
  for (const [operation, codes] of Object.entries(rows)) {
    it.effect(`${operation} is answered as measured in every status`, () =>
      Effect.gen(function* () {
        const run = operations[operation]
        assert(run !== undefined, `the table has ${operation}, this test has not`)
        const measured: Record<string, number> = {}
        const answered: Record<string, number> = {}
        for (const [code, statuses] of Object.entries(codes)) {
          for (const status of statuses) {
            const cloud = yield* FakeCloud.make({ seed: seed(status, operation) })
            measured[String(status)] = Number(code)
            answered[String(status)] = (yield* run(cloud)).status
          }
        }
        assert.deepStrictEqual(answered, measured)
      })
    )
  }
}

describe("a share", () => {
  each(matrix.share, (status, operation) => seedOf({ status: String(status) }, operation === "revert"), onShare)
})

describe("a share with a task", () => {
  each(matrix.share_by_task_state, (state) => seedOf({ task_state: state }, false), onShare)
})

describe("a share in the recycle bin", () => {
  for (const [operation, code] of Object.entries(matrix.share_soft_deleted)) {
    it.effect(`${operation} is ${code}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed: seedOf({ is_soft_deleted: true }, false) })
        const answer = yield* (onShare[operation] ?? Effect.die)(cloud)
        assert.strictEqual(answer.status, code)
      })
    )
  }
})

describe("a snapshot", () => {
  each(
    matrix.snapshot,
    (status) => ({
      shares: [{ id: "one", size: 2, project_id: "admin" }],
      snapshots: [{ id: snapshotId, share_id: "one", status: String(status) }]
    }),
    onSnapshot
  )
})
