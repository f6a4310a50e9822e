/**
 * How another process goes on with a wait: a token, and the command line around it.
 *
 * @since 0.1.0
 */
import type * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"
import * as Global from "../flags/Global.ts"
import * as Waiting from "../flags/Waiting.ts"
import type { Resume } from "../progress/Event.ts"
import * as ResumeToken from "../ResumeToken.ts"
import type { Option } from "../Spec.ts"
import * as Cloud from "./Cloud.ts"
import type { Args } from "./Waits.ts"

/**
 * What a resume token says beside the resource: which kind and verb it is for, and when it is done.
 *
 * @since 0.1.0
 * @category models
 */
export interface Goes {
  readonly kind: ResumeToken.ResumeToken["kind"]
  readonly verb: string
  readonly for: ReadonlyArray<string>
  readonly fields?: Readonly<Record<string, string | number | boolean>>
}

/**
 * `resume` keeps the deadline. `afterTimeOut` has the whole limit once more, since nothing of it is left then.
 *
 * @since 0.1.0
 * @category models
 */
export interface GoOn {
  readonly resume: Resume
  readonly afterTimeOut: Resume | undefined
}

/**
 * The deadline of a wait that was asked for without one (`--timeout none`), told apart from no word about it: the last
 * moment there is.
 *
 * @since 0.1.0
 */
export const never = 8_640_000_000_000_000

/**
 * For a wait that begins now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  context: Context,
  goes: Goes,
  id: string,
  args: Args,
  limit: Deadline.Deadline | undefined
): Effect.Effect<GoOn, never, Keystone.Keystone> =>
  Effect.gen(function* () {
    const cloud = yield* Cloud.fingerprint
    const now = yield* Clock.currentTimeMillis
    const left = limit === undefined ? undefined : yield* Deadline.remainingMillis(limit)
    const flags = [...cloudFlags(context), ...paceFlags(args)]
    const resume = (deadline: number | undefined, more: ReadonlyArray<string> = []): Resume => {
      const { fields, for: wanted, kind, verb } = goes
      const token = ResumeToken.encode({
        v: 1,
        cloud,
        kind,
        id,
        verb,
        goal: { for: wanted, ...(fields === undefined ? {} : { fields }) },
        ...(deadline === undefined ? {} : { deadline }),
        acceptedAt: now
      })
      return { token, command: ["manila wait", ...flags, ...more, "--resume", token].join(" ") }
    }
    const deadline = left === undefined ? undefined : Number.isFinite(left) ? Math.round(now + left) : never
    const millis = limit === undefined ? Number.POSITIVE_INFINITY : Duration.toMillis(limit.limit)
    return {
      resume: resume(deadline),
      afterTimeOut: Number.isFinite(millis) ? resume(undefined, ["--timeout", String(millis / 1_000)]) : undefined
    }
  })

/** The flags that name the cloud: without them the command might go to another one. Secrets are not repeated. */
const cloudFlags = ({ globals }: Context): ReadonlyArray<string> =>
  Object.entries<Option>(Global.cloud).flatMap(([key, option]) => {
    const value = globals[key as keyof typeof Global.cloud]
    if (value === undefined || value === false || typeof value === "object") return []
    return value === true ? [option.flags[0]] : [option.flags[0], quoted(value)]
  })

const paceFlags = (args: Args): ReadonlyArray<string> =>
  (["interval", "maxInterval", "maxAttempts", "tolerate"] as const).flatMap((key) => {
    const option = Waiting.pace[key]
    const value = args[key]
    if (value === undefined) return []
    return [option.flags[0], String(option.type === "duration" ? value / 1_000 : value)]
  })

const quoted = (text: string): string =>
  /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
