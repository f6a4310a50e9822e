/**
 * The state of the share service, and what time does to it.
 *
 * Nothing here runs by itself. A row is brought up to date when it is looked at: a size that was waiting for a status
 * takes effect, and what is gone leaves.
 */
import type { Quotas } from "../../FakeCloud.ts"
import type { Ids } from "../../internal/Ids.ts"
import * as Stamp from "../../internal/Stamp.ts"
import { InvalidOption } from "../../InvalidOption.ts"
import * as Lifecycle from "../../Lifecycle.ts"
import * as Reasons from "./Reasons.ts"
import type {
  BackupRow,
  GroupRow,
  MessageRow,
  NetworkRow,
  ReplicaRow,
  ShareRow,
  SnapshotRow,
  Tracked,
  TypeRow
} from "./Rows.ts"
import * as Track from "./Track.ts"

const messageLifeMillis = 30 * 24 * 3600 * 1000

export interface World {
  readonly ids: Ids
  /** Minor parts of the oldest and the newest microversion. */
  readonly oldest: number
  readonly newest: number
  /** The most a capped list gives. */
  readonly cap: number
  /** Servers of today don't cap the share list; a cap that was asked for holds there too. */
  readonly shareCap: number
  readonly quotas: Required<Quotas>
  readonly quotasOf: Map<string, Required<Quotas>>
  readonly zones: Array<{ readonly id: string; readonly name: string; readonly createdAt: string }>
  readonly types: Map<string, TypeRow>
  readonly shares: Map<string, ShareRow>
  readonly snapshots: Map<string, SnapshotRow>
  readonly replicas: Map<string, ReplicaRow>
  readonly backups: Map<string, BackupRow>
  /** Rules live in their share; this says which. */
  readonly ruleShares: Map<string, string>
  readonly messages: Map<string, MessageRow>
  readonly networks: Map<string, NetworkRow>
  readonly groups: Map<string, GroupRow>
  readonly scripts: Map<Lifecycle.Action, Script>
  readonly groupTypeId: string
  lastMicros: number
}

interface Script {
  readonly lifecycles: ReadonlyArray<Lifecycle.Lifecycle>
  used: number
}

export const unlimited: Required<Quotas> = {
  shares: -1,
  gigabytes: -1,
  snapshots: -1,
  snapshot_gigabytes: -1,
  per_share_gigabytes: -1,
  share_replicas: -1,
  replica_gigabytes: -1,
  backups: -1,
  backup_gigabytes: -1
}

/** A type that can do all there is. */
export const defaultSpecs: Readonly<Record<string, string>> = {
  driver_handles_share_servers: "False",
  snapshot_support: "True",
  create_share_from_snapshot_support: "True",
  revert_to_snapshot_support: "True",
  mount_snapshot_support: "True"
}

export interface Options {
  readonly ids: Ids
  readonly oldest: number
  readonly newest: number
  readonly pageCap: number | undefined
  readonly quotas: Quotas
}

/** An empty cloud with one zone and one share type. */
export const make = (options: Options, now: number): World => {
  const { ids, oldest, newest, pageCap } = options
  const id = ids.uuid()
  return {
    ids,
    oldest,
    newest,
    cap: pageCap ?? 1000,
    shareCap: pageCap ?? Infinity,
    quotas: { ...unlimited, ...options.quotas },
    quotasOf: new Map(),
    zones: [{ id: ids.uuid(), name: "nova", createdAt: Stamp.fromMillis(now) }],
    types: new Map([
      [
        id,
        {
          id,
          name: "default",
          description: "default",
          isPublic: true,
          isDefault: true,
          isBuiltIn: true,
          extraSpecs: { ...defaultSpecs },
          projects: new Set()
        }
      ]
    ]),
    shares: new Map(),
    snapshots: new Map(),
    replicas: new Map(),
    backups: new Map(),
    ruleShares: new Map(),
    messages: new Map(),
    networks: new Map(),
    groups: new Map(),
    scripts: new Map(),
    groupTypeId: ids.uuid(),
    lastMicros: Math.floor(now * 1000) - 1
  }
}

