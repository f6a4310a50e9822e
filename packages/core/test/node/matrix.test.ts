/**
 * Ways to authenticate × TLS × proxies, over real sockets: one list of shares for each, judged by what the cloud's server
 * and the proxy saw of it.
 */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Share from "@effect-manila/core/manila/Share"
import * as NodePlatform from "@effect-manila/core/node/NodePlatform"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as FakeKeystone from "@effect-manila/test-kit/keystone/FakeKeystone"
import * as Server from "@effect-manila/test-kit/Server"
import type { App, WireRequest } from "@effect-manila/test-kit/Wire"
import { assert, describe, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Buffer } from "node:buffer"
import { readFileSync } from "node:fs"
import { fixture, proxy } from "./servers.ts"

interface World {
  readonly cloud: typeof FakeCloud.FakeCloud.Service
  readonly origin: string
  readonly now: number
}

interface Way {
  readonly settings: (world: World) => CloudConfig.Overrides
  /** What identity is asked, in order, and the proofs of the first of them. */
  readonly identity: ReadonlyArray<string>
  readonly methods?: ReadonlyArray<string>
  readonly scope?: string
  /** Default: a token of identity. */
  readonly token?: (world: World) => string
  /** How the share service turns down whoever comes this way. */
  readonly refused?: RegExp
}

const login = ["POST /identity/v3/auth/tokens"]
const at = ({ origin }: World) => ({ authUrl: `${origin}/identity`, defaultDomain: "default" })
const inDemo = { userDomainId: "default", projectName: "demo", projectDomainName: "Default" }

const ways: Readonly<Record<string, Way>> = {
  password: {
    settings: (world) => ({ ...at(world), ...inDemo, username: "demo", password: world.cloud.credentials.password }),
    identity: login,
    methods: ["password"],
    scope: "project"
  },
  "application credential": {
    settings: (world) => ({
      ...at(world),
      applicationCredentialId: world.cloud.credentials.applicationCredentialId,
      applicationCredentialSecret: world.cloud.credentials.applicationCredentialSecret
    }),
    identity: login,
    methods: ["application_credential"]
  },
  "token for another scope": {
    settings: (world) => ({ ...at(world), ...inDemo, token: world.cloud.credentials.token }),
    identity: login,
    methods: ["token"],
    scope: "project"
  },
  "token as it is": {
    settings: (world) => ({ ...at(world), token: world.cloud.credentials.token }),
    identity: ["GET /identity/v3/auth/tokens"],
    token: (world) => world.cloud.credentials.token
  },
  "token with an endpoint": {
    settings: (world) => ({ token: world.cloud.credentials.token, endpointOverride: `${world.origin}/share/v2` }),
    identity: [],
    token: (world) => world.cloud.credentials.token
  },
  passcode: {
    settings: (world) => ({
      ...at(world),
      ...inDemo,
      username: "demo",
      passcode: FakeKeystone.passcode("demo", world.now)
    }),
    identity: login,
    methods: ["totp"],
    scope: "project"
  },
  "password and passcode": {
    settings: (world) => ({
      ...at(world),
      ...inDemo,
      authType: "v3multifactor",
      authMethods: "v3password,v3totp",
      userId: FakeKeystone.guarded.userId,
      password: FakeKeystone.guarded.password,
      passcode: FakeKeystone.passcode("guarded", world.now)
    }),
    identity: login,
    methods: ["password", "totp"],
    scope: "project"
  },
  system: {
    settings: (world) => ({
      ...at(world),
      username: "admin",
      userDomainId: "default",
      password: world.cloud.admin.password,
      systemScope: "all"
    }),
    identity: login,
    methods: ["password"],
    scope: "system",
    // As the real service does, measured: a share is a project's.
    refused: /Access was denied/
  },
  trust: {
    settings: (world) => ({
      ...at(world),
      username: "other",
      userDomainId: "default",
      password: world.cloud.other.password,
      trustId: FakeKeystone.trustId
    }),
    identity: login,
    methods: ["password"],
    scope: "OS-TRUST:trust"
  },
  none: {
    settings: (world) => ({
      authType: "none",
      username: "me",
      projectName: "mine",
      endpointOverride: `${world.origin}/share/v2`
    }),
    identity: [],
    token: () => "me:mine",
    // This one believes nobody without identity; what counts is what it was sent.
    refused: /without authentication|rejected/
  }
}

const serverTls = {
  key: readFileSync(fixture("server.key"), "utf8"),
  cert: readFileSync(fixture("server.pem"), "utf8")
}

const wires: Readonly<Record<string, { readonly tls: boolean; readonly settings: CloudConfig.Overrides }>> = {
  "no TLS": { tls: false, settings: {} },
  "a private authority": { tls: true, settings: { cacert: fixture("ca.pem") } },
  insecure: { tls: true, settings: { verify: false } }
}

