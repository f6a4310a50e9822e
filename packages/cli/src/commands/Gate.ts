/**
 * What is refused before a command begins: arguments that are empty, and commands and flags that the cloud is too old
 * for, said in the words of the command line.
 *
 * The library refuses them too, by the names of its own fields. A filter that an old service would ignore in silence is
 * refused in the same way.
 *
 * @since 0.1.0
 */
import { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Microversion from "@effect-manila/core/manila/Microversion"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Spec from "../Spec.ts"

/**
 * `what` is the command's words, or a flag. Raised before anything but the version document was asked for.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotSupported extends Data.TaggedError("NotSupported")<{
  readonly what: string
  readonly since: string
  readonly version: string
}> {
  override get message(): string {
    return `${this.what} needs microversion ${this.since}, and ${this.version} is spoken with this cloud`
  }
}

/**
 * An argument is the empty text, as where a script's variable is not set: never a name to look for, let alone to delete.
 *
 * @since 0.1.0
 * @category errors
 */
export class Empty extends Data.TaggedError("BadValue")<{ readonly metavar: string }> {
  override get message(): string {
    return `<${this.metavar}> is empty`
  }
}

const isGiven = (option: Spec.Option, value: unknown): boolean => {
  switch (option.type) {
    case "flag":
      return value === true
    case "keyvalue":
      return Object.keys(value as object).length > 0
    default:
      return Array.isArray(value) ? value.length > 0 : value !== undefined && !("default" in option)
  }
}

/**
 * Asks for the version only if something that was given needs one.
 *
 * @since 0.1.0
 */
export const check = (
  spec: Spec.Spec,
  args: Readonly<Record<string, unknown>>
): Effect.Effect<void, ManilaError | NotSupported | Empty, Manila> => {
  for (const [key, { metavar }] of Spec.entries(spec.args)) {
    const values: ReadonlyArray<unknown> = Array.isArray(args[key]) ? args[key] : [args[key]]
    if (values.some((value) => value === "")) return Effect.fail(new Empty({ metavar }))
  }
  const needs = Spec.entries(spec.options).flatMap(([key, option]) =>
    option.since !== undefined && isGiven(option, args[key])
      ? [{ what: option.flags.find((flag) => flag.startsWith("--")) ?? option.flags[0], since: option.since }]
      : []
  )
  const all = spec.since === undefined ? needs : [{ what: `manila ${Spec.nameOf(spec)}`, since: spec.since }, ...needs]
  if (all.length === 0) return Effect.void
  return Effect.gen(function* () {
    const version = yield* (yield* Manila).version
    const missing = all.find(({ since }) => !Microversion.within(version, since, undefined))
    if (missing !== undefined) return yield* new NotSupported({ ...missing, version })
  })
}
