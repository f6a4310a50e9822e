/**
 * `share backup create`, `delete`, `list`, `show`, `restore`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Backup from "@effect-manila/core/manila/Backup"
import * as Find from "@effect-manila/core/manila/Find"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Backup.ts"
import * as Cloud from "./Cloud.ts"
import * as Created from "./Created.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

interface Ref {
  readonly id: Backup.BackupId
  readonly name?: string | null | undefined
}

const find = (text: string, scope: { readonly allProjects: boolean }) =>
  Find.isId(text)
    ? Effect.succeed<Ref>({ id: Backup.BackupId.make(text) })
    : Effect.map(Backup.findByName(text, { allProjects: scope.allProjects ? true : undefined }), (found): Ref => found)

/**
 * @since 0.1.0
 */
export const create: Run<typeof Noun.create> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
    yield* Created.run({
      verb: Backup.verbs.create,
      create: Backup.create,
      target: ({ id }) => ({ id }),
      input: {
        shareId: share.id,
        name: args.name,
        description: args.description,
        backupOptions: Parts.given(args.backupOptions)
      },
      name: args.name,
      goes: { kind: "backup", verb: "create", for: ["available"] },
      args,
      context,
      limit
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const verb = Backup.verbs.delete
    const limit = yield* Waits.begin(args, verb.pace)
    const goes = { kind: "backup", verb: "delete", for: ["deleted"] }
    return yield* Many.each(args.backups, context, args.ignoreMissing, (text, isNew) =>
      Effect.gen(function* () {
        const subject = { kind: "backup", name: text, verb: verb.verb }
        const { id, name } = yield* Waits.within(limit, subject)(find(text, args))
        if (!isNew(id)) return Many.done
        return yield* Waits.run({ verb, input: { id }, name, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const { sortDir } = args
    // Without a number it is 1.
    const detail = args.detail === null ? "1" : args.detail
    if (detail !== undefined && !/^\d+$/.test(detail))
      return yield* new Parts.BadValue({ flag: "--detail", value: detail, expected: "0 or 1" })
    if (sortDir !== undefined && sortDir !== "asc" && sortDir !== "desc")
      return yield* new Parts.BadValue({ flag: "--sort-dir", value: sortDir, expected: "asc or desc" })
    const offset = yield* Parts.offset("--offset", args.offset)
    const filter: Backup.Filter = {
      name: args.name,
      nameLike: args.nameLike,
      description: args.description,
      descriptionLike: args.descriptionLike,
      status: args.status,
      shareId: args.share === undefined ? undefined : (yield* Resolve.share(args.share, args)).id,
      allProjects: args.allProjects ? true : undefined,
      sortKey: args.sortKey,
      sortDir
    }
    const found = yield* Stream.runCollect(Backup.list(filter, { total: Parts.total(args.limit), offset }))
    yield* Records.list(context.spec, Chunk.toReadonlyArray(found), {
      given: (option) => option === "detail" && detail !== undefined && Number(detail) !== 0
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* find(args.backup, args)
    yield* Records.single(context.spec, yield* Backup.get({ id }))
  }).pipe(Cloud.provide(context, args))

/**
 * The answer says which share is overwritten, and a token carries it on.
 *
 * @since 0.1.0
 */
export const restore: Run<typeof Noun.restore> = (args, context) =>
  Effect.gen(function* () {
    const verb = Backup.verbs.restore
    const limit = yield* Waits.begin(args, verb.pace)
    const subject = { kind: "backup", name: args.backup, verb: verb.verb }
    const { id, name } = yield* Waits.within(limit, subject)(find(args.backup, args))
    const target = args.targetShare
    const targetShareId =
      target === undefined
        ? undefined
        : (yield* Waits.within(limit, { kind: "share", name: target })(Resolve.share(target, args))).id
    const goes = { kind: "backup", verb: "restore", for: ["available"] }
    const { outcome } = yield* Waits.run({
      verb,
      input: { id, targetShareId },
      name,
      goes: ({ shareId }) => ({ ...goes, fields: { share: shareId } }),
      args,
      context,
      limit
    })
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* find(args.backup, args)
    const { description, name, status } = args
    return yield* Parts.all(context, args, [
      name !== undefined || description !== undefined ? Backup.update({ id, name, description }) : undefined,
      status !== undefined ? Backup.resetStatus({ id, status }) : undefined
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* find(args.backup, args)
    const name = args.name ? null : undefined
    const description = args.description ? null : undefined
    return yield* Parts.all(context, args, [
      args.name || args.description ? Backup.update({ id, name, description }) : undefined
    ])
  }).pipe(Cloud.provide(context, args))
