/**
 * A request that is turned down. Handlers are plain functions, so they throw it, and the router, the one place that
 * catches it, makes the service's fault body of it.
 */
import * as Answer from "../../internal/Answer.ts"
import type { WireAnswer } from "../../Wire.ts"

const standard: Readonly<Record<number, string>> = {
  400: "The server could not comply with the request since it is either malformed or otherwise incorrect.",
  403: "Access was denied to this resource.",
  404: "The resource could not be found.",
  409: "There was a conflict when trying to complete your request.",
  422: "Unable to process the contained instructions",
  500: "The server has either erred or is incapable of performing the requested operation."
}

const names: Readonly<Record<number, string>> = {
  400: "badRequest",
  401: "unauthorized",
  403: "forbidden",
  404: "itemNotFound",
  409: "conflictingRequest",
  413: "overLimit"
}

/** Not an `Error`: its stack would cost more than the whole request and tell nothing. */
export class Refusal {
  readonly status: number
  readonly message: string
  constructor(status: number, message: string) {
    this.status = status
    this.message = message
  }
}

/** Without a message the one of the status. */
export const refuse = (status: number, message: string = standard[status] ?? ""): Refusal =>
  new Refusal(status, message)

/** What the server says when a value made it stumble. */
export const stumble = (): Refusal => refuse(500)

/** A value the service did not accept: its message has this beginning. */
export const invalidInput = (reason: string): Refusal => refuse(400, `Invalid input received: ${reason}.`)

/** A share in the wrong state; the status depends on the operation. */
export const invalidShare = (status: number, reason: string): Refusal => refuse(status, `Invalid share: ${reason}.`)

export const notFoundItem = (): Refusal => refuse(404, "MetadataItemNotFound: Metadata item is not found.")

/** The caller may see the object, and may not do this to it. */
export const notAllowed = (rule: string): Refusal => refuse(403, `Policy doesn't allow ${rule} to be performed.`)

/** What the body's schema says about a field. */
export const invalidField = (field: string, value: unknown, problem: string): Refusal =>
  refuse(400, `Invalid input for field/attribute ${field}. Value: ${python(value)}. ${problem}`)

/** A value as Python prints it, which is how it stands in messages. */
export const python = (value: unknown): string => {
  if (value === null || value === undefined) return "None"
  if (value === true) return "True"
  if (value === false) return "False"
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return Array.isArray(value) ? `[${value.map(repr).join(", ")}]` : dict(value)
}

/** The same, with texts in quotes. */
export const repr = (value: unknown): string => (typeof value === "string" ? `'${value}'` : python(value))

const dict = (value: unknown): string =>
  `{${Object.entries(value as object)
    .map(([key, item]) => `'${key}': ${repr(item)}`)
    .join(", ")}}`

export const toAnswer = (refusal: Refusal, headers: Answer.Headers): WireAnswer => {
  const { status, message } = refusal
  const over = status === 413
  if (over) headers["retry-after"] = "0"
  return Answer.json(
    status,
    { [names[status] ?? "computeFault"]: { code: status, message, ...(over ? { retryAfter: "0" } : {}) } },
    headers
  )
}
