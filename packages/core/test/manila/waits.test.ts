/**
 * Waits as users met them: limits over a whole verb, interruption, races, old clouds, the recycle bin.
 */
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import * as Manila from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Verb from "@effect-manila/core/manila/Verb"
import type * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"
import * as Cloud from "./support/cloud.ts"

const id = Share.ShareId.make("11111111-1111-4111-8111-111111111111")
const ruleId = ShareAccess.AccessRuleId.make("55555555-5555-4555-8555-555555555555")
const seed: FakeCloud.Seed = {
  shares: [{ id, name: "web", size: 1 }],
  accessRules: [{ id: ruleId, share_id: id, access_to: "10.0.0.0/24" }]
}
const phases = (...steps: ReadonlyArray<readonly [status: string, seconds?: number]>): FakeCloud.Lifecycle => ({
  phases: steps.map(([status, seconds]) => (seconds === undefined ? { status } : { status, millis: seconds * 1000 }))
})

interface Told<A, E> {
  readonly exit: Exit.Exit<A, E>
  readonly end: number
  readonly sent: ReadonlyArray<string>
  /** When each request came, from the first on. */
  readonly at: ReadonlyArray<number>
}

/** Runs an effect on a cloud whose version is known already. */
const ask = <A, E>(
  setup: Cloud.Setup & { readonly lifecycles?: FakeCloud.Options["lifecycles"] },
  effect: Effect.Effect<A, E, Manila.Manila>
): Told<A, E> => {
  const { lifecycles = {}, ...rest } = setup
  return Cloud.run({ cloud: { seed, lifecycles }, ...rest }, (world) =>
    Effect.gen(function* () {
      yield* Effect.flatMap(Manila.Manila, (manila) => manila.version)
      yield* world.clear
      const start = yield* Clock.currentTimeMillis
      const exit = yield* Effect.exit(effect)
      const end = yield* Clock.currentTimeMillis
      yield* Effect.sleep("1 hour")
      const sent = world.sent()
      return {
        exit,
        end: end - start,
        sent: sent.map(({ method, path }) => `${method} ${path}`),
        at: sent.map(({ at }) => at - start)
      }
    })
  )
}

const errorOf = <A, E>({ exit }: Told<A, E>): E => {
  if (Exit.isSuccess(exit)) throw new Error(`it succeeded with ${JSON.stringify(exit.value)}`)
  return Option.getOrThrowWith(Cause.failureOption(exit.cause), () => Cause.squash(exit.cause))
}

const waitError = <A>(told: Told<A, ManilaError | WaitError.WaitError>) => errorOf(told) as WaitError.WaitFailed

describe("a delete", () => {
  it("is done although the first look still shows the share as available (D06)", () => {
    const lifecycles = { "share.delete": phases(["available", 3], ["deleting", 4], ["gone"]) }
    const told = ask({ lifecycles }, Share.deleteAndWait({ id }))
    assert.isTrue(Exit.isSuccess(told.exit))
    assert.deepStrictEqual(told.at, [0, 0, 5000, 10_000])
  })

  it("of a rule is done although it is active at first", () => {
    const lifecycles = { "access.delete": phases(["active", 3], ["queued_to_deny", 3], ["denying", 3], ["gone"]) }
    const told = ask({ lifecycles }, ShareAccess.denyAndWait({ id: ruleId, shareId: id }))
    assert.isTrue(Exit.isSuccess(told.exit))
    assert.strictEqual(told.end, 10_000)
  })

  it("that ends in error_deleting fails on that look, with the newest message (D04)", () => {
    const lifecycles = {
      "share.delete": { ...phases(["deleting", 3], ["error_deleting"]), reason: { message: "the driver said no" } }
    }
    const told = ask({ lifecycles }, Share.deleteAndWait({ id }))
    const error = waitError(told)
    assert.deepStrictEqual([error._tag, error.cause, error.status], ["WaitFailed", "status", "error_deleting"])
    assert.include(error.message, "the driver said no")
    assert.strictEqual(told.end, 5000)
  })

  it("is done at the first look that is answered 404, and at one that shows it as deleted (D12)", () => {
    for (const [steps, end] of [
      [phases(["gone"]), 0],
      [phases(["deleting", 3], ["deleted"]), 5000]
    ] as const) {
      const told = ask({ lifecycles: { "share.delete": steps } }, Share.deleteAndWait({ id }))
      assert.deepStrictEqual([told.exit._tag, told.end], ["Success", end])
    }
  })

  it("of a share that is not there is NotFound, and one by force is one request and no plain delete (D54)", () => {
    const missing = Share.ShareId.make("99999999-9999-4999-8999-999999999999")
    assert.strictEqual(errorOf(ask({}, Share.deleteAndWait({ id: missing })))._tag, "NotFound")
    const told = ask({ as: "admin" }, Share.forceDeleteAndWait({ id }))
    assert.deepStrictEqual(
      told.sent.filter((line) => !line.startsWith("GET")),
      [`POST /shares/${id}/action`]
    )
  })

  it("by force of a share in error is pending until the error has gone, and fails if it comes back", () => {
    const setup = (steps: FakeCloud.Lifecycle): Parameters<typeof ask>[0] => ({
      as: "admin",
      cloud: { seed: { shares: [{ id, status: "error" }] }, lifecycles: { "share.force_delete": steps } }
    })
    const good = ask(setup(phases(["error", 3], ["deleting", 4], ["gone"])), Share.forceDeleteAndWait({ id }))
    assert.strictEqual(good.exit._tag, "Success")
    const bad = ask(setup(phases(["error", 3], ["deleting", 4], ["error"])), Share.forceDeleteAndWait({ id }))
    assert.strictEqual(waitError(bad).status, "error")
  })
})

