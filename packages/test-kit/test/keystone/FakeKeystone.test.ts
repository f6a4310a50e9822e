import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as FakeKeystone from "@effect-manila/test-kit/keystone/FakeKeystone"
import { type Answer, ask, type Cloud } from "../support/ask.ts"

const identity = (cloud: Cloud, method: string, path: string, more: object = {}) =>
  ask(cloud, method, path, { as: "nobody", service: "/identity", ...more })

const login = (cloud: Cloud, identity_: object, scope?: unknown, path = "/v3/auth/tokens") =>
  identity(cloud, "POST", path, {
    body: { auth: { identity: identity_, ...(scope === undefined ? {} : { scope }) } }
  })

const byName = (cloud: Cloud, more: object = {}) => ({
  methods: ["password"],
  password: {
    user: { name: cloud.credentials.username, password: cloud.credentials.password, domain: { id: "default" }, ...more }
  }
})

const demo = { project: { name: "demo", domain: { name: "Default" } } }

const tokenOf = (answer: Answer): string => answer.headers["x-subject-token"] ?? ""

interface Service {
  readonly type: string
  readonly endpoints: ReadonlyArray<{ readonly interface: string; readonly region: string; readonly url: string }>
}

describe("a password", () => {
  it.effect("gives a token for a project, by name or by id", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const { userId: id, password, projectId } = cloud.credentials
      const byId = { methods: ["password"], password: { user: { id, password } } }
      const answers = yield* Effect.all([
        login(cloud, byName(cloud), demo),
        login(cloud, byId, { project: { id: projectId } })
      ])
      for (const answer of answers) {
        assert.strictEqual(answer.status, 201)
        assert.match(tokenOf(answer), /^gAAAAA/)
        const { token } = answer.json
        assert.deepStrictEqual(
          [token.project.id, token.user.name, token.methods, token.is_domain],
          [projectId, "demo", ["password"], false]
        )
        assert.deepStrictEqual(
          token.roles.map((role: { name: string }) => role.name),
          ["member", "reader"]
        )
        assert.strictEqual(token.issued_at, "1970-01-01T00:00:00.000000Z")
        assert.strictEqual(token.expires_at, "1970-01-01T01:00:00.000000Z")
      }
    })
  )

  it.effect("that is wrong, a stranger's name and another's project are all the same 401", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const answers = yield* Effect.all([
        login(cloud, byName(cloud, { password: "wrong" }), demo),
        login(cloud, byName(cloud, { name: "nobody" }), demo),
        login(cloud, byName(cloud, { domain: { name: "Elsewhere" } }), demo),
        login(cloud, byName(cloud), { project: { name: "admin", domain: { id: "default" } } }),
        login(cloud, byName(cloud), { domain: { id: "default" } }),
        login(cloud, byName(cloud), { system: { all: true } }),
        login(cloud, { methods: [] }, demo)
      ])
      for (const answer of answers) {
        assert.strictEqual(answer.status, 401)
        assert.strictEqual(answer.headers["www-authenticate"], 'Keystone uri="http://cloud/identity/v3"')
        assert.deepStrictEqual(answer.json, {
          error: { code: 401, message: "The request you have made requires authentication.", title: "Unauthorized" }
        })
      }
    })
  )

  it.effect("with something left out is 400 and says what", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const user = { name: "demo", password: "x" }
      const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
        [{}, /find auth in request body/],
        ["{", /valid JSON/],
        [{ auth: { identity: { methods: ["password"], password: { user } } } }, /find domain in user/],
        [{ auth: { identity: { methods: ["password"] } } }, /find password in identity/],
        [{ auth: { identity: byName(cloud), scope: { project: { name: "demo" } } } }, /find domain in project/],
        [{ auth: { identity: byName(cloud), scope: {} } }, /in scope/]
      ]
      for (const [body, problem] of cases) {
        const answer = yield* identity(cloud, "POST", "/v3/auth/tokens", { body })
        assert.strictEqual(answer.status, 400)
        assert.match(answer.json.error.message, problem)
      }
    })
  )

  it.effect("without a scope gives a token without project and catalog, unless the user has a default project", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const bare = yield* login(cloud, byName(cloud))
      assert.deepStrictEqual([bare.json.token.project, bare.json.token.catalog], [undefined, undefined])
      const { username: name, password, projectId } = cloud.other
      const usual = yield* login(cloud, byName(cloud, { name, password }))
      assert.strictEqual(usual.json.token.project.id, projectId)
      const unscoped = yield* login(cloud, byName(cloud, { name, password }), "unscoped")
      assert.strictEqual(unscoped.json.token.project, undefined)
    })
  )

  it.effect("of an administrator also gives domain and system", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const { username: name, password } = cloud.admin
      const admin = byName(cloud, { name, password })
      const domain = yield* login(cloud, admin, { domain: { name: "Default" } })
      assert.deepStrictEqual(domain.json.token.domain, { id: "default", name: "Default" })
      const share = domain.json.token.catalog.find((one: Service) => one.type === "share")
      assert.deepStrictEqual(share.endpoints, [], "a URL with a project in it is left out")
      const system = yield* login(cloud, admin, { system: { all: true } })
      assert.deepStrictEqual(system.json.token.system, { all: true })
    })
  )
})

