/**
 * Shares: the asynchronous verbs, as pairs of do and do-and-wait.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Pace from "../../../waiter/Pace.ts"
import type { WaitError } from "../../../waiter/WaitError.ts"
import * as Waiter from "../../../waiter/Waiter.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Goals from "./goals.ts"
import type { Create, Share, ShareId } from "./model.ts"
import * as Operations from "./operations.ts"
import * as Verb from "../../Verb.ts"

const kind = "share"

const byId =
  <I extends { readonly id: ShareId }>(operation: (input: I) => Effect.Effect<void, ManilaError, Manila>) =>
  (input: I) =>
    Effect.as(operation(input), { target: { id: input.id } })

const probe = ({ id }: { readonly id: ShareId }) => Goals.probe(id)

/** @internal */
type Target = { readonly id: ShareId }

const verb = <I>(
  name: string,
  pace: Pace.Pace,
  request: Verb.Verb<I, Target, Share>["request"],
  goal: Verb.Verb<I, Target, Share>["goal"]
): Verb.Verb<I, Target, Share> => Verb.make({ kind, verb: name, request, probe, goal, pace })

/**
 * Every asynchronous verb of a share, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  create: verb<Create>(
    "create",
    Pace.status,
    (input) => Effect.map(Operations.create(input), ({ id, name }) => ({ target: { id }, name })),
    () => Goals.available
  ),
  delete: verb<Parameters<typeof Operations.remove>[0]>(
    "delete",
    Pace.deletion,
    byId(Operations.remove),
    () => Goals.deleted
  ),
  forceDelete: verb<Target>("force delete", Pace.deletion, byId(Operations.forceRemove), () => Goals.forceDeleted),
  softDelete: verb<Target>("soft delete", Pace.status, byId(Operations.softRemove), () => Goals.softDeleted),
  restore: verb<Target>("restore", Pace.status, byId(Operations.restore), () => Goals.restored),
  extend: verb<Parameters<typeof Operations.extend>[0]>("extend", Pace.status, byId(Operations.extend), ({ newSize }) =>
    Goals.resized(newSize, ["available"])
  ),
  shrink: verb<Parameters<typeof Operations.shrink>[0]>("shrink", Pace.status, byId(Operations.shrink), ({ newSize }) =>
    Goals.resized(newSize)
  ),
  revert: verb<Parameters<typeof Operations.revert>[0]>("revert", Pace.status, byId(Operations.revert), (_, resumed) =>
    Goals.reverted(resumed)
  )
}

/** A goal of presence gives `Some`; the type of a wait can't say so. */
const present = <E, R>(wait: Effect.Effect<Option.Option<Share>, E, R>): Effect.Effect<Share, E, R> =>
  Effect.map(wait, Option.getOrThrow)

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/**
 * Creates a share and waits until it is available.
 *
 * Fails with `WaitFailed` and the service's reason if it ends in an error status; the share is then still there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(input: Create, options?: Verb.Options<R>): Ended<Share, R> =>
  present(Verb.run(verbs.create, input, options))

/**
 * Deletes a share and waits until it is gone, at most 300 s unless told otherwise. A share that is not there is
 * `NotFound`.
 *
 * @since 0.1.0
 * @category waiting
 */
export const deleteAndWait = <R = never>(
  input: Parameters<typeof Operations.remove>[0],
  options?: Verb.Options<R>
): Ended<void, R> => Effect.asVoid(Verb.run(verbs.delete, input, options))

/**
 * @since 0.1.0
 * @category waiting
 */
export const forceDeleteAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.forceDelete, input, options))

/**
 * Waits for the share to be in the recycle bin, not for its absence: it stays readable there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const softDeleteAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<Share, R> =>
  present(Verb.run(verbs.softDelete, input, options))

/**
 * @since 0.1.0
 * @category waiting
 */
export const restoreAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<Share, R> =>
  present(Verb.run(verbs.restore, input, options))

