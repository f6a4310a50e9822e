/** Servers of a few lines on loopback ports, for claims about sockets. */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
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

/** An HTTPS server with one of the certificates; with `clients` one that demands certificates of that authority. */
export const tls = (
  name: "server" | "elsewhere",
  answer: (request: Http.IncomingMessage, response: Http.ServerResponse) => void = (_, response) => response.end("ok"),
  clients?: string
): Effect.Effect<number, never, Scope.Scope> => {
  const server = Https.createServer(
    {
      cert: readFileSync(fixture(`${name}.pem`)),
      key: readFileSync(fixture(`${name}.key`)),
      ...(clients === undefined ? {} : { ca: readFileSync(fixture(clients)), requestCert: true })
    },
    answer
  )
  return Effect.tap(listen(server, "localhost"), () =>
    Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  )
}

export interface Proxy {
  readonly port: number
  /** What it was asked for: `CONNECT host:port` or `GET http://host:port/path`, in order. */
  readonly asked: Array<string>
  /** The `Proxy-Authorization` of each, in order. */
  readonly authorization: Array<string | undefined>
  /** The other headers of what was not a CONNECT. */
  readonly headers: Array<Http.IncomingHttpHeaders>
  /** The name that TLS was asked for with each connection, `false` for none. */
  readonly names: Array<string | false>
  /** Connections that are open now. */
  readonly open: () => number
}

/** A proxy that tunnels and forwards on loopback, whatever name it is asked for. */
export const proxy = (
  options: {
    readonly user?: string
    readonly password?: string
    /** The status it refuses everything with, or `"silent"` for no answer at all. */
    readonly refuse?: number | "silent"
    /** Speaks TLS itself, with the certificate of `localhost`. */
    readonly tls?: boolean
    /** Demands certificates of that authority. */
    readonly clients?: string
    readonly host?: string
  } = {}
): Effect.Effect<Proxy, never, Scope.Scope> =>
  Effect.suspend(() => {
    const asked: Proxy["asked"] = []
    const authorization: Proxy["authorization"] = []
    const headers: Proxy["headers"] = []
    const names: Proxy["names"] = []
    const sockets = new Set<Net.Socket>()
    const wanted = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString("base64")}`
    const judge = (request: Http.IncomingMessage): number | "silent" | undefined => {
      asked.push(`${request.method} ${request.url}`)
      authorization.push(request.headers["proxy-authorization"])
      if (options.user !== undefined && request.headers["proxy-authorization"] !== wanted) return 407
      return options.refuse
    }
    const keep = (socket: Net.Socket) => {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
      socket.on("error", () => socket.destroy())
    }
    const forward = (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const refused = judge(request)
      const { "proxy-authorization": _, ...rest } = request.headers
      headers.push(rest)
      if (refused === "silent") return
      if (refused !== undefined) {
        response.writeHead(refused, { "proxy-authenticate": 'Basic realm="proxy"' }).end("<h1>the proxy's page</h1>")
        return
      }
      const url = new URL(request.url ?? "")
      const onward = Http.request(
        { host: "127.0.0.1", port: url.port, path: url.pathname + url.search, method: request.method, headers: rest },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        }
      )
      onward.on("error", () => response.writeHead(502).end())
      request.pipe(onward)
    }
    const server = options.tls
      ? Https.createServer(
          {
            cert: readFileSync(fixture("server.pem")),
            key: readFileSync(fixture("server.key")),
            ...(options.clients === undefined ? {} : { ca: readFileSync(fixture(options.clients)), requestCert: true })
          },
          forward
        )
      : Http.createServer(forward)
    server.on("connection", keep)
    server.on("secureConnection", ({ servername }: { servername: string | false }) => names.push(servername))
    server.on("connect", (request: Http.IncomingMessage, socket: Net.Socket) => {
      const refused = judge(request)
      if (refused === "silent") {
        // Nobody would notice its end otherwise.
        socket.resume().on("end", () => socket.destroy())
        return
      }
      if (refused !== undefined) {
        socket.end(`HTTP/1.1 ${refused} No\r\nContent-Length: 24\r\n\r\n<h1>the proxy's page</h1>`)
        return
      }
      const port = Number(/:(\d+)$/.exec(request.url ?? "")?.[1])
      const onward = Net.connect(port, "localhost", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        onward.pipe(socket)
        socket.pipe(onward)
      })
      keep(onward)
      onward.on("error", () => socket.destroy())
      socket.on("close", () => onward.destroy())
    })
    return Effect.map(
      Effect.tap(listen(server, options.host ?? "localhost"), () =>
        Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
      ),
      (port) => ({ port, asked, authorization, headers, names, open: () => sockets.size })
    )
  })

/** Waits in real time, since sockets know no other, until something holds; at most two seconds. */
export const until = (holds: () => boolean): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    for (let n = 0; n < 400 && !holds(); n++) yield* Effect.sleep("5 millis")
    return holds()
  })
