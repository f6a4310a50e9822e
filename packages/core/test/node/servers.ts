/** Servers of a few lines on loopback ports, for claims about sockets. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import * as Https from "node:https"
import type * as Http from "node:http"
import * as Net from "node:net"
import { fileURLToPath } from "node:url"

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

const listen = (server: Net.Server, host: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, host, () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () => Effect.sync(() => server.close())
  )

export interface Raw {
  readonly url: string
  /** Every connection that was opened, and whether it is still. */
  readonly connections: Array<{ readonly socket: Net.Socket; open: boolean }>
}

/** A server that answers the n-th piece of data of the n-th connection by hand. */
export const raw = (
  answer: (socket: Net.Socket, connection: number, request: number, text: string) => void,
  host = "127.0.0.1"
): Effect.Effect<Raw, never, Scope.Scope> =>
  Effect.suspend(() => {
    const connections: Raw["connections"] = []
    const server = Net.createServer((socket) => {
      const connection = { socket, open: true }
      const n = connections.push(connection) - 1
      let request = 0
      socket.on("close", () => (connection.open = false))
      socket.on("error", () => undefined)
      socket.on("data", (data) => answer(socket, n, request++, data.toString()))
    })
    return Effect.map(
      Effect.tap(listen(server, host), () =>
        Effect.addFinalizer(() => Effect.sync(() => connections.forEach(({ socket }) => socket.destroy())))
      ),
      (port) => ({ url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/path`, connections })
    )
  })

export const ok = (body: string, more = "") =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`

/** An HTTPS server with one of the certificates. */
export const tls = (
  name: "server" | "elsewhere",
  answer: (request: Http.IncomingMessage, response: Http.ServerResponse) => void = (_, response) => response.end("ok")
): Effect.Effect<number, never, Scope.Scope> => {
  const server = Https.createServer(
    { cert: readFileSync(fixture(`${name}.pem`)), key: readFileSync(fixture(`${name}.key`)) },
    answer
  )
  return Effect.tap(listen(server, "localhost"), () =>
    Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  )
}

/** Waits in real time, since sockets know no other, until something holds; at most two seconds. */
export const until = (holds: () => boolean): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    for (let n = 0; n < 400 && !holds(); n++) yield* Effect.sleep("5 millis")
    return holds()
  })
