/** Which proxy a request goes through: the decision as a table, then what proxies and servers see of requests. */
import * as Fault from "@effect-manila/core/http/Fault"
import { Transport, type TransportSettings } from "@effect-manila/core/http/Transport"
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as NodeTransport from "@effect-manila/core/node/NodeTransport"
import * as Proxy from "@effect-manila/core/node/Proxy"
import { assert, describe, it } from "@effect/vitest"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Inspectable from "effect/Inspectable"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Net from "node:net"
import * as NodeTls from "node:tls"
import { fixture, ok, proxy, raw, tls, until } from "./servers.ts"

const withVariables = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

describe("no_proxy", () => {
  /** Each with what curl 7.88 does, measured, where that is not the same. */
  const table: ReadonlyArray<readonly [no: string, url: string, direct: boolean, curl?: boolean]> = [
    ["", "http://a.test/", false],
    ["*", "http://a.test/", true],
    [" * ", "http://a.test/", true],
    ["*,b.test", "http://a.test/", false],
    ["*.example.test", "http://a.example.test/", false],
    ["example.test", "http://example.test/", true],
    ["example.test", "http://a.example.test/", true],
    ["example.test", "http://a.b.example.test/", true],
    ["example.test", "http://notexample.test/", false],
    ["example.test", "http://example.test.evil.test/", false],
    [".example.test", "http://example.test/", true],
    [".example.test", "http://a.example.test/", true],
    [".example.test", "http://notexample.test/", false],
    ["..example.test", "http://example.test/", false],
    ["example.test.", "http://example.test/", true],
    ["example.test", "http://example.test./", true],
    ["EXAMPLE.test", "http://example.TEST/", true],
    ["test", "http://a.test/", true],
    ["a", "http://a/", true],
    [".", "http://a.test/", false],
    ["a.test b.test", "http://b.test/", true],
    ["a.test,\tb.test", "http://b.test/", true],
    [",, a.test ,", "http://a.test/", true],
    ["a.test;b.test", "http://b.test/", false],
    ["localhost", "http://127.0.0.1/", false],
    ["127.0.0.1", "http://localhost/", false],
    ["10.1.2.3", "http://10.1.2.3/", true],
    ["10.1.2.3", "http://10.1.2.30/", false],
    ["2.3", "http://10.1.2.3/", false],
    ["10.0.0.0/8", "http://10.1.2.3/", true],
    ["10.0.0.0/8", "http://11.1.2.3/", false],
    ["10.1.2.3/8", "http://10.9.9.9/", true],
    ["10.1.2.0/31", "http://10.1.2.1/", true],
    ["10.1.2.0/31", "http://10.1.2.2/", false],
    ["10.1.2.3/32", "http://10.1.2.3/", true],
    ["10.1.2.3/33", "http://10.1.2.3/", false],
    ["10.1.2.3/x", "http://10.1.2.3/", false],
    ["10.1.2.3/8/8", "http://10.1.2.3/", false],
    ["10.0.0.0/8", "http://name.test/", false],
    ["::ffff:10.0.0.1", "http://10.0.0.1/", false],
    ["fd00::1", "http://[fd00::1]/", true],
    ["fd00::/8", "http://10.0.0.1/", false],
    ["fd00::/129", "http://[fd00::1]/", false],
    // curl has the prefix 0 for a whole address, and reads no IPv6 network here, no other spelling and no brackets.
    ["0.0.0.0/0", "http://1.1.1.1/", true, false],
    ["::/0", "http://[fd00::1]/", true, false],
    ["fd00::/8", "http://[fdff::1]/", true, false],
    ["fe80::/10", "http://[fd00::1]/", false],
    ["fd00:0:0::1", "http://[fd00::1]/", true, false],
    ["[fd00::1]", "http://[fd00::1]/", true, false],
    // And no ports.
    ["a.test:80", "http://a.test/", true, false],
    ["a.test:443", "https://a.test/", true, false],
    ["a.test:443", "http://a.test/", false],
    ["a.test:8786", "http://b.a.test:8786/", true, false],
    ["a.test:8786", "http://a.test:8787/", false],
    ["10.0.0.1:8786", "http://10.0.0.1:8786/", true, false],
    ["[fd00::1]:8786", "http://[fd00::1]:8786/", true, false],
    ["[fd00::1]:8786", "http://[fd00::1]:8787/", false]
  ]
  for (const [no, url, direct, curl = direct] of table) {
    const unlike = curl === direct ? "" : ", unlike curl"
    it(`${JSON.stringify(no)} ${direct ? "covers" : "does not cover"} ${url}${unlike}`, () =>
      assert.strictEqual(Proxy.isDirect(no, new URL(url)), direct))
  }
})

