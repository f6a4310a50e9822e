/**
 * Backups: what a wait looks at, when it is done, and the asynchronous verbs as pairs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Retry from "../../../http/Retry.ts"
import type * as Goal from "../../../waiter/Goal.ts"
import * as Pace from "../../../waiter/Pace.ts"
import * as StatusGoal from "../../../waiter/StatusGoal.ts"
import type { WaitError } from "../../../waiter/WaitError.ts"
import * as Waiter from "../../../waiter/Waiter.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Status from "../../Status.ts"
import * as Verb from "../../Verb.ts"
import * as ShareGoals from "../share/goals.ts"
import type { Share, ShareId } from "../share/model.ts"
import { create, get, remove, restore } from "./model.ts"
import type { Backup, BackupId, Create } from "./model.ts"

const percent = (digits: string | null | undefined) =>
  digits == null || digits === "" ? Effect.void : Waiter.hint({ progress: `${digits}%` })

/**
 * What a wait looks at: the backup, or `None` once it is not there. One request a look.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = (id: BackupId): Effect.Effect<Option.Option<Backup>, ManilaError, Manila> =>
  get({ id }).pipe(
    Effect.tap(({ progress, status }) => (status === "creating" ? percent(progress) : Effect.void)),
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a backup.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<Backup> = Status.reader(Status.backup, ({ status }) => status)

/**
 * The statuses in which a delete is accepted.
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
  options?: StatusGoal.PresentOptions<Backup>
): Goal.Goal<Backup> => StatusGoal.present(reader, wanted, options)

/**
 * @since 0.1.0
 * @category goals
 */
export const available: Goal.Goal<Backup> = status("available")

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<Backup> = StatusGoal.absent(reader, {
  from: deletable,
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Deleted by a request that was accepted: the old state may not stand for longer than 60 s.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Backup> = StatusGoal.absent(reader, { from: deletable })

/**
 * What a wait for a restore sees: the backup, and the share that it overwrites.
 *
 * @since 0.1.0
 * @category models
 */
export interface Restoring {
  readonly id: BackupId
  readonly name?: string | null | undefined
  readonly backup: Backup
  readonly share: Share
}

/**
 * One look is one request of the backup and one of the share; `None` if either is not there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probeRestore = ({
  id,
  shareId
}: RestoreTarget): Effect.Effect<Option.Option<Restoring>, ManilaError, Manila> =>
  get({ id }).pipe(
    Effect.tap(({ restore_progress, status }) => (status === "restoring" ? percent(restore_progress) : Effect.void)),
    Effect.flatMap((backup) =>
      Effect.map(
        ShareGoals.probe(shareId),
        Option.map((share): Restoring => ({ id, name: backup.name, backup, share }))
      )
    ),
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a restore: a failure of either is one, and both have to be at rest.
 *
 * @since 0.1.0
 * @category goals
 */
export const restoreReader: StatusGoal.Reader<Restoring> = {
  ...Status.backup,
  failures: [...Status.backup.failures, ...Status.share.failures],
  leaving: [...Status.backup.leaving, ...Status.share.leaving],
  status: ({ backup, share }) => {
    const failed = Status.backup.failures.includes(backup.status)
    if (failed || Status.share.failures.includes(share.status)) return failed ? backup.status : share.status
    return backup.status === "available" ? share.status : backup.status
  }
}

/**
 * Backup and share are available, and the share says that it comes from this backup, which it does from the moment the
 * restore is accepted.
 *
 * @since 0.1.0
 * @category goals
 */
export const restored: Goal.Goal<Restoring> = StatusGoal.present(restoreReader, "available", {
  from: ["available"],
  also: ({ backup, share }) => share.source_backup_id === backup.id,
  alsoDescription: "restored"
})

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: BackupId
}

/**
 * @since 0.1.0
 * @category models
 */
export interface RestoreTarget extends Target {
  readonly shareId: ShareId
}

const kind = "backup"
const shared = { kind, probe: ({ id }: Target) => probe(id) }

/**
 * Every asynchronous verb of a backup, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  create: Verb.make<Create, Target, Backup>({
    ...shared,
    verb: "create",
    request: (input) => Effect.map(create(input), ({ id, name }) => ({ target: { id }, name })),
    goal: () => available,
    pace: Pace.status
  }),
  delete: Verb.make<Target, Target, Backup>({
    ...shared,
    verb: "delete",
    request: ({ id }) => Effect.as(remove({ id }), { target: { id } }),
    goal: () => deleted,
    pace: Pace.deletion
  }),
  restore: Verb.make<Parameters<typeof restore>[0], RestoreTarget, Restoring>({
    kind,
    verb: "restore",
    // The answer says which share it is.
    request: (input) => Effect.map(restore(input), ({ share_id }) => ({ target: { id: input.id, shareId: share_id } })),
    probe: probeRestore,
    goal: () => restored,
    blamed: ({ shareId }) => shareId,
    pace: Pace.status
  })
}

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/**
 * Makes a backup and waits until it is available.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(input: Create, options?: Verb.Options<R>): Ended<Backup, R> =>
  Effect.map(Verb.run(verbs.create, input, options), Option.getOrThrow)

/**
 * Deletes a backup and waits until it is gone, at most 300 s unless told otherwise.
 *
 * @since 0.1.0
 * @category waiting
 */
export const deleteAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.delete, input, options))

/**
 * Restores a backup and waits until backup and share are available again. A failure of either is one.
 *
 * @since 0.1.0
 * @category waiting
 */
export const restoreAndWait = <R = never>(
  input: Parameters<typeof restore>[0],
  options?: Verb.Options<R>
): Ended<Restoring, R> => Effect.map(Verb.run(verbs.restore, input, options), Option.getOrThrow)
