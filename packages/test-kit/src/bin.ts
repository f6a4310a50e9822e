#!/usr/bin/env node
/**
 * `fake-cloud`: the fake cloud as a program, for scripts and for clients in any language.
 *
 * @since 0.1.0
 */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { isatty } from "node:tty"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Arguments from "./internal/bin/Arguments.ts"
import * as Command from "./internal/bin/Command.ts"
import * as Environment from "./internal/bin/Environment.ts"
import * as Recorder from "./internal/bin/Recorder.ts"
import * as SpeedClock from "./internal/bin/SpeedClock.ts"
import * as Plan from "./Plan.ts"
import * as Server from "./Server.ts"
import type { App } from "./Wire.ts"

/** A file that can't be read or written, in a sentence. */
class FileError extends Schema.TaggedError<FileError>("@effect-manila/test-kit/FileError")("FileError", {
  option: Schema.String,
  file: Schema.String,
  code: Schema.String,
  exitCode: Schema.Number
}) {
  override get message(): string {
    const why =
      this.code === "ENOENT"
        ? "no such file or folder"
        : this.code === "EACCES"
          ? "it may not be opened"
          : `failed (${this.code})`
    return `${this.option} ${this.file}: ${why}`
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error)

const readPlan = (file: string | undefined): Effect.Effect<Plan.Plan, Plan.PlanError | FileError> =>
  file === undefined
    ? Plan.decode({})
    : Effect.flatMap(
        Effect.try({
          try: () => readFileSync(file, "utf8"),
          catch: (error) => new FileError({ option: "--plan", file, code: codeOf(error), exitCode: 2 })
        }),
        (text) => Plan.parse(text, file)
      )

/** Lines go straight to the file, so that whoever follows it sees each request as it comes. */
const openJournal = (file: string): Effect.Effect<(line: string) => void, FileError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({
        try: () => openSync(file, "w"),
        catch: (error) => new FileError({ option: "--journal", file, code: codeOf(error), exitCode: 1 })
      }),
      (descriptor) => Effect.sync(() => closeSync(descriptor))
    ),
    (descriptor) => (line) => void writeSync(descriptor, line)
  )

/**
 * Not through `process.stdout`, which may make a pipe that the command shares with us non-blocking. Whoever reads our
 * output may stop reading: that ends the reading, and not the cloud.
 */
const print = (descriptor: 1 | 2, text: string): void => {
  try {
    writeSync(descriptor, text)
  } catch {}
}

const complain = (sentence: string): void => print(2, `fake-cloud: ${sentence}\n`)

/** A cloud, and the variables that lead a client to it at an origin. */
interface Started {
  readonly app: App
  readonly variables: (origin: string) => Readonly<Record<string, string>>
}

const start = (args: Arguments.Arguments, plan: Plan.Plan): Effect.Effect<Started, Plan.PlanError> =>
  args.mode === "shakenfist"
    ? Plan.buildCluster(plan, args.plan)
    : Effect.map(Plan.build(plan, args.plan), ({ app, cloud }) => ({
        app,
        variables: (origin) => Environment.variables(origin, cloud.credentials)
      }))

const serve = (args: Arguments.Arguments): Effect.Effect<number, Plan.PlanError | FileError | Server.ServerError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const plan = yield* readPlan(args.plan)
      const speed = args.speed ?? plan.speed ?? 1
      const clock = SpeedClock.make(yield* Effect.clock, speed)
      const write = args.journal === undefined ? undefined : yield* openJournal(args.journal)
      const { server, started } = yield* Effect.gen(function* () {
        const started = yield* start(args, plan)
        const recorded = write === undefined ? started.app : Recorder.record(started.app, write)
        return { started, server: yield* Server.make(recorded, { port: args.port }) }
      }).pipe(Effect.withClock(clock))
      const variables = started.variables(server.origin)
      if (args.command.length > 0) {
        return yield* Command.run(
          {
            command: args.command,
            env: Environment.environment(process.env, variables),
            source: process,
            terminal: [0, 1, 2].some(isatty)
          },
          complain
        )
      }
      const pace = speed === 1 ? "" : `, its clock ${speed} times as fast`
      print(
        1,
        `# A fake ${args.mode === "shakenfist" ? "cluster" : "cloud"} at ${server.origin}${pace}; Ctrl-C ends it. In another shell:\n`
      )
      print(1, `${Environment.exports(variables)}\n`)
      return yield* Command.untilSignal(process)
    })
  )

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  return String((manifest as { readonly version: unknown }).version)
}

const main = (args: Arguments.Arguments): Effect.Effect<number> => {
  switch (args.mode) {
    case "help":
      return Effect.as(
        Effect.sync(() => print(1, Arguments.usage)),
        0
      )
    case "version":
      return Effect.as(
        Effect.sync(() => print(1, `fake-cloud ${version()}\n`)),
        0
      )
    case "serve":
    case "shakenfist":
      return Effect.catchAll(serve(args), (error) =>
        Effect.sync(() => {
          for (const line of error.message.split("\n")) complain(line)
          if (error._tag === "ServerError") return 1
          return error._tag === "PlanError" ? 2 : error.exitCode
        })
      )
  }
}

Either.match(Arguments.parse(process.argv.slice(2)), {
  onLeft: (sentence) => {
    complain(sentence)
    process.exitCode = 2
  },
  onRight: (args) => {
    Effect.runFork(main(args)).addObserver((exit) => {
      if (Exit.isFailure(exit)) print(2, `${String(exit.cause)}\n`)
      process.exitCode = Exit.isSuccess(exit) ? exit.value : 1
    })
  }
})
