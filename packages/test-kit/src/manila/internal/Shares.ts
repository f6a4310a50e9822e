/**
 * Shares: how one is kept, and show, update, delete.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, isJson, type Json, ok, param, type Reply, strictWord } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, invalidShare, notAllowed, refuse } from "./Refusal.ts"
import type { ExportRow, Metadata, ShareRow, Support, TypeRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as ShareView from "./ShareView.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

export const protocols = ["NFS", "CIFS", "GLUSTERFS", "HDFS", "CEPHFS", "MAPRFS", "LUSTRE"]

export const isTrue = (spec: string | undefined): boolean => /^(<is>\s*)?true$/i.test(spec ?? "")

export const supportOf = (type: TypeRow): Support => ({
  snapshot: isTrue(type.extraSpecs["snapshot_support"]),
  createFromSnapshot: isTrue(type.extraSpecs["create_share_from_snapshot_support"]),
  revert: isTrue(type.extraSpecs["revert_to_snapshot_support"]),
  mountSnapshot: isTrue(type.extraSpecs["mount_snapshot_support"]),
  inheritAccess: isTrue(type.extraSpecs["snapshot_inherit_share_access_support"]),
  replication: type.extraSpecs["replication_type"] ?? null
})

export interface NewShare {
  readonly id?: string | undefined
  readonly instanceId?: string | undefined
  readonly projectId: string
  readonly userId: string
  readonly proto: string
  readonly type: TypeRow
  readonly size: number
  readonly name: string | null
  readonly description: string | null
  readonly isPublic: boolean
  readonly metadata: Metadata
  readonly networkId: string | null
  readonly groupId: string | null
  readonly snapshotId: string | null
  readonly zone: string | null
  readonly host?: string | null | undefined
  readonly mountPointName?: string | null | undefined
  readonly keyRef?: string | null | undefined
  readonly taskState?: string | null | undefined
  readonly progress?: string | null | undefined
  /** The export path of a share that was there before. */
  readonly path?: string | undefined
  readonly createdMicros?: number | undefined
}

/** Paths as drivers of the protocol write them; the first is an administrator's. A path that was there before stays. */
const exportRows = (
  world: World.World,
  given: NewShare,
  shareId: string,
  instanceId: string
): ReadonlyArray<ExportRow> => {
  const row = (path: string, preferred: boolean, isAdminOnly: boolean): ExportRow => ({
    id: world.ids.uuid(),
    path,
    preferred,
    isAdminOnly
  })
  if (given.path !== undefined) return [row(given.path, false, false)]
  const name = `share_${shareId}_${instanceId}`.replaceAll("-", "_")
  const path = (address: string): string => {
    if (given.proto === "CIFS") return `\\\\${address}\\${name}`
    return given.proto === "CEPHFS" ? `${address}:6789:/volumes/${name}` : `${address}:/shares/${name}`
  }
  return [
    row(path("11.0.0.11"), false, true),
    row(path("10.0.0.10"), true, false),
    row(path("10.0.0.20"), false, false)
  ]
}

const later = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** A share that nothing has happened to yet; whoever adds it gives it a track. */
export const addShare = (world: World.World, given: NewShare, now: number): ShareRow => {
  const id = given.id ?? world.ids.uuid()
  const instanceId = given.instanceId ?? world.ids.uuid()
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const share: ShareRow = {
    id,
    instanceId,
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    projectId: given.projectId,
    userId: given.userId,
    proto: given.proto,
    type: given.type,
    support: supportOf(given.type),
    networkId: given.networkId,
    groupId: given.groupId,
    snapshotId: given.snapshotId,
    mountPointName: given.mountPointName ?? null,
    keyRef: given.keyRef ?? null,
    name: given.name,
    description: given.description,
    isPublic: given.isPublic,
    metadata: given.metadata,
    size: given.size,
    pending: undefined,
    taskState: given.taskState ?? null,
    binnedUntil: undefined,
    host: given.host ?? null,
    zone: given.zone,
    serverId: null,
    progress: given.progress ?? null,
    exports: { from: Infinity, rows: later(() => exportRows(world, given, id, instanceId)) },
    rules: new Map(),
    track: Track.steady("creating")
  }
  world.shares.set(id, share)
  return share
}

export const publicOf = (call: Call, body: Json): boolean => {
  if (!("is_public" in body)) return false
  const isPublic = strictWord(body["is_public"])
  if (isPublic && !call.isAdmin) throw refuse(403, "User is not authorized to set 'is_public' to True in the request.")
  return isPublic
}

/** The limits a type sets to sizes. */
export const checkTypeSize = (
  type: TypeRow,
  size: number,
  verb: "create" | "extend" | "admin-extend" | "shrink"
): void => {
  const spec = (name: string) => type.extraSpecs[`provisioning:${name}`]
  const least = verb === "create" || verb === "shrink" ? spec("min_share_size") : undefined
  const most =
    verb === "create" || verb === "extend"
      ? spec("max_share_size")
      : verb === "admin-extend"
        ? spec("max_share_extend_size")
        : undefined
  if (least !== undefined && size < Number(least))
    throw invalidInput(
      `Specified share size of '${size}' is less than the minimum required size of '${least}' for share type '${type.name}'`
    )
  if (most !== undefined && size > Number(most))
    throw invalidInput(
      `Specified share size of '${size}' is greater than the maximum allowable ${verb === "admin-extend" ? "extend " : ""}size of '${most}' for share type '${type.name}'`
    )
}

export const checkShareLimit = (world: World.World, projectId: string, size: number): void => {
  const limit = World.quotasFor(world, projectId).per_share_gigabytes
  if (limit !== -1 && size > limit)
    throw refuse(
      413,
      `ShareSizeExceedsLimit: Requested share size ${size} is larger than maximum allowed limit ${limit}.`
    )
}

