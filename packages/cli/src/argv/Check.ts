/**
 * What can be said about a command line as a whole: what is missing, too many, or doesn't go together; and what the
 * environment adds.
 *
 * @since 0.1.0
 */
import * as Spec from "../Spec.ts"
import type { Given } from "./Parse.ts"
import * as Suggest from "./Suggest.ts"
import * as Usage from "./Usage.ts"
import * as Value from "./Value.ts"

/**
 * Adds the variables' values of options that were not given. Nonsense is an error that names the variable.
 *
 * @since 0.1.0
 */
export const withEnvironment = (
  spec: Spec.Spec,
  options: Readonly<Record<string, Spec.Option>>,
  env: Readonly<Record<string, string | undefined>>,
  given: Given
): Given => {
  const all = new Map(given.options)
  for (const [key, option] of Object.entries(options)) {
    const text = option.env === undefined ? undefined : env[option.env]
    if (text === undefined || text === "" || all.has(key)) continue
    const wrong = Value.complaint(option, text)
    if (wrong !== undefined) throw new Usage.UsageError(`The variable ${option.env} ${wrong}.`, Usage.line(spec))
    if (option.type !== "flag") all.set(key, [text])
    else if (/^(1|true|yes|on)$/i.test(text)) all.set(key, [true])
  }
  return { ...given, options: all }
}

/**
 * Checks options against each other, and the arguments; throws the first `UsageError` there is.
 *
 * @since 0.1.0
 */
export const check = (spec: Spec.Spec, options: Readonly<Record<string, Spec.Option>>, given: Given): void => {
  const fail = (message: string): never => {
    throw new Usage.UsageError(message, Usage.line(spec))
  }
  const has = (key: string): boolean => given.options.has(key)
  const flagOf = (key: string): string => options[key]?.flags.find((flag) => flag.startsWith("--")) ?? key
  const groups = new Map<string, string>()
  for (const [key, option] of Object.entries(options)) {
    if (!has(key)) {
      if (
        option.type === "string" &&
        option.required === true &&
        !(option.unless !== undefined && has(option.unless))
      ) {
        fail(`${flagOf(key)} is missing.`)
      }
      continue
    }
    if (option.type === "string" && option.unless !== undefined && has(option.unless)) {
      fail(`${flagOf(key)} can't be given with ${flagOf(option.unless)}.`)
    }
    if (option.needs !== undefined && !option.needs.some(has)) {
      fail(`${flagOf(key)} needs ${Suggest.either(option.needs.map(flagOf))}.`)
    }
    if (option.exclusive !== undefined) {
      const other = groups.get(option.exclusive)
      if (other !== undefined) fail(`${flagOf(other)} and ${flagOf(key)} exclude each other.`)
      groups.set(option.exclusive, key)
    }
  }
  positionals(spec, given.args, has, flagOf, fail)
}

const positionals = (
  spec: Spec.Spec,
  args: ReadonlyArray<string>,
  has: (key: string) => boolean,
  flagOf: (key: string) => string,
  fail: (message: string) => never
): void => {
  let left = args
  const missing: Array<string> = []
  for (const positional of Object.values(spec.args)) {
    if (positional.unless !== undefined && has(positional.unless)) {
      if (left.length > 0) fail(`'${left[0]}' can't be given with ${flagOf(positional.unless)}.`)
      continue
    }
    const values = positional.many === true ? left : left.slice(0, 1)
    left = positional.many === true ? [] : left.slice(1)
    if (values.length === 0) missing.push(Usage.argumentText(positional))
    for (const value of values) {
      const wrong = Value.argumentComplaint(positional, value)
      if (wrong !== undefined) fail(`<${positional.metavar}> ${wrong}.`)
    }
  }
  if (missing.length > 0) fail(`${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing.`)
  if (left.length > 0) fail(`'${left[0]}' is one argument too many.`)
}

/**
 * The columns asked for must exist where they are known before anything is sent: one of them at least, as with
 * `openstack`.
 *
 * @since 0.1.0
 */
export const checkColumns = (spec: Spec.Spec, given: Given): void => {
  const wanted = (given.options.get("column") ?? []).map(String)
  if (wanted.length === 0) return
  const known = knownColumns(spec, (key) => given.options.has(key))
  if (known === undefined || wanted.some((column) => known.some((name) => columnKey(name) === columnKey(column))))
    return
  throw new Usage.UsageError(unknownColumns(wanted, known), Usage.line(spec))
}

/**
 * How column names are compared: `Share Proto`, `share proto` and `share_proto` are one.
 *
 * @since 0.1.0
 */
export const columnKey = (name: string): string => name.trim().toLowerCase().replaceAll(" ", "_")

/**
 * @since 0.1.0
 */
export const unknownColumns = (wanted: ReadonlyArray<string>, known: ReadonlyArray<string>): string =>
  `There is no column ${Suggest.either(wanted.map((name) => `'${name}'`))}. The columns are: ${known.join(", ")}.`

const knownColumns = (spec: Spec.Spec, has: (key: string) => boolean): ReadonlyArray<string> | undefined => {
  switch (spec.output.kind) {
    case "none":
      return undefined
    case "table":
      return Spec.listColumns(spec.output.columns, has).map(([header]) => header)
    case "single":
      return spec.output.fields.mode === "fixed" ? spec.output.fields.names : undefined
  }
}
