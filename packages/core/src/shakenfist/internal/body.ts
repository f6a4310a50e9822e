/**
 * Bodies of requests: JSON with sorted keys, whose printable form has no secrets.
 */
import * as HttpBody from "@effect/platform/HttpBody"

/** `user_data` is whatever an instance is set up with, and often has passwords. */
const secrets = new Set(["key", "user_data", "access_token"])

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([one], [two]) => (one < two ? -1 : one > two ? 1 : 0))
      .map(([name, member]) => [name, sorted(member)])
  )
}

const printable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(printable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secrets.has(name) && typeof member === "string" ? "***" : printable(member)
    ])
  )
}

/**
 * Members that are `undefined` are left out, `null` ones are sent. No body for no members: the service takes both for
 * the same, and a body on a GET is trouble enough where it is needed.
 */
export const make = (value: unknown): HttpBody.HttpBody | undefined => {
  const json = sorted(value)
  if (json === undefined || (typeof json === "object" && json !== null && Object.keys(json).length === 0)) {
    return undefined
  }
  const body = HttpBody.unsafeJson(json)
  return Object.defineProperty(body, "toJSON", {
    value: () => ({ _id: "@effect/platform/HttpBody", _tag: body._tag, body: printable(json) })
  })
}
