/**
 * Bodies of requests and answers as `--debug` shows them.
 *
 * @since 0.1.0
 */
import * as Redact from "@effect-manila/core/http/Redact"

/** A namespace's key, a token, and what an instance is set up with. */
const secrets = new Set(["key", "access_token", "user_data"])

const hidden = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secrets.has(name) && typeof inner === "string" ? "***" : hidden(inner)
    ])
  )
}

/**
 * A body's text without its secrets; anything but JSON (the root page) by its length only.
 *
 * @since 0.1.0
 */
export const body = (text: string): string => {
  try {
    return Redact.body(JSON.stringify(hidden(JSON.parse(text))))
  } catch {
    return Redact.body(text)
  }
}
