/**
 * `--debug` and `--timing`: every request on stderr, without secrets.
 *
 * @since 0.1.0
 */
import * as Redact from "@effect-manila/core/http/Redact"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/**
 * @since 0.1.0
 */
export const make =
  (options: { readonly debug: boolean; readonly timing: boolean; readonly write: (text: string) => void }) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient => {
    const say = (text: string) => Effect.sync(() => options.write(`${text}\n`))
    return HttpClient.transform(client, (sending, request) =>
      Effect.gen(function* () {
        const started = yield* Clock.currentTimeNanos
        if (options.debug) yield* say(requestText(request))
        const spent = Effect.map(Clock.currentTimeNanos, (now) => Number((now - started) / 1000n) / 1000)
        const response = yield* Effect.tapError(sending, (error) =>
          Effect.flatMap(spent, (millis) =>
            // The error holds the request, so only its reason is shown.
            say(`< no answer (${error.reason}) after ${millis} ms`)
          )
        )
        const millis = yield* spent
        if (options.debug) yield* say(yield* responseText(response, millis))
        else yield* say(`${request.method} ${withQuery(request)} ${response.status} ${millis} ms`)
        return response
      })
    )
  }

const withQuery = (request: HttpClientRequest.HttpClientRequest): string => {
  const query = UrlParams.toString(request.urlParams)
  return query === "" ? request.url : `${request.url}?${query}`
}

const headerLines = (headers: Headers.Headers, mark: string): string =>
  Object.entries(Headers.redact(headers, [...Redact.headerNames, "authorization", "cookie", "set-cookie"]))
    .map(([name, value]) => `${mark}   ${name}: ${Redacted.isRedacted(value) ? "***" : value}`)
    .join("\n")

const requestText = (request: HttpClientRequest.HttpClientRequest): string => {
  const { body } = request
  const text = body._tag === "Uint8Array" ? Redact.body(new TextDecoder().decode(body.body)) : ""
  return [
    `> ${request.method} ${withQuery(request)}`,
    headerLines(request.headers, ">"),
    text === "" ? "" : `>   ${text}`
  ]
    .filter((line) => line !== "")
    .join("\n")
}

/** The body is read here and once more by the caller: the client keeps its text. */
const responseText = (response: HttpClientResponse.HttpClientResponse, millis: number): Effect.Effect<string> =>
  Effect.map(
    Effect.orElseSucceed(response.text, () => "<cut short>"),
    (text) => {
      const body = Redact.body(text)
      return [
        `< ${response.status} after ${millis} ms`,
        headerLines(response.headers, "<"),
        body === "" ? "" : `<   ${body}`
      ]
        .filter((line) => line !== "")
        .join("\n")
    }
  )
