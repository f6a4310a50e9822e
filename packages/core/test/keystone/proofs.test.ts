/** What identity is asked with each way to authenticate, what it costs, and how a refusal is told. */
import { layerHttpClient } from "@effect-manila/core/http/Transport"
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import { assert, describe, it } from "@effect/vitest"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Identity from "./identity.ts"
import { cwd, load, on } from "./support.ts"

const types = ["shared-file-system"]

/** A cloud of flags alone, and an identity service that has a script. */
const open = (given: CloudConfig.Overrides, options: Identity.Options = {}) =>
  Effect.gen(function* () {
    const identity = Identity.make(options)
    const config = yield* load({}, { authUrl: "https://id.example", ...given })
    const keystone = yield* Effect.provide(Keystone.make(config), identity.layer)
    return { config, identity, keystone }
  })

const user = { username: "u", userDomainId: "d" }
const byUser = { name: "u", domain: { id: "d" } }

describe("identity is asked", () => {
  const table: ReadonlyArray<readonly [string, CloudConfig.Overrides, object, object | undefined]> = [
    [
      "with a passcode",
      { ...user, passcode: "012345", projectId: "p" },
      { methods: ["totp"], totp: { user: { ...byUser, passcode: "012345" } } },
      { project: { id: "p" } }
    ],
    [
      "with a password and a passcode at once",
      {
        ...user,
        authType: "v3multifactor",
        authMethods: "v3password,v3totp",
        password: "x",
        passcode: "012345",
        projectId: "p"
      },
      {
        methods: ["password", "totp"],
        password: { user: { ...byUser, password: "x" } },
        totp: { user: { ...byUser, passcode: "012345" } }
      },
      { project: { id: "p" } }
    ],
    [
      "with both where both are given and nothing is said of how",
      { ...user, password: "x", passcode: "012345", projectId: "p" },
      {
        methods: ["password", "totp"],
        password: { user: { ...byUser, password: "x" } },
        totp: { user: { ...byUser, passcode: "012345" } }
      },
      { project: { id: "p" } }
    ],
    [
      "for the whole system",
      { ...user, password: "x", systemScope: "all" },
      { methods: ["password"], password: { user: { ...byUser, password: "x" } } },
      { system: { all: true } }
    ],
    [
      "for a trust",
      { ...user, password: "x", trustId: "t" },
      { methods: ["password"], password: { user: { ...byUser, password: "x" } } },
      { "OS-TRUST:trust": { id: "t" } }
    ]
  ]
  for (const [claim, given, identityJson, scope] of table) {
    it.scoped(claim, () =>
      Effect.gen(function* () {
        const { identity, keystone } = yield* open(given)
        yield* keystone.token
        assert.deepStrictEqual(identity.journal[0]?.body, {
          auth: { identity: identityJson, ...(scope === undefined ? {} : { scope }) }
        })
      })
    )
  }

  it.scoped("nothing, for a token with a known endpoint", () =>
    Effect.gen(function* () {
      for (const given of [
        { token: "t", endpointOverride: "https://share.example/v2" },
        { authType: "admin_token", token: "t", projectName: "ignored", endpointOverride: "https://share.example/v2" }
      ]) {
        const { identity, keystone } = yield* open(given)
        const token = yield* keystone.token
        assert.strictEqual(Redacted.value(token.value), "t")
        assert.strictEqual((yield* keystone.endpoint(types)).url, "https://share.example/v2")
        assert.strictEqual((yield* Effect.flip(keystone.renew(token)))._tag, "AuthenticationFailed")
        assert.lengthOf(identity.journal, 0)
      }
    })
  )

  it.scoped("nothing, without authentication: the token is user:project", () =>
    Effect.gen(function* () {
      const base = { authType: "none", endpointOverride: "https://share.example/v2" }
      for (const [given, expected] of [
        [base, "admin:admin"],
        [{ ...base, username: "u" }, "u:u"],
        [{ ...base, username: "u", projectName: "p" }, "u:p"],
        [{ ...base, userId: "U", projectId: "P" }, "U:P"]
      ] as const) {
        const { config, identity, keystone } = yield* open(given)
        const token = yield* keystone.token
        assert.strictEqual(Redacted.value(token.value), expected)
        assert.include(CloudConfig.describe(config).join("\n"), "auth_type: none")
        const error = yield* Effect.flip(keystone.renew(token))
        assert.match(error.message, /without authentication/)
        assert.lengthOf(identity.journal, 0)
      }
    })
  )
})

describe("a passcode", () => {
  it.scoped("is used until its token ends and not a minute less, since there is no other", () =>
    Effect.gen(function* () {
      const { identity, keystone } = yield* open({ ...user, passcode: "012345", projectId: "p" })
      yield* keystone.token
      yield* TestClock.adjust(Duration.millis(3_600_000 - 1))
      yield* keystone.token
      assert.lengthOf(identity.journal, 1)
    })
  )

  it.scoped("that is refused says that a new one is needed", () =>
    Effect.gen(function* () {
      const { keystone } = yield* open(
        { ...user, passcode: "012345", projectId: "p" },
        { script: [Identity.refusal(401, "no")] }
      )
      const error = yield* Effect.flip(keystone.token)
      assert.strictEqual(error._tag, "AuthenticationFailed")
      assert.match(error.message, /user u \(domain d\) for project p: no.*a passcode is good for one login/)
    })
  )

  it.scoped("that is missing is told by the proofs the user needs, without the receipt", () =>
    Effect.gen(function* () {
      const { keystone } = yield* open(
        { ...user, password: "x", projectId: "p" },
        {
          script: [
            {
              status: 401,
              headers: { "openstack-auth-receipt": "planted" },
              body: {
                receipt: { methods: ["password"] },
                required_auth_methods: [
                  ["totp", "password"],
                  ["password", "custom"]
                ]
              }
            }
          ]
        }
      )
      const error = yield* Effect.flip(keystone.token)
      assert.match(error.message, /needs totp with password, or password with custom: use the auth_type v3multifactor/)
      assert.notInclude(error.message + JSON.stringify(error), "planted")
    })
  )
})

