/**
 * Connections on Node: one `HttpClient` on node:http and node:https for each cloud, with that cloud's TLS settings on an
 * agent of its own, so that a private CA, a client certificate or `verify: false` never reaches beyond it.
 *
 * Connections are kept for 4 seconds after an answer, and hold no program back from its end. Servers close idle ones by
 * themselves, commonly after 5 seconds, and a request that meets a connection just being closed fails without anybody
 * knowing whether it arrived. GET, HEAD and OPTIONS that meet one are sent again at once on another connection; anything
 * else is the caller's to decide.
 *
 * Requests go through the proxy that the environment names for them (see `Proxy`). An `https://` one goes through a
 * tunnel (CONNECT), and the cloud's TLS settings are for the server at its end. An `https://` proxy is verified in any case,
 * with Node's own authorities and those of the cloud's `cacert`. What goes wrong at the proxy is told as a `TransportFault`
 * that names it without its user and password.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Http from "node:http"
import * as Https from "node:https"
import { innermostCode, isTls, ViaProxy } from "../http/Fault.ts"
import { Transport } from "../http/Transport.ts"
import * as Agents from "./internal/agents.ts"
import * as Tls from "./internal/tls.ts"
import * as Proxy from "./Proxy.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layerWith = (options: {
  /** How long a connection that is not in use is kept. Default 4 seconds. */
  readonly idle?: Duration.DurationInput | undefined
  /** How many connections to one server there may be at once; further requests wait. Default 64. */
  readonly connections?: number | undefined
}): Layer.Layer<Transport, never, FileSystem.FileSystem> =>
  Layer.effect(
    Transport,
    Effect.map(FileSystem.FileSystem, (fs) =>
      Transport.of({
        client: (settings) =>
          Effect.flatMap(Effect.all([Tls.options(fs, settings), Proxy.fromEnvironment]), ([tls, proxies]) =>
            client(
              {
                keepAlive: true,
                maxSockets: options.connections ?? 64,
                timeout: Duration.toMillis(options.idle ?? "4 seconds")
              },
              tls,
              proxies
            )
          )
      })
    )
  )

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Transport, never, FileSystem.FileSystem> = layerWith({})

const client = (
  options: Http.AgentOptions,
  tls: Tls.Tls,
  proxies: Proxy.Proxies
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const direct = yield* over(
      agent(Effect.sync(() => new Http.Agent(options))),
      agent(Effect.sync(() => new Https.Agent({ ...options, ...tls.server })))
    )
    if (proxies.http === undefined && proxies.https === undefined) return direct
    const made = new Map<string, HttpClient.HttpClient>()
    const through = (proxy: Proxy.Proxy) =>
      Effect.suspend(() => {
        const text = Redacted.value(proxy.url)
        const known = made.get(text)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.map(Scope.extend(proxied(proxy, options, tls), scope), (client) => {
          const first = made.get(text) ?? client
          made.set(text, first)
          return first
        })
      })
    return HttpClient.transform(direct, (effect, request) => {
      const url = Either.getOrUndefined(UrlParams.makeUrl(request.url, request.urlParams, request.hash))
      const proxy = url === undefined ? undefined : Proxy.forUrl(proxies, url)
      return proxy === undefined ? effect : Effect.flatMap(through(proxy), (client) => client.execute(request))
    })
  })

const over = <R>(
  http: Effect.Effect<Http.Agent, never, R>,
  https: Effect.Effect<Http.Agent, never, R>
): Effect.Effect<HttpClient.HttpClient, never, R> =>
  Effect.all([http, https]).pipe(
    Effect.flatMap(([http, https]) =>
      Effect.provideService(NodeHttpClient.make, NodeHttpClient.HttpAgent, {
        [NodeHttpClient.HttpAgentTypeId]: NodeHttpClient.HttpAgentTypeId,
        http,
        // What is asked of it are requests and an end, and it is asked for https requests alone.
        https: https as Https.Agent
      })
    ),
    Effect.map(HttpClient.transform(againIfStale))
  )

