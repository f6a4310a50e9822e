/**
 * What the client repeats by itself, when, and how long one request may take.
 */
import * as Retry from "@effect-manila/core/http/Retry"
import type * as Manila from "@effect-manila/core/manila/Manila"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import * as Cloud from "./support/cloud.ts"

const id = Share.ShareId.make("11111111-1111-4111-8111-111111111111")
const seeded: Cloud.Setup = { cloud: { seed: { shares: [{ id, size: 1 }] } } }
const looks = { method: "GET", path: "shares/*" }

interface Told {
  readonly tag: string
  /** When each request came, counted from the first one. */
  readonly at: ReadonlyArray<number>
  /** When the effect was over, counted from the first request. */
  readonly end: number
  readonly identity: number
}

const ask = (
  faults: ReadonlyArray<Faults.Fault>,
  effect: Effect.Effect<unknown, unknown, Manila.Manila> = Share.get({ id }),
  setup: Cloud.Setup = {}
): Told =>
  Cloud.run({ ...seeded, ...setup, faults }, (world) =>
    Effect.gen(function* () {
      const result = yield* Effect.either(effect)
      const end = yield* Clock.currentTimeMillis
      const sent = world.sent()
      const start = sent[0]?.at ?? 0
      return {
        tag: result._tag === "Right" ? "ok" : (result.left as { readonly _tag: string })._tag,
        at: sent.map(({ at }) => at - start),
        end: end - start,
        identity: world.identity().length
      }
    })
  )

const change = Share.extend({ id, newSize: 2 })

describe("a read", () => {
  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    it(`that is answered ${status} is tried three times in all, 0.5 s and 1 s apart`, () => {
      const { at, tag } = ask([Faults.on(looks, Faults.status(status))])
      assert.deepStrictEqual({ tag, at }, { tag: "Unavailable", at: [0, 500, 1500] })
      assert.strictEqual(ask([Faults.on({ ...looks, nth: [1, 2] }, Faults.status(status))]).tag, "ok")
    })
  }

  for (const status of [400, 403, 404, 405, 406, 409, 413, 415, 422, 501, 505]) {
    it(`that is answered ${status} is not repeated`, () => {
      const { at, identity } = ask([Faults.on(looks, Faults.status(status))])
      assert.deepStrictEqual({ at, identity }, { at: [0], identity: 1 })
    })
  }

  it("that is answered 401 is repeated once, with a new token", () => {
    const { at, identity, tag } = ask([Faults.on(looks, Faults.status(401))])
    assert.deepStrictEqual({ tag, at, identity }, { tag: "Unauthorized", at: [0, 0], identity: 2 })
  })

  for (const [name, outcome] of Object.entries({
    "was reset": Faults.reset,
    "was cut short": Faults.truncate(20),
    "is not JSON": Faults.malformed,
    "is a proxy's page": Faults.html(502)
  })) {
    it(`whose answer ${name} is repeated`, () => {
      assert.lengthOf(ask([Faults.on(looks, outcome)]).at, 3)
      assert.strictEqual(ask([Faults.on({ ...looks, nth: 1 }, outcome)]).tag, "ok")
    })
  }

  it("of a name that is unknown is not repeated, and one that is refused is", () => {
    const endpoint = (url: string) => ask([], Share.get({ id }), { endpoint: url })
    assert.deepStrictEqual(endpoint("http://elsewhere.test/share/v2").tag, "TransportFault")
    assert.strictEqual(endpoint("http://elsewhere.test/share/v2").end, 0)
    assert.strictEqual(endpoint(`${Cloud.origin}:81/share/v2`).end, 1500)
  })

  it("waits as long as Retry-After asks, and no shorter than its own back-off", () => {
    const after = (value: string) =>
      ask([Faults.on({ ...looks, nth: 1 }, Faults.status(503, { headers: { "retry-after": value } }))])
    assert.deepStrictEqual(after("7").at, [0, 7000])
    assert.deepStrictEqual(after("0").at, [0, 500])
    assert.deepStrictEqual(after("60").at, [0, 60_000])
  })

  it("that is asked to wait for more than a minute is given up at once", () => {
    const { at, end, tag } = ask([Faults.on(looks, Faults.status(503, { headers: { "Retry-After": "61" } }))])
    assert.deepStrictEqual({ at, end, tag }, { at: [0], end: 0, tag: "Unavailable" })
  })

  it("has 60 s for each attempt", () => {
    const { at, end, tag } = ask([Faults.on(looks, Faults.hang)])
    assert.deepStrictEqual({ at, end, tag }, { at: [0, 60_500, 121_500], end: 181_500, tag: "TransportFault" })
    assert.strictEqual(ask([Faults.on({ ...looks, delay: "59999 millis" }, Faults.pass)]).tag, "ok")
  })

  it("that hangs is tried again within its own limit, where one is given", () => {
    const hanging = [Faults.on({ ...looks, nth: 1 }, Faults.hang)]
    assert.deepStrictEqual(ask(hanging, undefined, { requestTimeout: "2 seconds" }).at, [0, 2500])
    assert.deepStrictEqual(ask(hanging, undefined, { options: { requestTimeout: "2 seconds" } }).at, [0, 2500])
  })

  it("that is a POST is repeated too: the rules of a share below 2.45", () => {
    const list = ShareAccess.list({ shareId: id })
    const faults = [Faults.on({ method: "POST", path: "action", nth: [1, 2] }, Faults.status(503))]
    const { at, tag } = ask(faults, list, { options: { microversion: "2.44" } })
    assert.deepStrictEqual({ at, tag }, { at: [0, 500, 1500], tag: "ok" })
  })

  it("is sent once where a wait asks for it", () => {
    for (const status of [408, 503]) {
      assert.deepStrictEqual(ask([Faults.on(looks, Faults.status(status))], Retry.once(Share.get({ id }))).at, [0])
      assert.deepStrictEqual(ask([Faults.on(looks, Faults.status(status))], Share.probe(id)).at, [0])
    }
  })

  it("is tried as often as the program says", () => {
    const often = Effect.locally(Share.get({ id }), Retry.attempts, 5)
    assert.deepStrictEqual(ask([Faults.on(looks, Faults.status(503))], often).at, [0, 500, 1500, 3500, 7500])
  })
})

