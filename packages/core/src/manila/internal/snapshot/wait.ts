/**
 * Snapshots: what a wait looks at, when it is done, and the asynchronous verbs as pairs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Retry from "../../../http/Retry.ts"
import type * as Goal from "../../../waiter/Goal.ts"
import * as Pace from "../../../waiter/Pace.ts"
import * as StatusGoal from "../../../waiter/StatusGoal.ts"
import type { WaitError } from "../../../waiter/WaitError.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Status from "../../Status.ts"
import * as Verb from "../../Verb.ts"
import { abandon, adopt, create, forceRemove, get, remove } from "./model.ts"
import type { Adopt, Create, Snapshot, SnapshotId } from "./model.ts"

/**
 * What a wait looks at: the snapshot, or `None` once it is not there. One request a look.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (id: SnapshotId): Effect.Effect<Option.Option<Snapshot>, ManilaError, Manila> =>
  get({ id }).pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a snapshot.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<Snapshot> = Status.reader(Status.snapshot, ({ status }) => status)

/**
 * The statuses in which a plain delete is accepted.
 *
 * @since 0.1.0
 * @category goals
 */
export const deletable: ReadonlyArray<string> = ["available", "error"]

/**
 * @since 0.1.0
 * @category goals
 */
export const status = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<Snapshot>
): Goal.Goal<Snapshot> => StatusGoal.present(reader, wanted, options)

/**
 * @since 0.1.0
 * @category goals
 */
export const available: Goal.Goal<Snapshot> = status("available")

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<Snapshot> = StatusGoal.absent(reader, {
  from: deletable,
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Deleted by a request that was accepted: the old state may not stand for longer than 60 s.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Snapshot> = StatusGoal.absent(reader, { from: deletable })

/**
 * Deleted by force: every status was allowed.
 *
 * @since 0.1.0
 * @category goals
 */
export const forceDeleted: Goal.Goal<Snapshot> = StatusGoal.absent(reader, { from: "any" })

/**
 * Abandoned by a request that was accepted: every status at rest was allowed, failures included.
 *
 * @since 0.1.0
 * @category goals
 */
export const abandoned: Goal.Goal<Snapshot> = StatusGoal.absent(reader, { from: "any" })

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: SnapshotId
}

const shared = { kind: "snapshot", probe: ({ id }: Target) => probe(id) }

const byId = (operation: (input: Target) => Effect.Effect<void, ManilaError, Manila>) => (input: Target) =>
  Effect.as(operation(input), { target: { id: input.id } })

/**
 * Every asynchronous verb of a snapshot, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  create: Verb.make<Create, Target, Snapshot>({
    ...shared,
    verb: "create",
    request: (input) => Effect.map(create(input), ({ id, name }) => ({ target: { id }, name })),
    goal: () => available,
    pace: Pace.status
  }),
  delete: Verb.make<Target, Target, Snapshot>({
    ...shared,
    verb: "delete",
    request: byId(remove),
    goal: () => deleted,
    pace: Pace.deletion
  }),
  forceDelete: Verb.make<Target, Target, Snapshot>({
    ...shared,
    verb: "force delete",
    request: byId(forceRemove),
    goal: () => forceDeleted,
    pace: Pace.deletion
  }),
  adopt: Verb.make<Adopt, Target, Snapshot>({
    ...shared,
    verb: "adopt",
    request: (input) => Effect.map(adopt(input), ({ id, name }) => ({ target: { id }, name })),
    goal: () => available,
    pace: Pace.status
  }),
  abandon: Verb.make<Target, Target, Snapshot>({
    ...shared,
    verb: "abandon",
    request: byId(abandon),
    goal: () => abandoned,
    pace: Pace.deletion
  })
}

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/**
 * Creates a snapshot and waits until it is available.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(input: Create, options?: Verb.Options<R>): Ended<Snapshot, R> =>
  Effect.map(Verb.run(verbs.create, input, options), Option.getOrThrow)

/**
 * Deletes a snapshot and waits until it is gone, at most 300 s unless told otherwise.
 *
 * @since 0.1.0
 * @category waiting
 */
export const deleteAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.delete, input, options))

/**
 * @since 0.1.0
 * @category waiting
 */
export const forceDeleteAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.forceDelete, input, options))

/**
 * Takes a snapshot over and waits until it is available.
 *
 * @since 0.1.0
 * @category waiting
 */
export const adoptAndWait = <R = never>(input: Adopt, options?: Verb.Options<R>): Ended<Snapshot, R> =>
  Effect.map(Verb.run(verbs.adopt, input, options), Option.getOrThrow)

/**
 * Abandons a snapshot and waits until the service has forgotten it, at most 300 s unless told otherwise.
 *
 * @since 0.1.0
 * @category waiting
 */
export const abandonAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.abandon, input, options))
