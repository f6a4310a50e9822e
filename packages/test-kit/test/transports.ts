/**
 * A small app, and the three ways to reach it.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Server from "@effect-manila/test-kit/Server"
import type { App, WireAnswer, WireReply, WireRequest } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"

export const answer = (body: string, more: Partial<WireAnswer> = {}): WireReply => ({
  _tag: "Answer",
  answer: { status: 200, headers: { "content-type": "application/json" }, body, ...more }
})

export const cut = (body: string, cutAfter: number): WireReply => ({
  _tag: "Answer",
  answer: { status: 200, headers: { "content-type": "application/json" }, body },
  cutAfter
})

/** Answers with the request itself. */
export const echo: App = (request) => Effect.succeed(answer(JSON.stringify(request)))

export const always =
  (reply: WireReply): App =>
  () =>
    Effect.succeed(reply)

/** Runs with a client and the origin to use, in process and over a real socket. */
export const transports: Record<
  string,
  <A, E>(
    app: App,
    use: (client: HttpClient.HttpClient, origin: string) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | Server.ServerError>
> = {
  "in process": (app, use) => use(InProcess.make(app), InProcess.defaultOrigin),
  "on a port": (app, use) =>
    Effect.scoped(
      Effect.flatMap(Server.make(app), ({ origin }) =>
        Effect.flatMap(HttpClient.HttpClient, (client) => use(client, origin)).pipe(
          Effect.provide(NodeHttpClient.layer)
        )
      )
    )
}

/** What a request looked like to the app, without what only a socket adds. */
export const seen = (request: WireRequest, origin: string): Partial<WireRequest> => {
  const { "accept-encoding": _, connection: __, host: ___, b3: _____, traceparent: ____, ...headers } = request.headers
  return { ...request, origin: request.origin === origin ? "the origin" : request.origin, headers }
}
