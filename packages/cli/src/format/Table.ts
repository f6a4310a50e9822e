/**
 * Tables as `openstack` draws them.
 *
 * Cells can't break out: control characters are shown and not obeyed. Wide characters take the two columns they take.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"
import * as Width from "./Width.ts"
import * as Wrap from "./Wrap.ts"

/**
 * `width` is the one to fit the table into; `undefined` for none.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly width: number | undefined
  readonly printEmpty: boolean
}

/**
 * Numbers stand right where the first row has a number.
 *
 * @since 0.1.0
 */
export const list = (
  headers: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  options: Options
): string => {
  if (rows.length === 0 && (!options.printEmpty || headers.length === 0)) return "\n"
  const right = headers.map((_, i) => typeof rows[0]?.[i] === "number")
  return draw(headers, rows, right, { ...options, narrowest: 8 })
}

/**
 * One record: a field a row.
 *
 * @since 0.1.0
 */
export const single = (fields: ReadonlyArray<readonly [name: string, value: unknown]>, options: Options): string =>
  fields.length === 0 ? "\n" : draw(["Field", "Value"], fields, [false, false], { ...options, narrowest: 16 })

/** The text of a cell, as lines. */
const lines = (value: unknown): ReadonlyArray<string> =>
  Python.str(Cell.human(value))
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", " ")
    .split("\n")
    .map((line) => Width.safe(untab(line)))

/** Tabs as spaces up to the next multiple of eight characters, not columns: so do `openstack`'s tables. */
const untab = (line: string): string => {
  const [first = "", ...rest] = line.split("\t")
  return rest.reduce((done, part) => `${done}${" ".repeat(8 - ([...done].length % 8))}${part}`, first)
}

const draw = (
  headers: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  right: ReadonlyArray<boolean>,
  options: Options & { readonly narrowest: number }
): string => {
  const names = headers.map(Width.safeLine)
  const cells = rows.map((row) => names.map((_, i) => lines(row[i])))
  const natural = names.map((name, i) => {
    let widest = Width.width(name)
    for (const row of cells) for (const line of row[i] ?? []) widest = Math.max(widest, Width.width(line))
    return widest
  })
  const limits = options.width === undefined ? [] : fit(natural, options.width, options.narrowest)
  const widths = names.map((name, i) => {
    const most = natural[i] ?? 0
    // Headers are never broken, so a column is as wide as its header at least.
    return Math.min(most, Math.max(limits[i] ?? most, Width.width(name)))
  })
  const wrapped = cells.map((row) =>
    row.map((cell, i) => {
      const most = widths[i] ?? 0
      return cell.flatMap((line) => (Width.width(line) > most ? Wrap.wrap(line, most) : [line]))
    })
  )
  const rule = `+${widths.map((width) => "-".repeat(width + 2)).join("+")}+\n`
  const line = (texts: ReadonlyArray<string>): string =>
    `|${widths.map((width, i) => ` ${pad(texts[i] ?? "", width, right[i] === true)} `).join("|")}|\n`
  const body = wrapped.flatMap((row) => {
    const height = Math.max(1, ...row.map((cell) => cell.length))
    return Array.from({ length: height }, (_, y) => line(row.map((cell) => cell[y] ?? "")))
  })
  return `${rule}${line(names)}${rule}${body.join("")}${rule}`
}

const pad = (text: string, width: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, width - Width.width(text)))
  return right ? `${space}${text}` : `${text}${space}`
}

/**
 * The most columns each column may take so that the table fits; none for those that may stay. The width that is left
 * when the small ones have theirs is shared among the others, the last one getting what the division leaves over, and
 * nobody less than `narrowest`, even if the table then doesn't fit.
 */
const fit = (natural: ReadonlyArray<number>, total: number, narrowest: number): ReadonlyArray<number | undefined> => {
  const full = natural.reduce((sum, width) => sum + width + 3, 1)
  if (full <= total) return []
  const usable = Math.max(0, total - 1 - 3 * natural.length)
  const fair = Math.floor(usable / natural.length)
  const shrunk = natural.flatMap((width, i) => (width > fair ? [i] : []))
  let left = natural.reduce((sum, width) => (width > fair ? sum : sum - width), usable)
  const share = Math.floor(left / shrunk.length)
  const limits: Array<number | undefined> = natural.map(() => undefined)
  for (const i of shrunk.slice(0, -1)) {
    limits[i] = Math.max(narrowest, share)
    left -= share
  }
  const last = shrunk[shrunk.length - 1]
  if (last !== undefined) limits[last] = Math.max(narrowest, left)
  return limits
}
