/**
 * Share instances: what a wait looks at, when it is done, and the asynchronous verb as a pair.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Retry from "../../../http/Retry.ts"
import type * as Goal from "../../../waiter/Goal.ts"
import * as Pace from "../../../waiter/Pace.ts"
import * as StatusGoal from "../../../waiter/StatusGoal.ts"
import type { WaitError } from "../../../waiter/WaitError.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Status from "../../Status.ts"
import * as Verb from "../../Verb.ts"
import { forceRemove, get } from "./model.ts"
import type { ShareInstance, ShareInstanceId } from "./model.ts"

/**
 * What a wait looks at: the instance, or `None` once it is not there. One request a look.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (id: ShareInstanceId): Effect.Effect<Option.Option<ShareInstance>, ManilaError, Manila> =>
  get({ id }).pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read an instance: its statuses are a share's.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<ShareInstance> = Status.reader(Status.share, ({ status }) => status)

/**
 * Reached at a status, or one of several.
 *
 * @since 0.1.0
 * @category goals
 */
export const status = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<ShareInstance>
): Goal.Goal<ShareInstance> => StatusGoal.present(reader, wanted, options)

/**
 * @since 0.1.0
 * @category goals
 */
export const available: Goal.Goal<ShareInstance> = status("available")

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<ShareInstance> = StatusGoal.absent(reader, {
  from: "any",
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Deleted by a request that was accepted: every status was allowed, and the old one may not stand for longer than 60 s.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<ShareInstance> = StatusGoal.absent(reader, { from: "any" })

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: ShareInstanceId
}

/**
 * Every asynchronous verb of an instance, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  forceDelete: Verb.make<Target, Target, ShareInstance>({
    kind: "share instance",
    verb: "force delete",
    request: ({ id }) => Effect.as(forceRemove({ id }), { target: { id } }),
    probe: ({ id }) => probe(id),
    goal: () => deleted,
    pace: Pace.deletion
  })
}

/**
 * Deletes an instance and waits until it is gone, at most 300 s unless told otherwise. It fails at once where the back end
 * does: the Python client goes on looking at one in `error_deleting` for all of its 300 s.
 *
 * @since 0.1.0
 * @category waiting
 */
export const forceDeleteAndWait = <R = never>(
  input: Target,
  options?: Verb.Options<R>
): Effect.Effect<void, ManilaError | WaitError, Manila | R> =>
  Effect.asVoid(Verb.run(verbs.forceDelete, input, options))
