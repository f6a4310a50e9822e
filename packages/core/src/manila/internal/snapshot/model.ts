/**
 * Snapshots: ids, models, operations, lists.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Http from "../../../http/Operation.ts"
import * as Page from "../../../http/Page.ts"
import * as Find from "../../Find.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Metadata from "../../Metadata.ts"
import * as Operation from "../../Operation.ts"
import type { ShareId } from "../share/model.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const SnapshotId = Schema.String.pipe(Schema.brand("SnapshotId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type SnapshotId = typeof SnapshotId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A snapshot as the service shows it.
 *
 * @since 0.1.0
 * @category models
 */
export const Snapshot = Schema.Struct({
  id: SnapshotId,
  status: Schema.String,
  name: text,
  description: text,
  share_id: text,
  share_proto: text,
  /** GiB. */
  share_size: Schema.optional(Schema.NullOr(Schema.Number)),
  /** GiB. */
  size: Schema.optional(Schema.NullOr(Schema.Number)),
  created_at: text,
  /** Since 2.17. */
  project_id: text,
  /** Since 2.17. */
  user_id: text,
  /** Since 2.12; administrators only. */
  provider_location: text,
  /** Since 2.73. */
  metadata: Schema.optional(Schema.NullOr(Metadata.Metadata))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Snapshot = typeof Snapshot.Type

/**
 * @since 0.1.0
 * @category models
 */
export const SnapshotSummary = Schema.Struct({ id: SnapshotId, name: text })

/**
 * @since 0.1.0
 * @category models
 */
export type SnapshotSummary = typeof SnapshotSummary.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  readonly shareId: ShareId
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Servers of today ignore it. */
  readonly force?: boolean | undefined
  /** Since 2.73. */
  readonly metadata?: Metadata.Metadata | undefined
}

/**
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Snapshot>(
  { name: "snapshot.create", fieldsSince: { metadata: "2.73" }, output: Http.key("snapshot", Snapshot) },
  {
    method: "POST",
    path: () => "/snapshots",
    body: ({ description, force, metadata, name, shareId }) => ({
      snapshot: { share_id: shareId, name, description, force, metadata }
    })
  }
)

/**
 * Filters of the list; text is matched exactly, `…Like` as a part (2.36).
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly name?: string | undefined
  readonly nameLike?: string | undefined
  readonly description?: string | undefined
  readonly descriptionLike?: string | undefined
  readonly status?: string | undefined
  readonly shareId?: string | undefined
  /** GiB. */
  readonly size?: number | undefined
  /** Since 2.73. */
  readonly metadata?: Metadata.Metadata | undefined
  /** Snapshots that shares were made from (`used`), or none. */
  readonly usage?: "used" | "unused" | undefined
  /** Needs an administrator; silently without effect for others. */
  readonly allProjects?: boolean | undefined
  readonly sortKey?: string | undefined
  readonly sortDir?: "asc" | "desc" | undefined
}

type Asked = Filter & Partial<Page.Window> & { readonly withCount?: boolean | undefined }

const fieldsSince = { nameLike: "2.36", descriptionLike: "2.36", description: "2.36", metadata: "2.73" }

/** The key of the links is not made from the list's own name. */
const linksKey = "share_snapshots_links"

const query = (input: Asked): Http.Query => ({
  name: input.name,
  "name~": input.nameLike,
  description: input.description,
  "description~": input.descriptionLike,
  status: input.status,
  share_id: input.shareId,
  size: input.size,
  metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata),
  usage: input.usage,
  all_tenants: input.allProjects === true ? 1 : undefined,
  with_count: input.withCount,
  sort_key: input.sortKey,
  sort_dir: input.sortDir,
  limit: input.limit,
  offset: input.offset
})

/**
 * One page of snapshots; see {@link list} for all of them. `withCount` also asks how many there are in all; old servers
 * say nothing of it.
 *
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Asked, Http.Page<Snapshot>>(
  { name: "snapshot.list", fieldsSince, output: Http.page("snapshots", Snapshot, linksKey) },
  { method: "GET", path: () => "/snapshots/detail", query }
)

/**
 * One page of ids and names.
 *
 * @since 0.1.0
 * @category operations
 */
export const summaryPage = Operation.make<Asked, Http.Page<SnapshotSummary>>(
  {
    name: "snapshot.listSummary",
    fieldsSince: { ...fieldsSince, withCount: "2.79" },
    output: Http.page("snapshots", SnapshotSummary, linksKey)
  },
  { method: "GET", path: () => "/snapshots", query }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: SnapshotId }, Snapshot>(
  { name: "snapshot.get", output: Http.key("snapshot", Snapshot) },
  { method: "GET", path: ({ id }) => `/snapshots/${Http.segment(id)}` }
)

