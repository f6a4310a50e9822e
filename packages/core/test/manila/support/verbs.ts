/**
 * Every asynchronous verb with what it needs in a cloud, what it sends, and what happens to the resource.
 */
import { verbs } from "@effect-manila/core/manila/operations"
import type * as Verb from "@effect-manila/core/manila/Verb"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Effect from "effect/Effect"
import { ids } from "./cases.ts"
import * as Cloud from "./cloud.ts"

export interface Subject {
  readonly name: string
  readonly verb: Verb.Verb<unknown, { readonly id: string }, unknown>
  readonly kind: "share" | "snapshot" | "accessRule" | "replica" | "backup"
  readonly input: unknown
  /** What the fake cloud calls it; the recycle bin is no action of its own. */
  readonly action: FakeCloud.Action | undefined
  readonly transitional: string
  /** `gone` where absence is wanted. */
  readonly success: string
  /** The status before, of a resource that is there before. */
  readonly from: string | undefined
  readonly mutation: readonly [method: string, path: string]
  readonly seed: FakeCloud.Seed
  /** What one look asks for besides the resource itself. */
  readonly beside?: string
}

/** Messages are shown to their own project only, and force needs an administrator. */
export const projectId = Cloud.run({}, ({ cloud }) => Effect.succeed(cloud.admin.projectId))

const share = (more: object = {}): FakeCloud.Seed => ({
  shares: [{ id: ids.share, name: "web", size: 2, status: "available", project_id: projectId, ...more }]
})

const withSnapshot: FakeCloud.Seed = {
  ...share(),
  snapshots: [{ id: ids.snapshot, share_id: ids.share, name: "s", project_id: projectId }]
}

const withRule: FakeCloud.Seed = {
  ...share(),
  accessRules: [{ id: ids.rule, share_id: ids.share, access_to: "10.0.0.0/24" }]
}

const replicated: FakeCloud.Seed = {
  shareTypes: [{ name: "r", extra_specs: { replication_type: "dr" } }],
  shares: [{ id: ids.replicated, name: "web", share_type: "r", project_id: projectId }]
}

const withReplica: FakeCloud.Seed = { ...replicated, replicas: [{ id: ids.replica, share_id: ids.replicated }] }

const outOfSync: FakeCloud.Seed = {
  ...replicated,
  replicas: [{ id: ids.replica, share_id: ids.replicated, replica_state: "out_of_sync" }]
}

const withBackup: FakeCloud.Seed = { ...share(), backups: [{ id: ids.backup, share_id: ids.share }] }

const onBackup = `/share-backups/${ids.backup}`

const onReplica = `/share-replicas/${ids.replica}`

const id = ids.share
const action = `/shares/${id}/action`
const rule = { id: ids.rule, shareId: id }