/** A time of creation, later than every one before, so that a list has one order. */
export const nextMicros = (world: World, now: number): number => {
  world.lastMicros = Math.max(Math.floor(now * 1000), world.lastMicros + 1)
  return world.lastMicros
}

export const setScript = (
  world: World,
  action: Lifecycle.Action,
  given: Lifecycle.Lifecycle | ReadonlyArray<Lifecycle.Lifecycle>,
  at: string
): void => {
  const isOne = (value: typeof given): value is Lifecycle.Lifecycle => !Array.isArray(value)
  if (!Lifecycle.actions.includes(action))
    throw new InvalidOption({
      option: at,
      problem: `there is no such action; there are ${Lifecycle.actions.join(", ")}`
    })
  const lifecycles = isOne(given) ? [given] : given
  if (lifecycles.length === 0) throw new InvalidOption({ option: at, problem: "needs at least one lifecycle" })
  lifecycles.forEach((lifecycle, index) => Lifecycle.check(lifecycle, isOne(given) ? at : `${at}[${index}]`))
  world.scripts.set(action, { lifecycles, used: 0 })
}

/** What this call of the action leads to, and whether somebody wished so. */
export const nextLifecycle = (
  world: World,
  action: Lifecycle.Action
): { readonly lifecycle: Lifecycle.Lifecycle; readonly scripted: boolean } => {
  const script = world.scripts.get(action)
  if (script === undefined) return { lifecycle: Lifecycle.defaults[action], scripted: false }
  const lifecycle = script.lifecycles[Math.min(script.used, script.lifecycles.length - 1)]
  script.used++
  return { lifecycle: lifecycle ?? Lifecycle.defaults[action], scripted: true }
}

/** Messages go after thirty days; their end has no fraction. */
export const expiryOf = (createdMicros: number): string =>
  Stamp.fromMillis(Math.floor(createdMicros / 1_000_000) * 1000 + messageLifeMillis)

/** A failure that was still to come won't. */
const forget = (world: World, row: Tracked, now: number): void => {
  if (row.message !== undefined && row.message.createdMicros > now * 1000) world.messages.delete(row.message.id)
  row.message = undefined
}

export interface Cause {
  readonly action: Lifecycle.Action
  readonly requestId: string
  readonly now: number
}

/** Gives a row a new future; a reason in it becomes a message at its time. `resourceId` is whom the message is about. */
export const begin = (
  world: World,
  row: Tracked,
  lifecycle: Lifecycle.Lifecycle,
  { action, requestId, now }: Cause,
  resourceId = row.id
): void => {
  forget(world, row, now)
  const track = Track.start(lifecycle, now)
  row.track = track
  const at = track.starts[Lifecycle.failureIndex(lifecycle)]
  if (lifecycle.reason === undefined || at === undefined || at === Infinity) return
  const words = Reasons.wordsOf(action, lifecycle.reason)
  const micros = at * 1000
  row.message = {
    id: world.ids.uuid(),
    projectId: row.projectId,
    resourceType: words.resourceType,
    resourceId,
    actionId: words.actionId,
    detailId: words.detailId,
    level: words.level,
    text: words.text,
    requestId,
    createdMicros: micros,
    createdAt: Stamp.fromMicros(micros),
    expiresAt: expiryOf(micros)
  }
  world.messages.set(row.message.id, row.message)
}

/** One status from now on, whatever was to come. */
export const settleOn = (world: World, row: Tracked, status: string, now: number): void => {
  forget(world, row, now)
  row.track = Track.steady(status)
}

/** What a share's size and exports owe to its track; to be called whenever the track is new. */
export const followShare = (world: World, share: ShareRow, size: number | undefined, now: number): void => {
  const at = Track.reachedAt(share.track, "available")
  share.pending = size === undefined || at === undefined || share.track.rolledBack ? undefined : { size, at }
  if (at !== undefined && share.exports.from > now) share.exports.from = at
  if (at !== undefined && share.host === null) place(world, share)
}

export const defaultHost = "manila@alpha#pool"

export const place = (world: World, share: ShareRow): void => {
  share.host = defaultHost
  share.zone ??= world.zones[0]?.name ?? null
  if (share.networkId !== null) share.serverId = world.ids.uuid()
}

