/**
 * Quota sets and limits: what a project may have and what it has.
 */
import type { Quotas } from "../../FakeCloud.ts"
import { type Call, ok, param, type Reply, root } from "./Call.ts"
import { refuse } from "./Refusal.ts"
import type { Route } from "./Route.ts"
import * as World from "./World.ts"

/** Resources of other kinds, which are not counted here: their defaults, and since when they are in the answer. */
const others: ReadonlyArray<readonly [name: string, limit: number, since: number]> = [
  ["share_networks", 10, 0],
  ["share_groups", 50, 40],
  ["share_group_snapshots", 50, 40],
  ["encryption_keys", 100, 90]
]

const counted = ["shares", "gigabytes", "snapshots", "snapshot_gigabytes"] as const

/** Those that came later, and since when. */
const later = [
  ["share_replicas", 53],
  ["replica_gigabytes", 53],
  ["per_share_gigabytes", 62],
  ["backups", 80],
  ["backup_gigabytes", 80]
] as const

const isCounted = (name: string): name is keyof Quotas => name in World.unlimited

const view = (
  call: Call,
  quotas: Required<Quotas>,
  projectId: string | undefined,
  show: (name: string, limit: number) => unknown
) => {
  const set: Record<string, unknown> = {}
  for (const name of counted) set[name] = show(name, quotas[name])
  if (projectId !== undefined) set["id"] = projectId
  for (const [name, limit, since] of others) if (call.version >= since) set[name] = show(name, limit)
  for (const [name, since] of later) if (call.version >= since) set[name] = show(name, quotas[name])
  return { quota_set: set }
}

const mayRead = (call: Call): void => {
  if (!call.isAdmin && param(call) !== call.projectId) throw refuse(403)
}

const plain = (_name: string, limit: number): unknown => limit

const show = (world: World.World, call: Call): Reply => {
  mayRead(call)
  return ok(view(call, World.quotasFor(world, param(call)), param(call), plain))
}

const defaults = (world: World.World, call: Call): Reply => {
  mayRead(call)
  return ok(view(call, world.quotas, param(call), plain))
}

const detail = (world: World.World, call: Call): Reply => {
  mayRead(call)
  const usage: Readonly<Record<string, number>> = { ...World.usageOf(world, param(call), call.now) }
  return ok(
    view(call, World.quotasFor(world, param(call)), param(call), (name, limit) => ({
      limit,
      in_use: usage[name] ?? 0,
      reserved: 0
    }))
  )
}

const update = (world: World.World, call: Call): Reply => {
  const body = root(call, "quota_set") ?? {}
  const wanted: Record<string, number> = {}
  for (const [name, value] of Object.entries(body)) {
    if (!isCounted(name)) continue
    const limit = Number(value)
    if (!Number.isInteger(limit) || limit < -1) throw refuse(400, "Quota limit must be -1 or greater.")
    wanted[name] = limit
  }
  if (Object.keys(wanted).length === 0 && !others.some(([name]) => name in body))
    throw refuse(400, "Must supply at least one quota field to update.")
  const quotas = { ...World.quotasFor(world, param(call)), ...wanted }
  world.quotasOf.set(param(call), quotas)
  return ok(view(call, quotas, undefined, plain))
}

const remove = (world: World.World, call: Call): Reply => {
  world.quotasOf.delete(param(call))
  return { status: 202, type: "text/html; charset=UTF-8" }
}

const limits = (world: World.World, call: Call): Reply => {
  const quotas = World.quotasFor(world, call.projectId)
  const usage = World.usageOf(world, call.projectId, call.now)
  const { version } = call
  const networks = [...world.networks.values()].filter((network) => network.projectId === call.projectId).length
  const absolute: Record<string, number> = {
    maxTotalShares: quotas.shares,
    maxTotalShareSnapshots: quotas.snapshots,
    maxTotalShareGigabytes: quotas.gigabytes,
    maxTotalSnapshotGigabytes: quotas.snapshot_gigabytes,
    maxTotalShareNetworks: 10,
    totalSharesUsed: usage.shares,
    totalShareSnapshotsUsed: usage.snapshots,
    totalShareGigabytesUsed: usage.gigabytes,
    totalSnapshotGigabytesUsed: usage.snapshot_gigabytes,
    totalShareNetworksUsed: networks
  }
  if (version >= 53)
    Object.assign(absolute, {
      maxTotalShareReplicas: quotas.share_replicas,
      maxTotalReplicaGigabytes: quotas.replica_gigabytes,
      totalShareReplicasUsed: usage.share_replicas,
      totalReplicaGigabytesUsed: usage.replica_gigabytes
    })
  if (version >= 58)
    Object.assign(absolute, {
      maxTotalShareGroups: 50,
      maxTotalShareGroupSnapshots: 50,
      totalShareGroupsUsed: 0,
      totalShareGroupSnapshotsUsed: 0
    })
  if (version >= 80)
    Object.assign(absolute, {
      maxTotalShareBackups: quotas.backups,
      maxTotalBackupGigabytes: quotas.backup_gigabytes,
      totalShareBackupsUsed: usage.backups,
      totalBackupGigabytesUsed: usage.backup_gigabytes
    })
  return ok({ limits: { rate: [], absolute } })
}

const routesOf = (collection: string, range: { readonly since?: number; readonly until?: number }): Array<Route> => [
  { method: "GET", path: `${collection}/:id`, ...range, handle: show },
  { method: "GET", path: `${collection}/:id/defaults`, ...range, handle: defaults },
  { method: "PUT", path: `${collection}/:id`, ...range, role: "admin", body: "needed", handle: update },
  { method: "DELETE", path: `${collection}/:id`, ...range, role: "admin", handle: remove }
]

export const routes: ReadonlyArray<Route> = [
  ...routesOf("os-quota-sets", { until: 6 }),
  ...routesOf("quota-sets", { since: 7 }),
  { method: "GET", path: "quota-sets/:id/detail", since: 25, handle: detail },
  { method: "GET", path: "limits", handle: limits }
]