describe("an application credential", () => {
  it.effect("gives a token for its project, by id or by name and owner, and takes no scope", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const {
        applicationCredentialId: id,
        applicationCredentialName: name,
        applicationCredentialSecret: secret,
        projectId
      } = cloud.credentials
      const credential = (given: object) => ({ methods: ["application_credential"], application_credential: given })
      const owner = { name: "demo", domain: { id: "default" } }
      for (const given of [
        { id, secret },
        { name, secret, user: owner }
      ]) {
        const { status, json } = yield* login(cloud, credential(given))
        assert.strictEqual(status, 201)
        assert.deepStrictEqual([json.token.project.id, json.token.application_credential.id], [projectId, id])
      }
      const status = (given: object, scope?: object) =>
        Effect.map(login(cloud, credential(given), scope), (answer) => answer.status)
      assert.strictEqual(yield* status({ id, secret: "wrong" }), 401)
      assert.strictEqual(yield* status({ name: "other-app", secret, user: owner }), 401)
      assert.strictEqual(yield* status({ id: "nope", secret }), 404)
      assert.strictEqual(yield* status({ id, secret }, demo), 401)
    })
  )
})

describe("a token", () => {
  it.effect("gives another one that ends when the first does", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ tokenLifetimeMillis: 60_000 })
      const first = yield* login(cloud, byName(cloud))
      yield* TestClock.adjust("30 seconds")
      const second = yield* login(cloud, { methods: ["token"], token: { id: tokenOf(first) } }, demo)
      assert.strictEqual(second.status, 201)
      assert.deepStrictEqual(second.json.token.methods, ["password", "token"])
      assert.strictEqual(second.json.token.expires_at, first.json.token.expires_at)
      yield* TestClock.adjust("30 seconds")
      const third = yield* login(cloud, { methods: ["token"], token: { id: tokenOf(second) } }, demo)
      assert.strictEqual(third.status, 401)
    })
  )

  it.effect("can be looked at and revoked", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const made = yield* login(cloud, byName(cloud), demo)
      const headers = { "x-auth-token": tokenOf(made), "x-subject-token": tokenOf(made) }
      const seen = yield* identity(cloud, "GET", "/v3/auth/tokens", { headers })
      assert.deepStrictEqual(seen.json, made.json)
      assert.strictEqual((yield* identity(cloud, "HEAD", "/v3/auth/tokens", { headers })).text, "")
      assert.strictEqual((yield* identity(cloud, "DELETE", "/v3/auth/tokens", { headers })).status, 204)
      assert.strictEqual((yield* identity(cloud, "GET", "/v3/auth/tokens", { headers })).status, 401)
    })
  )
})

describe("the catalog", () => {
  it.effect("has Keystone and three names of the share service, each with three interfaces", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const { json } = yield* login(cloud, byName(cloud), demo)
      const catalog: ReadonlyArray<Service> = json.token.catalog
      assert.deepStrictEqual(
        catalog.map((one) => [one.type, one.endpoints[0]?.url.replace("http://cloud", "")]),
        [
          ["identity", "/identity/v3"],
          ["shared-file-system", "/share/v2"],
          ["sharev2", "/share/v2"],
          ["share", `/share/v1/${cloud.credentials.projectId}`]
        ]
      )
      for (const { endpoints } of catalog) {
        assert.deepStrictEqual(
          endpoints.map((one) => [one.interface, one.region]),
          [
            ["public", "RegionOne"],
            ["internal", "RegionOne"],
            ["admin", "RegionOne"]
          ]
        )
      }
    })
  )

  it.effect("of a cloud before 2.60 has the project's id in the path", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ microversion: { max: "2.59" } })
      const { json } = yield* login(cloud, byName(cloud), demo)
      const service = json.token.catalog.find((one: Service) => one.type === "sharev2")
      assert.strictEqual(service.endpoints[0].url, `http://cloud/share/v2/${cloud.credentials.projectId}`)
    })
  )

  it.effect("is as it was asked for, and is left out if the login says so", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        catalog: [
          { type: "share", regions: ["North", "South"], interfaces: ["internal"], path: "https://elsewhere/v1" }
        ]
      })
      const { json } = yield* login(cloud, byName(cloud), demo)
      assert.deepStrictEqual(
        json.token.catalog.map((one: Service) => [
          one.type,
          one.endpoints.map(({ interface: name, region, url }) => ({ interface: name, region, url }))
        ]),
        [
          [
            "share",
            [
              { interface: "internal", region: "North", url: "https://elsewhere/v1" },
              { interface: "internal", region: "South", url: "https://elsewhere/v1" }
            ]
          ]
        ]
      )
      const without = yield* login(cloud, byName(cloud), demo, "/v3/auth/tokens?nocatalog")
      assert.strictEqual(without.json.token.catalog, undefined)
    })
  )
})

