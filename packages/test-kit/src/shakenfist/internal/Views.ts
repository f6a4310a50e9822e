/**
 * What the service shows of its objects.
 */
import type { ArtifactRow, InstanceRow, InterfaceRow, Json, NetworkRow, Row } from "./Objects.ts"
import * as Objects from "./Objects.ts"
import type * as Operations from "./Operations.ts"
import * as Ops from "./Operations.ts"
import type { World } from "./World.ts"
import { node } from "./World.ts"

/** `isSingle`: only a view that was asked for by itself says whether operations are pending. */
const shared = (world: World, row: Row, now: number, isSingle: boolean): Json => {
  const target = Objects.targetOf(row)
  const shows = isSingle && !world.off.has("object-pending-operations")
  return {
    uuid: row.uuid,
    state: Objects.stateOf(row, now),
    version: 1,
    metadata: row.metadata,
    namespace: row.namespace,
    error_message: Objects.stateOf(row, now) === "error" ? "an operation failed" : null,
    last_cluster_operation: Ops.pointer(world.store, target),
    ...(shows ? { has_pending_operations: Ops.isPending(world.store, target, now) } : {})
  }
}

export const interfaceView = (row: InterfaceRow, instance: InstanceRow, now: number): Json => {
  const at = row.op === undefined ? "complete" : Ops.stateOf(row.op, now)
  return {
    uuid: row.uuid,
    state: at === "complete" ? "created" : at === "error" ? "error" : "initial",
    version: 1,
    metadata: row.metadata,
    floating: row.isFloating ? "192.168.250.10" : null,
    instance_uuid: instance.uuid,
    ipv4: row.address,
    macaddr: row.mac,
    model: row.model,
    network_uuid: row.networkUuid,
    order: instance.interfaces.findIndex(({ uuid }) => uuid === row.uuid)
  }
}

const instanceView = (world: World, row: InstanceRow, now: number, isSingle: boolean): Json => {
  const { spec } = row
  const isRunning = Objects.stateOf(row, now) === "created"
  const given = (key: string): unknown => spec[key] ?? null
  return {
    ...shared(world, row, now, isSingle),
    name: row.name,
    cpus: given("cpus"),
    memory: given("memory"),
    disk_spec: spec["disk"] ?? [],
    ssh_key: given("ssh_key"),
    user_data: given("user_data"),
    video: given("video"),
    uefi: spec["uefi"] ?? false,
    configdrive: given("configdrive"),
    nvram_template: given("nvram_template"),
    secure_boot: spec["secure_boot"] ?? false,
    machine_type: "pc",
    side_channels: given("side_channels"),
    agent_state: isRunning ? "not ready (no contact)" : null,
    agent_start_time: null,
    agent_system_boot_time: null,
    console_port: isRunning ? 31_001 : null,
    node: isRunning ? node : null,
    power_state: isRunning ? "on" : "initial",
    vdi_port: isRunning ? 31_002 : null,
    vdi_tls_port: null,
    interfaces: row.interfaces.map((one) => interfaceView(one, row, now)),
    disks: [],
    agent_operations_queue: row.agentOperations.map(({ uuid }) => uuid),
    references_to: [],
    references_from: [],
    ...(spec["placed_on"] === undefined ? {} : { requested_placement: spec["placed_on"] })
  }
}

const networkView = (world: World, row: NetworkRow, now: number, isSingle: boolean): Json => ({
  ...shared(world, row, now, isSingle),
  name: row.name,
  ...row.spec,
  floating_gateway: null,
  vxlan_id: row.vxlan
})

const artifactView = (world: World, row: ArtifactRow, now: number, isSingle: boolean): Json => {
  const { blob } = row
  const has = blob.fetch === undefined || Ops.stateOf(blob.fetch, now) === "complete"
  const version = {
    uuid: blob.uuid,
    size: 1_073_741_824,
    reference_count: 1,
    depends_on: null,
    ...(isSingle ? { instances: [] } : {})
  }
  return {
    ...shared(world, row, now, isSingle),
    artifact_type: "image",
    source_url: row.url,
    max_versions: 3,
    shared: row.isShared,
    index: has ? 1 : 0,
    ...(has ? { blob_uuid: blob.uuid } : {}),
    blobs: has ? { "1": version } : {},
    references_to: [],
    references_from: []
  }
}

export const view = (world: World, row: Row, now: number, isSingle = true): Json => {
  const made =
    row.kind === "instance"
      ? instanceView(world, row, now, isSingle)
      : row.kind === "network"
        ? networkView(world, row, now, isSingle)
        : artifactView(world, row, now, isSingle)
  return row.edit === undefined ? made : row.edit(made)
}

/** `isListed`: the flag is spoken of for listings only. */
export const operationView = (world: World, op: Operations.Op, now: number, isListed: boolean): Json => {
  const state = Ops.stateOf(op, now)
  return {
    operation_type: op.type,
    uuid: op.uuid,
    state,
    tasks: op.tasks,
    ...op.extra,
    ...(isListed && !world.off.has("object-pending-operations") ? { observational: op.observational } : {}),
    ...(world.errorReports && state === "error" ? { error_report: "the operation failed" } : {})
  }
}
