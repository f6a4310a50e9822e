/**
 * Bodies of shares, their exports and access rules, field by field as the microversions added them.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type { Call } from "./Call.ts"
import { linksOf } from "./Links.ts"
import type { ExportRow, RuleRow, ShareRow } from "./Rows.ts"
import * as Track from "./Track.ts"

type View = Record<string, unknown>

const quiet = new Set(["active", "error"])

/** `error` before `syncing` before `active`; a share that is not available does not say what its rules do. */
export const rulesStatusOf = (share: ShareRow, now: number): "active" | "syncing" | "error" => {
  if (share.rules.size === 0 || Track.statusAt(share.track, now) !== "available") return "active"
  let found: "active" | "syncing" = "active"
  for (const rule of share.rules.values()) {
    const state = Track.statusAt(rule.track, now)
    if (state === "error") return "error"
    if (!quiet.has(state) && state !== "gone") found = "syncing"
  }
  return found
}

export const progressOf = (share: ShareRow, status: string, now: number): string | null => {
  if (share.progress !== null) return share.progress
  if (now >= share.exports.from) return "100%"
  if (status !== "creating_from_snapshot") return null
  return `${Math.floor((Track.portionAt(share.track, now) ?? 0) * 100)}%`
}

export const exportsOf = (call: Call, share: ShareRow): ReadonlyArray<ExportRow> =>
  call.now < share.exports.from ? [] : share.exports.rows().filter((row) => call.isAdmin || !row.isAdminOnly)

export const summary = (call: Call, share: ShareRow): View => ({
  id: share.id,
  name: share.name,
  links: linksOf(call, "shares", share.id)
})

export const detail = (call: Call, share: ShareRow): View => {
  const { now, version } = call
  const status = Track.statusAt(share.track, now)
  const view: View = {
    id: share.id,
    size: share.size,
    availability_zone: share.zone,
    created_at: share.createdAt,
    status: version < 54 && status === "creating_from_snapshot" ? "creating" : status,
    name: share.name,
    description: share.description,
    project_id: share.projectId,
    snapshot_id: share.snapshotId,
    share_network_id: share.networkId,
    share_proto: share.proto,
    metadata: share.metadata,
    share_type: version < 6 ? share.type.name : share.type.id,
    volume_type: share.type.name,
    links: linksOf(call, "shares", share.id),
    is_public: share.isPublic
  }
  if (version < 9) {
    const paths = now < share.exports.from ? [] : share.exports.rows().map((row) => row.path)
    view["export_location"] = paths[0] ?? null
    view["export_locations"] = paths
  }
  if (version >= 2) view["snapshot_support"] = share.support.snapshot
  if (version >= 5) view["task_state"] = share.taskState
  if (version >= 6) view["share_type_name"] = share.type.name
  if (version >= 10) {
    const rules = rulesStatusOf(share, now)
    view["access_rules_status"] = version < 28 && rules === "syncing" ? "out_of_sync" : rules
  }
  if (version >= 11) {
    view["replication_type"] = share.support.replication
    view["has_replicas"] = share.replicas?.some((replica) => !Track.isGone(replica.track, now)) ?? false
  }
  if (version >= 16) view["user_id"] = share.userId
  if (version >= 24) view["create_share_from_snapshot_support"] = share.support.createFromSnapshot
  if (version >= 27) view["revert_to_snapshot_support"] = share.support.revert
  if (version >= 31) {
    view["share_group_id"] = share.groupId
    view["source_share_group_snapshot_member_id"] = null
  }
  if (version >= 32) view["mount_snapshot_support"] = share.support.mountSnapshot
  if (version >= 54) view["progress"] = progressOf(share, status, now)
  if (version >= 69) {
    view["is_soft_deleted"] = share.binnedUntil !== undefined
    view["scheduled_to_be_deleted_at"] = share.binnedUntil === undefined ? null : Stamp.fromMillis(share.binnedUntil)
  }
  if (version >= 80) view["source_backup_id"] = share.sourceBackupId ?? null
  if (version >= 90) view["encryption_key_ref"] = share.keyRef
  if (version >= 99) view["snapshot_inherit_share_access_support"] = share.support.inheritAccess
  if (call.isAdmin) {
    view["share_server_id"] = share.serverId
    view["host"] = share.host
  }
  return view
}

export const exportLocation = (call: Call, share: ShareRow, row: ExportRow, isDetail: boolean): View => {
  const view: View = { id: row.id, path: row.path }
  if (call.version >= 14) view["preferred"] = row.preferred
  if (call.version >= 87) view["metadata"] = row.metadata ?? {}
  if (call.isAdmin) {
    view["share_instance_id"] = share.instanceId
    view["is_admin_only"] = row.isAdminOnly
  }
  if (isDetail) {
    const at = Number.isFinite(share.exports.from) ? Stamp.fromMillis(share.exports.from) : share.createdAt
    view["created_at"] = at
    view["updated_at"] = at
  }
  return view
}

const ruleState = (call: Call, share: ShareRow, state: string): string => {
  if (call.version >= 28) return state
  // Before rules had states of their own, each showed what became of all of them.
  const all = rulesStatusOf(share, call.now)
  return all === "syncing" ? "new" : all
}

const ruleUpdated = (rule: RuleRow, now: number): string | null => {
  const changed = Track.changedAt(rule.track, now) * 1000
  const latest = Math.max(rule.updatedMicros ?? -Infinity, changed > rule.createdMicros ? changed : -Infinity)
  return latest === -Infinity ? null : Stamp.fromMicros(latest)
}

export interface RuleOptions {
  /** Lists leave the share's id out. */
  readonly isListed?: boolean
  /** A change of level is answered with the state from before. */
  readonly state?: string
}

export const rule = (call: Call, share: ShareRow, row: RuleRow, options: RuleOptions = {}): View => {
  const view: View = { id: row.id }
  if (options.isListed !== true) view["share_id"] = row.shareId
  view["access_level"] = row.level
  view["access_to"] = row.to
  view["access_type"] = row.type
  view["state"] = ruleState(call, share, options.state ?? Track.statusAt(row.track, call.now))
  if (call.version >= 21) view["access_key"] = call.now >= row.keyFrom ? row.key : null
  if (call.version >= 33) {
    view["created_at"] = row.createdAt
    view["updated_at"] = ruleUpdated(row, call.now)
  }
  if (call.version >= 45) view["metadata"] = row.metadata
  return view
}
