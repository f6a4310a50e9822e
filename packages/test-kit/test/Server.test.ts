import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import { innermostCode } from "@effect-manila/core/http/Fault"
import * as Server from "@effect-manila/test-kit/Server"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { readFileSync } from "node:fs"
import type * as Https from "node:https"
import { connect } from "node:net"
import { always, answer, cut, echo } from "./transports.ts"

const text = (url: string) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url)).pipe(Effect.flatMap((response) => response.text))

const withAgent = (options: Https.AgentOptions) =>
  NodeHttpClient.layerWithoutAgent.pipe(Layer.provide(NodeHttpClient.makeAgentLayer(options)))

/** Sends bytes and gives what comes back until the other side ends. */
const raw = (port: number, bytes: string) =>
  Effect.async<string>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk) => (received += chunk.toString()))
    socket.on("close", () => resume(Effect.succeed(received)))
    socket.on("error", () => {})
    return Effect.sync(() => socket.destroy())
  })

const tls = (name: string) => readFileSync(new URL(`fixtures/tls/${name}`, import.meta.url), "utf8")

describe("Server", () => {
  it.live("one connection serves many requests", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(always(answer("ok")))
      yield* Effect.repeatN(text(server.origin), 4)
      assert.strictEqual(yield* server.connections, 1)
      assert.strictEqual(yield* server.inFlight, 0)
    }).pipe(Effect.scoped, Effect.provide(withAgent({ keepAlive: true })))
  )

  it.live("any method and path reach the app", () =>
    Effect.gen(function* () {
      const { port } = yield* Server.make(echo)
      const received = yield* raw(port, "PURGE //a/../b?c=d HTTP/1.1\r\nHost: cloud.test\r\nConnection: close\r\n\r\n")
      assert.match(received, /"method":"PURGE"/)
      assert.match(received, /"origin":"http:\/\/cloud.test"/)
      assert.match(received, /"query":\[\["c","d"\]\]/)
    }).pipe(Effect.scoped)
  )

  it.live("a cut body announces its whole length", () =>
    Effect.gen(function* () {
      const { port } = yield* Server.make(always(cut('{"share":{}}', 3)))
      const received = yield* raw(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      assert.match(received, /content-length: 12\r\n/)
      assert.isTrue(received.endsWith('\r\n\r\n{"s'))
    }).pipe(Effect.scoped)
  )

  it.live("a caller that hangs up interrupts its request", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const app: App = () =>
        Deferred.succeed(arrived, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
        )
      const server = yield* Server.make(app)
      const caller = yield* Effect.fork(text(server.origin))
      yield* Deferred.await(arrived)
      assert.strictEqual(yield* server.inFlight, 1)
      yield* Fiber.interrupt(caller)
      yield* Deferred.await(interrupted)
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layer))
  )

  it.live("closing its scope closes every socket, and ends what is in flight", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<string>()
      const caller = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* Server.make(({ origin }) =>
            Effect.zipRight(Deferred.succeed(arrived, origin), Effect.never)
          )
          const caller = yield* Effect.fork(Effect.flip(text(server.origin)))
          yield* Deferred.await(arrived)
          return caller
        })
      )
      assert.strictEqual(innermostCode((yield* Fiber.join(caller)).cause), "ECONNRESET")
      const after = yield* Effect.flip(text(yield* Deferred.await(arrived)))
      assert.strictEqual(innermostCode(after.cause), "ECONNREFUSED")
    }).pipe(Effect.provide(NodeHttpClient.layer))
  )

  it.effect("delays, times and dates are those of the clock of the fiber that made it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(10_000)
      const arrived = yield* Deferred.make<void>()
      const server = yield* Server.make(() =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          yield* Deferred.succeed(arrived, undefined)
          return { ...answer(String(now)), delayMillis: 5_000 }
        })
      )
      const caller = yield* Effect.fork(
        Effect.flatMap(HttpClient.HttpClient, (client) => client.get(server.origin)).pipe(
          Effect.flatMap((response) => Effect.map(response.text, (text) => [text, response.headers["date"]]))
        )
      )
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* Fiber.join(caller), ["10000", "Thu, 01 Jan 1970 00:00:15 GMT"])
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layer))
  )

  it.live("with a key and a certificate it is HTTPS, trusted by those who know its authority", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(echo, {
        host: "localhost",
        tls: { key: tls("server.key"), cert: tls("server.pem") }
      })
      assert.match(server.origin, /^https:\/\/localhost:\d+$/)
      const body = yield* Effect.provide(text(`${server.origin}/x`), withAgent({ ca: tls("ca.pem") }))
      assert.include(body, `"origin":"${server.origin}"`)
      const refused = yield* Effect.flip(Effect.provide(text(server.origin), NodeHttpClient.layer))
      assert.strictEqual(innermostCode(refused.cause), "UNABLE_TO_VERIFY_LEAF_SIGNATURE")
    }).pipe(Effect.scoped)
  )

  it.live("a port that is taken is named", () =>
    Effect.gen(function* () {
      const first = yield* Server.make(echo)
      const error = yield* Effect.flip(Server.make(echo, { port: first.port }))
      assert.strictEqual(error.message, `can't listen on 127.0.0.1:${first.port}: the port is taken`)
    }).pipe(Effect.scoped)
  )

  it.live("a defect of the app is a 500 that shows it, and the server goes on", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(() => Effect.dieMessage("a bug in the fake"))
      const answers = yield* Effect.all([text(server.origin), text(server.origin)])
      for (const answer of answers) assert.include(answer, "a bug in the fake")
    }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layer))
  )
})
