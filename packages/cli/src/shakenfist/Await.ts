/**
 * `await`: until objects are created, or deleted.
 *
 * @since 0.1.0
 */
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Context, Run } from "../Command.ts"
import * as Going from "../commands/Going.ts"
import * as Looks from "../commands/Looks.ts"
import * as Cluster from "./Cluster.ts"
import type { Globals } from "./Flags.ts"
import type * as Nouns from "./Nouns.ts"
import * as Objects from "./Objects.ts"
import * as Waits from "./Waits.ts"

type Args = Parameters<Run<typeof Nouns.awaiting, Globals>>[0]

type State = "created" | "deleted"

const interval = Duration.seconds(5)

/** What the Python client has for the creation of an instance. */
const usualLimit = Duration.seconds(600)

/**
 * A name that nothing has counts as deleted.
 *
 * @since 0.1.0
 */
export const run: Run<typeof Nouns.awaiting, Globals> = (args, context) =>
  Effect.gen(function* () {
    const { resume: token } = args
    if (token !== undefined) {
      const kind = yield* Waits.accept(token, "await")
      const state = token.goal.for[0]
      if (state !== "created" && state !== "deleted") {
        return yield* new Waits.TokenRefused({ why: `this version does not know how to wait for ${state}` })
      }
      const limit = yield* Going.remaining(token, args, usualLimit)
      const ended = yield* goOn(kind, { uuid: token.id, name: null }, state, args, context, limit)
      return yield* Waits.report([ended], context)
    }
    const state = args.for
    if (state === undefined) return yield* new Waits.Incomplete({ missing: "--for" })
    const limit = yield* Looks.deadline(args, Pace.operations(interval, usualLimit))
    const all = yield* Waits.several({
      args,
      limit,
      each: (kind, found) => goOn(kind, found, state, args, context, limit),
      absent:
        state === "deleted"
          ? (kind, name) => ({ kind, uuid: null, name, state: "deleted", matched: "deleted", error: undefined })
          : undefined
    })
    return yield* Waits.report(all, context)
  }).pipe(Cluster.provide(context))

const goOn = (
  kind: Nouns.Kind,
  found: Objects.Found,
  state: State,
  args: Args,
  context: Context<Globals>,
  limit: Deadline.Deadline
) =>
  Effect.gen(function* () {
    const isLater = args.noWait && args.resume === undefined
    const going = yield* Cluster.goOn(
      context,
      "await",
      { kind, for: [state] },
      found.uuid,
      args,
      isLater && args.timeout === undefined ? undefined : limit
    )
    if (isLater) return yield* Waits.later(kind, found, going)
    const { awaitCreated, awaitDeleted } = Objects.calls[kind]
    const wait = state === "created" ? awaitCreated : awaitDeleted
    return yield* Waits.follow({ kind, found, wanted: state, reached: state, goOn: going, limit }, (given) =>
      wait({ ref: found.uuid }, { ...Waits.how(args, interval), ...given })
    )
  })
