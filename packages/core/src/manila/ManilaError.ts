/**
 * The errors of the share service: one for each thing a caller can do about it.
 *
 * Each names the operation and, where there was an answer, the request id that an operator can look up. None carries a
 * request, a header or a body.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { TransportFault } from "../http/Fault.ts"
import type { KeystoneError } from "../keystone/KeystoneError.ts"

const answered = {
  /** `share.extend`. */
  operation: Schema.String,
  status: Schema.Number,
  /** The service's own sentence. */
  detail: Schema.String,
  requestId: Schema.optional(Schema.String)
}

const sentence = (error: {
  readonly operation: string
  readonly detail: string
  readonly requestId?: string | undefined
}): string => `${error.operation}: ${error.detail}${error.requestId === undefined ? "" : ` [${error.requestId}]`}`

/**
 * There is no such resource, or the caller may not see it (404). Manila also answers so to a route that the microversion
 * does not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>("@effect-manila/core/NotFound")("NotFound", answered) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The resource is in a state that forbids the operation (409): wait, then ask again. Manila says 403 or 400 for many
 * wrong states too; those come as `Forbidden` and `BadRequest`.
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>("@effect-manila/core/Conflict")("Conflict", answered) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * What was to be made is there already: an access rule for the same target.
 *
 * @since 0.1.0
 * @category errors
 */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>("@effect-manila/core/AlreadyExists")(
  "AlreadyExists",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * Policy, or the resource's state, forbids it to this caller (403).
 *
 * @since 0.1.0
 * @category errors
 */
export class Forbidden extends Schema.TaggedError<Forbidden>("@effect-manila/core/Forbidden")("Forbidden", answered) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The request itself is wrong (400, 413 without a quota fault, 415, 422).
 *
 * @since 0.1.0
 * @category errors
 */
export class BadRequest extends Schema.TaggedError<BadRequest>("@effect-manila/core/BadRequest")(
  "BadRequest",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * A quota is used up. Manila says so with a 413 whose `Retry-After` is always 0, or with a 403 on growing and reverting
 * a share: never a rate limit, so it is never repeated.
 *
 * @since 0.1.0
 * @category errors
 */
export class OverQuota extends Schema.TaggedError<OverQuota>("@effect-manila/core/OverQuota")("OverQuota", answered) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The token was refused, renewed, and refused again (401).
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("@effect-manila/core/Unauthorized")(
  "Unauthorized",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The service can't answer now (408, 425, 429, 500, 502, 503, 504). Nothing was changed: requests that might have
 * changed something fail with {@link OutcomeUnknown} instead, except on 408, 425 and 429, which refuse before doing
 * anything.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unavailable extends Schema.TaggedError<Unavailable>("@effect-manila/core/Unavailable")("Unavailable", {
  ...answered,
  /** What its `Retry-After` asked for. */
  retryAfterMillis: Schema.optional(Schema.Number)
}) {
  get transient(): boolean {
    return true
  }
  override get message(): string {
    return `${this.operation}: the service answered ${this.status}: ${this.detail}${
      this.requestId === undefined ? "" : ` [${this.requestId}]`
    }`
  }
}

/**
 * The operation, or a field of its input, needs a microversion the cloud does not have, or none suits both sides.
 * Raised before anything is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotSupported extends Schema.TaggedError<NotSupported>("@effect-manila/core/NotSupported")("NotSupported", {
  operation: Schema.String,
  detail: Schema.String,
  version: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return `${this.operation}: ${this.detail}`
  }
}

/**
 * A request that may have changed something has no usable answer: look before asking again. Never repeated by itself.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>("@effect-manila/core/OutcomeUnknown")(
  "OutcomeUnknown",
  {
    operation: Schema.String,
    method: Schema.String,
    /** Without the query. */
    url: Schema.String,
    /** The answer's status, if there was one. */
    status: Schema.optional(Schema.Number),
    detail: Schema.String,
    requestId: Schema.optional(Schema.String)
  }
) {
  override get message(): string {
    return `${this.operation}: it is not known whether this took effect: ${this.detail}${
      this.requestId === undefined ? "" : ` [${this.requestId}]`
    }`
  }
}

/**
 * A success whose body is not what the operation answers with.
 *
 * @since 0.1.0
 * @category errors
 */
export class Malformed extends Schema.TaggedError<Malformed>("@effect-manila/core/Malformed")("Malformed", answered) {
  override get message(): string {
    return `${this.operation}: the answer can't be read: ${this.detail}`
  }
}

/**
 * A status that no rule knows (405, 406, 501, …), or an endpoint that is no share service.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unexpected extends Schema.TaggedError<Unexpected>("@effect-manila/core/Unexpected")(
  "Unexpected",
  answered
) {
  override get message(): string {
    return `${this.operation}: the service answered ${this.status}: ${this.detail}${
      this.requestId === undefined ? "" : ` [${this.requestId}]`
    }`
  }
}

/**
 * The answers of the service that are errors.
 *
 * @since 0.1.0
 * @category errors
 */
export type Answer =
  | NotFound
  | Conflict
  | AlreadyExists
  | Forbidden
  | BadRequest
  | OverQuota
  | Unauthorized
  | Unavailable
  | Unexpected

/**
 * Everything an operation can fail with: the service's answers, what stops a request before or after it, and what goes
 * wrong with identity.
 *
 * @since 0.1.0
 * @category errors
 */
export type ManilaError = Answer | NotSupported | OutcomeUnknown | Malformed | TransportFault | KeystoneError
