/**
 * Who may see and do what: a project's own, what is public, everything for an administrator.
 */
import type { Call } from "./Call.ts"
import { notAllowed, refuse } from "./Refusal.ts"
import type { ShareRow, SnapshotRow } from "./Rows.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

export const owns = (call: Call, projectId: string): boolean => call.isAdmin || call.projectId === projectId

/** Statuses of objects that the service keeps to itself for a while. */
export const isDeferred = (status: string): boolean =>
  status === "deferred_deleting" || status === "error_deferred_deleting"

const canSee = (call: Call, share: ShareRow): boolean =>
  (share.isPublic || owns(call, share.projectId)) &&
  (call.isAdmin || !isDeferred(Track.statusAt(share.track, call.now)))

/** A share the caller may look at; `undefined` for what is not there or not theirs, which is told apart nowhere. */
export const visibleShare = (world: World.World, call: Call, id: string): ShareRow | undefined => {
  const share = World.findShare(world, id, call.now)
  return share !== undefined && canSee(call, share) ? share : undefined
}

export const shareOr404 = (world: World.World, call: Call, id: string, message?: string): ShareRow => {
  const share = visibleShare(world, call, id)
  if (share === undefined) throw refuse(404, message)
  return share
}

/** The caller's own share: somebody else's public one may be seen and not touched. */
export const own = (call: Call, share: ShareRow, rule: string): void => {
  if (!owns(call, share.projectId)) throw notAllowed(rule)
}

export const visibleSnapshot = (world: World.World, call: Call, id: string): SnapshotRow | undefined => {
  const snapshot = World.findIn(world.snapshots, id, call.now)
  if (snapshot === undefined || !owns(call, snapshot.projectId)) return undefined
  return call.isAdmin || !isDeferred(Track.statusAt(snapshot.track, call.now)) ? snapshot : undefined
}

/** For operations that read their body before they ask who is calling. */
export const mustBe = (call: Call, role: "member" | "admin"): void => {
  if (role === "admin" ? !call.isAdmin : !call.isMember) throw refuse(403)
}
