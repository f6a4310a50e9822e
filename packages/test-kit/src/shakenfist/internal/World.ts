/**
 * All a fake cluster remembers, and what it does with a request to change something.
 */
import type * as Ids from "../../internal/Ids.ts"
import type * as Accounts from "./Accounts.ts"
import type { ArtifactRow, InstanceRow, InterfaceRow, Json, NetworkRow, Row } from "./Objects.ts"
import * as Objects from "./Objects.ts"
import type * as Operations from "./Operations.ts"
import * as Ops from "./Operations.ts"
import * as Plans from "./Plans.ts"
import * as Upkeep from "./Upkeep.ts"

export interface World {
  readonly ids: Ids.Ids
  readonly accounts: Accounts.Accounts
  readonly store: Operations.Store
  readonly upkeep: Upkeep.Upkeep
  readonly objects: Map<string, Row>
  /** Blobs that belong to no artifact. */
  readonly blobs: Set<string>
  readonly off: Set<string>
  readonly plans: Map<Plans.Action, Array<Plans.Phases>>
  /** Refusals for want of room that are still to be given. */
  room: { times: number; isTransient: boolean; retryAfter: string | undefined } | undefined
  readonly errorReports: boolean
  vxlan: number
  address: number
}

export interface Options {
  readonly ids: Ids.Ids
  readonly accounts: Accounts.Accounts
  readonly upkeep: Upkeep.Settings
  readonly off: Iterable<string>
  readonly errorReports: boolean
}

export const node = "sf-1"

const floatingUuid = "floating"

export const make = (options: Options, now: number): World => {
  const store = Ops.make()
  const objects = new Map<string, Row>()
  const world: World = {
    ids: options.ids,
    accounts: options.accounts,
    store,
    upkeep: Upkeep.make(
      options.upkeep,
      {
        store,
        measured: (at) =>
          [...objects.values()]
            .filter(
              (row) => row.kind === "instance" && Objects.stateOf(row, at) === "created" && !Objects.isGone(row, at)
            )
            .map(({ uuid }) => uuid),
        measure: (uuid, at) => void sweep(world, uuid, at)
      },
      now
    ),
    objects,
    blobs: new Set(),
    off: new Set(options.off),
    plans: new Map(),
    room: undefined,
    errorReports: options.errorReports,
    vxlan: 0,
    address: 0
  }
  const floating: NetworkRow = {
    ...Objects.bare(floatingUuid, "floating", "system", now),
    kind: "network",
    spec: { netblock: "192.168.250.0/24", provide_dhcp: false, provide_nat: false, provide_dns: false },
    vxlan: world.vxlan,
    isFloating: true,
    deletion: undefined,
    base: "created"
  }
  objects.set(floatingUuid, floating)
  return world
}

/** The plan an action has next; the last one given stays. */
const next = (world: World, action: Plans.Action): Plans.Phases => {
  const given = world.plans.get(action)
  if (given === undefined) return Plans.defaults[action]
  return (given.length > 1 ? given.shift() : given[0]) ?? Plans.defaults[action]
}

interface Asked {
  readonly type: string
  readonly tasks: ReadonlyArray<string>
  readonly targets: ReadonlyArray<Operations.Target>
  readonly extra: Json
  readonly observational?: boolean
  readonly dependsOn?: ReadonlyArray<Operations.Op>
  readonly phases?: Plans.Phases
}

export const enqueue = (world: World, action: Plans.Action, asked: Asked, now: number): Operations.Op =>
  Ops.add(
    world.store,
    {
      ...asked,
      uuid: world.ids.uuid(),
      observational: asked.observational ?? false,
      phases: asked.phases ?? next(world, action)
    },
    now
  )

const sweep = (world: World, uuid: string, now: number): Operations.Op =>
  enqueue(
    world,
    "sweep",
    {
      type: "node_inst_op",
      tasks: ["collect_billing_statistics", "health_check_kvm_process"],
      targets: [{ type: "instance", uuid }],
      extra: { node_uuid: node, instance_uuid: uuid },
      observational: true
    },
    now
  )

export const verifyBlob = (world: World, uuid: string, now: number): Operations.Op =>
  enqueue(
    world,
    "blob.verify",
    {
      type: "node_blob_op",
      tasks: ["verify_size_and_checksum"],
      targets: [{ type: "blob", uuid }],
      extra: { node_uuid: node, blob_uuid: uuid },
      observational: true
    },
    now
  )