/**
 * Changes name and description; `null` clears one. What is left out stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = Operation.make<
  {
    readonly id: SnapshotId
    readonly name?: string | null | undefined
    readonly description?: string | null | undefined
  },
  Snapshot
>(
  { name: "snapshot.update", output: Http.key("snapshot", Snapshot) },
  {
    method: "PUT",
    path: ({ id }) => `/snapshots/${Http.segment(id)}`,
    body: ({ description, name }) => ({ snapshot: { display_name: name, display_description: description } })
  }
)

/**
 * Accepted in `available` and `error`; 400 in other statuses.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<{ readonly id: SnapshotId }, void>(
  { name: "snapshot.delete", output: Http.empty },
  { method: "DELETE", path: ({ id }) => `/snapshots/${Http.segment(id)}` }
)

/**
 * Accepted in any status; needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const forceRemove = Operation.action<{ readonly id: SnapshotId }, void>({
  name: "snapshot.forceDelete",
  collection: "snapshots",
  key: "force_delete",
  output: Http.empty
})

/**
 * What the service has to know of a snapshot it takes over.
 *
 * @since 0.1.0
 * @category models
 */
export interface Adopt {
  readonly shareId: ShareId
  /** The driver's own word for it: a path, an id. */
  readonly providerLocation: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly driverOptions?: Readonly<Record<string, string>> | undefined
  /** Since 2.73. */
  readonly metadata?: Metadata.Metadata | undefined
}

/**
 * Takes over a snapshot that was there before the service (2.12); needs an administrator. 409 for a location that is
 * known already.
 *
 * @since 0.1.0
 * @category operations
 */
export const adopt = Operation.make<Adopt, Snapshot>(
  { name: "snapshot.adopt", fieldsSince: { metadata: "2.73" }, output: Http.key("snapshot", Snapshot) },
  {
    since: "2.12",
    method: "POST",
    path: () => "/snapshots/manage",
    body: ({ description, driverOptions, metadata, name, providerLocation, shareId }) => ({
      snapshot: {
        share_id: shareId,
        provider_location: providerLocation,
        name,
        description,
        driver_options: driverOptions,
        metadata
      }
    })
  }
)

/**
 * Makes the service forget a snapshot, which stays on its back end (2.12); needs an administrator. 403 in a
 * transitional status.
 *
 * @since 0.1.0
 * @category operations
 */
export const abandon = Operation.action<{ readonly id: SnapshotId }, void>({
  name: "snapshot.abandon",
  collection: "snapshots",
  key: "unmanage",
  since: "2.12",
  output: Http.empty
})

/**
 * Sets the status by hand; needs an administrator. Takes effect at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetStatus = Operation.action<{ readonly id: SnapshotId; readonly status: string }, void>({
  name: "snapshot.resetStatus",
  collection: "snapshots",
  key: "reset_status",
  arguments: ({ status }) => ({ status }),
  output: Http.empty
})

/**
 * Where a mountable snapshot is mounted from.
 *
 * @since 0.1.0
 * @category models
 */
export const SnapshotExportLocation = Schema.Struct({ id: Schema.String, path: Schema.String })

/**
 * @since 0.1.0
 * @category models
 */
export type SnapshotExportLocation = typeof SnapshotExportLocation.Type

/**
 * A snapshot's export locations (2.32); empty for one that can't be mounted.
 *
 * @since 0.1.0
 * @category operations
 */
export const listExportLocations = Operation.make<{ readonly id: SnapshotId }, ReadonlyArray<SnapshotExportLocation>>(
  {
    name: "snapshot.listExportLocations",
    output: Http.list("share_snapshot_export_locations", SnapshotExportLocation)
  },
  { since: "2.32", method: "GET", path: ({ id }) => `/snapshots/${Http.segment(id)}/export-locations` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, getMetadataItem, removeMetadata, replaceMetadata, setMetadata } =
  Metadata.operations<SnapshotId>({ kind: "snapshot", collection: "snapshots", since: "2.73" })

/**
 * All snapshots that match, newest first unless sorted otherwise.
 *
 * @since 0.1.0
 * @category lists
 */
export const list = (
  filter: Filter = {},
  options?: { readonly total?: number | undefined; readonly offset?: number | undefined }
): Stream.Stream<Snapshot, ManilaError, Manila> =>
  Page.stream((window) => page({ ...filter, ...window, withCount: Page.counting(options) }), options)

/**
 * The snapshot of this name: one request with the server's own filter.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string,
  filter: Omit<Filter, "name"> = {}
): Effect.Effect<Snapshot, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName(
    "snapshot",
    name,
    Page.named(name, (window) => page({ ...filter, name, ...window }))
  )
