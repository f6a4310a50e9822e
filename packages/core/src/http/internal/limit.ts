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
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(request)), (running) => {
      let late = false
      const timer = Effect.map(Effect.sleep(millis), () => {
        late = true
        end(running)
      })
      return Effect.flatMap(Effect.forkDaemon(Effect.interruptible(timer)), (timing) =>
        Effect.matchCauseEffect(restore(Fiber.await(running)), {
          onFailure: (cause): Effect.Effect<never> => {
            end(timing)
            return Effect.zipRight(Fiber.interrupt(running), Effect.failCause(cause))
          },
          onSuccess: (exit): Effect.Effect<A, E | E2> => {
            end(timing)
            return late && Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause) ? Effect.fail(onTimeout()) : exit
          }
        })
      )
    })
  )

/** Lets a fiber end by itself, soon: nobody waits for it. */
const end = (fiber: Fiber.RuntimeFiber<unknown, unknown>): void => fiber.unsafeInterruptAsFork(fiber.id())
