/**
 * Requests that change something, and are interrupted while the service has not answered.
 *
 * @since 0.1.0
 */
import { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Progress } from "../Progress.ts"

/**
 * Says that the outcome is not known if the request is interrupted under way: an interrupted fiber handles no error that
 * could say it. Token and version are seen to first, so that only the change itself is in doubt.
 *
 * @since 0.1.0
 */
export const change =
  (what: string) =>
  <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E | ManilaError, R | Manila | Progress> =>
    Effect.gen(function* () {
      const { error } = yield* Progress
      yield* (yield* Manila).version
      const text =
        `manila: ${what}: interrupted before the service answered, so it is not known whether this took effect. ` +
        "Look before you repeat it."
      return yield* Effect.onExit(request, (exit) =>
        // The cause may hold a failure beside the interruption.
        Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
          ? error({ text, ending: "outcomeUnknown" })
          : Effect.void
      )
    })
