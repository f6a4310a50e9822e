/**
 * The token and the command line with which another process goes on with a wait, whatever the cloud.
 *
 * @since 0.1.0
 */
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Waiting from "../flags/Waiting.ts"
import type { Resume } from "../progress/Event.ts"
import * as ResumeToken from "../ResumeToken.ts"
import type { Option } from "../Spec.ts"
import type { Args } from "./Looks.ts"

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
 * For a wait that begins now. `command` are the words before the flags, `cloud` is the fingerprint of the cloud, `flags`
 * name it on the command line.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly command: string
  readonly cloud: string
  readonly flags: ReadonlyArray<string>
  readonly goes: Goes
  readonly id: string
  readonly args: Args
  readonly limit: Deadline.Deadline | undefined
}): Effect.Effect<GoOn> =>
  Effect.gen(function* () {
    const { args, cloud, command, flags, goes, id, limit } = options
    const now = yield* Clock.currentTimeMillis
    const left = limit === undefined ? undefined : yield* Deadline.remainingMillis(limit)
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
      return { token, command: [command, "--resume", token, ...flags, ...paceFlags(args), ...more].join(" ") }
    }
    const deadline = left === undefined ? undefined : Number.isFinite(left) ? Math.round(now + left) : never
    const millis = limit === undefined ? Number.POSITIVE_INFINITY : Duration.toMillis(limit.limit)
    return {
      resume: resume(deadline),
      afterTimeOut: Number.isFinite(millis) ? resume(undefined, ["--timeout", String(millis / 1_000)]) : undefined
    }
  })

/**
 * How long to go on: `--timeout` if it is given, else what the token has left (nothing, once its deadline has passed),
 * else the usual time.
 *
 * @since 0.1.0
 */
export const remaining = (
  token: ResumeToken.ResumeToken,
  args: Args,
  usual: Duration.DurationInput
): Effect.Effect<Deadline.Deadline> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (args.timeout !== undefined) return Deadline.start(Duration.millis(args.timeout))
    const { deadline } = token
    if (deadline === undefined) return Deadline.start(usual)
    return Deadline.start(deadline === never ? Duration.infinity : Duration.millis(Math.max(0, deadline - now)))
  })

/**
 * The flags that name the cloud: without them the command might go to another one. Secrets are not repeated.
 *
 * @since 0.1.0
 */
export const cloudFlags = (
  options: Readonly<Record<string, Option>>,
  globals: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  Object.entries(options).flatMap(([key, option]) => {
    const value = globals[key]
    if (value === true) return [option.flags[0]]
    return typeof value === "string" ? [option.flags[0], quoted(value)] : []
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
