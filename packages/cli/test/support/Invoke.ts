/**
 * One command line, in process: from argv to exit code, with the code of the command given by the test.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Transport } from "@effect-manila/core/http/Transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cli from "@effect-manila/cli/Cli"
import type * as Command from "@effect-manila/cli/Command"
import { specs } from "@effect-manila/cli/Commands"
import { decide } from "@effect-manila/cli/Entry"
import type * as Spec from "@effect-manila/cli/Spec"
import * as TestStdio from "./TestStdio.ts"

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** No cloud, no files: a test that needs them brings its own. */
const nowhere = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  Layer.succeed(Transport, { client: () => Effect.dieMessage("this test has no cloud") })
)

/** Runs `argv` against one spec and its code; the other specs are the real ones. */
export const invoke = <S extends Spec.Spec>(
  spec: S,
  run: Command.Run<S>,
  argv: ReadonlyArray<string>,
  stdio: TestStdio.TestStdio = TestStdio.make()
): Effect.Effect<Ended> =>
  Effect.gen(function* () {
    const known = specs.filter((one) => one.words.join(" ") !== spec.words.join(" "))
    const decision = decide(argv, stdio.service.env, [...known, spec])
    if (decision._tag === "Print") {
      const { code, stderr, stdout } = decision
      return { code, stdout, stderr }
    }
    const code = yield* Cli.run({ spec: decision.spec, argv: decision.argv, run: run as Command.AnyRun }).pipe(
      TestStdio.provide(stdio),
      Effect.provide(nowhere)
    )
    return { code, stdout: stdio.stdout(), stderr: stdio.stderr() }
  })

/** What a command's code gets for an argv, or the usage error's text. */
export const parse = <S extends Spec.Spec>(
  spec: S,
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<{ readonly args: Spec.Args<S>; readonly context: Command.Context } | Ended> =>
  Effect.gen(function* () {
    let got: { readonly args: Spec.Args<S>; readonly context: Command.Context } | undefined
    const ended = yield* invoke(
      spec,
      (args, context) =>
        Effect.sync(() => {
          got = { args, context }
        }),
      argv,
      TestStdio.make({ env })
    )
    return got ?? ended
  })

/** The arguments of an argv that must be right. */
export const args = <S extends Spec.Spec>(
  spec: S,
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<Spec.Args<S>> =>
  Effect.map(parse(spec, argv, env), (parsed) => {
    if ("args" in parsed) return parsed.args
    throw new Error(`refused: ${parsed.stderr}`)
  })

/** The error text of an argv that must be wrong, without its usage line. */
export const refused = <S extends Spec.Spec>(
  spec: S,
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.Effect<string> =>
  Effect.map(parse(spec, argv, env), (parsed) => {
    if ("args" in parsed) throw new Error(`accepted: ${JSON.stringify(parsed.args)}`)
    if (parsed.code !== 2 || parsed.stdout !== "") throw new Error(`not a usage error: ${JSON.stringify(parsed)}`)
    const [first = "", usage = ""] = parsed.stderr.split("\n")
    if (!usage.startsWith("usage: manila")) throw new Error(`no usage line: ${parsed.stderr}`)
    return first.replace(/^manila: /, "")
  })
