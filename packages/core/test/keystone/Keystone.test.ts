/** One token for all fibers: when it is asked for, renewed, shared and refused. */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import { Credentials, Scope } from "@effect-manila/core/keystone/Credentials"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import { isTransient } from "@effect-manila/core/keystone/KeystoneError"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as EffectScope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Identity from "./identity.ts"

const project = Scope.Project({ name: "demo", domain: { id: "default" } })

const password = Credentials.Password({
  user: { name: "demo", domain: { id: "default" } },
  password: Redacted.make("hunter2"),
  scope: project
})

const configOf = (options: Partial<Parameters<typeof CloudConfig.make>[0]> = {}) =>
  CloudConfig.make({ authUrl: "https://id.example", credentials: password, ...options })

const using =
  (identity: ReturnType<typeof Identity.make>, config = configOf()) =>
  <A, E>(use: (keystone: typeof Keystone.Keystone.Service) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.scoped(
      Effect.flatMap(Effect.orDie(Effect.provide(Keystone.make(config), identity.layer)), (keystone) => use(keystone))
    )

const times = <A, E>(n: number, effect: Effect.Effect<A, E>) =>
  Effect.all(
    Array.from({ length: n }, () => effect),
    { concurrency: "unbounded" }
  )

const text = (token: Keystone.Token) => Redacted.value(token.value)
const token = Credentials.Token({ token: Redacted.make("ready-token"), scope: Scope.Unscoped() })
const scopedToken = Credentials.Token({ token: Redacted.make("ready-token"), scope: project })

describe("the request", () => {
  const bodies: ReadonlyArray<readonly [string, Credentials, unknown]> = [
    [
      "a password of a user by name, for a project by name",
      password,
      {
        identity: {
          methods: ["password"],
          password: { user: { name: "demo", domain: { id: "default" }, password: "hunter2" } }
        },
        scope: { project: { name: "demo", domain: { id: "default" } } }
      }
    ],
    [
      "a password of a user by id, for a project by id",
      Credentials.Password({ user: { id: "u" }, password: Redacted.make("s"), scope: Scope.Project({ id: "p" }) }),
      {
        identity: { methods: ["password"], password: { user: { id: "u", password: "s" } } },
        scope: { project: { id: "p" } }
      }
    ],
    [
      "a password, for a domain",
      Credentials.Password({
        user: { name: "u", domain: { name: "Users" } },
        password: Redacted.make("s"),
        scope: Scope.Domain({ domain: { name: "Default" } })
      }),
      {
        identity: {
          methods: ["password"],
          password: { user: { name: "u", domain: { name: "Users" }, password: "s" } }
        },
        scope: { domain: { name: "Default" } }
      }
    ],
    [
      "a ready token, exchanged for a project",
      scopedToken,
      {
        identity: { methods: ["token"], token: { id: "ready-token" } },
        scope: { project: { name: "demo", domain: { id: "default" } } }
      }
    ],
    [
      "an application credential by id",
      Credentials.ApplicationCredential({ id: "a", secret: Redacted.make("s") }),
      { identity: { methods: ["application_credential"], application_credential: { id: "a", secret: "s" } } }
    ],
    [
      "an application credential by name and user",
      Credentials.ApplicationCredential({
        name: "a",
        user: { name: "u", domain: { id: "default" } },
        secret: Redacted.make("s")
      }),
      {
        identity: {
          methods: ["application_credential"],
          application_credential: { name: "a", user: { name: "u", domain: { id: "default" } }, secret: "s" }
        }
      }
    ]
  ]
  for (const [what, credentials, auth] of bodies) {
    it.effect(`is identity v3's for ${what}`, () => {
      const identity = Identity.make()
      return using(
        identity,
        configOf({ credentials })
      )((keystone) =>
        Effect.gen(function* () {
          assert.strictEqual(text(yield* keystone.token), "issued-token-1")
          const [asked] = identity.journal
          assert.deepStrictEqual(asked?.body, { auth })
          assert.strictEqual(`${asked?.method} ${asked?.url}`, "POST https://id.example/v3/auth/tokens")
          assert.match(asked?.headers["user-agent"] ?? "", /^effect-manila/)
          assert.notProperty(asked?.headers, "traceparent")
          assert.notProperty(asked?.headers, "b3")
        })
      )
    })
  }

  it.effect("is not sent before something is asked for", () => {
    const identity = Identity.make()
    return using(identity)(() => Effect.sync(() => assert.lengthOf(identity.journal, 0)))
  })

  it.effect("for a ready token without a scope is a look at it, and the token stays what it is", () => {
    const identity = Identity.make()
    return using(
      identity,
      configOf({ credentials: token })
    )((keystone) =>
      Effect.gen(function* () {
        const got = yield* keystone.token
        assert.strictEqual(text(got), "ready-token")
        assert.strictEqual(got.projectName, "demo")
        assert.strictEqual(identity.journal[0]?.method, "GET")
        assert.strictEqual(identity.journal[0]?.headers["x-subject-token"], "ready-token")
      })
    )
  })

  it.effect("for a ready token and a known endpoint is none at all", () => {
    const identity = Identity.make()
    const config = CloudConfig.make({ credentials: token, endpointOverride: "https://m.example/v2/" })
    return using(
      identity,
      config
    )((keystone) =>
      Effect.gen(function* () {
        assert.strictEqual(text(yield* keystone.token), "ready-token")
        assert.strictEqual((yield* keystone.endpoint(["shared-file-system"])).url, "https://m.example/v2")
        assert.lengthOf(identity.journal, 0)
      })
    )
  })
})

describe("the token in memory", () => {
  it.effect("is asked for once by fifty fibers", () => {
    const identity = Identity.make({ delayMillis: 1000 })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(times(50, keystone.token))
        yield* TestClock.adjust("1 second")
        const tokens = yield* Fiber.join(fiber)
        assert.deepStrictEqual([...new Set(tokens.map(text))], ["issued-token-1"])
        assert.lengthOf(identity.journal, 1)
      })
    )
  })

  it.effect("lasts until its last minute, and is renewed then", () => {
    const identity = Identity.make({ lifetimeMillis: 3_600_000 })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        assert.strictEqual(text(yield* keystone.token), "issued-token-1")
        yield* TestClock.adjust("58 minutes")
        yield* TestClock.adjust("59 seconds")
        assert.strictEqual(text(yield* keystone.token), "issued-token-1")
        yield* TestClock.adjust("1 second")
        assert.strictEqual(text(yield* keystone.token), "issued-token-2")
        assert.lengthOf(identity.journal, 2)
      })
    )
  })

  it.effect("of a short life lasts nine tenths of it", () => {
    const identity = Identity.make({ lifetimeMillis: 10_000 })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        yield* keystone.token
        yield* TestClock.adjust("8999 millis")
        assert.strictEqual(text(yield* keystone.token), "issued-token-1")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(text(yield* keystone.token), "issued-token-2")
      })
    )
  })

  it.effect("lasts as long on a machine whose clock is wrong by a day", () =>
    Effect.gen(function* () {
      for (const aheadMillis of [86_400_000, -86_400_000]) {
        const identity = Identity.make({ aheadMillis })
        yield* using(identity)((keystone) =>
          Effect.gen(function* () {
            yield* keystone.token
            yield* TestClock.adjust("50 minutes")
            yield* keystone.token
            assert.lengthOf(identity.journal, 1)
            yield* TestClock.adjust("10 minutes")
            yield* keystone.token
            assert.lengthOf(identity.journal, 2)
          })
        )
      }
    })
  )

  it.effect("that came ready-made is used to its very end, and then is told to be over", () => {
    const identity = Identity.make({
      lifetimeMillis: 600_000,
      script: [undefined, Identity.refusal(404, "Could not recognize Fernet token")]
    })
    return using(
      identity,
      configOf({ credentials: scopedToken })
    )((keystone) =>
      Effect.gen(function* () {
        yield* keystone.token
        yield* TestClock.adjust("599 seconds")
        assert.strictEqual(text(yield* keystone.token), "issued-token-1")
        assert.lengthOf(identity.journal, 1)
        yield* TestClock.adjust("1 second")
        const error = yield* Effect.flip(keystone.token)
        assert.strictEqual(error._tag, "AuthenticationFailed")
        assert.match(error.message, /expired, and can't be renewed from itself.*Fernet.*req-404/)
      })
    )
  })
})

