/**
 * The errors of Shaken Fist: one for each thing a caller can do about it.
 *
 * Each names the operation and, where there was an answer, its status and the request id. None carries a request, a
 * header or a key.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { TransportFault } from "../http/Fault.ts"

const answered = {
  /** `instance.get`. */
  operation: Schema.String,
  status: Schema.Number,
  /** The service's own sentence. */
  detail: Schema.String,
  requestId: Schema.optional(Schema.String)
}

const suffix = (requestId: string | undefined): string => (requestId === undefined ? "" : ` [${requestId}]`)

const sentence = (error: {
  readonly operation: string
  readonly detail: string
  readonly requestId?: string | undefined
}): string => `${error.operation}: ${error.detail}${suffix(error.requestId)}`

/** Statuses that say "not now" without saying why, beside the two the service itself uses. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * No URL, or a URL without a namespace or a key, or a file that can't be used. Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unconfigured extends Schema.TaggedError<Unconfigured>("@effect-manila/core/shakenfist/Unconfigured")(
  "Unconfigured",
  {
    detail: Schema.String,
    /** The file to blame, if one is. */
    file: Schema.optional(Schema.String)
  }
) {
  override get message(): string {
    return this.file === undefined ? this.detail : `${this.file}: ${this.detail}`
  }
}

/**
 * The caller asked for something that isn't there to be asked for: a kind of object or an async strategy by a name
 * nobody knows. Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidArgument extends Schema.TaggedError<InvalidArgument>(
  "@effect-manila/core/shakenfist/InvalidArgument"
)("InvalidArgument", { operation: Schema.String, argument: Schema.String, detail: Schema.String }) {
  override get message(): string {
    return `${this.operation}: ${this.argument} ${this.detail}`
  }
}

/**
 * The server doesn't announce the capability, or announces it and then leaves out the field it stands for. There is no
 * fallback: the next best question (the object's last operation) has another answer.
 *
 * `missing: "capability"` is raised before the request is sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class Incapable extends Schema.TaggedError<Incapable>("@effect-manila/core/shakenfist/Incapable")("Incapable", {
  operation: Schema.String,
  /** The token looked for on the server's root page: `object-pending-operations`. */
  capability: Schema.String,
  missing: Schema.Literal("capability", "field"),
  /** What was asked about, where a wait was for one object: `Instance 3f2…`. */
  target: Schema.optional(Schema.String)
}) {
  override get message(): string {
    const about = this.target === undefined ? "" : ` (${this.target})`
    const what =
      this.missing === "capability"
        ? `the server does not announce the capability ${this.capability}`
        : `the server announces the capability ${this.capability}, but its view has no usable field of it`
    return `${this.operation}${about}: ${what}; server and client have to be of one revision`
  }
}

/**
 * There is no such object, or it is another namespace's (404).
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>("@effect-manila/core/shakenfist/NotFound")(
  "NotFound",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The request itself is wrong (400): a member the route doesn't know, a value of the wrong type, a name that two objects
 * have.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadRequest extends Schema.TaggedError<BadRequest>("@effect-manila/core/shakenfist/BadRequest")(
  "BadRequest",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The login was refused, or a new token too (401). A login that failed for another reason keeps its real status, and is
 * transient if that one is.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>("@effect-manila/core/shakenfist/Unauthorized")(
  "Unauthorized",
  answered
) {
  get transient(): boolean {
    return passing.has(this.status)
  }
  override get message(): string {
    return sentence(this)
  }
}

/**
 * Not for this caller (403): a scoped token without the scope, a cluster operation of another namespace, a network that
 * is in use.
 *
 * @since 0.1.0
 * @category errors
 */
export class Forbidden extends Schema.TaggedError<Forbidden>("@effect-manila/core/shakenfist/Forbidden")(
  "Forbidden",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * Something it depends on is not ready (406), such as the network of an instance, and was not within the time allowed.
 * Nothing was done.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotReady extends Schema.TaggedError<NotReady>("@effect-manila/core/shakenfist/NotReady")(
  "NotReady",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The object's state, or another one's, forbids it (409).
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>("@effect-manila/core/shakenfist/Conflict")(
  "Conflict",
  answered
) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The cluster has no room (507). `transient` is the server's own word on whether it may have some later.
 *
 * @since 0.1.0
 * @category errors
 */
export class InsufficientResources extends Schema.TaggedError<InsufficientResources>(
  "@effect-manila/core/shakenfist/InsufficientResources"
)("InsufficientResources", {
  ...answered,
  transient: Schema.Boolean,
  /** What its `Retry-After` asked for. */
  retryAfterMillis: Schema.optional(Schema.Number)
}) {
  override get message(): string {
    return sentence(this)
  }
}

/**
 * The service can't answer now (500, 503): its database is away, or one of its nodes did not answer another. Requests
 * that might have changed something fail with {@link OutcomeUnknown} instead.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unavailable extends Schema.TaggedError<Unavailable>("@effect-manila/core/shakenfist/Unavailable")(
  "Unavailable",
  { ...answered, retryAfterMillis: Schema.optional(Schema.Number) }
) {
  get transient(): boolean {
    return true
  }
  override get message(): string {
    return `${this.operation}: the service answered ${this.status}: ${this.detail}${suffix(this.requestId)}`
  }
}

/**
 * A request that may have changed something has no usable answer: look before asking again. Never repeated by itself.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>("@effect-manila/core/shakenfist/OutcomeUnknown")(
  "OutcomeUnknown",
  {
    operation: Schema.String,
    method: Schema.String,
    url: Schema.String,
    /** The answer's status, if there was one. */
    status: Schema.optional(Schema.Number),
    detail: Schema.String,
    requestId: Schema.optional(Schema.String)
  }
) {
  override get message(): string {
    return `${this.operation}: it is not known whether this took effect: ${this.detail}${suffix(this.requestId)}`
  }
}

/**
 * A success whose body is not what the operation answers with.
 *
 * @since 0.1.0
 * @category errors
 */
export class Malformed extends Schema.TaggedError<Malformed>("@effect-manila/core/shakenfist/Malformed")(
  "Malformed",
  answered
) {
  override get message(): string {
    return `${this.operation}: the answer can't be read: ${this.detail}`
  }
}

/**
 * Any other status: a proxy's 502, a redirect, a 405.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unexpected extends Schema.TaggedError<Unexpected>("@effect-manila/core/shakenfist/Unexpected")(
  "Unexpected",
  {
    ...answered,
    /** The whole body, as it came. */
    text: Schema.String,
    retryAfterMillis: Schema.optional(Schema.Number)
  }
) {
  get transient(): boolean {
    return passing.has(this.status)
  }
  override get message(): string {
    return `${this.operation}: the service answered ${this.status}: ${this.detail}${suffix(this.requestId)}`
  }
}

/**
 * The answers of the service that are errors.
 *
 * @since 0.1.0
 * @category errors
 */
export type Answer =
  | BadRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | NotReady
  | Conflict
  | InsufficientResources
  | Unavailable
  | OutcomeUnknown
  | Unexpected

/**
 * Everything a request can fail with.
 *
 * @since 0.1.0
 * @category errors
 */
export type ShakenFistError = Answer | Incapable | InvalidArgument | Malformed | TransportFault
