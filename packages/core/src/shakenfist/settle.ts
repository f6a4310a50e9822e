/**
 * Waiting until the cluster has done what was asked of an object.
 *
 * The question is put to the object's own `has_pending_operations`. Its last operation is no answer: that one may be
 * complete while an older one is still queued, and nothing here waits on it.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Goal from "../waiter/Goal.ts"
import * as Pace from "../waiter/Pace.ts"
import * as Patience from "../waiter/Patience.ts"
import * as WaitError from "../waiter/WaitError.ts"
import * as Waiter from "../waiter/Waiter.ts"
import * as Artifact from "./Artifact.ts"
import * as ClusterOperation from "./ClusterOperation.ts"
import * as Instance from "./Instance.ts"
import { look } from "./internal/look.ts"
import * as Network from "./Network.ts"
import { need, ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"
import { Incapable, InvalidArgument } from "./ShakenFistError.ts"
import * as Strategy from "./Strategy.ts"

/**
 * The token that announces `has_pending_operations` in views and `observational` in listings.
 *
 * @since 0.1.0
 */
export const capability = "object-pending-operations"

/**
 * The kinds of object that say whether operations are pending.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = "instance" | "network" | "artifact"

interface View {
  readonly has_pending_operations?: unknown
}

type Get = (ref: {
  readonly ref: string
  readonly namespace?: string | undefined
}) => Effect.Effect<View, ShakenFistError, ShakenFist>

const gets: ReadonlyMap<string, Get> = new Map<Kind, Get>([
  ["instance", Instance.get],
  ["network", Network.get],
  ["artifact", Artifact.get]
])

/**
 * How to wait. There is no patience with faults unless it is asked for: the first one ends the wait with its own error.
 * A connection that failed is tried once more in any case, at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options<out R = never> extends Pick<
  Waiter.Options<ShakenFistError, R>,
  "attempts" | "limit" | "pace" | "patience" | "onProgress" | "spanPerLook"
> {
  /** Where to look a name up; instances and networks then need `get-instance-namespace` or `get-network-namespace`. */
  readonly namespace?: string | undefined
  /**
   * Default: the async strategy's, an hour unless said otherwise. At least one look is made whatever it is. A `limit`,
   * such as a deadline shared with other waits, goes before it.
   */
  readonly timeout?: Duration.DurationInput | undefined
  /** From one look to the next. Default 1 s. A `pace` goes before it. */
  readonly interval?: Duration.DurationInput | undefined
}

/** A question that was answered: whatever isn't a boolean is no answer, and never "not pending". */
interface Answered {
  readonly isPending: boolean
}

const settled: Goal.Goal<Answered> = Goal.make("no pending operations", ({ seen }) =>
  Option.match(seen, {
    onNone: () => Goal.failed("gone", "goneAfterSeen", "it is gone"),
    onSome: ({ isPending }) => (isPending ? Goal.pending("pending") : Goal.reached("settled", "settled"))
  })
)

const operation = "awaitNoPendingOperations"

