/**
 * `POST /shares`: every check the service makes, in its order, and what follows.
 */
import type * as Lifecycle from "../../Lifecycle.ts"
import { type Call, type Json, ok, type Reply, root } from "./Call.ts"
import { checkMetadata } from "./Metadata.ts"
import * as Policy from "./Policy.ts"
import * as Reasons from "./Reasons.ts"
import { invalidInput, python, refuse, stumble } from "./Refusal.ts"
import type { GroupRow, ShareRow, SnapshotRow, TypeRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Shares from "./Shares.ts"
import * as ShareView from "./ShareView.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

/** A text under either of its two names, the short one first; empty texts count as absent. */
const textOf = (body: Json, short: string, long: string): string | null => {
  const given = body[short] === undefined || body[short] === null || body[short] === "" ? body[long] : body[short]
  if (given === undefined || given === null) return null
  if (typeof given === "string" && given.length > 255) throw invalidInput(`${short} can only be 255 characters long`)
  return String(given)
}

const sizeOf = (given: unknown, snapshot: SnapshotRow | undefined): number => {
  const asked = snapshot !== undefined && !given ? snapshot.size : given
  const size = typeof asked === "number" || typeof asked === "string" ? Number(asked) : Number.NaN
  const isWhole =
    (typeof asked === "number" && Number.isInteger(asked)) || (typeof asked === "string" && /^[-+]?\d+$/.test(asked))
  if (!isWhole || size <= 0) throw invalidInput(`Share size '${python(asked)}' must be an integer and greater than 0`)
  if (snapshot !== undefined && size < snapshot.size)
    throw invalidInput(`Share size '${size}' must be equal or greater than snapshot size`)
  return size
}

const reserve = (world: World.World, call: Call, size: number): void => {
  const quotas = World.quotasFor(world, call.projectId)
  if (quotas.shares === -1 && quotas.gigabytes === -1) return
  const usage = World.usageOf(world, call.projectId, call.now)
  if (quotas.gigabytes !== -1 && usage.gigabytes + size > quotas.gigabytes)
    throw refuse(413, `ShareSizeExceedsAvailableQuota: ${Shares.gigabytesMessage}`)
  if (quotas.shares !== -1 && usage.shares + 1 > quotas.shares)
    throw refuse(
      413,
      `ShareLimitExceeded: Maximum number of shares allowed (${quotas.shares}) either per project/user or share type quota is exceeded.`
    )
}

interface Parent {
  readonly snapshot: SnapshotRow
  readonly share: ShareRow
}

const parentOf = (world: World.World, call: Call, id: unknown): Parent | undefined => {
  if (id === undefined || id === null || id === "") return undefined
  const snapshot = Policy.visibleSnapshot(world, call, String(id))
  if (snapshot === undefined) throw refuse(404, `ShareSnapshotNotFound: Snapshot ${String(id)} could not be found.`)
  const share = World.findShare(world, snapshot.shareId, call.now)
  if (share === undefined) throw refuse(404, "NotFound: Resource could not be found.")
  if (call.version >= 24 && !share.support.createFromSnapshot)
    throw refuse(
      400,
      `A new share may not be created from snapshot '${snapshot.id}', because the snapshot's parent share does not have that capability.`
    )
  return { snapshot, share }
}

const groupOf = (world: World.World, call: Call, id: unknown): GroupRow | undefined => {
  if (call.version < 31 || id === undefined || id === null || id === "") return undefined
  const group = World.findIn(world.groups, String(id), call.now)
  if (group === undefined || !Policy.owns(call, group.projectId))
    throw refuse(404, `Share group ${String(id)} could not be found.`)
  return group
}

const networkOf = (world: World.World, call: Call, given: unknown, parent: Parent | undefined): string | null => {
  const inherited = parent?.share.networkId ?? null
  if (given === undefined || given === null || given === "") return inherited
  if (parent !== undefined && given !== inherited)
    throw refuse(400, "Share network ID should be the same as snapshot's parent share's or empty")
  const network = world.networks.get(String(given))
  if (network === undefined || !Policy.owns(call, network.projectId))
    throw refuse(404, `Share network ${String(given)} could not be found.`)
  if (network.status !== "active")
    throw refuse(
      400,
      `The share network ${network.id} used isn't in an 'active' state. Current status is ${network.status}.`
    )
  return network.id
}

const typeOf = (world: World.World, call: Call, body: Json, parent: Parent | undefined): TypeRow => {
  if ("share_type" in body && "volume_type" in body) throw refuse(400, "Cannot specify both share_type and volume_type")
  const asked = body["share_type"] ?? body["volume_type"]
  if (asked !== undefined && asked !== null && asked !== "") {
    const type = Shares.usableType(world, call, String(asked))
    if (type === undefined) throw refuse(404, "Share type not found.")
    return type
  }
  const type = parent?.share.type ?? Shares.defaultType(world)
  if (type === undefined) throw refuse(404, "Share type not found.")
  return type
}

const checkNetworkNeed = (type: TypeRow, networkId: string | null, isChild: boolean): void => {
  if (!isChild && networkId === null && Shares.isTrue(type.extraSpecs["driver_handles_share_servers"]))
    throw refuse(400, "Share network must be set when the driver_handles_share_servers is true.")
}

const checkZone = (type: TypeRow, zone: string | null, asked: unknown): void => {
  const zones = type.extraSpecs["availability_zones"]
  if (zone !== null && zones !== undefined && !zones.split(",").includes(zone))
    throw refuse(
      400,
      `Share type ${typeof asked === "string" ? asked : type.name} is not supported within the availability zone chosen ${zone}.`
    )
}

const keyRefOf = (call: Call, body: Json, type: TypeRow): string | null => {
  const given = call.version >= 90 ? body["encryption_key_ref"] : undefined
  if (given === undefined || given === null) return null
  if (!["share", "share_server"].includes(type.extraSpecs["encryption_support"] ?? ""))
    throw refuse(400, `Share type ${type.name} extra-specs 'encryption_support' is missing valid value.`)
  if (!Shares.isTrue(type.extraSpecs["driver_handles_share_servers"]))
    throw refuse(400, `Share type ${type.name} must set dhss=True for share encryption.`)
  return String(given)
}

const checkGroup = (group: GroupRow | undefined, type: TypeRow, now: number): void => {
  if (group === undefined) return
  const status = Track.statusAt(group.track, now)
  if (status !== "available") throw refuse(400, `Share group status must be available, got ${status}.`)
  if (!group.typeIds.includes(type.id))
    throw refuse(
      400,
      `The specified share type (${type.id}) is not supported by the specified share group (${group.id}).`
    )
}

const create = (world: World.World, call: Call): Reply => {
  const body = root(call, "share")
  if (body === undefined) throw refuse(422)
  const isPublic = Shares.publicOf(call, body)
  const name = textOf(body, "name", "display_name")
  const description = textOf(body, "description", "display_description")
  // The service looks these two up without asking whether they are there.
  if (!("size" in body) || typeof body["share_proto"] !== "string") throw stumble()
  const proto = body["share_proto"].toUpperCase()
  const askedZone = body["availability_zone"]
  const zone = typeof askedZone === "string" && askedZone !== "" ? askedZone : null
  if (zone !== null && World.zoneNamed(world, zone) === undefined)
    throw refuse(404, `Availability zone ${zone} could not be found.`)
  const group = groupOf(world, call, body["share_group_id"])
  const parent = parentOf(world, call, body["snapshot_id"])
  const networkId = networkOf(world, call, body["share_network_id"], parent)
  const type = typeOf(world, call, body, parent)
  checkNetworkNeed(type, networkId, parent !== undefined || group !== undefined)
  if (call.version >= 48) checkZone(type, zone, body["share_type"])
  const keyRef = keyRefOf(call, body, type)
  const metadata = checkMetadata(body["metadata"], "standard")
  if (parent !== undefined && Track.statusAt(parent.snapshot.track, call.now) !== "available")
    throw refuse(400, "Invalid share snapshot: status must be 'available'.")
  const size = sizeOf(body["size"], parent?.snapshot)
  Shares.checkTypeSize(type, size, "create")
  if (parent !== undefined && type !== parent.share.type)
    throw invalidInput("Invalid share type specified: it must be the type of the snapshot's share")
  if (!Shares.protocols.includes(proto))
    throw invalidInput(
      `Invalid share protocol provided: ${proto}. It is either disabled or unsupported. Available Shares.protocols: [${Shares.protocols.map((one) => `'${one}'`).join(", ")}]`
    )
  Shares.checkShareLimit(world, call.projectId, size)
  const mountPointName = call.version >= 84 ? body["mount_point_name"] : undefined
  if (
    mountPointName !== undefined &&
    mountPointName !== null &&
    !Shares.isTrue(type.extraSpecs["mount_point_name_support"])
  )
    throw invalidInput(`Setting a mount point name is not supported by the share type used: ${type.id}`)
  reserve(world, call, size)
  if (Shares.supportOf(type).replication !== null)
    Shares.reserveReplica(
      world,
      call.projectId,
      call.now,
      size,
      "Failed while creating a share with replication support. "
    )
  checkGroup(group, type, call.now)

  const share = Shares.addShare(
    world,
    {
      projectId: call.projectId,
      userId: call.userId,
      proto,
      type,
      size,
      name,
      description,
      isPublic,
      metadata,
      networkId,
      groupId: group?.id ?? null,
      snapshotId: parent?.snapshot.id ?? null,
      zone: zone ?? parent?.share.zone ?? null,
      mountPointName: typeof mountPointName === "string" ? mountPointName : null,
      keyRef
    },
    call.now
  )
  const action: Lifecycle.Action = parent === undefined ? "share.create" : "share.create_from_snapshot"
  const { lifecycle } = World.nextLifecycle(world, action)
  World.begin(world, share, lifecycle, { action, requestId: call.requestId, now: call.now })
  // The answer is given before a scheduler has seen the share.
  const answer = ok({ share: ShareView.detail(call, share) })
  const fails = !lifecycle.phases.some((phase) => phase.status === "available")
  if (!(fails && lifecycle.reason !== undefined && Reasons.isUnplaced(action, lifecycle.reason)))
    World.place(world, share)
  World.followShare(world, share, undefined, call.now)
  return answer
}

export const routes: ReadonlyArray<Route> = [
  { method: "POST", path: "shares", role: "member", body: "needed", handle: create }
]
