/**
 * The time for one request.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"

/**
 * Ends a request after `millis`, also where interruption waits, as in a finalizer: there `Effect.timeout` would wait
 * for the request too. The request is no child of the calling fiber, since children are interrupted with their parent
 * even where that is uninterruptible; it is interrupted, and waited for, where the caller can be.
 */
export const within = <A, E, R, E2>(
  request: Effect.Effect<A, E, R>,
  millis: number,
  onTimeout: () => E2
): Effect.Effect<A, E | E2, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      let late = false
      const running = yield* Effect.forkDaemon(Effect.interruptible(request))
      const timer = yield* Effect.sleep(millis).pipe(
        Effect.zipRight(
          Effect.suspend(() => {
            late = true
            return Fiber.interruptFork(running)
          })
        ),
        Effect.interruptible,
        Effect.forkDaemon
      )
      const exit = yield* restore(Fiber.await(running)).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(running)),
        Effect.ensuring(Fiber.interrupt(timer))
      )
      return yield* late && Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
        ? Effect.fail(onTimeout())
        : exit
    })
  )
