/**
 * Usage lines, and the error that shows one.
 *
 * @since 0.1.0
 */
import * as Program from "../Program.ts"
import type * as Spec from "../Spec.ts"

/**
 * The command line can't be understood. `message` is one or two sentences, `usage` the line that shows how it is
 * written, where a command is known.
 *
 * A plain class and not a tagged error of Effect's: it is raised and printed before Effect is loaded.
 *
 * @since 0.1.0
 * @category errors
 */
export class UsageError extends Error {
  readonly _tag = "UsageError"
  readonly usage: string
  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
  }
}

/**
 * How an option is written: `--name <name>`, `--property <key=value>`, `--[no-]wait`.
 *
 * @since 0.1.0
 */
export const optionText = (option: Spec.Option): string => {
  const flag = option.flags.find((flag) => flag.startsWith("--")) ?? option.flags[0]
  switch (option.type) {
    case "flag":
      return flag
    case "switch":
      return option.off[0] === `--no-${flag.slice(2)}` ? `--[no-]${flag.slice(2)}` : `${flag} | ${option.off[0]}`
    default: {
      const value = valueText(option)
      if (option.type === "string" && option.bare !== undefined) return `${flag} [${value}]`
      return option.type === "keyvalue" && option.words === true ? `${flag} ${value} …` : `${flag} ${value}`
    }
  }
}

const valueText = (option: Extract<Spec.Option, { readonly metavar: string }>): string =>
  hasShortChoices(option) ? `{${option.choices.join(",")}}` : `<${option.metavar}>`

/**
 * Whether an option's choices are few enough to stand where it is written; else they belong into its description.
 *
 * @since 0.1.0
 */
export const hasShortChoices = (
  option: Spec.Option
): option is Spec.Option & { readonly choices: ReadonlyArray<string> } =>
  option.type === "string" && option.choices !== undefined && option.choices.join(",").length <= 40

/**
 * How an argument is written: `<share>`, `<share>…`.
 *
 * @since 0.1.0
 */
export const argumentText = (positional: Spec.Positional): string =>
  `<${positional.metavar}>${positional.many === true ? "…" : ""}`

/**
 * One line: the words, the arguments, the required options, and that there are more.
 *
 * @since 0.1.0
 */
export const line = (spec: Spec.Spec): string => {
  const required = Object.values(spec.options).filter((option) => option.type === "string" && option.required === true)
  return [
    `usage: ${Program.of(spec).name}`,
    ...spec.words,
    ...Object.values(spec.args).map(argumentText),
    ...required.map(optionText),
    "[options]"
  ].join(" ")
}

/**
 * The usage line of a group of commands, or of the program itself.
 *
 * @since 0.1.0
 */
export const groupLine = ({ name }: Program.Program, words: ReadonlyArray<string>): string =>
  [`usage: ${name}`, ...words, "<command> [arguments] [options]"].join(" ")