describe("a resize", () => {
  it("is done only at the new size, though the share is available before (D14)", () => {
    const lifecycles = { "share.extend": phases(["available", 3], ["extending", 4], ["available"]) }
    const told = ask({ lifecycles }, Share.extendAndWait({ id, newSize: 2 }))
    assert.strictEqual(Exit.isSuccess(told.exit) && told.exit.value.size, 2)
  })

  it("is done at the new size although extending was never seen", () => {
    const told = ask({ lifecycles: { "share.extend": phases(["available"]) } }, Share.extendAndWait({ id, newSize: 2 }))
    assert.deepStrictEqual([told.exit._tag, told.end], ["Success", 0])
  })

  it("that ends in extending_error fails on the second look (D02)", () => {
    const lifecycles = { "share.extend": phases(["extending", 3], ["extending_error"]) }
    const told = ask({ lifecycles }, Share.extendAndWait({ id, newSize: 2 }))
    assert.strictEqual(waitError(told).status, "extending_error")
    assert.strictEqual(told.sent.filter((line) => line === `GET /shares/${id}`).length, 2)
  })

  it("that no host had room for is rolled back, with the reason", () => {
    const lifecycles = {
      "share.extend": {
        ...phases(["extending", 3], ["available"]),
        effect: "none",
        reason: { detailId: "014" }
      } as const
    }
    const error = waitError(ask({ lifecycles }, Share.extendAndWait({ id, newSize: 2 })))
    assert.deepStrictEqual([error.cause, error.reason?.detailId], ["rolledBack", "014"])
    assert.include(error.wanted, "2 GiB")
  })

  it("from shrinking_possible_data_loss_error may end in available, or there again", () => {
    const setup = (steps: FakeCloud.Lifecycle): Parameters<typeof ask>[0] => ({
      cloud: {
        seed: { shares: [{ id, size: 3, status: "shrinking_possible_data_loss_error" }] },
        lifecycles: { "share.shrink": steps }
      }
    })
    const old = "shrinking_possible_data_loss_error"
    const good = ask(setup(phases([old, 3], ["shrinking", 3], ["available"])), Share.shrinkAndWait({ id, newSize: 1 }))
    assert.strictEqual(Exit.isSuccess(good.exit) && good.exit.value.size, 1)
    const bad = ask(setup(phases([old, 3], ["shrinking", 3], [old])), Share.shrinkAndWait({ id, newSize: 1 }))
    assert.strictEqual(waitError(bad).status, old)
    const none = ask(setup(phases([old])), Share.shrinkAndWait({ id, newSize: 1 }))
    assert.strictEqual(waitError(none).cause, "noEffect")
  })
})

