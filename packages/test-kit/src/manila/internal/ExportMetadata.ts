/**
 * Properties of export locations (2.87), which the service checks otherwise than those of shares: with a schema, and with
 * `preferred` among them, which is the administrators'. To list them fails for everybody.
 */
import { type Call, done, isJson, ok, param, type Reply } from "./Call.ts"
import * as Policy from "./Policy.ts"
import { invalidField, notFoundItem, refuse } from "./Refusal.ts"
import type { ExportRow, Metadata } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as ShareView from "./ShareView.ts"
import type { World } from "./World.ts"

const find = (world: World, call: Call, missing: (id: string) => string): ExportRow => {
  const share = Policy.shareOr404(world, call, param(call), `Share '${param(call)}' not found.`)
  const id = param(call, 1)
  const row = ShareView.exportsOf(call, share).find((one) => one.id === id)
  if (row === undefined) throw refuse(404, missing(id))
  return row
}

const unknown = (id: string): string => `ExportLocationNotFound: Export location ${id} could not be found.`
const unknownItem = (): string => "Share_export_location not found."

const keys = "^[a-zA-Z0-9-_:. ]{1,255}$"

const given = (call: Call): Metadata => {
  const body = isJson(call.body) ? call.body["metadata"] : undefined
  if (body === undefined) throw refuse(400, "'metadata' is a required property")
  if (!isJson(body)) throw invalidField("metadata", body, `${String(body)} is not of type 'object'`)
  const found: Record<string, string> = {}
  for (const [key, value] of Object.entries(body)) {
    if (!new RegExp(keys).test(key))
      throw invalidField("metadata", body, `'${key}' does not match any of the regexes: '${keys}'`)
    if (typeof value !== "string") throw invalidField(key, value, `${String(value)} is not of type 'string'`)
    if (value.length > 1023) throw refuse(400, "Metadata property value is greater than 1023 characters.")
    found[key] = value
  }
  if ("preferred" in found && !call.isAdmin) throw refuse(403, "Cannot set or update admin only metadata.")
  return found
}

/** As the database has it. */
const whole = (row: ExportRow): Metadata => ({ preferred: row.preferred ? "1" : "0", ...row.metadata })

const set =
  (merges: boolean) =>
  (world: World, call: Call): Reply => {
    const metadata = given(call)
    const row = find(world, call, unknown)
    row.metadata = merges ? { ...row.metadata, ...metadata } : metadata
    return ok({ metadata: whole(row) })
  }

const list = (): Reply => {
  throw refuse(400, "'meta' is a required property")
}

const show = (world: World, call: Call): Reply => {
  const key = param(call, 2)
  const value = find(world, call, unknownItem).metadata?.[key]
  if (value === undefined) throw notFoundItem()
  return ok({ meta: { [key]: value } })
}

const remove = (world: World, call: Call): Reply => {
  const row = find(world, call, unknownItem)
  const { [param(call, 2)]: removed, ...rest } = row.metadata ?? {}
  if (removed === undefined) throw notFoundItem()
  row.metadata = rest
  return done
}

const all = "shares/:id/export_locations/:id/metadata"
const change = { since: 87, role: "member" } as const

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: all, since: 87, handle: list },
  { method: "POST", path: all, ...change, body: "needed", handle: set(true) },
  { method: "PUT", path: all, ...change, body: "needed", handle: set(false) },
  { method: "GET", path: `${all}/:key`, since: 87, handle: show },
  { method: "DELETE", path: `${all}/:key`, ...change, handle: remove }
]
