/**
 * Backups of shares. What becomes of a backup becomes of its share too: `backup_creating` and `backup_restoring` stand
 * there as long as the backup is on its way.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, isJson, ok, param, queryWord, type Reply, root } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidShare, refuse, stumble } from "./Refusal.ts"
import type { BackupRow, ShareRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import { argument } from "./ShareActions.ts"
import * as Shares from "./Shares.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

export interface NewBackup {
  readonly id?: string | undefined
  readonly share: ShareRow
  readonly projectId: string
  readonly name: string | null
  readonly description: string | null
  readonly type: string | null
  readonly createdMicros?: number | undefined
}

export const addBackup = (world: World.World, given: NewBackup, now: number): BackupRow => {
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const backup: BackupRow = {
    id: given.id ?? world.ids.uuid(),
    projectId: given.projectId,
    shareId: given.share.id,
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    size: given.share.size,
    zone: given.share.zone,
    type: given.type,
    restoredAt: undefined,
    name: given.name,
    description: given.description,
    track: Track.steady("available")
  }
  world.backups.set(backup.id, backup)
  return backup
}

const invalidBackup = (reason: string) => refuse(400, `Invalid backup: ${reason}.`)

const backupOr404 = (world: World.World, call: Call): BackupRow => {
  const backup = World.findIn(world.backups, param(call), call.now)
  if (backup === undefined || !Policy.owns(call, backup.projectId))
    throw refuse(404, `No backup exists with ID ${param(call)}.`)
  return backup
}

const percentOf = (track: Track.Track, during: string, now: number): string =>
  Track.statusAt(track, now) === during ? String(Math.floor((Track.portionAt(track, now) ?? 0) * 100)) : "100"

const summary = ({ now }: Call, backup: BackupRow) => ({
  id: backup.id,
  name: backup.name,
  share_id: backup.shareId,
  status: Track.statusAt(backup.track, now)
})

const detail = (call: Call, backup: BackupRow): Record<string, unknown> => {
  const { now } = call
  const status = Track.statusAt(backup.track, now)
  const changed = Track.changedAt(backup.track, now)
  return {
    ...summary(call, backup),
    description: backup.description,
    size: backup.size,
    created_at: backup.createdAt,
    updated_at: Number.isFinite(changed) && changed * 1000 > backup.createdMicros ? Stamp.fromMillis(changed) : null,
    availability_zone: backup.zone,
    progress: /error/.test(status) ? "0" : percentOf(backup.track, "creating", now),
    restore_progress: backup.restoredAt === undefined ? "0" : percentOf(backup.track, "restoring", now),
    ...(call.version >= 85 ? { backup_type: backup.type } : {}),
    ...(call.isAdmin
      ? {
          host: backup.type === null ? null : World.defaultHost.split("#")[0],
          topic: backup.type === null ? "manila-data" : "manila-share"
        }
      : {})
  }
}

/** What a share is while its backup is something else. */
const shareWords: Readonly<Record<string, string>> = {
  creating: "backup_creating",
  restoring: "backup_restoring",
  available: "available"
}

/** Begins both; `failed` is what becomes of the share if the backup ends in an error. */
const start = (
  world: World.World,
  call: Call,
  backup: BackupRow,
  share: ShareRow,
  action: Lifecycle.Action,
  failed: string
): boolean => {
  const { lifecycle } = World.nextLifecycle(world, action)
  const { phases } = lifecycle
  const during = action === "backup.restore" ? "backup_restoring" : "backup_creating"
  const last = phases.length - 1
  // The share's own failure leaves the backup as it was.
  const ofBackup = phases.map((phase) => (phase.status === failed ? { ...phase, status: "available" } : phase))
  const ofShare = phases.map((phase, index) => {
    const { status } = phase
    const isFailure = status === failed || status === "error"
    const word = isFailure ? failed : (shareWords[status] ?? (index === last ? "available" : during))
    return { ...phase, status: word }
  })
  const cause = { action, requestId: call.requestId, now: call.now }
  // The message is about the share where that is what failed.
  World.begin(
    world,
    backup,
    { ...lifecycle, phases: ofBackup },
    cause,
    action === "backup.restore" ? share.id : backup.id
  )
  World.begin(world, share, { phases: ofShare }, cause)
  return lifecycle.effect !== "none"
}

