/**
 * Connections on Node: one `HttpClient` on node:http and node:https for each cloud, with that cloud's TLS settings on an
 * agent of its own, so that a private CA or `verify: false` never reaches beyond it.
 *
 * Connections are kept for 4 seconds after an answer, and hold no program back from its end. Servers close idle ones by themselves, commonly after 5 seconds,
 * and a request that meets a connection just being closed fails without anybody knowing whether it arrived. GET, HEAD
 * and OPTIONS that meet one are sent again at once on another connection; anything else is the caller's to decide.
 *
 * Client certificates (`cert`, `key`) are not used yet, and neither are the proxy variables; both are for a later
 * version, in `client` below.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { X509Certificate } from "node:crypto"
import * as Http from "node:http"
import * as Https from "node:https"
import { createSecureContext } from "node:tls"
import { Transport, TransportError, type TransportSettings } from "../http/Transport.ts"

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
          Effect.flatMap(tlsOptions(fs, settings), (tls) =>
            client(
              {
                keepAlive: true,
                maxSockets: options.connections ?? 64,
                timeout: Duration.toMillis(options.idle ?? "4 seconds")
              },
              tls
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
  tls: Https.AgentOptions
): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> => {
  return Effect.all([agent(() => new Http.Agent(options)), agent(() => new Https.Agent({ ...options, ...tls }))]).pipe(
    Effect.flatMap(([http, https]) =>
      Effect.provideService(NodeHttpClient.make, NodeHttpClient.HttpAgent, {
        [NodeHttpClient.HttpAgentTypeId]: NodeHttpClient.HttpAgentTypeId,
        http,
        https
      })
    ),
    Effect.map(HttpClient.transform(againIfStale))
  )
}

const agent = <A extends Http.Agent>(create: () => A): Effect.Effect<A, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => markingStale(create())),
    (agent) => Effect.sync(() => agent.destroy())
  )

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

const tlsOptions = (
  fs: FileSystem.FileSystem,
  { cacert, verify }: TransportSettings
): Effect.Effect<Https.AgentOptions, TransportError> => {
  if (!verify) return Effect.succeed({ rejectUnauthorized: false })
  if (cacert === undefined) return Effect.succeed({ rejectUnauthorized: true })
  return fs.readFileString(cacert).pipe(
    Effect.mapError((error) => {
      const reason = error._tag === "SystemError" ? reasons[error.reason] : undefined
      return new TransportError({ setting: "cacert", detail: `${cacert}: ${reason ?? "the file can't be read"}` })
    }),
    Effect.flatMap((text) => {
      const problem = problemOf(text)
      return problem === undefined
        ? // Made once: a bundle would otherwise be parsed for each connection.
          Effect.sync(() => ({ rejectUnauthorized: true, secureContext: createSecureContext({ ca: text }) }))
        : Effect.fail(new TransportError({ setting: "cacert", detail: `${cacert}: ${problem}` }))
    })
  )
}

const reasons: Readonly<Record<string, string>> = {
  NotFound: "no such file",
  PermissionDenied: "permission denied",
  BadResource: "this is a folder, and a file of PEM certificates is needed"
}

/** OpenSSL stops at the first certificate it can't read, and says nothing. */
const problemOf = (text: string): string | undefined => {
  const blocks = text.match(/-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g) ?? []
  if (blocks.length === 0) return "there is no PEM certificate in the file"
  const bad = blocks.findIndex((block) => {
    try {
      return new X509Certificate(block).raw.length === 0
    } catch {
      return true
    }
  })
  return bad === -1 ? undefined : `certificate ${bad + 1} of ${blocks.length} in the file can't be read`
}
