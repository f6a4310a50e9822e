/**
 * Share instances: every share has one, which is the share itself in other words; a replicated one has its replicas.
 * Only administrators see them.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, isJson, ok, param, type Reply, word } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import { refuse } from "./Refusal.ts"
import * as Replicas from "./Replicas.ts"
import type { Route } from "./Route.ts"
import { renamed } from "./Route.ts"
import type { ExportRow, ReplicaRow, ShareRow } from "./Rows.ts"
import { argument } from "./ShareActions.ts"
import * as ShareView from "./ShareView.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

interface Instance {
  readonly id: string
  readonly share: ShareRow
  /** Not there unless the share is replicated and has found a place. */
  readonly replica: ReplicaRow | undefined
}

const instancesOf = (world: World.World, share: ShareRow, now: number): ReadonlyArray<Instance> => {
  Replicas.ensureFirst(world, share)
  if (share.hasFirstReplica !== true) return [{ id: share.instanceId, share, replica: undefined }]
  return World.allIn(world.replicas, now)
    .filter(({ shareId }) => shareId === share.id)
    .toSorted((one, two) => one.createdMicros - two.createdMicros)
    .map((replica) => ({ id: replica.id, share, replica }))
}

const all = (world: World.World, now: number): ReadonlyArray<Instance> =>
  World.allShares(world, now).flatMap((share) => instancesOf(world, share, now))

const find = (world: World.World, call: Call, message?: string): Instance => {
  const found = all(world, call.now).find(({ id }) => id === param(call))
  if (found === undefined) throw refuse(404, message)
  return found
}

const isActive = ({ replica }: Instance, now: number): boolean =>
  replica === undefined || Replicas.stateOf(replica, now) === "active"

/** What is done with a share is done with its active instance. */
const statusOf = (instance: Instance, now: number): string => {
  const own = instance.replica === undefined ? undefined : Replicas.statusOf(instance.replica, now)
  const ofShare = Track.statusAt(instance.share.track, now)
  if (own === undefined) return ofShare
  return own === "available" && isActive(instance, now) ? ofShare : own
}

const exportsOf = ({ replica, share }: Instance, now: number): ReadonlyArray<ExportRow> => {
  if (now < share.exports.from) return []
  return replica === undefined ? share.exports.rows() : Replicas.exportRowsOf(share, replica)
}

const detail = (call: Call, instance: Instance): Record<string, unknown> => {
  const { now, version } = call
  const { id, replica, share } = instance
  const status = statusOf(instance, now)
  const view: Record<string, unknown> = {
    id,
    share_id: share.id,
    availability_zone: replica === undefined ? share.zone : replica.zone,
    created_at: replica?.createdAt ?? share.createdAt,
    host: (replica === undefined ? share.host : replica.host) ?? "",
    status: version < 54 && status === "creating_from_snapshot" ? "creating" : status,
    share_network_id: replica === undefined ? share.networkId : replica.networkId,
    share_server_id: share.serverId
  }
  if (version < 9) {
    const paths = exportsOf(instance, now).map(({ path }) => path)
    view["export_location"] = paths[0] ?? null
    view["export_locations"] = paths
  }
  if (version >= 10) view["access_rules_status"] = ShareView.rulesStatusOf(share, now)
  if (version >= 11) view["replica_state"] = replica === undefined ? null : Replicas.stateOf(replica, now)
  if (version >= 22) view["share_type_id"] = share.type.id
  if (version >= 30) view["cast_rules_to_readonly"] = replica !== undefined && Replicas.castsRules(replica, now)
  if (version >= 54) view["progress"] = status === "creating" ? null : ShareView.progressOf(share, status, now)
  if (version >= 71) {
    const changed = Track.changedAt((replica ?? share).track, now)
    view["updated_at"] = Number.isFinite(changed) ? Stamp.fromMillis(changed) : share.createdAt
  }
  return view
}

/** Nothing is paged: a `limit` is only good for a link, to a page that is the same one again. */
const listed = (call: Call, instances: ReadonlyArray<Instance>): Reply => {
  const limit = call.query.get("limit")
  if (limit !== undefined && !/^\s*[+-]?\d+\s*$/.test(limit)) throw refuse(500)
  const links = nextLinks(call, "share_instances", instances)
  return ok({
    share_instances: instances.map((instance) => detail(call, instance)),
    ...(links === undefined ? {} : { share_instances_links: links })
  })
}

