/**
 * Snapshots: lists, create, show, update, delete.
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import { accepted, type Call, isJson, ok, param, queryWord, type Reply, root, strictWord } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import * as Literal from "./Literal.ts"
import { checkMetadata } from "./Metadata.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, invalidShare, notAllowed, refuse, stumble } from "./Refusal.ts"
import type { Metadata, ShareRow, SnapshotRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Shares from "./Shares.ts"
import * as Track from "./Track.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

export interface NewSnapshot {
  readonly id?: string | undefined
  readonly share: ShareRow
  readonly projectId: string
  readonly userId: string
  readonly name: string | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly providerLocation?: string | undefined
  readonly createdMicros?: number | undefined
}

/** A snapshot that nothing has happened to yet; whoever adds it gives it a track. */
export const addSnapshot = (world: World.World, given: NewSnapshot, now: number): SnapshotRow => {
  const id = given.id ?? world.ids.uuid()
  const instanceId = world.ids.uuid()
  const name = `snapshot_${id}_${instanceId}`.replaceAll("-", "_")
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const snapshot: SnapshotRow = {
    id,
    instanceId,
    projectId: given.projectId,
    userId: given.userId,
    shareId: given.share.id,
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    size: given.share.size,
    proto: given.share.proto,
    providerLocation: given.providerLocation ?? name,
    exports: [
      { id: world.ids.uuid(), path: `11.0.0.11:/snapshots/${name}`, preferred: false, isAdminOnly: true },
      { id: world.ids.uuid(), path: `10.0.0.10:/snapshots/${name}`, preferred: true, isAdminOnly: false },
      { id: world.ids.uuid(), path: `10.0.0.20:/snapshots/${name}`, preferred: false, isAdminOnly: false }
    ],
    name: given.name,
    description: given.description,
    metadata: given.metadata,
    rules: new Map(),
    track: Track.steady("creating")
  }
  world.snapshots.set(id, snapshot)
  return snapshot
}

export const start = (world: World.World, call: Call, snapshot: SnapshotRow, action: Lifecycle.Action): void => {
  const { lifecycle } = World.nextLifecycle(world, action)
  World.begin(world, snapshot, lifecycle, { action, requestId: call.requestId, now: call.now })
}

export const snapshotOr404 = (world: World.World, call: Call, message?: string): SnapshotRow => {
  const snapshot = Policy.visibleSnapshot(world, call, param(call))
  if (snapshot === undefined) throw refuse(404, message)
  return snapshot
}

const textOf = (value: unknown, field: string): string | null => {
  if (value === undefined || value === null) return null
  if (typeof value === "string" && value.length > 255) throw invalidInput(`${field} can only be 255 characters long`)
  return String(value)
}

const reserve = (world: World.World, call: Call, size: number): void => {
  const quotas = World.quotasFor(world, call.projectId)
  if (quotas.snapshots === -1 && quotas.snapshot_gigabytes === -1) return
  const usage = World.usageOf(world, call.projectId, call.now)
  if (quotas.snapshot_gigabytes !== -1 && usage.snapshot_gigabytes + size > quotas.snapshot_gigabytes)
    throw refuse(
      413,
      "SnapshotSizeExceedsAvailableQuota: Requested snapshot exceeds allowed project/user or share type gigabytes quota."
    )
  if (quotas.snapshots !== -1 && usage.snapshots + 1 > quotas.snapshots)
    throw refuse(
      413,
      `SnapshotLimitExceeded: Maximum number of snapshots allowed (${quotas.snapshots}) either per project/user or share type quota is exceeded.`
    )
}