describe("the variables", () => {
  const http = "http://cloud.test/"
  const https = "https://cloud.test/"
  const table: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, string | undefined]> = [
    ["none is no proxy", {}, https, undefined],
    ["https_proxy is for https", { https_proxy: "http://p" }, https, "https_proxy"],
    ["https_proxy is not for http", { https_proxy: "http://p" }, http, undefined],
    ["http_proxy is for http", { http_proxy: "http://p" }, http, "http_proxy"],
    ["http_proxy is not for https", { http_proxy: "http://p" }, https, undefined],
    ["upper case is read", { HTTPS_PROXY: "http://p" }, https, "HTTPS_PROXY"],
    ["upper case is read for http too", { HTTP_PROXY: "http://p" }, http, "HTTP_PROXY"],
    ["but not where a web server may have set it", { HTTP_PROXY: "http://p", REQUEST_METHOD: "GET" }, http, undefined],
    ["lower case wins", { HTTPS_PROXY: "http://P", https_proxy: "http://p" }, https, "https_proxy"],
    ["lower case wins for http too", { HTTP_PROXY: "http://P", http_proxy: "http://p" }, http, "http_proxy"],
    ["what is set to nothing is not set", { HTTPS_PROXY: "http://P", https_proxy: "" }, https, "HTTPS_PROXY"],
    ["all_proxy is for both", { all_proxy: "http://p" }, http, "all_proxy"],
    ["ALL_PROXY is for both", { ALL_PROXY: "http://p" }, https, "ALL_PROXY"],
    ["the scheme's own wins", { all_proxy: "http://a", HTTPS_PROXY: "http://p" }, https, "HTTPS_PROXY"],
    ["no_proxy counts", { https_proxy: "http://p", no_proxy: "cloud.test" }, https, undefined],
    ["NO_PROXY counts", { https_proxy: "http://p", NO_PROXY: "cloud.test" }, https, undefined],
    ["no_proxy wins", { https_proxy: "http://p", NO_PROXY: "*", no_proxy: "b.test" }, https, "https_proxy"],
    ["an empty no_proxy is not set", { https_proxy: "http://p", NO_PROXY: "*", no_proxy: "" }, https, undefined]
  ]
  for (const [claim, variables, url, variable] of table) {
    it.effect(claim, () =>
      Effect.gen(function* () {
        const proxies = yield* withVariables(variables)(Proxy.fromEnvironment)
        assert.strictEqual(Proxy.forUrl(proxies, new URL(url))?.variable, variable)
      })
    )
  }

  it.effect("are not printed", () =>
    Effect.gen(function* () {
      const proxies = yield* withVariables({ https_proxy: "http://u:planted@p" })(Proxy.fromEnvironment)
      assert.notInclude(Inspectable.toStringUnknown(proxies) + JSON.stringify(proxies), "planted")
    })
  )
})

const client = (variables: Readonly<Record<string, string>>, settings: Partial<TransportSettings> = {}) =>
  Effect.flatMap(Transport, (transport) => transport.client({ verify: true, ...settings })).pipe(
    withVariables(variables)
  )

const ours = { cacert: fixture("ca.pem") }

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Transport | Scope.Scope>) =>
  it.scopedLive(name, () => Effect.provide(effect, NodePlatform.layer))

