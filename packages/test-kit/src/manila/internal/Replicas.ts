/**
 * Replicas of shares whose type has `replication_type`. The share itself is the first one, and active.
 *
 * A phase of a replica is a status, or one of the words for its data (`active`, `in_sync`, `out_of_sync`), which stand
 * while the replica is available.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, done, isJson, ok, param, type Reply, root } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import { checkMetadata } from "./Metadata.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, refuse } from "./Refusal.ts"
import type { ExportRow, Metadata, ReplicaRow, ShareRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import { argument } from "./ShareActions.ts"
import * as Shares from "./Shares.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

const ofData = new Set(["active", "in_sync", "out_of_sync"])

export const statusOf = (replica: ReplicaRow, now: number): string => {
  const word = Track.statusAt(replica.track, now)
  return ofData.has(word) ? replica.held : word
}

export const stateOf = (replica: ReplicaRow, now: number): string => {
  const word = Track.statusAt(replica.track, now)
  if (ofData.has(word)) return word
  if (word === "available") return replica.after
  return /error/.test(word) ? replica.failed : replica.before
}

export const castsRules = (replica: ReplicaRow, now: number): boolean =>
  replica.isReadable && stateOf(replica, now) !== "active"

const notPossible = (reason: string) => refuse(400, `Unable to perform a replication action: ${reason}.`)

export interface NewReplica {
  readonly id?: string | undefined
  readonly share: ShareRow
  readonly zone: string | null
  readonly networkId: string | null
  readonly metadata: Metadata
  readonly state: string
  readonly createdMicros?: number | undefined
}

export const addReplica = (world: World.World, given: NewReplica, now: number): ReplicaRow => {
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const replica: ReplicaRow = {
    id: given.id ?? world.ids.uuid(),
    projectId: given.share.projectId,
    shareId: given.share.id,
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    zone: given.zone,
    host: World.defaultHost.replace("alpha", "beta"),
    networkId: given.networkId,
    metadata: given.metadata,
    isReadable: given.share.support.replication === "readable",
    before: given.state,
    after: given.state,
    failed: given.state,
    held: "available",
    track: Track.steady("available")
  }
  world.replicas.set(replica.id, replica)
  if (replica.id !== given.share.instanceId) (given.share.replicas ??= []).push(replica)
  return replica
}

/** The share's own instance counts as a replica from the moment somebody asks. */
export const ensureFirst = (world: World.World, share: ShareRow): void => {
  if (share.support.replication === null || share.host === null || world.replicas.has(share.instanceId)) return
  if (share.hasFirstReplica === true) return
  share.hasFirstReplica = true
  const { createdMicros, instanceId: id, networkId, zone } = share
  const state = "active"
  const first = addReplica(world, { id, share, zone, networkId, metadata: {}, state, createdMicros }, 0)
  first.host = share.host
}

const allOf = (world: World.World, now: number, shareId?: string): ReadonlyArray<ReplicaRow> => {
  const shares = World.allShares(world, now).filter(({ id }) => shareId === undefined || id === shareId)
  for (const share of shares) ensureFirst(world, share)
  const known = new Set(shares.map(({ id }) => id))
  const rows = World.allIn(world.replicas, now).filter((replica) => known.has(replica.shareId))
  return rows.toSorted((one, two) => one.createdMicros - two.createdMicros)
}

const find = (world: World.World, call: Call, message: (id: string) => string): ReplicaRow => {
  const id = param(call)
  const replica = allOf(world, call.now).find((row) => row.id === id)
  if (replica === undefined) throw refuse(404, message(id))
  return replica
}

const missing = (id: string): string => `No replica exists with ID ${id}.`

const start = (
  world: World.World,
  call: Call,
  replica: ReplicaRow,
  action: Lifecycle.Action,
  states: { readonly before: string; readonly after: string; readonly failed: string; readonly held?: string }
): void => {
  const { lifecycle } = World.nextLifecycle(world, action)
  Object.assign(replica, { held: "available", ...states })
  if (lifecycle.effect === "none") replica.after = states.before
  World.begin(world, replica, lifecycle, { action, requestId: call.requestId, now: call.now })
}