export const gigabytesMessage = "Requested share exceeds allowed project/user or share type gigabytes quota."

export const mayUse = (call: Call, type: TypeRow): boolean =>
  type.isPublic || call.isAdmin || type.projects.has(call.projectId)

/** A type by id or name, if the caller may use it. */
export const usableType = (world: World.World, call: Call, idOrName: string): TypeRow | undefined => {
  const type = world.types.get(idOrName) ?? [...world.types.values()].find((known) => known.name === idOrName)
  return type !== undefined && mayUse(call, type) ? type : undefined
}

export const defaultType = (world: World.World): TypeRow | undefined =>
  [...world.types.values()].find((type) => type.isDefault)

const show = (world: World.World, call: Call): Reply =>
  ok({ share: ShareView.detail(call, Policy.shareOr404(world, call, param(call))) })

const update = (world: World.World, call: Call): Reply => {
  if (!isJson(call.body) || !("share" in call.body)) throw refuse(422)
  const body = call.body["share"]
  if (!isJson(body)) throw refuse(400)
  // `name` and `description`, which create takes, are not read here.
  for (const field of ["display_name", "display_description"]) {
    const given = body[field]
    if (typeof given === "string" && given.length > 255) throw invalidInput(`${field} can only be 255 characters long`)
  }
  const share = Policy.shareOr404(world, call, param(call))
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Share '${share.id} cannot be updated, since it has been soft deleted.`)
  const isPublic = "is_public" in body ? publicOf(call, body) : share.isPublic
  Policy.own(call, share, "share:update")
  share.isPublic = isPublic
  const text = (value: unknown) => (value === null ? null : String(value))
  if ("display_name" in body) share.name = text(body["display_name"])
  if ("display_description" in body) share.description = text(body["display_description"])
  return ok({ share: ShareView.detail(call, share) })
}

export const busy = new Set([
  "migration_starting",
  "migration_in_progress",
  "migration_completing",
  "migration_driver_starting",
  "migration_driver_in_progress",
  "migration_driver_phase1_done",
  "data_copying_starting",
  "data_copying_in_progress",
  "data_copying_completing",
  "data_copying_completed"
])

/** What one more replica of a size does to the project's quotas; `before` stands before the service's words. */
export const reserveReplica = (world: World.World, projectId: string, now: number, size: number, before = ""): void => {
  const quotas = World.quotasFor(world, projectId)
  if (quotas.share_replicas === -1 && quotas.replica_gigabytes === -1) return
  const usage = World.usageOf(world, projectId, now)
  if (quotas.replica_gigabytes !== -1 && usage.replica_gigabytes + size > quotas.replica_gigabytes)
    throw refuse(
      413,
      `ShareReplicaSizeExceedsAvailableQuota: ${before}Requested share replica exceeds allowed project/user or share type gigabytes quota.`
    )
  if (quotas.share_replicas !== -1 && usage.share_replicas + 1 > quotas.share_replicas)
    throw refuse(413, `ShareReplicasLimitExceeded: ${before}Maximum number of allowed share-replicas is exceeded.`)
}

export const checkIdle = (share: ShareRow, status: number): void => {
  if (share.taskState !== null && busy.has(share.taskState))
    throw refuse(
      status,
      `Share is busy with an active task: Share ${share.id} is busy as part of an active task: ${share.taskState}.`
    )
}

export const deletable = new Set(["available", "error", "inactive"])

/** What delete, soft delete and force delete check alike, each with codes of its own. */
export const checkDeletable = (
  world: World.World,
  share: ShareRow,
  now: number,
  codes: { readonly status: number; readonly busy: number; readonly anyStatus: boolean }
): void => {
  if (!codes.anyStatus && !deletable.has(Track.statusAt(share.track, now)))
    throw invalidShare(codes.status, "Share status must be one of ('available', 'error', 'inactive')")
  if (World.replicasOf(world, share, now).length > 0)
    throw refuse(409, `Share ${share.id} has replicas. Remove the replicas before deleting the share.`)
  const snapshots = World.snapshotsOf(world, share.id, now).length
  if (snapshots > 0) throw invalidShare(codes.status, `Share still has ${snapshots} dependent snapshots`)
  const backups = World.backupsOf(world, share.id, now).length
  if (backups > 0) throw invalidShare(codes.status, `Share still has ${backups} dependent backups`)
  checkIdle(share, codes.busy)
}

export const startDelete = (world: World.World, call: Call, share: ShareRow, action: Lifecycle.Action): void => {
  const { lifecycle, scripted } = World.nextLifecycle(world, action)
  // What no back end has is deleted on the spot.
  if (share.host === null && !scripted) {
    World.removeShare(world, share)
    return
  }
  World.begin(world, share, lifecycle, { action, requestId: call.requestId, now: call.now })
  World.followShare(world, share, undefined, call.now)
}

const remove = (world: World.World, call: Call): Reply => {
  const share = Policy.shareOr404(world, call, param(call))
  if (share.groupId !== null) {
    const given = call.query.get("share_group_id")
    if (given === undefined || given === "")
      throw refuse(400, "Must provide 'share_group_id' as a request parameter when deleting a share in a share group.")
    if (given !== share.groupId)
      throw refuse(400, "The specified 'share_group_id' does not match the share group id of the share.")
  }
  if (!Policy.owns(call, share.projectId)) throw notAllowed("share:delete")
  checkDeletable(world, share, call.now, { status: 403, busy: 400, anyStatus: false })
  startDelete(world, call, share, "share.delete")
  return accepted
}

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "shares/:id", handle: show },
  { method: "PUT", path: "shares/:id", role: "member", body: "needed", handle: update },
  { method: "DELETE", path: "shares/:id", role: "member", handle: remove }
]
