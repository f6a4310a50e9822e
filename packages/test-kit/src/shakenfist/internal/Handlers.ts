/**
 * Instances, networks and artifacts: what each route does.
 */
import type { Call, Reply } from "./Call.ts"
import { find, isAdmin, listed, ok, optionalFlag, param, text } from "./Call.ts"
import type { Json, NetworkRow, Row } from "./Objects.ts"
import * as Objects from "./Objects.ts"
import { Refusal, refuse } from "./Refusal.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

const single = (call: Call, row: Row): Reply => ok(Views.view(call.world, row, call.now))

const many = (call: Call, rows: ReadonlyArray<Row>): Reply =>
  ok(rows.map((row) => Views.view(call.world, row, call.now, false)))

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const instance = (call: Call, reading = true) => find(call, "instance", param(call, "instance_ref"), reading)
const network = (call: Call, reading = true) => find(call, "network", param(call, "network_ref"), reading)
const artifact = (call: Call, reading = true) => find(call, "artifact", param(call, "artifact_ref"), reading)

/** Whose the new object is: another's only if the administrator says so. */
const owner = (call: Call, status: number): string => {
  const asked = text(call, "namespace")
  if (asked === undefined || asked === call.namespace) return call.namespace
  if (!isAdmin(call) || !call.world.accounts.keys.has(asked)) throw refuse(status, "namespace not found")
  return asked
}

export const listInstances = (call: Call): Reply => many(call, listed(call, "instance", optionalFlag(call, "all")))
export const getInstance = (call: Call): Reply => single(call, instance(call))

const netspecs = (call: Call): ReadonlyArray<{ readonly row: NetworkRow; readonly spec: Json }> => {
  const given: ReadonlyArray<unknown> = Array.isArray(call.body["network"]) ? call.body["network"] : []
  return given.map((spec) => {
    if (!isJson(spec) || typeof spec["network_uuid"] !== "string") {
      throw refuse(400, "network specification is missing network_uuid")
    }
    const row = find(call, "network", spec["network_uuid"])
    if (Objects.stateOf(row, call.now) !== "created") throw refuse(406, `network ${row.uuid} is not ready`)
    return { row, spec }
  })
}

const taken = (call: Call, { row, spec }: { readonly row: NetworkRow; readonly spec: Json }): boolean =>
  typeof spec["address"] === "string" &&
  [...call.world.objects.values()].some(
    (one) =>
      one.kind === "instance" &&
      Objects.isActive(one, call.now) &&
      one.interfaces.some(({ address, networkUuid }) => networkUuid === row.uuid && address === spec["address"])
  )

const noRoom = (call: Call): void => {
  const { room } = call.world
  if (room === undefined || room.times <= 0) return
  room.times--
  throw new Refusal(
    507,
    "no hypervisor has room for this instance",
    { transient: room.isTransient },
    room.retryAfter === undefined ? {} : { "retry-after": room.retryAfter }
  )
}

export const createInstance = (call: Call): Reply => {
  const name = text(call, "name") ?? ""
  if (!/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(name)) throw refuse(400, "instance name is not valid")
  const { disk } = call.body
  if (!Array.isArray(disk) || disk.length === 0) throw refuse(400, "instance must specify at least one disk")
  if (call.body["secure_boot"] === true && call.body["uefi"] !== true) throw refuse(400, "secure boot requires UEFI")
  const namespace = owner(call, 404)
  const networks = netspecs(call)
  if (networks.some((one) => taken(call, one))) throw refuse(409, "address in use")
  noRoom(call)
  return single(call, World.addInstance(call.world, { name, namespace, spec: call.body, networks }, call.now))
}

export const deleteInstance = (call: Call): Reply => {
  const row = instance(call, false)
  if (Objects.stateOf(row, call.now) === "deleted") throw refuse(404, "instance not found")
  World.deleteInstance(call.world, row, call.now)
  return single(call, row)
}

/** Both have to be said, so that nobody empties a namespace by mistake. */
const confirmed = (call: Call): string => {
  if (call.body["confirm"] !== true) throw refuse(400, "parameter confirm is not set true")
  const namespace = text(call, "namespace")
  if (namespace === undefined) throw refuse(400, "you must specify a namespace")
  if (!isAdmin(call) && namespace !== call.namespace) throw refuse(401, "you cannot delete other namespaces")
  return namespace
}

export const deleteInstances = (call: Call): Reply => {
  const namespace = confirmed(call)
  const rows = listed(call, "instance", false).filter((row) => row.namespace === namespace)
  for (const row of rows) World.deleteInstance(call.world, row, call.now)
  return ok(rows.map(({ uuid }) => uuid))
}

export const listInterfaces = (call: Call): Reply => {
  const row = instance(call)
  return ok(row.interfaces.map((one) => Views.interfaceView(one, row, call.now)))
}

