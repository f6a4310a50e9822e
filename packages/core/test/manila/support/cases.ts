/**
 * Every operation with an input for it, and what that has to be on the wire.
 */
import * as Backup from "@effect-manila/core/manila/Backup"
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import * as Message from "@effect-manila/core/manila/Message"
import type { AnyOperation } from "@effect-manila/core/manila/operations"
import * as Replica from "@effect-manila/core/manila/Replica"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as ShareInstance from "@effect-manila/core/manila/ShareInstance"
import * as ShareManage from "@effect-manila/core/manila/ShareManage"
import * as ShareType from "@effect-manila/core/manila/ShareType"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"

/** One field of an input that may be left out. */
export interface Field {
  readonly value: unknown
  /** Its name and value on the wire; without a name it is all of the argument. */
  readonly wire: readonly [name: string, value: unknown]
}

export interface Case {
  readonly operation: AnyOperation
  readonly fact: string
  /** Other facts for older microversions. */
  readonly older?: string
  readonly input: Readonly<Record<string, unknown>>
  /** The fields of the body, or the argument of the action. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly optional?: Readonly<Record<string, Field>>
  /** Parts of the path. */
  readonly path?: Readonly<Record<string, string>>
}

/** What is in the cloud; every share is the member's own. */
export const ids = {
  share: "11111111-1111-4111-8111-111111111111",
  /** Has a snapshot. */
  parent: "22222222-2222-4222-8222-222222222222",
  /** In the recycle bin. */
  binned: "33333333-3333-4333-8333-333333333333",
  snapshot: "44444444-4444-4444-8444-444444444444",
  rule: "55555555-5555-4555-8555-555555555555",
  message: "66666666-6666-4666-8666-666666666666",
  type: "77777777-7777-4777-8777-777777777777",
  replica: "88888888-8888-4888-8888-888888888888",
  /** Its type has a replication type. */
  replicated: "99999999-9999-4999-8999-999999999999",
  backup: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
  /** Has a backup, and nothing else. */
  copied: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb",
  /** What the share is on its back end. */
  instance: "cccccccc-cccc-4ccc-8ccc-cccccccccccc"
}

const id = Share.ShareId.make(ids.share)
const parent = Share.ShareId.make(ids.parent)
const snapshot = Snapshot.SnapshotId.make(ids.snapshot)
const backup = Backup.BackupId.make(ids.backup)
const replica = Replica.ReplicaId.make(ids.replica)
const instance = ShareInstance.ShareInstanceId.make(ids.instance)
const rule = ShareAccess.AccessRuleId.make(ids.rule)

const field = (value: unknown, name: string, wire: unknown = value): Field => ({ value, wire: [name, wire] })
const query = (value: unknown, name: string, wire: unknown = value): Field => field(value, name, String(wire))

const metadata = { a: "1" }

const shareFilters: Readonly<Record<string, Field>> = {
  name: query("web", "name"),
  nameLike: query("we", "name~"),
  description: query("d", "description"),
  descriptionLike: query("d", "description~"),
  status: query("available", "status"),
  shareTypeId: query(ids.type, "share_type_id"),
  snapshotId: query(ids.snapshot, "snapshot_id"),
  shareNetworkId: query(ids.type, "share_network_id"),
  shareGroupId: query(ids.type, "share_group_id"),
  shareServerId: query(ids.type, "share_server_id"),
  host: query("h@b#p", "host"),
  exportLocationId: query(ids.type, "export_location_id"),
  exportLocationPath: query("10.0.0.1:/x", "export_location_path"),
  metadata: query(metadata, "metadata", '{"a":"1"}'),
  extraSpecs: query(metadata, "extra_specs", '{"a":"1"}'),
  isPublic: query(true, "is_public"),
  isSoftDeleted: query(true, "is_soft_deleted"),
  encryptionKeyRef: query("k", "encryption_key_ref"),
  mountPointName: query("m", "mount_point_name"),
  availabilityZone: query("nova", "availability_zone"),
  allProjects: query(true, "all_tenants", 1),
  projectId: query(ids.type, "project_id"),
  withCount: query(true, "with_count"),
  sortKey: query("created_at", "sort_key"),
  sortDir: query("asc", "sort_dir"),
  limit: query(5, "limit"),
  offset: query(2, "offset")
}

