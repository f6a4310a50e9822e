/**
 * One spec as an `@effect/cli` command, and the way a canonical argv goes through it to the verb's typed arguments.
 *
 * Its built-in help, version, wizard and completions never trigger: they look only at the head of argv, where the
 * canonical form (see `argv/Canonical`) has an option of ours or `--`.
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Terminal from "@effect/platform/Terminal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Canonical from "./argv/Canonical.ts"
import * as Usage from "./argv/Usage.ts"
import * as Durations from "./Durations.ts"
import type * as Global from "./flags/Global.ts"
import * as Program from "./Program.ts"
import * as ResumeToken from "./ResumeToken.ts"
import * as Spec from "./Spec.ts"

/**
 * `@effect/cli` refused what the normaliser had let through.
 *
 * @since 0.1.0
 * @category errors
 */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string; readonly usage: string }> {}

/**
 * The parts of a parsed command line.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parsed {
  readonly args: Readonly<Record<string, unknown>>
  readonly format: Readonly<Record<string, unknown>>
  /** With those of the program, which its commands know. */
  readonly globals: Global.Common
}

/** A canonical text is JSON that the normaliser wrote, so it reads back. */
const read = (json: string): unknown => JSON.parse(json)

const record = (json: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (read(json) as ReadonlyArray<string>).map((pair) => {
      const at = pair.indexOf("=")
      return [pair.slice(0, at), pair.slice(at + 1)]
    })
  )

const option = (spec: Spec.Option): Options.Options<unknown> => {
  const name = Canonical.nameOf(spec)
  const text = Options.text(name)
  switch (spec.type) {
    case "flag":
      return Options.boolean(name)
    case "switch":
      return Options.choiceWithValue(name, [
        ["on", true],
        ["off", false]
      ])
    case "int":
      return Options.integer(name)
    case "keyvalue":
      return Options.map(text, record)
    case "duration":
      return Options.map(text, (json) => Durations.parse(String(read(json)), { limitless: spec.limitless === true }))
    case "token":
      return Options.map(text, (json) => {
        const decoded = ResumeToken.decode(String(read(json)))
        return decoded._tag === "Token" ? decoded.token : undefined
      })
    case "microversion":
      return Options.map(text, read)
    case "string":
      return spec.secret === true
        ? Options.map(text, (json) => Redacted.make(String(read(json))))
        : Options.map(text, read)
  }
}

/** The value of an option that isn't given. */
const absent = (spec: Spec.Option): unknown => {
  switch (spec.type) {
    case "flag":
      return false
    case "int":
      return spec.default
    case "keyvalue":
      return {}
    case "string":
      return spec.repeatable === true ? [] : spec.default
    default:
      return undefined
  }
}

const argument = (spec: Spec.Positional): Args.Args<unknown> => {
  const one: Args.Args<unknown> =
    spec.type === "int" ? Args.integer({ name: spec.metavar }) : Args.text({ name: spec.metavar })
  if (spec.many === true) return spec.unless === undefined ? Args.atLeast(one, 1) : Args.repeated(one)
  return spec.unless === undefined ? one : Args.withDefault(one, undefined)
}

const each = <A, B>(record: Readonly<Record<string, A>>, f: (a: A) => B): Record<string, B> =>
  Object.fromEntries(Spec.entries(record).map(([key, value]) => [key, f(value)]))

const isRequired = (spec: Spec.Option): boolean =>
  spec.type === "string" && spec.required === true && spec.unless === undefined

/**
 * The command, with a handler that gets everything parsed. Of its options only those that `given` names, and the required
 * ones, become options of `@effect/cli`: each of the fifty there are costs time whether it is used or not.
 *
 * @since 0.1.0
 * @category constructors
 */
export const command = <A, E, R>(
  spec: Spec.Spec,
  given: ReadonlySet<string>,
  handler: (parsed: Parsed) => Effect.Effect<A, E, R>
) => {
  const all = { args: Spec.optionsOf(spec), format: Spec.formattingOf(spec), globals: Program.of(spec).globals }
  const isBuilt = (one: Spec.Option): boolean => given.has(Canonical.nameOf(one)) || isRequired(one)
  const built = (options: Readonly<Record<string, Spec.Option>>) =>
    each(Object.fromEntries(Spec.entries(options).filter(([, one]) => isBuilt(one))), option)
  return Command.make(
    spec.words[spec.words.length - 1] ?? "",
    {
      args: { ...each(spec.args, argument), ...built(all.args) },
      format: built(all.format),
      globals: built(all.globals)
    },
    // The keys and types are those of the tables the configuration was made from.
    (parsed) =>
      Effect.asVoid(
        handler({
          args: { ...each(all.args, absent), ...parsed.args },
          format: { ...each(all.format, absent), ...parsed.format },
          globals: { ...each(all.globals, absent), ...parsed.globals } as unknown as Parsed["globals"]
        })
      )
  ).pipe(Command.withDescription(spec.summary))
}

/**
 * Case counts, and no option is corrected into another.
 */
const config = CliConfig.make({ isCaseSensitive: true, autoCorrectLimit: 0, finalCheckBuiltIn: false })

/** `@effect/cli` asks for these for prompts and file options, of which we have none. */
const unused = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  Layer.sync(Terminal.Terminal, () =>
    Terminal.Terminal.of({
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      isTTY: Effect.succeed(false),
      readInput: Effect.dieMessage("no prompt is used"),
      readLine: Effect.dieMessage("no prompt is used"),
      display: () => Effect.dieMessage("no prompt is used")
    })
  )
)

/**
 * Takes a canonical argv through `@effect/cli` and runs the handler with what comes out.
 *
 * @since 0.1.0
 */
export const run = <A, E, R>(
  spec: Spec.Spec,
  argv: ReadonlyArray<string>,
  handler: (parsed: Parsed) => Effect.Effect<A, E, R>
): Effect.Effect<void, E | Refused, R> =>
  Effect.gen(function* () {
    const refused = (message: string) => new Refused({ message, usage: Usage.line(spec) })
    const built = command(spec, given(argv), handler)
    const directive = yield* CommandDescriptor.parse(built.descriptor, argv, config).pipe(
      Effect.provide(unused),
      Effect.mapError(({ error }) => refused(plain(error)))
    )
    if (directive._tag === "BuiltIn" || directive.leftover.length > 0) {
      return yield* refused("The command line can't be understood.")
    }
    return yield* built.handler(directive.value)
  })

/** The names of the options of a canonical argv, in which no value looks like one. */
const given = (argv: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(argv.slice(0, argv.indexOf("--")).flatMap((word) => (word.startsWith("--") ? [word.slice(2)] : [])))

/** Help documents come out with colours whatever they are written to. */
const plain = (doc: HelpDoc.HelpDoc): string =>
  HelpDoc.toAnsiText(doc)
    // eslint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;]*m/g, "")
    .trim()
