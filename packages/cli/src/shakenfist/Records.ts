/**
 * Printing records by their command's table.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Cell from "../Cell.ts"
import * as Columns from "../Columns.ts"
import { Output } from "../Output.ts"
import * as Spec from "../Spec.ts"

type Failed = Effect.Effect.Error<ReturnType<typeof Output.Service.list>>

/** Models are plain objects, whose every field the service named. */
const raw = (record: object): Columns.Raw => record as Columns.Raw

/** In their order, which is that in which they are done. */
const tasks = (value: unknown): unknown => (Array.isArray(value) ? Cell.formatted(value.join(", "), value) : value)

/**
 * @since 0.1.0
 */
export const cells: Columns.Cells = { tasks }

/**
 * @since 0.1.0
 */
export const list = (spec: Spec.Spec, records: ReadonlyArray<object>): Effect.Effect<void, Failed, Output> =>
  Effect.flatMap(Output, (output) =>
    spec.output.kind === "table"
      ? output.list(
          Columns.list(
            Spec.listColumns(spec.output.columns, () => false),
            records.map(raw),
            { cells }
          )
        )
      : Effect.dieMessage(`${Spec.nameOf(spec)} prints no list`)
  )

/**
 * @since 0.1.0
 */
export const single = (spec: Spec.Spec, record: object): Effect.Effect<void, Failed, Output> =>
  Effect.flatMap(Output, (output) =>
    spec.output.kind === "single"
      ? output.single(Columns.single(spec.output.fields, raw(record), { cells }))
      : Effect.dieMessage(`${Spec.nameOf(spec)} prints no record`)
  )