export interface NetworkSpec {
  readonly name: string
  readonly namespace: string
  readonly netblock: string
  readonly dhcp: boolean
  readonly nat: boolean
  readonly dns: boolean
}

/** The members of an operation on a network that are null where they don't apply. */
const onNetwork = (uuid: string): Json => ({
  network_uuid: uuid,
  node_uuid: node,
  floating_address: null,
  inner_address: null
})

export const addNetwork = (world: World, spec: NetworkSpec, now: number, isReady = false): NetworkRow => {
  const row: NetworkRow = {
    ...Objects.bare(world.ids.uuid(), spec.name, spec.namespace, now),
    kind: "network",
    spec: {
      netblock: spec.netblock,
      provide_dhcp: spec.dhcp,
      provide_nat: spec.nat,
      provide_dns: spec.dns
    },
    vxlan: ++world.vxlan,
    isFloating: false,
    deletion: undefined
  }
  world.objects.set(row.uuid, row)
  if (isReady) row.base = "created"
  else {
    const op = enqueue(
      world,
      "network.create",
      {
        type: "net_op",
        tasks: ["network_apply_create_network_node"],
        targets: [Objects.targetOf(row)],
        extra: onNetwork(row.uuid)
      },
      now
    )
    row.changes.push({ op, done: "created" })
  }
  return row
}

export interface InstanceSpec {
  readonly name: string
  readonly namespace: string
  readonly spec: Json
  readonly networks: ReadonlyArray<{ readonly row: NetworkRow; readonly spec: Json }>
}

const attach = (world: World, network: NetworkRow, spec: Json, op: Operations.Op | undefined): InterfaceRow => {
  const n = ++world.address
  const hex = n.toString(16).padStart(6, "0")
  const base = String(network.spec["netblock"]).split(".").slice(0, 3).join(".")
  return {
    uuid: world.ids.uuid(),
    networkUuid: network.uuid,
    address: typeof spec["address"] === "string" ? spec["address"] : `${base}.${2 + (n % 250)}`,
    mac:
      typeof spec["macaddress"] === "string"
        ? spec["macaddress"]
        : `02:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`,
    model: typeof spec["model"] === "string" ? spec["model"] : "virtio",
    isFloating: spec["float"] === true,
    op,
    metadata: {}
  }
}

export const addInstance = (world: World, asked: InstanceSpec, now: number, isReady = false): InstanceRow => {
  const row: InstanceRow = {
    ...Objects.bare(world.ids.uuid(), asked.name, asked.namespace, now),
    kind: "instance",
    spec: asked.spec,
    interfaces: [],
    agentOperations: []
  }
  world.objects.set(row.uuid, row)
  for (const { row: network, spec } of asked.networks) row.interfaces.push(attach(world, network, spec, undefined))
  if (isReady) {
    row.base = "created"
    return row
  }
  const disks = Array.isArray(asked.spec["disk"]) ? (asked.spec["disk"] as ReadonlyArray<Json>) : []
  const fetches = disks
    .map(({ base }) => base)
    .filter((base) => typeof base === "string")
    .map((url) =>
      enqueue(
        world,
        "artifact.fetch",
        {
          type: "artifact_fetch_op",
          tasks: ["artifact_fetch"],
          targets: [Objects.targetOf(row)],
          extra: { instance_uuid: row.uuid, namespace: row.namespace, url }
        },
        now
      )
    )
  const op = enqueue(
    world,
    "instance.create",
    {
      type: "node_inst_netdesc_op",
      tasks: ["instance_preflight", "instance_start"],
      targets: [Objects.targetOf(row)],
      extra: {
        node_uuid: node,
        instance_uuid: row.uuid,
        net_desc: asked.networks.map(({ row: network, spec }) => ({ ...spec, network_uuid: network.uuid }))
      },
      dependsOn: fetches
    },
    now
  )
  row.changes.push({ op, during: "creating", done: "created" })
  return row
}

export const deleteInstance = (world: World, row: InstanceRow, now: number): Operations.Op => {
  const op = enqueue(
    world,
    "instance.delete",
    {
      type: "node_inst_op",
      tasks: ["instance_delete"],
      targets: [Objects.targetOf(row)],
      extra: { node_uuid: node, instance_uuid: row.uuid }
    },
    now
  )
  row.changes.push({ op, done: "deleted" })
  // Networks that wait for it know now how long.
  for (const network of world.objects.values()) {
    if (network.kind === "network" && network.deletion !== undefined) putOff(world, network, network.deletion)
  }
  return op
}

