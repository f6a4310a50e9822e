/**
 * Shares: what a wait looks at, and when it is done.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Retry from "../../../http/Retry.ts"
import * as Goal from "../../../waiter/Goal.ts"
import * as StatusGoal from "../../../waiter/StatusGoal.ts"
import * as Waiter from "../../../waiter/Waiter.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Status from "../../Status.ts"
import type { Share, ShareId } from "./model.ts"
import { get } from "./operations.ts"

/**
 * What a wait looks at: the share, or `None` once it is not there. One request a look, never repeated by the client.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (id: ShareId): Effect.Effect<Option.Option<Share>, ManilaError, Manila> =>
  get({ id }).pipe(
    // It is the progress of the creation, and stays at 100% ever after.
    Effect.tap(({ progress, status }) =>
      progress == null || !status.startsWith("creating") ? Effect.void : Waiter.hint({ progress })
    ),
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a share.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<Share> = Status.reader(Status.share, ({ status }) => status)

/** A share in the recycle bin keeps its status; for its goals being there is one. */
const binReader: StatusGoal.Reader<Share> = Status.reader(Status.share, ({ is_soft_deleted, status }) =>
  is_soft_deleted === true ? "soft_deleted" : status
)

/**
 * The statuses in which a plain delete is accepted.
 *
 * @since 0.1.0
 * @category goals
 */
export const deletable: ReadonlyArray<string> = ["available", "error", "inactive"]

/**
 * Reached at a status, or one of several.
 *
 * @since 0.1.0
 * @category goals
 */
export const status = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<Share>
): Goal.Goal<Share> => StatusGoal.present(reader, wanted, options)

/**
 * @since 0.1.0
 * @category goals
 */
export const available: Goal.Goal<Share> = status("available")

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<Share> = StatusGoal.absent(reader, {
  from: deletable,
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Deleted by a request that was accepted: as {@link gone}, but the old state may not stand for longer than 60 s.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Share> = StatusGoal.absent(reader, { from: deletable })

/**
 * Deleted by force: every status was allowed.
 *
 * @since 0.1.0
 * @category goals
 */
export const forceDeleted: Goal.Goal<Share> = StatusGoal.absent(reader, { from: "any" })

/**
 * Available at the wanted size (GiB), also if `extending` or `shrinking` was never seen. Back at the old size is a
 * roll-back: the scheduler found no host, or the driver refused.
 *
 * @since 0.1.0
 * @category goals
 */
export const resized = (
  size: number,
  from: ReadonlyArray<string> = ["available", "shrinking_possible_data_loss_error"]
): Goal.Goal<Share> =>
  status("available", { from, also: (share) => share.size === size, alsoDescription: `${size} GiB` })

/**
 * In the recycle bin; its status stays what it was.
 *
 * @since 0.1.0
 * @category goals
 */
export const softDeleted: Goal.Goal<Share> = Goal.describe(
  StatusGoal.present(binReader, "soft_deleted", { from: deletable }),
  "in the recycle bin"
)

/**
 * Out of the recycle bin again.
 *
 * @since 0.1.0
 * @category goals
 */
export const restored: Goal.Goal<Share> = Goal.describe(
  StatusGoal.present(binReader, deletable, { from: ["soft_deleted"] }),
  "out of the recycle bin"
)

/**
 * Available after `reverting`. The old state and the target are both `available`, so another status has to be seen
 * first; with `resumed` that is not asked for.
 *
 * @since 0.1.0
 * @category goals
 */
export const reverted = (resumed = false): Goal.Goal<Share> =>
  resumed ? available : status("available", { from: ["available"] })