const password = "p:w@planted"

interface Between {
  readonly variables: (proxy: string, port: number) => Readonly<Record<string, string>>
  readonly through: boolean
  /** Whether the proxy itself is spoken to over TLS. */
  readonly tls?: boolean
}

const betweens: Readonly<Record<string, Between>> = {
  "no proxy": { variables: () => ({}), through: false },
  "a proxy with a password": {
    variables: (url) => ({ http_proxy: url, https_proxy: url }),
    through: true
  },
  "an https proxy with a password": {
    variables: (url) => ({ http_proxy: url, https_proxy: url }),
    through: true,
    tls: true
  },
  "ALL_PROXY beside a no_proxy of others": {
    variables: (url) => ({ ALL_PROXY: url, NO_PROXY: "localhost,10.0.0.0/8,0.0.1" }),
    through: true
  },
  "no_proxy with the address": {
    variables: (url) => ({ ALL_PROXY: url, no_proxy: "localhost,127.0.0.1" }),
    through: false
  },
  "NO_PROXY with the network": {
    variables: (url) => ({ HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY: "127.0.0.0/8" }),
    through: false
  },
  "no_proxy with the port": {
    variables: (url, port) => ({ ALL_PROXY: url, no_proxy: `127.0.0.1:${port}` }),
    through: false
  }
}

/** The cloud's app, with every request that came written down. */
const recorded = (app: App) => {
  const seen: Array<WireRequest> = []
  const through: App = (request) => {
    seen.push(request)
    return app(request)
  }
  return { app: through, seen }
}

const setUp = (tls: boolean) =>
  Effect.gen(function* () {
    const cloud = yield* FakeCloud.make({
      seed: { shares: [{ name: "here", project_id: FakeKeystone.projects.demo.id }] }
    })
    const { app, seen } = recorded(cloud.app)
    const server = yield* Server.make(app, tls ? { tls: serverTls } : {})
    const now = yield* Clock.currentTimeMillis
    return { world: { cloud, origin: server.origin, now }, port: server.port, seen }
  })

const listShares = (settings: CloudConfig.Overrides, variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const config = yield* CloudConfig.load(settings)
    const names = Stream.runCollect(Stream.map(Share.list(), ({ name }) => name))
    const layer = Layer.provide(Manila.layer(), Keystone.layer(config))
    return Chunk.toReadonlyArray(yield* Effect.provide(names, layer))
  }).pipe(
    Effect.either,
    Effect.provide(NodePlatform.layer),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ HOME: "/nonexistent", ...variables }))))
  )

const discovery = ["GET /share/", "GET /share/v2/"]

for (const [wireName, wire] of Object.entries(wires)) {
  for (const [betweenName, between] of Object.entries(betweens)) {
    describe(`${wireName}, ${betweenName}`, () => {
      for (const [wayName, way] of Object.entries(ways)) {
        it.scopedLive(wayName, () =>
          Effect.gen(function* () {
            const { port, seen, world } = yield* setUp(wire.tls)
            const middle = yield* proxy({ user: "user", password, tls: between.tls === true })
            const trust = between.tls === true ? { cacert: fixture("ca.pem") } : {}
            const variables = between.variables(
              `${between.tls === true ? "https" : "http"}://user:${encodeURIComponent(password)}@localhost:${middle.port}`,
              port
            )
            const outcome = yield* listShares({ ...way.settings(world), ...wire.settings, ...trust }, variables)

            // What the program got.
            if (way.refused !== undefined)
              assert.match(Either.isLeft(outcome) ? outcome.left.message : "no error", way.refused)
            else if (Either.isLeft(outcome)) return assert.fail(outcome.left.message)
            else assert.deepStrictEqual(outcome.right, ["here"])
            assert.notInclude(Inspectable.toStringUnknown(outcome), "planted")

            // What the server saw: identity as it should be, then the versions, then the list.
            const paths = seen.map(({ method, path }) => `${method} ${path}`)
            const identity = paths.filter((path) => path.includes("/identity"))
            assert.deepStrictEqual(identity, way.identity)
            const shares = seen.filter(({ path }) => path.startsWith("/share"))
            assert.isTrue(
              discovery.some((path) => paths.includes(path)),
              paths.join("\n")
            )
            const list = shares.at(-1)
            assert.match(list?.path ?? "", /\/shares(\/detail)?$/)
            const token = list?.headers["x-auth-token"] ?? ""
            if (way.token === undefined) assert.match(token, /^gAAAAA/)
            else assert.strictEqual(token, way.token(world))
            if (way.methods !== undefined) {
              const { auth } = JSON.parse(seen[0]?.body ?? "") as {
                auth: { identity: { methods: ReadonlyArray<string> }; scope?: object }
              }
              assert.deepStrictEqual(auth.identity.methods, way.methods)
              assert.deepStrictEqual(Object.keys(auth.scope ?? {}), way.scope === undefined ? [] : [way.scope])
            }
            assert.notInclude(JSON.stringify(seen), "proxy-authorization")

            // What the proxy saw: every request or none, and of TLS nothing but where to.
            if (!between.through) assert.deepStrictEqual(middle.asked, [])
            else if (wire.tls) assert.deepStrictEqual([...new Set(middle.asked)], [`CONNECT 127.0.0.1:${port}`])
            else {
              const urls = middle.asked.map((line) => line.replace(/\?.*/, ""))
              assert.deepStrictEqual(
                urls,
                paths.map((path) => path.replace(" ", ` ${world.origin}`))
              )
            }
            const wanted = `Basic ${Buffer.from(`user:${password}`).toString("base64")}`
            assert.isTrue(middle.authorization.every((given) => given === wanted))
          })
        )
      }
    })
  }
}