const summary = ({ now }: Call, replica: ReplicaRow) => ({
  id: replica.id,
  share_id: replica.shareId,
  status: statusOf(replica, now),
  replica_state: stateOf(replica, now)
})

const detail = (call: Call, replica: ReplicaRow): Record<string, unknown> => {
  const changed = Track.changedAt(replica.track, call.now)
  return {
    id: replica.id,
    share_id: replica.shareId,
    availability_zone: replica.zone,
    created_at: replica.createdAt,
    status: statusOf(replica, call.now),
    share_network_id: replica.networkId,
    replica_state: stateOf(replica, call.now),
    updated_at: Number.isFinite(changed) ? Stamp.fromMillis(changed) : replica.createdAt,
    ...(call.isAdmin ? { share_server_id: null, host: replica.host } : {}),
    ...(call.isAdmin && call.version >= 30 ? { cast_rules_to_readonly: castsRules(replica, call.now) } : {}),
    ...(call.version >= 95 ? { metadata: replica.metadata } : {})
  }
}

const list =
  (view: (call: Call, replica: ReplicaRow) => object, collection: string) =>
  (world: World.World, call: Call): Reply => {
    const window = Pages.windowOf(call)
    const shareId = call.query.get("share_id")
    const found = allOf(world, call.now, shareId === "" ? undefined : shareId)
    const page = Pages.sliceCapped(found, window, world.cap)
    const links = nextLinks(call, collection, page)
    return ok({
      share_replicas: page.map((replica) => view(call, replica)),
      ...(links === undefined ? {} : { share_replica_links: links })
    })
  }

const show = (world: World.World, call: Call): Reply =>
  ok({
    share_replica: detail(
      call,
      find(world, call, (id) => `Replica ${id} not found.`)
    )
  })

const create = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_replica")
  if (body === undefined) throw refuse(422, "Body does not contain 'share_replica' information.")
  const shareId = body["share_id"]
  if (!shareId) throw refuse(400, "Must provide Share ID to add replica.")
  const share = Policy.shareOr404(world, call, String(shareId), `No share exists with ID ${String(shareId)}.`)
  Policy.own(call, share, "share:update")
  const no = (why: string) => refuse(403, `Replica cannot be created for share '${share.id}' since it ${why}.`)
  if (share.binnedUntil !== undefined) throw no("has been soft deleted")
  if (share.keyRef !== null) throw no("is encrypted")
  const network = body["share_network_id"]
  if (network && call.version < 72) throw refuse(400, "'share_network_id' needs microversion 2.72 or a greater one.")
  if (network && !world.networks.has(String(network)))
    throw refuse(400, `No share network exists with ID ${String(network)}.`)
  if (share.support.replication === null) throw refuse(400, `Replication not supported for share ${share.id}.`)
  if (share.groupId !== null) throw refuse(400, "Replication not supported for shares in a group.")
  const hints = call.version >= 67 ? body["scheduler_hints"] : undefined
  if (isJson(hints) && Object.keys(hints).join() !== "only_host" && Object.keys(hints).length > 0)
    throw invalidInput("Arg 'scheduler_hints' supports only 'only_host' key.")
  Shares.checkIdle(share, 400)
  const metadata = call.version >= 95 ? checkMetadata(body["metadata"], "standard") : {}
  const isActive = (row: ReplicaRow) => stateOf(row, call.now) === "active" && statusOf(row, call.now) === "available"
  const isThere = Track.statusAt(share.track, call.now) === "available"
  if (!isThere || !allOf(world, call.now, share.id).some(isActive))
    throw notPossible(`Share ${share.id} does not have any active replica in available state`)
  const zone = body["availability_zone"]
  if (zone && World.zoneNamed(world, String(zone)) === undefined)
    throw refuse(400, `Availability zone ${String(zone)} could not be found.`)
  Shares.reserveReplica(world, call.projectId, call.now, share.size)
  const replica = addReplica(
    world,
    {
      share,
      zone: zone ? String(zone) : share.zone,
      networkId: network ? String(network) : share.networkId,
      metadata,
      state: "out_of_sync"
    },
    call.now
  )
  start(world, call, replica, "replica.create", { before: "out_of_sync", after: "in_sync", failed: "error" })
  // No back end has been chosen yet.
  const empty = { replica_state: null, updated_at: null, ...(call.isAdmin ? { host: "" } : {}) }
  return { status: 202, body: { share_replica: { ...detail(call, replica), ...empty } } }
}

