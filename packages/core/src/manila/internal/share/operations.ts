/**
 * Shares: operations and lists.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Http from "../../../http/Operation.ts"
import * as Page from "../../../http/Page.ts"
import * as Find from "../../Find.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Metadata from "../../Metadata.ts"
import * as Operation from "../../Operation.ts"
import { Share, ShareSummary } from "./model.ts"
import type { Create, Filter, ShareId } from "./model.ts"

/**
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Share>(
  {
    name: "share.create",
    fieldsSince: {
      availabilityZone: "2.1",
      shareGroupId: "2.31",
      schedulerHints: "2.65",
      mountPointName: "2.84",
      encryptionKeyRef: "2.90"
    },
    output: Http.key("share", Share)
  },
  {
    method: "POST",
    path: () => "/shares",
    body: (input) => ({
      share: {
        share_proto: input.shareProto,
        size: input.size,
        name: input.name,
        description: input.description,
        share_type: input.shareType,
        snapshot_id: input.snapshotId,
        is_public: input.isPublic,
        metadata: input.metadata,
        share_network_id: input.shareNetworkId,
        availability_zone: input.availabilityZone,
        share_group_id: input.shareGroupId,
        scheduler_hints: input.schedulerHints,
        mount_point_name: input.mountPointName,
        encryption_key_ref: input.encryptionKeyRef
      }
    })
  }
)

/** The server reads these filters as a dictionary literal; JSON text of strings is one. */
const dictionary = (value: Readonly<Record<string, string>> | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

type Asked = Filter & Partial<Page.Window> & { readonly withCount?: boolean | undefined }

const query = (input: Asked): Http.Query => ({
  name: input.name,
  "name~": input.nameLike,
  description: input.description,
  "description~": input.descriptionLike,
  status: input.status,
  share_type_id: input.shareTypeId,
  snapshot_id: input.snapshotId,
  share_network_id: input.shareNetworkId,
  share_group_id: input.shareGroupId,
  share_server_id: input.shareServerId,
  host: input.host,
  user_id: input.userId,
  export_location_id: input.exportLocationId,
  export_location_path: input.exportLocationPath,
  metadata: dictionary(input.metadata),
  extra_specs: dictionary(input.extraSpecs),
  is_public: input.isPublic,
  is_soft_deleted: input.isSoftDeleted,
  encryption_key_ref: input.encryptionKeyRef,
  mount_point_name: input.mountPointName,
  availability_zone: input.availabilityZone,
  all_tenants: input.allProjects === true ? 1 : undefined,
  project_id: input.projectId,
  with_count: input.withCount,
  sort_key: input.sortKey,
  sort_dir: input.sortDir,
  limit: input.limit,
  offset: input.offset
})

const fieldsSince = {
  nameLike: "2.36",
  descriptionLike: "2.36",
  description: "2.36",
  exportLocationId: "2.35",
  exportLocationPath: "2.35",
  shareGroupId: "2.31",
  isSoftDeleted: "2.69",
  encryptionKeyRef: "2.90",
  availabilityZone: "2.97"
}

/**
 * One page of shares with all their fields; see {@link list} for all of them. `withCount` also asks how many there are
 * in all; old servers say nothing of it.
 *
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Asked, Http.Page<Share>>(
  { name: "share.list", fieldsSince, output: Http.page("shares", Share, "shares_links") },
  { method: "GET", path: () => "/shares/detail", query }
)

/**
 * One page of ids and names.
 *
 * @since 0.1.0
 * @category operations
 */
export const summaryPage = Operation.make<Asked, Http.Page<ShareSummary>>(
  {
    name: "share.listSummary",
    fieldsSince: { ...fieldsSince, withCount: "2.42" },
    output: Http.page("shares", ShareSummary, "shares_links")
  },
  { method: "GET", path: () => "/shares", query }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: ShareId }, Share>(
  { name: "share.get", output: Http.key("share", Share) },
  { method: "GET", path: ({ id }) => `/shares/${Http.segment(id)}` }
)

/**
 * Changes name, description, visibility; `null` clears a text. What is left out stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = Operation.make<
  {
    readonly id: ShareId
    readonly name?: string | null | undefined
    readonly description?: string | null | undefined
    readonly isPublic?: boolean | undefined
  },
  Share
>(
  { name: "share.update", output: Http.key("share", Share) },
  {
    method: "PUT",
    path: ({ id }) => `/shares/${Http.segment(id)}`,
    body: ({ description, isPublic, name }) => ({
      share: { display_name: name, display_description: description, is_public: isPublic }
    })
  }
)

/**
 * Accepted in `available`, `error` and `inactive`; 403 in other statuses, and while snapshots or locks depend on it.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<{ readonly id: ShareId; readonly shareGroupId?: string | undefined }, void>(
  { name: "share.delete", fieldsSince: { shareGroupId: "2.31" }, output: Http.empty },
  {
    method: "DELETE",
    path: ({ id }) => `/shares/${Http.segment(id)}`,
    query: ({ shareGroupId }) => ({ share_group_id: shareGroupId })
  }
)

interface ById {
  readonly id: ShareId
}

/**
 * Accepted in any status; needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const forceRemove = Operation.action<ById, void>({
  name: "share.forceDelete",
  collection: "shares",
  key: "force_delete",
  output: Http.empty
})

/**
 * Into the recycle bin (2.69): the share stays readable, and is deleted after the retention time.
 *
 * @since 0.1.0
 * @category operations
 */
export const softRemove = Operation.action<ById, void>({
  name: "share.softDelete",
  collection: "shares",
  key: "soft_delete",
  since: "2.69",
  output: Http.empty
})

/**
 * Out of the recycle bin (2.69).
 *
 * @since 0.1.0
 * @category operations
 */
export const restore = Operation.action<ById, void>({
  name: "share.restore",
  collection: "shares",
  key: "restore",
  since: "2.69",
  output: Http.empty
})

/**
 * New size in GiB, more than the present one. `force` (2.64) needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const extend = Operation.action<
  { readonly id: ShareId; readonly newSize: number; readonly force?: boolean | undefined },
  void
>({
  name: "share.extend",
  collection: "shares",
  key: "extend",
  arguments: ({ force, newSize }) => ({ new_size: newSize, ...(force === true ? { force } : {}) }),
  fieldsSince: { force: "2.64" },
  output: Http.empty
})

/**
 * New size in GiB, less than the present one.
 *
 * @since 0.1.0
 * @category operations
 */
export const shrink = Operation.action<{ readonly id: ShareId; readonly newSize: number }, void>({
  name: "share.shrink",
  collection: "shares",
  key: "shrink",
  arguments: ({ newSize }) => ({ new_size: newSize }),
  output: Http.empty
})

/**
 * Back to its latest snapshot (2.27): whatever was written since is lost, and the size may change to the snapshot's.
 *
 * @since 0.1.0
 * @category operations
 */
export const revert = Operation.action<{ readonly id: ShareId; readonly snapshotId: string }, void>({
  name: "share.revert",
  collection: "shares",
  key: "revert",
  since: "2.27",
  arguments: ({ snapshotId }) => ({ snapshot_id: snapshotId }),
  output: Http.empty
})

/**
 * Sets the status by hand; needs an administrator. Takes effect at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetStatus = Operation.action<{ readonly id: ShareId; readonly status: string }, void>({
  name: "share.resetStatus",
  collection: "shares",
  key: "reset_status",
  arguments: ({ status }) => ({ status }),
  output: Http.empty
})

/**
 * Sets the task state by hand (2.22), `null` for none; needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetTaskState = Operation.action<{ readonly id: ShareId; readonly taskState: string | null }, void>({
  name: "share.resetTaskState",
  collection: "shares",
  key: "reset_task_state",
  since: "2.22",
  experimental: true,
  arguments: ({ taskState }) => ({ task_state: taskState }),
  output: Http.empty
})

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, getMetadataItem, removeMetadata, replaceMetadata, setMetadata } =
  Metadata.operations<ShareId>({ kind: "share", collection: "shares" })

/**
 * All shares that match, newest first unless sorted otherwise. `total` ends it early and asks for no more than that.
 *
 * @since 0.1.0
 * @category lists
 */
export const list = (
  filter: Filter = {},
  options?: {
    readonly total?: number | undefined
    readonly offset?: number | undefined
    readonly pageSize?: number | undefined
  }
): Stream.Stream<Share, ManilaError, Manila> =>
  Page.stream((window) => page({ ...filter, ...window, withCount: Page.counting(options) }), options)

/**
 * The share of this name: one request with the server's own filter (a server that ignores it is read to its end). Two
 * of one name are `NameAmbiguous`, which lists both.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string,
  filter: Omit<Filter, "name"> = {}
): Effect.Effect<Share, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName(
    "share",
    name,
    Page.named(name, (window) => page({ ...filter, name, ...window }))
  )
