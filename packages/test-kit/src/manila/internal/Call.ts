/**
 * One request to the share service, after its head has been read.
 */
import { refuse } from "./Refusal.ts"

export interface Call {
  readonly now: number
  readonly requestId: string
  /** The minor part: 54 for 2.54. */
  readonly version: number
  readonly userId: string
  /** Empty for a token without a project. */
  readonly projectId: string
  readonly isAdmin: boolean
  readonly isMember: boolean
  /** `http://host/share`, where links begin. */
  readonly base: string
  /** `/` and the project's id if the request's URL had it: links repeat it. */
  readonly projectPath: string
  readonly query: Map<string, string>
  /** What the body was; `undefined` if there was none. */
  readonly body: unknown
  /** The ids in the path, in order. */
  readonly params: ReadonlyArray<string>
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object under a key of the body; `undefined` if body or key is anything else. */
export const root = (call: Call, key: string): Json | undefined => {
  const found = isJson(call.body) ? call.body[key] : undefined
  return isJson(found) ? found : undefined
}

/** The n-th id of the path. */
export const param = (call: Call, index = 0): string => call.params[index] ?? ""

export interface Reply {
  readonly status: number
  /** `undefined` is an empty body. */
  readonly body?: unknown
  /** Of an empty body: the service says `text/html`, except where it meant to send JSON and had none. */
  readonly type?: string
}

export const ok = (body: unknown): Reply => ({ status: 200, body })

/** 202 without a body. */
export const accepted: Reply = { status: 202, type: "text/html; charset=UTF-8" }

/** 200 without a body. */
export const done: Reply = { status: 200, type: "application/json" }

const truths = new Set(["1", "t", "true", "on", "y", "yes"])
const falsehoods = new Set(["0", "f", "false", "off", "n", "no"])

/** The service's words for true and false, in any case; `undefined` for others. */
export const word = (value: unknown): boolean | undefined => {
  if (typeof value === "boolean") return value
  const text = String(value).trim().toLowerCase()
  return truths.has(text) ? true : falsehoods.has(text) ? false : undefined
}

/** As `word`, for places where another word is refused. */
export const strictWord = (value: unknown): boolean => {
  const found = word(value)
  if (found === undefined)
    throw refuse(
      400,
      `Unrecognized value '${String(value)}', acceptable values are: ${[...falsehoods, ...truths]
        .toSorted()
        .map((one) => `'${one}'`)
        .join(", ")}`
    )
  return found
}

/** A query key that is a word; another one is named in the refusal. */
export const queryWord = (call: Call, key: string): boolean | undefined => {
  const given = call.query.get(key)
  if (given === undefined) return undefined
  const found = word(given)
  if (found === undefined) throw refuse(400, `Invalid value ${given} for ${key}. Expecting a boolean.`)
  return found
}