/**
 * Waits until nothing is pending for an object: one GET a look, the first one at once and the last one at the time-out.
 *
 * Says nothing about success: an operation that ended in error lets it return, and so does one that is only measuring.
 * Fails with `Incapable` (nothing sent, if the server does not announce {@link capability}; on any look whose view has
 * no boolean), with `NotFound` if there is no such object or it is hard deleted meanwhile, with `WaitTimedOut`, or with
 * the error of a fault. A soft-deleted object is still there for its uuid.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitNoPendingOperations = <R = never>(
  kind: Kind,
  ref: string,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | WaitError.WaitTimedOut, ShakenFist | R> =>
  Effect.gen(function* () {
    // The kind may come from a command line.
    const get = gets.get(kind)
    if (get === undefined) {
      const detail = `has no pending operations to wait for: ${[...gets.keys()].join(", ")}`
      return yield* new InvalidArgument({ operation, argument: kind, detail })
    }
    yield* need(operation, capability)
    const { config } = yield* ShakenFist
    const { interval, limit, namespace, pace, timeout, ...rest } = options
    const view = look(get({ ref, namespace }))
    const probe = Effect.flatMap(view, ({ has_pending_operations: isPending }) =>
      typeof isPending === "boolean"
        ? Effect.succeedSome({ isPending })
        : Effect.fail(new Incapable({ operation, capability, missing: "field" }))
    )
    const outcome = yield* Waiter.outcome(probe, settled, {
      ...rest,
      pace: pace ?? Pace.operations(interval),
      limit: limit ?? timeout ?? Strategy.limit(config.strategy),
      patience: options.patience ?? Patience.none,
      subject: { kind, id: ref, verb: "settle" }
    })
    switch (outcome._tag) {
      case "Reached":
        return
      case "TimedOut":
      case "Faulted":
        return yield* Effect.fail(outcome.error)
      case "Failed":
      case "NeedsAction":
        // The probe never gives an absence, and the goal asks for no action.
        return yield* Effect.die(outcome.error)
    }
  })

/**
 * The object went away, hard deleted, while it was to be settled: nothing is known of its operations.
 *
 * @since 0.1.0
 * @category errors
 */
export class Gone extends Schema.TaggedError<Gone>("@effect-manila/core/shakenfist/Gone")("Gone", {
  kind: Schema.String,
  label: Schema.String,
  uuid: Schema.String,
  during: Schema.Literal("the first listing", "the wait", "the second listing"),
  requestId: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return `${targetText(this.label, this.uuid)} went away while its operations were waited for (in ${this.during})`
  }
}

/**
 * Operations were still pending at the limit.
 *
 * @since 0.1.0
 * @category errors
 */
export class SettleTimedOut extends Schema.TaggedError<SettleTimedOut>("@effect-manila/core/shakenfist/SettleTimedOut")(
  "SettleTimedOut",
  {
    kind: Schema.String,
    label: Schema.String,
    uuid: Schema.String,
    /** What the wait saw. */
    wait: WaitError.WaitTimedOut
  }
) {
  override get message(): string {
    const { limitMillis, looks } = this.wait
    return (
      `${targetText(this.label, this.uuid)}: its operations did not complete within ${span(limitMillis)} ` +
      `(${looks === 1 ? "1 look" : `${looks} looks`})`
    )
  }
}

const span = (millis: number | null): string => {
  if (millis === null) return "the time there was"
  const minutes = millis / 60_000
  return Number.isInteger(minutes) && minutes > 0
    ? `${minutes} ${minutes === 1 ? "minute" : "minutes"}`
    : `${millis / 1000} s`
}

const targetText = (label: string, uuid: string): string =>
  `${label.slice(0, 1).toUpperCase()}${label.slice(1)} ${uuid}`

/**
 * @since 0.1.0
 * @category models
 */
export interface SettleOptions<out R = never> extends Omit<Options<R>, "namespace"> {
  /** What the object is called in messages. Default: its kind. */
  readonly label?: string | undefined
  /** The uuids that {@link failedBefore} gave, which then stands for the first listing. */
  readonly known?: ReadonlyArray<string> | undefined
}

/**
 * What settling can fail with.
 *
 * @since 0.1.0
 * @category errors
 */
export type SettleError = ShakenFistError | Gone | SettleTimedOut | ClusterOperation.OperationFailed

const goneFrom =
  (kind: Kind, uuid: string, label: string) =>
  (during: Gone["during"]) =>
  (error: { readonly requestId?: string | undefined }): Effect.Effect<never, Gone> =>
    Effect.fail(new Gone({ kind, label, uuid, during, requestId: error.requestId }))