/**
 * Grows a share and waits until it is available at the new size.
 *
 * @since 0.1.0
 * @category waiting
 */
export const extendAndWait = <R = never>(
  input: Parameters<typeof Operations.extend>[0],
  options?: Verb.Options<R>
): Ended<Share, R> => present(Verb.run(verbs.extend, input, options))

/**
 * Shrinks a share and waits until it is available at the new size.
 *
 * @since 0.1.0
 * @category waiting
 */
export const shrinkAndWait = <R = never>(
  input: Parameters<typeof Operations.shrink>[0],
  options?: Verb.Options<R>
): Ended<Share, R> => present(Verb.run(verbs.shrink, input, options))

/**
 * Reverts a share to its latest snapshot and waits until it is available again.
 *
 * @since 0.1.0
 * @category waiting
 */
export const revertAndWait = <R = never>(
  input: Parameters<typeof Operations.revert>[0],
  options?: Verb.Options<R>
): Ended<Share, R> => present(Verb.run(verbs.revert, input, options))

/**
 * A share that lives as long as its scope: created and awaited now, deleted and awaited when the scope closes.
 *
 * The finalizer is registered as soon as the id is known, so that a wait that fails or is interrupted leaves nothing
 * behind; the request itself can't be interrupted. When the scope closes because of an interruption the delete is sent
 * and not waited for; otherwise it is waited for within the deletion limit, and so is a status in which the service
 * refuses it (it deletes nothing that is still being made). A share that is gone already is fine; any other failure of
 * the release is logged with the share's id and a defect, since nothing may be left behind in silence.
 *
 * @since 0.1.0
 * @category scoped
 */
export const scoped = <R = never>(
  input: Create,
  options: Verb.Options<R> & {
    /** How to wait for the deletion. Default: every 5 s, 300 s in all. */
    readonly release?: Verb.Options | undefined
  } = {}
): Effect.Effect<Share, ManilaError | WaitError, Manila | Scope.Scope | R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const limit = yield* Verb.deadline(verbs.create, options)
      const accepted = yield* verbs.create.request(input)
      yield* Effect.addFinalizer((exit) => release(accepted.target, exit, options.release))
      const settled = Verb.settle(verbs.create, input, accepted, { ...options, limit })
      return yield* restore(present(Effect.flatMap(settled, Waiter.fromOutcome)))
    })
  )

const release = (
  target: Target,
  exit: Exit.Exit<unknown, unknown>,
  options: Verb.Options = {}
): Effect.Effect<void, never, Manila> => {
  const removed = Exit.isInterrupted(exit)
    ? Operations.remove(target)
    : Effect.flatMap(Verb.deadline(verbs.delete, options), (limit) => {
        const within = { ...options, limit }
        return Effect.catchTag(deleteAndWait(target, within), "Forbidden", (refused) =>
          Effect.zipRight(atRest(target, refused, within), deleteAndWait(target, within))
        )
      })
  return removed.pipe(
    Effect.catchTag("NotFound", () => Effect.void),
    Effect.tapError((error) => Effect.logError(`share ${target.id} was made for a scope and is left behind`, error)),
    Effect.orDie
  )
}

/** A share that is still on its way somewhere is not deleted by the service: that is waited out, nothing else is. */
const atRest = (
  target: Target,
  refused: ManilaError,
  options: Verb.Options
): Effect.Effect<void, ManilaError, Manila> =>
  Effect.flatMap(
    Waiter.outcome(probe(target), Goals.status(Goals.deletable), {
      ...options,
      pace: options.pace ?? Pace.deletion,
      subject: { kind, id: target.id, verb: "delete" }
    }),
    (outcome) => {
      const isGone = outcome._tag === "Failed" && /^(notFound|goneAfterSeen)$/.test(outcome.error.cause)
      return outcome._tag === "Reached" || isGone ? Effect.void : Effect.fail(refused)
    }
  )
