/**
 * What the service remembers of each kind. Statuses are not among it: a row has a track, and the clock does the rest.
 */
import type { Track } from "./Track.ts"

export type Metadata = Record<string, string>

export interface TypeRow {
  readonly id: string
  name: string
  description: string | null
  isPublic: boolean
  readonly isDefault: boolean
  /** The one that every cloud begins with. */
  readonly isBuiltIn: boolean
  extraSpecs: Record<string, string>
  readonly projects: Set<string>
}

/** What a share may do is fixed by its type when it is made. */
export interface Support {
  readonly snapshot: boolean
  readonly createFromSnapshot: boolean
  readonly revert: boolean
  readonly mountSnapshot: boolean
  readonly inheritAccess: boolean
  readonly replication: string | null
}

export interface ExportRow {
  readonly id: string
  readonly path: string
  readonly preferred: boolean
  readonly isAdminOnly: boolean
  metadata?: Metadata
}

export interface MessageRow {
  readonly id: string
  readonly projectId: string
  readonly resourceType: string | null
  readonly resourceId: string | null
  readonly actionId: string
  readonly detailId: string
  readonly level: string
  readonly text: string
  readonly requestId: string
  /** Microseconds; in the future for a failure that is still to come. */
  readonly createdMicros: number
  readonly createdAt: string
  readonly expiresAt: string
}

/** What the rows that have a status share. */
export interface Tracked {
  readonly id: string
  readonly projectId: string
  track: Track
  /** The message its present future will leave, or has left. */
  message?: MessageRow | undefined
}

export interface ShareRow extends Tracked {
  readonly instanceId: string
  readonly createdMicros: number
  readonly createdAt: string
  readonly userId: string
  readonly proto: string
  readonly type: TypeRow
  readonly support: Support
  readonly networkId: string | null
  readonly groupId: string | null
  readonly snapshotId: string | null
  readonly mountPointName: string | null
  readonly keyRef: string | null
  name: string | null
  description: string | null
  isPublic: boolean
  metadata: Metadata
  size: number
  /** The size it will have, and when. */
  pending: { readonly size: number; readonly at: number } | undefined
  taskState: string | null
  /** Set while the share is in the recycle bin: when it will be emptied, in milliseconds. */
  binnedUntil: number | undefined
  /** Null until a host was chosen, as the two after it. */
  host: string | null
  zone: string | null
  serverId: string | null
  /** Its own instance has been listed as a replica, and may have been deleted since. */
  hasFirstReplica?: boolean
  /** The backup it was last restored from. */
  sourceBackupId?: string
  /** The others, some of which may be gone. */
  replicas?: Array<ReplicaRow>
  /** Null: it follows from the status. */
  readonly progress: string | null
  /** Where it can be mounted, and from when on; made when somebody asks, as most shares are only listed. */
  readonly exports: { from: number; readonly rows: () => ReadonlyArray<ExportRow> }
  readonly rules: Map<string, RuleRow>
}

export interface RuleRow extends Tracked {
  readonly shareId: string
  readonly type: string
  readonly to: string
  level: string
  readonly createdMicros: number
  readonly createdAt: string
  updatedMicros: number | undefined
  /** What the driver made for a cephx user, and when it can be read. */
  readonly key: string | null
  keyFrom: number
  metadata: Metadata
}

export interface SnapshotRow extends Tracked {
  readonly instanceId: string
  readonly shareId: string
  readonly createdMicros: number
  readonly createdAt: string
  readonly userId: string
  readonly size: number
  readonly proto: string
  readonly providerLocation: string
  readonly exports: ReadonlyArray<ExportRow>
  name: string | null
  description: string | null
  metadata: Metadata
  readonly rules: Map<string, SnapshotRuleRow>
}

export interface ReplicaRow extends Tracked {
  readonly shareId: string
  readonly createdMicros: number
  readonly createdAt: string
  readonly zone: string | null
  host: string
  readonly networkId: string | null
  metadata: Metadata
  /** The type of its share says `readable`: while it is not the active one, every rule of it is a read-only one. */
  readonly isReadable: boolean
  /** What its data are while something is being done, once that is done, and if it fails. */
  before: string
  after: string
  failed: string
  /** The status it keeps while its data change. */
  held: string
}

export interface BackupRow extends Tracked {
  readonly shareId: string
  readonly createdMicros: number
  readonly createdAt: string
  readonly size: number
  readonly zone: string | null
  /** Null: the data service copies the share. */
  readonly type: string | null
  restoredAt: number | undefined
  name: string | null
  description: string | null
}

export interface SnapshotRuleRow extends Tracked {
  readonly type: string
  readonly to: string
}

export interface SubnetRow {
  readonly id: string
  readonly createdAt: string
  readonly zone: string | null
  readonly netId: string | null
  readonly subnetId: string | null
}

export interface NetworkRow {
  readonly id: string
  readonly projectId: string
  readonly createdMicros: number
  readonly createdAt: string
  updatedAt: string | null
  name: string | null
  description: string | null
  readonly status: string
  readonly subnets: ReadonlyArray<SubnetRow>
}

export interface GroupRow extends Tracked {
  readonly createdMicros: number
  readonly createdAt: string
  name: string | null
  description: string | null
  readonly host: string
  readonly groupTypeId: string
  readonly typeIds: ReadonlyArray<string>
}
