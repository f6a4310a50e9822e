/**
 * How a command that waits looks, and tells of its looks, whatever the cloud.
 *
 * @since 0.1.0
 */
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as CoreProgress from "@effect-manila/core/waiter/Progress"
import * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { ProgressEvent } from "../progress/Event.ts"

/**
 * The waiting flags' values. Durations are milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Args {
  readonly timeout: number | undefined
  readonly interval: number | undefined
  readonly maxInterval: number | undefined
  readonly maxAttempts: number | undefined
  readonly tolerate: number | undefined
}

/**
 * What a cloud's waits do without flags.
 *
 * @since 0.1.0
 * @category models
 */
export interface Usual {
  readonly intervalMillis: number
  readonly patience: Patience.Patience<unknown>
}

/**
 * @since 0.1.0
 */
export const usual: Usual = { intervalMillis: 5_000, patience: Patience.standard }

/**
 * How to look: the flags' pace and patience. `--max-interval` above `--interval` makes the gaps double up to it. Without
 * flags it is as `base` says, and with {@link usual} patience.
 *
 * @since 0.1.0
 */
export const how = (
  args: Args,
  base: Pace.Pace,
  { intervalMillis, patience }: Usual = usual
): { pace: Pace.Pace; patience: Patience.Patience<unknown> } => {
  const interval = args.interval ?? intervalMillis
  const most = args.maxInterval ?? interval
  const attempts = args.maxAttempts
  const pace =
    args.interval === undefined && args.maxInterval === undefined
      ? { ...base, attempts: attempts ?? base.attempts }
      : most > interval
        ? Pace.backoff({ initial: interval, cap: most, attempts })
        : Pace.every(Math.min(interval, most), { attempts })
  return {
    pace,
    patience: args.tolerate === undefined ? patience : Patience.make({ tolerate: args.tolerate })
  }
}

/**
 * The whole command's limit, started now: the flag's, else the pace's own.
 *
 * @since 0.1.0
 */
export const deadline = (args: Args, base: Pace.Pace): Effect.Effect<Deadline.Deadline> =>
  Deadline.start(args.timeout === undefined ? base.limit : Duration.millis(args.timeout))

/**
 * The limit as a wait takes it. One of nothing (`--timeout 0`, a token whose deadline has passed) leaves one look,
 * although some time has passed since it began.
 *
 * @since 0.1.0
 */
export const leaving = <L extends Deadline.Deadline | undefined>(limit: L): L | Duration.Duration =>
  limit !== undefined && Duration.toMillis(limit.limit) === 0 ? Duration.zero : limit

/**
 * The limit of a command that may wait. With `--no-wait` there is only one that was asked for: the token carries it.
 *
 * @since 0.1.0
 */
export const begin = (
  args: Args & { readonly wait: boolean | undefined },
  base: Pace.Pace
): Effect.Effect<Deadline.Deadline | undefined> =>
  args.wait === true || (args.wait === false && args.timeout !== undefined)
    ? deadline(args, base)
    : Effect.succeed(undefined)

/**
 * Runs a step that only reads (a name look-up, say) within the limit; past it the command has timed out.
 *
 * @since 0.1.0
 */
export const within =
  (limit: Deadline.Deadline | undefined, subject: WaitError.Subject) =>
  <A, E, R>(step: Effect.Effect<A, E, R>): Effect.Effect<A, E | WaitError.WaitTimedOut, R> =>
    limit === undefined
      ? step
      : Effect.flatMap(Deadline.remainingMillis(limit), (left) =>
          Number.isFinite(left)
            ? Effect.timeoutFail(step, {
                duration: Duration.millis(Math.max(0, left)),
                onTimeout: () => outOfTime(limit, subject)
              })
            : step
        )

const outOfTime = (limit: Deadline.Deadline, subject: WaitError.Subject) => {
  const limitMillis = Duration.toMillis(limit.limit)
  return new WaitError.WaitTimedOut({
    subject,
    wanted: "to be found",
    status: "",
    statuses: [],
    looks: 0,
    elapsedMillis: limitMillis,
    lastFault: null,
    observed: null,
    cause: "limit",
    limitMillis,
    stoodMillis: 0,
    retryAfterMillis: null
  })
}

/**
 * Tells a wait's looks and faults as they come.
 *
 * @since 0.1.0
 */
export const told =
  (emit: (event: ProgressEvent) => Effect.Effect<void>, id: string) =>
  (event: CoreProgress.Progress): Effect.Effect<void> => {
    switch (event._tag) {
      case "Looked":
        return emit({
          _tag: "status",
          id,
          status: event.status,
          progress: event.progress,
          elapsedMillis: event.elapsedMillis,
          nextInMillis: event.nextMillis === null ? null : event.nextMillis - event.elapsedMillis,
          looks: event.looks
        })
      case "Faulted":
        return emit({
          _tag: "fault",
          id,
          detail: event.fault,
          inARow: event.inARow,
          tolerated: event.tolerated,
          nextInMillis: event.nextMillis === null ? null : event.nextMillis - event.elapsedMillis
        })
      default:
        return Effect.void
    }
  }

/**
 * The waiter's own log lines say what the progress lines say.
 *
 * @since 0.1.0
 */
export const quietly: <A, E, R>(wait: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Logger.withMinimumLogLevel(
  LogLevel.Error
)
