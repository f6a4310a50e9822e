/**
 * When to look again, and for how long at most.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"

const TypeId: unique symbol = Symbol.for("@effect-manila/core/waiter/Pace")

/**
 * The least time between the end of one look and the start of the next, whatever a schedule or a server asks for.
 *
 * @since 0.1.0
 */
export const floor: Duration.Duration = Duration.millis(100)

/**
 * @since 0.1.0
 * @category models
 */
export interface Pace {
  readonly [TypeId]: typeof TypeId
  /**
   * When to look again. It is stepped after each look with the milliseconds since the wait began, so calendar
   * schedules (`Schedule.cron`) make no sense here.
   */
  readonly schedule: Schedule.Schedule<unknown>
  /** The whole wait's limit, inclusive: the last look may begin at it. */
  readonly limit: Duration.Duration
  /** The longest gap between two looks that the schedule may ask for. */
  readonly maxGap: Duration.Duration
  /** The most looks. */
  readonly attempts: number
  /** The most of a server's `Retry-After` that is obeyed. */
  readonly maxRetryAfter: Duration.Duration
}

/**
 * Wherever a pace is asked for, a bare `Schedule` is a pace without limit.
 *
 * @since 0.1.0
 * @category models
 */
export type PaceInput = Pace | Schedule.Schedule<unknown>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: none. */
  readonly limit?: Duration.DurationInput | undefined
  /** Default: as the schedule asks. */
  readonly maxGap?: Duration.DurationInput | undefined
  /** Default: no cap. Less than 1 counts as 1, since every wait looks once. */
  readonly attempts?: number | undefined
  /** Default: 10 minutes. */
  readonly maxRetryAfter?: Duration.DurationInput | undefined
}

/**
 * @since 0.1.0
 * @category refinements
 */
export const isPace = (input: unknown): input is Pace => Predicate.hasProperty(input, TypeId)

/**
 * Durations that are negative or not a number count as zero: the floor holds then.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (schedule: Schedule.Schedule<unknown>, options: Options = {}): Pace => ({
  [TypeId]: TypeId,
  schedule,
  limit: Duration.decode(options.limit ?? Duration.infinity),
  maxGap: Duration.decode(options.maxGap ?? Duration.infinity),
  attempts: options.attempts ?? Number.POSITIVE_INFINITY,
  maxRetryAfter: Duration.decode(options.maxRetryAfter ?? Duration.minutes(10))
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const fromInput = (input: PaceInput): Pace => (isPace(input) ? input : make(input))

/**
 * A look every `interval`, on a grid that starts with the first look's end; a late tick comes at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const every = (interval: Duration.DurationInput, options: Options = {}): Pace =>
  make(Schedule.fixed(interval), { ...options, maxGap: options.maxGap ?? interval })

/**
 * Gaps that grow from `initial` by `factor` (default 2) up to `cap`, and go on at the cap. With `jitter` (0 to 1,
 * default 0) each gap is spread by that share in both directions, at the cap too; the cap is applied after it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const backoff = (options: {
  readonly initial: Duration.DurationInput
  readonly cap: Duration.DurationInput
  readonly factor?: number | undefined
  readonly jitter?: number | undefined
  readonly limit?: Duration.DurationInput | undefined
  readonly attempts?: number | undefined
}): Pace => {
  const cap = Duration.decode(options.cap)
  const capped = Schedule.exponential(options.initial, options.factor ?? 2).pipe(
    Schedule.modifyDelay((_, delay) => Duration.min(delay, cap))
  )
  const jitter = options.jitter ?? 0
  const spread = jitter === 0 ? capped : Schedule.jitteredWith(capped, { min: 1 - jitter, max: 1 + jitter })
  return make(spread, { limit: options.limit, attempts: options.attempts, maxGap: cap })
}

/**
 * @since 0.1.0
 * @category combinators
 */
export const withLimit = (input: PaceInput, limit: Duration.DurationInput): Pace => ({
  ...fromInput(input),
  limit: Duration.decode(limit)
})

/**
 * Every wait for a status: 5 s, no limit.
 *
 * @since 0.1.0
 * @category defaults
 */
export const status: Pace = every("5 seconds")

/**
 * Every wait for absence: 5 s, 300 s in all, so 61 looks.
 *
 * @since 0.1.0
 * @category defaults
 */
export const deletion: Pace = every("5 seconds", { limit: "300 seconds" })

/**
 * Waits for a cloud's running operations: at the caller's interval, default 1 s; the caller's limit, default none.
 *
 * @since 0.1.0
 * @category defaults
 */
export const operations = (
  interval: Duration.DurationInput = "1 second",
  limit: Duration.DurationInput = Duration.infinity
): Pace => every(interval, { limit })