describe("a cell that fails", () => {
  it.scopedLive("at the proxy names it for identity, and nothing reaches the cloud", () =>
    Effect.gen(function* () {
      const { seen, world } = yield* setUp(true)
      const middle = yield* proxy({ user: "user", password: "another" })
      const variables = { https_proxy: `http://user:${encodeURIComponent(password)}@localhost:${middle.port}` }
      const settings = { ...ways["password"]?.settings(world), cacert: fixture("ca.pem") }
      const outcome = yield* listShares(settings, variables)
      if (Either.isRight(outcome)) return assert.fail("it should fail")
      assert.include(outcome.left.message, `the proxy http://localhost:${middle.port}: it does not accept`)
      assert.notInclude(Inspectable.toStringUnknown(outcome), "planted")
      // A permanent fault is not tried again.
      assert.deepStrictEqual([seen.length, middle.asked.length], [0, 1])
    })
  )

  it.scopedLive("at an https proxy's certificate sends nothing, not even where the cloud's goes unverified", () =>
    Effect.gen(function* () {
      for (const tls of [false, true]) {
        const { seen, world } = yield* setUp(tls)
        const middle = yield* proxy({ user: "user", password, tls: true })
        const shown = `https://localhost:${middle.port}`
        const url = `https://user:${encodeURIComponent(password)}@localhost:${middle.port}`
        for (const settings of [{}, { verify: false }]) {
          const given = { ...ways["password"]?.settings(world), ...settings }
          const outcome = yield* listShares(given, { https_proxy: url, http_proxy: url })
          if (Either.isRight(outcome)) return assert.fail("it should fail")
          assert.include(outcome.left.message, `the proxy ${shown}`)
          assert.match(outcome.left.message, /authority that is not trusted \(set cacert\)/)
          assert.notInclude(Inspectable.toStringUnknown(outcome), "planted")
        }
        assert.deepStrictEqual([seen, middle.asked, middle.authorization], [[], [], []])
      }
    })
  )

  it.scopedLive("at a SOCKS proxy says which kinds there are, and nothing is sent", () =>
    Effect.gen(function* () {
      const { seen, world } = yield* setUp(false)
      for (const kind of ["socks", "socks4", "socks5", "socks5h"]) {
        const variables = { ALL_PROXY: `${kind}://user:planted@127.0.0.1:1080` }
        const outcome = yield* listShares({ ...ways["password"]?.settings(world) }, variables)
        if (Either.isRight(outcome)) return assert.fail("it should fail")
        assert.include(
          outcome.left.message,
          `the proxy of ALL_PROXY: proxies of the kind ${kind}:// are not supported, only http:// and https://`
        )
        assert.notInclude(Inspectable.toStringUnknown(outcome), "planted")
      }
      assert.lengthOf(seen, 0)
    })
  )

  it.scopedLive("at the server's certificate says so, through a proxy too", () =>
    Effect.gen(function* () {
      const { seen, world } = yield* setUp(true)
      const middle = yield* proxy()
      const url = `http://localhost:${middle.port}`
      for (const variables of [{}, { https_proxy: url }]) {
        const outcome = yield* listShares({ ...ways["password"]?.settings(world) }, variables)
        if (Either.isRight(outcome)) return assert.fail("it should fail")
        assert.match(outcome.left.message, /authority that is not trusted \(set cacert\)/)
        if ("https_proxy" in variables) assert.include(outcome.left.message, `(through the proxy ${url})`)
      }
      assert.lengthOf(seen, 0)
    })
  )
})