/** Names the object, which the error of a gate or of a look can't know. */
const aimed =
  (uuid: string, label: string) =>
  <A, E extends { readonly _tag: string }, R>(
    effect: Effect.Effect<A, E | Incapable, R>
  ): Effect.Effect<A, E | Incapable, R> =>
    Effect.mapError(effect, (error) =>
      error instanceof Incapable
        ? new Incapable({ ...error, operation: "settle", target: targetText(label, uuid) })
        : error
    )

/**
 * The first of the two listings between which {@link settle} waits, made by itself: the uuids of the operations that
 * are in error already. For a wait that is to begin, or to be gone on with, later or elsewhere.
 *
 * @since 0.1.0
 * @category waiting
 */
export const failedBefore = (
  kind: Kind,
  uuid: string,
  { label = kind }: Pick<SettleOptions, "label"> = {}
): Effect.Effect<ReadonlyArray<string>, ShakenFistError | Gone, ShakenFist> =>
  need("settle", capability).pipe(
    Effect.zipRight(ClusterOperation.byTarget({ type: kind, uuid })),
    Effect.catchTag("NotFound", goneFrom(kind, uuid, label)("the first listing")),
    Effect.map((listed) => listed.filter(({ state }) => state === "error").map(({ uuid }) => uuid)),
    aimed(uuid, label)
  )

/**
 * Waits until nothing is pending for an object, and fails if one of its operations failed meanwhile.
 *
 * The wait stands between two listings of the object's operations. Fails with `OperationFailed` for the first one in the
 * second listing's order that is in `error`, is not observational (no word on it counts as not), and was not in `error`
 * in the first listing. Aborted and deleted operations don't count, nor does one that vanished. Fails with `Incapable`
 * before anything is sent if the server doesn't announce {@link capability}, with `Gone`, or with `SettleTimedOut`;
 * after either the second listing is not made. An operation that was in error before the first listing goes unnoticed.
 *
 * `uuid` is not a name: listings are by uuid. `timeout` defaults to 300 s, `interval` to 1 s.
 *
 * @since 0.1.0
 * @category waiting
 */
export const settle = <R = never>(
  kind: Kind,
  uuid: string,
  options: SettleOptions<R> = {}
): Effect.Effect<void, SettleError, ShakenFist | R> => {
  const { known, label = kind, ...rest } = options
  const gone = goneFrom(kind, uuid, label)
  return Effect.gen(function* () {
    const before = new Set(known ?? (yield* failedBefore(kind, uuid, { label })))
    yield* awaitNoPendingOperations(kind, uuid, { ...rest, timeout: options.timeout ?? Duration.seconds(300) }).pipe(
      Effect.catchTags({
        WaitTimedOut: (wait) => Effect.fail(new SettleTimedOut({ kind, label, uuid, wait })),
        NotFound: gone("the wait")
      })
    )
    const after = yield* Effect.catchTag(
      ClusterOperation.byTarget({ type: kind, uuid }),
      "NotFound",
      gone("the second listing")
    )
    const failure = after.find(
      (one) => one.state === "error" && !ClusterOperation.isObservational(one) && !before.has(one.uuid)
    )
    if (failure !== undefined) yield* ClusterOperation.failed(failure, targetText(label, uuid))
  }).pipe(aimed(uuid, label))
}

/**
 * Settles an instance: a look every 10 s, 300 s in all.
 *
 * @since 0.1.0
 * @category waiting
 */
export const instance = <R = never>(
  uuid: string,
  options: SettleOptions<R> = {}
): Effect.Effect<void, SettleError, ShakenFist | R> =>
  settle("instance", uuid, { ...options, interval: options.interval ?? Duration.seconds(10) })

/**
 * Settles a network: a look every 5 s, 300 s in all.
 *
 * @since 0.1.0
 * @category waiting
 */
export const network = <R = never>(
  uuid: string,
  options: SettleOptions<R> = {}
): Effect.Effect<void, SettleError, ShakenFist | R> =>
  settle("network", uuid, { ...options, interval: options.interval ?? Duration.seconds(5) })
