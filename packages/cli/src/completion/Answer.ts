/**
 * What may come next in a command line: words, options, their values, and arguments, from the commands' data alone.
 *
 * @since 0.1.0
 */
import { columnKey } from "../argv/Check.ts"
import * as Lookup from "../argv/Lookup.ts"
import * as Words from "../argv/Words.ts"
import * as Argv from "../Argv.ts"
import * as Formatting from "../flags/Formatting.ts"
import type { Program } from "../Program.ts"
import * as Spec from "../Spec.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  readonly value: string
  readonly help?: string | undefined
}

/**
 * - `Candidates`: these.
 * - `Files`: the names of files, which the shell knows.
 * - `Names`: the names of resources of a kind, which the cloud knows; `before` stands before each. `options` are those
 *   of the line that say which cloud.
 *
 * @since 0.1.0
 * @category models
 */
export type Answer =
  | { readonly _tag: "Candidates"; readonly candidates: ReadonlyArray<Candidate> }
  | { readonly _tag: "Files" }
  | {
      readonly _tag: "Names"
      readonly kind: string
      readonly before: string
      readonly options: ReadonlyArray<string>
    }

/**
 * What the answer is made from: the words before the one the cursor is in, and that one as far as it is typed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly words: ReadonlyArray<string>
  readonly current: string
  readonly program: Program
  readonly specs: ReadonlyArray<Spec.Spec>
}

/**
 * @since 0.1.0
 */
export const answer = (input: Input): Answer => {
  const { program, specs, words } = input
  const early = Lookup.table({ ...Formatting.every, ...program.globals })
  const scanned = Words.scan(words, (token) => wanting(early, token) !== undefined)
  const found = Words.find(specs, scanned)
  const texts = scanned.map(([word]) => word)
  if (found._tag !== "Command") {
    const last = words[words.length - 1]
    const value = last === undefined ? undefined : wanting(early, last)
    if (value !== undefined) return ofValue(input, undefined, value.option, "", input.current)
    if (input.current.startsWith("-")) return ofOption(input, undefined, early, new Set())
    return candidates([...nextWords(specs, texts), ...helpWord(texts)], input.current)
  }
  const { spec, used } = found
  const table = Lookup.table(Argv.optionsOf(spec), spec.added !== true)
  const state = read(
    table,
    words.filter((_, at) => !used.has(at))
  )
  if (state.open !== undefined) return ofValue(input, spec, state.open, "", input.current, state)
  if (!state.ended && input.current.startsWith("-")) return ofOption(input, spec, table, state.given, state)
  const at = [...found.preset, ...state.args]
  const more = at.length === found.preset.length && used.size === texts.length ? nextWords(specs, texts) : []
  const argument = ofArgument(input, spec, at, state)
  if (more.length === 0) return argument
  const own = argument._tag === "Candidates" ? argument.candidates : []
  return candidates([...more, ...own], input.current)
}

const none: Answer = { _tag: "Candidates", candidates: [] }

const candidates = (all: ReadonlyArray<Candidate>, current: string): Answer => ({
  _tag: "Candidates",
  candidates: all.filter(({ value }) => value.startsWith(current))
})

// ---------------------------------------------------------------------------------------------------------------------
// words
// ---------------------------------------------------------------------------------------------------------------------

/** Each word that may follow these, aliases included; with the summary where it is a command's last. */
const nextWords = (specs: ReadonlyArray<Spec.Spec>, texts: ReadonlyArray<string>): ReadonlyArray<Candidate> => {
  const [first, ...rest] = texts
  const group = first === "help" ? rest : texts
  const all = specs.flatMap((spec) => [
    { words: spec.words, help: spec.summary },
    ...(spec.aliases ?? []).map(({ words }) => ({ words, help: spec.summary }))
  ])
  // Words may be shortened, but what is written out isn't short for something else.
  const exact = all.filter(({ words }) => group.every((word, i) => words[i] === word))
  const begun =
    exact.length > 0 ? exact : all.filter(({ words }) => group.every((word, i) => words[i]?.startsWith(word)))
  const next = new Map<string, string | undefined>()
  for (const { help, words } of begun) {
    const word = words[group.length]
    if (word === undefined) continue
    const summary = words.length === group.length + 1 ? help : undefined
    next.set(word, next.get(word) ?? summary)
  }
  return [...next].map(([value, help]) => ({ value, help }))
}

const helpWord = (texts: ReadonlyArray<string>): ReadonlyArray<Candidate> =>
  texts.length === 0 ? [{ value: "help", help: "Say how a command is used" }] : []

// ---------------------------------------------------------------------------------------------------------------------
// what is there already
// ---------------------------------------------------------------------------------------------------------------------

interface State {
  /** The option whose value comes next. */
  readonly open: Spec.Option | undefined
  /** The keys of the options that were given. */
  readonly given: ReadonlySet<string>
  readonly args: ReadonlyArray<string>
  /** Whether `--` was. */
  readonly ended: boolean
  /** The options with their values, by key. */
  readonly values: ReadonlyArray<readonly [key: string, token: ReadonlyArray<string>]>
}

type OptionHit = Extract<Lookup.Hit, { readonly _tag: "Option" }>

/** The option a token leaves open: `--name`, `-c`, the `f` of `-vf` but not that of `-cf`. */
const wanting = (table: Lookup.Table, token: string): OptionHit | undefined => {
  if (!token.startsWith("-")) return undefined
  const flags = token.startsWith("--") ? [token] : Array.from(token.slice(1), (letter) => `-${letter}`)
  for (const [at, flag] of flags.entries()) {
    const found = Lookup.resolve(table, flag)
    if (found._tag === "Option" && Lookup.wantsValue(found.option)) return at + 1 === flags.length ? found : undefined
  }
  return undefined
}

