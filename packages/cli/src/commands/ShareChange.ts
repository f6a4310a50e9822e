/**
 * `share create`, `delete`, `resize`, `revert`, `restore`: the commands that start work, and can wait for it.
 *
 * @since 0.1.0
 */
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import * as Find from "@effect-manila/core/manila/Find"
import type { Manila } from "@effect-manila/core/manila/Manila"
import { Manila as ManilaTag } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Microversion from "@effect-manila/core/manila/Microversion"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareGroup from "@effect-manila/core/manila/ShareGroup"
import * as ShareNetwork from "@effect-manila/core/manila/ShareNetwork"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Share.ts"
import type * as ActionNoun from "../nouns/ShareAction.ts"
import { Progress } from "../Progress.ts"
import * as Cloud from "./Cloud.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

/**
 * The record is printed whatever the ending, since the share is there; then the wait's error ends the command.
 *
 * @since 0.1.0
 */
export const create: Run<typeof Noun.create> = (args, context) =>
  Effect.gen(function* () {
    const isPublic = yield* Parts.truth("--public", args.public)
    const limit = yield* Waits.begin(args, Pace.status)
    const subject = { kind: "share", name: args.name ?? null, verb: "create" }
    const found = yield* Waits.within(limit, subject)(references(args))
    const input: Share.Create = {
      shareProto: args.shareProto,
      size: Math.max(args.size, found.snapshotSize),
      name: args.name,
      description: args.description,
      shareType: Parts.text(args.shareType),
      snapshotId: found.snapshotId,
      isPublic,
      metadata: Parts.given(args.property),
      shareNetworkId: found.shareNetworkId,
      availabilityZone: Parts.text(args.availabilityZone),
      shareGroupId: found.shareGroupId,
      schedulerHints: found.schedulerHints,
      mountPointName: args.mountPointName,
      encryptionKeyRef: args.encryptionKeyRef
    }
    let answer: Share.Share | undefined
    // A verb's request keeps only what a wait needs; the record to print without a wait is the answer itself.
    const request = (input: Share.Create) =>
      Effect.map(Share.create(input), (share) => {
        answer = share
        return { target: { id: share.id }, name: share.name }
      })
    const verb = Share.verbs.create
    const goes = { kind: "share", verb: "create", for: ["available"] }
    const { accepted, outcome } = yield* Waits.runWith({
      verb,
      request,
      input,
      goes,
      args,
      context,
      limit,
      name: args.name
    })
    if (outcome === undefined) return yield* Records.single(context.spec, answer ?? {})
    const exported =
      outcome._tag === "Reached"
        ? yield* exports(accepted.target.id, args.requireExports, limit)
        : { added: {}, error: undefined }
    const record = Option.getOrElse(
      outcome._tag === "Reached" ? outcome.observed : outcome.observed,
      () => answer ?? {}
    )
    yield* Records.single(context.spec, record, { added: exported.added })
    if (outcome._tag !== "Reached") return yield* Effect.fail(outcome.error)
    if (exported.error !== undefined) return yield* Effect.fail(exported.error)
  }).pipe(Cloud.provide(context, args))

type References = Pick<
  Parameters<Run<typeof Noun.create>>[0],
  "snapshotId" | "shareNetwork" | "shareGroup" | "schedulerHint"
>

/** What the flags name, looked up: one request for each name. */
const references = (args: References) =>
  Effect.gen(function* () {
    const source = Parts.text(args.snapshotId)
    const snapshot = source === undefined ? undefined : yield* snapshotOf(source)
    const network = Parts.text(args.shareNetwork)
    const group = Parts.text(args.shareGroup)
    return {
      snapshotId: snapshot?.id,
      // A share can't be smaller than the snapshot it starts with.
      snapshotSize: snapshot?.size ?? 0,
      shareNetworkId:
        network === undefined || Find.isId(network) ? network : (yield* ShareNetwork.findByName(network)).id,
      shareGroupId: group === undefined || Find.isId(group) ? group : (yield* ShareGroup.findByName(group)).id,
      schedulerHints: Parts.given(yield* hints(args.schedulerHint))
    }
  })

const snapshotOf = (text: string) =>
  Find.isId(text) ? Snapshot.get({ id: Snapshot.SnapshotId.make(text) }) : Snapshot.findByName(text)

/** `same_host` and `different_host` name shares, separated by commas; other hints go as they are. */
const hints = (given: Readonly<Record<string, string>>) =>
  Effect.map(
    Effect.forEach(Object.entries(given), ([key, value]) =>
      key === "same_host" || key === "different_host"
        ? Effect.map(
            Effect.forEach(value.split(","), (name) => Resolve.share(name.trim())),
            (shares) => [key, shares.map(({ id }) => id).join(",")] as const
          )
        : Effect.succeed([key, value] as const)
    ),
    (pairs) => Object.fromEntries(pairs)
  )

/**
 * Where the new share is mounted from: one look, since it is there once the share is available; with
 * `--require-exports` looks go on until one is there, 60 s if the command has no limit.
 */
