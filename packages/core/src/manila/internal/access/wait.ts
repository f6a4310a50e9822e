/**
 * Access rules: what a wait looks at, when it is done, and the asynchronous verbs as pairs.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Retry from "../../../http/Retry.ts"
import type * as Goal from "../../../waiter/Goal.ts"
import * as Pace from "../../../waiter/Pace.ts"
import * as StatusGoal from "../../../waiter/StatusGoal.ts"
import type { WaitError } from "../../../waiter/WaitError.ts"
import { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Microversion from "../../Microversion.ts"
import * as Status from "../../Status.ts"
import * as Verb from "../../Verb.ts"
import type { ShareId } from "../share/model.ts"
import { allow, deny, get, list, update } from "./model.ts"
import type { AccessRule, AccessRuleId, Allow } from "./model.ts"

/**
 * What finds a rule: below 2.45 only its share's list has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: AccessRuleId
  readonly shareId: ShareId
}

/**
 * What a wait looks at: the rule, or `None` once it is not there. One request a look; below 2.45 it reads the share's
 * list, where a share that is gone has no rules.
 *
 * @since 0.1.0
 * @category waiting
 */
export const probe = ({ id, shareId }: Target): Effect.Effect<Option.Option<AccessRule>, ManilaError, Manila> =>
  Effect.flatMap(Manila, ({ version }) => version).pipe(
    Effect.flatMap((version) =>
      Microversion.within(version, "2.45", undefined)
        ? Effect.asSome(get({ id }))
        : Effect.map(list({ shareId }), (rules) => Option.fromNullable(rules.find((rule) => rule.id === id)))
    ),
    Effect.catchTag("NotFound", () => Effect.succeedNone),
    Retry.once
  )

/**
 * How goals read a rule: by its `state`. It has no `status`.
 *
 * @since 0.1.0
 * @category goals
 */
export const reader: StatusGoal.Reader<AccessRule> = Status.reader(Status.accessRule, ({ state }) => state)

/**
 * @since 0.1.0
 * @category goals
 */
export const status = (
  wanted: string | ReadonlyArray<string>,
  options?: StatusGoal.PresentOptions<AccessRule>
): Goal.Goal<AccessRule> => StatusGoal.present(reader, wanted, options)

/**
 * @since 0.1.0
 * @category goals
 */
export const active: Goal.Goal<AccessRule> = status("active")

/**
 * @since 0.1.0
 * @category goals
 */
export const gone: Goal.Goal<AccessRule> = StatusGoal.absent(reader, {
  from: ["active", "error"],
  noEffectAfter: Number.POSITIVE_INFINITY
})

/**
 * Denied by a request that was accepted, in whatever state the rule was.
 *
 * @since 0.1.0
 * @category goals
 */
export const denied: Goal.Goal<AccessRule> = StatusGoal.absent(reader, { from: "any" })

/**
 * Active at the wanted level.
 *
 * @since 0.1.0
 * @category goals
 */
export const updated = (level: string): Goal.Goal<AccessRule> =>
  status("active", { from: "any", also: (rule) => rule.access_level === level, alsoDescription: level })

/** Messages about a rule are messages of its share. */
const shared = { kind: "access rule", probe, blamed: ({ shareId }: Target) => shareId }

const rejoin = ({ id, shareId }: Target) => ({ target: { id, shareId } })

/**
 * Every asynchronous verb of an access rule, by name.
 *
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  allow: Verb.make<Allow, Target, AccessRule>({
    ...shared,
    verb: "create",
    request: (input) => Effect.map(allow(input), ({ id }) => ({ target: { id, shareId: input.shareId } })),
    goal: () => active,
    pace: Pace.status
  }),
  deny: Verb.make<Target & { readonly unrestrict?: boolean | undefined }, Target, AccessRule>({
    ...shared,
    verb: "delete",
    request: (input) => Effect.as(deny(input), rejoin(input)),
    goal: () => denied,
    pace: Pace.deletion
  }),
  update: Verb.make<Target & { readonly accessLevel: string }, Target, AccessRule>({
    ...shared,
    verb: "update",
    request: (input) => Effect.as(update(input), rejoin(input)),
    goal: ({ accessLevel }) => updated(accessLevel),
    pace: Pace.status
  })
}

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/**
 * Grants access and waits until the rule is active: before that a mount fails. For `cephx` the rule then has its key.
 *
 * @since 0.1.0
 * @category waiting
 */
export const allowAndWait = <R = never>(input: Allow, options?: Verb.Options<R>): Ended<AccessRule, R> =>
  Effect.map(Verb.run(verbs.allow, input, options), Option.getOrThrow)

/**
 * Takes access back and waits until the rule is gone, at most 300 s unless told otherwise.
 *
 * @since 0.1.0
 * @category waiting
 */
export const denyAndWait = <R = never>(
  input: Target & { readonly unrestrict?: boolean | undefined },
  options?: Verb.Options<R>
): Ended<void, R> => Effect.asVoid(Verb.run(verbs.deny, input, options))

/**
 * Changes a rule's level (2.88) and waits until it is active at it.
 *
 * @since 0.1.0
 * @category waiting
 */
export const updateAndWait = <R = never>(
  input: Target & { readonly accessLevel: string },
  options?: Verb.Options<R>
): Ended<AccessRule, R> => Effect.map(Verb.run(verbs.update, input, options), Option.getOrThrow)
