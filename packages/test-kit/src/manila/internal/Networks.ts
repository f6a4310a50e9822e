/**
 * Share networks and share groups, as far as names are looked up and shares are made in them.
 */
import * as Stamp from "../../internal/Stamp.ts"
import { accepted, type Call, ok, param, type Reply, root, word } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, refuse, stumble } from "./Refusal.ts"
import type { GroupRow, NetworkRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Track from "./Track.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

export interface NewNetwork {
  readonly id?: string | undefined
  readonly projectId: string
  readonly name: string | null
  readonly description: string | null
  readonly status?: string | undefined
  readonly netId?: string | null | undefined
  readonly subnetId?: string | null | undefined
  readonly createdMicros?: number | undefined
}

export const addNetwork = (world: World.World, given: NewNetwork, now: number): NetworkRow => {
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const createdAt = Stamp.fromMicros(createdMicros)
  const network: NetworkRow = {
    id: given.id ?? world.ids.uuid(),
    projectId: given.projectId,
    createdMicros,
    createdAt,
    updatedAt: null,
    name: given.name,
    description: given.description,
    status: given.status ?? "active",
    subnets: [
      { id: world.ids.uuid(), createdAt, zone: null, netId: given.netId ?? null, subnetId: given.subnetId ?? null }
    ]
  }
  world.networks.set(network.id, network)
  return network
}

const findNetwork = (world: World.World, call: Call): NetworkRow => {
  const network = world.networks.get(param(call))
  if (network === undefined || !Policy.owns(call, network.projectId))
    throw refuse(404, `Share network ${param(call)} could not be found.`)
  return network
}

const networkKeys: Readonly<Record<string, (network: NetworkRow) => string | null>> = {
  id: (network) => network.id,
  name: (network) => network.name,
  description: (network) => network.description,
  status: (network) => network.status,
  neutron_net_id: (network) => network.subnets[0]?.netId ?? null,
  neutron_subnet_id: (network) => network.subnets[0]?.subnetId ?? null
}

const notFilters = new Set([
  "all_tenants",
  "project_id",
  "limit",
  "offset",
  "created_since",
  "created_before",
  "security_service_id"
])

/** Filters are compared in memory here, so letters count as they are; a key nobody knows matches nothing. */
const matches = (call: Call, network: NetworkRow, key: string, value: string): boolean => {
  const read = networkKeys[key]
  if (read !== undefined) return read(network) === value
  if (call.version < 36 || !key.endsWith("~")) return false
  return networkKeys[key.slice(0, -1)]?.(network)?.includes(value) ?? false
}

const inScope = (call: Call): ((projectId: string) => boolean) => {
  const everywhere = call.query.get("all_tenants")
  const project = call.query.get("project_id")
  if (!call.isAdmin) return (projectId) => projectId === call.projectId
  if (project !== undefined) return (projectId) => projectId === project
  return everywhere !== undefined && (everywhere === "" || word(everywhere) === true)
    ? () => true
    : (projectId) => projectId === call.projectId
}

const listNetworks =
  (isDetail: boolean) =>
  (world: World.World, call: Call): Reply => {
    const window = Pages.windowOf(call)
    const isMine = inScope(call)
    const filters = [...call.query].filter(([key]) => !notFilters.has(key))
    const found = [...world.networks.values()]
      .filter(
        (network) => isMine(network.projectId) && filters.every(([key, value]) => matches(call, network, key, value))
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const page = Pages.sliceCapped(found, window, world.cap)
    return ok({
      share_networks: page.map((network) =>
        isDetail ? Views.network(call, network) : { id: network.id, name: network.name }
      )
    })
  }

const showNetwork = (world: World.World, call: Call): Reply =>
  ok({ share_network: Views.network(call, findNetwork(world, call)) })

const text = (value: unknown): string | null =>
  value === undefined || value === null || value === "" ? null : String(value)

const createNetwork = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_network")
  if (body === undefined) throw refuse(422)
  if ("nova_net_id" in body) throw refuse(400, "nova networking is not supported starting in Ocata.")
  if ("neutron_net_id" in body !== "neutron_subnet_id" in body)
    throw refuse(
      400,
      "When creating a new share network subnet you need to specify both neutron_net_id and neutron_subnet_id or none of them."
    )
  const network = addNetwork(
    world,
    {
      projectId: call.projectId,
      name: text(body["name"]),
      description: text(body["description"]),
      netId: text(body["neutron_net_id"]),
      subnetId: text(body["neutron_subnet_id"])
    },
    call.now
  )
  return ok({ share_network: Views.network(call, network) })
}

const updateNetwork = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_network")
  if (body === undefined) throw refuse(422)
  const network = findNetwork(world, call)
  if ("name" in body) network.name = text(body["name"])
  if ("description" in body) network.description = text(body["description"])
  network.updatedAt = Stamp.fromMillis(call.now)
  return ok({ share_network: Views.network(call, network) })
}