const send = (http: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
  http.execute(request).pipe(
    Effect.flatMap((response) => response.text),
    Effect.mapError((error) => Fault.fromClientError(request, error))
  )

const get = (http: HttpClient.HttpClient, url: string) => send(http, HttpClientRequest.get(url))

/** A port that nobody listens on. */
const free = Effect.async<number>((resume) => {
  const server = Net.createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

describe("through a proxy", () => {
  live(
    "an https request is tunnelled: the proxy learns host and port, and the certificate is the server's",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const between = yield* proxy()
      const http = yield* client({ https_proxy: `http://localhost:${between.port}` }, ours)
      assert.strictEqual(yield* get(http, `https://localhost:${port}/secret-path`), "ok")
      assert.deepStrictEqual(between.asked, [`CONNECT localhost:${port}`])
      const careful = yield* client({ https_proxy: `http://localhost:${between.port}` })
      const found = yield* Effect.flip(get(careful, `https://localhost:${port}/`))
      assert.deepInclude(found, { transient: false, sent: false, proxy: `http://localhost:${between.port}` })
      assert.match(found.message, /authority that is not trusted/)
    })
  )

  live(
    "one tunnel carries many requests",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const between = yield* proxy()
      const http = yield* client({ https_proxy: `localhost:${between.port}` }, ours)
      for (let n = 0; n < 4; n++) assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "ok")
      assert.lengthOf(between.asked, 1)
    })
  )

  live(
    "an http request is asked of the proxy with its whole URL, body and headers",
    Effect.gen(function* () {
      const seen: Array<string> = []
      const server = yield* raw((socket, _, __, text) => {
        seen.push(text)
        socket.write(ok("hello"))
      })
      const between = yield* proxy({ user: "us%er", password: "p:w@d" })
      const http = yield* client({
        http_proxy: `http://us%25er:p%3Aw%40d@localhost:${between.port}`
      })
      const request = HttpClientRequest.post(`${server.url}?a=b`).pipe(
        HttpClientRequest.setHeader("x-auth-token", "token"),
        HttpClientRequest.bodyUnsafeJson({ a: 1 })
      )
      assert.strictEqual(yield* send(http, request), "hello")
      assert.deepStrictEqual(between.asked, [`POST ${server.url}?a=b`])
      assert.deepInclude(between.headers[0], { "x-auth-token": "token", host: new URL(server.url).host })
      assert.notInclude(seen.join(""), "authorization")
      assert.include(seen.join(""), `{"a":1}`)
    })
  )

  live(
    "hosts of no_proxy are reached directly, by the same client",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const between = yield* proxy()
      const http = yield* client({ https_proxy: `http://localhost:${between.port}`, no_proxy: `127.0.0.0/8` }, ours)
      assert.strictEqual(yield* get(http, `https://127.0.0.1:${port}/`), "ok")
      assert.lengthOf(between.asked, 0)
      assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "ok")
      assert.lengthOf(between.asked, 1)
    })
  )

  live(
    "connections are closed with the scope, and when a request is interrupted while the proxy says nothing",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const silent = yield* proxy({ refuse: "silent" })
      const http = yield* client({ https_proxy: `http://localhost:${silent.port}` }, ours)
      const fiber = yield* Effect.fork(get(http, `https://localhost:${port}/`))
      assert.isTrue(yield* until(() => silent.asked.length === 1))
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* until(() => silent.open() === 0))

      const between = yield* proxy()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const inner = yield* client({ https_proxy: `http://localhost:${between.port}` }, ours)
          yield* get(inner, `https://localhost:${port}/`)
          assert.isAbove(between.open(), 0)
        })
      )
      assert.isTrue(yield* until(() => between.open() === 0))
    })
  )

  it.scopedLive("a tunnel that was left idle and closed does not fail a GET, and is not kept for ever", () =>
    Effect.gen(function* () {
      const port = yield* tls("server")
      const between = yield* proxy()
      const http = yield* client({ https_proxy: `http://localhost:${between.port}` }, ours)
      yield* get(http, `https://localhost:${port}/`)
      assert.isTrue(yield* until(() => between.open() === 0))
      assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "ok")
      assert.lengthOf(between.asked, 2)
    }).pipe(Effect.provide(NodeTransport.layerWith({ idle: "100 millis" })), Effect.provide(NodePlatform.layer))
  )
})

