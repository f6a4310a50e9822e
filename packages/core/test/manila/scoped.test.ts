/**
 * A share that lives as long as its scope leaves nothing behind.
 */
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Share from "@effect-manila/core/manila/Share"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { assert, describe, it } from "vitest"
import * as Cloud from "./support/cloud.ts"

const input = { shareProto: "NFS", size: 1, name: "temporary" }
const scoped = Share.scoped(input)

interface Setup {
  readonly lifecycles?: FakeCloud.Options["lifecycles"]
  readonly faults?: ReadonlyArray<Faults.Fault>
}

/** Runs a program, and tells what was sent with its time, how it ended, and how many shares are left an hour later. */
const run = (setup: Setup, program: Effect.Effect<unknown, unknown, Manila.Manila>) =>
  Cloud.run({ cloud: { lifecycles: setup.lifecycles ?? {} }, faults: setup.faults ?? [] }, (world) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(Manila.Manila, (manila) => manila.version)
      const exit = yield* Effect.exit(program)
      const end = yield* Clock.currentTimeMillis
      const sent = world.sent().map(({ at, method }) => `${method} ${at / 1000}`)
      yield* Effect.sleep("1 hour")
      assert.lengthOf(world.sent(), sent.length, "nothing is sent after the end")
      const left = (yield* Share.page({})).items.length
      return { exit, end: end / 1000, sent, left }
    })
  )

/** Interrupts a scope that a share is made in. */
const interruptAfter = (millis: number, setup: Setup) =>
  run(
    setup,
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.scoped(Effect.zipRight(scoped, Effect.never)))
      yield* Effect.sleep(millis)
      yield* Fiber.interruptFork(fiber)
      return yield* Fiber.await(fiber)
    })
  )

const inner = ({ exit }: ReturnType<typeof run>) => {
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value as Exit.Exit<unknown, unknown>
}

const defectOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? [...Cause.defects(exit.cause)].map((defect) => (defect as { _tag?: string })._tag) : []

