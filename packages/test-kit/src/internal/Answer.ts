/**
 * Answers as plain values, with the headers every one of them has.
 */
import { Buffer } from "node:buffer"
import type { WireAnswer, WireRequest } from "../Wire.ts"

export type Headers = Record<string, string>

const withLength = (status: number, body: string, headers: Headers): WireAnswer => {
  headers["content-length"] = String(Buffer.byteLength(body))
  return { status, headers, body }
}

export const json = (status: number, body: unknown, headers: Headers = {}): WireAnswer => {
  headers["content-type"] = "application/json"
  return withLength(status, JSON.stringify(body), headers)
}

export const text = (status: number, body: string, type: string, headers: Headers = {}): WireAnswer => {
  headers["content-type"] = type
  return withLength(status, body, headers)
}

/** A HEAD is answered as its GET, without the body. */
export const headOf = (answer: WireAnswer): WireAnswer => ({ ...answer, body: "" })

/** Whether a caller reads `type`; without an `Accept` it is the service's own choice, so no. */
export const accepts = (request: WireRequest, type: string): boolean =>
  (request.headers["accept"] ?? "").toLowerCase().includes(type)

/** The last value of a key, as the services read a repeated one. */
export const queryOf = (request: WireRequest): Map<string, string> => new Map(request.query)

/** Segments of a path, decoded; a bad escape stays as it is. */
export const segmentsOf = (path: string): Array<string> =>
  path.split("/").map((segment) => {
    if (!segment.includes("%")) return segment
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })
