/**
 * How many transient faults in a row one wait survives, and how it backs off after them.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/**
 * @since 0.1.0
 * @category models
 */
export interface Patience<in E> {
  /** Faults in a row that do not end the wait; one more does. 0 is legal, and less counts as 0. */
  readonly tolerate: number
  /** The least milliseconds from the `n`-th fault in a row (1, 2, …) to the next look. */
  readonly backoffMillis: (inARow: number) => number
  readonly isTransient: (error: E) => boolean
  /** The milliseconds a server asked to wait on this error. */
  readonly retryAfterMillis: (error: E) => Option.Option<number>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<in E> {
  /** Default 10. */
  readonly tolerate?: number | undefined
  /** Default: 500 ms doubling, capped at 30 s. Reset by any good look. */
  readonly backoff?: ((inARow: number) => Duration.DurationInput) | undefined
  /** Default: the error says `transient: true` of itself, as every error of this library does. */
  readonly isTransient?: ((error: E) => boolean) | undefined
  /** Default: the error's own `retryAfterMillis`, if it has one. */
  readonly retryAfter?: ((error: E) => Option.Option<Duration.DurationInput>) | undefined
}

const doubling = (inARow: number): number => Math.min(30_000, 500 * 2 ** (inARow - 1))

const saysTransient = (error: unknown): boolean => Predicate.hasProperty(error, "transient") && error.transient === true

const saysRetryAfter = (error: unknown): Option.Option<number> =>
  Predicate.hasProperty(error, "retryAfterMillis") && typeof error.retryAfterMillis === "number"
    ? Option.some(error.retryAfterMillis)
    : Option.none()

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = <E = unknown>(options: Options<E> = {}): Patience<E> => {
  const { backoff, retryAfter } = options
  return {
    tolerate: options.tolerate ?? 10,
    backoffMillis: backoff === undefined ? doubling : (inARow) => Duration.toMillis(backoff(inARow)),
    isTransient: options.isTransient ?? saysTransient,
    retryAfterMillis:
      retryAfter === undefined ? saysRetryAfter : (error) => Option.map(retryAfter(error), Duration.toMillis)
  }
}

/**
 * Ten faults in a row; 500 ms doubling up to 30 s.
 *
 * @since 0.1.0
 * @category defaults
 */
export const standard: Patience<unknown> = make()

/**
 * The first fault ends the wait: what the Python client does.
 *
 * @since 0.1.0
 * @category defaults
 */
export const none: Patience<unknown> = make({ tolerate: 0 })
