/**
 * Bare values for scripts: a list's row on one line with spaces between, a record's fields on a line each.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"

/**
 * @since 0.1.0
 */
export const list = (rows: ReadonlyArray<ReadonlyArray<unknown>>): string =>
  rows.map((row) => `${row.map(text).join(" ")}\n`).join("")

/**
 * @since 0.1.0
 */
export const single = (fields: ReadonlyArray<readonly [name: string, value: unknown]>): string =>
  fields.map(([, value]) => `${text(value)}\n`).join("")

const text = (value: unknown): string => Python.str(Cell.machine(value))
