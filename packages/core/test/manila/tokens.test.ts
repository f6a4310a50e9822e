/**
 * Tokens that end while something is waited for.
 */
import * as Share from "@effect-manila/core/manila/Share"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import * as Cloud from "./support/cloud.ts"

const shareId = (n: number) => Share.ShareId.make(`11111111-1111-4111-8111-${String(n).padStart(12, "0")}`)
const id = shareId(0)

/** Shares that are available after `seconds`. */
const creating = (seconds: number, count = 1): Cloud.Setup => ({
  cloud: {
    seed: {
      shares: Array.from({ length: count }, (_, n) => ({
        id: shareId(n),
        phases: [{ status: "creating", millis: seconds * 1000 }, { status: "available" }]
      }))
    }
  }
})

const wait = (id: Share.ShareId) => Waiter.until(Share.probe(id), Share.available)

const tokens = (world: Cloud.World) =>
  world.identity().filter((line) => line === "POST /identity/v3/auth/tokens").length

describe("a token that ends during waits", () => {
  it("is renewed once for fifty of them, and each look is repeated with the new one", () => {
    // Answers take a while, so that all fifty looks are under way together.
    const slow = Faults.on({ method: "GET", path: "shares/*", delay: "200 millis" }, Faults.pass)
    const told = Cloud.run({ ...creating(30, 50), faults: [slow] }, (world) =>
      Effect.gen(function* () {
        yield* Effect.fork(Effect.delay(world.cloud.expireTokens, "12 seconds"))
        yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => shareId(n)),
          wait,
          { concurrency: "unbounded" }
        )
        const sent = world.sent()
        const later = sent.filter(({ at }) => at > 20_000)
        return {
          tokens: tokens(world),
          refused: (yield* world.cloud.journal.filter({ status: 401, service: "share" })).length,
          all: sent.length,
          headers: new Set(later.map(({ headers }) => headers["x-auth-token"])).size
        }
      })
    )
    // 7 looks each, one of them sent twice.
    assert.deepStrictEqual(told, { tokens: 2, refused: 50, all: 50 * 8, headers: 1 })
  })

  it("and is refused again after the renewal ends the wait as Unauthorized", () => {
    const looks = { method: "GET", path: "shares/*" }
    const told = Cloud.run(
      { ...creating(60), faults: [Faults.on({ ...looks, nth: { from: 3 } }, Faults.expiredToken)] },
      (world) =>
        Effect.map(Effect.flip(wait(id)), (error) => ({
          error: error._tag,
          tokens: tokens(world),
          at: world.sent().map(({ at }) => at)
        }))
    )
    assert.deepStrictEqual(told, { error: "Unauthorized", tokens: 2, at: [0, 5000, 10_000, 10_000] })
  })

  it("and was given ready-made ends the wait with a text that says so", () => {
    const told = Cloud.run({ ...creating(60), credentials: Cloud.preIssued }, (world) =>
      Effect.gen(function* () {
        yield* Effect.fork(Effect.delay(world.cloud.expireTokens, "7 seconds"))
        const error = yield* Effect.flip(wait(id))
        return { tag: error._tag, message: error.message, tokens: tokens(world), at: world.sent().map(({ at }) => at) }
      })
    )
    assert.strictEqual(told.tag, "AuthenticationFailed")
    assert.include(told.message, "can't be renewed from itself: get a new one")
    assert.deepStrictEqual([told.tokens, told.at], [0, [0, 5000, 10_000]])
  })

  it("is renewed before it ends where its end is known, so that no look is refused", () => {
    const setup = creating(3600)
    const told = Cloud.run({ cloud: { ...setup.cloud, tokenLifetimeMillis: 900_000 } }, (world) =>
      Effect.gen(function* () {
        yield* wait(id)
        return [tokens(world), (yield* world.cloud.journal.filter({ status: 401 })).length, world.sent().length]
      })
    )
    assert.deepStrictEqual(told, [5, 0, 721])
  })

  it("is renewed although identity could not answer at first", () => {
    const told = Cloud.run(
      { ...creating(30), faults: [Faults.on({ service: "identity", nth: [2, 3] }, Faults.status(503))] },
      (world) =>
        Effect.gen(function* () {
          yield* Effect.fork(Effect.delay(world.cloud.expireTokens, "7 seconds"))
          yield* wait(id)
          return tokens(world)
        })
    )
    assert.strictEqual(told, 4)
  })

  it("is one transient fault of the wait where identity stays away for one look", () => {
    const told = Cloud.run(
      { ...creating(30), faults: [Faults.on({ service: "identity", nth: [2, 3, 4] }, Faults.status(503))] },
      (world) =>
        Effect.gen(function* () {
          yield* Effect.fork(Effect.delay(world.cloud.expireTokens, "7 seconds"))
          const outcome = yield* Waiter.outcome(Share.probe(id), Share.available)
          return [outcome._tag, outcome._tag === "Reached" ? outcome.report.lastFault : "", tokens(world)]
        })
    )
    assert.strictEqual(told[0], "Reached")
    assert.include(String(told[1]), "503")
  })
})
