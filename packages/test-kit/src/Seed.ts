/**
 * Objects that are there from the start, as partial bodies in the service's own words: what is left out has defaults.
 *
 * Ids are any text. `project_id` is an id, or one of the names `demo`, `other` and `admin`; the default is `demo`. Times
 * are ISO 8601, in UTC if they have no zone; without one, objects are made in their order, the last one newest.
 * `phases` instead of a status are counted from the moment the object is put there.
 *
 * @since 0.1.0
 */
import type { Phase, Reason } from "./Lifecycle.ts"

/**
 * A share: by default 1 GiB of NFS, available, of the default type, in the zone `nova`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareSeed {
  readonly id?: string
  /** What administrators know it by on the back end; of a replicated share, its first replica. */
  readonly instance_id?: string
  readonly name?: string | null
  readonly description?: string | null
  /** GiB. */
  readonly size?: number
  /** `NFS`, `CIFS`, `GLUSTERFS`, `HDFS`, `CEPHFS`, `MAPRFS` or `LUSTRE`. */
  readonly share_proto?: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  /** What the failure in `phases` says. */
  readonly reason?: Reason
  readonly project_id?: string
  readonly user_id?: string
  readonly is_public?: boolean
  /** In the recycle bin, to be deleted in seven days. */
  readonly is_soft_deleted?: boolean
  readonly metadata?: Readonly<Record<string, string>>
  /** Id or name. */
  readonly share_type?: string
  readonly share_network_id?: string | null
  readonly share_group_id?: string | null
  readonly snapshot_id?: string | null
  /** A zone nobody has named yet is made. */
  readonly availability_zone?: string | null
  readonly host?: string
  readonly task_state?: string | null
  /** Default: `100%` once the share has been available. */
  readonly progress?: string | null
  readonly created_at?: string
}

/**
 * A snapshot of a share that is there: its size, protocol and project are the share's.
 *
 * @since 0.1.0
 * @category models
 */
export interface SnapshotSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly share_id: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly project_id?: string
  readonly user_id?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_at?: string
}

/**
 * A replica of a share that is there and whose type has `replication_type`: by default in sync, in the share's zone.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReplicaSeed {
  readonly id?: string
  readonly share_id: string
  readonly status?: string
  /** `in_sync`, `out_of_sync` or `error`. */
  readonly replica_state?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly availability_zone?: string | null
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_at?: string
}

/**
 * A backup of a share that is there, whose size and project it has: by default one that the data service made.
 *
 * @since 0.1.0
 * @category models
 */
export interface BackupSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly share_id: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly backup_type?: string | null
  readonly created_at?: string
}

/**
 * An access rule of a share that is there: by default `rw` for the network 10.0.0.0/24, and active.
 *
 * @since 0.1.0
 * @category models
 */
export interface AccessRuleSeed {
  readonly id?: string
  readonly share_id: string
  readonly access_type?: string
  readonly access_to?: string
  readonly access_level?: string
  /** Default: one is made for `cephx`. */
  readonly access_key?: string | null
  readonly state?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_at?: string
}

/**
 * A share type. One called `default`, or said to be the default, takes the place of the one every cloud begins with.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareTypeSeed {
  readonly id?: string
  readonly name: string
  readonly description?: string | null
  readonly is_public?: boolean
  readonly is_default?: boolean
  /** Default: no share servers, and everything with snapshots; if given, `driver_handles_share_servers` is False. */
  readonly extra_specs?: Readonly<Record<string, string>>
  /** Projects that may use a type that is not public, by id or name. */
  readonly projects?: ReadonlyArray<string>
}

/**
 * A share network with one subnet.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareNetworkSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly project_id?: string
  readonly status?: string
  readonly created_at?: string
}

/**
 * A share group that takes every share type.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareGroupSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly project_id?: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly created_at?: string
}

/**
 * A user message; one from the future shows when its time has come.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessageSeed {
  readonly id?: string
  readonly project_id?: string
  readonly resource_type?: string
  readonly resource_id?: string | null
  /** Three digits, as `detail_id`: together they say what the message says. */
  readonly action_id?: string
  readonly detail_id?: string
  readonly message_level?: string
  readonly user_message?: string
  readonly request_id?: string
  readonly created_at?: string
}

/**
 * All of them, by kind.
 *
 * @since 0.1.0
 * @category models
 */
export interface Seed {
  readonly shares?: ReadonlyArray<ShareSeed>
  readonly snapshots?: ReadonlyArray<SnapshotSeed>
  readonly replicas?: ReadonlyArray<ReplicaSeed>
  readonly backups?: ReadonlyArray<BackupSeed>
  readonly accessRules?: ReadonlyArray<AccessRuleSeed>
  readonly shareTypes?: ReadonlyArray<ShareTypeSeed>
  readonly shareNetworks?: ReadonlyArray<ShareNetworkSeed>
  readonly messages?: ReadonlyArray<MessageSeed>
  readonly shareGroups?: ReadonlyArray<ShareGroupSeed>
}