const startDelete = (world: World.World, call: Call, replica: ReplicaRow, action: Lifecycle.Action): Reply => {
  const state = stateOf(replica, call.now)
  const active = allOf(world, call.now, replica.shareId).filter((row) => stateOf(row, call.now) === "active")
  if (state === "active" && active.length === 1) throw notPossible("Cannot delete last active replica")
  start(world, call, replica, action, { before: state, after: state, failed: "error" })
  return accepted
}

const remove = (world: World.World, call: Call): Reply =>
  startDelete(world, call, find(world, call, missing), "replica.delete")

const forceDelete = (world: World.World, call: Call): Reply =>
  startDelete(
    world,
    call,
    find(world, call, (id) => `Replica ${id} not found.`),
    "replica.force_delete"
  )

/** A share whose replica is being promoted is in `replication_change` too; if that fails, so did the share. */
const follow = (world: World.World, call: Call, replica: ReplicaRow): void => {
  const share = World.findShare(world, replica.shareId, call.now)
  if (share === undefined) return
  const phases = replica.track.phases.map((phase) => {
    const isOver = ofData.has(phase.status) || phase.status === "available"
    return { ...phase, status: isOver ? "available" : phase.status }
  })
  share.track = Track.start({ phases }, call.now)
}

const promote = (world: World.World, call: Call): Reply => {
  const replica = find(world, call, missing)
  const state = stateOf(replica, call.now)
  if (state === "active") return done
  const given = argument(call).value
  const seconds = call.version >= 75 && isJson(given) ? given["quiesce_wait_time"] : undefined
  if (seconds && !/^[1-9]\d*$/.test(String(seconds)))
    throw refuse(400, "quiesce_wait_time must be an integer and greater than 0.")
  if (statusOf(replica, call.now) !== "available")
    throw notPossible(`Replica ${replica.id} must be in available state to be promoted`)
  if (state !== "in_sync" && !call.isAdmin)
    throw refuse(403, `Promoting a replica with 'replica_state': ${state} requires administrator privileges.`)
  const siblings = allOf(world, call.now, replica.shareId).filter(({ id }) => id !== replica.id)
  const others = siblings.filter((row) => stateOf(row, call.now) === "active")
  start(world, call, replica, "replica.promote", { before: state, after: "active", failed: state })
  follow(world, call, replica)
  const failedAt = Track.reachedAt(replica.track, "error")
  for (const sibling of failedAt === undefined ? [] : siblings) {
    // Nobody knows what the back end has done to them.
    sibling.failed = stateOf(sibling, call.now)
    const until = { status: Track.statusAt(sibling.track, call.now), millis: (failedAt ?? 0) - call.now }
    sibling.track = Track.start({ phases: [until, { status: "error" }] }, call.now)
  }
  const at =
    Track.reachedAt(replica.track, "active") ??
    (replica.after === "active" ? Track.reachedAt(replica.track, "available") : undefined)
  if (at !== undefined) {
    // There is one active replica at a time.
    const steps = { phases: [{ status: "active", millis: at - call.now }, { status: "in_sync" }] }
    for (const other of others) other.track = Track.start(steps, call.now)
  }
  return { status: 202, body: { share_replica: detail(call, replica) } }
}

const resync = (world: World.World, call: Call): Reply => {
  const replica = find(world, call, missing)
  const state = stateOf(replica, call.now)
  if (state === "active") return done
  // The data are brought up to date, and nothing else: a replica in error stays that.
  const held = statusOf(replica, call.now)
  start(world, call, replica, "replica.resync", { before: state, after: "in_sync", failed: "error", held })
  return accepted
}

/** One status and one state from now on. */
const settle = (world: World.World, replica: ReplicaRow, status: string, state: string, now: number): void => {
  World.settleOn(world, replica, status, now)
  Object.assign(replica, { before: state, after: state, failed: state, held: "available" })
}

