/**
 * The code of `complete`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Complete.ts"
import * as Program from "../Program.ts"
import { Stdio } from "../Stdio.ts"
import * as Script from "./Script.ts"

/**
 * @since 0.1.0
 */
export const run: Run<typeof Noun.complete> = ({ shell }, { spec }) =>
  Effect.flatMap(Stdio, ({ stdout }) => stdout.write(Script.make(shell, Program.of(spec).name)))
