/**
 * Help pages, rendered from the commands' data and the program's: the root, a group, a command, and two topics.
 *
 * @since 0.1.0
 */
import * as Usage from "./argv/Usage.ts"
import * as Words from "./argv/Words.ts"
import * as Program from "./Program.ts"
import * as Waiting from "./flags/Waiting.ts"
import * as Spec from "./Spec.ts"

const width = 96

type Rows = Program.Rows

/**
 * Words that `help` knows beside the commands'.
 *
 * @since 0.1.0
 */
export const topics: ReadonlyArray<string> = ["options", "exit-codes"]

/**
 * The page for the words of a command or group, for a topic, or without words for the program itself.
 *
 * @since 0.1.0
 */
export const page = (
  specs: ReadonlyArray<Spec.Spec>,
  words: ReadonlyArray<string>,
  program: Program.Program = Program.manila
): string => {
  const [first] = words
  if (first === undefined) return root(program, specs)
  if (words.length === 1 && first === "options") return options(program)
  if (words.length === 1 && first === "exit-codes") return exitCodes(program)
  const name = words.join(" ")
  const spec = specs.find((spec) => Spec.nameOf(spec) === name)
  return spec === undefined ? group(program, specs, words) : command(program, spec)
}

const root = (program: Program.Program, specs: ReadonlyArray<Spec.Spec>): string =>
  text([
    Usage.groupLine(program, []),
    "",
    ...wrap(program.about, width),
    "",
    "Commands:",
    ...table(summaries(specs, 0)),
    "",
    "Options, before, between or after the words:",
    ...table(program.mostUsed),
    "",
    `More: ${["<command>", "options", "exit-codes"].map((what) => `${program.name} help ${what}`).join(", ")}`
  ])

/** Commands that share all but the last word are one line: `share access create|delete|list`. */
const summaries = (specs: ReadonlyArray<Spec.Spec>, depth: number): Rows => {
  const groups = new Map<string, Array<Spec.Spec>>()
  for (const spec of specs) {
    const key = spec.words.slice(0, -1).join(" ")
    groups.set(key, [...(groups.get(key) ?? []), spec])
  }
  return [...groups].flatMap(([key, members]) =>
    key === "" || key.split(" ").length <= depth || members.length === 1
      ? members.map((spec) => [Spec.nameOf(spec), spec.summary] as const)
      : [[key, members.map((spec) => spec.words[spec.words.length - 1]).join(", ")] as const]
  )
}

const group = (program: Program.Program, specs: ReadonlyArray<Spec.Spec>, words: ReadonlyArray<string>): string =>
  text([
    Usage.groupLine(program, words),
    "",
    "Commands:",
    ...table(summaries(Words.within(specs, words), words.length)),
    "",
    `More: ${program.name} help ${words.join(" ")} <command>, ${program.name} help options`
  ])

const command = ({ name }: Program.Program, spec: Spec.Spec): string => {
  const waiting = new Set(
    spec.wait === undefined ? [] : [...Object.keys(Waiting.options), ...Object.keys(Waiting.pace)]
  )
  const own = Spec.entries(Spec.optionsOf(spec))
  return text([
    Usage.line(spec),
    "",
    ...wrap(
      `${spec.summary}.${spec.details === undefined ? "" : ` ${spec.details}`}${needs(spec.since, " Needs microversion ", ".")}`,
      width
    ),
    ...aliases(spec),
    ...section(
      "Arguments:",
      Object.values(spec.args).map((one) => [Usage.argumentText(one), one.help])
    ),
    ...section("Options:", rows(own.filter(([key]) => !waiting.has(key)).map(([, option]) => option))),
    ...section("Waiting:", rows(own.filter(([key]) => waiting.has(key)).map(([, option]) => option))),
    ...section("Output:", rows(Object.values(Spec.formattingOf(spec)))),
    "",
    `Options of every command: ${name} help options`
  ])
}

const aliases = (spec: Spec.Spec): ReadonlyArray<string> =>
  spec.aliases === undefined
    ? []
    : wrap(
        `Also: ${spec.aliases.map(({ args, words }) => `${words.join(" ")} = ${[...spec.words, ...args].join(" ")}`).join("; ")}.`,
        width
      )

const options = ({ headings }: Program.Program): string =>
  text([
    ...wrap(
      "Options of every command, before, between or after its words. Durations are seconds (90), a text such as " +
        "'5 minutes', or none. A value that begins with a dash is written with an equals sign: --name=-x",
      width
    ),
    ...headings.flatMap(([heading, options]) => section(heading, rows(Object.values(options))))
  ])

const exitCodes = ({ exitCodes: { meanings, note } }: Program.Program): string =>
  text(["Exit codes:", ...table(meanings), ...(note === undefined ? [] : ["", ...wrap(note, width)])])

// ---------------------------------------------------------------------------------------------------------------------
// layout
// ---------------------------------------------------------------------------------------------------------------------

const text = (lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n`

const needs = (since: string | undefined, before: string, after: string): string =>
  since === undefined ? "" : `${before}${since}${after}`

const rows = (all: ReadonlyArray<Spec.Option>): Rows =>
  all.map((option) => {
    const short = option.flags.filter((flag) => !flag.startsWith("--")).map((flag) => `${flag}, `)
    const variable = option.env === undefined ? "" : ` [${option.env}]`
    const choices =
      option.type === "string" && option.choices !== undefined && !Usage.hasShortChoices(option)
        ? `: ${option.choices.join(", ")}`
        : ""
    return [
      `${short.join("")}${Usage.optionText(option)}`,
      `${option.help}${choices}${needs(option.since, " (needs ", ")")}${variable}`
    ]
  })

const section = (title: string, all: Rows): ReadonlyArray<string> =>
  all.length === 0 ? [] : ["", title, ...table(all)]

const table = (all: Rows): ReadonlyArray<string> => {
  const column = Math.min(32, Math.max(...all.map(([left]) => left.length)))
  return all.flatMap(([left, right]) => {
    const lines = wrap(right, width - column - 4)
    const first = left.length > column ? [`  ${left}`] : []
    return [
      ...first,
      ...lines.map((line, i) => `  ${(i === 0 && first.length === 0 ? left : "").padEnd(column)}  ${line}`)
    ]
  })
}

const wrap = (sentence: string, columns: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of sentence.split(" ")) {
    const last = lines[lines.length - 1]
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
