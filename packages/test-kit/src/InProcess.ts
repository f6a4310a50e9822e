/**
 * An app as an `HttpClient`, in the fiber that asks.
 *
 * No socket, no promise, no web `Request`: the app sees the caller's clock, a delay is a sleep on it, and interrupting
 * the caller interrupts the request. So it works under `TestClock` and in `VirtualTime`. Failures are what
 * `NodeHttpClient` makes of the same event on a real socket.
 *
 * @since 0.1.0
 */
import { Buffer } from "node:buffer"
import * as Cookies from "@effect/platform/Cookies"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as FakeCloud from "./FakeCloud.ts"
import { appOf, ask, queryOf } from "./internal/Delivery.ts"
import type { Delivered, Source } from "./internal/Delivery.ts"
import { InvalidOption } from "./InvalidOption.ts"
import type { WireRequest } from "./Wire.ts"

/**
 * Where an app is found unless said otherwise.
 *
 * @since 0.1.0
 * @category data
 */
export const defaultOrigin = "http://fake-cloud.test"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * The origins the app answers at; it sees which one was used. Default `http://fake-cloud.test`. Another host is
   * unknown (`ENOTFOUND`), another port or scheme of a known host refuses connections (`ECONNREFUSED`).
   */
  readonly origin?: string | ReadonlyArray<string> | undefined
}

/**
 * A client whose every request is answered by the app, or by the app of a fake cloud.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (source: Source, options: Options = {}): HttpClient.HttpClient => {
  const app = appOf(source)
  const origins = new Set([options.origin ?? defaultOrigin].flat().map(originOf))
  const hosts = new Set([...origins].map((origin) => new URL(origin).hostname))
  return HttpClient.make((request, url) => {
    if (!origins.has(url.origin)) return Effect.fail(transport(request, unreachable(url, hosts)))
    return Effect.flatMap(bodyOf(request), (body) =>
      Effect.flatMap(ask(app, toWire(request, url, body)), (delivered) =>
        delivered === undefined
          ? Effect.fail(transport(request, systemError("socket hang up", "ECONNRESET")))
          : Effect.succeed(new Response(request, delivered))
      )
    )
  })
}

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (source: Source, options?: Options): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, make(source, options))

/**
 * A client for the `FakeCloud` of the context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCloud = (options?: Options): Layer.Layer<HttpClient.HttpClient, never, FakeCloud.FakeCloud> =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(FakeCloud.FakeCloud, (cloud) => make(cloud, options))
  )

const originOf = (given: string): string => {
  const origin = URL.canParse(given) ? new URL(given).origin : "null"
  if (origin === "null" || ![origin, `${origin}/`].includes(given.toLowerCase()))
    throw new InvalidOption({ option: "origin", problem: `must be as ${defaultOrigin}, and not ${given}` })
  return origin
}

const toWire = (request: HttpClientRequest.HttpClientRequest, url: URL, body: string): WireRequest => ({
  method: request.method,
  origin: url.origin,
  path: url.pathname,
  query: queryOf(url),
  headers: request.headers,
  body
})

const decoder = new TextDecoder()

const bodyOf = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<string, HttpClientError.RequestError> => {
  const body = request.body
  const cannot = (cause: unknown) => new HttpClientError.RequestError({ request, reason: "Encode", cause })
  switch (body._tag) {
    case "Empty":
      return Effect.succeed("")
    case "Uint8Array":
      return Effect.succeed(decoder.decode(body.body))
    case "Raw":
      if (typeof body.body === "string") return Effect.succeed(body.body)
      if (body.body instanceof Uint8Array) return Effect.succeed(decoder.decode(body.body))
      return Effect.fail(cannot(new TypeError("a raw body is a text or bytes")))
    case "Stream":
      return body.stream.pipe(Stream.decodeText(), Stream.mkString, Effect.mapError(cannot))
    case "FormData":
      return Effect.fail(cannot(new TypeError("form data can't be sent in process")))
  }
}

const systemError = (message: string, code: string): Error => Object.assign(new Error(message), { code })

const unreachable = (url: URL, hosts: ReadonlySet<string>): Error =>
  hosts.has(url.hostname)
    ? systemError(`connect ECONNREFUSED ${url.host}`, "ECONNREFUSED")
    : systemError(`getaddrinfo ENOTFOUND ${url.hostname}`, "ENOTFOUND")

const transport = (request: HttpClientRequest.HttpClientRequest, cause: Error) =>
  new HttpClientError.RequestError({ request, reason: "Transport", cause })

class Response extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly request: HttpClientRequest.HttpClientRequest
  readonly headers: Headers.Headers
  readonly status: number
  readonly remoteAddress = Option.none<string>()
  private readonly delivered: Delivered

  constructor(request: HttpClientRequest.HttpClientRequest, delivered: Delivered) {
    super()
    this.request = request
    this.delivered = delivered
    this.status = delivered.status
    this.headers = Headers.unsafeFromRecord(delivered.headers)
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "@effect/platform/HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  get cookies(): Cookies.Cookies {
    const header = this.headers["set-cookie"]
    return header === undefined ? Cookies.empty : Cookies.fromSetCookie(header)
  }

  get text(): Effect.Effect<string, HttpClientError.ResponseError> {
    const { body, cutAfter } = this.delivered
    if (cutAfter !== undefined) return Effect.fail(this.undecodable(aborted()))
    return Effect.flatMap(HttpIncomingMessage.MaxBodySize, (size) =>
      Option.isSome(size) && BigInt(Buffer.byteLength(body)) > size.value
        ? Effect.fail(this.undecodable(new Error("maxBytes exceeded")))
        : Effect.succeed(body)
    )
  }

  get json(): Effect.Effect<unknown, HttpClientError.ResponseError> {
    return Effect.tryMap(this.text, {
      try: (text): unknown => (text === "" ? null : JSON.parse(text)),
      catch: (cause) => this.undecodable(cause)
    })
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpClientError.ResponseError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpClientError.ResponseError> {
    return Effect.map(this.text, (text) => Uint8Array.from(Buffer.from(text)).buffer)
  }

  get formData(): Effect.Effect<FormData, HttpClientError.ResponseError> {
    return Effect.fail(this.undecodable(new TypeError("form data can't be read in process")))
  }

  get stream(): Stream.Stream<Uint8Array, HttpClientError.ResponseError> {
    const { body, cutAfter } = this.delivered
    const bytes = Uint8Array.from(Buffer.from(body))
    return cutAfter === undefined
      ? Stream.make(bytes)
      : Stream.concat(Stream.make(bytes.slice(0, cutAfter)), Stream.fail(this.undecodable(aborted())))
  }

  private undecodable(cause: unknown): HttpClientError.ResponseError {
    return new HttpClientError.ResponseError({ request: this.request, response: this, reason: "Decode", cause })
  }
}

/** What node:http says of a connection that ends before its body does. */
const aborted = () => systemError("aborted", "ECONNRESET")