describe("a token that a service rejected", () => {
  it.effect("is renewed once for fifty fibers", () => {
    const identity = Identity.make({ delayMillis: 1000 })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const first = yield* Effect.fork(keystone.token)
        yield* TestClock.adjust("1 second")
        const rejected = yield* Fiber.join(first)
        const fiber = yield* Effect.fork(times(50, keystone.renew(rejected)))
        yield* TestClock.adjust("1 second")
        const tokens = yield* Fiber.join(fiber)
        assert.deepStrictEqual([...new Set(tokens.map(text))], ["issued-token-2"])
        assert.lengthOf(identity.journal, 2)
      })
    )
  })

  it.effect("and was replaced meanwhile costs nothing", () => {
    const identity = Identity.make()
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const rejected = yield* keystone.token
        yield* keystone.renew(rejected)
        assert.strictEqual(text(yield* keystone.renew(rejected)), "issued-token-2")
        assert.strictEqual(text(yield* keystone.token), "issued-token-2")
        assert.lengthOf(identity.journal, 2)
      })
    )
  })

  it.effect("is not handed out again after a renewal that failed", () => {
    const identity = Identity.make({ script: [undefined, Identity.refusal(403, "no")] })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const rejected = yield* keystone.token
        assert.strictEqual((yield* Effect.flip(keystone.renew(rejected)))._tag, "IdentityFailed")
        assert.strictEqual(text(yield* keystone.token), "issued-token-1".replace("1", "2"))
      })
    )
  })

  it.effect("shares its failure too, so that a wrong password is not tried fifty times", () => {
    const identity = Identity.make({ delayMillis: 1000, script: Array(60).fill(Identity.refusal(401, "no")) })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(times(50, Effect.flip(keystone.token)))
        yield* TestClock.adjust("1 second")
        const errors = yield* Fiber.join(fiber)
        assert.isTrue(errors.every((error) => error._tag === "AuthenticationFailed"))
        assert.lengthOf(identity.journal, 1)
      })
    )
  })

  it.effect("and came ready-made is the end, and nothing is sent", () => {
    const identity = Identity.make()
    return using(
      identity,
      configOf({ credentials: token })
    )((keystone) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(keystone.renew(yield* keystone.token))
        assert.strictEqual(error._tag, "AuthenticationFailed")
        assert.match(error.message, /can't be renewed from itself: get a new one/)
        assert.lengthOf(identity.journal, 1)
      })
    )
  })

  it.effect("is renewed for the others when the fiber that asked first is interrupted", () => {
    const identity = Identity.make({ delayMillis: 1000 })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const first = yield* Effect.fork(keystone.token)
        yield* TestClock.adjust("500 millis")
        const others = yield* Effect.fork(times(10, keystone.token))
        yield* TestClock.adjust("100 millis")
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(first)))
        yield* TestClock.adjust("400 millis")
        assert.deepStrictEqual([...new Set((yield* Fiber.join(others)).map(text))], ["issued-token-1"])
        assert.lengthOf(identity.journal, 1)
      })
    )
  })

  it.effect("is renewed though whoever asks can't be interrupted, within the request's limit", () => {
    const identity = Identity.make({ script: ["hang", "hang", "hang"] })
    return using(identity)((keystone) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.uninterruptible(Effect.flip(keystone.token)))
        yield* TestClock.adjust("4 minutes")
        assert.strictEqual((yield* Fiber.join(fiber))._tag, "TransportFault")
      })
    )
  })

  it.effect("is no longer asked for once its layer is closed", () => {
    const identity = Identity.make({ script: ["hang"] })
    return Effect.gen(function* () {
      const scope = yield* EffectScope.make()
      const context = yield* Effect.orDie(
        Layer.buildWithScope(Layer.provide(Keystone.layer(configOf()), identity.layer), scope)
      )
      const fiber = yield* Effect.fork(
        Effect.provide(
          Effect.flatMap(Keystone.Keystone, (k) => k.token),
          context
        )
      )
      yield* TestClock.adjust("1 second")
      yield* EffectScope.close(scope, Exit.void)
      assert.lengthOf(identity.aborted, 1)
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
    })
  })
})

