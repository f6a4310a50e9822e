/**
 * Which command an argv names: its words may be mixed with global options, and shortened while they stay unique.
 *
 * @since 0.1.0
 */
import type { Program } from "../Program.ts"
import type * as Spec from "../Spec.ts"
import * as Suggest from "./Suggest.ts"
import * as Usage from "./Usage.ts"

/**
 * - `Command`: `used` are the positions of its words in argv, `preset` the arguments an alias brings along.
 * - `Group`: words that begin several commands and name none.
 * - `Unknown`: `message` says what is wrong.
 *
 * @since 0.1.0
 * @category models
 */
export type Found =
  | {
      readonly _tag: "Command"
      readonly spec: Spec.Spec
      readonly used: ReadonlySet<number>
      readonly preset: ReadonlyArray<string>
    }
  | { readonly _tag: "Group"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "Unknown"; readonly message: string; readonly group: ReadonlyArray<string> }

interface Named {
  readonly spec: Spec.Spec
  readonly words: ReadonlyArray<string>
  readonly preset: ReadonlyArray<string>
}

const named = (specs: ReadonlyArray<Spec.Spec>): ReadonlyArray<Named> =>
  specs.flatMap((spec) => [
    { spec, words: spec.words, preset: [] },
    ...(spec.aliases ?? []).map(({ args, words }) => ({ spec, words, preset: args }))
  ])

const begins = (words: ReadonlyArray<string>, by: ReadonlyArray<string>): boolean =>
  by.length <= words.length && by.every((word, i) => words[i] === word)

const shortens = (words: ReadonlyArray<string>, by: ReadonlyArray<string>): boolean =>
  by.length === words.length && by.every((word, i) => word !== "" && words[i]?.startsWith(word) === true)

/**
 * The words of argv that aren't options or their values, with their positions, up to `--`. `takesValue` says of an
 * option's text whether the next word is its value.
 *
 * @since 0.1.0
 */
export const scan = (
  argv: ReadonlyArray<string>,
  takesValue: (token: string) => boolean
): ReadonlyArray<readonly [word: string, at: number]> => {
  const words: Array<readonly [string, number]> = []
  for (let at = 0; at < argv.length; at++) {
    const token = argv[at] ?? ""
    if (token === "--") break
    if (!token.startsWith("-") || token === "-") words.push([token, at])
    else if (takesValue(token)) at++
  }
  return words
}

/**
 * The longest run of exact words that is a command; else words that begin exactly one command's. An exact command wins,
 * so that what follows it may look like a word.
 *
 * @since 0.1.0
 */
export const find = (
  specs: ReadonlyArray<Spec.Spec>,
  words: ReadonlyArray<readonly [word: string, at: number]>
): Found => {
  const all = named(specs)
  const texts = words.map(([word]) => word)
  const longest = Math.max(...all.map(({ words }) => words.length))
  const most = Math.min(longest, texts.length)
  const command = (found: Named): Found => ({
    _tag: "Command",
    spec: found.spec,
    used: new Set(words.slice(0, found.words.length).map(([, at]) => at)),
    preset: found.preset
  })
  for (let n = most; n > 0; n--) {
    const exact = all.find(({ words }) => words.length === n && begins(words, texts.slice(0, n)))
    if (exact !== undefined) return command(exact)
  }
  for (let n = most; n > 0; n--) {
    const short = all.filter(({ words }) => shortens(words, texts.slice(0, n)))
    const [only] = short
    if (only !== undefined && new Set(short.map(({ spec }) => spec)).size === 1) return command(only)
    if (short.length > 1) {
      const names = short.map(({ words }) => words.join(" "))
      return unknown(all, texts, `'${texts.slice(0, n).join(" ")}' is short for ${Suggest.either(names)}.`)
    }
  }
  if (texts.length === 0) return { _tag: "Group", words: [] }
  if (all.some(({ words }) => begins(words, texts))) return { _tag: "Group", words: texts }
  return unknown(all, texts, undefined)
}

const unknown = (all: ReadonlyArray<Named>, texts: ReadonlyArray<string>, message: string | undefined): Found => {
  let depth = 0
  while (depth < texts.length && all.some(({ words }) => begins(words, texts.slice(0, depth + 1)))) depth++
  const group = texts.slice(0, depth)
  if (message !== undefined) return { _tag: "Unknown", message, group }
  const names = all.map(({ words }) => words.join(" "))
  const missed = texts[depth] ?? ""
  const siblings = [
    ...new Set(all.filter(({ words }) => begins(words, group)).flatMap(({ words }) => words[depth] ?? []))
  ]
  const nearest = Suggest.near(missed, siblings).map((word) => [...group, word].join(" "))
  const found = nearest.length > 0 ? nearest : Suggest.near(texts.slice(0, depth + 2).join(" "), names)
  const question = found.length === 0 ? "" : ` Did you mean ${Suggest.either(found)}?`
  return { _tag: "Unknown", message: `'${[...group, missed].join(" ")}' is not a command.${question}`, group }
}

/**
 * The commands whose words begin with these, for a group's help.
 *
 * @since 0.1.0
 */
export const within = (specs: ReadonlyArray<Spec.Spec>, group: ReadonlyArray<string>): ReadonlyArray<Spec.Spec> =>
  specs.filter((spec) => begins(spec.words, group))

/**
 * The sentence for a group without a command, naming what may follow.
 *
 * @since 0.1.0
 */
export const incomplete = (
  program: Program,
  specs: ReadonlyArray<Spec.Spec>,
  group: ReadonlyArray<string>
): Usage.UsageError => {
  const next = [...new Set(within(specs, group).flatMap((spec) => spec.words[group.length] ?? []))]
  const what = group.length === 0 ? "No command given." : `'${group.join(" ")}' needs one word more.`
  return new Usage.UsageError(`${what} Next can be ${Suggest.either(next)}.`, Usage.groupLine(program, group))
}
