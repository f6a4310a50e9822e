/**
 * What `settle` and `await` have in common: several objects under one limit, what is told on the way, and how each ended.
 *
 * @since 0.1.0
 */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import type { ShakenFist } from "@effect-manila/core/shakenfist/ShakenFist"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as CoreProgress from "@effect-manila/core/waiter/Progress"
import * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CommandError, Context } from "../Command.ts"
import * as About from "../commands/About.ts"
import type * as Going from "../commands/Going.ts"
import * as Looks from "../commands/Looks.ts"
import type * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import { Progress } from "../Progress.ts"
import type { Ending } from "../progress/Event.ts"
import type { ResumeToken } from "../ResumeToken.ts"
import { nameOf } from "../Spec.ts"
import * as Cluster from "./Cluster.ts"
import type { Globals } from "./Flags.ts"
import { type Kind, kinds } from "./Nouns.ts"
import * as Objects from "./Objects.ts"
import { program } from "./Program.ts"
import * as Records from "./Records.ts"

/**
 * The kind, the names and (for `await`) `--for` have to be given together, without `--resume`.
 *
 * @since 0.1.0
 * @category errors
 */
export class Incomplete extends Data.TaggedError("Incomplete")<{ readonly missing: string }> {
  override get message(): string {
    return `${this.missing} is missing`
  }
}

/**
 * The token is of another cluster or namespace, or of another command. Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly why: string }> {
  override get message(): string {
    return `this resume token can't be used: ${this.why}`
  }
}

/**
 * The arguments that name the objects.
 *
 * @since 0.1.0
 * @category models
 */
export interface Named {
  readonly kind: Kind | undefined
  readonly refs: ReadonlyArray<string> | undefined
  readonly namespace: string | undefined
}

/**
 * How a command looks without flags: the first fault ends it, as in the Python client.
 *
 * @since 0.1.0
 */
export const how = (args: Looks.Args, interval: Duration.DurationInput) =>
  Looks.how(args, Pace.operations(interval), {
    intervalMillis: Duration.toMillis(interval),
    patience: Patience.none
  })

/**
 * What a wait is given: its limit (one that has passed leaves one look), and whom to tell of its looks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly limit: Deadline.Deadline | Duration.Duration
  readonly onProgress: (event: CoreProgress.Progress) => Effect.Effect<void>
}

/**
 * How one object's wait ended: what its record is made of, and the error if there is one to tell.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ended {
  readonly kind: Kind
  readonly uuid: string | null
  readonly name: string | null
  /** The last state that was seen, or the one that was wanted. */
  readonly state: string
  readonly matched: string | null
  readonly error: CommandError | undefined
}

const endings: Readonly<Record<string, Ending>> = {
  OperationFailed: "failed",
  SettleTimedOut: "timedOut",
  WaitTimedOut: "timedOut",
  Gone: "missing",
  NotFound: "missing",
  Incapable: "incapable"
}

/** Any error of a wait, read by its fields as `Failure` does. */
const fieldsOf = (error: CommandError): Readonly<Record<string, unknown>> => ({ ...error })

const endingOf = (error: CommandError): Ending =>
  error._tag === "WaitFailed"
    ? fieldsOf(error)["cause"] === "notFound"
      ? "missing"
      : "failed"
    : (endings[error._tag] ?? "faulted")

/** Whether it is a time-out by the limit, and not by the number of looks. */
const isOutOfTime = (error: CommandError): boolean =>
  error instanceof WaitError.WaitTimedOut
    ? error.cause === "limit"
    : error instanceof Settle.SettleTimedOut && error.wait.cause === "limit"

/** What the object's state is called once the wait has ended. */
const stateOf = (error: CommandError, seen: string): string => {
  if (error instanceof ClusterOperation.OperationFailed) return error.state
  return error._tag === "Gone" ? "gone" : seen
}

/**
 * One wait, told from its beginning to its end.
 *
 * @since 0.1.0
 */
export const follow = <E extends CommandError, R>(
  one: {
    readonly kind: Kind
    readonly found: Objects.Found
    readonly verb?: string | undefined
    readonly wanted: string
    /** The state of an object that has reached it. */
    readonly reached: string
    readonly goOn: Going.GoOn
    readonly limit: Deadline.Deadline
  },
  wait: (given: Given) => Effect.Effect<unknown, E, R>
): Effect.Effect<Ended, never, R | Progress> =>
  Effect.gen(function* () {
    const { found, goOn, kind, limit, reached, verb, wanted } = one
    const { emit } = yield* Progress
    const { name, uuid: id } = found
    const limitMillis = Duration.toMillis(limit.limit)
    yield* emit({ _tag: "started", kind, id, name, verb, wanted, limitMillis, resume: goOn.resume })
    const tell = Looks.told(emit, id)
    let last = { status: "", looks: 0, elapsedMillis: 0 }
    const onProgress = (event: CoreProgress.Progress): Effect.Effect<void> => {
      if (event._tag !== "Started") {
        const { elapsedMillis, looks } = event
        last = { status: event._tag === "Faulted" ? last.status : event.status, looks, elapsedMillis }
      }
      return tell(event)
    }
    const left = yield* Deadline.remainingMillis(limit)
    const result = yield* Effect.either(Looks.quietly(wait({ limit: left > 0 ? limit : Duration.zero, onProgress })))
    const { elapsedMillis, looks } = last
    const common = { _tag: "ended", id, elapsedMillis, looks } as const
    const record = { kind, uuid: id, name }
    if (result._tag === "Right") {
      yield* emit({ ...common, ending: "reached", status: reached, detail: wanted })
      return { ...record, state: reached, matched: wanted, error: undefined }
    }
    const error = result.left
    const state = stateOf(error, last.status)
    yield* emit({
      ...common,
      ending: endingOf(error),
      status: state,
      detail: Failure.describe(error, "", program.readings).text,
      ...(isOutOfTime(error) && goOn.afterTimeOut !== undefined ? { resume: goOn.afterTimeOut } : {})
    })
    return { ...record, state, matched: null, error }
  })

