/**
 * What every way of reaching an app does to its answers, so that they can't differ between a socket and a fiber.
 *
 * @since 0.1.0
 */
import { Buffer } from "node:buffer"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { App, WireAnswer, WireReply, WireRequest } from "../Wire.ts"

/** An app, or a fake cloud that has one. */
export type Source = App | { readonly app: App }

export const appOf = (source: Source): App => (typeof source === "function" ? source : source.app)

/** An answer as it goes over the wire; `cutAfter` is only there if the body is longer than that. */
export interface Delivered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly cutAfter: number | undefined
}

/**
 * Asks the app, lets the reply's delay pass, and gives what is delivered: with a `date` (of the clock) and a
 * `content-length` where the app said nothing, and without a body where HTTP has none. A reset is `undefined`.
 */
export const ask = (app: App, request: WireRequest): Effect.Effect<Delivered | undefined> =>
  Effect.flatMap(app(request), (reply) =>
    reply.delayMillis !== undefined && reply.delayMillis > 0
      ? Effect.zipRight(Effect.sleep(reply.delayMillis), deliver(request, reply))
      : deliver(request, reply)
  )

const deliver = (request: WireRequest, reply: WireReply): Effect.Effect<Delivered | undefined> =>
  reply._tag === "Reset"
    ? Effect.succeed(undefined)
    : Effect.clockWith((clock) => Effect.sync(() => complete(request, reply.answer, reply.cutAfter, clock)))

const complete = (
  request: WireRequest,
  answer: WireAnswer,
  cutAfter: number | undefined,
  clock: Clock.Clock
): Delivered => {
  const length = Buffer.byteLength(answer.body)
  const bodiless = request.method === "HEAD" || answer.status === 204 || answer.status === 304
  const headers: Record<string, string> = {
    date: new Date(clock.unsafeCurrentTimeMillis()).toUTCString(),
    ...answer.headers
  }
  if (answer.status !== 204) headers["content-length"] ??= String(length)
  return {
    status: answer.status,
    headers,
    body: bodiless ? "" : answer.body,
    cutAfter: cutAfter !== undefined && !bodiless && cutAfter < length ? cutAfter : undefined
  }
}

const noQuery: WireRequest["query"] = []

export const queryOf = (url: URL): WireRequest["query"] => (url.search === "" ? noQuery : [...url.searchParams])
