/**
 * Tells an error answer by its status, and its fault where the status says too little.
 */
import type * as Headers from "@effect/platform/Headers"
import * as Option from "effect/Option"
import * as ErrorBody from "../../http/ErrorBody.ts"
import * as Fault from "../../http/Fault.ts"
import * as RetryAfter from "../../http/RetryAfter.ts"
import * as ManilaError from "../ManilaError.ts"

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

/** Both names are in use: the second only where an API handler ran. */
export const requestId = (headers: Headers.Headers): string | undefined =>
  headers["x-openstack-request-id"] ?? headers["x-compute-request-id"]

export const retryAfter = (headers: Headers.Headers, now: number): number | undefined =>
  Option.getOrUndefined(RetryAfter.parse(headers["retry-after"], headers["date"], now))

/** The service could not answer now, and may later. */
const transient = new Set([408, 425, 429, 500, 502, 503, 504])

/** Of those, the ones that are said before anything is done. */
const refusals = new Set([408, 425, 429])

export const toError = (answered: Answered): ManilaError.Answer | ManilaError.OutcomeUnknown => {
  const { headers, method, now, operation, safe, status, url } = answered
  const { detail, fault } = ErrorBody.parse(status, answered.body)
  const id = requestId(headers)
  const fields = { operation, status, detail, ...(id === undefined ? {} : { requestId: id }) }
  if (transient.has(status)) {
    if (!safe && !refusals.has(status)) {
      return new ManilaError.OutcomeUnknown({
        ...fields,
        method,
        url: Fault.printable(url),
        detail: `the service answered ${status}: ${detail}`
      })
    }
    const asked = retryAfter(headers, now)
    return new ManilaError.Unavailable({ ...fields, ...(asked === undefined ? {} : { retryAfterMillis: asked }) })
  }
  switch (status) {
    case 400:
      return isExisting(detail) ? new ManilaError.AlreadyExists(fields) : new ManilaError.BadRequest(fields)
    case 401:
      return new ManilaError.Unauthorized(fields)
    case 403:
      return isQuota(detail) ? new ManilaError.OverQuota(fields) : new ManilaError.Forbidden(fields)
    case 404:
      return new ManilaError.NotFound(fields)
    case 409:
      return new ManilaError.Conflict(fields)
    case 413:
      return fault?.startsWith("overLimit") === true
        ? new ManilaError.OverQuota(fields)
        : new ManilaError.BadRequest(fields)
    case 415:
    case 422:
      return new ManilaError.BadRequest(fields)
    default:
      return new ManilaError.Unexpected(fields)
  }
}

/** "Share access ip:10.1.0.0/24 exists.": the only refusal of Manila that a second try of a script meets as a 400. */
const isExisting = (detail: string): boolean => /^Share access \S+:.* exists\.?$/i.test(detail)

/** Growing and reverting a share answer 403 where creating one answers 413. */
const isQuota = (detail: string): boolean => /exceeds allowed .*quota|^(\w+: )?quota exceeded\b/i.test(detail)