const removeNetwork = (world: World.World, call: Call): Reply => {
  const network = findNetwork(world, call)
  const users = World.allShares(world, call.now).filter((share) => share.networkId === network.id)
  if (users.length > 0)
    throw refuse(409, `Can not delete share network ${network.id}, it has ${users.length} share(s).`)
  world.networks.delete(network.id)
  return accepted
}

const groupKeys: Readonly<Record<string, (group: GroupRow, now: number) => string | null>> = {
  name: (group) => group.name,
  description: (group) => group.description,
  status: (group, now) => Track.statusAt(group.track, now),
  host: (group) => group.host,
  share_group_type_id: (group) => group.groupTypeId,
  group_type_id: (group) => group.groupTypeId,
  share_network_id: () => null,
  share_server_id: () => null,
  source_share_group_snapshot_id: () => null
}

const groupNotFilters = new Set(["all_tenants", "project_id", "limit", "offset", "sort_key", "sort_dir", "with_count"])

const groupMatches = (call: Call, group: GroupRow, key: string, value: string): boolean => {
  const read = groupKeys[key]
  if (read !== undefined) return Pages.same(read(group, call.now), value)
  return Pages.contains(groupKeys[key.slice(0, -1)]?.(group, call.now) ?? null, value)
}

const groupSortKeys: Readonly<Record<string, (group: GroupRow) => string | number | null>> = {
  created_at: (group) => group.createdMicros,
  id: (group) => group.id,
  name: (group) => group.name,
  project_id: (group) => group.projectId,
  host: (group) => group.host
}

const listGroups =
  (isDetail: boolean) =>
  (world: World.World, call: Call): Reply => {
    const window = Pages.windowOf(call)
    const filters = [...call.query].filter(
      ([key]) => !groupNotFilters.has(key) && !(key.endsWith("~") && call.version < 36)
    )
    for (const [key] of filters) {
      if (groupKeys[key] === undefined && !["name~", "description~"].includes(key))
        throw invalidInput(`Share groups cannot be filtered using '${key}' key`)
    }
    const isMine = inScope(call)
    const keyOf = groupSortKeys[Pages.sortKeyOf(call)]
    if (keyOf === undefined) throw invalidInput(`Wrong sorting key provided - '${Pages.sortKeyOf(call)}'`)
    const found = World.allIn(world.groups, call.now).filter(
      (group) => isMine(group.projectId) && filters.every(([key, value]) => groupMatches(call, group, key, value))
    )
    const sorted = Pages.sortBy(found, keyOf, Pages.strictDirection(call))
    const page = Pages.sliceCapped(sorted, window, world.cap)
    const view = isDetail ? Views.group : Views.groupSummary
    const links = nextLinks(call, "share-groups", page)
    return ok({
      share_groups: page.map((group) => view(call, group)),
      ...(links === undefined ? {} : { share_groups_links: links })
    })
  }

const showGroup = (world: World.World, call: Call): Reply => {
  const group = World.findIn(world.groups, param(call), call.now)
  if (group === undefined || !Policy.owns(call, group.projectId))
    throw refuse(404, `Share group ${param(call)} not found.`)
  return ok({ share_group: Views.group(call, group) })
}

const updateGroup = (world: World.World, call: Call): Reply => {
  const body = root(call, "share_group")
  if (body === undefined) throw refuse(400, "'share_group' is missing from the request body.")
  const group = World.findIn(world.groups, param(call), call.now)
  if (group === undefined || !Policy.owns(call, group.projectId))
    throw refuse(404, `Share group ${param(call)} not found.`)
  for (const [key, value] of Object.entries(body)) {
    if (value !== null && typeof value !== "string") throw stumble()
    if (key === "name") group.name = value
    else if (key === "description") group.description = value
    else throw refuse(400, `The fields {'${key}'} are invalid or not allowed to be updated.`)
  }
  return ok({ share_group: Views.group(call, group) })
}

const groups = { since: 31, experimentalUntil: 54 } as const
const member = { role: "member", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "share-networks", handle: listNetworks(false) },
  { method: "GET", path: "share-networks/detail", handle: listNetworks(true) },
  { method: "POST", path: "share-networks", ...member, handle: createNetwork },
  { method: "GET", path: "share-networks/:id", handle: showNetwork },
  { method: "PUT", path: "share-networks/:id", ...member, handle: updateNetwork },
  { method: "DELETE", path: "share-networks/:id", role: "member", handle: removeNetwork },
  { method: "GET", path: "share-groups", ...groups, handle: listGroups(false) },
  { method: "GET", path: "share-groups/detail", ...groups, handle: listGroups(true) },
  { method: "GET", path: "share-groups/:id", ...groups, handle: showGroup },
  { method: "PUT", path: "share-groups/:id", ...groups, ...member, handle: updateGroup }
]
