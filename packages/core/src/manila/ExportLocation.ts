/**
 * Export locations of a share (2.9): where it is mounted from. They appear once the share is available.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as Retry from "../http/Retry.ts"
import * as Goal from "../waiter/Goal.ts"
import type { ShareId } from "./internal/share/model.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import { Metadata } from "./Metadata.ts"
import * as Operation from "./Operation.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ExportLocationId = Schema.String.pipe(Schema.brand("ExportLocationId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ExportLocationId = typeof ExportLocationId.Type

/**
 * @since 0.1.0
 * @category models
 */
export const ExportLocation = Schema.Struct({
  id: ExportLocationId,
  path: Schema.String,
  /** Since 2.14. */
  preferred: Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** Administrators only. */
  is_admin_only: Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** Administrators only. */
  share_instance_id: Schema.optional(Schema.NullOr(Schema.String)),
  /** Not in lists. */
  created_at: Schema.optional(Schema.NullOr(Schema.String)),
  /** Not in lists. */
  updated_at: Schema.optional(Schema.NullOr(Schema.String)),
  /** Since 2.87. */
  metadata: Schema.optional(Schema.Unknown)
})

/**
 * @since 0.1.0
 * @category models
 */
export type ExportLocation = typeof ExportLocation.Type

/**
 * All of a share's, in the service's order.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<{ readonly shareId: ShareId }, ReadonlyArray<ExportLocation>>(
  { name: "exportLocation.list", output: Http.list("export_locations", ExportLocation) },
  { since: "2.9", method: "GET", path: ({ shareId }) => `/shares/${Http.segment(shareId)}/export_locations` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly shareId: ShareId; readonly id: ExportLocationId }, ExportLocation>(
  { name: "exportLocation.get", output: Http.key("export_location", ExportLocation) },
  {
    since: "2.9",
    method: "GET",
    path: ({ id, shareId }) => `/shares/${Http.segment(shareId)}/export_locations/${Http.segment(id)}`
  }
)

const metadataOf = (shareId: ShareId, id: ExportLocationId) =>
  `/shares/${Http.segment(shareId)}/export_locations/${Http.segment(id)}/metadata`

/**
 * Adds to a location's properties, and answers with all of them. What it answers names `preferred` too, as text; that one
 * is the administrators'. The properties are read with the location itself.
 *
 * @since 0.1.0
 * @category operations
 */
export const setMetadata = Operation.make<
  { readonly shareId: ShareId; readonly id: ExportLocationId; readonly metadata: Metadata },
  Metadata
>(
  { name: "exportLocation.setMetadata", output: Http.key("metadata", Metadata) },
  {
    since: "2.87",
    method: "POST",
    path: ({ id, shareId }) => metadataOf(shareId, id),
    body: ({ metadata }) => ({ metadata })
  }
)

/**
 * Takes one property away (404 if it is not there).
 *
 * @since 0.1.0
 * @category operations
 */
export const removeMetadata = Operation.make<
  { readonly shareId: ShareId; readonly id: ExportLocationId; readonly key: string },
  void
>(
  { name: "exportLocation.removeMetadata", output: Http.empty },
  {
    since: "2.87",
    method: "DELETE",
    path: ({ id, key, shareId }) => `${metadataOf(shareId, id)}/${Http.segment(key)}`
  }
)

/**
 * Preferred ones first; the service's order otherwise.
 *
 * @since 0.1.0
 */
export const preferredFirst = (locations: ReadonlyArray<ExportLocation>): ReadonlyArray<ExportLocation> => [
  ...locations.filter(({ preferred }) => preferred === true),
  ...locations.filter(({ preferred }) => preferred !== true)
]

/**
 * What a wait looks at: the share's export locations, `None` once the share is gone. One request a look.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (
  shareId: ShareId
): Effect.Effect<Option.Option<ReadonlyArray<ExportLocation>>, ManilaError, Manila> =>
  list({ shareId }).pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * At least one export location is there.
 *
 * @since 0.1.0
 * @category goals
 */
export const exported: Goal.Goal<ReadonlyArray<ExportLocation>> = Goal.make("an export location", ({ seen }) =>
  Option.match(seen, {
    onNone: () => Goal.failed("gone", "goneAfterSeen", "its share is gone"),
    onSome: (locations) =>
      locations.length === 0
        ? Goal.pending("no export location")
        : Goal.reached(`${locations.length} export locations`, "an export location")
  })
)
