/**
 * What an app says and what becomes of it must not depend on how it is reached.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { assert, describe, it } from "@effect/vitest"
import { innermostCode } from "@effect-manila/core/http/Fault"
import type { App, WireRequest } from "@effect-manila/test-kit/Wire"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { always, answer, cut, echo, seen, transports } from "./transports.ts"

const requests: Record<string, HttpClientRequest.HttpClientRequest> = {
  "a plain GET": HttpClientRequest.get("/share/v2/shares/detail"),
  "a query with a repeated key, a plus and a percent sign": HttpClientRequest.get("/x?a=1&a=2&name~=b%20c+d&empty="),
  "a path that is percent-encoded": HttpClientRequest.get("/v2/shares/a%2Fb%20c"),
  "a path with two slashes": HttpClientRequest.get("//v2//shares"),
  "a GET with a body": HttpClientRequest.get("/v2/x").pipe(HttpClientRequest.setBody(HttpBody.unsafeJson({ a: "é" }))),
  "a POST of JSON": HttpClientRequest.post("/v2/shares").pipe(
    HttpClientRequest.setHeader("X-Auth-Token", "secret"),
    HttpClientRequest.setBody(HttpBody.unsafeJson({ share: { size: 1 } }))
  ),
  "a PUT of a stream": HttpClientRequest.put("/v2/y").pipe(
    HttpClientRequest.setBody(
      HttpBody.stream(Stream.make(new TextEncoder().encode("a"), new TextEncoder().encode("b")))
    )
  ),
  "a DELETE": HttpClientRequest.del("/v2/shares/1")
}

interface Outcome {
  readonly status?: number
  readonly headers?: Record<string, string | undefined>
  readonly body?: string
  readonly json?: unknown
  readonly stream?: string
  readonly error?: readonly [tag: string, reason: string, code: string | undefined]
}

const failure = (cause: Cause.Cause<HttpClientError.HttpClientError>): Outcome => {
  const error = Option.getOrThrow(Cause.failureOption(cause))
  return { error: [error._tag, error.reason, innermostCode(error.cause)] }
}

const outcome = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  read: "text" | "json" | "stream"
): Effect.Effect<Outcome> =>
  client.execute(request).pipe(
    Effect.flatMap((response) =>
      (read === "stream"
        ? Effect.map(Stream.mkString(Stream.decodeText(response.stream)), (body) => ({ body }))
        : Effect.map(response[read], (body) => ({ body: JSON.stringify(body) }))
      ).pipe(
        Effect.map((body) => ({
          status: response.status,
          headers: {
            date: response.headers["date"],
            type: response.headers["content-type"],
            length: response.headers["content-length"],
            other: response.headers["x-openstack-request-id"]
          },
          ...body
        }))
      )
    ),
    Effect.exit,
    Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : failure(exit.cause)))
  )

const replies: Record<string, { readonly app: App; readonly method?: "HEAD"; readonly expect: Partial<Outcome> }> = {
  "a whole answer": {
    app: always(answer('{"é":1}', { headers: { "content-type": "application/json", "x-openstack-request-id": "r" } })),
    expect: { status: 200, body: '{"é":1}' }
  },
  "an error page": {
    app: always(answer("<html>", { status: 502, headers: { "content-type": "text/html" } })),
    expect: { status: 502, body: "<html>" }
  },
  "an answer without a body": { app: always(answer("", { status: 202 })), expect: { status: 202, body: "" } },
  "no content": { app: always(answer("", { status: 204, headers: {} })), expect: { status: 204, body: "" } },
  HEAD: { app: always(answer('{"a":1}')), method: "HEAD", expect: { status: 200, body: "" } },
  "a body cut in the middle": {
    app: always(cut('{"share":{}}', 4)),
    expect: { error: ["ResponseError", "Decode", "ECONNRESET"] }
  },
  "a body cut before its first byte": {
    app: always(cut('{"share":{}}', 0)),
    expect: { error: ["ResponseError", "Decode", "ECONNRESET"] }
  },
  "a cut past the end": {
    app: always(cut('{"a":1}', 99)),
    expect: { status: 200, body: '{"a":1}' }
  },
  "a reset": { app: always({ _tag: "Reset" }), expect: { error: ["RequestError", "Transport", "ECONNRESET"] } }
}

describe("in process and on a port", () => {
  for (const [name, request] of Object.entries(requests)) {
    it.live(`the app sees the same: ${name}`, () =>
      Effect.gen(function* () {
        const [inProcess, onPort] = yield* Effect.all(
          Object.values(transports).map((transport) =>
            transport(echo, (client, origin) =>
              client.execute(HttpClientRequest.prependUrl(request, origin)).pipe(
                Effect.flatMap((response) => response.json),
                Effect.map((json) => seen(json as WireRequest, origin))
              )
            )
          )
        )
        const { "content-length": _, "transfer-encoding": __, ...headers } = onPort!.headers!
        const { "content-length": ___, ...expected } = inProcess!.headers!
        assert.deepStrictEqual({ ...onPort, headers }, { ...inProcess, headers: expected })
        assert.strictEqual(onPort!.origin, "the origin")
      })
    )
  }

  for (const [name, { app, expect, method }] of Object.entries(replies)) {
    for (const read of ["text", "json", "stream"] as const) {
      it.live(`the caller gets the same ${read}: ${name}`, () =>
        Effect.gen(function* () {
          const [inProcess, onPort] = yield* Effect.all(
            Object.values(transports).map((transport) =>
              transport(app, (client, origin) =>
                outcome(client, HttpClientRequest.make(method ?? "GET")(`${origin}/v2/shares`), read)
              )
            )
          )
          const { headers, ...rest } = inProcess!
          const { headers: onPortHeaders, ...onPortRest } = onPort!
          assert.deepStrictEqual(onPortRest, rest)
          if (headers !== undefined) {
            assert.closeTo(Date.parse(headers["date"]!), Date.parse(onPortHeaders!["date"]!), 2_000)
            assert.deepStrictEqual({ ...onPortHeaders, date: "" }, { ...headers, date: "" })
          }
          if (read === "text") {
            const { body, ...fixed } = expect
            assert.deepInclude(rest, body === undefined ? fixed : { ...fixed, body: JSON.stringify(body) })
          }
        })
      )
    }
  }
})
