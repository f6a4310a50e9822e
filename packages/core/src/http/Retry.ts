/**
 * The client's own retry: only what changes nothing is repeated, and a wait's looks not at all.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Predicate from "effect/Predicate"

/**
 * How often a safe request is tried in all. Default 3.
 *
 * @since 0.1.0
 */
export const attempts: FiberRef.FiberRef<number> = globalValue("@effect-manila/core/http/Retry/attempts", () =>
  FiberRef.unsafeMake(3)
)

/**
 * Runs requests once: a fault in a look is the wait's business, which has patience of its own.
 *
 * @since 0.1.0
 */
export const once = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locally(effect, attempts, 1)

/**
 * Errors say of themselves whether another try may go better.
 *
 * @since 0.1.0
 */
export const isTransient = (error: unknown): boolean =>
  Predicate.hasProperty(error, "transient") && error.transient === true

/** The most of a `Retry-After` that is slept between two tries of one request. */
const longest = Duration.toMillis("1 minute")

/**
 * Repeats a safe request after transient faults: 500 ms, then double, but at least as long as a `Retry-After` asks. One
 * that asks for more than a minute is given up on: the caller should know, not hang.
 *
 * @since 0.1.0
 */
export const safely = <A, E, R>(
  request: Effect.Effect<A, E, R>,
  /** Which errors are this request's own to repeat. Default: all that say they are transient. */
  repeats: (error: E) => boolean = isTransient
): Effect.Effect<A, E, R> =>
  Effect.flatMap(FiberRef.get(attempts), (most) => {
    const attempt = (n: number): Effect.Effect<A, E, R> =>
      n >= most
        ? request
        : Effect.catchAll(request, (error) => {
            const asked = retryAfterMillis(error)
            return repeats(error) && asked <= longest
              ? Effect.delay(attempt(n + 1), Duration.millis(Math.max(500 * 2 ** (n - 1), asked)))
              : Effect.fail(error)
          })
    return attempt(1)
  })

/**
 * The milliseconds the service asked to wait, 0 if it did not.
 *
 * @since 0.1.0
 */
export const retryAfterMillis = (error: unknown): number =>
  Predicate.hasProperty(error, "retryAfterMillis") && typeof error.retryAfterMillis === "number"
    ? error.retryAfterMillis
    : 0
