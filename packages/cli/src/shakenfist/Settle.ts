/**
 * `settle`: until nothing is pending for objects, between two listings of what failed.
 *
 * @since 0.1.0
 */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Context, Run } from "../Command.ts"
import * as Going from "../commands/Going.ts"
import * as Looks from "../commands/Looks.ts"
import * as Cluster from "./Cluster.ts"
import type { Globals } from "./Flags.ts"
import type * as Nouns from "./Nouns.ts"
import type * as Objects from "./Objects.ts"
import * as Waits from "./Waits.ts"

type Args = Parameters<Run<typeof Nouns.settle, Globals>>[0]

/** As the cluster's functional tests look; nothing is said of artifacts there. */
const intervals: Readonly<Record<Nouns.Kind, Duration.Duration>> = {
  instance: Duration.seconds(10),
  network: Duration.seconds(5),
  artifact: Duration.seconds(1)
}

const usualLimit = Duration.seconds(300)

/**
 * A cluster that can't say is told of once, before anything else is asked.
 *
 * @since 0.1.0
 */
export const run: Run<typeof Nouns.settle, Globals> = (args, context) =>
  Effect.gen(function* () {
    const { resume: token } = args
    const kind = token === undefined ? undefined : yield* Waits.accept(token, "settle")
    const limit =
      token === undefined
        ? yield* Looks.deadline(args, Pace.operations("1 second", usualLimit))
        : yield* Going.remaining(token, args, usualLimit)
    const needs = [Settle.capability, "cluster-operations-by-target"]
    yield* Waits.bounded(limit, { kind: "cluster" })(
      Effect.forEach(needs, (capability) => ShakenFist.need("settle", capability), { discard: true })
    )
    const all =
      token === undefined || kind === undefined
        ? yield* Waits.several({ args, limit, each: (kind, found) => begin(kind, found, args, context, limit) })
        : [
            yield* goOn(
              kind,
              { uuid: token.id, name: null },
              knownOf(token.goal.fields?.["known"]),
              args,
              context,
              limit
            )
          ]
    return yield* Waits.report(all, context, (ended) => ({
      ...ended,
      operation: ended.error instanceof ClusterOperation.OperationFailed ? ended.error.uuid : null
    }))
  }).pipe(Cluster.provide(context))

/**
 * The object isn't there to begin with.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotThere extends Data.TaggedError("NotThere")<{
  readonly kind: string
  readonly uuid: string
  readonly requestId: string | undefined
}> {
  override get message(): string {
    const id = this.requestId === undefined ? "" : ` [${this.requestId}]`
    return `there is no ${this.kind} ${this.uuid}, or it is another namespace's${id}`
  }
}

/** The first listing is made before anything is promised: a token has what it showed. */
const begin = (
  kind: Nouns.Kind,
  found: Objects.Found,
  args: Args,
  context: Context<Globals>,
  limit: Deadline.Deadline
) =>
  Effect.flatMap(
    Settle.failedBefore(kind, found.uuid).pipe(
      Effect.catchTag("Gone", ({ requestId, uuid }) => new NotThere({ kind, uuid, requestId })),
      Waits.bounded(limit, { kind, id: found.uuid, name: found.name })
    ),
    (known) => goOn(kind, found, known, args, context, limit)
  )

const goOn = (
  kind: Nouns.Kind,
  found: Objects.Found,
  known: ReadonlyArray<string>,
  args: Args,
  context: Context<Globals>,
  limit: Deadline.Deadline
) =>
  Effect.gen(function* () {
    const isLater = args.noWait && args.resume === undefined
    const going = yield* Cluster.goOn(
      context,
      "settle",
      { kind, for: ["settled"], fields: { known: known.join(",") } },
      found.uuid,
      args,
      isLater && args.timeout === undefined ? undefined : limit
    )
    if (isLater) return yield* Waits.later(kind, found, going)
    return yield* Waits.follow(
      { kind, found, verb: "settle", wanted: "no pending operations", reached: "settled", goOn: going, limit },
      (given) => Settle.settle(kind, found.uuid, { ...Waits.how(args, intervals[kind]), ...given, known })
    )
  })

const knownOf = (text: unknown): ReadonlyArray<string> =>
  typeof text === "string" ? text.split(",").filter((uuid) => uuid !== "") : []
