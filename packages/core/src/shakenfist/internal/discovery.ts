/**
 * The root page: where the routes really begin, and what the server can do.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Retry from "../../http/Retry.ts"
import type { ShakenFistError } from "../ShakenFistError.ts"
import { Unexpected } from "../ShakenFistError.ts"
import * as Answer from "./answer.ts"
import type { Call, Got, Sender } from "./send.ts"
import { call, request, send } from "./send.ts"

export interface Root {
  /** Without a trailing slash. */
  readonly base: string
  readonly page: string
}

const operation = "root"

const redirects = new Set([301, 302, 303, 307, 308])

/** Those that say that the base itself has moved. */
const moves = new Set([301, 308])

const mostHops = 5

/**
 * One request does for the two that the Python client makes: the page for its capabilities, and the look whether the
 * base was moved (301), such as from http to https. An error is told, and not taken for a page without capabilities.
 */
export const discover = (sender: Sender): Effect.Effect<Root, ShakenFistError> => {
  const hop = (base: string, url: string, left: number): Effect.Effect<Root, ShakenFistError> => {
    const asked = call(operation, "GET", url, true)
    return Effect.flatMap(send(sender, asked, request(asked, undefined, undefined)), (got) => {
      if (got.status >= 200 && got.status < 300) return Effect.succeed({ base, page: got.body })
      const location = got.headers["location"]
      if (!redirects.has(got.status) || location === undefined) return refused(asked, got)
      const next = target(location, url)
      if (next === undefined) return unusable(got, `it redirects to ${location}, which is no URL for requests`)
      if (url.startsWith("https:") && next.startsWith("http:")) {
        return unusable(got, `it redirects to ${next}, where the key would be sent in the clear`)
      }
      if (left === 0) return unusable(got, "it redirects in circles")
      return hop(moves.has(got.status) && base === url ? next : base, next, left - 1)
    })
  }
  const { url } = sender.config
  return Retry.safely(hop(url, url, mostHops)).pipe(
    Effect.withSpan("shakenfist.root", { captureStackTrace: false, attributes: { "shakenfist.url": url } })
  )
}

const refused = (call: Call, got: Got) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Answer.toError({ ...call, ...got, now })))

const unusable = (got: Got, detail: string) =>
  Effect.fail(new Unexpected({ operation, status: got.status, detail, text: got.body }))

const target = (location: string, from: string): string | undefined => {
  if (!URL.canParse(location, from)) return undefined
  const url = new URL(location, from)
  return url.protocol === "http:" || url.protocol === "https:" ? url.href.replace(/\/+$/, "") : undefined
}