export const setStatus = (world: World.World, replica: ReplicaRow, status: string, now: number): void =>
  settle(world, replica, status, stateOf(replica, now), now)

const reset =
  (field: "status" | "replica_state", words: ReadonlyArray<string>) =>
  (world: World.World, call: Call): Reply => {
    const body = argument(call).value
    const value = isJson(body) ? body[field] : undefined
    if (value === undefined) throw refuse(400, `Must specify '${field}'`)
    if (!words.includes(String(value))) throw refuse(400, `Invalid state. Valid states: ${words.join(", ")}.`)
    const replica = find(world, call, (id) => `Replica ${id} not found.`)
    const state = stateOf(replica, call.now)
    if (field === "replica_state" && state === "active")
      throw refuse(400, "Cannot reset replica_state of an active replica")
    const [status, next] = field === "status" ? [String(value), state] : [statusOf(replica, call.now), String(value)]
    settle(world, replica, status, next, call.now)
    return accepted
  }

/** Each replica has exports of its own: the same places, under ids that come from its own, whoever asks. */
export const exportRowsOf = (share: ShareRow, replica: ReplicaRow): ReadonlyArray<ExportRow> => {
  const rows = share.exports.rows()
  const order = rows.toSorted((one, two) => Number(one.isAdminOnly) - Number(two.isAdminOnly))
  return rows.map((row) => ({
    ...row,
    id: replica.id.slice(0, -1) + order.indexOf(row).toString(16),
    path: row.path.replace(/^[\d.]+/, (address) => (replica.id === share.instanceId ? address : `1${address}`))
  }))
}

const exportsOf = (world: World.World, call: Call) => {
  const replica = find(world, call, (id) => `Share replica '${id}' not found.`)
  const share = World.findShare(world, replica.shareId, call.now)
  const rows = share === undefined ? [] : exportRowsOf(share, replica)
  return rows
    .filter((row) => call.isAdmin || !row.isAdminOnly)
    .map((row) => ({
      id: row.id,
      path: row.path,
      preferred: row.preferred,
      replica_state: stateOf(replica, call.now),
      availability_zone: replica.zone,
      ...(call.version >= 87 ? { metadata: {} } : {}),
      ...(call.isAdmin ? { share_instance_id: replica.id, is_admin_only: row.isAdminOnly } : {})
    }))
}

const listExports = (world: World.World, call: Call): Reply => ok({ export_locations: exportsOf(world, call) })

const showExport = (world: World.World, call: Call): Reply => {
  const found = exportsOf(world, call).find(({ id }) => id === param(call, 1))
  if (found === undefined) throw refuse(404, `Export location with ${param(call, 1)} uuid not found.`)
  const at = Stamp.fromMillis(call.now)
  return ok({ export_location: { ...found, created_at: at, updated_at: at } })
}

const experimental = { since: 11, experimentalUntil: 55 } as const
const post = { ...experimental, method: "POST", path: "share-replicas/:id/action", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  { ...experimental, method: "GET", path: "share-replicas", handle: list(summary, "share-replicas") },
  { ...experimental, method: "GET", path: "share-replicas/detail", handle: list(detail, "share-replicas") },
  { ...experimental, method: "POST", path: "share-replicas", role: "member", body: "needed", handle: create },
  { ...experimental, method: "GET", path: "share-replicas/:id", handle: show },
  { ...experimental, method: "DELETE", path: "share-replicas/:id", role: "member", handle: remove },
  { ...post, action: "force_delete", role: "admin", handle: forceDelete },
  { ...post, action: "promote", role: "member", handle: promote },
  { ...post, action: "resync", role: "admin", handle: resync },
  { ...post, action: "reset_status", role: "admin", handle: reset("status", Statuses.settableOnShares) },
  {
    ...post,
    action: "reset_replica_state",
    role: "admin",
    handle: reset("replica_state", ["active", "in_sync", "out_of_sync", "error"])
  },
  { ...experimental, method: "GET", path: "share-replicas/:id/export-locations", since: 47, handle: listExports },
  { ...experimental, method: "GET", path: "share-replicas/:id/export-locations/:id", since: 47, handle: showExport }
]