const snapshotFilters: Readonly<Record<string, Field>> = {
  name: query("web", "name"),
  nameLike: query("we", "name~"),
  description: query("d", "description"),
  descriptionLike: query("d", "description~"),
  status: query("available", "status"),
  shareId: query(ids.share, "share_id"),
  size: query(1, "size"),
  metadata: query(metadata, "metadata", '{"a":"1"}'),
  usage: query("used", "usage"),
  allProjects: query(true, "all_tenants", 1),
  withCount: query(true, "with_count"),
  sortKey: query("created_at", "sort_key"),
  sortDir: query("asc", "sort_dir"),
  limit: query(5, "limit"),
  offset: query(2, "offset")
}

const replicaFilters: Readonly<Record<string, Field>> = {
  shareId: query(ids.replicated, "share_id"),
  limit: query(5, "limit"),
  offset: query(2, "offset")
}

const backupFilters: Readonly<Record<string, Field>> = {
  name: query("web", "name"),
  nameLike: query("we", "name~"),
  description: query("d", "description"),
  descriptionLike: query("d", "description~"),
  status: query("available", "status"),
  shareId: query(ids.copied, "share_id"),
  host: query("h@b", "host"),
  topic: query("manila-data", "topic"),
  allProjects: query(true, "all_tenants", 1),
  sortKey: query("created_at", "sort_key"),
  sortDir: query("asc", "sort_dir"),
  limit: query(5, "limit"),
  offset: query(2, "offset")
}

const onShare = { share_id: ids.share }
const onSnapshot = { snapshot_id: ids.snapshot }
const onBackup = { share_backup_id: ids.backup }
const onReplica = { share_replica_id: ids.replica }
const onInstance = { share_instance_id: ids.instance }
const onRule = { access_id: ids.rule }

const metadataCases = (
  operations: Pick<
    typeof Share,
    "getMetadata" | "getMetadataItem" | "removeMetadata" | "replaceMetadata" | "setMetadata"
  >,
  fact: string,
  of: Share.ShareId,
  path: Readonly<Record<string, string>>
): ReadonlyArray<Case> => [
  { operation: operations.getMetadata, fact: `${fact}.list`, input: { id: of }, path },
  { operation: operations.setMetadata, fact: `${fact}.set`, input: { id: of, metadata }, body: metadata, path },
  {
    operation: operations.replaceMetadata,
    fact: `${fact}.replace_all`,
    input: { id: of, metadata },
    body: metadata,
    path
  },
  {
    operation: operations.getMetadataItem,
    fact: `${fact}.show_item`,
    input: { id: of, key: "a b" },
    path: { ...path, key: "a%20b" }
  },
  {
    operation: operations.removeMetadata,
    fact: `${fact}.delete_item`,
    input: { id: of, key: "a b" },
    path: { ...path, key: "a%20b" }
  }
]