const read = (table: Lookup.Table, tokens: ReadonlyArray<string>): State => {
  const given = new Set<string>()
  const args: Array<string> = []
  const values: Array<readonly [string, ReadonlyArray<string>]> = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ""
    if (token === "--") return { open: undefined, given, args: [...args, ...tokens.slice(at + 1)], ended: true, values }
    if (!token.startsWith("-") || token === "-") {
      args.push(token)
      continue
    }
    const hit = Lookup.resolve(table, token.split("=")[0] ?? token)
    const open = token.includes("=") ? undefined : wanting(table, token)
    const key = hit._tag === "Option" ? hit.key : open?.key
    if (key !== undefined) given.add(key)
    if (open !== undefined && at + 1 === tokens.length) {
      return { open: open.option, given, args, ended: false, values }
    }
    if (key !== undefined) values.push([key, tokens.slice(at, at + (open === undefined ? 1 : 2))])
    if (open !== undefined) at++
  }
  return { open: undefined, given, args, ended: false, values }
}

// ---------------------------------------------------------------------------------------------------------------------
// options and their values
// ---------------------------------------------------------------------------------------------------------------------

const ofOption = (
  input: Input,
  spec: Spec.Spec | undefined,
  table: Lookup.Table,
  given: ReadonlySet<string>,
  state?: State
): Answer => {
  const { current, program } = input
  const equals = current.indexOf("=")
  if (equals !== -1) {
    const hit = Lookup.resolve(table, current.slice(0, equals))
    return hit._tag === "Option" && Lookup.wantsValue(hit.option)
      ? ofValue(input, spec, hit.option, current.slice(0, equals + 1), current.slice(equals + 1), state)
      : none
  }
  const options = [...table.values()].flatMap(({ hit }) => (hit._tag === "Option" ? [hit] : []))
  const groups = new Set(
    options.flatMap(({ key, option }) => (given.has(key) && option.exclusive !== undefined ? [option.exclusive] : []))
  )
  const wanted = options.filter(({ key, option }) => {
    // Those of every command would bury a command's own: they come with the first letter.
    if (spec !== undefined && key in program.globals && current.length < 3) return false
    if (option.type === "keyvalue" || (option.type === "string" && option.repeatable === true)) return true
    return !given.has(key) && !(option.exclusive !== undefined && groups.has(option.exclusive))
  })
  return candidates(
    [
      ...wanted.map(({ flag, option }) => ({ value: flag, help: option.help })),
      { value: "--help", help: "Say how it is used" },
      ...(spec === undefined ? [{ value: "--version", help: "Say which version this is" }] : [])
    ],
    current
  )
}

/** `before` is what of the word belongs to the option, `typed` what to the value. */
const ofValue = (
  input: Input,
  spec: Spec.Spec | undefined,
  option: Spec.Option,
  before: string,
  typed: string,
  state?: State
): Answer => {
  if (!("metavar" in option)) return none
  if (option.metavar === "file") return { _tag: "Files" }
  if (option.type !== "string") return none
  if (option.metavar === "column") return values(columns(spec, state), before, typed)
  // Before a command is known, the formats are those of all.
  const choices =
    spec === undefined && option.flags.includes("--format")
      ? [...new Set([...Formatting.listNames, ...Formatting.singleNames])].toSorted()
      : option.choices
  if (choices !== undefined) return values(choices, before, typed)
  return ofKind(input, kinds.get(option.metavar), before, state)
}

const values = (all: ReadonlyArray<string>, before: string, typed: string): Answer => ({
  _tag: "Candidates",
  candidates: all.filter((value) => value.startsWith(typed)).map((value) => ({ value: `${before}${value}` }))
})

/** In the spelling that needs no quotes. */
const columns = (spec: Spec.Spec | undefined, state: State | undefined): ReadonlyArray<string> => {
  if (spec?.output.kind === "table") {
    return Spec.listColumns(spec.output.columns, (key) => state?.given.has(key) === true).map(([header]) =>
      columnKey(header)
    )
  }
  return spec?.output.kind === "single" && spec.output.fields.mode === "fixed" ? spec.output.fields.names : []
}

// ---------------------------------------------------------------------------------------------------------------------
// arguments
// ---------------------------------------------------------------------------------------------------------------------

const ofArgument = (input: Input, spec: Spec.Spec, before: ReadonlyArray<string>, state: State): Answer => {
  const all = Object.values(spec.args)
  const argument = all[before.length] ?? (all[all.length - 1]?.many === true ? all[all.length - 1] : undefined)
  if (argument === undefined || (argument.unless !== undefined && state.given.has(argument.unless))) return none
  if (argument.choices !== undefined) return values(argument.choices, "", input.current)
  // `wait share …`, `settle instance …`: the kind is an argument itself.
  const kind = ["name-or-id", "ref"].includes(argument.metavar) ? before[0] : kinds.get(argument.metavar)
  return ofKind(input, kind, "", state)
}

/** What the names of arguments and values say of the kind they are of. */
const kinds: ReadonlyMap<string, string> = new Map([
  ["share", "share"],
  ["snapshot", "snapshot"],
  ["snapshot-id", "snapshot"],
  ["share_type", "share type"],
  ["share-type", "share type"],
  ["share-type-name-or-id", "share type"],
  ["replica", "replica"],
  ["backup", "backup"],
  ["instance", "instance"],
  ["target-share", "share"]
])

const ofKind = ({ program }: Input, kind: string | undefined, before: string, state: State | undefined): Answer => {
  if (kind === undefined) return none
  const options = (state?.values ?? []).flatMap(([key, tokens]) => (key in program.globals ? tokens : []))
  return { _tag: "Names", kind, before, options }
}
