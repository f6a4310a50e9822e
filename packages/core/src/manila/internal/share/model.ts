/**
 * Shares: ids, models, and what their operations take.
 */
import * as Schema from "effect/Schema"
import * as Metadata from "../../Metadata.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ShareId = Schema.String.pipe(Schema.brand("ShareId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ShareId = typeof ShareId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))
const flag = Schema.optional(Schema.NullOr(Schema.Boolean))

/**
 * A share as the service shows it. Fields of newer microversions are absent on older ones, and fields this library
 * does not name are kept.
 *
 * @since 0.1.0
 * @category models
 */
export const Share = Schema.Struct({
  id: ShareId,
  /** An open string: drivers and new releases add to it. */
  status: Schema.String,
  name: text,
  description: text,
  /** GiB. Null while a share is being adopted. */
  size: Schema.optional(Schema.NullOr(Schema.Number)),
  share_proto: text,
  project_id: text,
  /** ISO 8601, UTC, without a zone. */
  created_at: text,
  availability_zone: text,
  share_network_id: text,
  snapshot_id: text,
  is_public: flag,
  metadata: Schema.optional(Schema.NullOr(Metadata.Metadata)),
  /** The type's id; its name below 2.6. */
  share_type: text,
  /** Since 2.6. */
  share_type_name: text,
  /** Since 2.5. */
  task_state: text,
  /** Since 2.10. */
  access_rules_status: text,
  /** Up to 2.8. */
  export_location: text,
  /** Up to 2.8. */
  export_locations: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  /** Administrators only. */
  host: text,
  /** Since 2.54: `40%`. */
  progress: text,
  /** Since 2.69. */
  is_soft_deleted: flag,
  /** Since 2.69. */
  scheduled_to_be_deleted_at: text,
  /** Since 2.80: the backup it was last restored from. */
  source_backup_id: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type Share = typeof Share.Type

/**
 * What a new share needs. Only `shareProto` and `size` (GiB) are required.
 *
 * @since 0.1.0
 * @category models
 */
export interface Create {
  /** `NFS`, `CIFS`, `CEPHFS`, … */
  readonly shareProto: string
  readonly size: number
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** Name or id. */
  readonly shareType?: string | undefined
  readonly snapshotId?: string | undefined
  readonly isPublic?: boolean | undefined
  readonly metadata?: Metadata.Metadata | undefined
  readonly shareNetworkId?: string | undefined
  /** Since 2.1. */
  readonly availabilityZone?: string | undefined
  /** Since 2.31. */
  readonly shareGroupId?: string | undefined
  /** Since 2.65: `same_host`, `different_host`; `only_host` since 2.67. */
  readonly schedulerHints?: Readonly<Record<string, string>> | undefined
  /** Since 2.84. */
  readonly mountPointName?: string | undefined
  /** Since 2.90. */
  readonly encryptionKeyRef?: string | undefined
}

/**
 * Filters of the list. Text is matched exactly, `…Like` as a part (2.36; the server's own idea of upper and lower case).
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly name?: string | undefined
  readonly nameLike?: string | undefined
  /** Since 2.36. */
  readonly description?: string | undefined
  readonly descriptionLike?: string | undefined
  readonly status?: string | undefined
  readonly shareTypeId?: string | undefined
  readonly snapshotId?: string | undefined
  readonly shareNetworkId?: string | undefined
  /** Since 2.31. */
  readonly shareGroupId?: string | undefined
  readonly shareServerId?: string | undefined
  readonly host?: string | undefined
  readonly userId?: string | undefined
  /** Since 2.35. */
  readonly exportLocationId?: string | undefined
  /** Since 2.35. */
  readonly exportLocationPath?: string | undefined
  readonly metadata?: Metadata.Metadata | undefined
  readonly extraSpecs?: Readonly<Record<string, string>> | undefined
  /** Also public shares of other projects. */
  readonly isPublic?: boolean | undefined
  /** Since 2.69: only those in the recycle bin. */
  readonly isSoftDeleted?: boolean | undefined
  /** Since 2.90. */
  readonly encryptionKeyRef?: string | undefined
  readonly mountPointName?: string | undefined
  /** Since 2.97. */
  readonly availabilityZone?: string | undefined
  /** Needs an administrator; silently without effect for others. */
  readonly allProjects?: boolean | undefined
  /** Only together with `allProjects`. */
  readonly projectId?: string | undefined
  /** Default `created_at`. */
  readonly sortKey?: string | undefined
  /** Default `desc`. */
  readonly sortDir?: "asc" | "desc" | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export const ShareSummary = Schema.Struct({ id: ShareId, name: text })

/**
 * @since 0.1.0
 * @category models
 */
export type ShareSummary = typeof ShareSummary.Type
