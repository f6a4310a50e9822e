/**
 * A command as plain data: its words, arguments, options and columns, and the type of the arguments its verb gets.
 *
 * The normaliser, the usage line, the help pages and the `@effect/cli` command all read the same data, and `Args` reads
 * its type, so that a verb with a flag of the wrong type doesn't compile. Nothing here (or in a noun's table) loads
 * Effect: a usage error must not wait for it.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { Program } from "./Program.ts"
import type * as ResumeToken from "./ResumeToken.ts"
import * as Formatting from "./flags/Formatting.ts"
import * as Waiting from "./flags/Waiting.ts"

/**
 * What every option has.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionCommon {
  /** Every spelling; the first is the one shown. */
  readonly flags: readonly [string, ...ReadonlyArray<string>]
  readonly help: string
  /** The microversion it needs. */
  readonly since?: string
  /** Options of one group exclude each other. */
  readonly exclusive?: string
  /** The variable that is read where the flag isn't given. Empty counts as not set. */
  readonly env?: string
  /** At least one of these options has to be given with it. */
  readonly needs?: ReadonlyArray<string>
  /**
   * Not an option of `openstack`. A prefix that only these options make ambiguous keeps meaning what it means there.
   */
  readonly added?: true
}

/**
 * - `flag`: `boolean`.
 * - `switch`: a flag and its opposite; `undefined` where neither is given, the last one wins.
 * - `string`: text, one of `choices`, or `Redacted` for a `secret`. `bare` is its value without one. `words` takes
 *   every following word that is `key=value`.
 * - `int`: a whole number, at least `min`.
 * - `keyvalue`: always repeatable, a record; the last of a repeated key wins, except with `words`, which refuses it.
 * - `duration`: milliseconds, `Infinity` for `none`.
 * - `microversion`: `2.60`.
 * - `token`: a resume token, decoded.
 *
 * @since 0.1.0
 * @category models
 */
export type Option = OptionCommon &
  (
    | { readonly type: "flag" }
    | { readonly type: "switch"; readonly off: readonly [string, ...ReadonlyArray<string>] }
    | {
        readonly type: "string"
        readonly metavar: string
        readonly choices?: ReadonlyArray<string>
        readonly default?: string
        readonly repeatable?: true
        readonly required?: true
        readonly bare?: string | null
        readonly secret?: true
        /** Required unless this option is given, and refused with it. */
        readonly unless?: string
      }
    | { readonly type: "int"; readonly metavar: string; readonly min?: number; readonly default?: number }
    | { readonly type: "keyvalue"; readonly metavar: string; readonly words?: true }
    | { readonly type: "duration"; readonly metavar: string; readonly limitless?: true; readonly default?: string }
    | { readonly type: "microversion"; readonly metavar: string }
    | { readonly type: "token"; readonly metavar: string }
  )

/**
 * An argument without a flag. Only the last may be `many`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Positional {
  readonly type: "string" | "int"
  readonly metavar: string
  readonly help: string
  readonly choices?: ReadonlyArray<string>
  readonly min?: number
  /** One or more; a list. */
  readonly many?: true
  /** Required unless this option is given, and refused with it. */
  readonly unless?: string
}

/**
 * A list's column: its header and the record's key. `since` is the microversion from which it is shown.
 *
 * @since 0.1.0
 * @category models
 */
export type Column = readonly [header: string, attribute: string, since?: string]

/**
 * What a list shows: by default, instead of it when `option` is given, and after it when one of `adds` is.
 *
 * @since 0.1.0
 * @category models
 */
export interface ListColumns {
  readonly default: ReadonlyArray<Column>
  readonly long?: { readonly option: string; readonly columns: ReadonlyArray<Column> }
  readonly adds?: ReadonlyArray<{ readonly option: string; readonly columns: ReadonlyArray<Column> }>
}

/**
 * What a single record shows: these fields in this order, or every key of the answer in the service's order, some left
 * out, renamed (they come last) or added.
 *
 * @since 0.1.0
 * @category models
 */
export type RecordFields =
  | { readonly mode: "fixed"; readonly names: ReadonlyArray<string> }
  | {
      readonly mode: "all"
      readonly without?: ReadonlyArray<string>
      readonly renamed?: Readonly<Record<string, string>>
      readonly added?: ReadonlyArray<string>
    }

/**
 * How a command waits: for a status (no limit by default), for absence (300 s by default), or always, being the wait
 * itself.
 *
 * @since 0.1.0
 * @category models
 */
export type WaitKind = "status" | "deletion" | "always"

/**
 * @since 0.1.0
 * @category models
 */
