/**
 * The options and arguments of one command, read as scripts written for `openstack` expect: in any order, with `=` or
 * without, attached to a short option, shortened, repeated; and refused where something is missing.
 *
 * @since 0.1.0
 */
import type * as Spec from "../Spec.ts"
import * as Lookup from "./Lookup.ts"
import * as Usage from "./Usage.ts"
import * as Value from "./Value.ts"

/**
 * What was given. An option's values are texts; `true` and `false` for flags and switches, `null` for a bare option.
 * An option that can't be repeated has one value, the last.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly options: ReadonlyMap<string, ReadonlyArray<string | boolean | null>>
  readonly args: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Parsed =
  | { readonly _tag: "Given"; readonly given: Given }
  | { readonly _tag: "Help" }
  | { readonly _tag: "Version" }

const isNumber = (token: string): boolean => /^-(\d+\.?\d*|\.\d+)$/.test(token)

/** Whether a token is an option and no value: a dash before something that is neither a number nor a sentence. */
const isOption = (table: Lookup.Table, token: string): boolean => {
  if (!token.startsWith("-") || token === "-") return false
  if (token === "--" || table.has(token)) return true
  return !isNumber(token) && !/\s/.test(token.split("=")[0] ?? "")
}

/**
 * Reads the tokens that are left when the command's words are taken away.
 *
 * @since 0.1.0
 */
export const parse = (
  spec: Spec.Spec,
  options: Readonly<Record<string, Spec.Option>>,
  tokens: ReadonlyArray<string>
): Parsed => {
  const table = Lookup.table(options, spec.added !== true)
  const given = new Map<string, Array<string | boolean | null>>()
  const args: Array<string> = []
  const fail = (message: string): never => {
    throw new Usage.UsageError(message, Usage.line(spec))
  }
  const put = (key: string, option: Spec.Option, value: string | boolean | null): void => {
    const repeatable = option.type === "keyvalue" || (option.type === "string" && option.repeatable === true)
    given.set(key, repeatable ? [...(given.get(key) ?? []), value] : [value])
  }
  const checked = (flag: string, option: Spec.Option, text: string): string => {
    const wrong = Value.complaint(option, text)
    return wrong === undefined ? text : fail(`${flag} ${wrong}.`)
  }
  let at = 0
  let parsed: Parsed | undefined
  /** Takes what belongs to an option; `attached` is the text behind `=` or behind a short option's letter. */
  const take = (hit: Lookup.Hit, attached: string | undefined): void => {
    if (hit._tag !== "Option") {
      parsed = hit
      return
    }
    const { flag, key, option } = hit
    if (option.type === "flag" || option.type === "switch") {
      if (attached !== undefined) fail(`${flag} takes no value.`)
      put(key, option, hit.on)
      return
    }
    if (attached !== undefined) {
      put(key, option, checked(flag, option, attached))
      return
    }
    const next = tokens[at]
    const none = next === undefined || isOption(table, next)
    if (option.type === "string" && option.bare !== undefined && none) {
      put(key, option, null)
      return
    }
    if (none) {
      const dashed = next !== undefined && next !== "--" ? ` If '${next}' is its value, write ${flag}=${next}.` : ""
      fail(`${flag} needs a value.${dashed}`)
      return
    }
    at++
    put(key, option, checked(flag, option, next))
    if (option.type !== "keyvalue" || option.words !== true) return
    for (let more = tokens[at]; more !== undefined && !isOption(table, more); more = tokens[at]) {
      if (Value.complaint(option, more) !== undefined) break
      put(key, option, more)
      at++
    }
  }
  while (at < tokens.length && parsed === undefined) {
    const token = tokens[at] ?? ""
    at++
    if (token === "--") {
      args.push(...tokens.slice(at))
      break
    }
    if (!isOption(table, token)) {
      args.push(token)
      continue
    }
    const equals = token.indexOf("=")
    const flag = equals === -1 ? token : token.slice(0, equals)
    const attached = equals === -1 ? undefined : token.slice(equals + 1)
    const found = Lookup.resolve(table, flag)
    if (found._tag === "Ambiguous") fail(Lookup.complaint(table, flag, found))
    else if (found._tag !== "Unknown") take(found, attached)
    else if (flag.startsWith("--")) fail(Lookup.complaint(table, flag, found))
    else cluster(table, token, take, fail)
  }
  if (parsed !== undefined) return parsed
  for (const [key, option] of Object.entries(options)) {
    if (option.type === "keyvalue" && option.words === true) refuseRepeated(option, given.get(key) ?? [], fail)
  }
  return { _tag: "Given", given: { options: given, args } }
}

/** `-vq`, `-fjson`, `-vfjson`: letters until one takes the rest as its value. */
const cluster = (
  table: Lookup.Table,
  token: string,
  take: (hit: Lookup.Hit, attached: string | undefined) => void,
  fail: (message: string) => never
): void => {
  for (let i = 1; i < token.length; i++) {
    const flag = `-${token[i]}`
    const found = Lookup.resolve(table, flag)
    if (found._tag === "Unknown" || found._tag === "Ambiguous") {
      fail(Lookup.complaint(table, i === 1 ? (token.split("=")[0] ?? token) : flag, { _tag: "Unknown" }))
      return
    }
    const rest = token.slice(i + 1)
    if (found._tag === "Option" && Lookup.wantsValue(found.option)) {
      take(found, rest === "" ? undefined : rest.replace(/^=/, ""))
      return
    }
    take(found, undefined)
  }
}

const refuseRepeated = (
  option: Spec.Option,
  values: ReadonlyArray<string | boolean | null>,
  fail: (message: string) => never
): void => {
  const seen = new Set<string>()
  for (const value of values) {
    const key = String(value).split("=")[0] ?? ""
    if (seen.has(key)) fail(`${option.flags[0]} has the key '${key}' twice.`)
    seen.add(key)
  }
}
