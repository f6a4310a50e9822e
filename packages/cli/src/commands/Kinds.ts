/**
 * The kinds of resources that `wait` waits for: how each is found and looked at, and what a status means to it.
 *
 * @since 0.1.0
 */
import * as Backup from "@effect-manila/core/manila/Backup"
import * as Find from "@effect-manila/core/manila/Find"
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Replica from "@effect-manila/core/manila/Replica"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as ShareInstance from "@effect-manila/core/manila/ShareInstance"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Status from "@effect-manila/core/manila/Status"
import * as Retry from "@effect-manila/core/http/Retry"
import type * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import type * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CommandError } from "../Command.ts"
import type { kinds } from "../nouns/Wait.ts"
import type * as Resolve from "./Resolve.ts"

/**
 * What resume tokens of a cloud need beside the service.
 *
 * @since 0.1.0
 * @category models
 */
export type Env = Keystone.Keystone

/**
 * A resource of any kind: what a record and a goal need of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Seen {
  readonly id: string
  readonly name?: string | null | undefined
  readonly status: string
  /** A replica's data, if its status lets it say. */
  readonly data?: string | null | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type FindError = ManilaError | Find.NameAmbiguous

/**
 * @since 0.1.0
 * @category models
 */
export interface Kind {
  /** As it is written on the command line. */
  readonly word: (typeof kinds)[number]
  /** As it is called in a sentence. */
  readonly kind: string
  readonly reader: StatusGoal.Reader<Seen>
  /** Statuses in which a delete is accepted: a wait for absence stays in them. */
  readonly deletable: ReadonlyArray<string>
  readonly probe: (id: string) => Effect.Effect<Option.Option<Seen>, ManilaError, Manila>
  /** By name; one request. */
  readonly find: (name: string, scope: Resolve.Scope) => Effect.Effect<Seen, FindError | Find.NameNotFound, Manila>
}

const share: Kind = {
  word: "share",
  kind: "share",
  reader: { ...Share.reader, status: ({ status }) => status },
  deletable: Share.deletable,
  probe: (id) => Share.probe(Share.ShareId.make(id)),
  find: (name, { allProjects }) => Share.findByName(name, { allProjects })
}

const snapshot: Kind = {
  word: "snapshot",
  kind: "snapshot",
  reader: { ...Snapshot.reader, status: ({ status }) => status },
  deletable: Snapshot.deletable,
  probe: (id) => Snapshot.probe(Snapshot.SnapshotId.make(id)),
  find: (name, { allProjects }) => Snapshot.findByName(name, { allProjects })
}

const access: Kind = {
  word: "access",
  kind: "access rule",
  reader: { ...ShareAccess.reader, status: ({ status }) => status },
  deletable: ["active", "error"],
  // Without its share a rule can only be looked at by its own route, so this needs 2.45.
  probe: (id) =>
    ShareAccess.get({ id: ShareAccess.AccessRuleId.make(id) }).pipe(
      Effect.map((rule) => Option.some({ id: rule.id, status: rule.state ?? "" })),
      Effect.catchTag("NotFound", () => Effect.succeedNone),
      Retry.once
    ),
  find: (name) => Effect.fail(new Find.NameNotFound({ kind: "access rule", name }))
}

/** A word for its data is one for its state: a wait for `in_sync` looks at that. */
const replica: Kind = {
  word: "replica",
  kind: "replica",
  reader: { ...Replica.reader, status: ({ status }) => status },
  deletable: [...Status.replica.steady, ...Status.replica.failures],
  probe: (id) =>
    Effect.map(
      Replica.probe(Replica.ReplicaId.make(id)),
      Option.map((seen) => ({
        id: seen.id,
        status: Replica.reader.status(seen) ?? "",
        data: Replica.stateReader.status(seen)
      }))
    ),
  find: (name) => Effect.fail(new Find.NameNotFound({ kind: "replica", name }))
}

const instance: Kind = {
  word: "instance",
  kind: "share instance",
  reader: { ...ShareInstance.reader, status: ({ status }) => status },
  deletable: [...Status.share.steady, ...Status.share.failures],
  probe: (id) => ShareInstance.probe(ShareInstance.ShareInstanceId.make(id)),
  find: (name) => Effect.fail(new Find.NameNotFound({ kind: "share instance", name }))
}

const backup: Kind = {
  word: "backup",
  kind: "backup",
  reader: { ...Backup.reader, status: ({ status }) => status },
  deletable: Backup.deletable,
  probe: (id) => Backup.probe(Backup.BackupId.make(id)),
  find: (name, { allProjects }) => Backup.findByName(name, { allProjects })
}

/**
 * @since 0.1.0
 */
export const byWord: Readonly<Record<(typeof kinds)[number], Kind>> = {
  share,
  snapshot,
  access,
  replica,
  backup,
  instance
}

