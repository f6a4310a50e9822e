/**
 * Which statuses there are, and which of them forbid what.
 */

/** While an instance is in one of these its access rules can't change, nor can it be unmanaged. */
export const transitional = new Set([
  "creating",
  "deleting",
  "manage_starting",
  "unmanage_starting",
  "extending",
  "shrinking",
  "migrating",
  "migrating_to",
  "restoring",
  "reverting",
  "server_migrating",
  "server_migrating_to",
  "backup_restoring",
  "backup_creating",
  "ensuring"
])

/** All that the schema of `reset_status` knows. */
export const ofShares = new Set([
  "creating",
  "creating_from_snapshot",
  "deleting",
  "deferred_deleting",
  "deleted",
  "error",
  "error_deleting",
  "error_deferred_deleting",
  "available",
  "manage_starting",
  "manage_error",
  "unmanage_starting",
  "manage_error_unmanage_starting",
  "unmanage_error",
  "unmanaged",
  "extending",
  "extending_error",
  "shrinking",
  "shrinking_error",
  "migrating",
  "migrating_to",
  "shrinking_possible_data_loss_error",
  "replication_change",
  "restoring",
  "reverting",
  "reverting_error",
  "awaiting_transfer",
  "backup_creating",
  "backup_restoring",
  "backup_restoring_error",
  "ensuring",
  "server_migrating",
  "server_migrating_to",
  "reverting_to_snapshot"
])

/** Those an administrator may set by hand. */
export const settableOnShares = [
  "available",
  "creating",
  "deleting",
  "error",
  "error_deleting",
  "migrating",
  "migrating_to",
  "server_migrating"
]

export const settableOnSnapshots = [
  "available",
  "creating",
  "deleting",
  "error",
  "error_deleting",
  "manage_error",
  "manage_starting",
  "migrating",
  "migrating_to",
  "restoring",
  "unmanage_error",
  "unmanage_starting"
]

export const taskStates = new Set<unknown>([
  "migration_starting",
  "migration_in_progress",
  "migration_completing",
  "migration_success",
  "migration_error",
  "migration_cancelled",
  "migration_driver_in_progress",
  "migration_driver_phase1_done",
  "data_copying_starting",
  "data_copying_in_progress",
  "data_copying_completing",
  "data_copying_completed",
  "data_copying_cancelled",
  "data_copying_error",
  null
])
