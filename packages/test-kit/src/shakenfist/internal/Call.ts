/**
 * One request, after its token and its body have been read.
 */
import type { Json, Row } from "./Objects.ts"
import * as Objects from "./Objects.ts"
import { refuse } from "./Refusal.ts"
import type { World } from "./World.ts"

export interface Call {
  readonly world: World
  readonly now: number
  readonly namespace: string
  readonly body: Json
  readonly query: ReadonlyMap<string, string>
  /** The parameters of the path; a member of the body of the same name has taken its place. */
  readonly params: Json
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

export const ok = (body: unknown): Reply => ({ status: 200, body })

export const isAdmin = ({ namespace }: Call): boolean => namespace === "system"

export const param = (call: Call, name: string): string => String(call.params[name])

/** A member that has to be a text, if it is there. */
export const text = (call: Call, name: string): string | undefined => {
  const value = call.body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== "string") throw refuse(400, `${name} is not a string`)
  return value
}

const truths: ReadonlySet<unknown> = new Set([true, 1, "t", "true", "on", "y", "yes", "1"])
const falsehoods: ReadonlySet<unknown> = new Set([false, 0, "f", "false", "off", "n", "no", "0"])

/** In the words that its library for forms knows; anything else is refused. */
export const flag = (value: unknown, name: string): boolean => {
  const word = typeof value === "string" ? value.toLowerCase() : value
  if (truths.has(word)) return true
  if (falsehoods.has(word)) return false
  throw refuse(400, `${name}: Not a valid boolean.`)
}

export const optionalFlag = (call: Call, name: string): boolean => {
  const value = call.body[name]
  return value === undefined || value === null ? false : flag(value, name)
}

const isUuid = (ref: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref) || ref === "floating"

const visible = (call: Call, row: Row, reading: boolean): boolean =>
  isAdmin(call) || row.namespace === call.namespace || (reading && row.kind === "artifact" && row.isShared)

/**
 * A uuid finds an object in any state until it is hard deleted, a name what is active. Of another namespace there is
 * nothing to be seen.
 */
export const find = <K extends Row["kind"]>(
  call: Call,
  kind: K,
  ref: string,
  reading = true
): Extract<Row, { readonly kind: K }> => {
  const { now, world } = call
  const missing = () => refuse(404, `${kind} not found`)
  const is = (row: Row): row is Extract<Row, { readonly kind: K }> => row.kind === kind
  if (isUuid(ref)) {
    const row = world.objects.get(ref)
    if (row === undefined || !is(row) || Objects.isGone(row, now) || !visible(call, row, reading)) throw missing()
    return row
  }
  const asked = text(call, "namespace")
  if (asked !== undefined && asked !== call.namespace && !isAdmin(call)) throw missing()
  const named = [...world.objects.values()].filter(
    (row): row is Extract<Row, { readonly kind: K }> =>
      is(row) &&
      row.name === ref &&
      Objects.isActive(row, now) &&
      visible(call, row, reading) &&
      (asked === undefined ? isAdmin(call) || reading || row.namespace === call.namespace : row.namespace === asked)
  )
  if (named.length > 1) throw refuse(400, `multiple ${kind}s have the name "${ref}"`)
  const [row] = named
  if (row === undefined) throw missing()
  return row
}

/** All of a kind that a list shows. */
export const listed = <K extends Row["kind"]>(
  call: Call,
  kind: K,
  all: boolean
): ReadonlyArray<Extract<Row, { readonly kind: K }>> =>
  [...call.world.objects.values()].filter(
    (row): row is Extract<Row, { readonly kind: K }> =>
      row.kind === kind &&
      visible(call, row, true) &&
      !Objects.isGone(row, call.now) &&
      (all || Objects.isActive(row, call.now))
  )