export const plugInterface = (call: Call): Reply => {
  const row = instance(call, false)
  if (["deleted", "error"].includes(Objects.stateOf(row, call.now))) throw refuse(406, "instance is not ready")
  const spec = call.body["network"]
  if (!isJson(spec) || typeof spec["network_uuid"] !== "string") {
    throw refuse(400, "network specification is missing network_uuid")
  }
  const target = find(call, "network", spec["network_uuid"])
  if (Objects.stateOf(target, call.now) !== "created") throw refuse(406, `network ${target.uuid} is not ready`)
  const added = World.plug(call.world, row, target, spec, call.now)
  return ok(Views.interfaceView(added, row, call.now))
}

export const listAgentOperations = (call: Call): Reply => ok(instance(call).agentOperations)

export const listNetworks = (call: Call): Reply => many(call, listed(call, "network", optionalFlag(call, "all")))
export const getNetwork = (call: Call): Reply => single(call, network(call))

export const createNetwork = (call: Call): Reply => {
  const netblock = text(call, "netblock") ?? ""
  const found = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(netblock)
  if (found === null || !found[1]!.split(".").every((part) => Number(part) < 256) || Number(found[2]) > 32) {
    throw refuse(400, `cannot parse netblock: ${netblock}`)
  }
  if (Number(found[2]) > 29) throw refuse(400, "network is below minimum size of /29")
  const row = World.addNetwork(
    call.world,
    {
      name: text(call, "name") ?? "",
      namespace: owner(call, 401),
      netblock,
      dhcp: optionalFlag(call, "provide_dhcp"),
      nat: optionalFlag(call, "provide_nat"),
      dns: optionalFlag(call, "provide_dns")
    },
    call.now
  )
  return single(call, row)
}

const removeNetwork = (call: Call, row: NetworkRow) => {
  const op = World.deleteNetwork(call.world, row, call.now)
  return { op_type: op.type, op_uuid: op.uuid }
}

export const deleteNetwork = (call: Call): Reply => {
  const row = network(call, false)
  if (row.isFloating) throw refuse(403, "you cannot delete the floating network")
  if (["deleted", "error"].includes(Objects.stateOf(row, call.now))) throw refuse(404, "network not found")
  const handle = removeNetwork(call, row)
  return call.world.off.has("network-delete-async") ? single(call, row) : { status: 202, body: handle }
}

export const deleteNetworks = (call: Call): Reply => {
  const namespace = confirmed(call)
  const rows = listed(call, "network", false).filter((row) => row.namespace === namespace && !row.isFloating)
  const unable = rows.filter((row) => World.isUsed(call.world, row, call.now)).map(({ uuid }) => uuid)
  const deleted = rows
    .filter(({ uuid }) => !unable.includes(uuid) || optionalFlag(call, "clean_wait"))
    .map((row) => ({ network_uuid: row.uuid, ...removeNetwork(call, row) }))
  if (unable.length > 0 && !optionalFlag(call, "clean_wait")) {
    throw refuse(403, { deleted: deleted.map(({ network_uuid }) => network_uuid), unable })
  }
  return { status: 202, body: deleted }
}

export const listArtifacts = (call: Call): Reply => many(call, listed(call, "artifact", false))
export const getArtifact = (call: Call): Reply => single(call, artifact(call))

export const createArtifact = (call: Call): Reply => {
  const url = text(call, "url")
  if (url === undefined) throw refuse(400, "you must specify a url")
  const isShared = optionalFlag(call, "shared")
  if (isShared && !isAdmin(call)) throw refuse(403, "only the system namespace can create shared artifacts")
  return single(call, World.addArtifact(call.world, { url, namespace: owner(call, 404), isShared }, call.now))
}

export const deleteArtifact = (call: Call): Reply => {
  const row = artifact(call, false)
  if (Objects.stateOf(row, call.now) === "deleted") return ok(null)
  row.deletedAt = call.now
  return single(call, row)
}

export const deleteArtifacts = (call: Call): Reply => {
  const namespace = confirmed(call)
  const rows = listed(call, "artifact", false).filter((row) => row.namespace === namespace)
  for (const row of rows) row.deletedAt = call.now
  return ok(rows.map(({ uuid }) => uuid))
}

const withMetadata = (call: Call, reading: boolean): Row =>
  "instance_ref" in call.params
    ? instance(call, reading)
    : "network_ref" in call.params
      ? network(call, reading)
      : artifact(call, reading)

export const getMetadata = (call: Call): Reply => ok(withMetadata(call, true).metadata)

export const setMetadata = (call: Call): Reply => {
  const { value } = call.body
  if (value === undefined || value === null) throw refuse(400, "no value specified")
  withMetadata(call, false).metadata[param(call, "key")] = value
  return ok(null)
}

export const addMetadata = (call: Call): Reply => {
  if (text(call, "key") === undefined) throw refuse(400, "no key specified")
  return setMetadata({ ...call, params: { ...call.params, key: call.body["key"] } })
}

export const deleteMetadata = (call: Call): Reply => {
  const { metadata } = withMetadata(call, false)
  const key = param(call, "key")
  if (!(key in metadata)) throw refuse(404, "key not found")
  delete metadata[key]
  return ok(null)
}
