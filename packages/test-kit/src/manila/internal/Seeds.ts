/**
 * Objects that are there from the start, or are put there by a test: partial bodies in, rows out. What can't be is an
 * `InvalidOption` that names the place.
 */
import type {
  AccessRuleSeed,
  BackupSeed,
  MessageSeed,
  ReplicaSeed,
  Seed,
  ShareGroupSeed,
  ShareNetworkSeed,
  ShareSeed,
  ShareTypeSeed,
  SnapshotSeed
} from "../../Seed.ts"
import * as Stamp from "../../internal/Stamp.ts"
import { InvalidOption } from "../../InvalidOption.ts"
import * as Accounts from "../../keystone/internal/Accounts.ts"
import * as Lifecycle from "../../Lifecycle.ts"
import * as Access from "./Access.ts"
import * as Backups from "./Backups.ts"
import * as Networks from "./Networks.ts"
import * as Reasons from "./Reasons.ts"
import type {
  BackupRow,
  GroupRow,
  MessageRow,
  NetworkRow,
  ReplicaRow,
  RuleRow,
  ShareRow,
  SnapshotRow,
  Tracked,
  TypeRow
} from "./Rows.ts"
import * as Replicas from "./Replicas.ts"
import * as Shares from "./Shares.ts"
import * as Snapshots from "./Snapshots.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

const wrong = (option: string, problem: string) => new InvalidOption({ option, problem })

/** Where an object is put, for messages, and when. */
export interface At {
  readonly option: string
  readonly now: number
}

const projectOf = (given: string | undefined): string =>
  given === undefined ? Accounts.projects.demo.id : Accounts.projectId(given)

const micros = (given: string | undefined, at: At): number | undefined => {
  if (given === undefined) return undefined
  const found = Stamp.toMicros(given)
  if (found === undefined) throw wrong(`${at.option}.created_at`, `must be a time as 2026-01-31T09:15:00, not ${given}`)
  return found
}

const checkId = (known: { has(id: string): boolean }, id: string | undefined, at: At, field = "id"): void => {
  if (id === undefined) return
  if (id === "") throw wrong(`${at.option}.${field}`, "must not be empty")
  if (known.has(id)) throw wrong(`${at.option}.${field}`, `${id} is there twice`)
}

/** A steady status or phases of its own, with the action whose words a failure gets. */
const follow = (
  world: World.World,
  row: Tracked,
  seed: {
    readonly status?: string | undefined
    readonly phases?: ReadonlyArray<Lifecycle.Phase> | undefined
    readonly reason?: Lifecycle.Reason | undefined
  },
  usual: string,
  action: Lifecycle.Action,
  at: At,
  field = "status",
  about = row.id
): void => {
  if (seed.phases === undefined) {
    const status = seed.status ?? usual
    if (status === "" || status === "gone") throw wrong(`${at.option}.${field}`, "must be a status of something there")
    if (seed.reason !== undefined) throw wrong(`${at.option}.reason`, "belongs to phases, and there are none")
    row.track = Track.steady(status)
    return
  }
  if (seed.status !== undefined) throw wrong(`${at.option}.${field}`, "give either it or phases")
  const lifecycle: Lifecycle.Lifecycle = {
    phases: seed.phases,
    ...(seed.reason === undefined ? {} : { reason: seed.reason })
  }
  Lifecycle.check(lifecycle, at.option)
  World.begin(world, row, lifecycle, { action, requestId: world.ids.requestId(), now: at.now }, about)
}

export const type = (world: World.World, seed: ShareTypeSeed, at: At): TypeRow => {
  checkId(world.types, seed.id, at)
  if (typeof seed.name !== "string" || seed.name === "") throw wrong(`${at.option}.name`, "must be a name")
  for (const known of world.types.values()) {
    if (known.name !== seed.name && !(known.isDefault && seed.is_default === true)) continue
    // The type that every cloud begins with makes way for one of the same name, or another default.
    if (known.isBuiltIn) world.types.delete(known.id)
    else
      throw wrong(`${at.option}.${known.name === seed.name ? "name" : "is_default"}`, `${known.name} is there already`)
  }
  const row: TypeRow = {
    id: seed.id ?? world.ids.uuid(),
    name: seed.name,
    description: seed.description ?? null,
    isPublic: seed.is_public ?? true,
    isDefault: seed.is_default ?? seed.name === "default",
    isBuiltIn: false,
    extraSpecs:
      seed.extra_specs === undefined
        ? { ...World.defaultSpecs }
        : { driver_handles_share_servers: "False", ...seed.extra_specs },
    projects: new Set((seed.projects ?? []).map(Accounts.projectId))
  }
  world.types.set(row.id, row)
  return row
}

