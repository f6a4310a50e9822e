/**
 * The first thing that runs: what can be answered from the commands' data is answered here, and only a run of a
 * command goes on to load the rest.
 *
 * @since 0.1.0
 */
import * as Argv from "./Argv.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Help from "./Help.ts"
import * as Program from "./Program.ts"
import type * as Spec from "./Spec.ts"
import { version } from "./Version.ts"

/**
 * Either an answer to print, or a command to run with its canonical argv.
 *
 * @since 0.1.0
 * @category models
 */
export type Decision =
  | { readonly _tag: "Print"; readonly stdout: string; readonly stderr: string; readonly code: number }
  | { readonly _tag: "Run"; readonly spec: Spec.Spec; readonly argv: ReadonlyArray<string> }

/**
 * `argv` is without Node's and the program's own names.
 *
 * @since 0.1.0
 */
export const decide = (
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  specs: ReadonlyArray<Spec.Spec>,
  program: Program.Program = Program.manila
): Decision => {
  const plan = Argv.plan({ argv, env, specs, program, topics: Help.topics })
  switch (plan._tag) {
    case "Version":
      return print(`${program.name} ${version}\n`)
    case "Help":
      return print(Help.page(specs, plan.words, program))
    case "UsageError":
      return { _tag: "Print", stdout: "", stderr: usage(program, plan.message, plan.usage), code: ExitCode.codes.usage }
    case "Run":
      return plan
  }
}

/**
 * A usage error as it is shown: one or two sentences, then the usage line. Control characters of what was typed are
 * replaced, so that a pasted escape sequence does nothing.
 *
 * @since 0.1.0
 */
export const usage = ({ name }: Program.Program, message: string, line: string): string =>
  `${name}: ${message.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")}\n${line}\n`

const print = (stdout: string): Decision => ({ _tag: "Print", stdout, stderr: "", code: 0 })
