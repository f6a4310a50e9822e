/**
 * Comma-separated values as `openstack` writes them: a line with the headers, then a line for each row.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"

/**
 * What is put in quotes: everything, what would be read wrongly without, nothing, or whatever is no number.
 *
 * @since 0.1.0
 * @category models
 */
export type Quote = "all" | "minimal" | "none" | "nonnumeric"

/**
 * Null is an empty text.
 *
 * @since 0.1.0
 */
export const list = (
  headers: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  quote: Quote
): string => [headers, ...rows].map((row) => line(row, quote)).join("")

const line = (row: ReadonlyArray<unknown>, quote: Quote): string => {
  const cells = row.map((value) => cell(value, quote))
  // A row of one empty text would be an empty line, which readers skip.
  return `${cells.length === 1 && cells[0] === "" && quote !== "none" ? '""' : cells.join(",")}\n`
}

const cell = (value: unknown, quote: Quote): string => {
  const text = textOf(value)
  if (quote === "none") return text.replace(/[,"\\\r\n]/g, "\\$&")
  const isNumber = typeof value === "number" || typeof value === "boolean"
  const quoted = quote === "all" || (quote === "nonnumeric" && !isNumber) || /[,"\r\n]/.test(text)
  const safe = text.replaceAll("\\", "\\\\")
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Null with a text of its own (see `Cell`) has one. */
const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : Python.str(Cell.machine(value))
