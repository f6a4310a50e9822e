/**
 * Metadata, which every kind of object has in the same way.
 */
import * as Schema from "effect/Schema"
import * as Http from "../../http/Operation.ts"
import * as Operation from "../Operation.ts"
import * as Output from "./output.ts"

export const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export const make = (kind: string, collection: string, needs: ReadonlyArray<string> = []) => {
  const base = (ref: string) => `/${collection}/${Http.segment(ref)}/metadata`
  return {
    getMetadata: Operation.make<{ readonly ref: string }, typeof Metadata.Type>({
      name: `${kind}.getMetadata`,
      needs,
      method: "GET",
      path: ({ ref }) => base(ref),
      output: Output.value(Metadata)
    }),
    setMetadata: Operation.make<{ readonly ref: string; readonly key: string; readonly value: unknown }, void>({
      name: `${kind}.setMetadata`,
      needs,
      method: "PUT",
      path: ({ key, ref }) => `${base(ref)}/${Http.segment(key)}`,
      body: ({ value }) => ({ value }),
      output: Http.empty
    }),
    removeMetadata: Operation.make<{ readonly ref: string; readonly key: string }, void>({
      name: `${kind}.removeMetadata`,
      needs,
      method: "DELETE",
      path: ({ key, ref }) => `${base(ref)}/${Http.segment(key)}`,
      output: Http.empty
    })
  }
}