describe("what goes wrong at a proxy is told as its fault, without its password", () => {
  const cases: ReadonlyArray<
    readonly [
      claim: string,
      options: Parameters<typeof proxy>[0] | "down" | "garbage",
      expected: Partial<Fault.TransportFault>,
      message: RegExp
    ]
  > = [
    ["one that is down", "down", { code: "ECONNREFUSED", transient: true, sent: false }, /connection refused/],
    [
      "a password it does not accept",
      { user: "u", password: "other" },
      { code: "PROXY_AUTH", transient: false, sent: false },
      /does not accept the user and password of its URL \(407\)/
    ],
    [
      "a refusal",
      { refuse: 403 },
      { code: "PROXY_REFUSED", transient: false, sent: false },
      /refuses connections to localhost:\d+ \(403\)/
    ],
    [
      "a server it can't reach, which may be reached later",
      { refuse: 503 },
      { code: "PROXY_UNREACHED", transient: true, sent: false },
      /can't reach localhost:\d+ \(503\)/
    ],
    [
      "one that speaks something else",
      "garbage",
      { code: "PROXY_ANSWER", transient: true, sent: false },
      /closed the connection, or what it said is no proxy's answer/
    ]
  ]
  for (const [claim, options, expected, message] of cases) {
    live(
      claim,
      Effect.gen(function* () {
        const port = yield* tls("server")
        const at =
          options === "down"
            ? yield* free
            : options === "garbage"
              ? Number(new URL((yield* raw((socket) => socket.end("SSH-2.0-x\r\n"))).url).port)
              : (yield* proxy(options)).port
        // Not every proxy of these listens at both of localhost's addresses.
        const host = typeof options === "string" ? "127.0.0.1" : "localhost"
        const http = yield* client({ https_proxy: `http://planted:planted@${host}:${at}` }, ours)
        for (let n = 0; n < 2; n++) {
          const found = yield* Effect.flip(get(http, `https://localhost:${port}/`))
          assert.deepInclude(found, { ...expected, proxy: `http://${host}:${at}` })
          assert.match(found.message, message)
          assert.include(found.message, `http://${host}:${at}`)
          assert.notInclude(Inspectable.toStringUnknown(found) + String(found) + found.message, "planted")
        }
      })
    )
  }

  live(
    "a password it asks for in vain, of a plain request too",
    Effect.gen(function* () {
      const port = yield* tls("server")
      const between = yield* proxy({ user: "u", password: "p" })
      const url = `http://localhost:${between.port}`
      const http = yield* client({ all_proxy: url }, ours)
      for (const target of [`https://localhost:${port}/`, "http://cloud.test/path"]) {
        const found = yield* Effect.flip(get(http, target))
        assert.deepInclude(found, { code: "PROXY_AUTH", transient: false, sent: false, proxy: url })
        assert.match(found.message, /asks for a user and password \(407\), and its URL has none/)
      }
    })
  )

  live(
    "a name that is unknown, which stays so",
    Effect.gen(function* () {
      const http = yield* client({ all_proxy: "http://no-such-proxy.invalid:3128" })
      const found = yield* Effect.flip(get(http, "http://cloud.test/path"))
      assert.isFalse(found.sent)
      assert.match(found.message, /the proxy http:\/\/no-such-proxy.invalid:3128: /)
    })
  )

  live(
    "a kind that is not supported, and only when a request would go there",
    Effect.gen(function* () {
      const server = yield* raw((socket) => socket.write(ok("hello")))
      const http = yield* client({ ALL_PROXY: "socks5://u:planted@127.0.0.1:1080", no_proxy: "127.0.0.1" })
      assert.strictEqual(yield* get(http, server.url), "hello")
      const found = yield* Effect.flip(get(http, "http://cloud.test/"))
      assert.deepInclude(found, { code: "PROXY_INVALID", transient: false, sent: false })
      assert.match(found.message, /the proxy of ALL_PROXY: proxies of the kind socks5:\/\/ are not supported/)
      assert.notInclude(found.message, "planted")
    })
  )
})

