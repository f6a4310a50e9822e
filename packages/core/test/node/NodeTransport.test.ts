/** What a client on node:http and node:https does with real sockets. */
import * as Fault from "@effect-manila/core/http/Fault"
import { Transport, type TransportSettings } from "@effect-manila/core/http/Transport"
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as NodeTransport from "@effect-manila/core/node/NodeTransport"
import { assert, describe, it } from "@effect/vitest"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { createServer } from "node:net"
import { networkInterfaces } from "node:os"
import { fixture, ok, raw, tls, until } from "./servers.ts"

const client = (settings: Partial<TransportSettings> = {}) =>
  Effect.flatMap(Transport, (transport) => transport.client({ verify: true, ...settings }))

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Transport | FileSystem.FileSystem | Scope.Scope>) =>
  it.scopedLive(name, () => Effect.provide(effect, NodePlatform.layer), 20_000)

/** With connections that are kept for a tenth of a second. */
const short = <A, E>(name: string, effect: Effect.Effect<A, E, Transport | FileSystem.FileSystem | Scope.Scope>) =>
  it.scopedLive(name, () =>
    effect.pipe(Effect.provide(NodeTransport.layerWith({ idle: "100 millis" })), Effect.provide(NodePlatform.layer))
  )

const get = (http: HttpClient.HttpClient, url: string) => send(http, HttpClientRequest.get(url))

const send = (http: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
  http.execute(request).pipe(
    Effect.flatMap((response) => response.text),
    Effect.mapError((error) => Fault.fromClientError(request, error))
  )

/** Errors that nobody listened to while the effect ran: one of them would end a program. */
const unheard = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<ReadonlyArray<unknown>, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const errors: Array<unknown> = []
      const note = (error: unknown) => void errors.push(error)
      const before = process.listeners("uncaughtException")
      process.removeAllListeners("uncaughtException")
      process.on("uncaughtException", note)
      return { errors, note, before }
    }),
    ({ errors }) => Effect.as(effect, errors),
    ({ before, note }) =>
      Effect.sync(() => {
        process.off("uncaughtException", note)
        for (const listener of before) process.on("uncaughtException", listener)
      })
  )

describe("connections", () => {
  live(
    "are used again, and there are never more than 64",
    Effect.gen(function* () {
      const server = yield* raw((socket) => setTimeout(() => socket.write(ok("hello")), 2))
      const http = yield* client()
      for (let n = 0; n < 3; n++) assert.strictEqual(yield* get(http, server.url), "hello")
      assert.lengthOf(server.connections, 1)
      yield* Effect.all(
        Array.from({ length: 200 }, () => get(http, server.url)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(server.connections, 64)
    })
  )

  live(
    "are closed when a request in flight is interrupted, and no error goes unheard",
    Effect.gen(function* () {
      const server = yield* raw(() => undefined)
      const http = yield* client()
      for (const request of [
        HttpClientRequest.get(server.url),
        HttpClientRequest.post(server.url).pipe(HttpClientRequest.bodyUnsafeJson({ a: 1 }))
      ]) {
        const before = server.connections.length
        const errors = yield* unheard(
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(send(http, request))
            assert.isTrue(yield* until(() => server.connections.length > before))
            yield* Effect.sleep("20 millis")
            yield* Fiber.interrupt(fiber)
            assert.isTrue(yield* until(() => !server.connections.some(({ open }) => open)))
          })
        )
        assert.deepStrictEqual(errors, [])
      }
    })
  )

  live(
    "are closed when the interruption comes while connecting, or while the body is read",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart"))
      const http = yield* client()
      const errors = yield* unheard(
        Effect.gen(function* () {
          const early = yield* Effect.fork(get(http, server.url))
          yield* Effect.yieldNow()
          yield* Fiber.interrupt(early)
          const reading = yield* Effect.fork(get(http, server.url))
          yield* Effect.sleep("50 millis")
          yield* Fiber.interrupt(reading)
          assert.isTrue(yield* until(() => !server.connections.some(({ open }) => open)))
        })
      )
      assert.deepStrictEqual(errors, [])
    })
  )

  live(
    "are closed when a limit passes",
    Effect.gen(function* () {
      const server = yield* raw(() => undefined)
      const http = yield* client()
      const errors = yield* unheard(
        Effect.gen(function* () {
          yield* Effect.flip(Effect.timeout(get(http, server.url), "50 millis"))
          assert.isTrue(
            yield* until(() => server.connections.length > 0 && !server.connections.some(({ open }) => open))
          )
        })
      )
      assert.deepStrictEqual(errors, [])
    })
  )

  live(
    "close with the layer's scope",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.write(ok("hello")))
      yield* Effect.scoped(
        Effect.flatMap(client(), (http) =>
          Effect.map(get(http, server.url), () => assert.isTrue(server.connections[0]?.open))
        )
      )
      assert.isTrue(yield* until(() => server.connections[0]?.open === false))
    })
  )
})

