/**
 * Tells an error answer by its status.
 */
import type * as Headers from "@effect/platform/Headers"
import * as Option from "effect/Option"
import * as ErrorBody from "../../http/ErrorBody.ts"
import * as RetryAfter from "../../http/RetryAfter.ts"
import * as ShakenFistError from "../ShakenFistError.ts"

export interface Answered {
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly safe: boolean
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: string
  /** Milliseconds since the epoch, for a `Retry-After` date. */
  readonly now: number
}

export const requestId = (headers: Headers.Headers): string | undefined => headers["x-request-id"]

export const retryAfter = (headers: Headers.Headers, now: number): number | undefined =>
  Option.getOrUndefined(RetryAfter.parse(headers["retry-after"], headers["date"], now))

/** After these a request that changes something may have changed it. */
const inDoubt = new Set([500, 502, 503, 504])

export const toError = (answered: Answered): ShakenFistError.Answer => {
  const { body, headers, method, now, operation, safe, status, url } = answered
  const json = objectOf(body)
  const id = requestId(headers)
  const fields = {
    operation,
    status,
    detail: detailOf(status, json, body),
    ...(id === undefined ? {} : { requestId: id })
  }
  if (!safe && inDoubt.has(status)) {
    return new ShakenFistError.OutcomeUnknown({
      ...fields,
      method,
      url,
      detail: `the service answered ${status}: ${fields.detail}`
    })
  }
  const asked = retryAfter(headers, now)
  const hinted = asked === undefined ? {} : { retryAfterMillis: asked }
  switch (status) {
    case 400:
      return new ShakenFistError.BadRequest(fields)
    case 401:
      return new ShakenFistError.Unauthorized(fields)
    case 403:
      return new ShakenFistError.Forbidden(fields)
    case 404:
      return new ShakenFistError.NotFound(fields)
    case 406:
      return new ShakenFistError.NotReady(fields)
    case 409:
      return new ShakenFistError.Conflict(fields)
    case 500:
    case 503:
      return new ShakenFistError.Unavailable({ ...fields, ...hinted })
    case 507:
      return new ShakenFistError.InsufficientResources({
        ...fields,
        ...hinted,
        transient: json?.["transient"] === true
      })
    default:
      return new ShakenFistError.Unexpected({ ...fields, ...hinted, text: body })
  }
}

const objectOf = (body: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const json: unknown = JSON.parse(body)
    // What is no array and not null has members to look at.
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

/** `{"error": …, "status": …}`, where the error is a text, or an object on a refusal to delete several networks. */
const detailOf = (status: number, json: Readonly<Record<string, unknown>> | undefined, body: string): string => {
  const error = json?.["error"]
  return typeof error === "object" && error !== null
    ? JSON.stringify(error).slice(0, 500)
    : ErrorBody.parse(status, body).detail
}