describe("an https proxy", () => {
  /** Behind a tunnel, and asked for by its URL. */
  const targets = Effect.gen(function* () {
    const server = yield* raw((socket) => socket.write(ok("ok")))
    return [`https://localhost:${yield* tls("server")}/`, server.url] as const
  })

  live(
    "is verified with the authorities of cacert, and told its password in secret",
    Effect.gen(function* () {
      for (const target of yield* targets) {
        const between = yield* proxy({ user: "u", password: "p", tls: true })
        const url = `https://u:p@localhost:${between.port}`
        const http = yield* client({ all_proxy: url }, ours)
        for (let n = 0; n < 2; n++) assert.strictEqual(yield* get(http, target), "ok")
        assert.deepStrictEqual(between.names, ["localhost"])
        const careful = yield* client({ all_proxy: url })
        const found = yield* Effect.flip(get(careful, target))
        assert.deepInclude(found, { transient: false, sent: false, proxy: `https://localhost:${between.port}` })
        assert.match(
          found.message,
          /: the proxy https:\/\/localhost:\d+: its certificate is signed by an authority that is not trusted \(set cacert\)$/
        )
        assert.isTrue(between.authorization.every((given) => given === `Basic ${btoa("u:p")}`))
      }
    })
  )

  live(
    "is reached by its address too, which is no name to ask TLS for",
    Effect.gen(function* () {
      for (const target of yield* targets) {
        const between = yield* proxy({ tls: true, host: "127.0.0.1" })
        const http = yield* client({ all_proxy: `https://127.0.0.1:${between.port}` }, ours)
        assert.strictEqual(yield* get(http, target), "ok")
        assert.deepStrictEqual(between.names, [false])
      }
    })
  )

  it.scopedLive.skipIf("getCACertificates" in NodeTls)(
    "is verified with NODE_EXTRA_CA_CERTS beside a cacert that is another's",
    () =>
      Effect.gen(function* () {
        const [, plain] = yield* targets
        const between = yield* proxy({ tls: true })
        const variables = { http_proxy: `https://localhost:${between.port}` }
        const other = { cacert: fixture("other-ca.pem") }
        assert.match((yield* Effect.flip(get(yield* client(variables, other), plain))).message, /not trusted/)
        const both = yield* client({ ...variables, NODE_EXTRA_CA_CERTS: fixture("ca.pem") }, other)
        assert.strictEqual(yield* get(both, plain), "ok")
      }).pipe(Effect.provide(NodePlatform.layer))
  )

  live(
    "that asks for a password in vain, refuses, or is none says so as an http one does",
    Effect.gen(function* () {
      const [secure, plain] = yield* targets
      const cases: ReadonlyArray<readonly [Parameters<typeof proxy>[0], string, ReadonlyArray<string>]> = [
        [{ tls: true, user: "u", password: "other" }, "PROXY_AUTH", [secure, plain]],
        [{ tls: true, refuse: 403 }, "PROXY_REFUSED", [secure]],
        [{ tls: true, refuse: 503 }, "PROXY_UNREACHED", [secure]]
      ]
      for (const [options, code, urls] of cases) {
        const between = yield* proxy(options)
        const url = `https://localhost:${between.port}`
        const http = yield* client({ all_proxy: url.replace("//", "//u:planted@") }, ours)
        for (const target of urls) {
          const found = yield* Effect.flip(get(http, target))
          assert.deepInclude(found, { code, sent: false, proxy: url })
          assert.notInclude(Inspectable.toStringUnknown(found) + found.message, "planted")
        }
      }
      const http = yield* client({ all_proxy: `https://localhost:${(yield* proxy()).port}` }, ours)
      for (const target of [secure, plain]) {
        const found = yield* Effect.flip(get(http, target))
        assert.deepInclude(found, { transient: false, sent: false })
        assert.match(
          found.message,
          /the proxy https:\S+: it does not speak TLS here \(is the URL http:\/\/ instead\?\)/
        )
      }
    })
  )

  live(
    "that says nothing is let go when the request is given up",
    Effect.gen(function* () {
      for (const target of yield* targets) {
        const silent = yield* proxy({ tls: true, refuse: "silent" })
        const http = yield* client({ all_proxy: `https://localhost:${silent.port}` }, ours)
        const fiber = yield* Effect.fork(get(http, target))
        assert.isTrue(yield* until(() => silent.asked.length === 1))
        yield* Fiber.interrupt(fiber)
        assert.isTrue(yield* until(() => silent.open() === 0))
      }
    })
  )
})

