/**
 * Metadata of a resource: the same five operations below every collection that has it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as Operation from "./Operation.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const Metadata = Schema.Record({ key: Schema.String, value: Schema.String })

/**
 * @since 0.1.0
 * @category models
 */
export type Metadata = typeof Metadata.Type

/** Replacing everything with nothing may be answered with null. */
const answered = Schema.transform(Schema.NullOr(Metadata), Metadata, {
  strict: true,
  decode: (metadata) => metadata ?? {},
  encode: (metadata) => metadata
})

const at = (collection: string, id: string) => `/${collection}/${Http.segment(id)}/metadata`

/**
 * The operations of `/{collection}/{id}/metadata`. `set` merges and answers with the whole, `replace` drops what it does
 * not name, `remove` takes one key (404 if it is not there).
 *
 * @since 0.1.0
 * @category constructors
 */
export const operations = <Id extends string>(options: {
  /** `share`, for names like `share.setMetadata`. */
  readonly kind: string
  readonly collection: string
  readonly since?: string | undefined
}) => {
  const { collection, kind, since } = options
  const output = Http.key("metadata", answered)
  return {
    getMetadata: Operation.make<{ readonly id: Id }, Metadata>(
      { name: `${kind}.getMetadata`, output },
      { since, method: "GET", path: ({ id }) => at(collection, id) }
    ),
    setMetadata: Operation.make<{ readonly id: Id; readonly metadata: Metadata }, Metadata>(
      { name: `${kind}.setMetadata`, output },
      { since, method: "POST", path: ({ id }) => at(collection, id), body: ({ metadata }) => ({ metadata }) }
    ),
    replaceMetadata: Operation.make<{ readonly id: Id; readonly metadata: Metadata }, Metadata>(
      { name: `${kind}.replaceMetadata`, output },
      { since, method: "PUT", path: ({ id }) => at(collection, id), body: ({ metadata }) => ({ metadata }) }
    ),
    getMetadataItem: Operation.make<{ readonly id: Id; readonly key: string }, Metadata>(
      { name: `${kind}.getMetadataItem`, output: Http.key("meta", Metadata) },
      { since, method: "GET", path: ({ id, key }) => `${at(collection, id)}/${Http.segment(key)}` }
    ),
    removeMetadata: Operation.make<{ readonly id: Id; readonly key: string }, void>(
      { name: `${kind}.removeMetadata`, output: Http.empty },
      { since, method: "DELETE", path: ({ id, key }) => `${at(collection, id)}/${Http.segment(key)}` }
    )
  }
}