describe("a scoped share", () => {
  it("is there while the scope is open, and deleted and gone when it has closed", () => {
    const told = run(
      {},
      Effect.scoped(
        Effect.gen(function* () {
          const share = yield* scoped
          assert.strictEqual(share.status, "available")
          assert.strictEqual((yield* Share.get({ id: share.id })).name, "temporary")
        })
      )
    )
    assert.deepStrictEqual(told.exit._tag, "Success")
    assert.deepStrictEqual(told.sent, ["POST 0", "GET 0", "GET 5", "GET 10", "GET 10", "DELETE 10", "GET 10", "GET 15"])
    assert.deepStrictEqual([told.end, told.left], [15, 0])
  })

  it("is deleted where the use of it fails, and the failure is the one that is told", () => {
    const told = run({}, Effect.scoped(Effect.zipRight(scoped, Effect.fail("use"))))
    assert.deepStrictEqual([told.exit, told.left], [Exit.fail("use"), 0])
  })

  it("that ends in error is deleted, and the wait's failure is told", () => {
    const lifecycles = { "share.create": { phases: [{ status: "creating", millis: 3000 }, { status: "error" }] } }
    const told = run({ lifecycles }, Effect.scoped(scoped))
    assert.strictEqual(
      Exit.isFailure(told.exit) && (Cause.squash(told.exit.cause) as { _tag: string })._tag,
      "WaitFailed"
    )
    assert.strictEqual(told.left, 0)
  })

  it("that is still being made when the wait has timed out is deleted once the service allows it", () => {
    const lifecycles = { "share.create": { phases: [{ status: "creating", millis: 42_000 }, { status: "available" }] } }
    const told = run({ lifecycles }, Effect.scoped(Share.scoped(input, { limit: "10 seconds" })))
    assert.strictEqual(
      Exit.isFailure(told.exit) && (Cause.squash(told.exit.cause) as { _tag: string })._tag,
      "WaitTimedOut"
    )
    assert.deepStrictEqual(
      told.sent.filter((line) => line.startsWith("DELETE")),
      ["DELETE 10", "DELETE 45"]
    )
    assert.strictEqual(told.left, 0)
  })

  it("that never comes to rest is a defect after the time for its release", () => {
    const lifecycles = { "share.create": { phases: [{ status: "creating" }] } }
    const told = run({ lifecycles }, Effect.scoped(Share.scoped(input, { limit: "10 seconds" })))
    assert.deepStrictEqual(defectOf(told.exit), ["Forbidden"])
    assert.strictEqual(told.end, 310)
  })

  it("is made by a request that can't be interrupted, and then deleted without waiting", () => {
    const slow = Faults.on({ method: "POST", path: "shares", delay: "10 seconds" }, Faults.pass)
    const lifecycles = { "share.create": { phases: [{ status: "available" }] } }
    const told = interruptAfter(2000, { faults: [slow], lifecycles })
    assert.deepStrictEqual(told.sent, ["POST 0", "DELETE 10"])
    assert.deepStrictEqual([told.end, told.left], [10, 0])
    const exit = inner(told)
    assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
  })

  it("that is never made leaves no finalizer, though its request keeps its time", () => {
    const hang = Faults.on({ method: "POST", path: "shares" }, Faults.hang)
    const told = interruptAfter(2000, { faults: [hang] })
    assert.deepStrictEqual([told.sent, told.end], [["POST 0"], 60])
  })

  it("that is interrupted in its wait is deleted without waiting", () => {
    const lifecycles = {
      "share.create": {
        phases: [{ status: "creating", millis: 3000 }, { status: "available", millis: 2500 }, { status: "creating" }]
      },
      "share.delete": { phases: [{ status: "deleting", millis: 60_000 }, { status: "gone" }] }
    }
    const told = interruptAfter(4000, { lifecycles })
    assert.deepStrictEqual(told.sent, ["POST 0", "GET 0", "DELETE 4"])
    assert.deepStrictEqual([told.end, told.left], [4, 0])
  })

  it("that is interrupted while the service refuses to delete it is a defect that says so", () => {
    const lifecycles = { "share.create": { phases: [{ status: "creating" }] } }
    const told = interruptAfter(7000, { lifecycles })
    assert.deepStrictEqual(told.sent, ["POST 0", "GET 0", "GET 5", "DELETE 7"])
    assert.deepStrictEqual([defectOf(inner(told)), told.end, told.left], [["Forbidden"], 7, 1])
  })

  it("that is interrupted while in use is deleted without waiting", () => {
    const told = interruptAfter(12_000, {})
    assert.deepStrictEqual(told.sent, ["POST 0", "GET 0", "GET 5", "GET 10", "DELETE 12"])
    assert.strictEqual(told.left, 0)
  })

  it("that somebody else has deleted already is fine", () => {
    const told = run({}, Effect.scoped(Effect.flatMap(scoped, ({ id }) => Share.deleteAndWait({ id }))))
    assert.deepStrictEqual([told.exit._tag, told.left], ["Success", 0])
  })

  it("whose release fails is a defect: nothing may be left behind in silence", () => {
    const lifecycles = {
      "share.delete": { phases: [{ status: "deleting", millis: 3000 }, { status: "error_deleting" }] }
    }
    assert.deepStrictEqual(defectOf(run({ lifecycles }, Effect.scoped(scoped)).exit), ["WaitFailed"])
    const refused = Faults.on({ method: "DELETE" }, Faults.status(409))
    assert.deepStrictEqual(defectOf(run({ faults: [refused] }, Effect.scoped(scoped)).exit), ["Conflict"])
  })

  it("that may not be deleted for another reason is asked about once more, and is a defect", () => {
    const told = run({ faults: [Faults.on({ method: "DELETE" }, Faults.status(403))] }, Effect.scoped(scoped))
    assert.deepStrictEqual(defectOf(told.exit), ["Forbidden"])
    assert.lengthOf(
      told.sent.filter((line) => line.startsWith("DELETE")),
      2
    )
  })

  it("has 300 s for its release, or as long as is said", () => {
    const lifecycles = { "share.delete": { phases: [{ status: "deleting" }] } }
    const usual = run({ lifecycles }, Effect.scoped(scoped))
    assert.deepStrictEqual([defectOf(usual.exit), usual.end], [["WaitTimedOut"], 310])
    const short = run({ lifecycles }, Effect.scoped(Share.scoped(input, { release: { limit: "20 seconds" } })))
    assert.deepStrictEqual([defectOf(short.exit), short.end], [["WaitTimedOut"], 30])
  })

  it("whose release meets a hanging look or request ends in time all the same", () => {
    const looks = Faults.on({ method: "GET", path: /shares\/[0-9a-f-]{36}$/, nth: { from: 4 } }, Faults.hang)
    const told = run({ faults: [looks] }, Effect.scoped(Share.scoped(input, { release: { limit: "20 seconds" } })))
    assert.deepStrictEqual([defectOf(told.exit), told.end], [["WaitTimedOut"], 30])
    const request = run({ faults: [Faults.on({ method: "DELETE" }, Faults.hang)] }, Effect.scoped(scoped))
    assert.deepStrictEqual([defectOf(request.exit), request.end], [["OutcomeUnknown"], 70])
  })

  it("that is refused leaves nothing to delete", () => {
    const told = run(
      { faults: [Faults.on({ method: "POST", path: "shares" }, Faults.status(403))] },
      Effect.scoped(scoped)
    )
    assert.deepStrictEqual([told.exit._tag, told.sent], ["Failure", ["POST 0"]])
  })
})
