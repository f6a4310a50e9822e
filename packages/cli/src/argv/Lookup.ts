/**
 * From an option as it was typed to the option that is meant: exact, or a prefix of a long one that fits one only.
 *
 * @since 0.1.0
 */
import type * as Spec from "../Spec.ts"
import * as Suggest from "./Suggest.ts"

/**
 * One spelling of an option. `on` is false for the opposite spelling of a switch. `help` and `version` are no options
 * of any table, but their prefixes count.
 *
 * @since 0.1.0
 * @category models
 */
export type Hit =
  | {
      readonly _tag: "Option"
      readonly key: string
      readonly option: Spec.Option
      readonly on: boolean
      readonly flag: string
    }
  | { readonly _tag: "Help" }
  | { readonly _tag: "Version" }

/**
 * @since 0.1.0
 * @category models
 */
export type Result =
  | Hit
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Ambiguous"; readonly candidates: ReadonlyArray<string> }

/**
 * @since 0.1.0
 * @category models
 */
export type Table = ReadonlyMap<string, { readonly hit: Hit; readonly added: boolean }>

/**
 * `openstack` says whether the options are those of a command that `openstack` has too.
 *
 * @since 0.1.0
 * @category constructors
 */
export const table = (options: Readonly<Record<string, Spec.Option>>, openstack = true): Table => {
  const flags = new Map<string, { readonly hit: Hit; readonly added: boolean }>()
  for (const [key, option] of Object.entries(options)) {
    for (const flag of option.flags) {
      flags.set(flag, {
        hit: { _tag: "Option", key, option, on: true, flag },
        added: openstack && option.added === true
      })
    }
    if (option.type === "switch") {
      // `openstack` has no opposite spellings.
      for (const flag of option.off)
        flags.set(flag, { hit: { _tag: "Option", key, option, on: false, flag }, added: openstack })
    }
  }
  for (const flag of ["-h", "--help"]) flags.set(flag, { hit: { _tag: "Help" }, added: false })
  flags.set("--version", { hit: { _tag: "Version" }, added: false })
  return flags
}

const meaning = (hit: Hit): string => (hit._tag === "Option" ? `${hit.key} ${hit.on}` : hit._tag)

/**
 * `flag` without any `=value`. Where only options that `openstack` lacks make a prefix ambiguous, it keeps the meaning
 * it has there.
 *
 * @since 0.1.0
 */
export const resolve = (table: Table, flag: string): Result => {
  const exact = table.get(flag)
  if (exact !== undefined) return exact.hit
  if (!flag.startsWith("--") || flag.length < 3) return { _tag: "Unknown" }
  const candidates = [...table].filter(([known]) => known.startsWith(flag))
  const inherited = candidates.filter(([, { added }]) => !added)
  for (const some of [inherited, candidates]) {
    const [first] = some
    if (first !== undefined && new Set(some.map(([, { hit }]) => meaning(hit))).size === 1) return first[1].hit
    if (some.length > 1) return { _tag: "Ambiguous", candidates: candidates.map(([known]) => known) }
  }
  return { _tag: "Unknown" }
}

/**
 * The sentence for an option that was not found.
 *
 * @since 0.1.0
 */
export const complaint = (
  table: Table,
  flag: string,
  result: Extract<Result, { readonly _tag: "Unknown" | "Ambiguous" }>
): string => {
  if (result._tag === "Ambiguous") return `${flag} is short for ${Suggest.either(result.candidates)}: write more of it.`
  const long = flag.startsWith("--") ? flag : `-${flag}`
  const known = [...table.keys()].filter((name) => name.startsWith("--"))
  return `There is no option ${flag}.${Suggest.didYouMean(long, known)}`
}

/**
 * Whether an option takes a value, always (and not only if one is there).
 *
 * @since 0.1.0
 */
export const wantsValue = (option: Spec.Option): boolean =>
  option.type !== "flag" && option.type !== "switch" && !(option.type === "string" && option.bare !== undefined)
