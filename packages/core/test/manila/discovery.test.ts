/**
 * Where the share service is and which microversion is spoken: found out once, and asked for before anything else.
 */
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Share from "@effect-manila/core/manila/Share"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { assert, describe, it } from "vitest"
import * as Canned from "./support/canned.ts"
import * as Cloud from "./support/cloud.ts"

const id = Share.ShareId.make("11111111-1111-4111-8111-111111111111")
const seed = { shares: [{ id, size: 1 }] }
const version = Effect.flatMap(Manila.Manila, (manila) => manila.version)
const endpoint = Effect.flatMap(Manila.Manila, (manila) => manila.endpoint)
const create = Share.create({ shareProto: "NFS", size: 1 })

const document =
  (body: unknown, status = 300): App =>
  () =>
    Effect.succeed({
      _tag: "Answer",
      answer: { status, headers: {}, body: typeof body === "string" ? body : JSON.stringify(body) }
    })
/** Answers the root with something else. */
const root =
  (answer: App) =>
  (app: App): App =>
  (request) =>
    request.path === "/share/" ? answer(request) : app(request)
const v2 = { id: "v2.0", status: "CURRENT", version: "2.51", min_version: "2.0" }

describe("the microversion", () => {
  /** A fake cloud can't be newer than this library, so the document is the test's own. */
  const spoken = (server: { min?: string; max?: string }, microversion?: string) =>
    Cloud.run(
      { wrap: root(document({ versions: [{ ...v2, ...told(server) }] })), options: { microversion } },
      (world) =>
        Effect.gen(function* () {
          const result = yield* Effect.either(version)
          const created = yield* Effect.either(create)
          return {
            said: result._tag === "Right" ? result.right : `${result.left._tag}: ${result.left.message}`,
            created: created._tag,
            sent: world.sent().map(({ headers }) => headers["x-openstack-manila-api-version"])
          }
        })
    )
  const told = ({ max = "2.99", min = "2.0" }) => ({ min_version: min, version: max })

  it("is the highest that both have: 2.51 of a cloud of 2.0 to 2.51", () => {
    assert.deepStrictEqual(spoken({ max: "2.51" }), { said: "2.51", created: "Right", sent: ["2.51"] })
    assert.strictEqual(spoken({ max: "2.99" }).said, "2.99")
    assert.strictEqual(spoken({ max: "2.120" }).said, "2.99")
    assert.strictEqual(spoken({ max: "2.9" }).said, "2.9")
  })

  it("is the one that is asked for, if the cloud has it", () => {
    assert.deepStrictEqual(spoken({ max: "2.51" }, "2.7"), { said: "2.7", created: "Right", sent: ["2.7"] })
    assert.strictEqual(spoken({ max: "2.51" }, "2.51").said, "2.51")
  })

  it("that the cloud does not have is an error with both ranges, and nothing is sent", () => {
    const { created, said, sent } = spoken({ max: "2.51" }, "2.60")
    assert.strictEqual(
      said,
      "NotSupported: versions: microversion 2.60 is not available: the service has 2.0 to 2.51, this client 2.0 to 2.99"
    )
    assert.deepStrictEqual({ created, sent }, { created: "Left", sent: [] })
    assert.include(spoken({ min: "2.40" }, "2.7").said, "the service has 2.40 to 2.99")
    assert.include(spoken({ max: "2.120" }, "2.100").said, "this client 2.0 to 2.99")
  })

  it("that both sides share none of is an error with both ranges", () => {
    assert.include(
      spoken({ min: "2.100", max: "2.120" }).said,
      "the service has 2.100 to 2.120, this client 2.0 to 2.99"
    )
  })

  it("that is none is refused without a request", () => {
    for (const asked of ["latest", "2", "2.07", "v2.7", "", "2.7.1", "-1.2"]) {
      const discovered = Cloud.run({ options: { microversion: asked } }, (world) =>
        Effect.map(Effect.flip(create), (error) => [error._tag, world.discovered(), world.identity()])
      )
      assert.deepStrictEqual(discovered, ["NotSupported", [], []], asked)
    }
  })

  it("is compared as numbers: 2.10 is newer than 2.9", () => {
    assert.strictEqual(spoken({ max: "2.10" }, "2.9").said, "2.9")
    assert.include(spoken({ max: "2.9" }, "2.10").said, "NotSupported")
  })
})

