/**
 * What becomes of an object after an action, as data: statuses and how long each stands.
 *
 * @since 0.1.0
 */

/**
 * One status and how long it stands. Without `millis` it stands for ever, or until a request changes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Phase {
  readonly status: string
  readonly millis?: number
}

/**
 * The user message that appears when a failure status is reached.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reason {
  /** Three digits of the service's list, for example `008`. */
  readonly detailId?: string
  readonly message?: string
  /** Default `ERROR`. */
  readonly level?: string
}

/**
 * Statuses in order. A last status `gone` means that reads answer 404 from then on. `effect: "none"` is a change that
 * was rolled back: the object comes back to a good status with nothing changed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Lifecycle {
  readonly phases: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly effect?: "none"
}

/**
 * Every action of the service that ends later than its answer.
 *
 * @since 0.1.0
 * @category data
 */
export const actions = [
  "share.create",
  "share.create_from_snapshot",
  "share.delete",
  "share.force_delete",
  "share.extend",
  "share.shrink",
  "share.revert",
  "snapshot.create",
  "snapshot.delete",
  "snapshot.force_delete",
  "access.create",
  "access.update",
  "access.delete"
] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Action = (typeof actions)[number]