describe("a connection that the server closed between two requests", () => {
  /** Answers the first request of a connection, and resets the connection on the second. */
  const fickle = raw((socket, _, request) => {
    if (request === 0) socket.write(ok("hello"))
    else socket.resetAndDestroy()
  })

  live(
    "does not fail a GET",
    Effect.gen(function* () {
      const server = yield* fickle
      const http = yield* client()
      for (let n = 0; n < 4; n++) assert.strictEqual(yield* get(http, server.url), "hello")
      assert.lengthOf(server.connections, 4)
    })
  )

  live(
    "does not fail a GET though the whole pool was closed",
    Effect.gen(function* () {
      const server = yield* fickle
      const http = yield* client()
      const many = Effect.all(
        Array.from({ length: 5 }, () => get(http, server.url)),
        { concurrency: "unbounded" }
      )
      yield* many
      assert.deepStrictEqual(yield* many, Array(5).fill("hello"))
      assert.strictEqual(yield* get(http, server.url), "hello")
    })
  )

  live(
    "fails a POST, since nobody knows whether it arrived",
    Effect.gen(function* () {
      const server = yield* fickle
      const http = yield* client()
      yield* get(http, server.url)
      const request = HttpClientRequest.post(server.url).pipe(HttpClientRequest.bodyUnsafeJson({}))
      assert.deepInclude(yield* Effect.flip(send(http, request)), { code: "ECONNRESET", sent: true, transient: true })
      assert.lengthOf(server.connections, 1)
    })
  )

  short(
    "is not there to be met: an idle one is left before the server would close it",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.write(ok("hello")))
      const http = yield* client()
      yield* get(http, server.url)
      assert.isTrue(server.connections[0]?.open)
      assert.isTrue(yield* until(() => server.connections[0]?.open === false))
      assert.strictEqual(yield* get(http, server.url), "hello")
      assert.lengthOf(server.connections, 2)
    })
  )

  live(
    "is not taken for one that never answered: a reset of a first request is told once",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.resetAndDestroy())
      const http = yield* client()
      assert.deepInclude(yield* Effect.flip(get(http, server.url)), { code: "ECONNRESET", transient: true })
      assert.lengthOf(server.connections, 1)
    })
  )
})

describe("an answer that takes longer than connections are kept", () => {
  short(
    "still comes",
    Effect.gen(function* () {
      const server = yield* raw((socket) => setTimeout(() => socket.write(ok("late")), 400))
      const http = yield* client()
      assert.strictEqual(yield* get(http, server.url), "late")
    })
  )
})

describe("a fault is told by its code", () => {
  const fault = (answer: Parameters<typeof raw>[0]) =>
    Effect.gen(function* () {
      const server = yield* raw(answer)
      const http = yield* client()
      return yield* Effect.flip(get(http, server.url))
    })
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart"

  live(
    "a body cut short is TRUNCATED, whichever way it ends",
    Effect.gen(function* () {
      const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"
      for (const answer of [
        (socket: Parameters<Parameters<typeof raw>[0]>[0]) => void socket.end(head),
        (socket: Parameters<Parameters<typeof raw>[0]>[0]) => void socket.end(chunked),
        (socket: Parameters<Parameters<typeof raw>[0]>[0]) => {
          socket.write(head)
          setTimeout(() => socket.resetAndDestroy(), 20)
        }
      ]) {
        assert.deepInclude(yield* fault(answer), { code: "TRUNCATED", transient: true, sent: true })
      }
    })
  )

  live(
    "a connection closed before the answer is ECONNRESET",
    Effect.gen(function* () {
      const found = yield* fault((socket) => socket.end())
      assert.deepInclude(found, { code: "ECONNRESET", transient: true, sent: true })
    })
  )

  live(
    "a refused connection was never used, and may be accepted later",
    Effect.gen(function* () {
      const http = yield* client()
      const free = yield* Effect.async<number>((resume) => {
        const server = createServer().listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          server.close(() => resume(Effect.succeed(port)))
        })
      })
      for (const host of ["127.0.0.1", "localhost"]) {
        const request = HttpClientRequest.post(`http://${host}:${free}/`).pipe(HttpClientRequest.bodyUnsafeJson({}))
        assert.deepInclude(yield* Effect.flip(send(http, request)), {
          code: "ECONNREFUSED",
          transient: true,
          sent: false
        })
      }
    })
  )

  live(
    "another protocol is permanent",
    Effect.gen(function* () {
      const found = yield* fault((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"))
      assert.deepInclude(found, { transient: false })
      assert.match(found.message, /the answer is not HTTP/)
    })
  )

  live(
    "https:// at a plain port is permanent, and says so",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
      const http = yield* client()
      const found = yield* Effect.flip(get(http, server.url.replace("http:", "https:")))
      assert.deepInclude(found, { transient: false, sent: false })
      assert.match(found.message, /does not speak TLS/)
    })
  )

  live(
    "no query and no password of a URL is in it",
    Effect.gen(function* () {
      const http = yield* client()
      const found = yield* Effect.flip(get(http, "http://user:planted@127.0.0.1:1/path?name=planted"))
      assert.strictEqual(found.url, "http://127.0.0.1:1/path")
    })
  )
})

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"))

