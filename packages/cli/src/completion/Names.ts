/**
 * The names of resources, asked of the cloud by the command that lists them: with the options of the line that is being
 * completed, for two seconds at most, and without a word if it can't be done.
 *
 * @since 0.1.0
 */
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as Effect from "effect/Effect"
import * as Cli from "../Cli.ts"
import type { AnyCommand } from "../Command.ts"
import { decide } from "../Entry.ts"
import type { Platform } from "../Platform.ts"
import { manila, type Program } from "../Program.ts"
import { Stdio } from "../Stdio.ts"

/**
 * How long a press of the key may take, in milliseconds.
 *
 * @since 0.1.0
 */
export const patience = 2_000

/**
 * The names that begin with a text; ids too, once something of them is typed. `commands` has those that list.
 *
 * @since 0.1.0
 */
export const names = (
  kind: string,
  typed: string,
  options: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>,
  commands: ReadonlyArray<AnyCommand>,
  program: Program = manila
): Effect.Effect<ReadonlyArray<string>, never, Platform> =>
  Effect.gen(function* () {
    const words = program.names.lists[kind]
    if (words === undefined) return []
    const argv = [...words, "-f", "json", "-c", "id", "-c", "name", ...options]
    const decision = decide(
      argv,
      env,
      commands.map(({ spec }) => spec),
      program
    )
    const command = commands.find(({ spec }) => decision._tag === "Run" && decision.spec === spec)
    if (decision._tag !== "Run" || command === undefined) return []
    const { run } = yield* Effect.promise(command.load)
    let out = ""
    const code = yield* Cli.run({ spec: decision.spec, argv: decision.argv, run }).pipe(
      Effect.provideService(Stdio, {
        env,
        stdout: { isTerminal: false, columns: () => undefined, write: (text) => Effect.sync(() => void (out += text)) },
        stderr: { isTerminal: false, columns: () => undefined, rows: () => undefined, write: () => undefined },
        onSignal: () => () => undefined,
        exit: () => undefined
      })
    )
    if (code !== 0) return []
    const records = JSON.parse(out) as ReadonlyArray<Readonly<Record<string, unknown>>>
    const texts = records.flatMap(({ ID: id, Name: name }) => [name, ...(typed === "" && name ? [] : [id])])
    return [...new Set(texts)].filter(
      (text): text is string => typeof text === "string" && text !== "" && text.startsWith(typed)
    )
  }).pipe(
    Effect.timeoutTo({ duration: patience, onSuccess: (found) => found, onTimeout: (): ReadonlyArray<string> => [] }),
    Effect.catchAllCause(() => Effect.succeed([]))
  )

/**
 * The same in a real process.
 *
 * @since 0.1.0
 */
export const main = (...args: Parameters<typeof names>): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(Effect.provide(names(...args), NodePlatform.layer))