describe("an answer that is no token", () => {
  const once = (script: Identity.Options["script"], config = configOf()) => {
    const identity = Identity.make({ script: script ?? [] })
    return using(
      identity,
      config
    )((keystone) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.flip(keystone.token))
        yield* TestClock.adjust("10 minutes")
        return { error: yield* Fiber.join(fiber), journal: identity.journal }
      })
    )
  }

  it.effect("401 says who, the service's sentence and the request's id, and is not tried again", () =>
    Effect.gen(function* () {
      const { error, journal } = yield* once([
        Identity.refusal(401, "The request you have made requires authentication.")
      ])
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.match(error.message, /user demo \(domain default\) for project demo/)
      assert.match(error.message, /requires authentication.*req-401/)
      assert.lengthOf(journal, 1)
      assert.isFalse(isTransient(error))
    })
  )

  it.effect("of a status that may pass is asked for three times, half a second and then one apart", () =>
    Effect.gen(function* () {
      for (const status of [408, 429, 500, 502, 503, 504]) {
        const { error, journal } = yield* once(Array(9).fill(Identity.refusal(status, "later")))
        assert.deepInclude(error, { _tag: "IdentityFailed", status })
        assert.isTrue(isTransient(error))
        const start = journal[0]?.at ?? 0
        assert.deepStrictEqual(
          journal.map(({ at }) => at - start),
          [0, 500, 1500]
        )
      }
    })
  )

  it.effect("of a status that stays is asked for once", () =>
    Effect.gen(function* () {
      for (const status of [400, 403, 404, 409, 413, 501, 505]) {
        const { error, journal } = yield* once(Array(9).fill(Identity.refusal(status, "no")))
        assert.deepInclude(error, { _tag: "IdentityFailed", status, requestId: `req-${status}` })
        assert.isFalse(isTransient(error))
        assert.lengthOf(journal, 1)
      }
    })
  )

  it.effect("waits as long as a Retry-After asks, and gives up on one of more than a minute", () =>
    Effect.gen(function* () {
      const busy = (seconds: string) => ({ ...Identity.refusal(503, "busy"), headers: { "retry-after": seconds } })
      const patient = yield* once(Array(9).fill(busy("7")))
      const start = patient.journal[0]?.at ?? 0
      assert.deepStrictEqual(
        patient.journal.map(({ at }) => at - start),
        [0, 7000, 14_000]
      )
      const hopeless = yield* once([busy("3600")])
      assert.lengthOf(hopeless.journal, 1)
      assert.deepInclude(hopeless.error, { retryAfterMillis: 3_600_000 })
    })
  )

  it.effect("a reset, and an answer that never comes, are tried again, each within its own limit", () =>
    Effect.gen(function* () {
      const identity = Identity.make({ script: ["reset", "hang"] })
      yield* using(
        identity,
        configOf({ requestTimeout: "10 seconds" })
      )((keystone) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(keystone.token)
          yield* TestClock.adjust("11499 millis")
          assert.lengthOf(identity.journal, 2)
          yield* TestClock.adjust("1 millis")
          assert.strictEqual(text(yield* Fiber.join(fiber)), "issued-token-1")
          // The request that hung was given up, not left behind.
          assert.deepStrictEqual(identity.aborted, [2])
        })
      )
      const { error } = yield* once(["hang", "hang", "hang"])
      assert.deepInclude(error, { _tag: "TransportFault", code: "TIMEOUT", detail: "no answer within 60 s" })
    })
  )

  it.effect("a redirect, another service, HTML and nonsense are told apart", () =>
    Effect.gen(function* () {
      const moved = yield* once([{ status: 302, headers: { location: "https://new.example/" }, body: "" }])
      assert.match(moved.error.message, /redirected to https:\/\/new\.example\/: set auth_url/)
      const page = yield* once(
        Array.from({ length: 3 }, () => ({ status: 200, body: "<html><title>Hello</title></html>" }))
      )
      assert.deepInclude(page.error, { _tag: "TransportFault", code: "NOT_JSON" })
      const other = yield* once([{ status: 200, body: { versions: [] } }])
      assert.match(other.error.message, /the answer is no token: is auth_url/)
      const bare = yield* once([{ status: 201, body: { token: { expires_at: "2030-01-01T00:00:00Z" } } }])
      assert.match(bare.error.message, /no X-Subject-Token/)
      const missing = yield* once([{ status: 404, body: "<html><title>404 Not Found</title></html>" }])
      assert.match(missing.error.message, /is auth_url the URL of the identity service/)
    })
  )
})