const parts: Readonly<Record<string, Omit<Subject, "name" | "verb" | "kind">>> = {
  "Share.create": {
    input: { shareProto: "NFS", size: 1, name: "web" },
    action: "share.create",
    transitional: "creating",
    success: "available",
    from: undefined,
    mutation: ["POST", "/shares"],
    seed: {}
  },
  "Share.delete": {
    input: { id },
    action: "share.delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["DELETE", `/shares/${id}`],
    seed: share()
  },
  "Share.forceDelete": {
    input: { id },
    action: "share.force_delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["POST", action],
    seed: share()
  },
  "Share.softDelete": {
    input: { id },
    action: undefined,
    transitional: "",
    success: "available",
    from: "available",
    mutation: ["POST", action],
    seed: share()
  },
  "Share.restore": {
    input: { id },
    action: undefined,
    transitional: "",
    success: "available",
    from: "soft_deleted",
    mutation: ["POST", action],
    seed: share({ is_soft_deleted: true })
  },
  "Share.extend": {
    input: { id, newSize: 3 },
    action: "share.extend",
    transitional: "extending",
    success: "available",
    from: "available",
    mutation: ["POST", action],
    seed: share()
  },
  "Share.shrink": {
    input: { id, newSize: 1 },
    action: "share.shrink",
    transitional: "shrinking",
    success: "available",
    from: "available",
    mutation: ["POST", action],
    seed: share()
  },
  "Share.revert": {
    input: { id, snapshotId: ids.snapshot },
    action: "share.revert",
    transitional: "reverting",
    success: "available",
    from: "available",
    mutation: ["POST", action],
    seed: withSnapshot
  },
  "ShareInstance.forceDelete": {
    input: { id: ids.instance },
    action: "share_instance.force_delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["POST", `/share_instances/${ids.instance}/action`],
    seed: share({ instance_id: ids.instance })
  },
  "ShareManage.adopt": {
    input: { serviceHost: "manila@alpha#pool", protocol: "NFS", exportPath: "10.0.0.9:/old", name: "web" },
    action: "share.manage",
    transitional: "manage_starting",
    success: "available",
    from: undefined,
    mutation: ["POST", "/shares/manage"],
    seed: {}
  },
  "ShareManage.abandon": {
    input: { id },
    action: "share.unmanage",
    transitional: "unmanage_starting",
    success: "gone",
    from: "available",
    mutation: ["POST", action],
    seed: share()
  },
  "ShareAccess.allow": {
    input: { shareId: id, accessType: "ip", accessTo: "10.9.0.0/24" },
    action: "access.create",
    transitional: "applying",
    success: "active",
    from: undefined,
    mutation: ["POST", action],
    seed: share()
  },
  "ShareAccess.deny": {
    input: rule,
    action: "access.delete",
    transitional: "denying",
    success: "gone",
    from: "active",
    mutation: ["POST", action],
    seed: withRule
  },
  "ShareAccess.update": {
    input: { ...rule, accessLevel: "ro" },
    action: "access.update",
    transitional: "updating",
    success: "active",
    from: "active",
    mutation: ["PUT", `/share-access-rules/${ids.rule}`],
    seed: withRule
  },
  "Snapshot.create": {
    input: { shareId: id, name: "s" },
    action: "snapshot.create",
    transitional: "creating",
    success: "available",
    from: undefined,
    mutation: ["POST", "/snapshots"],
    seed: share()
  },
  "Snapshot.delete": {
    input: { id: ids.snapshot },
    action: "snapshot.delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["DELETE", `/snapshots/${ids.snapshot}`],
    seed: withSnapshot
  },
  "Snapshot.forceDelete": {
    input: { id: ids.snapshot },
    action: "snapshot.force_delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["POST", `/snapshots/${ids.snapshot}/action`],
    seed: withSnapshot
  },
  "Snapshot.adopt": {
    input: { shareId: id, providerLocation: "/old/s", name: "s" },
    action: "snapshot.manage",
    transitional: "manage_starting",
    success: "available",
    from: undefined,
    mutation: ["POST", "/snapshots/manage"],
    seed: share()
  },
  "Snapshot.abandon": {
    input: { id: ids.snapshot },
    action: "snapshot.unmanage",
    transitional: "unmanage_starting",
    success: "gone",
    from: "available",
    mutation: ["POST", `/snapshots/${ids.snapshot}/action`],
    seed: withSnapshot
  },
  "Replica.create": {
    input: { shareId: ids.replicated },
    action: "replica.create",
    transitional: "creating",
    success: "available",
    from: undefined,
    mutation: ["POST", "/share-replicas"],
    seed: replicated
  },
  "Replica.delete": {
    input: { id: ids.replica },
    action: "replica.delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["DELETE", onReplica],
    seed: withReplica
  },
  "Replica.forceDelete": {
    input: { id: ids.replica },
    action: "replica.force_delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["POST", `${onReplica}/action`],
    seed: withReplica
  },
  "Replica.promote": {
    input: { id: ids.replica },
    action: "replica.promote",
    transitional: "replication_change",
    success: "active",
    from: "in_sync",
    mutation: ["POST", `${onReplica}/action`],
    seed: withReplica
  },
  "Replica.resync": {
    input: { id: ids.replica },
    action: "replica.resync",
    transitional: "out_of_sync",
    success: "in_sync",
    from: undefined,
    mutation: ["POST", `${onReplica}/action`],
    seed: outOfSync
  },
  "Backup.create": {
    input: { shareId: ids.share, name: "b" },
    action: "backup.create",
    transitional: "creating",
    success: "available",
    from: undefined,
    mutation: ["POST", "/share-backups"],
    seed: share()
  },
  "Backup.delete": {
    input: { id: ids.backup },
    action: "backup.delete",
    transitional: "deleting",
    success: "gone",
    from: "available",
    mutation: ["DELETE", onBackup],
    seed: withBackup
  },
  "Backup.restore": {
    input: { id: ids.backup },
    action: "backup.restore",
    transitional: "restoring",
    success: "available",
    from: "available",
    mutation: ["POST", `${onBackup}/action`],
    seed: withBackup,
    beside: `/shares/${ids.share}`
  }
}

const kinds = {
  Share: "share",
  ShareInstance: "share",
  ShareManage: "share",
  ShareAccess: "accessRule",
  Snapshot: "snapshot",
  Replica: "replica",
  Backup: "backup"
} as const

/** Every verb there is: one without its parts is a defect of this table. */
export const subjects: ReadonlyArray<Subject> = Object.entries(verbs).flatMap(([kind, ofKind]) =>
  Object.entries(ofKind).map(([name, verb]): Subject => {
    const given = parts[`${kind}.${name}`]
    if (given === undefined) throw new Error(`nothing is known of the verb ${kind}.${name}`)
    // A verb takes what its part of the table says.
    return { name: `${kind}.${name}`, verb: verb as never, kind: kinds[kind as keyof typeof kinds], ...given }
  })
)
