/**
 * JSON as `openstack` writes it: raw values, two spaces of indent or none, everything outside ASCII escaped.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly noindent: boolean
}

/**
 * @since 0.1.0
 */
export const list = (
  headers: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  options: Options
): string =>
  text(
    rows.map((row) => object(headers.map((header, i) => [header, row[i]]))),
    options
  )

/**
 * @since 0.1.0
 */
export const single = (fields: ReadonlyArray<readonly [name: string, value: unknown]>, options: Options): string =>
  text(object(fields), options)

/** A list of pairs, and not an object, so that a key such as `1` or `__proto__` keeps its place. */
class Pairs {
  readonly pairs: ReadonlyArray<readonly [string, unknown]>
  constructor(pairs: ReadonlyArray<readonly [string, unknown]>) {
    this.pairs = pairs
  }
}

const object = (fields: ReadonlyArray<readonly [string, unknown]>): Pairs =>
  new Pairs(fields.map(([name, value]) => [name, Cell.machine(value)]))

const text = (value: unknown, options: Options): string => `${write(value, options.noindent ? undefined : 0)}\n`

/** `indent` is the current depth; without one everything is on one line, with spaces behind `,` and `:`. */
const write = (value: unknown, indent: number | undefined): string => {
  if (Array.isArray(value))
    return block(
      "[",
      "]",
      value.map((inner) => [undefined, inner] as const),
      indent
    )
  if (value instanceof Pairs) return block("{", "}", value.pairs, indent)
  if (typeof value === "object" && value !== null) return block("{", "}", Object.entries(value), indent)
  return typeof value === "number" ? Python.repr(value) : ascii(JSON.stringify(value ?? null))
}

const block = (
  open: string,
  close: string,
  parts: ReadonlyArray<readonly [string | undefined, unknown]>,
  indent: number | undefined
): string => {
  if (parts.length === 0) return `${open}${close}`
  const inner = indent === undefined ? undefined : indent + 2
  const items = parts.map(([key, value]) =>
    key === undefined ? write(value, inner) : `${ascii(JSON.stringify(key))}: ${write(value, inner)}`
  )
  if (indent === undefined) return `${open}${items.join(", ")}${close}`
  const gap = `\n${" ".repeat(indent + 2)}`
  return `${open}${gap}${items.join(`,${gap}`)}\n${" ".repeat(indent)}${close}`
}

const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (character) =>
    character === "\u007f" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
