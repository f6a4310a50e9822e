/**
 * Share instances: ids, models, operations, lists.
 */
import * as Schema from "effect/Schema"
import * as Http from "../../../http/Operation.ts"
import { ExportLocation } from "../../ExportLocation.ts"
import type { ExportLocationId } from "../../ExportLocation.ts"
import * as Operation from "../../Operation.ts"
import type { ShareId } from "../share/model.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ShareInstanceId = Schema.String.pipe(Schema.brand("ShareInstanceId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ShareInstanceId = typeof ShareInstanceId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * An instance as the service shows it. Its statuses are those of shares; the status of a share is that of one of its
 * instances.
 *
 * @since 0.1.0
 * @category models
 */
export const ShareInstance = Schema.Struct({
  id: ShareInstanceId,
  share_id: text,
  status: Schema.String,
  /** Empty until a back end was chosen. */
  host: text,
  availability_zone: text,
  share_network_id: text,
  share_server_id: text,
  created_at: text,
  /** Up to 2.8, as the one after it. */
  export_location: text,
  export_locations: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  /** Since 2.10. */
  access_rules_status: text,
  /** Since 2.11. Null unless the share is replicated. */
  replica_state: text,
  /** Since 2.22. */
  share_type_id: text,
  /** Since 2.30. */
  cast_rules_to_readonly: Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** Since 2.54. */
  progress: text,
  /** Since 2.71. */
  updated_at: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type ShareInstance = typeof ShareInstance.Type

const since = "2.3"
const collection = "share_instances"

type ById = {
  readonly id: ShareInstanceId
}

const path = ({ id }: ById): string => `/${collection}/${Http.segment(id)}`

/**
 * Filters of the list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  /** Since 2.35. */
  readonly exportLocationId?: string | undefined
  /** Since 2.35. */
  readonly exportLocationPath?: string | undefined
  /** Since 2.69: those of shares in the recycle bin, or only of others. Default: all. */
  readonly isSoftDeleted?: boolean | undefined
}

/**
 * Every instance of every project, in one answer: the service knows no pages here. A `limit` changes nothing but for a
 * link, and one that is no number is answered with 500 (seen on a server of 2.99), so none is sent.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<Filter, ReadonlyArray<ShareInstance>>(
  {
    name: "shareInstance.list",
    fieldsSince: { exportLocationId: "2.35", exportLocationPath: "2.35", isSoftDeleted: "2.69" },
    output: Http.list("share_instances", ShareInstance)
  },
  {
    since,
    method: "GET",
    path: () => `/${collection}`,
    query: ({ exportLocationId, exportLocationPath, isSoftDeleted }) => ({
      export_location_id: exportLocationId,
      export_location_path: exportLocationPath,
      is_soft_deleted: isSoftDeleted
    })
  }
)

/**
 * The instances of one share.
 *
 * @since 0.1.0
 * @category operations
 */
export const listOfShare = Operation.make<{ readonly shareId: ShareId }, ReadonlyArray<ShareInstance>>(
  { name: "shareInstance.listOfShare", output: Http.list("share_instances", ShareInstance) },
  { since, method: "GET", path: ({ shareId }) => `/shares/${Http.segment(shareId)}/instances` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<ById, ShareInstance>(
  { name: "shareInstance.get", output: Http.key("share_instance", ShareInstance) },
  { since, method: "GET", path }
)

const action = { collection, oldSince: since, output: Http.empty }

/**
 * Deletes an instance in any status; there is no other way to delete one. With the last one goes the share.
 *
 * @since 0.1.0
 * @category operations
 */
export const forceRemove = Operation.action<ById, void>({
  ...action,
  name: "shareInstance.forceDelete",
  key: "force_delete"
})

/**
 * Sets the status by hand. Takes effect at once, and shows in the share.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetStatus = Operation.action<ById & { readonly status: string }, void>({
  ...action,
  name: "shareInstance.resetStatus",
  key: "reset_status",
  arguments: ({ status }) => ({ status })
})

/**
 * Where one instance is mounted from (2.9).
 *
 * @since 0.1.0
 * @category operations
 */
export const listExportLocations = Operation.make<ById, ReadonlyArray<ExportLocation>>(
  { name: "shareInstance.listExportLocations", output: Http.list("export_locations", ExportLocation) },
  { since: "2.9", method: "GET", path: (input) => `${path(input)}/export_locations` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const getExportLocation = Operation.make<ById & { readonly exportLocationId: ExportLocationId }, ExportLocation>(
  { name: "shareInstance.getExportLocation", output: Http.key("export_location", ExportLocation) },
  {
    since: "2.9",
    method: "GET",
    path: (input) => `${path(input)}/export_locations/${Http.segment(input.exportLocationId)}`
  }
)