/** Applies what the clock has brought; false if the share is gone. */
const refresh = (world: World, share: ShareRow, now: number): boolean => {
  if (share.pending !== undefined && now >= share.pending.at) {
    share.size = share.pending.size
    share.pending = undefined
  }
  const emptied = share.binnedUntil !== undefined && now >= share.binnedUntil
  if (!emptied && !Track.isGone(share.track, now)) return true
  removeShare(world, share)
  return false
}

export const removeShare = (world: World, share: ShareRow): void => {
  world.shares.delete(share.id)
  for (const id of share.rules.keys()) world.ruleShares.delete(id)
}

export const findShare = (world: World, id: string, now: number): ShareRow | undefined => {
  const share = world.shares.get(id)
  return share !== undefined && refresh(world, share, now) ? share : undefined
}

export const allShares = (world: World, now: number): Array<ShareRow> => {
  const all: Array<ShareRow> = []
  for (const share of world.shares.values()) if (refresh(world, share, now)) all.push(share)
  return all
}

export const findIn = <A extends Tracked>(rows: Map<string, A>, id: string, now: number): A | undefined => {
  const row = rows.get(id)
  if (row === undefined || !Track.isGone(row.track, now)) return row
  rows.delete(id)
  return undefined
}

export const allIn = <A extends Tracked>(rows: Map<string, A>, now: number): Array<A> => {
  const all: Array<A> = []
  for (const row of rows.values()) {
    if (Track.isGone(row.track, now)) rows.delete(row.id)
    else all.push(row)
  }
  return all
}

export const snapshotsOf = (world: World, shareId: string, now: number): Array<SnapshotRow> =>
  allIn(world.snapshots, now).filter((snapshot) => snapshot.shareId === shareId)

/** Of a share with replicas there is one more than these: itself. */
export const replicasOf = (world: World, share: ShareRow, now: number): Array<ReplicaRow> =>
  allIn(world.replicas, now).filter(({ id, shareId }) => shareId === share.id && id !== share.instanceId)

export const backupsOf = (world: World, shareId: string, now: number): Array<BackupRow> =>
  allIn(world.backups, now).filter((backup) => backup.shareId === shareId)

/** What the service writes on what it has taken over. */
export const managedAt = ({ createdAt }: { readonly createdAt: string }): Readonly<Record<string, string>> => ({
  __managed_at: createdAt.replace("T", " ")
})

export const zoneNamed = (world: World, name: string) => world.zones.find((zone) => zone.name === name)

export const quotasFor = (world: World, projectId: string): Required<Quotas> =>
  world.quotasOf.get(projectId) ?? world.quotas

export interface Usage {
  readonly shares: number
  readonly gigabytes: number
  readonly snapshots: number
  readonly snapshot_gigabytes: number
  readonly share_replicas: number
  readonly replica_gigabytes: number
  readonly backups: number
  readonly backup_gigabytes: number
}

/** What a project uses, sizes that are still to come included. */
export const usageOf = (world: World, projectId: string, now: number): Usage => {
  let shares = 0
  let gigabytes = 0
  let replicas = 0
  let replicaGigabytes = 0
  for (const share of allShares(world, now)) {
    if (share.projectId !== projectId) continue
    const size = Math.max(share.size, share.pending?.size ?? 0)
    shares++
    gigabytes += size
    if (share.support.replication === null) continue
    // The share itself is one, until another has taken its place and it was deleted.
    const isFirst = share.hasFirstReplica !== true || findIn(world.replicas, share.instanceId, now) !== undefined
    const count = replicasOf(world, share, now).length + (isFirst ? 1 : 0)
    replicas += count
    replicaGigabytes += count * size
  }
  const backups = allIn(world.backups, now).filter((backup) => backup.projectId === projectId)
  const snapshots = allIn(world.snapshots, now).filter((snapshot) => snapshot.projectId === projectId)
  return {
    shares,
    gigabytes,
    snapshots: snapshots.length,
    snapshot_gigabytes: snapshots.reduce((sum, snapshot) => sum + snapshot.size, 0),
    share_replicas: replicas,
    replica_gigabytes: replicaGigabytes,
    backups: backups.length,
    backup_gigabytes: backups.reduce((sum, backup) => sum + backup.size, 0)
  }
}