describe("a client certificate", () => {
  const peer = tls(
    "server",
    (request, response) => {
      // The server's sockets are TLS sockets.
      const socket = request.socket as unknown as { getPeerCertificate: () => { subject?: { CN?: string } } }
      response.end(socket.getPeerCertificate().subject?.CN ?? "nobody")
    },
    "client-ca.pem"
  )
  const cert = fixture("client.pem")
  const key = fixture("client.key")

  live(
    "is shown to the server, directly and through a tunnel, and not to the proxy",
    Effect.gen(function* () {
      const port = yield* peer
      const between = yield* proxy()
      for (const variables of [{}, { https_proxy: `http://localhost:${between.port}` }]) {
        for (const verify of [true, false]) {
          const http = yield* client(variables, { ...(verify ? ours : { verify }), cert, key })
          assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "client")
        }
      }
      assert.lengthOf(between.asked, 2)
      const curious = yield* proxy({ tls: true, clients: "client-ca.pem" })
      const http = yield* client({ https_proxy: `https://localhost:${curious.port}` }, { ...ours, cert, key })
      const found = yield* Effect.flip(get(http, `https://localhost:${port}/`))
      assert.match(found.message, /the proxy https:\S+: it asks for a client certificate, which proxies are not shown/)
    })
  )

  live(
    "opens with a password, and may be in one file with its key",
    Effect.gen(function* () {
      const port = yield* peer
      const fs = yield* FileSystem.FileSystem
      const both = yield* fs.makeTempFileScoped({ suffix: ".pem" })
      yield* fs.writeFileString(both, `${yield* fs.readFileString(key)}\n${yield* fs.readFileString(cert)}`)
      for (const settings of [
        { cert: both },
        { cert, key: both },
        { cert, key: fixture("client-encrypted.key"), keyPassword: Redacted.make("the-key-password") }
      ]) {
        const http = yield* client({}, { ...ours, ...settings })
        assert.strictEqual(yield* get(http, `https://localhost:${port}/`), "client")
      }
    }).pipe(Effect.provide(NodePlatform.layer))
  )

  live(
    "that is missing where one is demanded is a permanent fault that says so",
    Effect.gen(function* () {
      const port = yield* peer
      const found = yield* Effect.flip(get(yield* client({}, ours), `https://localhost:${port}/`))
      assert.deepInclude(found, { transient: false, sent: false })
      assert.match(found.message, /asks for a client certificate \(set cert and key\)/)
    })
  )

  const broken: ReadonlyArray<readonly [string, Partial<TransportSettings>, string, RegExp]> = [
    ["no file", { cert: "/none.pem", key }, "cert", /\/none\.pem: no such file/],
    ["no key file", { cert, key: "/none.key" }, "key", /\/none\.key: no such file/],
    ["no certificate in it", { cert: key, key }, "cert", /no PEM certificate/],
    ["no key in it", { cert, key: cert }, "key", /no PEM private key/],
    ["no key at all", { cert }, "key", /no private key in .*client\.pem either/],
    ["a key alone", { key }, "cert", /no certificate it belongs to/],
    ["another's key", { cert, key: fixture("server.key") }, "key", /does not belong to the first certificate/],
    ["a key that needs a password", { cert, key: fixture("client-encrypted.key") }, "key", /set key_password/],
    [
      "a wrong password",
      { cert, key: fixture("client-encrypted.key"), keyPassword: Redacted.make("planted") },
      "key_password",
      /does not open the key/
    ]
  ]
  for (const [what, settings, setting, reason] of broken) {
    live(
      `with ${what} is told by its setting before anything is sent`,
      Effect.gen(function* () {
        const error = yield* Effect.flip(client({}, settings))
        if (error._tag !== "TransportError") return assert.fail(error._tag)
        assert.strictEqual(error.setting, setting)
        assert.match(error.message, reason)
        assert.notInclude(error.message, "planted")
      })
    )
  }
})
