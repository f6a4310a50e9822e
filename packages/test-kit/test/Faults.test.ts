import { assert, describe, it } from "@effect/vitest"
import { innermostCode } from "@effect-manila/core/http/Fault"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Journal from "@effect-manila/test-kit/Journal"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App } from "@effect-manila/test-kit/Wire"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { always, answer } from "./transports.ts"

const good = always(answer('{"share":{"id":"1"}}', { headers: { "content-type": "application/json", "x-own": "1" } }))

/** `GET /path` or `POST /path`, and what came of it in a few words. */
const send = (client: HttpClient.HttpClient, line: string) =>
  Effect.suspend(() => {
    const [method, path] = line.split(" ")
    return client.execute(HttpClientRequest.make(method as "GET")(`${InProcess.defaultOrigin}${path}`)).pipe(
      Effect.flatMap((response) =>
        Effect.matchEffect(response.json, {
          onFailure: (error) =>
            Effect.map(Effect.merge(response.text), (text) =>
              typeof text === "string"
                ? `${response.status} not JSON`
                : `${response.status} ${innermostCode(error.cause)}`
            ),
          onSuccess: () => Effect.succeed(String(response.status))
        })
      ),
      Effect.catchAll((error) => Effect.succeed(innermostCode(error.cause) ?? error.reason))
    )
  })

const outcomes = (faults: ReadonlyArray<Faults.Fault>, lines: ReadonlyArray<string>, app: App = good) =>
  VirtualTime.runSync(
    Effect.gen(function* () {
      const faulty = yield* Faults.wrap(app, faults)
      const client = InProcess.make(faulty)
      const results = yield* Effect.forEach(lines, (line) => send(client, line))
      return { results, counts: yield* faulty.counts }
    })
  )

const first = (outcome: Faults.Outcome, match: Faults.Match = {}) =>
  outcomes([Faults.on({ nth: 1, ...match }, outcome)], ["GET /share/v2/shares/1", "GET /share/v2/shares/1"]).results