const exports = (id: Share.ShareId, required: boolean, limit: Deadline.Deadline | undefined) =>
  Effect.gen(function* () {
    const version = yield* (yield* ManilaTag).version
    if (!Microversion.within(version, "2.9", undefined)) return { added: {}, error: undefined }
    const left = limit === undefined ? Number.POSITIVE_INFINITY : yield* Deadline.remainingMillis(limit)
    const outcome: Waiter.Outcome<ReadonlyArray<ExportLocation.ExportLocation>, ManilaError> = yield* Waiter.outcome(
      ExportLocation.probe(id),
      ExportLocation.exported,
      {
        limit: required ? (Number.isFinite(left) ? limit : "60 seconds") : limit,
        attempts: required ? undefined : 1,
        subject: { kind: "share", id, verb: "create" }
      }
    )
    const locations = Option.getOrElse(outcome.observed, (): ReadonlyArray<ExportLocation.ExportLocation> => [])
    const added = { export_locations: Records.locationsText(ExportLocation.preferredFirst(locations)) }
    if (outcome._tag === "Reached") return { added, error: undefined }
    if (required) return { added, error: outcome.error }
    const { note } = yield* Progress
    yield* note(`share ${id} has no export location yet; see: manila share export location list ${id}`)
    return { added, error: undefined }
  })

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const [name, verb] = args.force
      ? (["forceDelete", Share.verbs.forceDelete] as const)
      : args.soft
        ? (["softDelete", Share.verbs.softDelete] as const)
        : (["delete", Share.verbs.delete] as const)
    const limit = yield* Waits.begin(args, verb.pace)
    const group = Parts.text(args.shareGroup)
    const shareGroupId =
      group === undefined || Find.isId(group)
        ? group
        : (yield* Waits.within(limit, { kind: "share group", name: group })(ShareGroup.findByName(group))).id
    return yield* Many.each(args.shares, context, args.ignoreMissing, (text, isNew) =>
      Effect.gen(function* () {
        const found = yield* Waits.within(limit, { kind: "share", name: text, verb: verb.verb })(
          Resolve.share(text, args)
        )
        if (!isNew(found.id)) return Many.done
        const goes = { kind: "share", verb: name, for: [args.soft && !args.force ? "soft_deleted" : "deleted"] }
        return yield* Waits.run({
          verb,
          input: { id: found.id, shareGroupId },
          name: found.name,
          goes,
          args,
          context,
          limit
        })
      })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * The share already has the size that was asked for.
 *
 * @since 0.1.0
 * @category errors
 */
export class SameSize extends Data.TaggedError("SameSize")<{ readonly id: string; readonly size: number }> {
  override get message(): string {
    return `share ${this.id} has ${this.size} GiB already, so there is nothing to resize`
  }
}

/**
 * The direction follows from the size the share has, which costs one request: the look-up of a name brings it along.
 *
 * @since 0.1.0
 */
export const resize: Run<typeof ActionNoun.resize> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const newSize = args.newSize
    const subject = { kind: "share", name: args.share, verb: "resize" }
    const share = yield* Waits.within(limit, subject)(sized(args.share, args.allProjects))
    const { id, name } = share
    const size = share.size ?? 0
    if (size === newSize) return yield* new SameSize({ id, size })
    const goes = {
      kind: "share",
      verb: newSize > size ? "extend" : "shrink",
      for: ["available"],
      fields: { size: newSize }
    }
    const common = { name, goes, args, context, limit }
    const { outcome } =
      newSize > size
        ? yield* Waits.run({ ...common, verb: Share.verbs.extend, input: { id, newSize, force: args.force } })
        : yield* Waits.run({ ...common, verb: Share.verbs.shrink, input: { id, newSize } })
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

const sized = (
  text: string,
  allProjects: boolean
): Effect.Effect<Share.Share, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.isId(text)
    ? Share.get({ id: Share.ShareId.make(text) })
    : Share.findByName(text, { allProjects: allProjects ? true : undefined })

/**
 * @since 0.1.0
 */
export const revert: Run<typeof ActionNoun.revert> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const subject = { kind: "snapshot", name: args.snapshot, verb: "revert" }
    const snapshot = yield* Waits.within(limit, subject)(snapshotOf(args.snapshot))
    const id = Share.ShareId.make(snapshot.share_id ?? "")
    const goes = { kind: "share", verb: "revert", for: ["available"] }
    const input = { id, snapshotId: snapshot.id }
    const { outcome } = yield* Waits.run({ verb: Share.verbs.revert, input, goes, args, context, limit })
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/**
 * Names are looked up in the recycle bin, where the shares are.
 *
 * @since 0.1.0
 */
export const restore: Run<typeof ActionNoun.restore> = (args, context) =>
  Effect.gen(function* () {
    const verb = Share.verbs.restore
    const limit = yield* Waits.begin(args, verb.pace)
    const scope = { allProjects: args.allProjects, softDeleted: true }
    return yield* Many.each(args.shares, context, false, (text, isNew) =>
      Effect.gen(function* () {
        const subject = { kind: "share", name: text, verb: verb.verb }
        const { id, name } = yield* Waits.within(limit, subject)(Resolve.share(text, scope))
        if (!isNew(id)) return Many.done
        const goes = { kind: "share", verb: "restore", for: ["restored"] }
        return yield* Waits.run({ verb, input: { id }, name, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))
