/**
 * What every command that waits has in common: its limit, its pace, what it tells on the way, and how to go on.
 *
 * @since 0.1.0
 */
import type * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Find from "@effect-manila/core/manila/Find"
import * as Message from "@effect-manila/core/manila/Message"
import type * as Goal from "@effect-manila/core/waiter/Goal"
import type * as Option from "effect/Option"
import type * as Kinds from "./Kinds.ts"
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Verb from "@effect-manila/core/manila/Verb"
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"
import { Progress } from "../Progress.ts"
import type { Ending } from "../progress/Event.ts"
import * as GoOn from "./GoOn.ts"
import * as Looks from "./Looks.ts"
import * as Sent from "./Sent.ts"

export {
  /**
   * @since 0.1.0
   */
  begin,
  /**
   * @since 0.1.0
   */
  deadline,
  /**
   * @since 0.1.0
   */
  how,
  /**
   * @since 0.1.0
   */
  told,
  /**
   * @since 0.1.0
   */
  within
} from "./Looks.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Args = Looks.Args

/**
 * Tells how a wait ended. `goOn` is for a wait whose limit passed.
 *
 * @since 0.1.0
 */
export const ended = <A, E>(
  id: string,
  outcome: Waiter.Outcome<A, E>,
  goOn: GoOn.GoOn | undefined
): Effect.Effect<void, never, Progress> =>
  Effect.flatMap(Progress, ({ emit }) => {
    const report = "report" in outcome ? outcome.report : outcome.error
    return emit({
      _tag: "ended",
      id,
      ending: endingOf(outcome),
      status: report.status,
      detail: outcome._tag === "Reached" ? outcome.matched : messageOf(outcome.error),
      elapsedMillis: report.elapsedMillis,
      looks: report.looks,
      reason: outcome._tag === "Failed" ? outcome.error.reason : null,
      ...(outcome._tag === "TimedOut" && outcome.error.cause === "limit" && goOn?.afterTimeOut !== undefined
        ? { resume: goOn.afterTimeOut }
        : {})
    })
  })

