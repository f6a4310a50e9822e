/**
 * Replicas of shares: ids, models, operations, lists. Experimental from 2.11 to 2.55.
 */
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Http from "../../../http/Operation.ts"
import * as Page from "../../../http/Page.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Metadata from "../../Metadata.ts"
import * as Operation from "../../Operation.ts"
import type { ShareId } from "../share/model.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ReplicaId = Schema.String.pipe(Schema.brand("ReplicaId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ReplicaId = typeof ReplicaId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A replica as the service shows it. `status` tells what is being done with it, `replica_state` what its data are: one
 * that is available may still be out of sync.
 *
 * @since 0.1.0
 * @category models
 */
export const Replica = Schema.Struct({
  id: ReplicaId,
  status: Schema.String,
  /** `active`, `in_sync`, `out_of_sync`, `error`. Null in the answer to a create. */
  replica_state: text,
  share_id: text,
  availability_zone: text,
  share_network_id: text,
  created_at: text,
  updated_at: text,
  /** Administrators only; empty until a back end was chosen. */
  host: text,
  /** Administrators only. */
  share_server_id: text,
  /** Since 2.30; administrators only. */
  cast_rules_to_readonly: Schema.optional(Schema.NullOr(Schema.Boolean)),
  /** Since 2.95. */
  metadata: Schema.optional(Schema.NullOr(Metadata.Metadata))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Replica = typeof Replica.Type

/**
 * @since 0.1.0
 * @category models
 */
export const ReplicaSummary = Schema.Struct({ id: ReplicaId, share_id: text, status: text, replica_state: text })

/**
 * @since 0.1.0
 * @category models
 */
export type ReplicaSummary = typeof ReplicaSummary.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  readonly shareId: ShareId
  readonly availabilityZone?: string | undefined
  /** Since 2.67: `only_host`, and no other. */
  readonly schedulerHints?: Readonly<Record<string, string>> | undefined
  /** Since 2.72. */
  readonly shareNetworkId?: string | undefined
  /** Since 2.95. */
  readonly metadata?: Metadata.Metadata | undefined
}

const since = "2.11"
const collection = "share-replicas"

type ById = {
  readonly id: ReplicaId
}

const path = ({ id }: ById): string => `/${collection}/${Http.segment(id)}`

/**
 * The share needs a replication type and an active replica that is available (400).
 *
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Replica>(
  {
    name: "replica.create",
    experimental: true,
    fieldsSince: { schedulerHints: "2.67", shareNetworkId: "2.72", metadata: "2.95" },
    output: Http.key("share_replica", Replica)
  },
  {
    since,
    method: "POST",
    path: () => `/${collection}`,
    body: ({ availabilityZone, metadata, schedulerHints, shareId, shareNetworkId }) => ({
      share_replica: {
        share_id: shareId,
        availability_zone: availabilityZone,
        scheduler_hints: schedulerHints,
        share_network_id: shareNetworkId,
        metadata
      }
    })
  }
)

/**
 * Filters of the list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  /** Without it every replica of every project is listed. */
  readonly shareId?: string | undefined
}

type Asked = Filter & Partial<Page.Window>

const query = ({ limit, offset, shareId }: Asked): Http.Query => ({ share_id: shareId, limit, offset })

/**
 * One page of replicas; see {@link list} for all of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Asked, Http.Page<Replica>>(
  { name: "replica.list", experimental: true, output: Http.page("share_replicas", Replica, "share_replica_links") },
  { since, method: "GET", path: () => `/${collection}/detail`, query }
)

/**
 * One page of ids, shares and states.
 *
 * @since 0.1.0
 * @category operations
 */
