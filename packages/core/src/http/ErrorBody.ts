/**
 * What an error answer says, whatever its shape.
 *
 * Manila answers `{"<fault name>": {"code", "message"}}`, its router `{"message", "code": "404 Not Found", "title"}` or
 * plain text, its token middleware and Keystone `{"error": {…}}`, proxies HTML, and anything may be empty. A decoder
 * takes whichever single key is there instead of switching on the fault's name.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface ErrorBody {
  /** The fault's name (`itemNotFound`, `overLimit`, …), if the body was a fault object. */
  readonly fault: string | undefined
  /** One line for a person; never empty. */
  readonly detail: string
}

/**
 * Reads the text of an error answer.
 *
 * @since 0.1.0
 */
export const parse = (status: number, body: string): ErrorBody => {
  const text = body.trim()
  if (text === "") return { fault: undefined, detail: fallback(status) }
  if (text.startsWith("<")) return { fault: undefined, detail: fromHtml(text) ?? fallback(status) }
  if (/^[{[]/.test(text)) {
    try {
      return fromJson(JSON.parse(text), status)
    } catch {
      return { fault: undefined, detail: clip(text) }
    }
  }
  return { fault: undefined, detail: clip(text) }
}

const fromJson = (json: unknown, status: number): ErrorBody => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { fault: undefined, detail: fallback(status) }
  }
  const record = json as Record<string, unknown>
  if (typeof record["message"] === "string") return { fault: undefined, detail: clip(record["message"], status) }
  const keys = Object.keys(record)
  const name = keys[0]
  const inner = name === undefined ? undefined : record[name]
  if (typeof inner === "object" && inner !== null) {
    const message = (inner as Record<string, unknown>)["message"]
    if (typeof message === "string") return { fault: name, detail: clip(message, status) }
  }
  if (typeof inner === "string") return { fault: name, detail: clip(inner, status) }
  return { fault: undefined, detail: fallback(status) }
}

const fromHtml = (html: string): string | undefined => {
  const title = /<title[^>]*>([^<]*)</i.exec(html)?.[1]?.trim()
  const heading = /<h1[^>]*>([^<]*)</i.exec(html)?.[1]?.trim()
  const found = title !== undefined && title !== "" ? title : heading
  return found === undefined || found === "" ? undefined : `${clip(found)} (an HTML page, likely of a proxy)`
}

const clip = (text: string, status?: number): string => {
  // Some of the service's own sentences end in HTML line breaks.
  const line = text
    .replace(/<br\s*\/?>/gi, " ")
    .replace(/\s+/g, " ")
    .trim()
  if (line === "") return status === undefined ? "no text" : fallback(status)
  return line.length > 500 ? `${line.slice(0, 497)}...` : line
}

const fallback = (status: number): string => `the service answered ${status} and said no more`
