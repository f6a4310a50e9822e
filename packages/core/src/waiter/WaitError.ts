/**
 * The endings of a wait that are errors, each with what was awaited, what was seen, and why.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * What is waited for. All parts are for messages, spans and metrics.
 *
 * @since 0.1.0
 * @category models
 */
export const Subject = Schema.Struct({
  /** `share`, `snapshot`, `access rule`. */
  kind: Schema.String,
  id: Schema.optional(Schema.String),
  name: Schema.optional(Schema.NullOr(Schema.String)),
  /** What was asked for: `create`, `extend`, `delete`. */
  verb: Schema.optional(Schema.String)
})

/**
 * @since 0.1.0
 * @category models
 */
export type Subject = typeof Subject.Type

/**
 * One status, however many looks in a row saw it. Times are milliseconds since the wait (or its verb's deadline) began.
 *
 * @since 0.1.0
 * @category models
 */
export const StatusSeen = Schema.Struct({
  status: Schema.String,
  firstSeen: Schema.Number,
  lastSeen: Schema.Number,
  looks: Schema.Number
})

/**
 * @since 0.1.0
 * @category models
 */
export type StatusSeen = typeof StatusSeen.Type

/**
 * The service's own explanation.
 *
 * @since 0.1.0
 * @category models
 */
export const Reason = Schema.Struct({
  message: Schema.String,
  detailId: Schema.optional(Schema.NullOr(Schema.String)),
  actionId: Schema.optional(Schema.NullOr(Schema.String)),
  requestId: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Reason = typeof Reason.Type

const report = {
  subject: Subject,
  /** What was wanted. */
  wanted: Schema.String,
  /** The last status seen; empty if there was no good look. */
  status: Schema.String,
  /** Consecutive equal statuses are one entry; past 64 entries the middle ones are left out. */
  statuses: Schema.Array(StatusSeen),
  looks: Schema.Number,
  /** Milliseconds since the wait (or its verb's deadline) began. */
  elapsedMillis: Schema.Number,
  /** The last transient fault that was tolerated. */
  lastFault: Schema.NullOr(Schema.String),
  /** The last observation, as the probe gave it; null if there was none. */
  observed: Schema.Unknown
}

/**
 * What every ending carries.
 *
 * @since 0.1.0
 * @category models
 */
export type Report = { readonly [K in keyof typeof report]: Schema.Schema.Type<(typeof report)[K]> }

/**
 * How a subject is called in a sentence: `share web (3f2…)`.
 *
 * @since 0.1.0
 */
export const subjectText = ({ id, kind, name }: Subject): string => {
  const named = name === undefined || name === null || name === "" ? undefined : name
  if (named === undefined) return id === undefined ? kind : `${kind} ${id}`
  return id === undefined || id === named ? `${kind} ${named}` : `${kind} ${named} (${id})`
}

const seconds = (millis: number): string => `${Math.round(millis / 100) / 10} s`

const looksText = (looks: number): string => (looks === 1 ? "1 look" : `${looks} looks`)

const doing = ({ verb }: Subject): string => (verb === undefined ? "" : `${verb} `)

/**
 * A failure status, an unreachable target, a roll-back, no effect, or absence where presence was wanted.
 *
 * @since 0.1.0
 * @category errors
 */
export class WaitFailed extends Schema.TaggedError<WaitFailed>("@effect-manila/core/WaitFailed")("WaitFailed", {
  ...report,
  cause: Schema.Literal("status", "unreachable", "rolledBack", "noEffect", "notFound", "goneAfterSeen", "stuck"),
  detail: Schema.String,
  reason: Schema.NullOr(Reason)
}) {
  override get message(): string {
    const why =
      this.reason === null
        ? ""
        : `. ${this.reason.message.replace(/[.\s]+$/, "")}${this.reason.detailId == null ? "" : ` (detail ${this.reason.detailId})`}${
            this.reason.requestId == null ? "" : ` [${this.reason.requestId}]`
          }`
    return `${subjectText(this.subject)}: ${doing(this.subject)}failed after ${seconds(this.elapsedMillis)} and ${looksText(this.looks)}: ${this.detail}, wanted ${this.wanted}${why}`
  }
}

/**
 * The limit passed, or the attempts or the schedule came to their end.
 *
 * @since 0.1.0
 * @category errors
 */
export class WaitTimedOut extends Schema.TaggedError<WaitTimedOut>("@effect-manila/core/WaitTimedOut")("WaitTimedOut", {
  ...report,
  cause: Schema.Literal("limit", "attempts", "schedule"),
  /** Milliseconds; null if there was no limit. */
  limitMillis: Schema.NullOr(Schema.Number),
  /** Milliseconds the last status had stood. */
  stoodMillis: Schema.Number,
  /** The server asked for more time than the limit had left: milliseconds. */
  retryAfterMillis: Schema.NullOr(Schema.Number)
}) {
  override get message(): string {
    const ended =
      this.cause === "limit"
        ? `timed out after ${seconds(this.limitMillis ?? this.elapsedMillis)}`
        : `gave up after ${looksText(this.looks)} in ${seconds(this.elapsedMillis)}, ${
            this.cause === "attempts" ? "the attempts ran out" : "the schedule ended"
          }`
    const last =
      this.status === "" ? "no status was seen" : `last status ${this.status} for ${seconds(this.stoodMillis)}`
    const asked =
      this.retryAfterMillis === null
        ? ""
        : `; the server asked to wait ${seconds(this.retryAfterMillis)}, which is past the limit`
    const fault = this.lastFault === null ? "" : `; last fault: ${this.lastFault}`
    return `${subjectText(this.subject)}: ${doing(this.subject)}${ended}: ${last} (${looksText(this.looks)}), wanted ${this.wanted}${asked}${fault}`
  }
}

/**
 * The resource waits for a person: `next` names the operation that goes on.
 *
 * @since 0.1.0
 * @category errors
 */
export class WaitNeedsAction extends Schema.TaggedError<WaitNeedsAction>("@effect-manila/core/WaitNeedsAction")(
  "WaitNeedsAction",
  { ...report, next: Schema.String }
) {
  override get message(): string {
    return `${subjectText(this.subject)}: ${doing(this.subject)}stopped at ${this.status} and needs ${this.next}`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export type WaitError = WaitFailed | WaitTimedOut | WaitNeedsAction

/**
 * @since 0.1.0
 * @category refinements
 */
export const isWaitError = (error: unknown): error is WaitError =>
  error instanceof WaitFailed || error instanceof WaitTimedOut || error instanceof WaitNeedsAction

/**
 * The last observation an error carries, if the probe ever gave one.
 *
 * @since 0.1.0
 */
export const observed = (error: WaitError): Option.Option<unknown> => Option.fromNullable(error.observed)
