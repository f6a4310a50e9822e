/**
 * A value that is fetched once and shared by all fibers, until one of them says that it is no longer good.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Shared<A, E> {
  readonly get: Effect.Effect<A, E>
  /** A value other than this one. Fibers that come with the same bad value share one fetch, and its failure. */
  readonly renew: (bad: A) => Effect.Effect<A, E>
}

/**
 * The fetch belongs to the scope, so that the fiber that asks first may be interrupted without harm to the others. A
 * failure is shared by those who wait for it, and then forgotten.
 */
export const make = <A extends object, E>(
  fetch: Effect.Effect<A, E>
): Effect.Effect<Shared<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let held: A | undefined
    let running: Deferred.Deferred<A, E> | undefined

    const start: Effect.Effect<A, E> = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Deferred.make<A, E>(), (result) => {
        running = result
        const kept = Effect.tap(Effect.interruptible(fetch), (value) =>
          Effect.sync(() => {
            held = value
          })
        )
        const told = Effect.onExit(kept, (exit) => {
          running = undefined
          return Deferred.done(result, exit)
        })
        return Effect.zipRight(Effect.forkIn(Effect.exit(told), scope), restore(Deferred.await(result)))
      })
    )

    const get = Effect.suspend(() =>
      held !== undefined ? Effect.succeed(held) : running === undefined ? start : Deferred.await(running)
    )
    const renew = (bad: A) =>
      Effect.suspend(() => {
        if (running !== undefined) return Deferred.await(running)
        if (held === bad) held = undefined
        return get
      })
    return { get, renew }
  })