describe("discovery", () => {
  it.effect("is 300 at the root and 200 at v3, and links where the caller came from", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const root = yield* identity(cloud, "GET", "/")
      assert.strictEqual(root.status, 300)
      assert.strictEqual(root.json.versions.values[0].links[0].href, "http://cloud/identity/v3/")
      const v3 = yield* identity(cloud, "GET", "/v3")
      assert.deepStrictEqual([v3.status, v3.json.version.id], [200, "v3.14"])
      assert.strictEqual((yield* identity(cloud, "GET", "/v2.0")).status, 404)
    })
  )

  it.effect("projects and users can be looked up by an administrator, and oneself by everybody", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const look = (path: string, as: "demo" | "admin") => ask(cloud, "GET", path, { as, service: "/identity" })
      const named = yield* look("/v3/projects?name=demo", "admin")
      assert.deepStrictEqual(
        named.json.projects.map((one: { id: string }) => one.id),
        [cloud.credentials.projectId]
      )
      assert.strictEqual((yield* look("/v3/projects?name=demo", "demo")).status, 403)
      assert.strictEqual((yield* look(`/v3/projects/${cloud.credentials.projectId}`, "demo")).status, 200)
      assert.strictEqual((yield* look(`/v3/users/${cloud.admin.userId}`, "demo")).status, 403)
      assert.strictEqual((yield* look("/v3/users/nope", "admin")).status, 404)
    })
  )
})

describe("a passcode", () => {
  const code = (cloud: Cloud, at: number) => ({
    methods: ["totp"],
    totp: { user: { id: cloud.credentials.userId, passcode: FakeKeystone.passcode("demo", at) } }
  })

  it.effect("gives a token for as long as its half minute and the next", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const now = yield* Clock.currentTimeMillis
      assert.match(FakeKeystone.passcode("demo", now), /^\d{6}$/)
      const statuses = [(yield* login(cloud, code(cloud, now), demo)).status]
      for (const step of ["59 seconds", "1 second"] as const) {
        yield* TestClock.adjust(step)
        statuses.push((yield* login(cloud, code(cloud, now), demo)).status)
      }
      assert.deepStrictEqual(statuses, [201, 201, 401])
    })
  )

  it.effect("and a password are asked for together of a user that has a rule, with a receipt for the one", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const { password, userId: id } = FakeKeystone.guarded
      const first = { methods: ["password"], password: { user: { id, password } } }
      const refused = yield* login(cloud, first, demo)
      assert.strictEqual(refused.status, 401)
      assert.match(refused.headers["openstack-auth-receipt"] ?? "", /^gAAAAA/)
      assert.deepStrictEqual(
        [refused.json.receipt.methods, refused.json.required_auth_methods],
        [["password"], [["password", "totp"]]]
      )
      const passcode = FakeKeystone.passcode("guarded", yield* Clock.currentTimeMillis)
      const both = { ...first, methods: ["password", "totp"], totp: { user: { id, passcode } } }
      const answer = yield* login(cloud, both, demo)
      assert.deepStrictEqual([answer.status, answer.json.token.methods], [201, ["password", "totp"]])
    })
  )
})

describe("a trust", () => {
  const as = (user: { readonly userId: string; readonly password: string }) => ({
    methods: ["password"],
    password: { user: { id: user.userId, password: user.password } }
  })

  it.effect("lets its trustee, and nobody else, act as its trustor", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const scope = { "OS-TRUST:trust": { id: FakeKeystone.trustId } }
      const answer = yield* login(cloud, as(cloud.other), scope)
      assert.strictEqual(answer.status, 201)
      const { token } = answer.json
      assert.deepStrictEqual([token.user.name, token.project.name], ["demo", "demo"])
      assert.deepStrictEqual(token["OS-TRUST:trust"], {
        id: FakeKeystone.trustId,
        trustor_user: { id: cloud.credentials.userId },
        trustee_user: { id: cloud.other.userId },
        impersonation: true
      })
      const statuses = yield* Effect.all([
        login(cloud, as(cloud.credentials), scope),
        login(cloud, as(cloud.other), { "OS-TRUST:trust": { id: "none" } }),
        login(cloud, as(cloud.other), { "OS-TRUST:trust": {} }),
        login(cloud, as(cloud.other), { ...scope, ...demo })
      ])
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        [403, 401, 400, 400]
      )
    })
  )
})