/** A client whose every request goes through the proxy, and whose errors say so. */
const proxied = (
  proxy: Proxy.Proxy,
  options: Http.AgentOptions,
  tls: Tls.Tls
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> => {
  const parsed = Agents.parse(Redacted.value(proxy.url))
  if ("problem" in parsed) {
    const cause = new ViaProxy({
      proxy: `of ${proxy.variable}`,
      atProxy: true,
      code: "PROXY_INVALID",
      detail: parsed.problem
    })
    return Effect.succeed(
      HttpClient.make((request) =>
        Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
      )
    )
  }
  // Only a proxy with TLS has a use for authorities, and reading Node's takes a tenth of a second.
  const client = Effect.flatMap(parsed.url.protocol === "https:" ? tls.proxy : Effect.succeed(tls.server), (ofProxy) =>
    over(
      agent(Effect.promise(() => Agents.forHttp(parsed, options, ofProxy))),
      agent(Effect.promise(() => Agents.forHttps(parsed, options, tls.server, ofProxy)))
    )
  )
  return Effect.map(
    client,
    HttpClient.transform((effect, request) =>
      effect.pipe(
        Effect.mapError((error) =>
          error._tag === "RequestError" && error.reason === "Transport"
            ? new HttpClientError.RequestError({
                request,
                reason: "Transport",
                cause:
                  error.cause instanceof ViaProxy ? error.cause : viaProxy(parsed, request, innermostCode(error.cause))
              })
            : error
        ),
        // A tunnel that is refused has failed before this: what answers 407 to a plain request is the proxy.
        Effect.flatMap((response) =>
          response.status === 407
            ? Effect.zipRight(
                response.text,
                Effect.fail(
                  new HttpClientError.RequestError({
                    request,
                    reason: "Transport",
                    cause: Agents.refusal(parsed, 407, request.url)
                  })
                )
              )
            : Effect.succeed(response)
        )
      )
    )
  )
}

/** What goes wrong after connecting: to a server without TLS, trouble with TLS is the proxy's. */
const viaProxy = (proxy: Agents.ProxyUrl, request: { readonly url: string }, code: string | undefined) =>
  new ViaProxy({ proxy: proxy.text, atProxy: /^http:/i.test(request.url) && isTls(code ?? ""), code })

const agent = <A extends Http.Agent>(create: Effect.Effect<A>): Effect.Effect<A, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.map(create, markingStale), (agent) => Effect.sync(() => agent.destroy()))

/** Errors of requests that were written to a connection which had been used before. */
const stale = new WeakSet<object>()

/**
 * Node tells a request, not its error, that the connection was a used one. Every request passes its agent first, and
 * `addRequest` is what agents in use override for it, though its types don't list it.
 */
const markingStale = <A extends Http.Agent>(agent: A): A => {
  const open = agent as A & { addRequest: (request: Http.ClientRequest, ...rest: ReadonlyArray<unknown>) => void }
  const addRequest = open.addRequest.bind(agent)
  open.addRequest = (request, ...rest) => {
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")) stale.add(error)
    })
    addRequest(request, ...rest)
  }
  return agent
}

const repeatable = new Set(["GET", "HEAD", "OPTIONS"])

/** Every failure takes one closed connection out of the pool, so that a few tries reach a new one. */
const tries = 8

const againIfStale = <A, R>(
  effect: Effect.Effect<A, HttpClientError.HttpClientError, R>,
  request: { readonly method: string }
): Effect.Effect<A, HttpClientError.HttpClientError, R> => {
  const attempt = (left: number): Effect.Effect<A, HttpClientError.HttpClientError, R> =>
    // A connection that fails while the body is sent fails twice, in parallel; the caller gets one of the two.
    Effect.catchAll(effect, (error) =>
      left > 0 && repeatable.has(request.method) && isStale(error.cause) ? attempt(left - 1) : Effect.fail(error)
    )
  return attempt(tries)
}

const isStale = (cause: unknown): boolean => typeof cause === "object" && cause !== null && stale.has(cause)
