/**
 * Replicas: what a wait looks at, when it is done, and the asynchronous verbs as pairs.
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
import { create, forceRemove, get, promote, remove, resync } from "./model.ts"
import type { Create, Replica, ReplicaId } from "./model.ts"

/**
 * What a wait looks at: the replica, or `None` once it is not there. One request a look.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (id: ReplicaId): Effect.Effect<Option.Option<Replica>, ManilaError, Manila> =>
  get({ id }).pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a replica: by its status, and one whose state is `error` has failed, whatever its status is.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<Replica> = Status.reader(Status.replica, ({ replica_state, status }) =>
  status === "available" && replica_state === "error" ? "error" : status
)

/**
 * How goals read a replica's data: by its state, unless the status is a failure or something is still being done.
 *
 * @since 0.1.0
 * @category goals
 */
export const stateReader: StatusGoal.Reader<Replica> = {
  ...Status.replica,
  steady: ["active", "in_sync", "out_of_sync"],
  status: ({ replica_state, status }) => {
    const isFailure = Status.replica.failures.includes(status)
    return !isFailure && replica_state === "active" ? "active" : status === "available" ? replica_state : status
  }
}

/**
 * @since 0.1.0
 * @category goals
 */
export const status = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<Replica>
): Goal.Goal<Replica> => StatusGoal.present(reader, wanted, options)

/**
 * Reached at a `replica_state`, or one of several.
 *
 * @since 0.1.0
 * @category goals
 */
export const state = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<Replica>
): Goal.Goal<Replica> => StatusGoal.present(stateReader, wanted, options)

/**
 * Its data may still be on their way: see {@link inSync}.
 *
 * @since 0.1.0
 * @category goals
 */
export const available: Goal.Goal<Replica> = status("available")

/**
 * Its data are those of the active replica, or it is that one itself.
 *
 * @since 0.1.0
 * @category goals
 */
export const inSync: Goal.Goal<Replica> = state(["in_sync", "active"])

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<Replica> = StatusGoal.absent(reader, {
  from: "any",
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Deleted by a request that was accepted: every status was allowed, and the old one may not stand for longer than 60 s.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Replica> = StatusGoal.absent(reader, { from: "any" })

/**
 * It is the active one. Back in the state from before it was rolled back; a status in error fails it too, which leaves
 * the state as it was.
 *
 * @since 0.1.0
 * @category goals
 */
export const promoted: Goal.Goal<Replica> = state("active", { from: ["in_sync", "out_of_sync", "error"] })

/**
 * In sync after a resync, which is accepted in error too.
 *
 * @since 0.1.0
 * @category goals
 */
export const resynced: Goal.Goal<Replica> = state(["in_sync", "active"], { from: ["error"] })

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: ReplicaId
}

const shared = { kind: "replica", probe: ({ id }: Target) => probe(id) }

const byId =
  <I extends Target>(operation: (input: I) => Effect.Effect<void, ManilaError, Manila>) =>
  (input: I) =>
    Effect.as(operation(input), { target: { id: input.id } })

/**
 * Every asynchronous verb of a replica, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  create: Verb.make<Create, Target, Replica>({
    ...shared,
    verb: "create",
    request: (input) => Effect.map(create(input), ({ id }) => ({ target: { id } })),
    goal: () => available,
    pace: Pace.status
  }),
  delete: Verb.make<Target, Target, Replica>({
    ...shared,
    verb: "delete",
    request: byId(remove),
    goal: () => deleted,
    pace: Pace.deletion
  }),
  forceDelete: Verb.make<Target, Target, Replica>({
    ...shared,
    verb: "force delete",
    request: byId(forceRemove),
    goal: () => deleted,
    pace: Pace.deletion
  }),
  promote: Verb.make<Parameters<typeof promote>[0], Target, Replica>({
    ...shared,
    verb: "promote",
    request: byId(promote),
    goal: () => promoted,
    pace: Pace.status
  }),
  resync: Verb.make<Target, Target, Replica>({
    ...shared,
    verb: "resync",
    request: byId(resync),
    goal: () => resynced,
    pace: Pace.status
  })
}

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/** A goal of presence gives `Some`; the type of a wait can't say so. */
const present = <E, R>(wait: Effect.Effect<Option.Option<Replica>, E, R>): Effect.Effect<Replica, E, R> =>
  Effect.map(wait, Option.getOrThrow)

/**
 * Creates a replica and waits until it is available. Its data may take longer: {@link inSync} waits for those.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(input: Create, options?: Verb.Options<R>): Ended<Replica, R> =>
  present(Verb.run(verbs.create, input, options))

/**
 * Deletes a replica and waits until it is gone, at most 300 s unless told otherwise.
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
 * Promotes a replica and waits until it is the active one.
 *
 * @since 0.1.0
 * @category waiting
 */
export const promoteAndWait = <R = never>(
  input: Parameters<typeof promote>[0],
  options?: Verb.Options<R>
): Ended<Replica, R> => present(Verb.run(verbs.promote, input, options))

/**
 * Resyncs a replica and waits until it is in sync.
 *
 * @since 0.1.0
 * @category waiting
 */
export const resyncAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<Replica, R> =>
  present(Verb.run(verbs.resync, input, options))
