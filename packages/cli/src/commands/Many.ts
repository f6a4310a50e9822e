/**
 * One command, several resources: each on its own, all at once, one result for each.
 *
 * @since 0.1.0
 */
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import type * as WaitError from "@effect-manila/core/waiter/WaitError"
import type * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import type { CommandError, Context } from "../Command.ts"
import type * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import { Progress } from "../Progress.ts"
import { nameOf } from "../Spec.ts"

/**
 * Does something with each resource that was named. One that fails is told with its name and does not keep the others
 * from being tried. A name given twice is done once; `isNew` tells whether an id has not been met under another name.
 * With `ignoreMissing` one that isn't there counts as done.
 *
 * @since 0.1.0
 */
export const each = <A, E extends CommandError, R>(
  names: ReadonlyArray<string>,
  context: Context,
  ignoreMissing: boolean,
  act: (
    name: string,
    isNew: (id: string) => boolean
  ) => Effect.Effect<{ readonly outcome: Waiter.Outcome<A, ManilaError> | undefined }, E, R>
): Effect.Effect<ReadonlyArray<ExitCode.Result>, never, R | Progress> => {
  const command = nameOf(context.spec)
  const taken = new Set<string>()
  const isNew = (id: string) => taken.size < taken.add(id).size
  return Effect.flatMap(Progress, (progress) =>
    Effect.forEach(
      [...new Set(names)],
      (name) =>
        Effect.matchEffect(
          Effect.flatMap(act(name, isNew), ({ outcome }) => orFail(outcome)),
          {
            onSuccess: () => Effect.succeed<ExitCode.Result>({ ending: "ok" }),
            onFailure: (error): Effect.Effect<ExitCode.Result> => {
              const told = Failure.describe(error, command)
              if (ignoreMissing && told.ending === "notFound") {
                return Effect.as(progress.note(`${name}: not there, which counts as deleted`), { ending: "ok" })
              }
              // Several messages can't be told apart without the name each is about.
              const text = Failure.mentions(told.text, name) ? told.text : `${name}: ${told.text}`
              return Effect.as(progress.error({ ...told, text: `manila: ${text}` }), told)
            }
          }
        ),
      { concurrency: "unbounded" }
    )
  )
}

/**
 * What is to be done has been done under another name.
 *
 * @since 0.1.0
 */
export const done = { outcome: undefined } as const

/**
 * The error of a wait that did not reach its goal.
 *
 * @since 0.1.0
 */
export const orFail = <A>(
  outcome: Waiter.Outcome<A, ManilaError> | undefined
): Effect.Effect<void, ManilaError | WaitError.WaitError> =>
  outcome === undefined || outcome._tag === "Reached" ? Effect.void : Effect.fail(outcome.error)
