/**
 * What `POST /shares/{id}/action` does to a share itself; its access rules are elsewhere.
 */
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, done, isJson, type Json, param, type Reply, word } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { invalidField, invalidInput, invalidShare, python, refuse, repr } from "./Refusal.ts"
import type { ShareRow } from "./Rows.ts"
import { renamed, type Route } from "./Route.ts"
import * as Shares from "./Shares.ts"
import * as ShareView from "./ShareView.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

const action = "shares/:id/action"

/** The argument of the action: the router has seen that the body has this one key. */
export const argument = (call: Call): { readonly name: string; readonly value: unknown } => {
  const [entry] = isJson(call.body) ? Object.entries(call.body) : []
  return { name: entry?.[0] ?? "", value: entry?.[1] }
}

const objectOf = (call: Call): Json => {
  const { name, value } = argument(call)
  if (!isJson(value)) throw invalidField(name, value, `${repr(value)} is not of type 'object'`)
  return value
}

const newSizeOf = (call: Call, body: Json): number => {
  const given = body["new_size"]
  if (given === undefined) throw invalidField(argument(call).name, body, "'new_size' is a required property")
  if (typeof given === "string" && !/^\d*$/.test(given))
    throw invalidField("new_size", given, `'${given}' does not match '^[0-9]*$'`)
  if (typeof given !== "string" && !Number.isInteger(given))
    throw invalidField("new_size", given, `${repr(given)} is not of type 'integer', 'string'`)
  if (typeof given === "number" && given < 0)
    throw invalidField("new_size", given, `${given} is less than the minimum of 0`)
  if (given === "") throw invalidField("new_size", "", "'' should be non-empty")
  return Number(given)
}

const start = (
  world: World.World,
  call: Call,
  share: ShareRow,
  name: Lifecycle.Action,
  newSize: number | undefined
): void => {
  const { lifecycle } = World.nextLifecycle(world, name)
  World.begin(world, share, lifecycle, { action: name, requestId: call.requestId, now: call.now })
  World.followShare(world, share, newSize, call.now)
}

