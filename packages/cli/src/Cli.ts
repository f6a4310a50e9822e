/**
 * Runs one command: its canonical argv through `@effect/cli`, its code with everything it may use, and its ending as an
 * exit code.
 *
 * @since 0.1.0
 */
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as Cause from "effect/Cause"
import * as ConfigError from "effect/ConfigError"
import * as ConfigProvider from "effect/ConfigProvider"
import * as PathPatch from "effect/ConfigProviderPathPatch"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Build from "./Build.ts"
import type * as Command from "./Command.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Failure from "./Failure.ts"
import type * as Formatting from "./flags/Formatting.ts"
import * as Logging from "./Logging.ts"
import * as Output from "./Output.ts"
import type { Platform } from "./Platform.ts"
import * as Program from "./Program.ts"
import * as Progress from "./Progress.ts"
import * as Signals from "./Signals.ts"
import * as Spec from "./Spec.ts"
import * as Stdio from "./Stdio.ts"

/**
 * A command that argv named, with its code loaded.
 *
 * @since 0.1.0
 * @category models
 */
export interface Invocation {
  readonly spec: Spec.Spec
  readonly argv: ReadonlyArray<string>
  readonly run: Command.AnyRun
}

type Env = Stdio.Stdio | Platform

/**
 * The command's exit code. Everything that goes wrong has been said on standard error by then.
 *
 * @since 0.1.0
 */
export const run = (invocation: Invocation): Effect.Effect<number, never, Env> =>
  Effect.gen(function* () {
    const { env, stderr } = yield* Stdio.Stdio
    const { exit, signal } = yield* Signals.run(Effect.withConfigProvider(command(invocation), variables(env)))
    if (Exit.isSuccess(exit)) return exit.value
    // The program's scope is closed, and its waits have said how to go on.
    if (signal !== undefined) return ExitCode.codes[Signals.endingOf(signal)]
    stderr.write(`${Program.of(invocation.spec).name}: internal error: ${Cause.pretty(exit.cause)}\n`)
    return ExitCode.codes.other
  })

/**
 * Effect's own provider reads the process; here the environment is the one that was handed over. Variables are looked up by
 * their whole name, so that nothing is built of the many that nobody asks for.
 */
const variables = (env: Stdio.Stdio["Type"]["env"]): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      patch: PathPatch.empty,
      enumerateChildren: () => Effect.succeed(HashSet.empty()),
      load: (path, primitive) => {
        const text = env[path.join(".")]
        return text === undefined
          ? Effect.fail(ConfigError.MissingData([...path], `there is no variable ${path.join(".")}`))
          : Effect.map(primitive.parse(text), (value) => [value])
      }
    })
  )

const command = ({ argv, run, spec }: Invocation): Effect.Effect<number, never, Env> => {
  let code: number = ExitCode.codes.other
  const parsed = Build.run(spec, argv, (parsed) =>
    Effect.map(execute(spec, run, parsed), (ended) => {
      code = ended
    })
  )
  return parsed.pipe(
    Effect.map(() => code),
    Effect.catchTag("Refused", (refused) =>
      Effect.map(Stdio.Stdio, ({ stderr }) => {
        stderr.write(`${Program.of(spec).name}: ${Failure.describe(refused, Spec.nameOf(spec)).text}\n`)
        return ExitCode.codes.usage
      })
    )
  )
}

const execute = (spec: Spec.Spec, run: Command.AnyRun, parsed: Build.Parsed): Effect.Effect<number, never, Env> => {
  const { args, format, globals } = parsed
  const name = Spec.nameOf(spec)
  // They were made from this command's own spec and its program's, which is what its code was checked against.
  const program = Effect.suspend(() => run(args as never, { globals, spec } as never)).pipe(
    Effect.map((results) => results ?? []),
    Effect.catchAllCause((cause) => {
      const failure = Cause.failureOption(cause)
      if (Cause.isInterrupted(cause) && Option.isNone(failure)) return Effect.interrupt
      return Effect.map(tell(cause, failure, spec, globals.debug), (result) => [result])
    }),
    Effect.map((results) => ExitCode.combine(results, { set: globals.exitCodes ?? "manila", command: name }))
  )
  const progress = Progress.layer({
    // Only commands that wait have the option; its choices are the manners there are.
    progress: (args["progress"] ?? "auto") as "auto" | "plain" | "json" | "none",
    quiet: globals.quiet
  })
  const output = Output.layer({ ...format, format: (format["format"] ?? "table") as Formatting.Name })
  return Effect.provide(program, Layer.mergeAll(output, Logging.layer(globals)).pipe(Layer.provideMerge(progress)))
}

const tell = (
  cause: Cause.Cause<Command.CommandError>,
  failure: Option.Option<Command.CommandError>,
  spec: Spec.Spec,
  debug: boolean
): Effect.Effect<ExitCode.Result, never, Progress.Progress> =>
  Effect.gen(function* () {
    const progress = yield* Progress.Progress
    const { name, readings } = Program.of(spec)
    if (Option.isNone(failure)) {
      const defect = Cause.squash(cause)
      const said = debug ? Cause.pretty(cause) : defect instanceof Error ? defect.message : String(defect)
      yield* progress.error({ text: `${name}: internal error: ${said}`, ending: "other" })
      return { ending: "other" as const }
    }
    const { ending, id, status, text } = Failure.describe(failure.value, Spec.nameOf(spec), readings)
    if (text !== "") yield* progress.error({ text: `${name}: ${text}`, ending, id })
    return { ending, status }
  })

/**
 * Runs an invocation in a real process and gives its exit code; standard output has been written by then.
 *
 * @since 0.1.0
 */
export const main = (process: Stdio.Process, invocation: Invocation): Promise<number> =>
  Effect.runPromise(
    run(invocation).pipe(
      Effect.provide(NodePlatform.layer),
      Effect.provideService(Stdio.Stdio, Stdio.fromProcess(process))
    )
  )
