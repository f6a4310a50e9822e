/**
 * Pages, sorting and texts to compare, in the several ways the service has of each.
 */
import { type Call, word } from "./Call.ts"
import { invalidField, invalidInput, refuse } from "./Refusal.ts"

export interface Window {
  readonly limit: number | undefined
  readonly offset: number
}

const integer = (call: Call, key: "limit" | "offset"): number | undefined => {
  const given = call.query.get(key)
  if (given === undefined) return undefined
  if (!/^\s*[-+]?\d+\s*$/.test(given)) throw refuse(400, `${key} param must be an integer`)
  const value = Number(given)
  if (value < 0) throw refuse(400, `${key} param must be positive`)
  return value
}

export const windowOf = (call: Call): Window => {
  const offset = integer(call, "offset") ?? 0
  return { limit: integer(call, "limit"), offset }
}

export const slice = <A>(rows: ReadonlyArray<A>, { limit, offset }: Window): ReadonlyArray<A> =>
  limit === undefined && offset === 0 ? rows : rows.slice(offset, limit === undefined ? undefined : offset + limit)

/** Lists that are cut in memory: a limit of 0 is no limit, and the cap always holds. */
export const sliceCapped = <A>(rows: ReadonlyArray<A>, { limit, offset }: Window, cap: number): ReadonlyArray<A> =>
  rows.slice(offset, offset + Math.min(cap, limit === undefined || limit === 0 ? cap : limit))

/**
 * The query's own schema, where a list has one: fields are named by their place in a repeated key, so always 0.
 */
export const checkQuery = (
  call: Call,
  rules: {
    readonly numbers?: ReadonlyArray<string>
    readonly words?: ReadonlyArray<string>
    readonly texts?: ReadonlyArray<string>
  }
): void => {
  for (const key of rules.numbers ?? []) {
    const given = call.query.get(key)
    if (given !== undefined && !/^\d*$/.test(given))
      throw invalidField("0", given, `'${given}' does not match '^[0-9]*$'`)
  }
  for (const key of rules.words ?? []) {
    const given = call.query.get(key)
    if (given !== undefined && word(given) === undefined)
      throw invalidField("0", given, `'${given}' is not one of the words for true and false`)
  }
  for (const key of rules.texts ?? []) {
    if (call.query.get(key) === "") throw invalidField("0", "", "'' should be non-empty")
  }
}

type Key = string | number | boolean | null

/** As the database compares: empty first, letters without their case. */
const compare = (a: Key, b: Key): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  const left = typeof a === "string" ? a.toLowerCase() : a
  const right = typeof b === "string" ? b.toLowerCase() : b
  return left < right ? -1 : left > right ? 1 : 0
}

/** Sorts by a key, then by id in the same direction. */
export const sortBy = <A extends { readonly id: string }>(
  rows: Array<A>,
  key: (row: A) => Key,
  direction: "asc" | "desc"
): Array<A> => {
  const sign = direction === "asc" ? 1 : -1
  return rows.toSorted((a, b) => sign * (compare(key(a), key(b)) || compare(a.id, b.id)))
}

export const sortKeyOf = (call: Call): string => call.query.get("sort_key") ?? "created_at"

export const strictDirection = (call: Call): "asc" | "desc" => {
  const given = (call.query.get("sort_dir") ?? "desc").toLowerCase()
  if (given === "asc" || given === "desc") return given
  throw invalidInput(
    `Wrong sorting data provided: sort key is '${sortKeyOf(call)}' and sort direction is '${call.query.get("sort_dir")}'`
  )
}

/** Equal to the database, which does not tell cases apart. */
export const same = (value: string | null, wanted: string): boolean =>
  value !== null && value.toLowerCase() === wanted.toLowerCase()

/** A `~` filter of a kind whose database looks for a part. */
export const contains = (value: string | null, part: string): boolean =>
  value !== null && value.toLowerCase().includes(part.toLowerCase())

/** Whether all projects are wanted; an empty value counts as yes. */
export const allTenants = (call: Call): string | undefined => call.query.get("all_tenants")
