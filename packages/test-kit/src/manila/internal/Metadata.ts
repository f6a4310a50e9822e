/**
 * Metadata of shares and snapshots. The two answer almost alike; where not, the server was asked.
 */
import { type Call, done, isJson, ok, param, type Reply } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { notAllowed, notFoundItem, refuse, stumble } from "./Refusal.ts"
import type { Metadata } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as World from "./World.ts"

const malformed = () => refuse(400, "Malformed request body")

/**
 * Metadata from a body. A value that is no text is refused with the sentence of the place: where a share or a rule is
 * made that of the status, in the metadata's own routes another.
 */
export const checkMetadata = (given: unknown, place: "standard" | "own"): Metadata => {
  if (given === undefined || given === null) return {}
  if (!isJson(given)) throw stumble()
  for (const [key, value] of Object.entries(given)) {
    if (key === "") throw refuse(400, "Metadata property key is blank.")
    if (key.length > 255) throw refuse(400, "Metadata property key is greater than 255 characters.")
    if (value === null || value === "" || value === 0 || value === false)
      throw refuse(400, "Metadata property value is blank.")
    if (typeof value !== "string") throw place === "own" ? malformed() : refuse(400)
    if (value.length > 1023) throw refuse(400, "Metadata property value is greater than 1023 characters.")
  }
  return { ...given } as Metadata // each value was looked at
}

interface Owner {
  readonly kind: "share" | "snapshot" | "replica"
  /** The holder of the metadata, as the caller may see or change it. */
  readonly find: (world: World.World, call: Call, forChange: boolean) => { metadata: Metadata }
}

const shares: Owner = {
  kind: "share",
  find: (world, call, forChange) => {
    const share = Policy.shareOr404(world, call, param(call), "Share not found.")
    if (forChange && !Policy.owns(call, share.projectId)) throw notAllowed("share:get")
    return share
  }
}

const snapshots: Owner = {
  kind: "snapshot",
  find: (world, call) => {
    const snapshot = Policy.visibleSnapshot(world, call, param(call))
    if (snapshot === undefined) throw refuse(404, "Share_snapshot not found.")
    return snapshot
  }
}

const replicas: Owner = {
  kind: "replica",
  find: (world, call) => {
    const replica = World.findIn(world.replicas, param(call), call.now)
    if (replica === undefined) throw refuse(404, "Share_replica not found.")
    return replica
  }
}

const given = (owner: Owner, call: Call): Metadata => {
  const body = isJson(call.body) ? call.body["metadata"] : undefined
  if (body === undefined || (owner.kind === "share" && !isJson(body))) throw malformed()
  if (!isJson(body)) throw stumble()
  return checkMetadata(body, "own")
}

const list =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply =>
    ok({ metadata: owner.find(world, call, false).metadata })

const set =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply => {
    const added = given(owner, call)
    const holder = owner.find(world, call, true)
    holder.metadata = { ...holder.metadata, ...added }
    // A snapshot keeps what it had, and answers with what was added only.
    return ok({ metadata: owner.kind === "snapshot" ? added : holder.metadata })
  }

const replace =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply => {
    const metadata = given(owner, call)
    owner.find(world, call, true).metadata = metadata
    return ok({ metadata })
  }

const showItem =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply => {
    const key = param(call, 1)
    const value = owner.find(world, call, false).metadata[key]
    if (value === undefined) throw notFoundItem()
    return ok({ meta: { [key]: value } })
  }

/**
 * For a share the body needs both `meta` and `metadata`, and the share's other keys count as part of the request: the
 * route works for a share with one key.
 */
const setItem =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply => {
    const key = param(call, 1)
    if (owner.kind === "share") {
      if (!isJson(call.body) || !isJson(call.body["meta"])) throw malformed()
      if (!isJson(call.body["metadata"])) throw stumble()
    }
    const holder = owner.find(world, call, true)
    const item = given(owner, call)
    const all = owner.kind === "share" ? { ...holder.metadata, ...item } : item
    if (!(key in all)) throw refuse(400, "Request body and URI mismatch")
    if (Object.keys(all).length > 1) throw refuse(400, "Request body contains too many items")
    holder.metadata = { ...holder.metadata, ...all }
    return ok({ metadata: all })
  }

const removeItem =
  (owner: Owner) =>
  (world: World.World, call: Call): Reply => {
    const key = param(call, 1)
    const holder = owner.find(world, call, true)
    if (holder.metadata[key] === undefined) throw notFoundItem()
    const { [key]: _removed, ...rest } = holder.metadata
    holder.metadata = rest
    return done
  }

const routesOf = (owner: Owner, collection: string, since: number): ReadonlyArray<Route> => {
  const all = `${collection}/:id/metadata`
  const one = `${all}/:key`
  return [
    { method: "GET", path: all, since, handle: list(owner) },
    { method: "POST", path: all, since, role: "member", body: "needed", handle: set(owner) },
    { method: "PUT", path: all, since, role: "member", body: "needed", handle: replace(owner) },
    { method: "GET", path: one, since, handle: showItem(owner) },
    { method: "POST", path: one, since, role: "member", body: "needed", handle: setItem(owner) },
    { method: "DELETE", path: one, since, role: "member", handle: removeItem(owner) }
  ]
}

export const routes: ReadonlyArray<Route> = [
  ...routesOf(shares, "shares", 0),
  ...routesOf(snapshots, "snapshots", 73),
  ...routesOf(replicas, "share-replicas", 95)
]
