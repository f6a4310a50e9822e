/**
 * What several commands do with records: print them by their table, sort them, show some fields in their own way.
 *
 * @since 0.1.0
 */
import { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Microversion from "@effect-manila/core/manila/Microversion"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Cell from "../Cell.ts"
import * as Columns from "../Columns.ts"
import * as Python from "../format/Python.ts"
import { Output } from "../Output.ts"
import type * as Spec from "../Spec.ts"
import { listColumns } from "../Spec.ts"

/**
 * A model as the formatters take it: fields by name, the service's own ones included.
 *
 * @since 0.1.0
 */
export const raw = (record: object): Columns.Raw => record as Columns.Raw

/**
 * Prints one record by its command's table.
 *
 * @since 0.1.0
 */
export const single = (
  spec: Spec.Spec,
  record: object,
  options?: Parameters<typeof Columns.single>[2]
): Effect.Effect<void, Failed, Output> =>
  Effect.flatMap(Output, (output) =>
    spec.output.kind === "single"
      ? output.single(Columns.single(spec.output.fields, raw(record), options))
      : Effect.dieMessage(`${spec.words.join(" ")} prints no record`)
  )

type Failed = Effect.Effect.Error<ReturnType<typeof Output.Service.list>>

/**
 * Prints a list by its command's table; columns newer than the microversion spoken are left out.
 *
 * @since 0.1.0
 */
export const list = (
  spec: Spec.Spec,
  records: ReadonlyArray<object>,
  options: {
    readonly given?: (option: string) => boolean
    readonly cells?: Columns.Cells
  } = {}
): Effect.Effect<void, Failed | ManilaError, Output | Manila> =>
  Effect.gen(function* () {
    const output = yield* Output
    const microversion = yield* (yield* Manila).version
    if (spec.output.kind !== "table") return yield* Effect.dieMessage(`${spec.words.join(" ")} prints no list`)
    const columns = listColumns(spec.output.columns, options.given ?? (() => false))
    yield* output.list(Columns.list(columns, records.map(raw), { cells: options.cells, microversion }))
  })

/**
 * Sorts as `--sort key:direction,…` asks: by the text of the attributes, on this side, after the service's own limit.
 * That of null is `None`, which is where `openstack` puts it.
 *
 * @since 0.1.0
 */
export const sorted = <A extends object>(records: ReadonlyArray<A>, sort: string): ReadonlyArray<A> => {
  const keys = sort
    .split(",")
    .map((part) => part.trim().split(":"))
    .flatMap(([key, direction]) => (key === undefined || key === "" ? [] : [{ key, down: direction === "desc" }]))
  const textOf = (record: object, key: string): string => {
    const value = raw(record)[key]
    return value === undefined ? "" : Python.str(value)
  }
  return records.toSorted((one, two) => {
    for (const { down, key } of keys) {
      const [a, b] = [textOf(one, key), textOf(two, key)]
      if (a !== b) return (a < b ? -1 : 1) * (down ? -1 : 1)
    }
    return 0
  })
}

/**
 * Properties: `a='1', b='2'` to people, the object to programs.
 *
 * @since 0.1.0
 */
export const properties: Columns.Cells = { properties: (value) => Cell.dictionary(value) }

/**
 * A rule's fields: its properties as `key : value` lines in every format, its key in clear (it is what was asked for).
 *
 * @since 0.1.0
 */
export const accessCells: Columns.Cells = {
  properties: (value) => Cell.human(Cell.lines(value)),
  access_key: (value) => (Redacted.isRedacted(value) ? Redacted.value(value) : value)
}

/** What people can't use: the replica's inner state. */
/**
 * What `show` adds of a resource's export locations; nothing below the microversion that has them, where `openstack` fails.
 *
 * @since 0.1.0
 */
export const withLocations = <E, R>(
  since: string,
  list: Effect.Effect<ReadonlyArray<object>, E, R>,
  /** How they are written. */
  cell: (locations: ReadonlyArray<object>) => unknown
): Effect.Effect<{ readonly export_locations?: unknown }, E | ManilaError, R | Manila> =>
  Effect.gen(function* () {
    const version = yield* (yield* Manila).version
    return Microversion.within(version, since, undefined) ? { export_locations: cell(yield* list) } : {}
  })

/**
 * Export locations of an instance: as text all of their fields, as data the list itself.
 *
 * @since 0.1.0
 */
export const innerLocations = (locations: ReadonlyArray<object>): unknown =>
  Cell.formatted(locationsText(locations, { inner: true }), locations)

const hidden = new Set(["replica_state", "availability_zone", "share_replica_id"])

/**
 * Export locations as one text: a `key = value` line for each field, in every format. With `inner` those of the replica's
 * inner state are there too.
 *
 * @since 0.1.0
 */
export const locationsText = (
  locations: ReadonlyArray<object>,
  { inner = false }: { readonly inner?: boolean } = {}
): string =>
  locations
    .flatMap((location) =>
      Object.entries(location)
        .filter(([key]) => inner || !hidden.has(key))
        .map(([key, value]) => `\n${key} = ${Python.str(value)}`)
    )
    .join("")
