/**
 * What can go wrong before a share request is sent: configuration, authentication, the catalog.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { TransportFault } from "../http/Fault.ts"

/**
 * The configuration can't be used: a broken file, an unknown cloud, a setting that is missing, wrong or in conflict
 * with another. Nothing was sent.
 *
 * `file` and `line` (from 1) are there where one place in one file is to blame, `setting` where one setting is.
 *
 * @since 0.1.0
 * @category errors
 */
export class ConfigError extends Schema.TaggedError<ConfigError>("@effect-manila/core/ConfigError")("ConfigError", {
  detail: Schema.String,
  cloud: Schema.optional(Schema.String),
  file: Schema.optional(Schema.String),
  line: Schema.optional(Schema.Number),
  setting: Schema.optional(Schema.String)
}) {
  override get message(): string {
    const place =
      this.file === undefined ? "" : this.line === undefined ? `${this.file}: ` : `${this.file}:${this.line}: `
    return `${place}${this.cloud === undefined ? "" : `cloud ${this.cloud}: `}${this.detail}`
  }
}

/**
 * The identity service does not accept the credentials (401), or a token given from outside is no longer accepted and
 * can't be renewed. `detail` is the service's sentence; `requestId` its id for the request.
 *
 * @since 0.1.0
 * @category errors
 */
export class AuthenticationFailed extends Schema.TaggedError<AuthenticationFailed>(
  "@effect-manila/core/AuthenticationFailed"
)("AuthenticationFailed", {
  authUrl: Schema.String,
  /** Who asked and for what, without secrets: `user demo (domain default) for project demo`. */
  who: Schema.String,
  detail: Schema.String,
  requestId: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return `${this.authUrl} does not accept ${this.who}: ${this.detail}${suffix(this.requestId)}`
  }
}

/**
 * The token has no scope, so that it comes without a catalog: name a project or a domain, or an endpoint override.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotScoped extends Schema.TaggedError<NotScoped>("@effect-manila/core/NotScoped")("NotScoped", {
  authUrl: Schema.String
}) {
  override get message(): string {
    return (
      `the token of ${this.authUrl} is for no project and has no service catalog: ` +
      "set project_name (or project_id), or an endpoint override"
    )
  }
}

/**
 * The catalog has no endpoint for what was asked. `found` lists what there is of the kind that did not match.
 *
 * @since 0.1.0
 * @category errors
 */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>("@effect-manila/core/EndpointNotFound")(
  "EndpointNotFound",
  {
    /** Which of the three questions had no answer. */
    missing: Schema.Literal("type", "interface", "region"),
    types: Schema.Array(Schema.String),
    interfaces: Schema.Array(Schema.String),
    region: Schema.optional(Schema.String),
    /** The types, interfaces or regions that the catalog has. */
    found: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    const found = this.found.length === 0 ? "none" : this.found.join(", ")
    const types = this.types.join(" or ")
    switch (this.missing) {
      case "type": {
        const v1 = this.found.includes("share") ? " (share is the removed v1 API)" : ""
        return `the catalog has no service of type ${types}; types found: ${found}${v1}`
      }
      case "interface":
        return `the catalog has no ${this.interfaces.join(" or ")} endpoint for ${types}; interfaces found: ${found}`
      case "region":
        return `the catalog has no endpoint for ${types} in region ${this.region}; regions found: ${found}`
    }
  }
}

/**
 * The identity service answered with a status that is neither success nor 401, or with an answer that is none of its
 * own.
 *
 * @since 0.1.0
 * @category errors
 */
export class IdentityFailed extends Schema.TaggedError<IdentityFailed>("@effect-manila/core/IdentityFailed")(
  "IdentityFailed",
  {
    method: Schema.String,
    url: Schema.String,
    status: Schema.Number,
    detail: Schema.String,
    requestId: Schema.optional(Schema.String),
    /** What the service's `Retry-After` asked for, in milliseconds. */
    retryAfterMillis: Schema.optional(Schema.Number)
  }
) {
  /** Whether the same request may go better later: 408, 429, and 5xx other than 501 and 505. */
  get transient(): boolean {
    const { status } = this
    return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505)
  }

  override get message(): string {
    return `${this.method} ${this.url} answered ${this.status}: ${this.detail}${suffix(this.requestId)}`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export const KeystoneError = Schema.Union(
  ConfigError,
  AuthenticationFailed,
  NotScoped,
  EndpointNotFound,
  IdentityFailed,
  TransportFault
)

/**
 * @since 0.1.0
 * @category errors
 */
export type KeystoneError = typeof KeystoneError.Type

/**
 * Whether the same request may go better later: faults and answers that say so of themselves.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTransient = (error: KeystoneError): boolean =>
  (error._tag === "TransportFault" || error._tag === "IdentityFailed") && error.transient

const suffix = (requestId: string | undefined): string => (requestId === undefined ? "" : ` (request ${requestId})`)
