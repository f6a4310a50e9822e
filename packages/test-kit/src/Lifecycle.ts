/**
 * What becomes of an object after an action, as data: statuses and how long each stands.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { InvalidOption } from "./InvalidOption.ts"

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
  /** Three digits of the service's list, for example `008`; each action has its own default. */
  readonly detailId?: string
  /** Stands after the action's name, as in `extend: …`. Default: a sentence for the detail id. */
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

const failing = (phase: Phase): boolean => /error/.test(phase.status)

const steps = (...phases: ReadonlyArray<Phase>): Lifecycle => ({ phases })

/**
 * What happens if nothing is said: short, and as a healthy cloud does it. The keys are every action of the service
 * that ends later than its answer.
 *
 * @since 0.1.0
 * @category data
 */
export const defaults = {
  "share.create": steps({ status: "creating", millis: 6000 }, { status: "available" }),
  "share.create_from_snapshot": steps(
    { status: "creating", millis: 2000 },
    { status: "creating_from_snapshot", millis: 6000 },
    { status: "available" }
  ),
  "share.manage": steps({ status: "manage_starting", millis: 4000 }, { status: "available" }),
  "share.unmanage": steps({ status: "unmanage_starting", millis: 4000 }, { status: "gone" }),
  "share.delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "share.force_delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "share_instance.force_delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "share.extend": steps({ status: "extending", millis: 4000 }, { status: "available" }),
  "share.shrink": steps({ status: "shrinking", millis: 4000 }, { status: "available" }),
  "share.revert": steps({ status: "reverting", millis: 4000 }, { status: "available" }),
  "snapshot.create": steps({ status: "creating", millis: 4000 }, { status: "available" }),
  "snapshot.manage": steps({ status: "manage_starting", millis: 4000 }, { status: "available" }),
  "snapshot.unmanage": steps({ status: "unmanage_starting", millis: 4000 }, { status: "gone" }),
  "snapshot.delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "snapshot.force_delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "replica.create": steps(
    { status: "creating", millis: 6000 },
    { status: "out_of_sync", millis: 4000 },
    { status: "in_sync" }
  ),
  "replica.delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "replica.force_delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "replica.promote": steps({ status: "replication_change", millis: 4000 }, { status: "active" }),
  "replica.resync": steps({ status: "out_of_sync", millis: 4000 }, { status: "in_sync" }),
  "backup.create": steps({ status: "creating", millis: 6000 }, { status: "available" }),
  "backup.delete": steps({ status: "deleting", millis: 4000 }, { status: "gone" }),
  "backup.restore": steps({ status: "restoring", millis: 4000 }, { status: "available" }),
  "access.create": steps(
    { status: "queued_to_apply", millis: 1000 },
    { status: "applying", millis: 2000 },
    { status: "active" }
  ),
  "access.update": steps(
    { status: "queued_to_update", millis: 1000 },
    { status: "updating", millis: 2000 },
    { status: "active" }
  ),
  "access.delete": steps(
    { status: "queued_to_deny", millis: 1000 },
    { status: "denying", millis: 2000 },
    { status: "gone" }
  ),
  "snapshot_access.create": steps(
    { status: "queued_to_apply", millis: 1000 },
    { status: "applying", millis: 2000 },
    { status: "active" }
  ),
  "snapshot_access.delete": steps(
    { status: "queued_to_deny", millis: 1000 },
    { status: "denying", millis: 2000 },
    { status: "gone" }
  )
} as const satisfies Record<string, Lifecycle>

/**
 * @since 0.1.0
 * @category models
 */
export type Action = keyof typeof defaults

/**
 * Every action by name.
 *
 * @since 0.1.0
 * @category data
 */
export const actions: ReadonlyArray<Action> = Object.keys(defaults) as Array<Action> // the keys are the type's own

/**
 * Short spelling of phases: a bare status stands for ever, a pair says how long.
 *
 * @example
 * phases(["creating", "20 seconds"], "available")
 *
 * @since 0.1.0
 * @category constructors
 */
export const phases = (
  ...steps: ReadonlyArray<string | readonly [status: string, stands: Duration.DurationInput]>
): ReadonlyArray<Phase> =>
  steps.map((step) =>
    typeof step === "string" ? { status: step } : { status: step[0], millis: Duration.toMillis(step[1]) }
  )

/**
 * The phase at which a reason becomes a message: the first status with `error` in it, or the last of a change that was
 * rolled back.
 *
 * @since 0.1.0
 * @category getters
 */
export const failureIndex = (lifecycle: Lifecycle): number => {
  const first = lifecycle.phases.findIndex(failing)
  return first === -1 ? lifecycle.phases.length - 1 : first
}

/**
 * Throws an `InvalidOption` that names the place if a lifecycle can't be.
 *
 * @since 0.1.0
 * @category assertions
 */
export const check = (lifecycle: Lifecycle, at: string): void => {
  const wrong = (where: string, problem: string) => {
    throw new InvalidOption({ option: where, problem })
  }
  const { phases } = lifecycle
  if (!Array.isArray(phases) || phases.length === 0) wrong(`${at}.phases`, "needs at least one phase")
  phases.forEach((phase, index) => {
    const where = `${at}.phases[${index}]`
    const last = index === phases.length - 1
    if (typeof phase.status !== "string" || phase.status === "") wrong(`${where}.status`, "must be a status")
    if (phase.status === "gone" && !last) wrong(`${where}.status`, "nothing can follow gone")
    if (phase.millis === undefined) {
      if (!last) wrong(`${where}.millis`, "is missing, so this phase stands for ever and the next one never comes")
    } else if (typeof phase.millis !== "number" || !Number.isFinite(phase.millis) || phase.millis < 0) {
      wrong(`${where}.millis`, `must be milliseconds from 0 up, not ${String(phase.millis)}`)
    } else if (last) {
      wrong(`${where}.millis`, "the last phase stands for ever: leave millis out, or add the status that follows")
    }
  })
  if (lifecycle.effect !== undefined && lifecycle.effect !== "none") wrong(`${at}.effect`, `can only be "none"`)
  const detail = lifecycle.reason?.detailId
  if (detail !== undefined && !/^\d{3}$/.test(detail)) wrong(`${at}.reason.detailId`, "must be three digits")
}
