/**
 * Values of fiber refs for as long as one effect runs.
 */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/** One ref, and what it is to be. */
export interface Value {
  readonly change: Effect.Effect<Effect.Effect<void>>
}

/** The ref becomes what `f` makes of its value; the inner effect puts back what it was. */
export const update = <A>(ref: FiberRef.FiberRef<A>, f: (before: A) => A): Value => ({
  change: FiberRef.modify(ref, (before) => [FiberRef.set(ref, before), f(before)])
})

/**
 * Runs an effect with several refs changed, for the price that `Effect.locally` has for each of them: every request
 * changes three.
 */
export const within =
  (...[first, ...others]: readonly [Value, ...ReadonlyArray<Value>]) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const change = others.reduce(
      (before, { change }) => Effect.flatMap(before, (undo) => Effect.map(change, (and) => Effect.zipRight(and, undo))),
      first.change
    )
    return Effect.acquireUseRelease(
      change,
      () => effect,
      (undo) => undo
    )
  }
