/**
 * From argv to a plan, from the commands' data alone: a run of one command with its canonical argv, a help page, the
 * version, or a usage error. Loads neither `@effect/cli` nor Effect.
 *
 * @since 0.1.0
 */
import * as Canonical from "./argv/Canonical.ts"
import * as Check from "./argv/Check.ts"
import * as Lookup from "./argv/Lookup.ts"
import * as Parse from "./argv/Parse.ts"
import * as Usage from "./argv/Usage.ts"
import * as Words from "./argv/Words.ts"
import * as Formatting from "./flags/Formatting.ts"
import * as Program from "./Program.ts"
import * as Spec from "./Spec.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Plan =
  | { readonly _tag: "Version" }
  /** `words` are a command's, a group's, none for the root, or a topic's. */
  | { readonly _tag: "Help"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "UsageError"; readonly message: string; readonly usage: string }
  | { readonly _tag: "Run"; readonly spec: Spec.Spec; readonly argv: ReadonlyArray<string> }

/**
 * What a plan is made from. `argv` is without the program's own name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly argv: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly specs: ReadonlyArray<Spec.Spec>
  readonly program: Program.Program
  /** Words that `help` knows beside the commands'. */
  readonly topics: ReadonlyArray<string>
}

/**
 * Every option one command takes.
 *
 * @since 0.1.0
 */
export const optionsOf = (spec: Spec.Spec): Readonly<Record<string, Spec.Option>> => ({
  ...Spec.optionsOf(spec),
  ...Spec.formattingOf(spec),
  ...Program.of(spec).globals
})

/** The options that may come before the command is known. */
const earlyOf = ({ globals }: Program.Program): Lookup.Table => Lookup.table({ ...Formatting.every, ...globals })

const takesValue = (early: Lookup.Table, token: string): boolean => {
  const found = Lookup.resolve(early, token)
  if (found._tag === "Option") return Lookup.wantsValue(found.option)
  const last = token.startsWith("--") ? undefined : Lookup.resolve(early, `-${token[token.length - 1]}`)
  // In `-vf json` the last letter takes the value; `-fjson` has its own.
  return last?._tag === "Option" && Lookup.wantsValue(last.option) && allFlags(early, token.slice(1, -1))
}

const allFlags = (early: Lookup.Table, letters: string): boolean =>
  [...letters].every((letter) => {
    const found = Lookup.resolve(early, `-${letter}`)
    return found._tag === "Option" && !Lookup.wantsValue(found.option)
  })

/**
 * @since 0.1.0
 */
export const plan = (input: Input): Plan => {
  try {
    return decide(input)
  } catch (error) {
    if (!(error instanceof Usage.UsageError)) throw error
    return { _tag: "UsageError", message: error.message, usage: error.usage }
  }
}

const decide = ({ argv, env, program, specs, topics }: Input): Plan => {
  const table = earlyOf(program)
  const words = Words.scan(argv, (token) => takesValue(table, token))
  const end = argv.indexOf("--")
  const options = end === -1 ? argv : argv.slice(0, end)
  const wantsHelp = options.includes("--help") || options.includes("-h")
  if (words[0]?.[0] === "help")
    return help(
      words.slice(1).map(([word]) => word),
      specs,
      topics,
      program
    )
  const found = Words.find(specs, words)
  if (found._tag !== "Command") {
    const early = beforeCommand(program, table, options)
    if (found._tag === "Group") {
      if (wantsHelp || early === "Help") return { _tag: "Help", words: found.words }
      if (early === "Version") return { _tag: "Version" }
      throw early instanceof Usage.UsageError ? early : Words.incomplete(program, specs, found.words)
    }
    if (early === "Version") return { _tag: "Version" }
    throw early instanceof Usage.UsageError
      ? early
      : new Usage.UsageError(found.message, Usage.groupLine(program, found.group))
  }
  const { preset, spec, used } = found
  const all = optionsOf(spec)
  const tokens = argv.filter((_, at) => !used.has(at))
  const parsed = attempt(() => Parse.parse(spec, all, tokens))
  if (parsed instanceof Usage.UsageError) {
    if (wantsHelp) return { _tag: "Help", words: spec.words }
    throw parsed
  }
  if (parsed._tag === "Help") return { _tag: "Help", words: spec.words }
  if (parsed._tag === "Version") return { _tag: "Version" }
  // An alias brings its arguments along, except with an option that takes their place.
  const replaced = Object.values(spec.args).some(
    ({ unless }) => unless !== undefined && parsed.given.options.has(unless)
  )
  const args = replaced ? parsed.given.args : [...preset, ...parsed.given.args]
  const given = Check.withEnvironment(spec, all, env, { ...parsed.given, args })
  Check.check(spec, all, given)
  Check.checkColumns(spec, given)
  return { _tag: "Run", spec, argv: Canonical.make(spec, all, given) }
}

const attempt = <A>(run: () => A): A | Usage.UsageError => {
  try {
    return run()
  } catch (error) {
    if (error instanceof Usage.UsageError) return error
    throw error
  }
}

/** What the options say where there is no command: help, version, or that one of them can't stand there. */
const beforeCommand = (
  program: Program.Program,
  early: Lookup.Table,
  tokens: ReadonlyArray<string>
): "Help" | "Version" | Usage.UsageError | undefined => {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ""
    if (!token.startsWith("-") || token === "-") continue
    const flag = token.split("=")[0] ?? token
    const found = Lookup.resolve(early, flag)
    if (found._tag === "Help" || found._tag === "Version") return found._tag
    if (found._tag === "Ambiguous") {
      return new Usage.UsageError(Lookup.complaint(early, flag, found), Usage.groupLine(program, []))
    }
    if (found._tag === "Unknown" && token.startsWith("--")) {
      const message = `${flag} is no option that can stand before a command: write it after the command's words.`
      return new Usage.UsageError(message, Usage.groupLine(program, []))
    }
    if (found._tag === "Option" && takesValue(early, token)) at++
  }
  return undefined
}

const help = (
  words: ReadonlyArray<string>,
  specs: ReadonlyArray<Spec.Spec>,
  topics: ReadonlyArray<string>,
  program: Program.Program
): Plan => {
  const [first] = words
  if (first === undefined) return { _tag: "Help", words: [] }
  if (words.length === 1 && topics.includes(first)) return { _tag: "Help", words }
  const found = Words.find(
    specs,
    words.map((word, at) => [word, at])
  )
  if (found._tag === "Unknown") throw new Usage.UsageError(found.message, Usage.groupLine(program, found.group))
  return { _tag: "Help", words: found._tag === "Command" ? found.spec.words : found.words }
}