const typeFor = (world: World.World, given: string | undefined, at: At): TypeRow => {
  if (given === undefined) {
    const usual = Shares.defaultType(world) ?? [...world.types.values()][0]
    if (usual === undefined) throw wrong(`${at.option}.share_type`, "is needed: there is no type at all")
    return usual
  }
  const found = world.types.get(given) ?? [...world.types.values()].find((known) => known.name === given)
  if (found === undefined) throw wrong(`${at.option}.share_type`, `there is no share type ${given}`)
  return found
}

const knownOr = (known: { has(id: string): boolean }, id: string | null | undefined, at: At, field: string) => {
  if (id !== undefined && id !== null && !known.has(id))
    throw wrong(`${at.option}.${field}`, `nothing there has the id ${id}`)
  return id ?? null
}

const binMillis = 7 * 24 * 3600 * 1000

export const share = (world: World.World, seed: ShareSeed, at: At): ShareRow => {
  checkId(world.shares, seed.id, at)
  const isInstance = (id: string) => [...world.shares.values()].some(({ instanceId }) => instanceId === id)
  checkId({ has: isInstance }, seed.instance_id, at, "instance_id")
  const size = seed.size ?? 1
  if (!Number.isInteger(size) || size < 0)
    throw wrong(`${at.option}.size`, `must be GiB as a whole number, not ${size}`)
  const proto = (seed.share_proto ?? "NFS").toUpperCase()
  if (!Shares.protocols.includes(proto))
    throw wrong(`${at.option}.share_proto`, `must be one of ${Shares.protocols.join(", ")}`)
  const zone = seed.availability_zone === undefined ? (world.zones[0]?.name ?? null) : seed.availability_zone
  if (zone !== null && World.zoneNamed(world, zone) === undefined)
    world.zones.push({ id: world.ids.uuid(), name: zone, createdAt: Stamp.fromMillis(at.now) })
  const row = Shares.addShare(
    world,
    {
      id: seed.id,
      instanceId: seed.instance_id,
      projectId: projectOf(seed.project_id),
      userId: seed.user_id ?? Accounts.users.demo.id,
      proto,
      type: typeFor(world, seed.share_type, at),
      size,
      name: seed.name ?? null,
      description: seed.description ?? null,
      isPublic: seed.is_public ?? false,
      metadata: { ...seed.metadata },
      networkId: knownOr(world.networks, seed.share_network_id, at, "share_network_id"),
      groupId: knownOr(world.groups, seed.share_group_id, at, "share_group_id"),
      snapshotId: seed.snapshot_id ?? null,
      zone,
      host: seed.host ?? World.defaultHost,
      taskState: seed.task_state,
      progress: seed.progress,
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
  if (seed.is_soft_deleted === true) row.binnedUntil = at.now + binMillis
  follow(world, row, seed, "available", "share.create", at)
  // What is past its creation has been available, whatever it is now.
  if (seed.phases === undefined && !/^(creating|manage_)|^error$/.test(seed.status ?? "")) row.exports.from = at.now
  World.followShare(world, row, undefined, at.now)
  return row
}

export const snapshot = (world: World.World, seed: SnapshotSeed, at: At): SnapshotRow => {
  checkId(world.snapshots, seed.id, at)
  const parent = world.shares.get(seed.share_id)
  if (parent === undefined) throw wrong(`${at.option}.share_id`, `there is no share ${seed.share_id}`)
  const row = Snapshots.addSnapshot(
    world,
    {
      id: seed.id,
      share: parent,
      projectId: seed.project_id === undefined ? parent.projectId : Accounts.projectId(seed.project_id),
      userId: seed.user_id ?? parent.userId,
      name: seed.name ?? null,
      description: seed.description ?? null,
      metadata: { ...seed.metadata },
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
  follow(world, row, seed, "available", "snapshot.create", at)
  return row
}

export const replica = (world: World.World, seed: ReplicaSeed, at: At): ReplicaRow => {
  checkId(world.replicas, seed.id, at)
  const parent = world.shares.get(seed.share_id)
  if (parent === undefined) throw wrong(`${at.option}.share_id`, `there is no share ${seed.share_id}`)
  if (parent.support.replication === null)
    throw wrong(`${at.option}.share_id`, "needs a share whose type has replication_type")
  const zone = seed.availability_zone === undefined ? parent.zone : seed.availability_zone
  const row = Replicas.addReplica(
    world,
    {
      id: seed.id,
      share: parent,
      zone,
      networkId: parent.networkId,
      metadata: { ...seed.metadata },
      state: seed.replica_state ?? "in_sync",
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
  follow(world, row, seed, "available", "replica.create", at)
  return row
}

export const backup = (world: World.World, seed: BackupSeed, at: At): BackupRow => {
  checkId(world.backups, seed.id, at)
  const parent = world.shares.get(seed.share_id)
  if (parent === undefined) throw wrong(`${at.option}.share_id`, `there is no share ${seed.share_id}`)
  const row = Backups.addBackup(
    world,
    {
      id: seed.id,
      share: parent,
      projectId: parent.projectId,
      name: seed.name ?? null,
      description: seed.description ?? null,
      type: seed.backup_type ?? null,
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
  follow(world, row, seed, "available", "backup.create", at)
  return row
}

export const rule = (world: World.World, seed: AccessRuleSeed, at: At): RuleRow => {
  checkId(world.ruleShares, seed.id, at)
  const parent = world.shares.get(seed.share_id)
  if (parent === undefined) throw wrong(`${at.option}.share_id`, `there is no share ${seed.share_id}`)
  const level = seed.access_level ?? "rw"
  if (level !== "rw" && level !== "ro") throw wrong(`${at.option}.access_level`, `must be rw or ro, not ${level}`)
  const row = Access.addRule(
    world,
    parent,
    {
      id: seed.id,
      type: seed.access_type ?? "ip",
      to: seed.access_to ?? "10.0.0.0/24",
      level,
      metadata: { ...seed.metadata },
      key: seed.access_key,
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
  const { state: status, ...rest } = seed
  follow(world, row, { ...rest, status }, "active", "access.create", at, "state", parent.id)
  Access.followRule(row)
  return row
}

export const network = (world: World.World, seed: ShareNetworkSeed, at: At): NetworkRow => {
  checkId(world.networks, seed.id, at)
  return Networks.addNetwork(
    world,
    {
      id: seed.id,
      projectId: projectOf(seed.project_id),
      name: seed.name ?? null,
      description: seed.description ?? null,
      status: seed.status,
      createdMicros: micros(seed.created_at, at)
    },
    at.now
  )
}

export const group = (world: World.World, seed: ShareGroupSeed, at: At): GroupRow => {
  checkId(world.groups, seed.id, at)
  const createdMicros = micros(seed.created_at, at) ?? World.nextMicros(world, at.now)
  const row: GroupRow = {
    id: seed.id ?? world.ids.uuid(),
    projectId: projectOf(seed.project_id),
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    name: seed.name ?? null,
    description: seed.description ?? null,
    host: World.defaultHost,
    groupTypeId: world.groupTypeId,
    typeIds: [...world.types.keys()],
    track: Track.steady("available")
  }
  world.groups.set(row.id, row)
  // Groups leave no messages of their own here; the words of a share's creation do.
  follow(world, row, seed, "available", "share.create", at)
  return row
}

export const message = (world: World.World, seed: MessageSeed, at: At): MessageRow => {
  checkId(world.messages, seed.id, at)
  const actionId = seed.action_id ?? "002"
  const detailId = seed.detail_id ?? "001"
  for (const [field, value] of [
    ["action_id", actionId],
    ["detail_id", detailId]
  ] as const) {
    if (!/^\d{3}$/.test(value)) throw wrong(`${at.option}.${field}`, `must be three digits, not ${value}`)
  }
  const createdMicros = micros(seed.created_at, at) ?? Math.floor(at.now * 1000)
  const row: MessageRow = {
    id: seed.id ?? world.ids.uuid(),
    projectId: projectOf(seed.project_id),
    resourceType: seed.resource_type ?? "SHARE",
    resourceId: seed.resource_id ?? null,
    actionId,
    detailId,
    level: seed.message_level ?? "ERROR",
    text: seed.user_message ?? Reasons.sentence(actionId, detailId),
    requestId: seed.request_id ?? world.ids.requestId(),
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    expiresAt: World.expiryOf(createdMicros)
  }
  world.messages.set(row.id, row)
  return row
}

/** In an order that lets each name what it belongs to. */
export const all = (world: World.World, seed: Seed, now: number): void => {
  const each = <A>(key: keyof Seed, items: ReadonlyArray<A> | undefined, put: (item: A, at: At) => unknown) =>
    items?.forEach((item, index) => put(item, { option: `seed.${key}[${index}]`, now }))
  each("shareTypes", seed.shareTypes, (item, at) => type(world, item, at))
  each("shareNetworks", seed.shareNetworks, (item, at) => network(world, item, at))
  each("shareGroups", seed.shareGroups, (item, at) => group(world, item, at))
  each("shares", seed.shares, (item, at) => share(world, item, at))
  each("snapshots", seed.snapshots, (item, at) => snapshot(world, item, at))
  each("replicas", seed.replicas, (item, at) => replica(world, item, at))
  each("backups", seed.backups, (item, at) => backup(world, item, at))
  each("accessRules", seed.accessRules, (item, at) => rule(world, item, at))
  each("messages", seed.messages, (item, at) => message(world, item, at))
}

/** The action that a first status tells of: whose words a scripted failure gets. */
const actionOf: Readonly<Record<string, Lifecycle.Action>> = {
  creating_from_snapshot: "share.create_from_snapshot",
  extending: "share.extend",
  shrinking: "share.shrink",
  reverting: "share.revert",
  deleting: "share.delete",
  manage_starting: "share.manage",
  unmanage_starting: "share.unmanage"
}

/** Gives any object another future; false if nothing has that id. */
export const script = (world: World.World, id: string, lifecycle: Lifecycle.Lifecycle, now: number): boolean => {
  Lifecycle.check(lifecycle, "script")
  const cause = (action: Lifecycle.Action): World.Cause => ({ action, requestId: world.ids.requestId(), now })
  const first = lifecycle.phases[0]?.status ?? ""
  const share = World.findShare(world, id, now)
  if (share !== undefined) {
    const size = share.pending?.size
    World.begin(world, share, lifecycle, cause(actionOf[first] ?? "share.create"))
    World.followShare(world, share, size, now)
    return true
  }
  const snapshot = World.findIn(world.snapshots, id, now)
  if (snapshot !== undefined) {
    World.begin(world, snapshot, lifecycle, cause(first === "deleting" ? "snapshot.delete" : "snapshot.create"))
    return true
  }
  const backup = World.findIn(world.backups, id, now)
  if (backup !== undefined) {
    World.begin(world, backup, lifecycle, cause(first === "deleting" ? "backup.delete" : "backup.create"))
    return true
  }
  const replica = World.findIn(world.replicas, id, now)
  if (replica !== undefined) {
    World.begin(world, replica, lifecycle, cause(first === "deleting" ? "replica.delete" : "replica.create"))
    return true
  }
  const parent = World.findShare(world, world.ruleShares.get(id) ?? "", now)
  const rule = parent === undefined ? undefined : World.findIn(parent.rules, id, now)
  if (rule !== undefined) {
    World.begin(world, rule, lifecycle, cause(/den/.test(first) ? "access.delete" : "access.create"), rule.shareId)
    Access.followRule(rule)
    return true
  }
  const group = World.findIn(world.groups, id, now)
  if (group === undefined) return false
  World.begin(world, group, lifecycle, cause("share.create"))
  return true
}