const notSoftDeleted = (share: ShareRow, what: string): void => {
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Cannot ${what} share '${share.id}' since it has been soft deleted.`)
}

const notFound = "Resource could not be found."

const extend = (world: World.World, call: Call): Reply => {
  const body = objectOf(call)
  const size = newSizeOf(call, body)
  const given = call.version >= 64 ? body["force"] : undefined
  const force = given === undefined ? false : word(given)
  if (force === undefined)
    throw invalidField("force", given, `${repr(given)} is not one of the words for true and false`)
  Policy.mustBe(call, "member")
  const share = Policy.shareOr404(world, call, param(call), notFound)
  notSoftDeleted(share, "extend")
  if (force && !call.isAdmin) throw refuse(403, "Policy doesn't allow share:force_extend to be performed.")
  Policy.own(call, share, "share:extend")
  const status = Track.statusAt(share.track, call.now)
  if (status !== "available")
    throw invalidShare(400, `Share ${share.id} status must be 'available' to extend, but current status is: ${status}`)
  Shares.checkIdle(share, 400)
  if (size <= share.size)
    throw invalidInput(
      `New size for extend must be greater than current size. (current: ${share.size}, extended: ${size})`
    )
  Shares.checkShareLimit(world, call.projectId, size)
  Shares.checkTypeSize(share.type, size, call.isAdmin ? "admin-extend" : "extend")
  const { gigabytes } = World.quotasFor(world, share.projectId)
  if (gigabytes !== -1 && World.usageOf(world, share.projectId, call.now).gigabytes + size - share.size > gigabytes)
    throw refuse(403, Shares.gigabytesMessage)
  start(world, call, share, "share.extend", size)
  return accepted
}

const shrink = (world: World.World, call: Call): Reply => {
  const size = newSizeOf(call, objectOf(call))
  Policy.mustBe(call, "member")
  const share = Policy.shareOr404(world, call, param(call), notFound)
  notSoftDeleted(share, "shrink")
  const status = Track.statusAt(share.track, call.now)
  if (status !== "available" && status !== "shrinking_possible_data_loss_error")
    throw invalidShare(
      400,
      `Share ${share.id} status must in (available, shrinking_possible_data_loss_error) to shrink, but current status is: ${status}`
    )
  Shares.checkIdle(share, 400)
  if (size >= share.size || size <= 0)
    throw invalidInput(
      `New size for shrink must be less than current size and greater than 0 (current: ${share.size}, new: ${size})`
    )
  Shares.checkTypeSize(share.type, size, "shrink")
  Policy.own(call, share, "share:update")
  start(world, call, share, "share.shrink", size)
  return accepted
}

const isUuid = (text: string): boolean => /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i.test(text)

const revert = (world: World.World, call: Call): Reply => {
  const body = objectOf(call)
  const given = body["snapshot_id"]
  if (given === undefined) throw invalidField("revert", body, "'snapshot_id' is a required property")
  if (typeof given !== "string") throw invalidField("snapshot_id", given, `${repr(given)} is not of type 'string'`)
  if (!isUuid(given)) throw invalidField("snapshot_id", given, `'${given}' is not a 'uuid'`)
  Policy.mustBe(call, "member")
  const share = Policy.shareOr404(world, call, param(call), `NotFound: ${notFound}`)
  const snapshot = Policy.visibleSnapshot(world, call, given)
  if (snapshot === undefined) throw refuse(400, `Snapshot ${given} could not be found.`)
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Share '${share.id} cannot revert to snapshot, since it has been soft deleted.`)
  if (!share.support.revert)
    throw refuse(
      400,
      `Share ${share.id} may not be reverted to snapshot ${given}, because the share does not have that capability.`
    )
  if (snapshot.shareId !== share.id) throw refuse(400, `Snapshot ${given} is not associated with share ${share.id}.`)
  const status = Track.statusAt(share.track, call.now)
  if (status !== "available")
    throw refuse(
      409,
      `Share ${share.id} is in '${status}' state, but it must be in 'available' state to be reverted to a snapshot.`
    )
  const snapshotStatus = Track.statusAt(snapshot.track, call.now)
  if (snapshotStatus !== "available")
    throw refuse(
      409,
      `Snapshot ${given} is in '${snapshotStatus}' state, but it must be in 'available' state to be restored.`
    )
  if (share.taskState !== null && Shares.busy.has(share.taskState))
    throw refuse(409, `Share ${share.id} may not be reverted while it has an active task.`)
  const latest = World.snapshotsOf(world, share.id, call.now).reduce((a, b) =>
    b.createdMicros > a.createdMicros ? b : a
  )
  if (latest !== snapshot)
    throw refuse(
      409,
      `Snapshot ${given} may not be restored because it is not the most recent snapshot of share ${share.id}. Currently the latest snapshot is ${latest.id}.`
    )
  if (ShareView.rulesStatusOf(share, call.now) !== "active")
    throw refuse(409, `Snapshot ${given} belongs to a share ${share.id} which has access rules that are not active.`)
  const { gigabytes } = World.quotasFor(world, share.projectId)
  const growth = snapshot.size - share.size
  if (growth > 0 && gigabytes !== -1 && World.usageOf(world, share.projectId, call.now).gigabytes + growth > gigabytes)
    throw refuse(403, `Quota exceeded: reverting share ${share.id} would make it ${growth}G larger.`)
  start(world, call, share, "share.revert", snapshot.size)
  // The snapshot is held until the share is done, whatever came of it.
  const end = Track.endsAt(share.track)
  snapshot.track = Track.start(
    {
      phases:
        end === undefined
          ? [{ status: "restoring" }]
          : [{ status: "restoring", millis: end - call.now }, { status: "available" }]
    },
    call.now
  )
  return accepted
}

const retentionMillis = 7 * 24 * 3600 * 1000

const ownShare = (world: World.World, call: Call, message?: string): ShareRow => {
  const share = Policy.shareOr404(world, call, param(call), message)
  Policy.own(call, share, "share:get")
  return share
}

const softDelete = (world: World.World, call: Call): Reply => {
  const share = ownShare(world, call)
  if (share.binnedUntil !== undefined) throw invalidShare(403, "The share has been soft deleted already")
  Shares.checkDeletable(world, share, call.now, { status: 403, busy: 403, anyStatus: false })
  share.binnedUntil = call.now + retentionMillis
  return accepted
}

const restore = (world: World.World, call: Call): Reply => {
  const share = ownShare(world, call, `No share exists with ID ${param(call)}.`)
  if (share.binnedUntil === undefined) return { ...done, type: "text/html; charset=UTF-8" }
  if (["deleting", "error_deleting"].includes(Track.statusAt(share.track, call.now)))
    throw refuse(
      403,
      `Share ${share.id} is being deleted or has suffered an error during deletion, cannot be restored.`
    )
  share.binnedUntil = undefined
  return accepted
}