export const cases: ReadonlyArray<Case> = [
  {
    operation: Share.create,
    fact: "share.create",
    input: { shareProto: "NFS", size: 1 },
    body: { share_proto: "NFS", size: 1 },
    optional: {
      name: field("web", "name"),
      description: field("d", "description"),
      shareType: field("default", "share_type"),
      snapshotId: field(ids.snapshot, "snapshot_id"),
      isPublic: field(true, "is_public"),
      metadata: field(metadata, "metadata"),
      shareNetworkId: field(ids.type, "share_network_id"),
      availabilityZone: field("nova", "availability_zone"),
      shareGroupId: field(ids.type, "share_group_id"),
      schedulerHints: field({ same_host: ids.parent }, "scheduler_hints"),
      mountPointName: field("m", "mount_point_name"),
      encryptionKeyRef: field(ids.type, "encryption_key_ref")
    }
  },
  { operation: Share.page, fact: "share.list_detail", input: {}, optional: shareFilters },
  { operation: Share.summaryPage, fact: "share.list", input: {}, optional: shareFilters },
  { operation: Share.get, fact: "share.show", input: { id }, path: onShare },
  {
    operation: Share.update,
    fact: "share.update",
    input: { id, name: "n" },
    body: { display_name: "n" },
    path: onShare,
    optional: { description: field(null, "display_description"), isPublic: field(true, "is_public") }
  },
  {
    operation: Share.remove,
    fact: "share.delete",
    input: { id },
    path: onShare,
    optional: { shareGroupId: query(ids.type, "share_group_id") }
  },
  { operation: Share.forceRemove, fact: "share.force_delete", input: { id }, body: null, path: onShare },
  { operation: Share.softRemove, fact: "share.soft_delete", input: { id }, body: null, path: onShare },
  {
    operation: Share.restore,
    fact: "share.restore",
    input: { id: Share.ShareId.make(ids.binned) },
    body: null,
    path: { share_id: ids.binned }
  },
  {
    operation: Share.extend,
    fact: "share.extend",
    input: { id, newSize: 3 },
    body: { new_size: 3 },
    path: onShare,
    optional: { force: field(true, "force") }
  },
  { operation: Share.shrink, fact: "share.shrink", input: { id, newSize: 1 }, body: { new_size: 1 }, path: onShare },
  {
    operation: Share.revert,
    fact: "share.revert_to_snapshot",
    input: { id: parent, snapshotId: ids.snapshot },
    body: { snapshot_id: ids.snapshot },
    path: { share_id: ids.parent }
  },
  {
    operation: Share.resetStatus,
    fact: "share.reset_status",
    input: { id, status: "error" },
    body: { status: "error" },
    path: onShare
  },
  {
    operation: Share.resetTaskState,
    fact: "share.reset_task_state",
    input: { id, taskState: null },
    body: { task_state: null },
    path: onShare
  },
  ...metadataCases(Share, "share_metadata", id, onShare),
  {
    operation: ShareManage.adopt,
    fact: "share.manage",
    older: "share.manage_legacy",
    input: { serviceHost: "manila@alpha#pool", protocol: "NFS", exportPath: "10.0.0.9:/old" },
    body: { service_host: "manila@alpha#pool", protocol: "NFS", export_path: "10.0.0.9:/old" },
    optional: {
      shareType: field("default", "share_type"),
      name: field("web", "name"),
      description: field("d", "description"),
      driverOptions: field({ a: "1" }, "driver_options"),
      isPublic: field(true, "is_public"),
      shareServerId: field(ids.type, "share_server_id"),
      mountPointName: field("m", "mount_point_name")
    }
  },
  {
    operation: ShareManage.abandon,
    fact: "share.unmanage",
    older: "share.unmanage_legacy",
    input: { id },
    body: null,
    path: onShare
  },
  {
    operation: ShareAccess.allow,
    fact: "share_access_rule.allow_access",
    input: { shareId: id, accessType: "ip", accessTo: "10.9.0.0/24" },
    body: { access_type: "ip", access_to: "10.9.0.0/24" },
    path: onShare,
    optional: {
      accessLevel: field("ro", "access_level"),
      metadata: field(metadata, "metadata"),
      lockVisibility: field(true, "lock_visibility"),
      lockDeletion: field(true, "lock_deletion"),
      lockReason: field("why", "lock_reason")
    }
  },
  {
    operation: ShareAccess.deny,
    fact: "share_access_rule.deny_access",
    input: { shareId: id, id: rule },
    body: { access_id: ids.rule },
    path: onShare,
    optional: { unrestrict: field(true, "unrestrict") }
  },
  {
    operation: ShareAccess.list,
    fact: "share_access_rule.list",
    older: "share_access_rule.list_for_share_action",
    input: { shareId: id },
    query: { share_id: ids.share },
    body: null,
    path: onShare,
    optional: {
      accessType: query("ip", "access_type"),
      accessTo: query("10.0.0.0/24", "access_to"),
      accessLevel: query("rw", "access_level"),
      accessKey: query("k", "access_key"),
      metadata: query(metadata, "metadata", '{"a":"1"}')
    }
  },
  { operation: ShareAccess.get, fact: "share_access_rule.show", input: { id: rule }, path: onRule },
  {
    operation: ShareAccess.update,
    fact: "share_access_rule.update",
    input: { id: rule, accessLevel: "ro" },
    body: { access_level: "ro" },
    path: onRule
  },
  {
    operation: ShareAccess.setMetadata,
    fact: "share_access_rule_metadata.set",
    input: { id: rule, metadata },
    body: metadata,
    path: onRule
  },
  {
    operation: ShareAccess.removeMetadata,
    fact: "share_access_rule_metadata.delete_item",
    input: { id: rule, key: "a b" },
    path: { ...onRule, key: "a%20b" }
  },
  { operation: ExportLocation.list, fact: "export_location.list", input: { shareId: id }, path: onShare },
  {
    operation: ExportLocation.get,
    fact: "export_location.show",
    input: { shareId: id, id: ids.type },
    path: { ...onShare, export_location_id: ids.type }
  },
  {
    operation: ExportLocation.setMetadata,
    fact: "export_location_metadata.set",
    input: { shareId: id, id: ids.type, metadata },
    body: metadata,
    path: { ...onShare, export_location_id: ids.type }
  },
  {
    operation: ExportLocation.removeMetadata,
    fact: "export_location_metadata.delete_item",
    input: { shareId: id, id: ids.type, key: "a b" },
    path: { ...onShare, export_location_id: ids.type, key: "a%20b" }
  },
  {
    operation: Snapshot.create,
    fact: "snapshot.create",
    input: { shareId: id },
    body: { share_id: ids.share },
    optional: {
      name: field("s", "name"),
      description: field("d", "description"),
      force: field(true, "force"),
      metadata: field(metadata, "metadata")
    }
  },
  { operation: Snapshot.page, fact: "snapshot.list_detail", input: {}, optional: snapshotFilters },
  { operation: Snapshot.summaryPage, fact: "snapshot.list", input: {}, optional: snapshotFilters },
  { operation: Snapshot.get, fact: "snapshot.show", input: { id: snapshot }, path: onSnapshot },
  {
    operation: Snapshot.update,
    fact: "snapshot.update",
    input: { id: snapshot, name: "n" },
    body: { display_name: "n" },
    path: onSnapshot,
    optional: { description: field(null, "display_description") }
  },
  { operation: Snapshot.remove, fact: "snapshot.delete", input: { id: snapshot }, path: onSnapshot },
  {
    operation: Snapshot.forceRemove,
    fact: "snapshot.force_delete",
    input: { id: snapshot },
    body: null,
    path: onSnapshot
  },
  {
    operation: Snapshot.adopt,
    fact: "snapshot.manage",
    input: { shareId: id, providerLocation: "/old/s" },
    body: { share_id: ids.share, provider_location: "/old/s" },
    optional: {
      name: field("s", "name"),
      description: field("d", "description"),
      driverOptions: field({ a: "1" }, "driver_options"),
      metadata: field(metadata, "metadata")
    }
  },
  { operation: Snapshot.abandon, fact: "snapshot.unmanage", input: { id: snapshot }, body: null, path: onSnapshot },
  {
    operation: Snapshot.resetStatus,
    fact: "snapshot.reset_status",
    input: { id: snapshot, status: "error" },
    body: { status: "error" },
    path: onSnapshot
  },
  {
    operation: Snapshot.listExportLocations,
    fact: "snapshot_export_location.list",
    input: { id: snapshot },
    path: onSnapshot
  },
  // The five are the same for every kind; only the brand of the id differs.
  ...metadataCases(
    Snapshot as unknown as typeof Share,
    "snapshot_metadata",
    Share.ShareId.make(ids.snapshot),
    onSnapshot
  ),
  {
    operation: ShareInstance.list,
    fact: "share_instance.list",
    input: {},
    optional: {
      exportLocationId: query("e", "export_location_id"),
      exportLocationPath: query("10.0.0.1:/e", "export_location_path"),
      isSoftDeleted: query(true, "is_soft_deleted")
    }
  },
  {
    operation: ShareInstance.listOfShare,
    fact: "share_instance.list_for_share",
    input: { shareId: id },
    path: onShare
  },
  { operation: ShareInstance.get, fact: "share_instance.show", input: { id: instance }, path: onInstance },
  {
    operation: ShareInstance.forceRemove,
    fact: "share_instance.force_delete",
    input: { id: instance },
    body: null,
    path: onInstance
  },
  {
    operation: ShareInstance.resetStatus,
    fact: "share_instance.reset_status",
    input: { id: instance, status: "error" },
    body: { status: "error" },
    path: onInstance
  },
  {
    operation: ShareInstance.listExportLocations,
    fact: "share_instance_export_location.list",
    input: { id: instance },
    path: onInstance
  },
  {
    operation: ShareInstance.getExportLocation,
    fact: "share_instance_export_location.show",
    input: { id: ShareInstance.ShareInstanceId.make(ids.replica), exportLocationId: `${ids.replica.slice(0, -1)}0` },
    path: { share_instance_id: ids.replica, export_location_id: `${ids.replica.slice(0, -1)}0` }
  },
  {
    operation: Replica.create,
    fact: "share_replica.create",
    input: { shareId: Share.ShareId.make(ids.replicated) },
    body: { share_id: ids.replicated },
    optional: {
      availabilityZone: field("nova", "availability_zone"),
      schedulerHints: field({ only_host: "h@b#p" }, "scheduler_hints"),
      shareNetworkId: field(ids.type, "share_network_id"),
      metadata: field(metadata, "metadata")
    }
  },
  { operation: Replica.page, fact: "share_replica.list_detail", input: {}, optional: replicaFilters },
  { operation: Replica.summaryPage, fact: "share_replica.list", input: {}, optional: replicaFilters },
  { operation: Replica.get, fact: "share_replica.show", input: { id: replica }, path: onReplica },
  { operation: Replica.remove, fact: "share_replica.delete", input: { id: replica }, path: onReplica },
  {
    operation: Replica.forceRemove,
    fact: "share_replica.force_delete",
    input: { id: replica },
    body: null,
    path: onReplica
  },
  {
    operation: Replica.promote,
    fact: "share_replica.promote",
    input: { id: replica },
    body: null,
    path: onReplica,
    optional: { quiesceWaitTime: field(5, "quiesce_wait_time") }
  },
  { operation: Replica.resync, fact: "share_replica.resync", input: { id: replica }, body: null, path: onReplica },
  {
    operation: Replica.resetStatus,
    fact: "share_replica.reset_status",
    input: { id: replica, status: "error" },
    body: { status: "error" },
    path: onReplica
  },
  {
    operation: Replica.resetState,
    fact: "share_replica.reset_replica_state",
    input: { id: replica, replicaState: "error" },
    body: { replica_state: "error" },
    path: onReplica
  },
  {
    operation: Replica.listExportLocations,
    fact: "share_replica_export_location.list",
    input: { id: replica },
    path: onReplica
  },
  {
    operation: Replica.getExportLocation,
    fact: "share_replica_export_location.show",
    input: { id: replica, exportLocationId: `${ids.replica.slice(0, -1)}0` },
    path: { ...onReplica, export_location_id: `${ids.replica.slice(0, -1)}0` }
  },
  ...metadataCases(
    Replica as unknown as typeof Share,
    "share_replica_metadata",
    Share.ShareId.make(ids.replica),
    onReplica
  ),
  {
    operation: Backup.create,
    fact: "share_backup.create",
    input: { shareId: id },
    body: { share_id: ids.share },
    optional: {
      name: field("b", "name"),
      description: field("d", "description"),
      backupOptions: field({ backup_type: "dummy" }, "backup_options")
    }
  },
  { operation: Backup.page, fact: "share_backup.list_detail", input: {}, optional: backupFilters },
  { operation: Backup.summaryPage, fact: "share_backup.list", input: {}, optional: backupFilters },
  { operation: Backup.get, fact: "share_backup.show", input: { id: backup }, path: onBackup },
  {
    operation: Backup.update,
    fact: "share_backup.update",
    input: { id: backup, name: "n" },
    body: { name: "n" },
    path: onBackup,
    optional: { description: field(null, "description") }
  },
  { operation: Backup.remove, fact: "share_backup.delete", input: { id: backup }, path: onBackup },
  {
    operation: Backup.restore,
    fact: "share_backup.restore",
    input: { id: backup },
    body: null,
    path: onBackup,
    optional: { targetShareId: field(ids.share, "") }
  },
  {
    operation: Backup.resetStatus,
    fact: "share_backup.reset_status",
    input: { id: backup, status: "error" },
    body: { status: "error" },
    path: onBackup
  },
  {
    operation: Message.page,
    fact: "message.list",
    input: {},
    optional: {
      resourceId: query(ids.share, "resource_id"),
      resourceType: query("SHARE", "resource_type"),
      requestId: query("req-1", "request_id"),
      actionId: query("001", "action_id"),
      detailId: query("002", "detail_id"),
      messageLevel: query("ERROR", "message_level"),
      createdSince: query("2026-01-01T00:00:00", "created_since"),
      createdBefore: query("2026-01-01T00:00:00", "created_before"),
      sortKey: query("created_at", "sort_key"),
      sortDir: query("desc", "sort_dir"),
      limit: query(1, "limit"),
      offset: query(2, "offset")
    }
  },
  { operation: Message.get, fact: "message.show", input: { id: ids.message }, path: { message_id: ids.message } },
  { operation: Message.remove, fact: "message.delete", input: { id: ids.message }, path: { message_id: ids.message } },
  {
    operation: ShareType.list,
    fact: "share_type.list",
    input: {},
    optional: { isPublic: query("all", "is_public"), extraSpecs: query(metadata, "extra_specs", '{"a":"1"}') }
  },
  { operation: ShareType.getDefault, fact: "share_type.default", input: {} },
  { operation: ShareType.get, fact: "share_type.show", input: { id: ids.type }, path: { share_type_id: ids.type } },
  {
    operation: ShareType.create,
    fact: "share_type.create",
    input: { name: "t", extraSpecs: { driver_handles_share_servers: "False" } },
    body: { name: "t", extra_specs: { driver_handles_share_servers: "False" } },
    optional: { description: field("d", "description"), isPublic: field(false, "share_type_access:is_public") }
  },
  {
    operation: ShareType.update,
    fact: "share_type.update",
    input: { id: ids.type, name: "n" },
    body: { name: "n" },
    path: { share_type_id: ids.type },
    optional: { description: field(null, "description"), isPublic: field(false, "share_type_access:is_public") }
  },
  { operation: ShareType.remove, fact: "share_type.delete", input: { id: ids.type }, path: { share_type_id: ids.type } }
]
