/**
 * Share types, their extra specs and who may use them.
 */
import { accepted, type Call, isJson, type Json, ok, param, type Reply, root, word } from "./Call.ts"
import * as Literal from "./Literal.ts"
import { python, refuse, stumble } from "./Refusal.ts"
import type { TypeRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Shares from "./Shares.ts"
import * as Views from "./Views.ts"
import * as World from "./World.ts"

const notFound = () => refuse(404, "Share type not found.")

/** By id only: a name is not a path here. */
const find = (world: World.World, call: Call): TypeRow => {
  const type = world.types.get(param(call))
  if (type === undefined || !Shares.mayUse(call, type)) throw notFound()
  return type
}

/** Old clients read the first key, and both hold the same. */
const both = (call: Call, type: TypeRow, required?: Record<string, unknown>) => {
  const view = Views.shareType(call, type, required)
  return { volume_type: view, share_type: view }
}

const show = (world: World.World, call: Call): Reply => ok(both(call, find(world, call)))

const showDefault = (world: World.World, call: Call): Reply => {
  const type = Shares.defaultType(world)
  if (type === undefined) throw refuse(404, "Default share type not found")
  return ok(both(call, type))
}

/** `undefined` is all of them; only an administrator is asked. */
const publicFilter = (call: Call): boolean | undefined => {
  const given = call.isAdmin ? call.query.get("is_public") : undefined
  if (given === undefined) return true
  if (given.toLowerCase() === "all") return undefined
  const wanted = word(given)
  if (wanted === undefined) throw refuse(400, `Invalid is_public filter [${given}]`)
  return wanted
}

const list = (world: World.World, call: Call): Reply => {
  const isPublic = publicFilter(call)
  const given = call.query.get("extra_specs")
  if (given !== undefined && given !== "" && call.version < 43)
    throw refuse(
      400,
      "Filter by 'extra_specs' is not supported by this microversion. Use 2.43 or greater microversion to be able to use filter search by 'extra_specs."
    )
  const parsed = given === undefined || given === "" ? { value: {} } : Literal.parse(given)
  if (typeof parsed === "string" || !isJson(parsed.value)) throw stumble()
  const wanted = Object.entries(parsed.value)
  const found = [...world.types.values()]
    .filter(
      (type) =>
        (isPublic === undefined || type.isPublic === isPublic || (isPublic && type.projects.has(call.projectId))) &&
        wanted.every(([key, value]) => type.extraSpecs[key] === value)
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((type) => Views.shareType(call, type))
  return ok({ volume_types: found, share_types: found })
}

const bodyOf = (call: Call): Json => {
  const body = root(call, "share_type") ?? root(call, "volume_type")
  if (body === undefined) throw refuse(400)
  return body
}

const dhss = "driver_handles_share_servers"

const specsOf = (given: unknown): Record<string, string> => {
  const specs: Record<string, string> = {}
  for (const [key, value] of Object.entries(isJson(given) ? given : {}))
    specs[key] = typeof value === "boolean" ? (value ? "True" : "False") : String(value)
  return specs
}

const create = (world: World.World, call: Call): Reply => {
  const body = bodyOf(call)
  const { name, description } = body
  if (description && call.version < 41)
    throw refuse(
      400,
      "'description' key is not supported by this microversion. Use 2.41 or greater microversion to be able to use 'description' in share type."
    )
  const isLong = (text: unknown) => typeof text === "string" && text.length > 255
  if (name === undefined || name === null || name === "" || isLong(name) || isLong(description))
    throw refuse(400, "Type name or description is not valid.")
  const given = isJson(body["extra_specs"]) ? body["extra_specs"] : {}
  const extraSpecs = specsOf(given)
  if (call.version < 24) extraSpecs["snapshot_support"] ??= "True"
  if (extraSpecs[dhss] === undefined)
    throw refuse(400, `Invalid extra_spec: Required extra specs '${dhss}' not specified.`)
  if (word(extraSpecs[dhss]) === undefined)
    throw refuse(400, `Invalid extra_spec: Value of required extra_spec ${dhss} is not valid.`)
  if ([...world.types.values()].some((known) => known.name === name))
    throw refuse(409, `Share Type ${String(name)} already exists.`)
  const isPublic = body["os-share-type-access:is_public"] ?? body["share_type_access:is_public"] ?? true
  const type: TypeRow = {
    id: world.ids.uuid(),
    name: String(name),
    description: description === undefined || description === null ? null : String(description),
    isPublic: word(isPublic) ?? true,
    isDefault: false,
    isBuiltIn: false,
    extraSpecs,
    projects: new Set()
  }
  world.types.set(type.id, type)
  // The required specs come back as they were sent, not as they are kept.
  return ok(both(call, type, { [dhss]: given[dhss] }))
}

const update = (world: World.World, call: Call): Reply => {
  const body = bodyOf(call)
  const { name, description } = body
  const given = body["share_type_access:is_public"]
  const isPublic = given === undefined || given === null ? undefined : word(given)
  if (given !== undefined && given !== null && isPublic === undefined)
    throw refuse(400, "share_type_access:is_public has a non-boolean value.")
  if (typeof name === "string" && name.trim() === "") throw refuse(400, "Share type name cannot be empty.")
  if ((name ?? description ?? given ?? null) === null)
    throw refuse(400, "Specify share type name, description, share_type_access:is_public or a combination thereof.")
  const type = world.types.get(param(call))
  if (type === undefined) throw refuse(404, `ShareTypeNotFound: Share type ${param(call)} could not be found.`)
  if (typeof name === "string" && [...world.types.values()].some((known) => known !== type && known.name === name))
    throw refuse(409, `Share Type ${name} already exists.`)
  if (typeof name === "string") type.name = name
  if (typeof description === "string") type.description = description
  if (isPublic !== undefined) type.isPublic = isPublic
  return ok(both(call, type))
}

const remove = (world: World.World, call: Call): Reply => {
  const type = world.types.get(param(call))
  if (type === undefined) throw refuse(404)
  if (World.allShares(world, call.now).some((share) => share.type === type))
    throw refuse(400, "Target share type is still in use.")
  world.types.delete(type.id)
  return accepted
}

const listSpecs = (world: World.World, call: Call): Reply => ok({ extra_specs: find(world, call).extraSpecs })

const setSpecs = (world: World.World, call: Call): Reply => {
  const given = root(call, "extra_specs")
  if (given === undefined) throw refuse(400)
  const type = find(world, call)
  const specs = specsOf(given)
  type.extraSpecs = { ...type.extraSpecs, ...specs }
  return ok({ extra_specs: specs })
}

const removeSpec = (world: World.World, call: Call): Reply => {
  const key = param(call, 1)
  const type = find(world, call)
  if (key === dhss) throw refuse(403, `Extra spec '${key}' can't be deleted.`)
  if (type.extraSpecs[key] === undefined) throw refuse(404, `Share Type ${type.id} has no extra specs with key ${key}.`)
  const { [key]: _removed, ...rest } = type.extraSpecs
  type.extraSpecs = rest
  return accepted
}

const listAccess = (world: World.World, call: Call): Reply => {
  const type = world.types.get(param(call))
  if (type === undefined) throw refuse(404, `Share type ${param(call)} not found.`)
  if (type.isPublic) throw refuse(404, "Access list not available for public share types.")
  return ok({
    share_type_access: [...type.projects].map((project) => ({ share_type_id: type.id, project_id: project }))
  })
}

const access =
  (action: "addProjectAccess" | "removeProjectAccess") =>
  (world: World.World, call: Call): Reply => {
    const project = root(call, action)?.["project"]
    if (typeof project !== "string")
      throw refuse(400, `Bad project format: project is not in proper format (${python(project)})`)
    const type = world.types.get(param(call))
    if (type === undefined) throw refuse(404, `Share type ${param(call)} could not be found.`)
    if (type.isPublic) throw refuse(409, "Type access modification is not applicable to public share type.")
    if (action === "addProjectAccess") {
      if (type.projects.has(project)) throw refuse(409, `Share type access for ${type.id} / ${project} already exists.`)
      type.projects.add(project)
    } else if (!type.projects.delete(project)) {
      throw refuse(404, `Share type access not found for ${type.id} / ${project} combination.`)
    }
    return accepted
  }

const one = "types/:id"
const change = { role: "admin", body: "needed" } as const

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "types", handle: list },
  { method: "GET", path: "types/default", handle: showDefault },
  { method: "GET", path: one, handle: show },
  { method: "POST", path: "types", ...change, handle: create },
  { method: "PUT", path: one, since: 50, ...change, handle: update },
  { method: "DELETE", path: one, role: "admin", handle: remove },
  { method: "GET", path: `${one}/extra_specs`, role: "admin", handle: listSpecs },
  { method: "POST", path: `${one}/extra_specs`, ...change, handle: setSpecs },
  { method: "DELETE", path: `${one}/extra_specs/:key`, role: "admin", handle: removeSpec },
  { method: "GET", path: `${one}/share_type_access`, role: "admin", handle: listAccess },
  { method: "GET", path: `${one}/os-share-type-access`, role: "admin", handle: listAccess },
  { method: "POST", path: `${one}/action`, action: "addProjectAccess", ...change, handle: access("addProjectAccess") },
  {
    method: "POST",
    path: `${one}/action`,
    action: "removeProjectAccess",
    ...change,
    handle: access("removeProjectAccess")
  }
]
