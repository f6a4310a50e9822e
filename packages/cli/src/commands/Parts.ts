/**
 * Small parts of commands: flag values that need a meaning, and changes made of several requests.
 *
 * @since 0.1.0
 */
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"
import type * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import { Progress } from "../Progress.ts"
import { nameOf } from "../Spec.ts"
import * as About from "./About.ts"
import * as Sent from "./Sent.ts"

/**
 * A flag's value makes no sense. Raised before anything is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadValue extends Data.TaggedError("BadValue")<{
  readonly flag: string
  readonly value: string
  readonly expected: string
}> {
  override get message(): string {
    return `${this.flag}: "${this.value}" is not ${this.expected}`
  }
}

/**
 * A record that has at least one key, else nothing to send.
 *
 * @since 0.1.0
 */
export const given = (record: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined =>
  Object.keys(record).length === 0 ? undefined : record

/**
 * An empty text is no text, as in `openstack`: scripts pass variables that may not be set.
 *
 * @since 0.1.0
 */
export const text = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

/**
 * A filter without its empty texts.
 *
 * @since 0.1.0
 */
export const filter = <A extends object>(given: A): A =>
  // Fewer keys than the type allows, none of another type.
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")) as A

/**
 * `--limit 0` is no limit, as in `openstack`.
 *
 * @since 0.1.0
 */
export const total = (limit: number | undefined): number | undefined => (limit === 0 ? undefined : limit)

/**
 * The markers of `openstack` are offsets.
 *
 * @since 0.1.0
 */
export const offset = (flag: string, value: string | undefined): Effect.Effect<number | undefined, BadValue> =>
  value === undefined
    ? Effect.succeed(undefined)
    : /^\d+$/.test(value)
      ? Effect.succeed(Number(value))
      : Effect.fail(
          new BadValue({ flag, value, expected: "a number of records to skip: the service knows no other marker" })
        )

const yes = new Set(["true", "t", "yes", "y", "on", "1"])
const no = new Set(["false", "f", "no", "n", "off", "0"])

/**
 * The words the service takes for true and false.
 *
 * @since 0.1.0
 */
export const truth = (flag: string, value: string | undefined): Effect.Effect<boolean | undefined, BadValue> => {
  if (value === undefined) return Effect.succeed(undefined)
  const word = value.trim().toLowerCase()
  return yes.has(word)
    ? Effect.succeed(true)
    : no.has(word)
      ? Effect.succeed(false)
      : Effect.fail(new BadValue({ flag, value, expected: "true or false" }))
}

/**
 * Makes every change that is there, one after the other, and tells each that fails; the others are made all the same.
 *
 * @since 0.1.0
 */
export const all = <R>(
  context: Context,
  args: Readonly<Record<string, unknown>>,
  changes: ReadonlyArray<Effect.Effect<unknown, ManilaError, R> | undefined>
): Effect.Effect<ReadonlyArray<ExitCode.Result>, never, R | Manila | Progress> =>
  Effect.flatMap(Progress, (progress) =>
    Effect.forEach(
      changes.filter((change) => change !== undefined),
      (change) =>
        Effect.matchEffect(Sent.change(About.subject(context.spec, args)?.about ?? nameOf(context.spec))(change), {
          onSuccess: () => Effect.succeed<ExitCode.Result>({ ending: "ok" }),
          onFailure: (error) => {
            const told = Failure.describe(About.about(About.subject(context.spec, args), error), nameOf(context.spec))
            return Effect.as(progress.error({ ...told, text: `manila: ${told.text}` }), told)
          }
        })
    )
  )
