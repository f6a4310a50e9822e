/**
 * A value that people and programs see differently: a text in tables, the raw value elsewhere.
 *
 * Any other value stands for itself.
 *
 * @since 0.1.0
 */
import * as Python from "./format/Python.ts"

/**
 * @since 0.1.0
 * @category models
 */
export class Formatted {
  readonly human: string | null
  readonly machine: unknown
  constructor(human: string | null, machine: unknown) {
    this.human = human
    this.machine = machine
  }
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const formatted = (human: string | null, machine: unknown): Formatted => new Formatted(human, machine)

/**
 * What a table shows.
 *
 * @since 0.1.0
 */
export const human = (value: unknown): unknown => (value instanceof Formatted ? value.human : value)

/**
 * What JSON and bare values show.
 *
 * @since 0.1.0
 */
export const machine = (value: unknown): unknown => (value instanceof Formatted ? value.machine : value)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * A dictionary: `a='1', b='2'` sorted by key, inner ones as `outer.inner='…'`. Null is an empty dictionary to programs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const dictionary = (value: unknown): Formatted =>
  isRecord(value) ? formatted(pairs(value, "").join(", "), value) : formatted(null, {})

const pairs = (value: Readonly<Record<string, unknown>>, prefix: string): ReadonlyArray<string> =>
  Object.keys(value)
    .toSorted(byCodePoint)
    .flatMap((key) => {
      const inner = value[key]
      if (isRecord(inner)) {
        const nested = pairs(inner, `${prefix}${key}.`)
        return nested.length === 0 ? [""] : nested
      }
      return [inner === null || inner === undefined ? `${prefix}${key}=` : `${prefix}${key}='${Python.str(inner)}'`]
    })

/**
 * A dictionary, one `key : value` a line, in the order it has.
 *
 * @since 0.1.0
 * @category constructors
 */
export const lines = (value: unknown): Formatted =>
  isRecord(value)
    ? formatted(
        Object.entries(value)
          .map(([key, inner]) => `${key} : ${Python.str(inner)}`)
          .join("\n"),
        value
      )
    : formatted("", value)

/**
 * A list, sorted, with commas between. Null is an empty list to programs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const list = (value: unknown): Formatted =>
  Array.isArray(value) ? formatted(value.map(Python.str).toSorted(byCodePoint).join(", "), value) : formatted("", [])
