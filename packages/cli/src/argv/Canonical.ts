/**
 * The argv that `@effect/cli` gets: one spelling per option, every option once and first, then `--`, then the arguments.
 *
 * Text travels as JSON, because `@effect/cli` trims values, drops empty ones, stops a `=value` at a line break, and
 * takes a value that looks like an option for one. A list is one JSON array, since a repeated option is searched for
 * in the values of the others too.
 *
 * @since 0.1.0
 */
import type * as Spec from "../Spec.ts"
import type { Given } from "./Parse.ts"

/**
 * The name `@effect/cli` knows an option by.
 *
 * @since 0.1.0
 */
export const nameOf = (option: Spec.Option): string =>
  (option.flags.find((flag) => flag.startsWith("--")) ?? option.flags[0]).replace(/^-+/, "")

/**
 * @since 0.1.0
 */
export const make = (
  spec: Spec.Spec,
  options: Readonly<Record<string, Spec.Option>>,
  given: Given
): ReadonlyArray<string> => {
  const argv: Array<string> = []
  for (const [key, option] of Object.entries(options)) {
    const values = given.options.get(key)
    if (values === undefined) continue
    const flag = `--${nameOf(option)}`
    const last = values[values.length - 1] ?? null
    switch (option.type) {
      case "flag":
        if (last === true) argv.push(flag)
        break
      case "switch":
        argv.push(flag, last === true ? "on" : "off")
        break
      case "int":
        argv.push(flag, String(Number(last)))
        break
      case "keyvalue":
        argv.push(flag, JSON.stringify(values))
        break
      case "string":
        argv.push(flag, JSON.stringify(option.repeatable === true ? values : last))
        break
      default:
        argv.push(flag, JSON.stringify(last))
    }
  }
  return [spec.words[spec.words.length - 1] ?? "", ...argv, "--", ...given.args]
}
