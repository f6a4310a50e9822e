/**
 * The answers of faults, as the services and what stands in front of them give them.
 *
 * @since 0.1.0
 */
import { Buffer } from "node:buffer"
import type * as Journal from "../Journal.ts"
import type { WireReply, WireRequest } from "../Wire.ts"

export type Outcome =
  | {
      readonly _tag: "Status"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | undefined
    }
  | { readonly _tag: "Html"; readonly status: number }
  | { readonly _tag: "ExpiredToken" }
  | { readonly _tag: "Reset" }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "Truncate"; readonly bytes: number }
  | { readonly _tag: "Malformed" }
  | { readonly _tag: "Pass" }

type OfCloud = Extract<Outcome, { readonly _tag: "Truncate" | "Malformed" | "Pass" }>

/** Whether it is made from the cloud's own answer. */
export const ofCloud = (outcome: Outcome): outcome is OfCloud =>
  outcome._tag === "Truncate" || outcome._tag === "Malformed" || outcome._tag === "Pass"

export const serviceOf = ({ path }: WireRequest): Journal.Entry["service"] => {
  if (/^\/identity(\/|$)/.test(path)) return "identity"
  return /^\/share(\/|$)/.test(path) ? "share" : "none"
}

export const change = (outcome: OfCloud, reply: WireReply): WireReply => {
  if (reply._tag === "Reset" || outcome._tag === "Pass") return reply
  if (outcome._tag === "Truncate") return { ...reply, cutAfter: outcome.bytes }
  const { answer } = reply
  const { "content-length": _, ...headers } = answer.headers
  return { ...reply, answer: { ...answer, headers, body: answer.body.slice(0, -1) || "{" } }
}

export const make = (outcome: Exclude<Outcome, OfCloud>, request: WireRequest, requestId: string): WireReply => {
  const answer = (status: number, headers: Record<string, string>, body: string): WireReply => ({
    _tag: "Answer",
    answer: { status, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body }
  })
  switch (outcome._tag) {
    case "Status":
      return answer(
        outcome.status,
        { "content-type": "application/json", "x-openstack-request-id": requestId, ...outcome.headers },
        outcome.body ?? body(serviceOf(request), outcome.status)
      )
    case "Html":
      return answer(outcome.status, { "content-type": "text/html", "cache-control": "no-cache" }, page(outcome.status))
    case "ExpiredToken":
      return answer(
        401,
        {
          "content-type": "application/json",
          "www-authenticate": `Keystone uri="${request.origin}/identity"`,
          "x-openstack-request-id": requestId
        },
        identityBody(401)
      )
    case "Reset":
      return { _tag: "Reset" }
    case "Hang":
      return { _tag: "Reset", delayMillis: Infinity }
  }
}

/** What the journal says of a request that was answered in the cloud's place; 0 where nothing was said. */
export const entry = (request: WireRequest, reply: WireReply, now: number): Journal.Entry => ({
  time: now,
  method: request.method,
  path: request.path,
  query: request.query,
  status: reply._tag === "Answer" ? reply.answer.status : 0,
  microversion: request.headers["x-openstack-manila-api-version"],
  requestId: reply._tag === "Answer" ? reply.answer.headers["x-openstack-request-id"] : undefined,
  service: serviceOf(request)
})

const phrases: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  413: "Request Entity Too Large",
  425: "Too Early",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
}

const phrase = (status: number): string => phrases[status] ?? "Error"

/** Manila's names of faults; whatever it has no name for is a `computeFault`. */
const names: Record<number, string> = {
  400: "badRequest",
  401: "unauthorized",
  403: "forbidden",
  404: "itemNotFound",
  405: "badMethod",
  409: "conflictingRequest",
  413: "overLimit",
  415: "badMediaType",
  501: "notImplemented",
  503: "serviceUnavailable"
}

const identityBody = (status: number): string =>
  JSON.stringify({
    error: {
      code: status,
      title: phrase(status),
      message: status === 401 ? "The request you have made requires authentication." : phrase(status)
    }
  })

const body = (service: Journal.Entry["service"], status: number): string => {
  if (status < 400) return ""
  return service === "identity"
    ? identityBody(status)
    : JSON.stringify({ [names[status] ?? "computeFault"]: { code: status, message: phrase(status) } })
}

const page = (status: number): string =>
  `<html><head><title>${status} ${phrase(status)}</title></head>\n<body><h1>${status} ${phrase(status)}</h1>\n` +
  `The server in front of the service could not give its answer.\n</body></html>\n`
