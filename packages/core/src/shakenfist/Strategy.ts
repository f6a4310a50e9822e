/**
 * How long a call may take that the service answers before it is done.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { InvalidArgument } from "./ShakenFistError.ts"

/**
 * `continue`: no waiting, one look. `pause`: up to a minute. `block`: up to an hour.
 *
 * @since 0.1.0
 * @category models
 */
export type Strategy = "continue" | "pause" | "block"

const limits: Readonly<Record<Strategy, Duration.Duration>> = {
  continue: Duration.zero,
  pause: Duration.seconds(60),
  block: Duration.seconds(3600)
}

/**
 * The time a strategy allows; none for `continue`, which still looks once.
 *
 * @since 0.1.0
 */
export const limit = (strategy: Strategy): Duration.Duration => limits[strategy]

/**
 * Reads a strategy by its name, as the variable `SHAKENFIST_ASYNC` of the command line holds it.
 *
 * @since 0.1.0
 */
export const parse = (text: string): Option.Option<Strategy> =>
  text === "continue" || text === "pause" || text === "block" ? Option.some(text) : Option.none()

/**
 * As {@link parse}; fails with `InvalidArgument` for another name.
 *
 * @since 0.1.0
 */
export const named = (text: string): Effect.Effect<Strategy, InvalidArgument> =>
  Option.match(parse(text), {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.fail(
        new InvalidArgument({
          operation: "strategy",
          argument: text,
          detail: "is not an async strategy: continue, pause or block"
        })
      )
  })
