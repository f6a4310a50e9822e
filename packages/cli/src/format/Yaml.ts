/**
 * YAML as `openstack` writes it: block style, keys of inner objects sorted, lines folded at 80 columns, everything outside
 * ASCII escaped, and quotes only around texts that a reader of YAML 1.1 would take for something else.
 *
 * An emitter of its own, because scripts compare such output with what they had: where a line is folded and which quotes
 * are taken is no setting of a library.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"

type Pairs = ReadonlyArray<readonly [string, unknown]>

/**
 * A list is one sequence of mappings, whose keys are sorted.
 *
 * @since 0.1.0
 */
export const list = (headers: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<unknown>>): string => {
  if (rows.length === 0) return "[]\n"
  const items = rows.map((row) => mapping(headers.map((header, i) => [header, Cell.machine(row[i])])))
  return `${block(items, 0, 0)}\n`
}

/**
 * A record keeps the order of its fields.
 *
 * @since 0.1.0
 */
export const single = (fields: Pairs): string =>
  fields.map(([name, value]) => `${block(new Mapping([[name, Cell.machine(value)]]), 0, 0)}\n`).join("")

// ---------------------------------------------------------------------------------------------------------------------
// collections
// ---------------------------------------------------------------------------------------------------------------------

/** A list of pairs, and not an object, so that a key such as `__proto__` is a key. */
class Mapping {
  readonly pairs: Pairs
  constructor(pairs: Pairs) {
    this.pairs = pairs
  }
}

/** Of a repeated key the last counts. */
const mapping = (pairs: Pairs): Mapping =>
  new Mapping([...new Map(pairs)].toSorted(([one], [other]) => byCodePoint(one, other)))

const byCodePoint = (one: string, other: string): number => {
  const [a, b] = [[...one], [...other]]
  const at = a.findIndex((character, i) => character !== b[i])
  if (at === -1) return a.length - b.length
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1)
}

/**
 * A value without the line's end: the first line stands at `column` already, the others begin at `indent`. Parts of a
 * collection begin at `indent` themselves, which is where the first line is.
 */
const block = (value: unknown, column: number, indent: number): string => {
  const gap = `\n${" ".repeat(indent)}`
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]"
    return value.map((item) => `- ${block(item, indent + 2, indent + 2)}`).join(gap)
  }
  if (value instanceof Mapping) {
    return value.pairs.length === 0 ? "{}" : value.pairs.map(([key, inner]) => pair(key, inner, indent)).join(gap)
  }
  if (typeof value === "object" && value !== null) return block(mapping(Object.entries(value)), column, indent)
  return typeof value === "string" ? scalar(value, column, indent, true) : plain(value)
}

const pair = (key: string, value: unknown, indent: number): string => {
  // A key that is empty, long or of several lines is marked as one, and its value like the next.
  if (key === "" || key.includes("\n") || [...key].length >= longestKey) {
    const inner = indent + 2
    return `? ${scalar(key, inner, inner, true)}\n${" ".repeat(indent)}: ${block(value, inner, inner)}`
  }
  const name = scalar(key, indent, indent, false)
  if (!isFull(value)) return `${name}: ${block(value, indent + name.length + 2, indent + 2)}`
  // Sequences aren't indented below their key.
  const inner = Array.isArray(value) ? indent : indent + 2
  return `${name}:\n${" ".repeat(inner)}${block(value, inner, inner)}`
}

/** Shorter than 128 with the tag of a text, which is counted although it is never written. */
const longestKey = 128 - "!!str".length

const isFull = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Array.isArray(value) ? value : Object.keys(value)).length > 0

// ---------------------------------------------------------------------------------------------------------------------
// scalars
// ---------------------------------------------------------------------------------------------------------------------

const plain = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (typeof value === "boolean") return String(value)
  const text = Python.repr(value).toLowerCase()
  return text.includes(".") ? text : text.replace("e", ".0e")
}

/** A text at a column; `fold` says whether it may go on on further lines, which begin at `indent`. */
const scalar = (text: string, column: number, indent: number, fold: boolean): string => {
  const gap = fold ? `\n${" ".repeat(indent)}` : undefined
  if (special.test(text) || / \n|\n /.test(text)) return `"${escaped(text, column + 1, gap)}"`
  const bare = !indicators.test(text) && !edges.test(text) && !text.includes("\n") && !otherwise.test(text)
  return bare ? folded(text, column, gap) : `'${folded(text.replaceAll("'", "''"), column + 1, gap)}'`
}

/** What only double quotes can hold. */
const special = /[^\n\u0020-\u007e]/

const edges = /^$|^[ \n]|[ \n]$/

/** What would begin or end something else. */
const indicators = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \n]|$))|:(?:[ \n]|$)|[ \n]#/

/** What reads as a truth value, a number, nothing, a date or a sign of YAML 1.1's. */
const otherwise = new RegExp(
  `^(?:${[
    "yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF",
    "~|null|Null|NULL|<<|=",
    "[-+]?\\d[\\d_]*\\.[\\d_]*(?:[eE][-+]\\d+)?",
    "\\.\\d[\\d_]*(?:[eE][-+]\\d+)?",
    "[-+]?\\d[\\d_]*(?::[0-5]?\\d)+\\.[\\d_]*",
    "[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)",
    "[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\\d_]*)|[-+]?0x[\\da-fA-F_]+|[-+]?[1-9][\\d_]*(?::[0-5]?\\d)+",
    "\\d{4}-\\d\\d-\\d\\d",
    "\\d{4}-\\d\\d?-\\d\\d?(?:[Tt]|[ \\t]+)\\d\\d?:\\d\\d:\\d\\d(?:\\.\\d*)?(?:[ \\t]*(?:Z|[-+]\\d\\d?(?::\\d\\d)?))?"
  ].join("|")})$`
)

const bestWidth = 80

/**
 * A single space between words behind the best width becomes a line break, and a line break of the text gets one more:
 * alone it would be a space.
 */
const folded = (text: string, column: number, gap: string | undefined): string => {
  if (gap === undefined) return text
  let at = column
  return text
    .split(/( +|\n+)/)
    .filter((part) => part !== "")
    .map((part, i, parts) => {
      const breaks = part.startsWith("\n")
      if (breaks || (part === " " && at > bestWidth && i > 0 && i < parts.length - 1)) {
        at = gap.length - 1
        return breaks ? `${part}${gap}` : gap
      }
      at += part.length
      return part
    })
    .join("")
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\u0007": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\u001b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P"
}

const escape = (character: string): string => {
  const short = escapes[character]
  if (short !== undefined) return `\\${short}`
  if (/^[\u0020-\u007e]$/.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8]
  return `\\${letter}${hex.padStart(digits, "0")}`
}

/** Behind the best width a line ends before a space, and before or behind an escaped character. */
const escaped = (text: string, column: number, gap: string | undefined): string => {
  const characters = [...text]
  let at = column
  let last = false
  let out = ""
  const put = (piece: string): void => {
    out += piece
    at += piece.length
  }
  /** A space at the beginning of a line would be lost. */
  const newLine = (next: string | undefined): void => {
    out += `\\${gap ?? ""}`
    at = (gap ?? "").length - 1
    if (next === " ") put("\\")
  }
  characters.forEach((character, i) => {
    const piece = escape(character)
    const inside = gap !== undefined && i > 0 && i < characters.length - 1
    if (piece === character) {
      if (inside && at > bestWidth && (last || character === " ")) newLine(character)
      put(piece)
    } else {
      put(piece)
      if (inside && at - 1 > bestWidth) newLine(characters[i + 1])
    }
    last = piece !== character
  })
  return out
}
