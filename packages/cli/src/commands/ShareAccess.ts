/**
 * `share access create`, `delete`, `list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/ShareAccess.ts"
import { Progress } from "../Progress.ts"
import * as Cloud from "./Cloud.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

/**
 * A rule for the same client is there already. `level` is its level, `wanted` the one that was asked for.
 *
 * @since 0.1.0
 * @category errors
 */
export class AccessExists extends Data.TaggedError("AccessExists")<{
  readonly shareId: string
  readonly id: string
  readonly target: string
  readonly level: string
  readonly wanted: string
}> {
  override get message(): string {
    const there = `share ${this.shareId} has a rule for ${this.target} already: ${this.id}, level ${this.level}`
    return this.level === this.wanted ? there : `${there}, and ${this.wanted} was asked for`
  }
}

/**
 * What a rule is called in a record: `metadata` is `properties` here, and lists don't say whose rule it is.
 */
const record = (rule: ShareAccess.AccessRule, shareId?: string): object => {
  const { metadata, ...rest } = rule
  return { share_id: shareId ?? "", ...rest, properties: metadata ?? {} }
}

/**
 * A rule that is there already is named in the error; with `--ignore-existing` the very same rule is taken for the
 * new one (and waited for), one of another level never.
 *
 * @since 0.1.0
 */
export const create: Run<typeof Noun.create> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
    const { accessTo, accessType } = args
    const shareId = share.id
    let answer: ShareAccess.AccessRule | undefined
    const granted = (input: ShareAccess.Allow) =>
      ShareAccess.allow(input).pipe(
        Effect.catchTag("AlreadyExists", (error) =>
          Effect.flatMap(
            existing(input),
            (rule): Effect.Effect<ShareAccess.AccessRule, AccessExists | typeof error> => {
              if (rule === undefined) return Effect.fail(error)
              const wanted = input.accessLevel ?? "rw"
              const level = rule.access_level ?? "rw"
              return args.ignoreExisting && level === wanted
                ? Effect.succeed(rule)
                : Effect.fail(
                    new AccessExists({ shareId, id: rule.id, target: `${accessType} ${accessTo}`, level, wanted })
                  )
            }
          )
        ),
        Effect.map((rule) => {
          answer = rule
          return { target: { id: rule.id, shareId } }
        })
      )
    const input: ShareAccess.Allow = {
      shareId,
      accessType,
      accessTo,
      accessLevel: args.accessLevel,
      metadata: Parts.given(args.properties),
      lockVisibility: args.lockVisibility ? true : undefined,
      lockDeletion: args.lockDeletion ? true : undefined,
      lockReason: args.lockReason
    }
    const goes = { kind: "access", verb: "create", for: ["active"], fields: { share: shareId } }
    const { accepted, outcome } = yield* Waits.runWith({
      verb: ShareAccess.verbs.allow,
      request: granted,
      input,
      goes,
      args,
      context,
      limit
    })
    const seen = outcome === undefined ? Option.none<ShareAccess.AccessRule>() : outcome.observed
    const rule = Option.getOrElse(seen, () => answer)
    if (rule !== undefined) {
      yield* Records.single(context.spec, record(rule, shareId), { cells: Records.accessCells })
    }
    if (outcome?._tag === "Failed") {
      const { note } = yield* Progress
      yield* note(`To remove the rule: manila share access delete ${shareId} ${accepted.target.id}`)
    }
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/** The rule that is in the way: same type and client. */
const existing = (input: ShareAccess.Allow) =>
  Effect.map(ShareAccess.list({ shareId: input.shareId }), (rules) =>
    rules.find(
      (rule) => rule.access_type?.toLowerCase() === input.accessType.toLowerCase() && rule.access_to === input.accessTo
    )
  )

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const verb = ShareAccess.verbs.deny
    const limit = yield* Waits.begin(args, verb.pace)
    return yield* Many.each([args.id], context, args.ignoreMissing, (text) =>
      Effect.gen(function* () {
        const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
        const input = {
          id: ShareAccess.AccessRuleId.make(text),
          shareId: share.id,
          unrestrict: args.unrestrict ? true : undefined
        }
        const goes = { kind: "access", verb: "delete", for: ["deleted"], fields: { share: share.id } }
        return yield* Waits.run({ verb, input, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.share(args.share, args)
    const rules = yield* ShareAccess.list({
      shareId: id,
      metadata: Parts.given(args.properties),
      accessType: args.accessType,
      accessTo: args.accessTo,
      accessKey: args.accessKey,
      accessLevel: args.accessLevel
    })
    yield* Records.list(context.spec, rules, { cells: Records.accessCells })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const rule = yield* ShareAccess.get({ id: ShareAccess.AccessRuleId.make(args.accessId) })
    yield* Records.single(context.spec, record(rule), { cells: Records.accessCells })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) =>
  Effect.suspend(() => {
    const id = ShareAccess.AccessRuleId.make(args.accessId)
    const { accessLevel, property } = args
    return Parts.all(context, args, [
      Object.keys(property).length > 0 ? ShareAccess.setMetadata({ id, metadata: property }) : undefined,
      accessLevel !== undefined ? ShareAccess.update({ id, accessLevel }) : undefined
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Effect.suspend(() => {
    const id = ShareAccess.AccessRuleId.make(args.accessId)
    return Parts.all(
      context,
      args,
      args.property.map((key) => ShareAccess.removeMetadata({ id, key }))
    )
  }).pipe(Cloud.provide(context, args))
