/**
 * The one place that knows which headers and body keys are secrets.
 *
 * @since 0.1.0
 */
import * as Headers from "@effect/platform/Headers"
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"

/**
 * Headers whose values are never shown: Effect puts request headers into span attributes and knows only its own four.
 *
 * @since 0.1.0
 */
export const headerNames: ReadonlyArray<string> = [
  "x-auth-token",
  "x-subject-token",
  "x-service-token",
  "openstack-auth-receipt"
]

/**
 * Runs an effect with our secret headers redacted in spans and printed requests, beside those that already were.
 *
 * @since 0.1.0
 */
export const withRedactedHeaders = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locallyWith(effect, Headers.currentRedactedNames, (names) => [...names, ...headerNames])

const secretKeys = new Set([
  "password",
  "secret",
  "passcode",
  "access_key",
  "auth_key",
  "token",
  "adminpass",
  "original_password"
])

/**
 * A copy of a JSON value in which every secret is replaced by `***`. A `token` that is an object (Keystone's answer)
 * is looked into instead, and identity's `auth.identity.token.id` is a secret too.
 *
 * @since 0.1.0
 */
export const json = (value: unknown, insideToken = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => json(item, insideToken))
  if (typeof value !== "object" || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const secret = secretKeys.has(key.toLowerCase()) || (insideToken && key === "id")
    copy[key] =
      secret && (typeof inner === "string" || typeof inner === "number")
        ? "***"
        : json(inner, secret && key.toLowerCase() === "token")
  }
  return copy
}

/**
 * Whether a query has a secret in it. Effect puts the whole URL of a request into its span, so that such a request must
 * have none.
 *
 * @since 0.1.0
 */
export const inQuery = (request: HttpClientRequest.HttpClientRequest): boolean =>
  request.urlParams.some(([key]) => secretKeys.has(key.toLowerCase()))

/**
 * The printable form of a body's text: JSON with its secrets replaced; anything else by its length only, since its
 * secrets can't be told apart.
 *
 * @since 0.1.0
 */
export const body = (text: string): string => {
  if (text.trim() === "") return ""
  try {
    return JSON.stringify(json(JSON.parse(text)))
  } catch {
    return `<${text.length} characters>`
  }
}

/**
 * A JSON body for a request whose printable form has its secrets replaced. A request is part of every response and
 * error of the client, and those are handed to tracers and inspectors, which print them with the body.
 *
 * @since 0.1.0
 */
export const jsonBody = (value: unknown): HttpBody.HttpBody => {
  const body = HttpBody.unsafeJson(value)
  return Object.defineProperty(body, "toJSON", {
    value: () => ({ _id: "@effect/platform/HttpBody", _tag: body._tag, body: json(value) })
  })
}