export const summaryPage = Operation.make<Asked, Http.Page<ReplicaSummary>>(
  {
    name: "replica.listSummary",
    experimental: true,
    output: Http.page("share_replicas", ReplicaSummary, "share_replica_links")
  },
  { since, method: "GET", path: () => `/${collection}`, query }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<ById, Replica>(
  { name: "replica.get", experimental: true, output: Http.key("share_replica", Replica) },
  { since, method: "GET", path }
)

/**
 * Accepted in any status; 400 for the last active replica.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<ById, void>(
  { name: "replica.delete", experimental: true, output: Http.empty },
  { since, method: "DELETE", path }
)

const action = { collection, since, experimental: true, output: Http.empty }

/**
 * Deletes it whatever the back end says; needs an administrator.
 *
 * @since 0.1.0
 * @category operations
 */
export const forceRemove = Operation.action<ById, void>({ ...action, name: "replica.forceDelete", key: "force_delete" })

/**
 * Makes it the active replica. Accepted while it is available (400 otherwise); out of sync or in error it needs an
 * administrator (403). Nothing happens to one that is active.
 *
 * @since 0.1.0
 * @category operations
 */
export const promote = Operation.action<ById & { readonly quiesceWaitTime?: number | undefined }, void>({
  ...action,
  name: "replica.promote",
  key: "promote",
  /** `quiesceWaitTime` is in seconds. */
  fieldsSince: { quiesceWaitTime: "2.75" },
  arguments: ({ quiesceWaitTime }) => (quiesceWaitTime === undefined ? null : { quiesce_wait_time: quiesceWaitTime })
})

/**
 * Has the back end bring it up to date; needs an administrator. Nothing happens to one that is active.
 *
 * @since 0.1.0
 * @category operations
 */
export const resync = Operation.action<ById, void>({ ...action, name: "replica.resync", key: "resync" })

/**
 * Sets the status by hand; needs an administrator. Takes effect at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetStatus = Operation.action<ById & { readonly status: string }, void>({
  ...action,
  name: "replica.resetStatus",
  key: "reset_status",
  arguments: ({ status }) => ({ status })
})

/**
 * Sets the state by hand; needs an administrator. 400 for an active replica.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetState = Operation.action<ById & { readonly replicaState: string }, void>({
  ...action,
  name: "replica.resetState",
  key: "reset_replica_state",
  arguments: ({ replicaState }) => ({ replica_state: replicaState })
})

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, getMetadataItem, removeMetadata, replaceMetadata, setMetadata } =
  Metadata.operations<ReplicaId>({ kind: "replica", collection, since: "2.95" })

/**
 * Where a replica is mounted from.
 *
 * @since 0.1.0
 * @category models
 */
export const ReplicaExportLocation = Schema.Struct({
  id: Schema.String,
  path: Schema.String,
  preferred: Schema.optional(Schema.NullOr(Schema.Boolean)),
  replica_state: text,
  availability_zone: text,
  /** Administrators only. */
  share_instance_id: text,
  /** Administrators only. */
  is_admin_only: Schema.optional(Schema.NullOr(Schema.Boolean))
})

/**
 * @since 0.1.0
 * @category models
 */
export type ReplicaExportLocation = typeof ReplicaExportLocation.Type

/**
 * A replica's export locations (2.47).
 *
 * @since 0.1.0
 * @category operations
 */
export const listExportLocations = Operation.make<ById, ReadonlyArray<ReplicaExportLocation>>(
  {
    name: "replica.listExportLocations",
    experimental: true,
    output: Http.list("export_locations", ReplicaExportLocation)
  },
  { since: "2.47", method: "GET", path: (input) => `${path(input)}/export-locations` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const getExportLocation = Operation.make<ById & { readonly exportLocationId: string }, ReplicaExportLocation>(
  {
    name: "replica.getExportLocation",
    experimental: true,
    output: Http.key("export_location", ReplicaExportLocation)
  },
  {
    since: "2.47",
    method: "GET",
    path: (input) => `${path(input)}/export-locations/${Http.segment(input.exportLocationId)}`
  }
)

/**
 * All replicas that match.
 *
 * @since 0.1.0
 * @category lists
 */
export const list = (
  filter: Filter = {},
  options?: { readonly total?: number | undefined; readonly offset?: number | undefined }
): Stream.Stream<Replica, ManilaError, Manila> => Page.stream((window) => page({ ...filter, ...window }), options)
