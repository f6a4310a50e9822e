/**
 * A command: its table and the code that runs it, with the types that hold the two together.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as ExitCode from "./ExitCode.ts"
import type { Globals } from "./flags/Global.ts"
import type { Output } from "./Output.ts"
import type { Platform } from "./Platform.ts"
import type { Progress } from "./Progress.ts"
import type * as Spec from "./Spec.ts"
import type { Stdio } from "./Stdio.ts"

/**
 * What a command's code may use.
 *
 * @since 0.1.0
 * @category models
 */
export type CommandEnv = Output | Progress | Stdio | Platform

/**
 * What a command's code may fail with: anything with a tag. `Failure` turns it into text and an ending.
 *
 * @since 0.1.0
 * @category models
 */
export interface CommandError {
  readonly _tag: string
}

/**
 * What a command is told beside its own arguments: the global options, and its own table.
 *
 * @since 0.1.0
 * @category models
 */
export interface Context<G = Globals> {
  readonly globals: G
  readonly spec: Spec.Spec
}

/**
 * The code of a command. It ends with one result for each resource it dealt with (none: all went well), or fails with
 * an error that `Failure` knows how to say.
 *
 * @since 0.1.0
 * @category models
 */
export type Run<S extends Spec.Spec, G = Globals> = (
  args: Spec.Args<S>,
  context: Context<G>
) => Effect.Effect<ReadonlyArray<ExitCode.Result> | void, CommandError, CommandEnv>

/**
 * A command whose spec is no longer known by type: it is only run with arguments made from its own spec (see `Build`).
 *
 * @since 0.1.0
 * @category models
 */
export interface AnyCommand {
  readonly spec: Spec.Spec
  readonly load: () => Promise<{ readonly run: AnyRun }>
}

/**
 * @since 0.1.0
 * @category models
 */
export type AnyRun = (
  args: never,
  context: never
) => Effect.Effect<ReadonlyArray<ExitCode.Result> | void, CommandError, CommandEnv>

/**
 * Puts a table and its code together. Code that wants another type for a flag than the table gives doesn't compile.
 *
 * @since 0.1.0
 * @category constructors
 */
export const command = <S extends Spec.Spec, G = Globals>(
  spec: S,
  load: () => Promise<{ readonly run: Run<NoInfer<S>, G> }>
): AnyCommand => ({ spec, load })
