/**
 * What `POST /snapshots/{id}/action` does, and the access rules and exports of snapshots that can be mounted.
 */
import type * as Lifecycle from "../../Lifecycle.ts"
import * as Address from "./Address.ts"
import { accepted, type Call, isJson, type Json, ok, param, type Reply, root } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { invalidShare, refuse } from "./Refusal.ts"
import type { SnapshotRow, SnapshotRuleRow } from "./Rows.ts"
import { renamed, type Route } from "./Route.ts"
import { argument } from "./ShareActions.ts"
import * as Snapshots from "./Snapshots.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

const forceDelete = (world: World.World, call: Call): Reply => {
  const snapshot = Snapshots.snapshotOr404(world, call)
  Snapshots.start(world, call, snapshot, "snapshot.force_delete")
  return accepted
}

const resetStatus = (world: World.World, call: Call): Reply => {
  const body = argument(call).value
  const status = isJson(body) ? body["status"] : undefined
  if (status === undefined) throw refuse(400, "Must specify 'status'")
  if (!Statuses.settableOnSnapshots.includes(String(status)))
    throw refuse(400, `Invalid state. Valid states: ${Statuses.settableOnSnapshots.join(", ")}.`)
  World.settleOn(world, Snapshots.snapshotOr404(world, call), String(status), call.now)
  return accepted
}

const unmanage = (world: World.World, call: Call): Reply => {
  const snapshot = Snapshots.snapshotOr404(world, call, `Snapshot ${param(call)} could not be found.`)
  const share = World.findShare(world, snapshot.shareId, call.now)
  if (call.version < 49 && share !== undefined && share.serverId !== null)
    throw refuse(
      403,
      "Operation 'unmanage_snapshot' is not supported for snapshots of shares that are created with share servers."
    )
  if (share !== undefined && World.replicasOf(world, share, call.now).length > 0)
    throw refuse(
      409,
      `Share ${share.id} has replicas. Snapshots of this share cannot currently be unmanaged until all replicas are removed.`
    )
  const status = Track.statusAt(snapshot.track, call.now)
  if (Statuses.transitional.has(status))
    throw refuse(
      403,
      `Snapshot with transitional state cannot be unmanaged. Snapshot '${snapshot.id}' is in '${status}' state.`
    )
  Snapshots.start(world, call, snapshot, "snapshot.unmanage")
  return accepted
}

const stringsOf = (given: Json): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]))

