/**
 * Stands in for the code of a command that is not written yet.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"

/**
 * @since 0.1.0
 * @category errors
 */
export class NotWritten extends Data.TaggedError("NotWritten")<{ readonly command: string }> {
  override get message(): string {
    return `${this.command} is not written yet`
  }
}

/**
 * @since 0.1.0
 */
export const run = (_args: unknown, context: Context): Effect.Effect<void, NotWritten> =>
  Effect.fail(new NotWritten({ command: context.spec.words.join(" ") }))
