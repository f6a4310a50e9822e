/**
 * Standard output: one record or one list, in the format that was asked for, and nothing else.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { columnKey, unknownColumns } from "./argv/Check.ts"
import * as Cell from "./Cell.ts"
import type { Rows } from "./Columns.ts"
import type * as Formatting from "./flags/Formatting.ts"
import * as Csv from "./format/Csv.ts"
import * as Json from "./format/Json.ts"
import * as Shell from "./format/Shell.ts"
import * as Table from "./format/Table.ts"
import * as Value from "./format/Value.ts"
import * as Yaml from "./format/Yaml.ts"
import { Progress } from "./Progress.ts"
import type * as Spec from "./Spec.ts"
import { Stdio, type StdoutFailed } from "./Stdio.ts"

/**
 * None of the columns asked for is there; the message lists those that are.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownColumn extends Data.TaggedError("UnknownColumn")<{
  readonly wanted: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
}> {
  override get message(): string {
    return unknownColumns(this.wanted, this.known)
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export type Fields = ReadonlyArray<readonly [name: string, value: unknown]>

/**
 * @since 0.1.0
 * @category tags
 */
export class Output extends Context.Tag("@effect-manila/cli/Output")<
  Output,
  {
    readonly list: (rows: Rows) => Effect.Effect<void, UnknownColumn | StdoutFailed>
    readonly single: (fields: Fields) => Effect.Effect<void, UnknownColumn | StdoutFailed>
  }
>() {}

/** What a formatter is told; each takes what it needs. */
interface Layout extends Shell.Options {
  readonly width: number | undefined
  readonly printEmpty: boolean
  readonly noindent: boolean
  readonly quote: Csv.Quote
}

type Format<A> = (what: A, layout: Layout) => string

/** Every name of `Formatting` has its formatter; `satisfies` sees to it. */
const lists: Readonly<Partial<Record<Formatting.Name, Format<Rows>>>> = {
  csv: ({ headers, rows }, { quote }) => Csv.list(headers, rows, quote),
  json: ({ headers, rows }, layout) => Json.list(headers, rows, layout),
  table: ({ headers, rows }, layout) => Table.list(headers, rows, layout),
  value: ({ rows }) => Value.list(rows),
  yaml: ({ headers, rows }) => Yaml.list(headers, rows)
} satisfies Record<Formatting.ListName, Format<Rows>>

const singles: Readonly<Partial<Record<Formatting.Name, Format<Fields>>>> = {
  json: Json.single,
  shell: Shell.single,
  table: Table.single,
  value: (fields) => Value.single(fields),
  yaml: (fields) => Yaml.single(fields)
} satisfies Record<Formatting.SingleName, Format<Fields>>

/** No command lets a name through that its kind of output doesn't have. */
const written = <A>(
  formatters: Readonly<Partial<Record<Formatting.Name, Format<A>>>>,
  name: Formatting.Name,
  what: A,
  layout: Layout
): Effect.Effect<string> => {
  const formatter = formatters[name]
  return formatter === undefined
    ? Effect.dieMessage(`no format ${name} here`)
    : Effect.sync(() => formatter(what, layout))
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends Partial<Omit<Spec.FormatArgs, "format">> {
  readonly format: Formatting.Name
}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Output, never, Stdio | Progress> =>
  Layer.effect(
    Output,
    Effect.gen(function* () {
      const stdio = yield* Stdio
      const progress = yield* Progress
      const layout = (): Layout => ({
        width: widthOf(options, stdio.stdout),
        printEmpty: options.printEmpty === true,
        noindent: options.noindent === true,
        quote: options.quote ?? "nonnumeric",
        prefix: options.prefix ?? "",
        variables: options.variable ?? []
      })
      /** Which of the names are wanted; those that don't exist are told of, unless none is left. */
      const select = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<boolean>, UnknownColumn> => {
        const wanted = options.column ?? []
        if (wanted.length === 0) return Effect.succeed(names.map(() => true))
        const keys = new Set(wanted.map(columnKey))
        const chosen = names.map((name) => keys.has(columnKey(name)))
        if (!chosen.includes(true)) return Effect.fail(new UnknownColumn({ wanted, known: names }))
        const known = new Set(names.map(columnKey))
        const missing = wanted.filter((name) => !known.has(columnKey(name)))
        return missing.length === 0
          ? Effect.succeed(chosen)
          : Effect.as(progress.note(unknownColumns(missing, names)), chosen)
      }
      return Output.of({
        list: (all) =>
          Effect.gen(function* () {
            const chosen = yield* select(all.headers)
            const sorted = yield* sort(all, options, progress.note)
            const keep = <A>(row: ReadonlyArray<A>) => row.filter((_, i) => chosen[i] === true)
            const rows = { headers: keep(all.headers), rows: sorted.map(keep) }
            yield* stdio.stdout.write(yield* written(lists, options.format, rows, layout()))
          }),
        single: (fields) =>
          Effect.gen(function* () {
            // An empty record has no columns to know, so none is unknown.
            const chosen = fields.length === 0 ? [] : yield* select(fields.map(([name]) => name))
            const shown = fields.filter((_, i) => chosen[i] === true)
            yield* stdio.stdout.write(yield* written(singles, options.format, shown, layout()))
          })
      })
    })
  )

/** The width asked for; else the terminal's, on a terminal or if asked to fit. */
const widthOf = (
  options: Options,
  stdout: { readonly isTerminal: boolean; readonly columns: () => number | undefined }
): number | undefined => {
  if (options.maxWidth !== undefined && options.maxWidth > 0) return options.maxWidth
  return stdout.isTerminal || options.fitWidth === true ? stdout.columns() : undefined
}

// ---------------------------------------------------------------------------------------------------------------------
// sorting
// ---------------------------------------------------------------------------------------------------------------------

/** Stable, the first column counting most, nulls last (first when downwards); a column of mixed types stays as it is. */
const sort = (
  { headers, rows }: Rows,
  options: Options,
  note: (text: string) => Effect.Effect<void>
): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>> =>
  Effect.gen(function* () {
    let sorted: ReadonlyArray<ReadonlyArray<unknown>> = rows
    for (const name of (options.sortColumn ?? []).toReversed()) {
      const at = headers.findIndex((header) => columnKey(header) === columnKey(name))
      if (at === -1) continue
      const values = sorted.map((row) => Cell.machine(row[at]))
      if (!comparable(values)) {
        yield* note(`Can't sort by '${headers[at]}': its values are not of one type.`)
        continue
      }
      const direction = options.sortDescending === true ? -1 : 1
      sorted = sorted.toSorted((a, b) => direction * compare(Cell.machine(a[at]), Cell.machine(b[at])))
    }
    return sorted
  })

const comparable = (values: ReadonlyArray<unknown>): boolean => {
  const types = new Set(values.filter((value) => value !== null && value !== undefined).map(kindOf))
  return types.size <= 1 && !types.has("object")
}

/** Truth values are numbers to Python. */
const kindOf = (value: unknown): string => (typeof value === "boolean" ? "number" : typeof value)

const compare = (a: unknown, b: unknown): number => {
  const nullA = a === null || a === undefined
  const nullB = b === null || b === undefined
  if (nullA || nullB) return nullA === nullB ? 0 : nullA ? 1 : -1
  // Both are of one comparable kind, as `comparable` has seen to.
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0
}