const text = (value: unknown): string | null => (value === undefined || value === null ? null : String(value))

const reserve = (world: World.World, call: Call, size: number): void => {
  const quotas = World.quotasFor(world, call.projectId)
  const usage = World.usageOf(world, call.projectId, call.now)
  const { backup_gigabytes: consumed } = usage
  if (quotas.backup_gigabytes !== -1 && consumed + size > quotas.backup_gigabytes)
    throw refuse(
      413,
      `ShareBackupSizeExceedsAvailableQuota: Requested backup exceeds allowed Backup gigabytes quota. Requested ${size}G, quota is ${quotas.backup_gigabytes}G and ${consumed}G has been consumed.`
    )
  if (quotas.backups !== -1 && usage.backups + 1 > quotas.backups)
    throw refuse(413, `BackupLimitExceeded: Maximum number of backups allowed (${quotas.backups}) exceeded.`)
}

const create = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_backup")
  if (body === undefined) throw refuse(422, "Body does not contain 'share_backup' information.")
  const shareId = body["share_id"]
  if (!shareId) throw refuse(400, "'share_id' is missing from the request body.")
  const share = Policy.visibleShare(world, call, String(shareId))
  if (share === undefined) throw refuse(400, `No share exists with ID ${String(shareId)}.`)
  Policy.own(call, share, "share:update")
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Backup can not be created for share '${share.id}' since it has been soft deleted.`)
  Shares.checkIdle(share, 409)
  const status = Track.statusAt(share.track, call.now)
  if (status !== "available")
    throw refuse(
      400,
      `Share ${share.id} is in '${status}' state, but it must be in 'available' state to create a backup.`
    )
  if (World.snapshotsOf(world, share.id, call.now).length > 0)
    throw refuse(400, `Cannot backup share ${share.id} while it has snapshots.`)
  if (World.replicasOf(world, share, call.now).length > 0)
    throw refuse(400, `Cannot backup share ${share.id} while it has replicas.`)
  reserve(world, call, share.size)
  const options = body["backup_options"]
  // Empty options make the service stumble, and leave nothing behind.
  if (isJson(options) && Object.keys(options).length === 0) throw stumble()
  const type = isJson(options) ? text(options["backup_type"]) : null
  const known = World.backupsOf(world, share.id, call.now).find(
    (row) => Track.statusAt(row.track, call.now) === "available"
  )
  if (type !== null && known !== undefined && known.type !== type)
    throw refuse(
      400,
      `Share '${share.name}' has existing backups with backup_type: '${known.type}'. Delete them, or use the same one.`
    )
  const backup = addBackup(
    world,
    { share, projectId: call.projectId, name: text(body["name"]), description: text(body["description"]), type },
    call.now
  )
  start(world, call, backup, share, "backup.create", "available")
  return { status: 202, body: { share_backup: detail(call, backup) } }
}

const show = (world: World.World, call: Call): Reply => ok({ share_backup: detail(call, backupOr404(world, call)) })

const update = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_backup")
  if (body === undefined) throw refuse(422, "Body does not contain 'share_backup' information.")
  const backup = backupOr404(world, call)
  if ("name" in body) backup.name = text(body["name"])
  if ("description" in body) backup.description = text(body["description"])
  return ok({ share_backup: detail(call, backup) })
}

const remove = (world: World.World, call: Call): Reply => {
  const backup = backupOr404(world, call)
  const status = Track.statusAt(backup.track, call.now)
  if (status !== "available" && status !== "error")
    throw invalidBackup(`Backup ${backup.id} status must be available or error.`)
  const { lifecycle } = World.nextLifecycle(world, "backup.delete")
  World.begin(world, backup, lifecycle, { action: "backup.delete", requestId: call.requestId, now: call.now })
  return accepted
}

const restore = (world: World.World, call: Call): Reply => {
  const backup = backupOr404(world, call)
  const target = call.version >= 91 ? argument(call).value : null
  if (Track.statusAt(backup.track, call.now) !== "available")
    throw invalidBackup(`Backup ${backup.id} status must be available.`)
  const share = Policy.shareOr404(world, call, target ? String(target) : backup.shareId)
  if (Track.statusAt(share.track, call.now) !== "available")
    throw invalidShare(400, "Share to be restored to must be available")
  if (backup.size > share.size)
    throw invalidShare(400, `Share size ${share.size} is too small to restore backup of size ${backup.size}`)
  backup.restoredAt = call.now
  if (start(world, call, backup, share, "backup.restore", "backup_restoring_error")) share.sourceBackupId = backup.id
  return { status: 202, body: { restore: { backup_id: backup.id, share_id: share.id } } }
}

const resetStatus = (world: World.World, call: Call): Reply => {
  const body = argument(call).value
  const status = isJson(body) ? body["status"] : undefined
  if (status === undefined) throw refuse(400, "Must specify 'status'")
  if (!Statuses.settableOnShares.includes(String(status)))
    throw refuse(400, `Invalid state. Valid states: ${Statuses.settableOnShares.join(", ")}.`)
  World.settleOn(world, backupOr404(world, call), String(status), call.now)
  return accepted
}

type Test = (backup: BackupRow) => boolean

const filters: Readonly<Record<string, (value: string, call: Call) => Test>> = {
  name: (value) => (backup) => Pages.same(backup.name, value),
  description: (value) => (backup) => Pages.same(backup.description, value),
  "name~": (value) => (backup) => Pages.contains(backup.name, value),
  "description~": (value) => (backup) => Pages.contains(backup.description, value),
  status:
    (value, { now }) =>
    (backup) =>
      Track.statusAt(backup.track, now) === value,
  share_id: (value) => (backup) => backup.shareId === value,
  topic: (value) => (backup) => value === (backup.type === null ? "manila-data" : "manila-share")
}

const sortKeys: Readonly<Record<string, (backup: BackupRow) => string | number | null>> = {
  created_at: (backup) => backup.createdMicros,
  updated_at: (backup) => backup.createdMicros,
  id: (backup) => backup.id,
  name: (backup) => backup.name,
  description: (backup) => backup.description,
  display_name: (backup) => backup.name,
  display_description: (backup) => backup.description,
  share_id: (backup) => backup.shareId,
  size: (backup) => backup.size
}

const list =
  (view: (call: Call, backup: BackupRow) => object) =>
  (world: World.World, call: Call): Reply => {
    const window = Pages.windowOf(call)
    const everywhere =
      call.isAdmin && ["all_tenants", "all_projects"].some((key) => call.query.get(key) === "" || queryWord(call, key))
    const shareId = call.query.get("share_id")
    if (shareId && Policy.visibleShare(world, call, shareId) === undefined)
      throw refuse(400, `No share exists with ID ${shareId}.`)
    const tests = Object.entries(filters).flatMap(([key, read]) => {
      const value = call.query.get(key)
      return value === undefined ? [] : [read(value, call)]
    })
    const direction = Pages.strictDirection(call)
    const keyOf = sortKeys[Pages.sortKeyOf(call)]
    if (keyOf === undefined) throw stumble()
    const found = World.allIn(world.backups, call.now).filter(
      (backup) => (everywhere || backup.projectId === call.projectId) && tests.every((test) => test(backup))
    )
    const page = Pages.slice(Pages.sortBy(found, keyOf, direction), {
      limit: window.limit === undefined ? undefined : Math.min(window.limit, world.cap),
      offset: window.offset
    })
    const links = nextLinks(call, "share-backups", page)
    return ok({
      share_backups: page.map((backup) => view(call, backup)),
      ...(links === undefined ? {} : { share_backup_links: links })
    })
  }

const experimental = { since: 80, experimentalUntil: Infinity } as const
const post = { ...experimental, method: "POST", path: "share-backups/:id/action", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  { ...experimental, method: "GET", path: "share-backups", handle: list(summary) },
  { ...experimental, method: "GET", path: "share-backups/detail", handle: list(detail) },
  { ...experimental, method: "POST", path: "share-backups", role: "member", body: "needed", handle: create },
  { ...experimental, method: "GET", path: "share-backups/:id", handle: show },
  { ...experimental, method: "PUT", path: "share-backups/:id", role: "member", body: "needed", handle: update },
  { ...experimental, method: "DELETE", path: "share-backups/:id", role: "member", handle: remove },
  { ...post, action: "restore", role: "member", handle: restore },
  { ...post, action: "reset_status", role: "admin", handle: resetStatus }
]