describe("a nearer scope makes a farther one void", () => {
  const file = (auth: string) => ({
    files: {
      [`${cwd}/clouds.yaml`]: `clouds: {a: {auth: {auth_url: "http://a", username: u, password: p, user_domain_id: d, ${auth}}}}`
    }
  })
  const table: ReadonlyArray<readonly [string, string, CloudConfig.Overrides, string]> = [
    ["the system, of a project", "project_id: p", { systemScope: "all" }, "System"],
    ["a trust, of a project", "project_id: p", { trustId: "t" }, "Trust"],
    ["a project, of the system", "system_scope: all", { projectId: "p" }, "Project"],
    ["a project, of a trust", "trust_id: t", { projectId: "p" }, "Project"],
    ["a domain, of the system", "system_scope: all", { domainId: "D" }, "Domain"]
  ]
  for (const [claim, auth, given, scope] of table) {
    it.effect(claim, () =>
      Effect.gen(function* () {
        const { credentials } = yield* load(file(auth), given)
        assert.strictEqual("scope" in credentials ? credentials.scope._tag : undefined, scope)
      })
    )
  }

  it.effect("and two of one place are in conflict", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load(file("system_scope: all, trust_id: t")))
      assert.match(error.message, /one scope, and there are several: system_scope \(from .*\), trust_id/)
    })
  )

  it.effect("a system_scope that is not all is not known", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load(file("system_scope: some")))
      assert.match(error.message, /system_scope some is not known/)
    })
  )
})

describe("a vendor's URL", () => {
  const machine = (more = "") => ({
    files: {
      [`${cwd}/clouds.yaml`]: `clouds: {a: {profile: "https://vendor.example/any", auth: {username: u, password: p, user_domain_id: d, project_id: i}${more}}}`
    }
  })
  const vendor = (status: number, body: unknown) => {
    const asked: Array<string> = []
    const client = HttpClient.make((request, url) => {
      asked.push(`${request.method} ${url}`)
      const text = typeof body === "string" ? body : JSON.stringify(body)
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(text, { status })))
    })
    return { asked, layer: Layer.provide(layerHttpClient, Layer.succeed(HttpClient.HttpClient, client)) }
  }
  const profile = {
    name: "vendor",
    profile: { auth: { auth_url: "https://id.vendor.example" }, regions: ["R1", "R2"], interface: "internal" }
  }

  it.effect("is asked at its well-known place, and the cloud's own values win", () =>
    Effect.gen(function* () {
      const { asked, layer } = vendor(200, profile)
      const config = yield* on(machine(", interface: admin"))(Effect.provide(CloudConfig.load({ region: "R2" }), layer))
      assert.deepStrictEqual(asked, ["GET https://vendor.example/.well-known/openstack/api"])
      assert.deepInclude(config, {
        authUrl: "https://id.vendor.example/v3",
        region: "R2",
        interfaces: ["admin"]
      })
      assert.match(config.sources.get("auth_url") ?? "", /^https:\/\/vendor\.example\/\.well-known\/openstack\/api/)
    })
  )

  it.effect("that fails, or has no profile, or is of a cloud that is gone, is an error of the profile", () =>
    Effect.gen(function* () {
      for (const [status, body, reason] of [
        [404, "no", /answered 404/],
        [200, "<html>", /has no profile of a cloud/],
        [200, { name: "vendor" }, /has no profile of a cloud/],
        [200, { name: "v", profile: { status: "shutdown", message: "moved away" } }, /is no more: moved away/]
      ] as const) {
        const { layer } = vendor(status, body)
        const error = yield* Effect.flip(on(machine())(Effect.provide(CloudConfig.load(), layer)))
        assert.deepInclude(error, { _tag: "ConfigError", setting: "profile", line: 1 })
        assert.match(error.message, reason)
      }
    })
  )

  it.effect("needs a transport", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(load(machine()))
      assert.match(error.message, /nothing is there to fetch it/)
    })
  )

  it.effect("a name that is nowhere is told where something is missing for it", () =>
    Effect.gen(function* () {
      const files = { [`${cwd}/clouds.yaml`]: "clouds: {a: {profile: acme, auth: {username: u, password: p}}}" }
      const error = yield* Effect.flip(load({ files }))
      assert.match(
        error.message,
        /missing: .*auth_url.*its profile acme \(from .*\) is not known: there is no clouds-public/
      )
    })
  )

  it.effect("one of those inside openstacksdk is told to be that, with what to do instead", () =>
    Effect.gen(function* () {
      const text = "clouds: {a: {profile: otc, auth: {username: u, password: p, project_name: x}}}"
      const files = { [`${cwd}/clouds.yaml`]: text, [`${cwd}/clouds-public.yaml`]: "public-clouds: {acme: {}}" }
      const { message } = yield* Effect.flip(load({ files }))
      assert.include(message, `its profile otc (from ${cwd}/clouds.yaml:1) is not known`)
      assert.include(message, `${cwd}/clouds-public.yaml does not have it`)
      assert.match(message, /come with openstacksdk are not read .*clouds-public\.yaml, or give the vendor's URL/)
    })
  )
})