describe("Faults", () => {
  it("each outcome is what it says, once, and the next request is good", () => {
    assert.deepStrictEqual(first(Faults.status(503)), ["503", "200"])
    assert.deepStrictEqual(first(Faults.status(204)), ["204", "200"])
    assert.deepStrictEqual(first(Faults.html()), ["502 not JSON", "200"])
    assert.deepStrictEqual(first(Faults.html(504)), ["504 not JSON", "200"])
    assert.deepStrictEqual(first(Faults.expiredToken), ["401", "200"])
    assert.deepStrictEqual(first(Faults.reset), ["ECONNRESET", "200"])
    assert.deepStrictEqual(first(Faults.truncate(5)), ["200 ECONNRESET", "200"])
    assert.deepStrictEqual(first(Faults.truncate(500)), ["200", "200"])
    assert.deepStrictEqual(first(Faults.malformed), ["200 not JSON", "200"])
    assert.deepStrictEqual(first(Faults.pass), ["200", "200"])
  })

  it("a request that hangs has no answer, ever", () => {
    const run = VirtualTime.runExit(
      Effect.flatMap(Faults.wrap(good, [Faults.on({}, Faults.hang)]), (faulty) =>
        Effect.timeoutTo(send(InProcess.make(faulty), "GET /x"), {
          duration: "20 days",
          onSuccess: (text) => text,
          onTimeout: () => "still nothing"
        })
      )
    )
    assert.strictEqual(run.exit._tag === "Success" ? run.exit.value : "", "still nothing")
  })

  it("a delay passes before the cloud's answer, or before the fault", () => {
    for (const outcome of [Faults.pass, Faults.status(503), Faults.reset, Faults.truncate(1)]) {
      const millis = VirtualTime.runSync(
        Effect.gen(function* () {
          const slow: App = (request) => Effect.map(good(request), (reply) => ({ ...reply, delayMillis: 500 }))
          const faulty = yield* Faults.wrap(slow, [Faults.on({ delay: "2 seconds" }, outcome)])
          yield* send(InProcess.make(faulty), "GET /x")
          return yield* Clock.currentTimeMillis
        })
      )
      assert.strictEqual(millis, outcome._tag === "Pass" || outcome._tag === "Truncate" ? 2_500 : 2_000)
    }
  })

  describe("which requests", () => {
    const taken = (match: Faults.Match, lines: ReadonlyArray<string>) =>
      outcomes([Faults.on(match, Faults.status(418))], lines).results.map((result) => result === "418")

    it("by method, in any case", () => {
      assert.deepStrictEqual(taken({ method: "post" }, ["GET /x", "POST /x"]), [false, true])
    })

    it("by service", () => {
      const lines = ["GET /identity/v3", "GET /share/v2/shares", "GET /shared", "GET /"]
      assert.deepStrictEqual(taken({ service: "identity" }, lines), [true, false, false, false])
      assert.deepStrictEqual(taken({ service: "share" }, lines), [false, true, false, false])
    })

    const table: ReadonlyArray<readonly [string | RegExp, ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [
        "shares/*",
        ["/share/v2/shares/1", "/share/v2/0f3/shares/1", "/share/v2/shares/detail", "/shares/1/"],
        ["/share/v2/shares", "/share/v2/shares/1/action", "/share/v2/myshares/1"]
      ],
      ["shares", ["/share/v2/shares"], ["/share/v2/shares/1", "/share/v2/snapshares"]],
      ["shares/*/action", ["/share/v2/shares/1/action"], ["/share/v2/shares/action"]],
      ["shares/**", ["/v2/shares", "/v2/shares/1", "/v2/shares/1/action"], ["/v2/snapshots/1"]],
      ["/identity/**", ["/identity/v3/auth/tokens", "/identity"], ["/share/identity/v3"]],
      ["share*/1", ["/v2/shares/1", "/v2/share-networks/1"], ["/v2/shares/a/1", "/v2/xshares/1"]],
      ["a.b", ["/a.b"], ["/aXb"]],
      [/v2\/(shares|snapshots)$/, ["/share/v2/shares", "/share/v2/snapshots"], ["/share/v2/types"]]
    ]
    for (const [path, yes, no] of table) {
      it(`by path: ${path}`, () => {
        assert.deepStrictEqual(
          taken(
            { path },
            yes.map((one) => `GET ${one}`)
          ),
          yes.map(() => true)
        )
        assert.deepStrictEqual(
          taken(
            { path },
            no.map((one) => `GET ${one}`)
          ),
          no.map(() => false)
        )
      })
    }

    it("by number: one, some, a range, all", () => {
      const five = Array.from({ length: 5 }, () => "GET /x")
      assert.deepStrictEqual(taken({ nth: 2 }, five), [false, true, false, false, false])
      assert.deepStrictEqual(taken({ nth: [1, 4] }, five), [true, false, false, true, false])
      assert.deepStrictEqual(taken({ nth: { from: 2, to: 3 } }, five), [false, true, true, false, false])
      assert.deepStrictEqual(taken({ nth: { from: 4 } }, five), [false, false, false, true, true])
      assert.deepStrictEqual(
        taken({}, five),
        five.map(() => true)
      )
    })
  })

  it("the first fault that fits wins, and those behind it count the request all the same", () => {
    const { counts, results } = outcomes(
      [
        Faults.on({ path: "shares/*", nth: 1 }, Faults.reset),
        Faults.on({ path: "shares/*", nth: [1, 2] }, Faults.status(503)),
        Faults.on({ method: "POST" }, Faults.status(500))
      ],
      ["GET /v2/shares/1", "GET /v2/shares/1", "GET /v2/shares/1", "GET /v2/types"]
    )
    assert.deepStrictEqual(results, ["ECONNRESET", "503", "200", "200"])
    assert.deepStrictEqual(counts, [
      { matched: 3, fired: 1 },
      { matched: 3, fired: 1 },
      { matched: 0, fired: 0 }
    ])
  })

  it("a fault added later counts from then on", () => {
    const results = VirtualTime.runSync(
      Effect.gen(function* () {
        const faulty = yield* Faults.wrap(good, [])
        const client = InProcess.make(faulty)
        const before = yield* send(client, "GET /x")
        yield* faulty.add(Faults.on({ nth: 1 }, Faults.reset))
        return [before, yield* send(client, "GET /x"), yield* send(client, "GET /x")]
      })
    )
    assert.deepStrictEqual(results, ["200", "ECONNRESET", "200"])
  })

  it("the cloud doesn't see a request a fault took, unless the fault says it was applied", () => {
    let seen = 0
    const counting: App = (request) =>
      Effect.zipRight(
        Effect.sync(() => seen++),
        good(request)
      )
    const reached = (outcome: Faults.Outcome, applied?: boolean) => {
      seen = 0
      const { results } = outcomes([Faults.on({ applied }, outcome)], ["POST /share/v2/shares"], counting)
      return `${results[0]}, ${seen === 1 ? "applied" : "not applied"}`
    }
    assert.strictEqual(reached(Faults.reset), "ECONNRESET, not applied")
    assert.strictEqual(reached(Faults.reset, true), "ECONNRESET, applied")
    assert.strictEqual(reached(Faults.status(504)), "504, not applied")
    assert.strictEqual(reached(Faults.status(504), true), "504, applied")
    assert.strictEqual(reached(Faults.truncate(2)), "200 ECONNRESET, applied")
    assert.strictEqual(reached(Faults.malformed), "200 not JSON, applied")
  })

  it("the journal of a cloud tells of every request, also of those that did not reach it", () => {
    const { journal, write } = Journal.make()
    const app: App = (request) =>
      Effect.zipRight(
        Effect.sync(() =>
          write({
            time: 0,
            method: request.method,
            path: request.path,
            query: [],
            status: 200,
            microversion: undefined,
            requestId: undefined,
            service: "share"
          })
        ),
        good(request)
      )
    const entries = VirtualTime.runSync(
      Effect.gen(function* () {
        const faulty = yield* Faults.wrap({ app, journal }, [
          Faults.on({ nth: 1 }, Faults.status(503)),
          Faults.on({ nth: 2 }, Faults.reset),
          Faults.on({ nth: 3, applied: true }, Faults.reset)
        ])
        const client = InProcess.make(faulty)
        yield* Effect.sleep(7)
        const line = "GET /share/v2/shares/1"
        yield* Effect.all([send(client, line), send(client, line), send(client, line), send(client, line)])
        return yield* journal.entries
      })
    )
    assert.deepStrictEqual(
      entries.map(({ status, time }) => [status, time]),
      [
        [503, 7],
        [0, 7],
        [200, 0],
        [200, 0]
      ]
    )
  })

  it("a layer puts faults in front of the cloud of the context", () => {
    const statuses = VirtualTime.runSync(
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const cloud = yield* FakeCloud.FakeCloud
        yield* send(client, "GET /share/")
        yield* send(client, "GET /share/")
        return (yield* cloud.journal.entries).map(({ status }) => status)
      }).pipe(
        Effect.provide(
          InProcess.layerCloud().pipe(
            Layer.provideMerge(Faults.layer([Faults.on({ nth: 1 }, Faults.html(502))])),
            Layer.provide(FakeCloud.layer())
          )
        )
      )
    )
    assert.deepStrictEqual(statuses, [502, 300])
  })

  it("bodies are the services' own: a Manila fault, a Keystone error, the token middleware's refusal", () => {
    const body = (path: string, outcome: Faults.Outcome) =>
      VirtualTime.runSync(
        Effect.flatMap(Faults.wrap(good, [Faults.on({}, outcome)]), (faulty) =>
          InProcess.make(faulty)
            .get(`${InProcess.defaultOrigin}${path}`)
            .pipe(
              Effect.flatMap((response) => Effect.map(response.text, (text) => ({ text, headers: response.headers })))
            )
        )
      )
    assert.strictEqual(
      body("/share/v2/shares", Faults.status(503)).text,
      '{"serviceUnavailable":{"code":503,"message":"Service Unavailable"}}'
    )
    assert.match(body("/share/v2/shares", Faults.status(502)).text, /^{"computeFault":{"code":502/)
    assert.match(body("/identity/v3", Faults.status(500)).text, /^{"error":{"code":500,"title":"Internal Server Error"/)
    const expired = body("/share/v2/shares", Faults.expiredToken)
    assert.strictEqual(
      expired.text,
      '{"error":{"code":401,"title":"Unauthorized","message":"The request you have made requires authentication."}}'
    )
    assert.strictEqual(expired.headers["www-authenticate"], 'Keystone uri="http://fake-cloud.test/identity"')
    assert.match(expired.headers["x-openstack-request-id"] ?? "", /^req-[0-9a-f-]{36}$/)
    const busy = body("/x", Faults.status(429, { headers: { "Retry-After": "7" }, body: "slow down" }))
    assert.deepStrictEqual([busy.text, busy.headers["retry-after"]], ["slow down", "7"])
  })
})