/**
 * With `--no-wait`: prints how to wait later.
 *
 * @since 0.1.0
 */
export const later = (
  kind: Kind,
  { name, uuid }: Objects.Found,
  { resume }: Going.GoOn
): Effect.Effect<Ended, never, Progress> =>
  Effect.flatMap(Progress, ({ emit }) =>
    Effect.as(emit({ _tag: "resume", kind, id: uuid, name, resume }), {
      kind,
      uuid,
      name,
      state: "",
      matched: null,
      error: undefined
    })
  )

/**
 * Each object on its own and all at once; one that is named twice, or under two names, once.
 *
 * @since 0.1.0
 */
export const several = <E extends CommandError>(options: {
  readonly args: Named
  readonly limit: Deadline.Deadline
  readonly each: (kind: Kind, found: Objects.Found) => Effect.Effect<Ended, E, ShakenFist | Progress>
  /** What it means that nothing has a name. */
  readonly absent?: ((kind: Kind, name: string) => Ended) | undefined
}): Effect.Effect<ReadonlyArray<Ended>, Incomplete, ShakenFist | Progress> => {
  const { absent, args, each, limit } = options
  const { kind, namespace, refs } = args
  if (kind === undefined) return Effect.fail(new Incomplete({ missing: "KIND" }))
  if (refs === undefined || refs.length === 0) return Effect.fail(new Incomplete({ missing: "REF" }))
  const taken = new Set<string>()
  const failed = (found: Pick<Ended, "uuid" | "name">, error: CommandError): Ended => ({
    kind,
    ...found,
    state: "",
    matched: null,
    error
  })
  const one = (ref: string): Effect.Effect<Ended | undefined, never, ShakenFist | Progress> =>
    Effect.matchEffect(bounded(limit, { kind, name: ref })(Objects.find(kind, ref, namespace)), {
      onFailure: (error) =>
        Effect.succeed(
          isMissing(error) && absent !== undefined ? absent(kind, ref) : failed({ uuid: null, name: ref }, error)
        ),
      onSuccess: (found) => {
        if (taken.has(found.uuid)) return Effect.succeed(undefined)
        taken.add(found.uuid)
        return Effect.catchAll(each(kind, found), (error) => Effect.succeed(failed(found, error)))
      }
    })
  return Effect.map(Effect.forEach([...new Set(refs)], one, { concurrency: "unbounded" }), (all) =>
    all.filter((ended) => ended !== undefined)
  )
}

const isMissing = (error: CommandError): boolean =>
  (error instanceof About.About ? error.error : error)._tag === "NotFound"

/**
 * A step before the looks, within the limit. Where there is no time at all (`--timeout 0`), it is the looks that have
 * none.
 *
 * @since 0.1.0
 */
export const bounded = (limit: Deadline.Deadline, subject: WaitError.Subject) =>
  Looks.within(Duration.toMillis(limit.limit) > 0 ? limit : undefined, subject)

/**
 * Checks a token before anything is sent, and gives its kind of object.
 *
 * @since 0.1.0
 */
export const accept = (
  token: ResumeToken,
  command: "settle" | "await"
): Effect.Effect<Kind, TokenRefused, ShakenFist> =>
  Effect.gen(function* () {
    if ((yield* Cluster.fingerprint) !== token.cloud) {
      return yield* new TokenRefused({ why: "it was made for another cluster or namespace" })
    }
    if (token.verb !== command) {
      return yield* new TokenRefused({ why: `it is one of shakenfist-wait ${token.verb}` })
    }
    const kind = kinds.find((kind) => kind === token.kind)
    return kind ?? (yield* new TokenRefused({ why: `this version does not know how to wait for a ${token.kind}` }))
  })

/**
 * Prints one record for each object; then tells the errors, and gives one result for each.
 *
 * @since 0.1.0
 */
export const report = (
  all: ReadonlyArray<Ended>,
  { spec }: Context<Globals>,
  recordOf: (ended: Ended) => object = (ended) => ended
) =>
  Effect.gen(function* () {
    const progress = yield* Progress
    yield* Records.list(spec, all.map(recordOf))
    return yield* Effect.forEach(all, ({ error, kind, name, uuid }): Effect.Effect<ExitCode.Result> => {
      if (error === undefined) return Effect.succeed({ ending: "ok" })
      const told = Failure.describe(error, nameOf(spec), program.readings)
      const called = [name, uuid].filter((part) => part !== null)
      // Several messages can't be told apart without the object each is about.
      const about = called.some((part) => told.text.includes(part)) ? "" : `${kind} ${called[0] ?? ""}: `
      const text = `${program.name}: ${about}${told.text}`
      return Effect.as(progress.error({ ...told, id: uuid ?? undefined, text }), told)
    })
  })
