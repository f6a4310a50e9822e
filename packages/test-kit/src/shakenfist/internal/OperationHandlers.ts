/**
 * Cluster operations, blobs and namespaces: what each route does.
 */
import type { Call, Reply } from "./Call.ts"
import { find, flag, isAdmin, ok, param } from "./Call.ts"
import type { Row } from "./Objects.ts"
import * as Objects from "./Objects.ts"
import type * as Operations from "./Operations.ts"
import * as Ops from "./Operations.ts"
import { refuse } from "./Refusal.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

const views = (call: Call, ops: ReadonlyArray<Operations.Op>): Reply =>
  ok(ops.map((op) => Views.operationView(call.world, op, call.now, true)))

const ofRow = (call: Call, row: Row): Reply => {
  const given = call.body["all"] !== undefined ? call.body["all"] : call.query.get("all")
  const all = given === undefined ? false : flag(given, "all")
  const ops = Ops.list(call.world.store, Objects.targetOf(row))
  return views(call, all ? ops : ops.filter((op) => Ops.isOutstanding(op, call.now)))
}

export const ofInstance = (call: Call): Reply => ofRow(call, find(call, "instance", param(call, "instance_ref")))
export const ofNetwork = (call: Call): Reply => ofRow(call, find(call, "network", param(call, "network_ref")))
export const ofArtifact = (call: Call): Reply => ofRow(call, find(call, "artifact", param(call, "artifact_ref")))

const kinds: ReadonlySet<string> = new Set([
  "instance",
  "network",
  "artifact",
  "blob",
  "node",
  "networkinterface",
  "namespace",
  "upload"
])

const owned: ReadonlySet<string> = new Set(["instance", "network", "artifact"])

const asked = (call: Call, name: string): string | undefined => {
  const value = call.body[name] ?? call.query.get(name)
  return typeof value === "string" ? value : undefined
}

export const byTarget = (call: Call): Reply => {
  const type = asked(call, "target_object_type")
  const uuid = asked(call, "target_uuid")
  if (type === undefined || !kinds.has(type)) throw refuse(400, "invalid target_object_type")
  if (uuid === undefined) throw refuse(400, "you must specify a target_uuid")
  const target = { type, uuid }
  const { now, store, row } = lookUp(call, target)
  if (row === undefined && Ops.rowsOf(store, target).length === 0 && !call.world.blobs.has(uuid)) {
    throw refuse(404, `${type} not found`)
  }
  if (!isAdmin(call) && row?.namespace !== call.namespace) throw refuse(403, "not authorized")
  return ok(Ops.list(store, target).map((op) => Views.operationView(call.world, op, now, true)))
}

const lookUp = (call: Call, { type, uuid }: Operations.Target) => {
  const { now, world } = call
  const found = owned.has(type) ? world.objects.get(uuid) : undefined
  const row = found?.kind === type && !Objects.isGone(found, now) ? found : undefined
  return { now, store: world.store, row }
}

/** Whether one of the objects it is for, of those whose rows are left, is the caller's. */
const isOwn = (call: Call, op: Operations.Op): boolean =>
  isAdmin(call) ||
  op.targets.some((key) => {
    const rows = call.world.store.rows.get(key)
    if (rows === undefined || !rows.some((row) => row.op === op)) return false
    return call.world.objects.get(key.slice(key.indexOf(":") + 1))?.namespace === call.namespace
  })

const known = (call: Call): Operations.Op => {
  const op = call.world.store.ops.get(param(call, "operation_uuid"))
  if (op === undefined) throw refuse(404, "cluster operation not found")
  if (!isOwn(call, op)) throw refuse(403, "not authorized")
  return op
}

export const getOperation = (call: Call): Reply => {
  const op = known(call)
  if (op.type !== param(call, "operation_type")) throw refuse(404, "cluster operation not found")
  return ok(Views.operationView(call.world, op, call.now, false))
}

const longestChain = 256

export const getChain = (call: Call): Reply => {
  const seen = new Set<Operations.Op>()
  const visit = (op: Operations.Op): void => {
    if (seen.has(op) || op.isRemoved) return
    seen.add(op)
    op.dependsOn.forEach(visit)
  }
  visit(known(call))
  const newestFirst = [...call.world.store.ops.values()].filter((op) => seen.has(op)).toReversed()
  return ok(newestFirst.slice(0, longestChain).map((op) => Views.operationView(call.world, op, call.now, false)))
}

const algorithms: ReadonlySet<string> = new Set(["sha1", "sha256", "sha512", "xxh128"])

/** A checksum that nobody has verified yet is not known: asking for it has it verified. */
export const getChecksum = (call: Call): Reply => {
  const uuid = param(call, "blob_uuid")
  const { blobs, objects } = call.world
  const isKnown =
    blobs.has(uuid) || [...objects.values()].some((row) => row.kind === "artifact" && row.blob.uuid === uuid)
  if (!isKnown) throw refuse(404, "blob not found")
  if (!algorithms.has(param(call, "algorithm"))) throw refuse(400, "unknown hash algorithm")
  const target = { type: "blob", uuid }
  const ops = Ops.list(call.world.store, target)
  if (!ops.some((op) => Ops.isOutstanding(op, call.now))) World.verifyBlob(call.world, uuid, call.now)
  return ok(ops.some((op) => Ops.stateOf(op, call.now) === "complete") ? uuid.replaceAll("-", "") : null)
}

const namespaceView = (name: string) => ({
  name,
  state: "created",
  keys: ["main"],
  metadata: {},
  trust: { full: name === "system" ? [] : ["system"] },
  version: 1
})

const admin = (call: Call): void => {
  if (!isAdmin(call)) throw refuse(401, "unauthorized")
}

export const listNamespaces = (call: Call): Reply => {
  admin(call)
  return ok([...call.world.accounts.keys.keys()].map(namespaceView))
}

export const getNamespace = (call: Call): Reply => {
  const name = param(call, "namespace")
  if (!isAdmin(call) && name !== call.namespace) throw refuse(404, "namespace not found")
  if (!call.world.accounts.keys.has(name)) throw refuse(404, "namespace not found")
  return ok(namespaceView(name))
}