/**
 * `deleted` is absence; so is `gone`, which people write too.
 *
 * @since 0.1.0
 */
export const isAbsence = (status: string): boolean => /^(deleted|gone)$/i.test(status)

/**
 * Waiting for absence has a limit of its own, as every delete has.
 *
 * @since 0.1.0
 */
export const paceOf = (wanted: ReadonlyArray<string>): Pace.Pace =>
  wanted.every(isAbsence) ? Pace.deletion : Pace.status

/** `active`, `in_sync` and `out_of_sync` are said of data, everything else is a status. */
const readerOf = (kind: Kind, wanted: string): StatusGoal.Reader<Seen> =>
  kind.word === "replica" && /^(active|in_sync|out_of_sync)$/i.test(wanted)
    ? { ...kind.reader, status: ({ data, status }) => data ?? status }
    : kind.reader

/**
 * One goal for `--for` and every `--or`: whichever is reached first, saying which.
 *
 * @since 0.1.0
 */
export const goal = (kind: Kind, wanted: ReadonlyArray<string>, allowMissing: boolean): Goal.Goal<Seen> =>
  wanted
    .map((status): Goal.Goal<Seen> =>
      isAbsence(status)
        ? StatusGoal.absent(kind.reader, { from: kind.deletable, noEffectAfter: Number.POSITIVE_INFINITY })
        : StatusGoal.present(readerOf(kind, status), status, { missing: allowMissing ? "allow" : "fail" })
    )
    .reduce((one, two) => Goal.either(one, two))

/**
 * How to begin, and what each look does. An id is looked at as it is; a name is looked up once and the id stays fixed.
 * With `allowMissing` the looks themselves are look-ups, until the resource is first seen.
 *
 * @since 0.1.0
 */
export const looker = (
  kind: Kind,
  text: string,
  options: {
    readonly allProjects: boolean
    readonly allowMissing: boolean
    /** Told the id when a name that nothing had is first seen. */
    readonly onFound?: (id: string) => Effect.Effect<void>
  }
): {
  readonly start: Effect.Effect<
    { readonly id: string; readonly name?: string | null | undefined },
    FindError | Find.NameNotFound,
    Manila
  >
  readonly probe: Effect.Effect<Option.Option<Seen>, FindError, Manila>
} => {
  const scope = { allProjects: options.allProjects ? true : undefined }
  let id = Find.isId(text) ? text : undefined
  const byName = Effect.map(kind.find(text, scope), (seen) => {
    id = seen.id
    return seen
  })
  const start =
    id !== undefined ? Effect.succeed({ id }) : options.allowMissing ? Effect.succeed({ id: text, name: text }) : byName
  const probe = Effect.suspend((): Effect.Effect<Option.Option<Seen>, FindError, Manila> =>
    id !== undefined
      ? kind.probe(id)
      : byName.pipe(
          Effect.tap((seen) => options.onFound?.(seen.id) ?? Effect.void),
          Effect.asSome,
          Effect.catchTag("NameNotFound", () => Effect.succeedNone),
          Retry.once
        )
  )
  return { start, probe }
}

/**
 * One line of the result: the record that is printed, and the error if there is one to tell.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ended {
  readonly record: {
    readonly kind: string
    readonly id: string | null
    readonly name: string | null
    readonly status: string
    readonly matched: string | null
  }
  readonly error: CommandError | undefined
}

/**
 * @since 0.1.0
 */
export const ended = <E extends CommandError>(
  kind: Pick<Kind, "word">,
  found: { readonly id: string; readonly name?: string | null | undefined },
  outcome: Waiter.Outcome<{ readonly id: string; readonly name?: string | null | undefined }, E>
): Ended => {
  const seen = Option.getOrUndefined(outcome.observed)
  const report = "report" in outcome ? outcome.report : outcome.error
  const id = seen?.id ?? found.id
  return {
    record: {
      kind: kind.word,
      id: Find.isId(id) ? id : null,
      name: seen?.name ?? found.name ?? null,
      status: report.status,
      matched: outcome._tag === "Reached" ? outcome.matched : null
    },
    error: outcome._tag === "Reached" ? undefined : outcome.error
  }
}

/**
 * A wait for absence of something that isn't there.
 *
 * @since 0.1.0
 */
export const absent = (kind: Pick<Kind, "word">, text: string): Ended => ({
  record: { kind: kind.word, id: null, name: text, status: "deleted", matched: "deleted" },
  error: undefined
})

/**
 * A wait that never began.
 *
 * @since 0.1.0
 */
export const failed = (kind: Pick<Kind, "word">, text: string, error: CommandError): Ended => ({
  record: {
    kind: kind.word,
    id: Find.isId(text) ? text : null,
    name: Find.isId(text) ? null : text,
    status: "",
    matched: null
  },
  error
})
