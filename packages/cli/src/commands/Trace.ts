/**
 * `--debug` and `--timing`: every request on stderr, without secrets, as a remark among the progress that is shown there.
 *
 * @since 0.1.0
 */
import * as Redact from "@effect-manila/core/http/Redact"
import * as Headers from "@effect/platform/Headers"
import { Transport } from "@effect-manila/core/http/Transport"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Common } from "../flags/Global.ts"
import { Progress } from "../Progress.ts"

/**
 * A transport that tells of its requests, if that was asked for. `body` is a body's text without its secrets.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  { debug, timing }: Pick<Common, "debug" | "timing">,
  body: (text: string) => string = Redact.body
): Layer.Layer<Transport, never, Transport | Progress> =>
  Layer.effect(
    Transport,
    debug || timing
      ? Effect.zipWith(Transport, Progress, ({ client }, { unsafeNote }) => {
          const trace = make({ debug, timing, say: unsafeNote, body })
          return Transport.of({ client: (settings) => Effect.map(client(settings), trace) })
        })
      : Transport
  )

interface Options {
  readonly debug: boolean
  readonly timing: boolean
  /** Gets one or several lines, without the last one's end. */
  readonly say: (text: string) => void
  readonly body?: (text: string) => string
}

/**
 * @since 0.1.0
 */
export const make =
  (options: Options) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient => {
    const bodyText = options.body ?? Redact.body
    const say = (text: string) => Effect.sync(() => options.say(text))
    return HttpClient.transform(client, (sending, request) =>
      Effect.gen(function* () {
        const started = yield* Clock.currentTimeNanos
        if (options.debug) yield* say(requestText(request, bodyText))
        const spent = Effect.map(Clock.currentTimeNanos, (now) => Number((now - started) / 1000n) / 1000)
        const response = yield* Effect.tapError(sending, (error) =>
          Effect.flatMap(spent, (millis) =>
            // The error holds the request, so only its reason is shown.
            say(`< no answer (${error.reason}) after ${millis} ms`)
          )
        )
        const millis = yield* spent
        if (options.debug) yield* say(yield* responseText(response, millis, bodyText))
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

const requestText = (request: HttpClientRequest.HttpClientRequest, bodyText: (text: string) => string): string => {
  const { body } = request
  const text = body._tag === "Uint8Array" ? bodyText(new TextDecoder().decode(body.body)) : ""
  return [
    `> ${request.method} ${withQuery(request)}`,
    headerLines(request.headers, ">"),
    text === "" ? "" : `>   ${text}`
  ]
    .filter((line) => line !== "")
    .join("\n")
}

/** The body is read here and once more by the caller: the client keeps its text. */
const responseText = (
  response: HttpClientResponse.HttpClientResponse,
  millis: number,
  bodyText: (text: string) => string
): Effect.Effect<string> =>
  Effect.map(
    Effect.orElseSucceed(response.text, () => "<cut short>"),
    (text) => {
      const body = bodyText(text)
      return [
        `< ${response.status} after ${millis} ms`,
        headerLines(response.headers, "<"),
        body === "" ? "" : `<   ${body}`
      ]
        .filter((line) => line !== "")
        .join("\n")
    }
  )