describe("a creation", () => {
  const create = Share.createAndWait({ shareProto: "NFS", size: 1, name: "web" })

  it("that turns to deleting, or is gone, fails at once (D13)", () => {
    for (const [steps, cause] of [
      [phases(["creating", 3], ["deleting", 60], ["gone"]), "unreachable"],
      [phases(["creating", 3], ["gone"]), "goneAfterSeen"]
    ] as const) {
      const told = ask({ lifecycles: { "share.create": steps } }, create)
      assert.deepStrictEqual([waitError(told).cause, told.end], [cause, 5000])
    }
  })

  it("that fails names the share, its status and the service's reason with its ids (D43)", () => {
    const lifecycles = { "share.create": { ...phases(["creating", 3], ["error"]), reason: { detailId: "002" } } }
    const told = ask({ lifecycles }, create)
    const error = waitError(told)
    assert.deepStrictEqual([error.reason?.detailId, error.reason?.actionId], ["002", "001"])
    assert.match(error.reason?.requestId ?? "", /^req-/)
    assert.include(error.message, "share web (")
    assert.include(error.message, "status error")
    assert.deepStrictEqual(told.sent.filter((line) => line === "GET /messages").length, 1)
  })

  it("asks for the newest error message only", () => {
    const lifecycles = { "share.create": { ...phases(["creating", 3], ["error"]), reason: {} } }
    const query = Cloud.run({ cloud: { lifecycles } }, (world) =>
      Effect.map(Effect.flip(create), () => world.sent().find(({ path }) => path === "/messages")?.query)
    )
    const { resource_id, ...rest } = query ?? {}
    assert.match(resource_id ?? "", /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(rest, { message_level: "ERROR", sort_key: "created_at", sort_dir: "desc", limit: "1" })
  })

  it("has no reason on a cloud without messages, and sends nothing for it", () => {
    const lifecycles = { "share.create": { ...phases(["creating", 3], ["error"]), reason: {} } }
    const told = ask({ lifecycles, options: { microversion: "2.36" } }, create)
    assert.strictEqual(waitError(told).reason, null)
    assert.notInclude(told.sent, "GET /messages")
  })

  it("that times out says what, wanted, last status, time, looks and the last fault (D45)", () => {
    const lifecycles = { "share.create": phases(["creating"]) }
    const faults = [Faults.on({ method: "GET", path: "shares/*", nth: 2 }, Faults.status(503))]
    const told = ask(
      { lifecycles, faults },
      Share.createAndWait({ shareProto: "NFS", size: 1, name: "web" }, { limit: "20 seconds" })
    )
    const error = errorOf(told) as WaitError.WaitTimedOut
    assert.strictEqual(error._tag, "WaitTimedOut")
    for (const part of ["share web (", "create", "wanted available", "creating", "20 s", "5 looks", "503"]) {
      assert.include(error.message, part)
    }
    assert.strictEqual(error.observed && (error.observed as Share.Share).name, "web")
  })

  it("gives the share as last seen, and every ending as a value with Verb.outcome", () => {
    const told = ask({}, create)
    assert.strictEqual(Exit.isSuccess(told.exit) && told.exit.value.status, "available")
    const asValue = ask(
      { lifecycles: { "share.create": phases(["creating", 3], ["error"]) } },
      Verb.outcome(Share.verbs.create, { shareProto: "NFS", size: 1 })
    )
    assert.strictEqual(Exit.isSuccess(asValue.exit) && asValue.exit.value._tag, "Failed")
  })

  it("and its export locations are two steps of one limit; they may come later (D72)", () => {
    const share = { id, phases: [{ status: "creating", millis: 8000 }, { status: "available" }] }
    let empty = 2
    const wrap: Cloud.Setup["wrap"] = (app) => (request) =>
      Effect.map(app(request), (reply) =>
        request.path.endsWith("export_locations") && reply._tag === "Answer" && empty-- > 0
          ? { ...reply, answer: { ...reply.answer, body: '{"export_locations":[]}' } }
          : reply
      )
    const told = ask(
      { cloud: { seed: { shares: [share] } }, wrap },
      Effect.zipRight(
        Waiter.until(Share.probe(id), Share.available),
        Waiter.until(ExportLocation.probe(id), ExportLocation.exported)
      )
    )
    const found = Exit.isSuccess(told.exit) ? Option.getOrThrow(told.exit.value) : []
    assert.isAbove(found.length, 0)
    assert.deepStrictEqual(told.at, [0, 5000, 10_000, 10_000, 15_000, 20_000])
    assert.strictEqual(ExportLocation.preferredFirst(found.toReversed())[0]?.preferred, true)
  })
})

describe("one limit", () => {
  const slow = (seconds: number) =>
    Faults.on({ method: "POST", path: "shares", delay: `${seconds} seconds` }, Faults.pass)
  const lifecycles = { "share.create": phases(["creating"]) }
  const create = (limit: Verb.Options["limit"]) => Share.createAndWait({ shareProto: "NFS", size: 1 }, { limit })

  it("is over request and wait together: 50 s of 60 leave 10 for looks (D26)", () => {
    const told = ask({ lifecycles, faults: [slow(50)] }, create("60 seconds"))
    const error = errorOf(told) as WaitError.WaitTimedOut
    assert.deepStrictEqual(told.at, [0, 50_000, 55_000, 60_000])
    assert.deepStrictEqual([told.end, error.elapsedMillis, error.limitMillis], [60_000, 60_000, 60_000])
    assert.include(error.message, "60 s")
  })

  it("does not abort the request, which then ends as a time-out with the id", () => {
    const told = ask({ lifecycles, faults: [slow(50)] }, create("20 seconds"))
    const error = errorOf(told) as WaitError.WaitTimedOut
    assert.deepStrictEqual([error._tag, told.end, told.at], ["WaitTimedOut", 50_000, [0]])
    assert.match(error.subject.id ?? "", /^[0-9a-f-]{36}$/)
  })

  it("does not hide that a request was never answered", () => {
    const told = ask(
      { lifecycles, faults: [Faults.on({ method: "POST", path: "shares" }, Faults.hang)] },
      create("20 seconds")
    )
    assert.deepStrictEqual([errorOf(told)._tag, told.end], ["OutcomeUnknown", 60_000])
  })

  it("shorter than the pace still gives two looks (D23)", () => {
    const told = ask({ lifecycles: { "share.create": phases(["creating", 3], ["available"]) } }, create("3 seconds"))
    assert.deepStrictEqual([told.exit._tag, told.at], ["Success", [0, 0, 3000]])
  })

  it("ends at once where the server asks for more time than is left (D40)", () => {
    const faults = [
      Faults.on({ method: "GET", path: "shares/*" }, Faults.status(429, { headers: { "Retry-After": "7" } }))
    ]
    const told = ask({ lifecycles, faults }, create("5 seconds"))
    const error = errorOf(told) as WaitError.WaitTimedOut
    assert.deepStrictEqual([error._tag, error.retryAfterMillis, told.end], ["WaitTimedOut", 7000, 0])
    assert.include(error.message, "the server asked to wait 7 s")
  })

  it("aborts a look that is under way when it passes", () => {
    const faults = [Faults.on({ method: "GET", path: "shares/*", nth: 2 }, Faults.hang)]
    const told = ask({ lifecycles, faults }, create("12 seconds"))
    assert.deepStrictEqual([errorOf(told)._tag, told.end], ["WaitTimedOut", 12_000])
  })

  it("is a pace's own where none is given, and attempts can be capped instead (D28)", () => {
    const three = Share.createAndWait({ shareProto: "NFS", size: 1 }, { attempts: 3 })
    const error = errorOf(ask({ lifecycles }, three)) as WaitError.WaitTimedOut
    assert.deepStrictEqual([error.cause, error.looks], ["attempts", 3])
  })
})

describe("an interruption", () => {
  const interrupted = (
    faults: ReadonlyArray<Faults.Fault>,
    effect: Effect.Effect<unknown, unknown, Manila.Manila>,
    after = 2000
  ) => {
    const lifecycles = { "share.create": phases(["creating"]) }
    const told = ask(
      { lifecycles, faults },
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(effect)
        yield* Effect.sleep(after)
        yield* Fiber.interruptFork(fiber)
        const exit = yield* Fiber.await(fiber)
        return { exit, at: yield* Clock.currentTimeMillis }
      })
    )
    if (Exit.isFailure(told.exit)) throw Cause.squash(told.exit.cause)
    const { exit } = told.exit.value
    return { ...told, cause: Exit.isFailure(exit) ? exit.cause : Cause.empty }
  }
  const create = Share.createAndWait({ shareProto: "NFS", size: 1 })

  it("during the request ends at once, and its cause says that the outcome is unknown", () => {
    const { cause, end, sent } = interrupted([Faults.on({ method: "POST", path: "shares" }, Faults.hang)], create)
    assert.isTrue(Cause.isInterrupted(cause))
    const [failure] = Chunk.toReadonlyArray(Cause.failures(cause)) as ReadonlyArray<ManilaError>
    assert.strictEqual(failure?._tag, "OutcomeUnknown")
    assert.include(failure?.message, "share.create: it is not known whether this took effect")
    assert.deepStrictEqual([end, sent], [2000, ["POST /shares"]])
  })

  it("before anything was sent, while a token is asked for, leaves nothing unknown", () => {
    const told = Cloud.run(
      {
        cloud: { seed },
        endpoint: `${Cloud.origin}/share/v2`,
        faults: [Faults.on({ service: "identity" }, Faults.hang)]
      },
      (world) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(create)
          yield* Effect.sleep("2 seconds")
          yield* Fiber.interruptFork(fiber)
          const exit = yield* Fiber.await(fiber)
          return { failures: Exit.isFailure(exit) ? Cause.failures(exit.cause).length : 1, sent: world.sent() }
        })
    )
    assert.deepStrictEqual(told, { failures: 0, sent: [] })
  })

  it("between looks, or during one, ends at once and sends nothing more (D48)", () => {
    const between = interrupted([], create, 12_000)
    assert.deepStrictEqual([between.end, between.at], [12_000, [0, 0, 5000, 10_000]])
    assert.lengthOf(Cause.failures(between.cause), 0)
    const look = { method: "GET", path: "shares/*", nth: 2 }
    const during = interrupted([Faults.on(look, Faults.hang)], create, 7000)
    assert.deepStrictEqual([during.end, during.at], [7000, [0, 0, 5000]])
    assert.isTrue(Cause.isInterruptedOnly(during.cause))
  })

  it("during the look-up of a reason ends at once too", () => {
    const told = ask(
      {
        lifecycles: { "share.create": phases(["creating", 3], ["error"]) },
        faults: [Faults.on({ path: "messages" }, Faults.hang)]
      },
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(create)
        yield* Effect.sleep("6 seconds")
        yield* Fiber.interrupt(fiber)
        return yield* Clock.currentTimeMillis
      })
    )
    assert.strictEqual(told.end, 6000)
  })
})

