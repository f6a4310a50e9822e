/**
 * An app on a loopback port, for programs that are not made of fibers: another process, a Python client, `curl`.
 *
 * It is node:http and not a router: any method and path reach the app, a reset really resets the socket, and a body
 * really stops in the middle. Delays pass on the clock of the fiber that made the server.
 *
 * @since 0.1.0
 */
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { appOf, ask, queryOf } from "./internal/Delivery.ts"
import type { Delivered, Source } from "./internal/Delivery.ts"
import type { App, WireRequest } from "./Wire.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default 0: a free one. */
  readonly port?: number | undefined
  /** A name or address of the loopback interface, used in the origin. Default `127.0.0.1`. */
  readonly host?: string | undefined
  /** Serve HTTPS with this key and certificate, both PEM. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Server {
  readonly port: number
  /** `http://127.0.0.1:43210` */
  readonly origin: string
  /** How many connections have been opened. */
  readonly connections: Effect.Effect<number>
  /** Requests that are being answered now. */
  readonly inFlight: Effect.Effect<number>
}

/**
 * The port could not be had: it is taken, or not allowed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServerError extends Schema.TaggedError<ServerError>("@effect-manila/test-kit/ServerError")("ServerError", {
  host: Schema.String,
  port: Schema.Number,
  code: Schema.String
}) {
  override get message(): string {
    const why = this.code === "EADDRINUSE" ? "the port is taken" : this.code
    return `can't listen on ${this.host}:${this.port}: ${why}`
  }
}

/**
 * Serves until the scope closes; then every socket is closed and every request in flight interrupted.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (source: Source, options: Options = {}): Effect.Effect<Server, ServerError, Scope.Scope> =>
  Effect.gen(function* () {
    const app = appOf(source)
    const runtime = yield* Effect.runtime<never>()
    const host = options.host ?? "127.0.0.1"
    const sockets = new Set<Socket>()
    let connections = 0
    let inFlight = 0
    const state = {
      origin: "",
      run: (incoming: Http.IncomingMessage, outgoing: Http.ServerResponse, body: string) => {
        inFlight++
        const fiber = Runtime.runFork(runtime, respond(app, state.origin, incoming, outgoing, body))
        fiber.addObserver(() => {
          inFlight--
        })
        // A caller that hangs up isn't waited for.
        outgoing.once("close", () => fiber.unsafeInterruptAsFork(FiberId.none))
      }
    }
    const server =
      options.tls === undefined ? Http.createServer(settings) : Https.createServer({ ...settings, ...options.tls })
    server.on("connection", (socket) => {
      connections++
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      socket.on("error", () => socket.destroy())
    })
    server.on("request", (incoming, outgoing) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("error", () => {})
      incoming.on("end", () => state.run(incoming, outgoing, Buffer.concat(chunks).toString()))
    })
    yield* Effect.acquireRelease(listen(server, host, options.port ?? 0), () => close(server, sockets))
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo
    state.origin = `${options.tls === undefined ? "http" : "https"}://${host}:${port}`
    return {
      port,
      origin: state.origin,
      connections: Effect.sync(() => connections),
      inFlight: Effect.sync(() => inFlight)
    }
  })

/** A client that keeps its connection between the looks of a wait must find it open. */
const settings: Http.ServerOptions = { keepAliveTimeout: 120_000, requestTimeout: 0, headersTimeout: 0 }

const listen = (server: Http.Server, host: string, port: number): Effect.Effect<void, ServerError> =>
  Effect.async((resume) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ServerError({ host, port, code: error.code ?? error.message })))
    server.once("error", failed)
    server.listen(port, host, () => {
      server.off("error", failed)
      resume(Effect.void)
    })
  })

const close = (server: Http.Server, sockets: ReadonlySet<Socket>): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })

const respond = (
  app: App,
  serverOrigin: string,
  incoming: Http.IncomingMessage,
  outgoing: Http.ServerResponse,
  body: string
): Effect.Effect<void> =>
  ask(app, toWire(serverOrigin, incoming, body)).pipe(
    Effect.exit,
    Effect.flatMap((exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) send(exit.value, outgoing)
        else if (Exit.isInterrupted(exit)) outgoing.destroy()
        else {
          outgoing.writeHead(500, { "content-type": "text/plain" })
          outgoing.end(String(exit))
        }
      })
    )
  )

const toWire = (serverOrigin: string, incoming: Http.IncomingMessage, body: string): WireRequest => {
  const host = incoming.headers.host
  const origin = host === undefined ? serverOrigin : `${serverOrigin.slice(0, serverOrigin.indexOf("://"))}://${host}`
  // Not `new URL(path, base)`, for which `//x` is another host.
  const url = new URL(`${serverOrigin}${incoming.url ?? "/"}`)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return { method: incoming.method ?? "GET", origin, path: url.pathname, query: queryOf(url), headers, body }
}

const send = (delivered: Delivered | undefined, outgoing: Http.ServerResponse): void => {
  if (delivered === undefined) {
    // The peer sees ECONNRESET. A TLS socket can't be reset, but ends without its closing message.
    const socket = outgoing.socket
    if (socket !== null && "encrypted" in socket) socket.destroy()
    else socket?.resetAndDestroy()
    return
  }
  // The date is the cloud's, not this machine's.
  outgoing.sendDate = false
  outgoing.writeHead(delivered.status, delivered.headers)
  if (delivered.cutAfter === undefined) outgoing.end(delivered.body)
  else {
    outgoing.flushHeaders()
    if (delivered.cutAfter > 0) outgoing.write(Buffer.from(delivered.body).subarray(0, delivered.cutAfter))
    outgoing.socket?.destroySoon()
  }
}