const create = (world: World.World, call: Call): Reply => {
  const body = root(call, "snapshot")
  if (body === undefined) throw refuse(422)
  // The service looks it up without asking whether it is there.
  if (body["share_id"] === undefined) throw stumble()
  const share = Policy.shareOr404(world, call, String(body["share_id"]), "NotFound: Resource could not be found.")
  if (!share.support.snapshot)
    throw refuse(422, `Snapshots cannot be created for share '${share.id}' since it does not have that capability.`)
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Snapshots cannot be created for share '${share.id}' since it has been soft deleted.`)
  const name = textOf(body["name"] ?? body["display_name"], "name")
  const description = textOf(body["description"] ?? body["display_description"], "description")
  if (!call.isMember || !Policy.owns(call, share.projectId)) throw notAllowed("share:create_snapshot")
  const metadata = call.version >= 73 ? checkMetadata(body["metadata"] || undefined, "standard") : {}
  if (Track.statusAt(share.track, call.now) !== "available")
    throw invalidShare(400, "Source share status must be available")
  Shares.checkIdle(share, 400)
  reserve(world, call, share.size)
  const snapshot = addSnapshot(
    world,
    { share, projectId: call.projectId, userId: call.userId, name, description, metadata },
    call.now
  )
  start(world, call, snapshot, "snapshot.create")
  return { status: 202, body: { snapshot: Views.snapshot(call, snapshot) } }
}

const show = (world: World.World, call: Call): Reply =>
  ok({ snapshot: Views.snapshot(call, snapshotOr404(world, call)) })

const update = (world: World.World, call: Call): Reply => {
  if (!call.isMember) throw notAllowed("share:snapshot_update")
  if (!isJson(call.body) || !("snapshot" in call.body)) throw refuse(422)
  const body = call.body["snapshot"]
  if (!isJson(body)) throw refuse(400)
  const name = textOf(body["display_name"], "display_name")
  const description = textOf(body["display_description"], "display_description")
  const snapshot = snapshotOr404(world, call)
  if ("display_name" in body) snapshot.name = name
  if ("display_description" in body) snapshot.description = description
  return ok({ snapshot: Views.snapshot(call, snapshot) })
}

const remove = (world: World.World, call: Call): Reply => {
  if (!call.isMember) throw notAllowed("share:delete_snapshot")
  const snapshot = snapshotOr404(world, call)
  const status = Track.statusAt(snapshot.track, call.now)
  if (status !== "available" && status !== "error")
    throw refuse(400, "Invalid share snapshot: Share Snapshot status must be one of ('available', 'error').")
  start(world, call, snapshot, "snapshot.delete")
  return accepted
}

type Test = (snapshot: SnapshotRow) => boolean

const filters: Readonly<Record<string, (value: string, call: Call) => Test>> = {
  name: (value) => (snapshot) => Pages.same(snapshot.name, value),
  description: (value) => (snapshot) => Pages.same(snapshot.description, value),
  "name~": (value) => (snapshot) => Pages.contains(snapshot.name, value),
  "description~": (value) => (snapshot) => Pages.contains(snapshot.description, value),
  status:
    (value, { now }) =>
    (snapshot) =>
      Pages.same(Track.statusAt(snapshot.track, now), value),
  share_id: (value) => (snapshot) => snapshot.shareId === value,
  size: (value) => (snapshot) => snapshot.size === Number(value),
  metadata: (value) => {
    const parsed = Literal.parse(value)
    if (parsed === "value") throw refuse(400, "Invalid value for metadata filter.")
    if (parsed === "syntax" || !isJson(parsed.value)) throw stumble()
    const wanted = Object.entries(parsed.value)
    return (snapshot) => wanted.every(([key, item]) => snapshot.metadata[key] === item)
  }
}

const adminFilters: typeof filters = {
  project_id: (value) => (snapshot) => snapshot.projectId === value,
  user_id: (value) => (snapshot) => snapshot.userId === value,
  id: (value) => (snapshot) => snapshot.id === value,
  share_proto: (value) => (snapshot) => snapshot.proto === value,
  share_size: (value) => (snapshot) => snapshot.size === Number(value)
}

const since: Readonly<Record<string, number>> = { "name~": 36, "description~": 36, description: 36, metadata: 73 }

const sortKeys: Readonly<Record<string, (snapshot: SnapshotRow) => string | number | null>> = {
  created_at: (snapshot) => snapshot.createdMicros,
  updated_at: (snapshot) => snapshot.createdMicros,
  id: (snapshot) => snapshot.id,
  name: (snapshot) => snapshot.name,
  display_name: (snapshot) => snapshot.name,
  description: (snapshot) => snapshot.description,
  display_description: (snapshot) => snapshot.description,
  share_id: (snapshot) => snapshot.shareId,
  size: (snapshot) => snapshot.size,
  share_size: (snapshot) => snapshot.size,
  share_proto: (snapshot) => snapshot.proto,
  project_id: (snapshot) => snapshot.projectId,
  user_id: (snapshot) => snapshot.userId
}

/** Names and descriptions are kept under longer keys, which is what messages say. */
const stored = (key: string): string => key.replace(/^(name|description)/, "display_$1")

const testsOf = (call: Call): Array<Test> => {
  const tests: Array<Test> = []
  const known = call.isAdmin ? { ...filters, ...adminFilters } : filters
  for (const [key, read] of Object.entries(known)) {
    const value = call.query.get(key)
    if (value === undefined || call.version < (since[key] ?? 0)) continue
    if (value === "") throw invalidInput(`Wrong '${stored(key)}' filter provided: ''`)
    tests.push(read(value, call))
  }
  return tests
}

const isEverywhere = (call: Call): boolean => {
  const given = call.query.get("all_tenants")
  return call.isAdmin && given !== undefined && (given === "" || strictWord(given))
}

const list =
  (isDetail: boolean) =>
  (world: World.World, call: Call): Reply => {
    // The short list has a schema for its query, the long one has not.
    if (!isDetail)
      Pages.checkQuery(call, {
        numbers: ["limit", "offset", "size"],
        words: ["with_count", "all_tenants"],
        texts: ["name", "name~", "description", "description~", "status", "share_id", "project_id", "sort_key"]
      })
    const window = Pages.windowOf(call)
    const counts = isDetail || call.version >= 79 ? queryWord(call, "with_count") === true : false
    const sortKey = Pages.sortKeyOf(call)
    const tests = testsOf(call)
    if ((call.query.get("status") ?? "").includes("deferred") && !call.isAdmin)
      throw notAllowed("share_snapshot:list_snapshots_in_deferred_deletion_states")
    const everywhere = isEverywhere(call)
    const direction = Pages.strictDirection(call)
    const keyOf = sortKeys[sortKey]
    if (keyOf === undefined) throw stumble()
    const found = World.allIn(world.snapshots, call.now).filter(
      (snapshot) =>
        (everywhere || snapshot.projectId === call.projectId) &&
        (call.isAdmin || !Policy.isDeferred(Track.statusAt(snapshot.track, call.now))) &&
        tests.every((test) => test(snapshot))
    )
    const sorted = Pages.sortBy(found, keyOf, direction)
    const limit = window.limit === undefined ? undefined : Math.min(window.limit, world.cap)
    const page = Pages.slice(sorted, {
      limit: limit ?? (world.shareCap === Infinity ? undefined : world.cap),
      offset: window.offset
    })
    const view = isDetail ? Views.snapshot : Views.snapshotSummary
    const links = nextLinks(call, "snapshots", page)
    return ok({
      snapshots: page.map((snapshot) => view(call, snapshot)),
      ...(counts ? { count: found.length } : {}),
      ...(links === undefined ? {} : { share_snapshots_links: links })
    })
  }

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "snapshots", handle: list(false) },
  { method: "GET", path: "snapshots/detail", handle: list(true) },
  { method: "POST", path: "snapshots", body: "needed", handle: create },
  { method: "GET", path: "snapshots/:id", handle: show },
  { method: "PUT", path: "snapshots/:id", body: "needed", handle: update },
  { method: "DELETE", path: "snapshots/:id", handle: remove }
]