const manage = (world: World.World, call: Call): Reply => {
  const body = root(call, "snapshot")
  if (body === undefined) throw refuse(422, "Snapshot entity not found in request body.")
  const text = (key: string): string => {
    const given = body[key]
    if (given === undefined) throw refuse(422, `Required parameter ${key} not found.`)
    if (!given) throw refuse(422, `Required parameter ${key} is empty.`)
    if (typeof given !== "string") throw refuse(422, `Parameter ${key} must be a string.`)
    return given
  }
  const shareId = text("share_id")
  const location = text("provider_location")
  const share = Policy.shareOr404(world, call, shareId, `ShareNotFound: Share ${shareId} could not be found.`)
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Can not manage snapshot for share '${shareId}' since it has been soft deleted.`)
  if (World.replicasOf(world, share, call.now).length > 0)
    throw invalidShare(
      409,
      `Share ${shareId} has replicas. Snapshots of this share cannot currently be managed until all replicas are removed`
    )
  const twin = World.snapshotsOf(world, shareId, call.now).find((known) => known.providerLocation === location)
  if (twin !== undefined)
    throw refuse(
      409,
      `Manage existing share snapshot failed due to invalid share snapshot: A share snapshot ${twin.id} is already managed for provider location ${location}.`
    )
  const name = body["display_name"] ?? body["name"]
  const description = body["display_description"] ?? body["description"]
  const snapshot = Snapshots.addSnapshot(
    world,
    {
      share,
      projectId: call.projectId,
      userId: call.userId,
      name: name === undefined || name === null ? null : String(name),
      description: description === undefined || description === null ? null : String(description),
      // Taken as it is: nothing checks it here.
      metadata: call.version >= 73 && isJson(body["metadata"]) ? stringsOf(body["metadata"]) : {},
      providerLocation: location
    },
    call.now
  )
  Snapshots.start(world, call, snapshot, "snapshot.manage")
  const answer: Reply = { status: 202, body: { snapshot: Views.snapshot(call, snapshot) } }
  snapshot.metadata = { ...snapshot.metadata, ...World.managedAt(snapshot) }
  return answer
}

const accessBody = (call: Call, required: ReadonlyArray<string>): Json => {
  const body = argument(call).value
  if (!isJson(body)) throw refuse(400, "Access data not found in request body.")
  for (const key of required) {
    if (body[key] === undefined) throw refuse(400, `Required parameter ${key} not found.`)
    if (!body[key]) throw refuse(400, `Required parameter ${key} is empty.`)
    if (typeof body[key] !== "string") throw refuse(400, `Parameter ${key} must be a string.`)
  }
  return body
}

const mountable = (world: World.World, call: Call): SnapshotRow => {
  const snapshot = Snapshots.snapshotOr404(world, call, "NotFound: Resource could not be found.")
  const share = World.findShare(world, snapshot.shareId, call.now)
  if (share !== undefined && !share.support.mountSnapshot)
    throw refuse(
      400,
      `Cannot control access to the snapshot ${snapshot.id} since the parent share ${share.id} does not support mounting its snapshots.`
    )
  return snapshot
}

const checkAvailable = (snapshot: SnapshotRow, now: number, what: string): void => {
  if (Track.statusAt(snapshot.track, now) !== "available")
    throw refuse(
      400,
      `Invalid share snapshot instance: ${what} while the snapshot or any of its replicas or migration copies lacks a valid host or is not in available state..`
    )
}

const startRule = (
  world: World.World,
  call: Call,
  snapshot: SnapshotRow,
  rule: SnapshotRuleRow,
  action: Lifecycle.Action
) => {
  const { lifecycle } = World.nextLifecycle(world, action)
  World.begin(world, rule, lifecycle, { action, requestId: call.requestId, now: call.now }, snapshot.id)
}

const allow = (world: World.World, call: Call): Reply => {
  const body = accessBody(call, ["access_type", "access_to"])
  const type = String(body["access_type"])
  const to = String(body["access_to"])
  Address.check(type, to, { v6: call.version >= 38, cephx: false })
  const snapshot = mountable(world, call)
  const wanted = Address.canonical(type, to)
  const rules = World.allIn(snapshot.rules, call.now)
  if (rules.some((rule) => rule.type === type && Address.canonical(rule.type, rule.to) === wanted))
    throw refuse(400, `Share snapshot access ${type}:${to} exists.`)
  checkAvailable(snapshot, call.now, "New access rules cannot be applied")
  const rule: SnapshotRuleRow = {
    id: world.ids.uuid(),
    projectId: snapshot.projectId,
    type,
    to,
    track: Track.steady("active")
  }
  snapshot.rules.set(rule.id, rule)
  startRule(world, call, snapshot, rule, "snapshot_access.create")
  return { status: 202, body: { snapshot_access: Views.snapshotRule(call, rule) } }
}

const deny = (world: World.World, call: Call): Reply => {
  const id = String(accessBody(call, ["access_id"])["access_id"])
  const snapshot = mountable(world, call)
  const rule = World.findIn(snapshot.rules, id, call.now)
  if (rule === undefined) throw refuse(404, "NotFound: Resource could not be found.")
  checkAvailable(snapshot, call.now, "Access rules cannot be denied")
  startRule(world, call, snapshot, rule, "snapshot_access.delete")
  return accepted
}

const listRules = (world: World.World, call: Call): Reply =>
  ok({
    snapshot_access_list: World.allIn(mountable(world, call).rules, call.now).map((rule) =>
      Views.snapshotRule(call, rule)
    )
  })

const exportsOf = (world: World.World, call: Call) => {
  const snapshot = Snapshots.snapshotOr404(world, call, `Snapshot '${param(call)}' not found.`)
  return { snapshot, rows: snapshot.exports.filter((row) => call.isAdmin || !row.isAdminOnly) }
}

const listExports = (world: World.World, call: Call): Reply => {
  const { snapshot, rows } = exportsOf(world, call)
  return ok({
    share_snapshot_export_locations: rows.map((row) => Views.snapshotExport(call, snapshot, row, false))
  })
}

const showExport = (world: World.World, call: Call): Reply => {
  const { snapshot, rows } = exportsOf(world, call)
  const row = rows.find((known) => known.id === param(call, 1))
  if (row === undefined) throw refuse(404, "NotFound: Resource could not be found.")
  return ok({ share_snapshot_export_location: Views.snapshotExport(call, snapshot, row, true) })
}

const post = { method: "POST", path: "snapshots/:id/action", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  ...renamed({ ...post, action: "force_delete", role: "admin", handle: forceDelete }),
  ...renamed({ ...post, action: "reset_status", role: "admin", handle: resetStatus }),
  { ...post, action: "unmanage", since: 12, role: "admin", handle: unmanage },
  { ...post, action: "allow_access", since: 32, role: "member", handle: allow },
  { ...post, action: "deny_access", since: 32, role: "member", handle: deny },
  { method: "POST", path: "snapshots/manage", since: 12, role: "admin", body: "needed", handle: manage },
  { method: "GET", path: "snapshots/:id/access-list", since: 32, handle: listRules },
  { method: "GET", path: "snapshots/:id/export-locations", since: 32, handle: listExports },
  { method: "GET", path: "snapshots/:id/export-locations/:id", since: 32, handle: showExport }
]
