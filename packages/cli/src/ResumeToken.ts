/**
 * A wait as one word, so that another process can go on with it: `manila wait --resume TOKEN`.
 *
 * It names a cloud, a resource and a goal, and holds no secret: whoever has it still needs credentials. A checksum
 * tells a token that was cut off or mistyped from one of another cloud.
 *
 * @since 0.1.0
 */

/**
 * Times are milliseconds since the epoch.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResumeToken {
  readonly v: 1
  /** A fingerprint of the cloud and project (see `Cloud.fingerprint`), not their names. */
  readonly cloud: string
  /** `share`, `snapshot`, `access`. */
  readonly kind: string
  readonly id: string
  /** What was asked for: `create`, `resize`, `delete`, … It decides which statuses are failures. */
  readonly verb: string
  readonly goal: {
    /** The wanted status, then the others that end the wait well. `deleted` is absence. */
    readonly for: ReadonlyArray<string>
    /** What else must hold: a resize's `size`. */
    readonly fields?: Readonly<Record<string, string | number | boolean>>
  }
  /** When the limit passes; none where there is no limit. */
  readonly deadline?: number
  /** When the service accepted the request. */
  readonly acceptedAt: number
}

const prefix = "mw1."

/**
 * Text of letters, digits, `-`, `_` and `.`: safe in URLs, file names and shells.
 *
 * @since 0.1.0
 */
export const encode = (token: ResumeToken): string => {
  // Field by field: whatever else an object carries must not leave in a token.
  const fields = [
    token.cloud,
    token.kind,
    token.id,
    token.verb,
    token.goal.for,
    token.goal.fields ?? null,
    token.deadline ?? null,
    token.acceptedAt
  ]
  const body = Buffer.from(JSON.stringify(fields), "utf8").toString("base64url")
  return `${prefix}${body}.${checksum(body)}`
}

/**
 * @since 0.1.0
 * @category models
 */
export type Decoded =
  | { readonly _tag: "Token"; readonly token: ResumeToken }
  | { readonly _tag: "Broken"; readonly why: string }

const broken = (why: string): Decoded => ({ _tag: "Broken", why })

/**
 * @since 0.1.0
 */
export const decode = (text: string): Decoded => {
  const trimmed = text.trim()
  if (!/^mw\d+\./.test(trimmed)) return broken("it is no resume token (they begin with mw1.)")
  if (!trimmed.startsWith(prefix)) return broken("it was made by a newer version of manila")
  const [body, sum, ...rest] = trimmed.slice(prefix.length).split(".")
  if (body === undefined || sum === undefined || sum.length < 8) return broken("it is cut off at the end")
  if (rest.length > 0 || checksum(body) !== sum) return broken("its checksum does not match: it was cut or changed")
  try {
    const token = fromFields(JSON.parse(Buffer.from(body, "base64url").toString("utf8")))
    return token === undefined ? broken("it lacks a field") : { _tag: "Token", token }
  } catch {
    return broken("it can't be read")
  }
}

const fromFields = (json: unknown): ResumeToken | undefined => {
  if (!Array.isArray(json) || json.length !== 8) return undefined
  const [cloud, kind, id, verb, goal, fields, deadline, acceptedAt] = json as ReadonlyArray<unknown>
  if (typeof cloud !== "string" || typeof kind !== "string" || typeof id !== "string") return undefined
  if (typeof verb !== "string" || typeof acceptedAt !== "number" || id === "") return undefined
  if (!Array.isArray(goal) || goal.length === 0 || !goal.every((text) => typeof text === "string")) return undefined
  if (deadline !== null && typeof deadline !== "number") return undefined
  const extra = recordOf(fields)
  if (extra === undefined) return undefined
  return {
    v: 1,
    cloud,
    kind,
    id,
    verb,
    goal: { for: goal, ...(extra === null ? {} : { fields: extra }) },
    ...(deadline === null ? {} : { deadline }),
    acceptedAt
  }
}

const recordOf = (value: unknown): Readonly<Record<string, string | number | boolean>> | null | undefined => {
  if (value === null) return null
  if (typeof value !== "object" || Array.isArray(value)) return undefined
  const scalar = (inner: unknown) =>
    typeof inner === "string" || typeof inner === "number" || typeof inner === "boolean"
  return Object.values(value).every(scalar) ? (value as Record<string, string | number | boolean>) : undefined
}

/** CRC-32 as eight hexadecimal digits. Against accidents only: nobody gains by forging a token. */
const checksum = (text: string): string => {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0")
}
