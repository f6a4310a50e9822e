/**
 * Statuses by kind, as data: which are failures, which lead away, which are at rest.
 *
 * From the server's own constants (`manila/common/constants.py`) and what a running server was seen to do.
 *
 * @since 0.1.0
 */
import type { Reader } from "../waiter/StatusGoal.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Statuses {
  readonly failures: ReadonlyArray<string>
  readonly leaving: ReadonlyArray<string>
  readonly steady: ReadonlyArray<string>
  /** Something is going on, and the resource is usable again after it. */
  readonly transitional: ReadonlyArray<string>
}

/**
 * `deferred_deleting` and `error_deferred_deleting` are 404 for callers without an admin rule.
 *
 * @since 0.1.0
 * @category tables
 */
export const share: Statuses = {
  failures: [
    "error",
    "error_deleting",
    "error_deferred_deleting",
    "manage_error",
    "unmanage_error",
    "extending_error",
    "shrinking_error",
    "shrinking_possible_data_loss_error",
    "reverting_error",
    "backup_restoring_error"
  ],
  leaving: ["deleting", "deferred_deleting", "unmanage_starting", "manage_error_unmanage_starting"],
  steady: ["available", "inactive"],
  transitional: [
    "creating",
    "creating_from_snapshot",
    "manage_starting",
    "extending",
    "shrinking",
    "migrating",
    "migrating_to",
    "server_migrating",
    "server_migrating_to",
    "replication_change",
    "restoring",
    "reverting",
    "awaiting_transfer",
    "backup_creating",
    "backup_restoring",
    "ensuring"
  ]
}

/**
 * @since 0.1.0
 * @category tables
 */
export const snapshot: Statuses = {
  failures: ["error", "error_deleting", "error_deferred_deleting", "manage_error", "unmanage_error"],
  leaving: ["deleting", "deferred_deleting", "unmanage_starting"],
  steady: ["available"],
  transitional: ["creating", "manage_starting", "migrating", "migrating_to", "server_migrating", "restoring"]
}

/**
 * A rule's `state`. Below 2.28 it is the share's `access_rules_status` in other words: `new`, `active`, `out_of_sync`,
 * `error`.
 *
 * @since 0.1.0
 * @category tables
 */
export const accessRule: Statuses = {
  failures: ["error"],
  leaving: ["queued_to_deny", "denying"],
  steady: ["active"],
  transitional: ["queued_to_apply", "applying", "queued_to_update", "updating", "new", "out_of_sync"]
}

/**
 * A replica's `status`; its `replica_state` is another field.
 *
 * @since 0.1.0
 * @category tables
 */
export const replica: Statuses = {
  failures: ["error", "error_deleting", "reverting_error"],
  leaving: ["deleting"],
  steady: ["available"],
  transitional: [
    "creating",
    "replication_change",
    "reverting",
    "extending",
    "shrinking",
    "migrating",
    "server_migrating",
    "ensuring"
  ]
}

/**
 * @since 0.1.0
 * @category tables
 */
export const backup: Statuses = {
  failures: ["error", "error_deleting"],
  leaving: ["deleting"],
  steady: ["available"],
  transitional: ["creating", "restoring"]
}

/**
 * A reader for the goals of `waiter/StatusGoal`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reader = <A>(statuses: Statuses, status: (resource: A) => string | null | undefined): Reader<A> => ({
  ...statuses,
  status
})