/** Two operations, the second after the first; the interface is usable when both are done. */
export const plug = (world: World, row: InstanceRow, network: NetworkRow, spec: Json, now: number): InterfaceRow => {
  const mesh = enqueue(
    world,
    "network.mesh",
    {
      type: "net_op",
      tasks: ["network_apply_create_network_node", "network_ensure_mesh"],
      targets: [Objects.targetOf(network)],
      extra: onNetwork(network.uuid)
    },
    now
  )
  const uuid = world.ids.uuid()
  const op = enqueue(
    world,
    "instance.plug",
    {
      type: "node_inst_net_iface_op",
      tasks: ["hot_plug_instance_interface"],
      targets: [Objects.targetOf(row), Objects.targetOf(network), { type: "networkinterface", uuid }],
      extra: { node_uuid: node, instance_uuid: row.uuid, network_uuid: network.uuid, interface_uuid: uuid },
      dependsOn: [mesh]
    },
    now
  )
  const added = { ...attach(world, network, spec, op), uuid }
  row.interfaces.push(added)
  return added
}

const usersOf = (world: World, network: NetworkRow): ReadonlyArray<InstanceRow> =>
  [...world.objects.values()].filter(
    (row): row is InstanceRow =>
      row.kind === "instance" && row.interfaces.some(({ networkUuid }) => networkUuid === network.uuid)
  )

export const isUsed = (world: World, network: NetworkRow, now: number): boolean =>
  usersOf(world, network).some((row) => Objects.deletedAt(row) > now)

const deletionTask = "network_delete"

export const deleteNetwork = (world: World, row: NetworkRow, now: number): Operations.Op => {
  const one = {
    uuid: world.ids.uuid(),
    type: "net_op",
    tasks: [deletionTask],
    targets: [Objects.targetOf(row)],
    extra: onNetwork(row.uuid),
    observational: false
  }
  const same = Ops.twin(world.store, { ...one, phases: [["queued"]] }, now)
  if (same !== undefined) return same
  const op = Ops.add(world.store, { ...one, phases: next(world, "network.delete") }, now)
  const waits = isUsed(world, row, now)
  row.changes.push({ op, during: waits ? "delete-wait" : Objects.stateOf(row, now), done: "deleted" })
  if (waits) {
    row.base = "delete-wait"
    row.changes.splice(0, row.changes.length - 1)
    row.deletion = { op, askedAt: now }
    putOff(world, row, row.deletion)
  }
  return op
}

const putOff = (world: World, row: NetworkRow, { askedAt, op }: NonNullable<NetworkRow["deletion"]>): void => {
  const freeAt = Math.max(...usersOf(world, row).map(Objects.deletedAt)) - askedAt
  Ops.plan(op, Plans.deferring(Plans.defaults["network.delete"], freeAt), askedAt)
}

export interface ArtifactSpec {
  readonly url: string
  readonly namespace: string
  readonly isShared: boolean
}

export const addArtifact = (world: World, spec: ArtifactSpec, now: number, isReady = false): ArtifactRow => {
  const uuid = world.ids.uuid()
  const op = isReady
    ? undefined
    : enqueue(
        world,
        "artifact.fetch",
        {
          type: "artifact_fetch_op",
          tasks: ["artifact_fetch"],
          targets: [{ type: "artifact", uuid }],
          extra: { instance_uuid: null, namespace: spec.namespace, url: spec.url }
        },
        now
      )
  const row: ArtifactRow = {
    ...Objects.bare(uuid, spec.url, spec.namespace, now),
    kind: "artifact",
    url: spec.url,
    isShared: spec.isShared,
    blob: { uuid: world.ids.uuid(), fetch: op }
  }
  world.objects.set(uuid, row)
  if (op === undefined) row.base = "created"
  else row.changes.push({ op, done: "created" })
  return row
}

/** Brings the world to a time: what is due is done, and what nobody can know of any more is forgotten. */
export const advance = (world: World, now: number): void => {
  world.upkeep.advance(now)
  for (const row of world.objects.values()) {
    if (!Objects.isGone(row, now)) continue
    world.objects.delete(row.uuid)
    Ops.removeTarget(world.store, Objects.targetOf(row))
  }
}
