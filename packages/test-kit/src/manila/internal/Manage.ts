/**
 * Shares that were there before the service: `manage` takes one over.
 */
import { type Call, isJson, type Json, ok, type Reply, root } from "./Call.ts"
import { invalidShare, refuse } from "./Refusal.ts"
import type { TypeRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Shares from "./Shares.ts"
import * as ShareView from "./ShareView.ts"
import * as World from "./World.ts"

const required = (body: Json, key: string): unknown => {
  const given = body[key]
  if (given === undefined) throw refuse(422, `Required parameter ${key} not found`)
  if (!given) throw refuse(422, `Required parameter ${key} is empty`)
  return given
}

const pathOf = (given: unknown): string => {
  if (typeof given === "string") return given
  if (isJson(given) && typeof given["path"] === "string") return given["path"]
  throw refuse(422, "Export path must be a string, or a dictionary with a 'path' item")
}

const typeOf = (world: World.World, call: Call, given: unknown): TypeRow => {
  const type =
    given === undefined || given === null ? Shares.defaultType(world) : Shares.usableType(world, call, String(given))
  if (type === undefined) throw refuse(404, `Share type ${String(given)} could not be found.`)
  return type
}

const text = (value: unknown): string | null => (value === undefined || value === null ? null : String(value))

const manage = (world: World.World, call: Call): Reply => {
  const body = root(call, "share")
  if (body === undefined) throw refuse(422, "Share entity not found in request body")
  const path = pathOf(required(body, "export_path"))
  const host = String(required(body, "service_host"))
  const proto = String(required(body, "protocol")).toUpperCase()
  if (!/^[^@#]+@[^@#]+#.+$/.test(host)) throw refuse(400, "service_host parameter should contain pool.")
  if (host.split("#")[0] !== World.defaultHost.split("#")[0])
    throw refuse(404, `Service ${host.split("#")[0]} could not be found.`)
  const type = typeOf(world, call, body["share_type"])
  const isPublic = call.version >= 8 ? Shares.publicOf(call, body) : false
  const twin = World.allShares(world, call.now).find(
    (known) => known.host === host && known.exports.rows().some((row) => row.path === path)
  )
  if (twin !== undefined) throw invalidShare(409, "A share already exists with the export path specified")
  const share = Shares.addShare(
    world,
    {
      projectId: call.projectId,
      userId: call.userId,
      proto,
      type,
      size: 0,
      name: text(body["display_name"] ?? body["name"]),
      description: text(body["display_description"] ?? body["description"]),
      isPublic,
      metadata: {},
      networkId: null,
      groupId: null,
      snapshotId: null,
      zone: null,
      host,
      path
    },
    call.now
  )
  const { lifecycle } = World.nextLifecycle(world, "share.manage")
  World.begin(world, share, lifecycle, { action: "share.manage", requestId: call.requestId, now: call.now })
  // How large it is, the driver says when it has looked.
  const answer = ok({ share: { ...ShareView.detail(call, share), size: null } })
  share.metadata = { ...share.metadata, ...World.managedAt(share) }
  World.followShare(world, share, 1, call.now)
  share.zone ??= world.zones[0]?.name ?? null
  return answer
}

const post = { method: "POST", role: "admin", body: "needed", handle: manage } as const

export const routes: ReadonlyArray<Route> = [
  { ...post, path: "shares/manage", since: 7 },
  { ...post, path: "os-share-manage", until: 6 }
]