const list = (world: World.World, call: Call): Reply => {
  const { now, query, version } = call
  const [id, path] = version < 35 ? [] : [query.get("export_location_id"), query.get("export_location_path")]
  const given = version < 69 ? undefined : query.get("is_soft_deleted")
  const isBinned = given === undefined ? undefined : word(given)
  if (given !== undefined && isBinned === undefined)
    throw refuse(400, `Invalid value ${given} for is_soft_deleted. Expecting a boolean.`)
  const found = all(world, now)
    .filter(({ share }) => isBinned === undefined || (share.binnedUntil !== undefined) === isBinned)
    .filter((instance) => {
      const rows = id === undefined && path === undefined ? [] : exportsOf(instance, now)
      return (
        (id === undefined || rows.some((row) => row.id === id)) &&
        (path === undefined || rows.some((row) => row.path === path))
      )
    })
  return listed(call, found)
}

const listOfShare = (world: World.World, call: Call): Reply => {
  const share = World.findShare(world, param(call), call.now)
  if (share === undefined) throw refuse(404)
  return listed(call, instancesOf(world, share, call.now))
}

const show = (world: World.World, call: Call): Reply => ok({ share_instance: detail(call, find(world, call)) })

const resetStatus = (world: World.World, call: Call): Reply => {
  const given = argument(call).value
  const status = isJson(given) ? given["status"] : undefined
  if (status === undefined) throw refuse(400, "Must specify 'status'")
  if (!Statuses.settableOnShares.includes(String(status)))
    throw refuse(400, `Invalid state. Valid states: ${Statuses.settableOnShares.join(", ")}.`)
  const instance = find(world, call)
  const { replica, share } = instance
  if (isActive(instance, call.now)) {
    World.settleOn(world, share, String(status), call.now)
    World.followShare(world, share, undefined, call.now)
  }
  if (replica !== undefined) Replicas.setStatus(world, replica, String(status), call.now)
  return accepted
}

/** Nothing is asked before: neither the status, nor snapshots, which stay behind, nor whether it is the active replica. */
const forceDelete = (world: World.World, call: Call): Reply => {
  const instance = find(world, call)
  const { replica, share } = instance
  const action = "share_instance.force_delete"
  const { lifecycle, scripted } = World.nextLifecycle(world, action)
  const cause = { action, requestId: call.requestId, now: call.now } as const
  // The service waits for a back end that was never chosen.
  const steps: Lifecycle.Lifecycle = share.host === null && !scripted ? { phases: [{ status: "deleting" }] } : lifecycle
  const others = instancesOf(world, share, call.now).filter(({ id }) => id !== instance.id)
  if (replica === undefined || others.length === 0) {
    World.begin(world, share, steps, cause, instance.id)
    World.followShare(world, share, undefined, call.now)
    if (replica !== undefined) replica.track = Track.start(steps, call.now)
    return accepted
  }
  if (isActive(instance, call.now)) {
    // The share goes on as what is left of it.
    const phases = steps.phases.map((phase) => (phase.status === "gone" ? { ...phase, status: "available" } : phase))
    share.track = Track.start({ phases }, call.now)
  }
  const state = Replicas.stateOf(replica, call.now)
  Object.assign(replica, { before: state, after: state, failed: state, held: "available" })
  World.begin(world, replica, steps, cause)
  return accepted
}

const location = (call: Call, { replica, share }: Instance, row: ExportRow, isDetail: boolean) => ({
  ...ShareView.exportLocation(call, share, row, isDetail),
  share_instance_id: replica?.id ?? share.instanceId,
  is_admin_only: row.isAdminOnly
})

const missing = (call: Call): string => `Share instance '${param(call)}' not found.`

const listExports = (world: World.World, call: Call): Reply => {
  const instance = find(world, call, missing(call))
  return ok({ export_locations: exportsOf(instance, call.now).map((row) => location(call, instance, row, false)) })
}

/** The location of another instance is shown too. */
const showExport = (world: World.World, call: Call): Reply => {
  find(world, call, missing(call))
  for (const instance of all(world, call.now)) {
    const row = exportsOf(instance, call.now).find(({ id }) => id === param(call, 1))
    if (row !== undefined) return ok({ export_location: location(call, instance, row, true) })
  }
  throw refuse(404, `Export location ${param(call, 1)} could not be found.`)
}

const read = { method: "GET", since: 3, role: "admin" } as const
const post = { method: "POST", path: "share_instances/:id/action", since: 3, role: "admin", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  { ...read, path: "share_instances", handle: list },
  { ...read, path: "share_instances/:id", handle: show },
  { ...read, path: "shares/:id/instances", handle: listOfShare },
  { ...read, path: "share_instances/:id/export_locations", since: 9, handle: listExports },
  { ...read, path: "share_instances/:id/export_locations/:id", since: 9, handle: showExport },
  ...renamed({ ...post, action: "force_delete", handle: forceDelete }),
  ...renamed({ ...post, action: "reset_status", handle: resetStatus })
]