describe.skipIf(!hasIPv6)("an IPv6 address", () => {
  live(
    "may be in the URL",
    Effect.gen(function* () {
      const server = yield* raw(
        (socket, _, __, text) => socket.write(ok(/^host: (.*)$/im.exec(text)?.[1] ?? "")),
        "::1"
      )
      const http = yield* client()
      assert.match(yield* get(http, server.url), /^\[::1\]:\d+$/)
    })
  )
})

describe("TLS", () => {
  const temporary = (text: string) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* fs.makeTempFileScoped({ suffix: ".pem" })
      yield* fs.writeFileString(path, text)
      return path
    })

  live(
    "an unknown authority is a permanent fault with a sentence that helps",
    Effect.gen(function* () {
      const port = yield* tls("server")
      for (const settings of [{}, { cacert: fixture("other-ca.pem") }]) {
        const found = yield* Effect.flip(get(yield* client(settings), `https://localhost:${port}/`))
        assert.deepInclude(found, { transient: false, sent: false })
        assert.match(found.message, /signed by an authority that is not trusted \(set cacert\)/)
      }
    })
  )

  live(
    "the cloud's own authority is trusted, by name and by address, and in a bundle of many",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const fs = yield* FileSystem.FileSystem
      const own = yield* fs.readFileString(fixture("ca.pem"))
      const other = yield* fs.readFileString(fixture("other-ca.pem"))
      const bundle = yield* temporary(`# many\n${Array(50).fill(`${other}\n# next\n`).join("")}\r\n${own}`)
      for (const cacert of [fixture("ca.pem"), bundle]) {
        const http = yield* client({ cacert })
        assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "ok")
      }
    })
  )

  live(
    "a certificate of another host is not accepted",
    Effect.gen(function* () {
      const port = yield* tls("elsewhere")
      const found = yield* Effect.flip(get(yield* client({ cacert: fixture("ca.pem") }), `https://localhost:${port}/`))
      assert.deepInclude(found, { code: "ERR_TLS_CERT_ALTNAME_INVALID", transient: false })
      assert.match(found.message, /for another host/)
    })
  )

  live(
    "verify false holds for its client alone",
    Effect.gen(function* () {
      const port = yield* tls("elsewhere")
      const trusting = yield* client({ verify: false, cacert: "/no/such/file.pem" })
      const careful = yield* client()
      const url = `https://localhost:${port}/`
      assert.strictEqual(yield* get(trusting, url), "ok")
      assert.isFalse((yield* Effect.flip(get(careful, url))).transient)
      assert.strictEqual(yield* get(trusting, url), "ok")
    })
  )

  live(
    "a CA file that is missing, a folder, no PEM or broken is named with its setting",
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const own = yield* fs.readFileString(fixture("ca.pem"))
      const broken = `${own}\n${own.replace(/[A-Za-z0-9+/]{20}\n/, "AAAAAAAAAAAAAAAAAAAA\n").replace("MII", "AAA")}`
      for (const [cacert, reason] of [
        [`${folder}/none.pem`, /no such file/],
        [folder, /folder|can't be read/],
        [yield* temporary("not a certificate"), /no PEM certificate/],
        [yield* temporary(""), /no PEM certificate/],
        [yield* temporary(broken), /certificate 2 of 2 in the file can't be read/]
      ] as const) {
        const error = yield* Effect.flip(client({ cacert }))
        assert.strictEqual(error._tag, "TransportError")
        assert.isTrue(error.message.startsWith(`cacert: ${cacert}: `), error.message)
        assert.match(error.message, reason)
      }
    })
  )
})

describe("a program", () => {
  live(
    "is not held back from its end by connections that are kept",
    Effect.gen(function* () {
      const server = yield* raw((socket) => {
        // The server is in the same process, and must not be what holds it.
        socket.unref()
        setTimeout(() => socket.write(ok("hello")), 50)
      })
      const holding = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length
      const before = holding()
      const http = yield* client()
      const fiber = yield* Effect.fork(get(http, server.url))
      assert.isTrue(yield* until(() => holding() > before))
      yield* Fiber.join(fiber)
      assert.isTrue(yield* until(() => holding() === before))
      assert.isTrue(server.connections[0]?.open)
    })
  )
})