describe("a change", () => {
  const action = { method: "POST", path: "shares/*/action" }

  for (const [name, outcome, tag] of [
    ["is answered 408", Faults.status(408), "Unavailable"],
    ["is answered 425", Faults.status(425), "Unavailable"],
    ["is answered 429", Faults.status(429, { headers: { "Retry-After": "1" } }), "Unavailable"],
    ["is answered 500", Faults.status(500), "OutcomeUnknown"],
    ["is answered 502 by a proxy", Faults.html(502), "OutcomeUnknown"],
    ["is answered 503", Faults.status(503, { headers: { "Retry-After": "1" } }), "OutcomeUnknown"],
    ["is answered 504", Faults.status(504), "OutcomeUnknown"],
    ["is reset", Faults.reset, "OutcomeUnknown"],
    ["is never answered", Faults.hang, "OutcomeUnknown"],
    ["is answered 403", Faults.status(403), "Forbidden"],
    ["is answered 409", Faults.status(409), "Conflict"]
  ] as const) {
    it(`that ${name} is sent once, and is ${tag}`, () => {
      const told = ask([Faults.on(action, outcome)], change)
      assert.deepStrictEqual({ at: told.at, tag: told.tag }, { at: [0], tag })
    })
  }

  it("whose answer was cut, or can't be read, is OutcomeUnknown: it has happened", () => {
    for (const outcome of [Faults.truncate(10), Faults.malformed]) {
      const faults = [Faults.on({ method: "POST", path: "shares" }, outcome)]
      const { at, tag } = ask(faults, Share.create({ shareProto: "NFS", size: 1 }))
      assert.deepStrictEqual({ at, tag }, { at: [0], tag: "OutcomeUnknown" })
    }
  })

  it("that can't have been sent is a TransportFault, not OutcomeUnknown", () => {
    let refuses = false
    const wrap = (client: HttpClient.HttpClient) =>
      HttpClient.transform(client, (effect, request) =>
        refuses
          ? Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause: refusal }))
          : effect
      )
    const refusal = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })
    const error = Cloud.run({ ...seeded, client: wrap }, () =>
      Effect.gen(function* () {
        yield* Share.get({ id })
        refuses = true
        return yield* Effect.flip(change)
      })
    )
    assert.strictEqual(error._tag, "TransportFault")
    assert.include(error.message, "connection refused")
  })

  it("whose token is refused is sent again with a new one: it did nothing", () => {
    const { at, identity, tag } = ask([Faults.on({ ...action, nth: 1 }, Faults.expiredToken)], change)
    assert.deepStrictEqual({ at, identity, tag }, { at: [0, 0], identity: 2, tag: "ok" })
  })

  it("has 60 s for its answer", () => {
    assert.strictEqual(ask([Faults.on({ ...action, delay: "59999 millis" }, Faults.pass)], change).tag, "ok")
    assert.strictEqual(ask([Faults.on(action, Faults.hang)], change).end, 60_000)
  })
})

describe("the time for one request", () => {
  it("ends it in an uninterruptible region too", () => {
    const told = ask([Faults.on(looks, Faults.hang)], Effect.uninterruptible(Retry.once(Share.get({ id }))))
    assert.deepStrictEqual([told.tag, told.end], ["TransportFault", 60_000])
    const changed = ask([Faults.on({ method: "POST", path: "action" }, Faults.hang)], Effect.uninterruptible(change))
    assert.deepStrictEqual([changed.tag, changed.end], ["OutcomeUnknown", 60_000])
  })

  it("does not make a change interruptible that the program made uninterruptible", () => {
    const told = Cloud.run(
      { ...seeded, faults: [Faults.on({ method: "POST", path: "action", delay: "10 seconds" }, Faults.pass)] },
      () =>
        Effect.gen(function* () {
          yield* Share.get({ id })
          const changing = yield* Effect.fork(Effect.uninterruptible(Effect.either(change)))
          yield* Effect.sleep("1 second")
          const before = yield* Clock.currentTimeMillis
          yield* changing.interruptAsFork(changing.id())
          const exit = yield* changing.await
          return { exit: exit._tag, took: (yield* Clock.currentTimeMillis) - before, share: yield* Share.get({ id }) }
        })
    )
    assert.strictEqual(told.took, 9000)
    assert.strictEqual(told.share.size, 2)
  })
})