const endingOf = <A, E>(outcome: Waiter.Outcome<A, E>): Ending => {
  switch (outcome._tag) {
    case "Reached":
      return "reached"
    case "Failed":
      return outcome.error.cause === "notFound" ? "missing" : "failed"
    case "TimedOut":
      return "timedOut"
    case "NeedsAction":
      return "needsAction"
    case "Faulted":
      return "faulted"
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * @since 0.1.0
 * @category models
 */
export interface RunOptions<I, Target extends { readonly id: string }, A> {
  readonly verb: Verb.Verb<I, Target, A>
  readonly input: I
  /** What the person called it, if the service's answer has no name. */
  readonly name?: string | null | undefined
  /** A function where a look needs what only the answer says. */
  readonly goes: GoOn.Goes | ((target: Target) => GoOn.Goes)
  readonly args: Args & { readonly wait: boolean | undefined }
  readonly context: Context
  readonly limit: Deadline.Deadline | undefined
}

/**
 * `outcome` is there if it was waited for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ran<Target, A> {
  readonly accepted: Verb.Accepted<Target>
  readonly outcome: Waiter.Outcome<A, ManilaError> | undefined
}

/**
 * A verb as a command runs it: the request, then (with `--wait`) the wait, or (with `--no-wait`) a token for later.
 *
 * The request's own error is an error; a wait's ending is a value, since a command may have a record to print first.
 *
 * @since 0.1.0
 */
export const run = <I, Target extends { readonly id: string }, A>(
  options: RunOptions<I, Target, A>
): Effect.Effect<Ran<Target, A>, ManilaError, Manila | Keystone.Keystone | Progress> =>
  runWith({ ...options, request: options.verb.request })

/**
 * As {@link run}, with a request of the command's own, which may keep the answer or fail in its own way.
 *
 * @since 0.1.0
 */
export const runWith = <I, Target extends { readonly id: string }, A, E>(
  options: RunOptions<I, Target, A> & {
    readonly request: (input: I) => Effect.Effect<Verb.Accepted<Target>, E, Manila>
  }
): Effect.Effect<Ran<Target, A>, E | ManilaError, Manila | Keystone.Keystone | Progress> =>
  Effect.gen(function* () {
    const { args, context, input, limit, verb } = options
    const { emit } = yield* Progress
    const called = options.name ?? (input as { readonly id?: unknown }).id
    const what = `${verb.kind}${typeof called === "string" ? ` ${called}` : ""}: ${verb.verb}`
    const answered = yield* Sent.change(what)(options.request(input))
    const accepted = { ...answered, name: answered.name ?? options.name }
    const { id } = accepted.target
    const goes = typeof options.goes === "function" ? options.goes(accepted.target) : options.goes
    if (args.wait !== true) {
      if (args.wait === false) {
        const later = yield* GoOn.make(context, goes, id, args, limit)
        yield* emit({ _tag: "resume", kind: goes.kind, id, name: accepted.name, resume: later.resume })
      }
      return { accepted, outcome: undefined }
    }
    const goOn = yield* GoOn.make(context, goes, id, args, limit)
    const outcome = yield* settle(verb, input, accepted, { args, goes, goOn, limit, resumed: false })
    return { accepted, outcome }
  })

/**
 * The wait of a verb whose request was accepted, now or by another process.
 *
 * @since 0.1.0
 */
export const settle = <I, Target extends { readonly id: string }, A>(
  verb: Verb.Verb<I, Target, A>,
  input: I,
  accepted: Verb.Accepted<Target>,
  options: {
    readonly args: Args
    readonly goes: Pick<GoOn.Goes, "kind">
    readonly goOn: GoOn.GoOn
    readonly limit: Deadline.Deadline | undefined
    readonly resumed: boolean
  }
): Effect.Effect<Waiter.Outcome<A, ManilaError>, never, Manila | Progress> =>
  Effect.gen(function* () {
    const { args, goes, goOn, limit, resumed } = options
    const { emit } = yield* Progress
    const { id } = accepted.target
    const outcome = yield* Looks.quietly(
      Verb.settle(verb, input, accepted, {
        ...Looks.how(args, verb.pace),
        limit: Looks.leaving(limit),
        resumed,
        onAccepted: () =>
          emit({
            _tag: "started",
            kind: goes.kind,
            id,
            name: accepted.name,
            verb: verb.verb,
            wanted: verb.goal(input, resumed).description,
            limitMillis: limit === undefined ? null : Duration.toMillis(limit.limit),
            resume: goOn.resume
          }),
        onProgress: Looks.told(emit, id)
      })
    )
    yield* ended(id, outcome, goOn)
    return outcome
  })

/**
 * A wait for a status, without a verb.
 *
 * @since 0.1.0
 */
export const plain = (
  kind: Kinds.Kind,
  id: string,
  goal: Goal.Goal<Kinds.Seen>,
  options: {
    readonly args: Args
    readonly goOn: GoOn.GoOn | undefined
    readonly limit: Deadline.Deadline | undefined
    readonly name?: string | null | undefined
    readonly probe?: Effect.Effect<Option.Option<Kinds.Seen>, Kinds.FindError, Manila>
  }
): Effect.Effect<Waiter.Outcome<Kinds.Seen, Kinds.FindError>, never, Manila | Progress> =>
  Effect.gen(function* () {
    const { args, goOn, limit, name } = options
    const { emit } = yield* Progress
    const subject = { kind: kind.kind, id, name }
    const limitMillis = limit === undefined ? null : Duration.toMillis(limit.limit)
    yield* emit({ _tag: "started", ...subject, wanted: goal.description, limitMillis, resume: goOn?.resume })
    const outcome = yield* Looks.quietly(
      Waiter.outcome(options.probe ?? kind.probe(id), goal, {
        ...Looks.how(args, Pace.status),
        limit: Looks.leaving(limit),
        subject,
        // A name that nothing had at first has no messages to ask for.
        reason: Find.isId(id) ? Message.reason(id) : undefined,
        onProgress: Looks.told(emit, id)
      })
    )
    yield* ended(id, outcome, goOn)
    return outcome
  })
