/**
 * Going on with a wait that another process began: the same resource, goal, failures and deadline.
 *
 * @since 0.1.0
 */
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Backup from "@effect-manila/core/manila/Backup"
import * as Replica from "@effect-manila/core/manila/Replica"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as ShareInstance from "@effect-manila/core/manila/ShareInstance"
import * as ShareManage from "@effect-manila/core/manila/ShareManage"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import type * as Verb from "@effect-manila/core/manila/Verb"
import type * as Pace from "@effect-manila/core/waiter/Pace"
import type * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"
import { Progress } from "../Progress.ts"
import type { ResumeToken } from "../ResumeToken.ts"
import * as Cloud from "./Cloud.ts"
import * as Going from "./Going.ts"
import * as GoOn from "./GoOn.ts"
import * as Kinds from "./Kinds.ts"
import * as Waits from "./Waits.ts"

/**
 * The token is of another cloud or project, or of a verb that this version does not know. Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly why: string }> {
  override get message(): string {
    return `this resume token can't be used: ${this.why}`
  }
}

/** What the wait of any verb ends with, and how it is called. */
interface Settling {
  readonly word: Kinds.Kind["word"]
  readonly pace: Pace.Pace
  readonly settle: (
    options: Parameters<typeof Waits.settle>[3]
  ) => Effect.Effect<
    Waiter.Outcome<{ readonly id: string; readonly name?: string | null | undefined }, ManilaError>,
    never,
    Manila | Progress
  >
}

const settling = <
  I,
  Target extends { readonly id: string },
  A extends { readonly id: string; readonly name?: string | null | undefined }
>(
  word: Kinds.Kind["word"],
  verb: Verb.Verb<I, Target, A>,
  input: I,
  target: Target
): Settling => ({
  word,
  pace: verb.pace,
  settle: (options) => Waits.settle(verb, input, { target }, options)
})

/** The verb a token names. A token of a newer version may name one that isn't here. */
const verbOf = ({ goal, id, kind, verb }: ResumeToken): Settling | undefined => {
  const { fields = {} } = goal
  const size = typeof fields["size"] === "number" ? fields["size"] : undefined
  const shareOf = typeof fields["share"] === "string" ? fields["share"] : undefined
  if (kind === "share") {
    const target = { id: Share.ShareId.make(id) }
    switch (verb) {
      case "create":
        return settling("share", Share.verbs.create, { shareProto: "", size: 0 }, target)
      case "delete":
        return settling("share", Share.verbs.delete, target, target)
      case "forceDelete":
        return settling("share", Share.verbs.forceDelete, target, target)
      case "softDelete":
        return settling("share", Share.verbs.softDelete, target, target)
      case "restore":
        return settling("share", Share.verbs.restore, target, target)
      case "adopt":
        return settling("share", ShareManage.verbs.adopt, { serviceHost: "", protocol: "", exportPath: "" }, target)
      case "abandon":
        return settling("share", ShareManage.verbs.abandon, target, target)
      case "revert":
        return settling("share", Share.verbs.revert, { ...target, snapshotId: "" }, target)
      case "extend":
        return size === undefined
          ? undefined
          : settling("share", Share.verbs.extend, { ...target, newSize: size }, target)
      case "shrink":
        return size === undefined
          ? undefined
          : settling("share", Share.verbs.shrink, { ...target, newSize: size }, target)
    }
  }
  if (kind === "snapshot") {
    const target = { id: Snapshot.SnapshotId.make(id) }
    switch (verb) {
      case "create":
        return settling("snapshot", Snapshot.verbs.create, { shareId: Share.ShareId.make("") }, target)
      case "delete":
        return settling("snapshot", Snapshot.verbs.delete, target, target)
      case "forceDelete":
        return settling("snapshot", Snapshot.verbs.forceDelete, target, target)
      case "adopt":
        return settling(
          "snapshot",
          Snapshot.verbs.adopt,
          { shareId: Share.ShareId.make(""), providerLocation: "" },
          target
        )
      case "abandon":
        return settling("snapshot", Snapshot.verbs.abandon, target, target)
    }
  }
  if (kind === "instance" && verb === "forceDelete") {
    const target = { id: ShareInstance.ShareInstanceId.make(id) }
    return settling("instance", ShareInstance.verbs.forceDelete, target, target)
  }
  if (kind === "replica") {
    const target = { id: Replica.ReplicaId.make(id) }
    switch (verb) {
      case "create":
        return settling("replica", Replica.verbs.create, { shareId: Share.ShareId.make("") }, target)
      case "delete":
        return settling("replica", Replica.verbs.delete, target, target)
      case "forceDelete":
        return settling("replica", Replica.verbs.forceDelete, target, target)
      case "promote":
        return settling("replica", Replica.verbs.promote, target, target)
      case "resync":
        return settling("replica", Replica.verbs.resync, target, target)
    }
  }
  if (kind === "backup") {
    const target = { id: Backup.BackupId.make(id) }
    switch (verb) {
      case "create":
        return settling("backup", Backup.verbs.create, { shareId: Share.ShareId.make("") }, target)
      case "delete":
        return settling("backup", Backup.verbs.delete, target, target)
      case "restore":
        return shareOf === undefined
          ? undefined
          : settling("backup", Backup.verbs.restore, target, { ...target, shareId: Share.ShareId.make(shareOf) })
    }
  }
  if (kind === "access" && shareOf !== undefined) {
    const target = { id: ShareAccess.AccessRuleId.make(id), shareId: Share.ShareId.make(shareOf) }
    switch (verb) {
      case "create":
        return settling("access", ShareAccess.verbs.allow, { ...target, accessType: "", accessTo: "" }, target)
      case "delete":
        return settling("access", ShareAccess.verbs.deny, target, target)
    }
  }
  return undefined
}