describe("discovery", () => {
  it("is one request for fifty fibers that come together, and none for who comes later", () => {
    const lines = Cloud.run({ cloud: { seed } }, (world) =>
      Effect.gen(function* () {
        yield* Effect.forEach(Array.from({ length: 50 }), () => Share.get({ id }), { concurrency: "unbounded" })
        yield* Share.get({ id })
        return [world.discovered(), world.identity()]
      })
    )
    assert.deepStrictEqual(lines, [["GET /share/"], ["POST /identity/v3/auth/tokens"]])
  })

  it("needs no token at the root", () => {
    const told = Cloud.run({ endpoint: `${Cloud.origin}/share/v2` }, (world) =>
      Effect.map(version, () => [world.discovered(), world.identity()])
    )
    assert.deepStrictEqual(told, [["GET /share/"], []])
  })

  it("that failed is forgotten: the next request makes another", () => {
    const told = Cloud.run(
      { cloud: { seed }, faults: [Faults.on({ path: "/share/", nth: [1, 2, 3] }, Faults.status(503))] },
      (world) =>
        Effect.gen(function* () {
          const first = yield* Effect.flip(Share.get({ id }))
          const second = yield* Share.get({ id })
          return { first: first._tag, second: second.id, lines: world.discovered().length }
        })
    )
    assert.deepStrictEqual(told, { first: "Unavailable", second: id, lines: 4 })
  })

  it("that fails fails all who share it", () => {
    const told = Cloud.run({ faults: [Faults.on({ path: "/share/" }, Faults.status(503))] }, (world) =>
      Effect.gen(function* () {
        const results = yield* Effect.forEach([1, 2, 3], () => Effect.flip(Share.get({ id })), {
          concurrency: "unbounded"
        })
        return { tags: results.map(({ _tag }) => _tag), lines: world.discovered().length }
      })
    )
    assert.deepStrictEqual(told, { tags: ["Unavailable", "Unavailable", "Unavailable"], lines: 3 })
  })

  it("that is interrupted with the fiber that made it is made again by one of those who share it", () => {
    const told = Cloud.run(
      { cloud: { seed }, faults: [Faults.on({ path: "/share/", nth: 1 }, Faults.hang)] },
      (world) =>
        Effect.gen(function* () {
          const first = yield* Effect.fork(Share.get({ id }))
          yield* Effect.sleep("1 second")
          const others = yield* Effect.fork(
            Effect.forEach(Array.from({ length: 20 }), () => Share.get({ id }), { concurrency: "unbounded" })
          )
          yield* Effect.sleep("1 second")
          yield* Fiber.interrupt(first)
          const got = yield* Fiber.join(others)
          return { got: got.length, lines: world.discovered() }
        })
    )
    assert.deepStrictEqual(told, { got: 20, lines: ["GET /share/", "GET /share/"] })
  })

  it("is not ended by a fiber that only waited for it", () => {
    const lines = Cloud.run(
      { cloud: { seed }, faults: [Faults.on({ path: "/share/", delay: "10 seconds" }, Faults.pass)] },
      (world) =>
        Effect.gen(function* () {
          const first = yield* Effect.fork(Share.get({ id }))
          yield* Effect.sleep("1 second")
          const second = yield* Effect.fork(Share.get({ id }))
          yield* Effect.sleep("1 second")
          yield* Fiber.interrupt(second)
          yield* Fiber.join(first)
          return world.discovered()
        })
    )
    assert.deepStrictEqual(lines, ["GET /share/"])
  })

  it("repeats after a transient fault, as every read", () => {
    const told = Cloud.run(
      { cloud: { seed }, faults: [Faults.on({ path: "/share/", nth: 1 }, Faults.reset)] },
      (world) => Effect.map(Share.get({ id }), () => world.discovered().length)
    )
    assert.strictEqual(told, 2)
  })
})