describe("an access rule", () => {
  const allow = ShareAccess.allowAndWait({ shareId: id, accessType: "cephx", accessTo: "alice" })

  for (const [version, looks] of [
    ["2.6", `POST /shares/${id}/action`],
    ["2.27", `POST /shares/${id}/action`],
    ["2.28", `POST /shares/${id}/action`],
    ["2.44", `POST /shares/${id}/action`],
    ["2.99", "GET /share-access-rules/"]
  ] as const) {
    it(`is waited for at ${version} with ${looks.split("/")[0]} looks`, () => {
      const ip = ShareAccess.allowAndWait({ shareId: id, accessType: "ip", accessTo: "10.9.0.0/24" })
      const told = ask({ options: { microversion: version } }, ip)
      assert.strictEqual(Exit.isSuccess(told.exit) && told.exit.value.state, "active")
      assert.isTrue(told.sent.slice(1).every((line) => line.startsWith(looks)))
      assert.deepStrictEqual(told.at, [0, 0, 5000])
      const denied = ask({ options: { microversion: version } }, ShareAccess.denyAndWait({ id: ruleId, shareId: id }))
      assert.deepStrictEqual([denied.exit._tag, denied.at], ["Success", [0, 0, 5000]])
    })

    it(`that fails has failed at ${version}`, () => {
      const ip = ShareAccess.allowAndWait({ shareId: id, accessType: "ip", accessTo: "10.9.0.0/24" })
      const lifecycles = { "access.create": phases(["queued_to_apply", 3], ["error"]) }
      const error = waitError(ask({ lifecycles, options: { microversion: version } }, ip))
      assert.deepStrictEqual([error.cause, error.status], ["status", "error"])
    })
  }

  it("looks below 2.45 are not repeated by the client either, and a fault is the wait's", () => {
    const faults = [Faults.on({ method: "POST", path: "action", nth: [2, 3] }, Faults.status(503))]
    const ip = ShareAccess.allowAndWait({ shareId: id, accessType: "ip", accessTo: "10.9.0.0/24" })
    const told = ask({ faults, options: { microversion: "2.44" } }, ip)
    assert.deepStrictEqual([told.exit._tag, told.at], ["Success", [0, 0, 5000, 10_000]])
  })

  it("of a share that is gone is gone, below 2.45 too", () => {
    for (const microversion of ["2.44", "2.99"]) {
      const probe = ShareAccess.probe({
        id: ruleId,
        shareId: Share.ShareId.make("99999999-9999-4999-8999-999999999999")
      })
      const other = ask({ options: { microversion } }, probe)
      assert.isTrue(Exit.isSuccess(other.exit))
      if (microversion === "2.44") assert.isTrue(Exit.isSuccess(other.exit) && Option.isNone(other.exit.value))
    }
  })

  it("has its key once it is active, and not before (D58)", () => {
    const told = ask({}, allow)
    const key = Exit.isSuccess(told.exit) ? told.exit.value.access_key : undefined
    assert.strictEqual(String(key), "<redacted>")
  })

  it("that could not be applied is blamed on its share's messages", () => {
    const lifecycles = {
      "access.create": { ...phases(["applying", 3], ["error"]), reason: { message: "no such user" } }
    }
    const error = waitError(ask({ lifecycles }, allow))
    assert.include(error.message, "no such user")
    assert.strictEqual(error.subject.kind, "access rule")
  })

  it("is updated only at the wanted level", () => {
    const update = ShareAccess.updateAndWait({ id: ruleId, shareId: id, accessLevel: "ro" })
    const told = ask({}, update)
    assert.strictEqual(Exit.isSuccess(told.exit) && told.exit.value.access_level, "ro")
    const old = ask({ options: { microversion: "2.87" } }, update)
    assert.deepStrictEqual([errorOf(old)._tag, old.sent], ["NotSupported", []])
  })
})