describe("the endpoint", () => {
  const types = ["shared-file-system", "sharev2"]
  const find = (options: Identity.Options, config = configOf(), asked: ReadonlyArray<string> = types) =>
    using(Identity.make(options), config)((keystone) => keystone.endpoint(asked))
  const only = (...names: ReadonlyArray<string>) => Identity.catalog.filter(({ type }) => names.includes(type))

  it.effect("is that of the first type the catalog has, and never of v1", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* find({})).url, "https://share.example/v2")
      assert.strictEqual((yield* find({ catalog: only("share", "sharev2") })).url, "https://sharev2.example/v2")
      assert.strictEqual((yield* find({ catalog: only("shared-file-system") })).type, "shared-file-system")
      const error = yield* Effect.flip(find({ catalog: only("identity", "share") }))
      assert.match(
        error.message,
        /no service of type shared-file-system or sharev2; types found: identity, share \(share is the removed v1 API\)/
      )
    })
  )

  it.effect("is of the interface asked for, in the order given, also as older clouds name it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* find({}, configOf({ interfaces: ["internal"] }))).url, "https://share.internal/v2")
      assert.strictEqual(
        (yield* find({}, configOf({ interfaces: ["admin", "internal"] }))).url,
        "https://share.internal/v2"
      )
      const old = [{ type: "sharev2", name: "m", endpoints: [Identity.endpoint("https://old/v2/", "publicURL")] }]
      assert.strictEqual((yield* find({ catalog: old })).url, "https://old/v2")
      const error = yield* Effect.flip(find({}, configOf({ interfaces: ["admin"] })))
      assert.match(error.message, /no admin endpoint for .*; interfaces found: internal, public/)
    })
  )

  it.effect("is of the region asked for, and the regions are listed where there is none", () =>
    Effect.gen(function* () {
      const regions = [
        {
          type: "shared-file-system",
          name: "m",
          endpoints: [
            Identity.endpoint("https://one/v2", "public", "One"),
            Identity.endpoint("https://two/v2", "public", "Two")
          ]
        }
      ]
      assert.strictEqual((yield* find({ catalog: regions }, configOf({ region: "Two" }))).url, "https://two/v2")
      assert.strictEqual((yield* find({ catalog: regions })).url, "https://one/v2")
      const error = yield* Effect.flip(find({ catalog: regions }, configOf({ region: "Three" })))
      assert.match(error.message, /in region Three; regions found: One, Two/)
    })
  )

  it.effect("of a token without a scope is a clear error", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(find({ scoped: false }))
      assert.strictEqual(error._tag, "NotScoped")
      assert.match(error.message, /set project_name/)
    })
  )

  it.effect("of a catalog with odd entries is found all the same", () =>
    Effect.gen(function* () {
      const odd = [null, 1, { type: 3 }, { type: "sharev2" }, { type: "sharev2", endpoints: [{}, "x"] }]
      assert.strictEqual((yield* find({ catalog: [...odd, ...Identity.catalog] })).url, "https://share.example/v2")
    })
  )

  it.effect("is the override, and identity is not asked", () => {
    const identity = Identity.make()
    return using(
      identity,
      configOf({ endpointOverride: "https://m.example/v2" })
    )((keystone) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* keystone.endpoint(types), {
          url: "https://m.example/v2",
          type: "shared-file-system",
          interface: undefined,
          region: undefined
        })
        assert.lengthOf(identity.journal, 0)
      })
    )
  })
})