/**
 * Goes on for the time the token has left, unless `--timeout` gives another. A deadline that has passed leaves one look;
 * a token without one is waited for as long as its verb is by default.
 *
 * @since 0.1.0
 */
export const run = (token: ResumeToken, args: Waits.Args, context: Context) =>
  Effect.gen(function* () {
    if ((yield* Cloud.fingerprint) !== token.cloud) {
      return yield* new TokenRefused({ why: "it was made for another cloud or project" })
    }
    const goes: GoOn.Goes = { kind: token.kind, verb: token.verb, for: token.goal.for, ...fieldsOf(token) }
    const known = token.verb === "wait" ? undefined : verbOf(token)
    const kind = Object.values(Kinds.byWord).find(({ word }) => word === token.kind)
    if (kind === undefined || (token.verb !== "wait" && known === undefined)) {
      return yield* new TokenRefused({ why: `this version does not know how to wait for ${token.kind} ${token.verb}` })
    }
    const pace = known?.pace ?? Kinds.paceOf(token.goal.for)
    const limit = yield* Going.remaining(token, args, pace.limit)
    const goOn = yield* GoOn.make(context, goes, token.id, args, limit)
    const options = { args, goes, goOn, limit, resumed: true }
    if (known !== undefined) return [Kinds.ended(kind, { id: token.id }, yield* known.settle(options))]
    const allowMissing = token.goal.fields?.["missing"] === true
    const allProjects = token.goal.fields?.["allProjects"] === true
    const { note } = yield* Progress
    const onFound = (id: string) => note(`${kind.kind} ${token.id} is ${id}`)
    const { probe } = Kinds.looker(kind, token.id, { allowMissing, allProjects, onFound })
    const goal = Kinds.goal(kind, token.goal.for, allowMissing)
    return [Kinds.ended(kind, { id: token.id }, yield* Waits.plain(kind, token.id, goal, { ...options, probe }))]
  })

const fieldsOf = ({ goal }: ResumeToken) => (goal.fields === undefined ? {} : { fields: goal.fields })