const forceDelete = (world: World.World, call: Call): Reply => {
  Policy.mustBe(call, "admin")
  const share = Policy.shareOr404(world, call, param(call))
  Shares.checkDeletable(world, share, call.now, { status: 400, busy: 400, anyStatus: true })
  Shares.startDelete(world, call, share, "share.force_delete")
  return accepted
}

const resetStatus = (world: World.World, call: Call): Reply => {
  const body = objectOf(call)
  const status = body["status"]
  if (status !== undefined && !Statuses.ofShares.has(String(status)))
    throw invalidField(
      "status",
      status,
      `${repr(status)} is not one of [${[...Statuses.ofShares].map(repr).join(", ")}]`
    )
  const share = Policy.shareOr404(world, call, param(call))
  if (share.binnedUntil !== undefined)
    throw refuse(403, `status cannot be reset for share '${share.id}' since it has been soft deleted.`)
  if (status === undefined) throw refuse(400, "Must specify 'status'")
  if (!Statuses.settableOnShares.includes(String(status)))
    throw refuse(400, `Invalid state. Valid states: ${Statuses.settableOnShares.join(", ")}.`)
  World.settleOn(world, share, String(status), call.now)
  World.followShare(world, share, undefined, call.now)
  return accepted
}

const resetTaskState = (world: World.World, call: Call): Reply => {
  const body = objectOf(call)
  const state = body["task_state"]
  if (state !== undefined && !Statuses.taskStates.has(state))
    throw invalidField(
      "task_state",
      state,
      `${repr(state)} is not one of [${[...Statuses.taskStates].map(repr).join(", ")}]`
    )
  const share = Policy.shareOr404(world, call, param(call), `ShareNotFound: Share ${param(call)} could not be found.`)
  if (share.binnedUntil !== undefined)
    throw refuse(403, `task state cannot be reset for share '${share.id}' since it has been soft deleted.`)
  if (state === undefined) throw refuse(400, "Must specify 'task_state'")
  share.taskState = state === null ? null : python(state)
  return accepted
}

const unmanage = (world: World.World, call: Call): Reply => {
  const share = Policy.shareOr404(world, call, param(call), notFound)
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Share '${share.id} cannot be unmanaged, since it has been soft deleted.`)
  if (World.replicasOf(world, share, call.now).length > 0)
    throw refuse(409, `Share ${share.id} has replicas. It cannot be unmanaged until all replicas are removed.`)
  if (call.version < 49 && share.serverId !== null)
    throw refuse(403, "Operation 'unmanage' is not supported for shares that are created on top of share servers.")
  const status = Track.statusAt(share.track, call.now)
  if (Statuses.transitional.has(status))
    throw refuse(
      403,
      `Share with transitional state can not be unmanaged. Share '${share.id}' is in '${status}' state.`
    )
  const snapshots = World.snapshotsOf(world, share.id, call.now).length
  if (snapshots > 0)
    throw refuse(403, `Share '${share.id}' can not be unmanaged because it has '${snapshots}' dependent snapshot(s).`)
  Shares.checkIdle(share, 400)
  start(world, call, share, "share.unmanage", undefined)
  // One that could not be taken over has a status of its own for the way out.
  if (status === "manage_error" && Track.statusAt(share.track, call.now) === "unmanage_starting")
    share.track = Track.rename(share.track, "unmanage_starting", "manage_error_unmanage_starting")
  return accepted
}

const post = { method: "POST", path: action, body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  ...renamed({ ...post, action: "extend", handle: extend }),
  ...renamed({ ...post, action: "shrink", handle: shrink }),
  ...renamed({ ...post, action: "force_delete", handle: forceDelete }),
  ...renamed({ ...post, action: "reset_status", role: "admin", handle: resetStatus }),
  { ...post, action: "reset_task_state", since: 22, experimentalUntil: 95, role: "admin", handle: resetTaskState },
  { ...post, action: "revert", since: 27, handle: revert },
  { ...post, action: "soft_delete", since: 69, role: "member", handle: softDelete },
  { ...post, action: "restore", since: 69, role: "member", handle: restore },
  { ...post, action: "unmanage", since: 7, role: "admin", handle: unmanage },
  {
    method: "POST",
    path: "os-share-unmanage/:id/unmanage",
    until: 6,
    role: "admin",
    body: "optional",
    handle: unmanage
  }
]