export interface Spec {
  readonly words: readonly [string, ...ReadonlyArray<string>]
  /** Other words for the same command; `args` are put before the arguments given. */
  readonly aliases?: ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly args: ReadonlyArray<string> }>
  readonly summary: string
  /** More than one sentence, for the command's own help page. */
  readonly details?: string
  readonly args: Readonly<Record<string, Positional>>
  readonly options: Readonly<Record<string, Option>>
  readonly output: Output
  readonly wait?: WaitKind
  /** The lowest microversion the command works with. */
  readonly since?: string
  /** Not a command of `openstack`, so that no prefix of its options has to keep a meaning. */
  readonly added?: true
  /** The program it belongs to. Default: `manila`. */
  readonly program?: Program
}

/**
 * @since 0.1.0
 * @category models
 */
export type Output =
  | { readonly kind: "none" }
  | { readonly kind: "table"; readonly columns: ListColumns }
  | { readonly kind: "single"; readonly fields: RecordFields }

/**
 * Keeps a table's literal types, from which `Args` is read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <const S extends Spec>(spec: S): S => spec

// ---------------------------------------------------------------------------------------------------------------------
// the type of the arguments
// ---------------------------------------------------------------------------------------------------------------------

type Text<O> = O extends { readonly secret: true }
  ? Redacted.Redacted<string>
  : O extends { readonly choices: ReadonlyArray<infer C> }
    ? C
    : string

type Bare<O> = O extends { readonly bare: infer B } ? B : never

type Given<O> = O extends { readonly unless: string }
  ? undefined
  : O extends { readonly default: unknown } | { readonly required: true }
    ? never
    : undefined

/**
 * The type of one option's value.
 *
 * @since 0.1.0
 * @category types
 */
export type OptionValue<O> = O extends { readonly type: "flag" }
  ? boolean
  : O extends { readonly type: "switch" }
    ? boolean | undefined
    : O extends { readonly type: "keyvalue" }
      ? Readonly<Record<string, string>>
      : O extends { readonly type: "int" | "duration" }
        ? number | Given<O>
        : O extends { readonly type: "token" }
          ? ResumeToken.ResumeToken | undefined
          : O extends { readonly repeatable: true }
            ? ReadonlyArray<Text<O>>
            : Text<O> | Bare<O> | Given<O>

/**
 * The type of one argument's value.
 *
 * @since 0.1.0
 * @category types
 */
export type PositionalValue<P> = P extends { readonly many: true }
  ? ReadonlyArray<Scalar<P>>
  : P extends { readonly unless: string }
    ? Scalar<P> | undefined
    : Scalar<P>

type Scalar<P> = P extends { readonly type: "int" } ? number : Text<P>

type Values<Options> = { readonly [K in keyof Options]: OptionValue<Options[K]> }

type WaitArgs<S> = S extends { readonly wait: "status" | "deletion" }
  ? Values<typeof Waiting.options> & Values<typeof Waiting.pace>
  : S extends { readonly wait: "always" }
    ? Values<typeof Waiting.pace>
    : unknown

/**
 * What a command's run function gets: every argument and option under its key, the waiting ones included.
 *
 * @since 0.1.0
 * @category types
 */
export type Args<S extends Spec> = { readonly [K in keyof S["args"]]: PositionalValue<S["args"][K]> } & Values<
  S["options"]
> &
  WaitArgs<S>

/**
 * How the output is wanted, for commands that have one.
 *
 * @since 0.1.0
 * @category types
 */
export type FormatArgs = Values<typeof Formatting.every>

// ---------------------------------------------------------------------------------------------------------------------
// reading a spec
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The options a command takes beside the global ones.
 *
 * @since 0.1.0
 */
export const optionsOf = (spec: Spec): Readonly<Record<string, Option>> => ({
  ...spec.options,
  ...(spec.wait === "status" || spec.wait === "deletion" ? Waiting.options : {}),
  ...(spec.wait === undefined ? {} : (spec.program?.pace ?? Waiting.pace))
})

/**
 * The options of a command's output; none for a command without.
 *
 * @since 0.1.0
 */
export const formattingOf = (spec: Spec): Readonly<Record<string, Option>> =>
  spec.output.kind === "none" ? {} : spec.output.kind === "table" ? Formatting.options : Formatting.single

/**
 * The command's words as one text: `share access create`.
 *
 * @since 0.1.0
 */
export const nameOf = (spec: Spec): string => spec.words.join(" ")

/**
 * The columns of a list under the options given.
 *
 * @since 0.1.0
 */
export const listColumns = (columns: ListColumns, given: (option: string) => boolean): ReadonlyArray<Column> => {
  const base = columns.long !== undefined && given(columns.long.option) ? columns.long.columns : columns.default
  const added = (columns.adds ?? []).filter(({ option }) => given(option)).flatMap(({ columns }) => columns)
  return [...base, ...added]
}

/** Keys of an object, typed as such: tables are closed literals, so no other key can be there. */
export const entries = <A>(record: Readonly<Record<string, A>>): ReadonlyArray<[string, A]> => Object.entries(record)
