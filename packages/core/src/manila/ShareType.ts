/**
 * Share types: what kinds of shares a cloud offers.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as Find from "./Find.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import * as Operation from "./Operation.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ShareTypeId = Schema.String.pipe(Schema.brand("ShareTypeId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ShareTypeId = typeof ShareTypeId.Type

/** Text from administrators; from 2.24 unset optional specs are added for others as JSON booleans. */
const Specs = Schema.Record({
  key: Schema.String,
  value: Schema.NullOr(Schema.Union(Schema.String, Schema.Boolean))
})

/**
 * @since 0.1.0
 * @category models
 */
export const ShareType = Schema.Struct({
  id: ShareTypeId,
  name: Schema.String,
  extra_specs: Schema.optional(Schema.NullOr(Specs)),
  required_extra_specs: Schema.optional(Schema.NullOr(Specs)),
  /** Since 2.7; `os-share-type-access:is_public` before. */
  "share_type_access:is_public": Schema.optional(Schema.NullOr(Schema.Boolean)),
  "os-share-type-access:is_public": Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** Since 2.41. */
  description: Schema.optional(Schema.NullOr(Schema.String)),
  /** Since 2.46. */
  is_default: Schema.optional(Schema.NullOr(Schema.Boolean))
})

/**
 * @since 0.1.0
 * @category models
 */
export type ShareType = typeof ShareType.Type

/**
 * All share types the caller may see, in one answer: the service does not page them. `isPublic: "all"` adds private
 * ones, for administrators. Filtering by extra specs needs 2.43.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<
  {
    readonly isPublic?: boolean | "all" | undefined
    readonly extraSpecs?: Readonly<Record<string, string>> | undefined
  },
  ReadonlyArray<ShareType>
>(
  { name: "shareType.list", fieldsSince: { extraSpecs: "2.43" }, output: Http.list("share_types", ShareType) },
  {
    method: "GET",
    path: () => "/types",
    query: ({ extraSpecs, isPublic }) => ({
      is_public: isPublic,
      extra_specs: extraSpecs === undefined ? undefined : JSON.stringify(extraSpecs)
    })
  }
)

/**
 * The type a share gets if none is named. `NotFound` if the cloud has none.
 *
 * @since 0.1.0
 * @category operations
 */
export const getDefault = Operation.make<void, ShareType>(
  { name: "shareType.default", output: Http.key("share_type", ShareType) },
  { method: "GET", path: () => "/types/default" }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: ShareTypeId }, ShareType>(
  { name: "shareType.get", output: Http.key("share_type", ShareType) },
  { method: "GET", path: ({ id }) => `/types/${Http.segment(id)}` }
)

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  readonly name: string
  /** `driver_handles_share_servers` must be among them. */
  readonly extraSpecs: Readonly<Record<string, string>>
  /** Since 2.41. */
  readonly description?: string | undefined
  /** Default `true`. */
  readonly isPublic?: boolean | undefined
}

/**
 * Needs an administrator. A type of the same name is a `Conflict`.
 *
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, ShareType>(
  { name: "shareType.create", fieldsSince: { description: "2.41" }, output: Http.key("share_type", ShareType) },
  {
    since: "2.7",
    method: "POST",
    path: () => "/types",
    body: (input) => ({ share_type: { ...created(input), "share_type_access:is_public": input.isPublic } })
  },
  {
    until: "2.6",
    method: "POST",
    path: () => "/types",
    body: (input) => ({ share_type: { ...created(input), "os-share-type-access:is_public": input.isPublic } })
  }
)

const created = ({ description, extraSpecs, name }: Create) => ({ name, extra_specs: extraSpecs, description })

/**
 * Changes name, description and visibility (2.50); `null` clears the description. Needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = Operation.make<
  {
    readonly id: ShareTypeId
    readonly name?: string | undefined
    readonly description?: string | null | undefined
    readonly isPublic?: boolean | undefined
  },
  ShareType
>(
  { name: "shareType.update", output: Http.key("share_type", ShareType) },
  {
    since: "2.50",
    method: "PUT",
    path: ({ id }) => `/types/${Http.segment(id)}`,
    body: ({ description, isPublic, name }) => ({
      share_type: { name, description, "share_type_access:is_public": isPublic }
    })
  }
)

/**
 * Needs an administrator; `BadRequest` while shares are of this type.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<{ readonly id: ShareTypeId }, void>(
  { name: "shareType.delete", output: Http.empty },
  { method: "DELETE", path: ({ id }) => `/types/${Http.segment(id)}` }
)

/**
 * The type of this name. The service has no filter for it, so the whole list is read: there are few.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string
): Effect.Effect<ShareType, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName("share type", name, list({ isPublic: "all" }))