describe("the recycle bin", () => {
  it("is reached when the share is in it, not when it is gone, and left when it is out", () => {
    const told = ask(
      {},
      Effect.gen(function* () {
        const binned = yield* Share.softDeleteAndWait({ id })
        const restored = yield* Share.restoreAndWait({ id })
        return [binned.is_soft_deleted, binned.status, restored.is_soft_deleted]
      })
    )
    assert.deepStrictEqual(told.exit, Exit.succeed([true, "available", false]))
  })

  it("has no effect on a share that does not get there, and says so after 60 s", () => {
    const faults = [Faults.on({ method: "POST", path: "action" }, Faults.status(202))]
    const error = waitError(ask({ faults }, Share.softDeleteAndWait({ id })))
    assert.deepStrictEqual([error.cause, error.wanted], ["noEffect", "in the recycle bin"])
  })

  it("needs 2.69, and nothing is sent below", () => {
    for (const effect of [Share.softDeleteAndWait({ id }), Share.restoreAndWait({ id })]) {
      const told = ask({ options: { microversion: "2.68" } }, effect)
      assert.deepStrictEqual([errorOf(told)._tag, told.sent], ["NotSupported", []])
    }
  })
})

describe("a revert", () => {
  const snapshotId = Snapshot.SnapshotId.make("44444444-4444-4444-8444-444444444444")
  const setup = (steps: FakeCloud.Lifecycle): Parameters<typeof ask>[0] => ({
    cloud: {
      seed: { shares: [{ id, size: 1 }], snapshots: [{ id: snapshotId, share_id: id }] },
      lifecycles: { "share.revert": steps }
    }
  })

  it("is not done at the first available, but at the one after reverting", () => {
    const told = ask(
      setup(phases(["available", 3], ["reverting", 4], ["available"])),
      Share.revertAndWait({ id, snapshotId })
    )
    assert.deepStrictEqual([told.exit._tag, told.at], ["Success", [0, 0, 5000, 10_000]])
  })

  it("that is taken up again by another process does not wait for reverting to come back", () => {
    const outcome = ask(
      setup(phases(["available"])),
      Verb.settle(Share.verbs.revert, { id, snapshotId }, { target: { id } }, { resumed: true })
    )
    assert.strictEqual(Exit.isSuccess(outcome.exit) && outcome.exit.value._tag, "Reached")
  })
})

describe("a wait that is taken up again", () => {
  it("ends as the first one would have, for every goal that does not need the old state", () => {
    const told = ask(
      {
        cloud: {
          seed: { shares: [{ id, size: 2, phases: [{ status: "extending", millis: 8000 }, { status: "available" }] }] }
        }
      },
      Verb.settle(Share.verbs.extend, { id, newSize: 2 }, { target: { id } }, { resumed: true, limit: "1 minute" })
    )
    assert.strictEqual(Exit.isSuccess(told.exit) && told.exit.value._tag, "Reached")
    assert.deepStrictEqual(
      told.sent.filter((line) => line.startsWith("POST")),
      []
    )
  })
})
