/**
 * From the service's records to what is shown of them, by a command's own table of columns.
 *
 * @since 0.1.0
 */
import type * as Spec from "./Spec.ts"

/**
 * A record as the service sent it.
 *
 * @since 0.1.0
 * @category models
 */
export type Raw = Readonly<Record<string, unknown>>

/**
 * How to show some attributes (see `Cell`); others are shown as they are.
 *
 * @since 0.1.0
 * @category models
 */
export type Cells = Readonly<Record<string, (value: unknown, record: Raw) => unknown>>

/**
 * @since 0.1.0
 * @category models
 */
export interface Rows {
  readonly headers: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** A missing attribute is an empty text; null stays null. */
const read = (record: Raw, attribute: string, cells: Cells): unknown => {
  const value = Object.hasOwn(record, attribute) ? record[attribute] : ""
  const cell = cells[attribute]
  return cell === undefined ? value : cell(value, record)
}

/**
 * The rows of a list. Columns that need a newer microversion than `microversion` are left out.
 *
 * @since 0.1.0
 */
export const list = (
  columns: ReadonlyArray<Spec.Column>,
  records: ReadonlyArray<Raw>,
  options: { readonly cells?: Cells | undefined; readonly microversion?: string | undefined } = {}
): Rows => {
  const { cells = {}, microversion } = options
  const shown = columns.filter(
    ([, , since]) => since === undefined || microversion === undefined || !isOlder(microversion, since)
  )
  return {
    headers: shown.map(([header]) => header),
    rows: records.map((record) => shown.map(([, attribute]) => read(record, attribute, cells)))
  }
}

const isOlder = (version: string, since: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = since.split(".").map(Number)
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
}

/**
 * The fields of one record: the table's own in its order, or every key in the service's order, so that new ones appear
 * by themselves. `added` are values the record itself doesn't have and come behind; renamed fields come last, and are an
 * empty object where the service sent none.
 *
 * @since 0.1.0
 */
export const single = (
  fields: Spec.RecordFields,
  record: Raw,
  options: { readonly cells?: Cells | undefined; readonly added?: Raw | undefined } = {}
): ReadonlyArray<readonly [name: string, value: unknown]> => {
  const { added = {}, cells = {} } = options
  if (fields.mode === "fixed") {
    const whole = { ...record, ...added }
    return fields.names.map((name) => [name, read(whole, name, cells)])
  }
  const renamed = Object.entries(fields.renamed ?? {})
  const elsewhere = new Set([...(fields.without ?? []), ...renamed.map(([from]) => from)])
  const kept = Object.entries(record).filter(([key]) => !elsewhere.has(key))
  const last = renamed.map(([from, to]) => [to, record[from] ?? {}] as const)
  const whole = Object.fromEntries([...kept, ...Object.entries(added), ...last])
  return Object.keys(whole).map((name) => [name, read(whole, name, cells)])
}