describe("the endpoint", () => {
  const catalog = (path: string): FakeCloud.Options => ({ seed, catalog: [{ type: "sharev2", path }] })
  const found = (setup: Cloud.Setup) =>
    Cloud.run(setup, (world) =>
      Effect.gen(function* () {
        const url = yield* endpoint
        const got = yield* Share.get({ id })
        assert.strictEqual(got.id, id)
        return {
          url: url.replace(Cloud.origin, ""),
          paths: world.sent().map(({ path }) => path),
          at: world.discovered()
        }
      })
    )
  const project = Cloud.run({}, ({ cloud }) => Effect.succeed(cloud.credentials.projectId))

  for (const [name, path, url] of [
    ["with /v2", "/share/v2", "/share/v2"],
    ["with a slash at its end", "/share/v2/", "/share/v2"],
    ["without a version", "/share", "/share/v2"],
    ["without a version, with a slash", "/share/", "/share/v2"],
    ["with the project's id", "/share/v2/{project_id}", `/share/v2/${project}`]
  ] as const) {
    it(`${name} is used as the service means it`, () => {
      assert.deepStrictEqual(found({ cloud: catalog(path) }), {
        url,
        paths: [`${url.replace("/share/v2", "")}/shares/${id}`],
        at: ["GET /share/"]
      })
    })
  }

  it("that is given is used, and the catalog is not read", () => {
    assert.strictEqual(found({ cloud: { seed }, endpoint: `${Cloud.origin}/share/v2/` }).url, "/share/v2")
  })

  it("is that of shared-file-system, then of sharev2; the old share is v1 and never used", () => {
    const paths: Readonly<Record<string, string>> = {
      "shared-file-system": "/share/v2",
      sharev2: "/share/v2/{project_id}",
      share: "/share/v1/{project_id}"
    }
    const url = (...types: ReadonlyArray<string>) =>
      Cloud.run({ cloud: { seed, catalog: types.map((type) => ({ type, path: paths[type]! })) } }, () =>
        Effect.either(endpoint)
      )
    const right = (...types: ReadonlyArray<string>) => {
      const result = url(...types)
      return result._tag === "Right" ? result.right.replace(Cloud.origin, "") : result.left._tag
    }
    assert.strictEqual(right("share", "sharev2", "shared-file-system"), "/share/v2")
    assert.strictEqual(right("shared-file-system"), "/share/v2")
    assert.strictEqual(right("share", "sharev2"), `/share/v2/${project}`)
    const none = url("share")
    assert.isTrue(none._tag === "Left" && none.left._tag === "EndpointNotFound")
    assert.include(
      String(none._tag === "Left" && none.left.message),
      "shared-file-system or sharev2; types found: share"
    )
  })

  it("on a host that is named like a version is not cut there", () => {
    const wrap = Canned.replies(Canned.json(200, { share: { id, status: "available" } })).wrap
    const told = Cloud.run({ wrap, endpoint: "http://v2/share/v2", origins: ["http://v2"] }, (world) =>
      Effect.map(Share.get({ id }), () => world.discovered())
    )
    assert.deepStrictEqual(told, ["GET /share/"])
  })
})

describe("the version documents", () => {
  const spoken = (wrap: (app: App) => App) =>
    Cloud.run({ wrap, cloud: { seed } }, (world) =>
      Effect.map(Effect.either(version), (result) => ({
        said: result._tag === "Right" ? result.right : result.left._tag,
        lines: world.discovered()
      }))
    )

  it("of older servers list a v1 with empty versions too", () => {
    const v1 = { id: "v1.0", status: "DEPRECATED", version: "", min_version: "" }
    for (const versions of [
      [v1, v2],
      [v2, v1]
    ]) {
      assert.strictEqual(spoken(root(document({ versions }))).said, "2.51")
    }
  })

  for (const [name, answer] of Object.entries({
    "404": document({ message: "no" }, 404),
    "403": document("", 403),
    "401": document({ error: { message: "no" } }, 401),
    "400": document("", 400),
    "405": document("", 405),
    "a redirection": document("", 302),
    "a page": document("<html><title>Dashboard</title></html>", 200),
    nothing: document("", 200),
    "another service's versions": document({ versions: { values: [] } }, 300),
    "only v1": document({ versions: [{ id: "v1.0", version: "", min_version: "" }] })
  })) {
    it(`are read below /v2/, with a token, where the root answers ${name}`, () => {
      assert.deepStrictEqual(spoken(root(answer)), { said: "2.99", lines: ["GET /share/", "GET /share/v2/"] })
    })
  }

  it("that are nowhere are an error that names the URL", () => {
    const nowhere =
      (app: App): App =>
      (request) =>
        request.path.startsWith("/share") ? document({ versions: [] })(request) : app(request)
    const told = Cloud.run({ wrap: nowhere }, () => Effect.flip(version))
    assert.strictEqual(told._tag, "Unexpected")
    assert.include(told.message, `${Cloud.origin}/share/v2/ is no share service`)
    const notFound = Cloud.run(
      { wrap: (app) => (request) => (request.path.startsWith("/share") ? document("", 404)(request) : app(request)) },
      () => Effect.flip(version)
    )
    assert.strictEqual(notFound._tag, "NotFound")
  })
})
