/** Endings in words, as promises and as streams. */
import * as Script from "@effect-manila/test-kit/Script"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as Progress from "@effect-manila/core/waiter/Progress"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { assert, describe, expectTypeOf, it } from "vitest"
import type { Answer } from "./contract/world.ts"
import { fault, now, quietly, refusal, scriptOf } from "./contract/world.ts"
import type { Resource } from "./support/judge.ts"
import { reader } from "./support/judge.ts"

const goal = StatusGoal.present(reader, "available")
const run = <A, E>(program: Effect.Effect<A, E>): A => VirtualTime.runSync(Effect.provide(program, quietly))

const endingOf = (answers: ReadonlyArray<Answer>, options: Waiter.Options<unknown> = {}) =>
  run(
    Effect.gen(function* () {
      const script = yield* scriptOf(answers)
      return yield* Waiter.outcome(script.probe, goal, {
        subject: { kind: "share", id: "3f2", name: "web", verb: "create" },
        ...options
      })
    })
  )

const messageOf = (...args: Parameters<typeof endingOf>): string => {
  const outcome = endingOf(...args)
  assert(outcome._tag !== "Reached")
  return String((outcome.error as Error).message)
}

describe("messages", () => {
  it("47. an error's sentence says what, which, how long, what was seen and what was wanted", () => {
    assert.strictEqual(
      messageOf(["creating", "error"]),
      "share web (3f2): create failed after 5 s and 2 looks: status error, wanted available"
    )
    assert.strictEqual(
      messageOf(["creating"], { limit: 0 }),
      "share web (3f2): create timed out after 0 s: last status creating for 0 s (1 look), wanted available"
    )
    assert.strictEqual(
      messageOf([Script.never], { limit: "1500 millis" }),
      "share web (3f2): create timed out after 1.5 s: no status was seen (0 looks), wanted available"
    )
    assert.strictEqual(
      messageOf(["creating"], { attempts: 3 }),
      "share web (3f2): create gave up after 3 looks in 10 s, the attempts ran out: " +
        "last status creating for 10 s (3 looks), wanted available"
    )
    assert.strictEqual(
      messageOf([Script.none]),
      "share web (3f2): create failed after 0 s and 1 look: it does not exist, wanted available"
    )
    assert.strictEqual(
      messageOf(["creating", Script.none]),
      "share web (3f2): create failed after 5 s and 2 looks: it was there and is gone, wanted available"
    )
  })

  it("a wait that had no limit names none", () => {
    const outcome = endingOf(["creating"], { limit: Infinity, attempts: 2 })
    assert(outcome._tag === "TimedOut")
    assert.deepStrictEqual([outcome.error.cause, outcome.error.limitMillis], ["attempts", null])
  })

  it("a time-out names the limit, also where the last look went on for longer", () => {
    const answers: ReadonlyArray<Answer> = ["creating", "creating", Script.delayed("3 seconds", "creating")]
    const outcome = endingOf(answers, { limit: "10 seconds" })
    assert(outcome._tag === "TimedOut")
    assert.strictEqual(outcome.error.elapsedMillis, 13_000)
    assert.include(outcome.error.message, "timed out after 10 s")
  })

  it("a schedule that ends is told from attempts that run out", () => {
    const pace = Schedule.intersect(Schedule.spaced("5 seconds"), Schedule.recurs(2))
    assert.include(messageOf(["creating"], { pace }), "gave up after 3 looks in 10 s, the schedule ended: ")
  })

  it("no patience at all ends with the first fault, however transient", () => {
    const outcome = endingOf([fault(), "available"], { patience: Patience.none })
    assert.deepInclude(outcome, { _tag: "Faulted" })
    assert.strictEqual(endingOf([fault(), "available"])._tag, "Reached")
  })

  it("an error asks for time with a number, and with nothing else", () => {
    const asked = (error: unknown) => Option.getOrNull(Patience.standard.retryAfterMillis(error))
    assert.strictEqual(asked({ retryAfterMillis: 7000 }), 7000)
    for (const error of [{ retryAfterMillis: "7" }, { retryAfterMillis: undefined }, {}, undefined, null, "7"]) {
      assert.isNull(asked(error))
    }
  })

  it("47. a subject is named by what is known of it", () => {
    const { subjectText } = WaitError
    assert.deepStrictEqual(
      [
        subjectText({ kind: "share" }),
        subjectText({ kind: "share", id: "3f2" }),
        subjectText({ kind: "share", id: "3f2", name: null }),
        subjectText({ kind: "share", id: "3f2", name: "" }),
        subjectText({ kind: "share", name: "web" }),
        subjectText({ kind: "share", id: "web", name: "web" }),
        subjectText({ kind: "share", id: "3f2", name: "web" })
      ],
      ["share", "share 3f2", "share 3f2", "share 3f2", "share web", "share web", "share web (3f2)"]
    )
  })

  it("47. the service's reason is part of the sentence, with what it gave of ids", () => {
    const reason = (given: WaitError.Reason) => messageOf(["error"], { reason: Effect.succeedSome(given) })
    const begin = "share web (3f2): create failed after 0 s and 1 look: status error, wanted available."
    assert.strictEqual(reason({ message: "No space. " }), `${begin} No space`)
    assert.strictEqual(
      reason({ message: "No space", detailId: "002", requestId: "req-1", actionId: "001" }),
      `${begin} No space (detail 002) [req-1]`
    )
    assert.strictEqual(reason({ message: "No space", detailId: null, requestId: null }), `${begin} No space`)
  })

  it("47. a status that comes back is another entry", () => {
    const outcome = endingOf(["creating", "queued", "creating", "creating"], { attempts: 4 })
    assert(outcome._tag === "TimedOut")
    assert.deepStrictEqual(
      outcome.error.statuses.map(({ firstSeen, lastSeen, looks, status }) => [status, firstSeen, lastSeen, looks]),
      [
        ["creating", 0, 0, 1],
        ["queued", 5000, 5000, 1],
        ["creating", 10_000, 15_000, 2]
      ]
    )
    assert.strictEqual(outcome.error.stoodMillis, 5000)
  })

  it("47. what was seen last stays known, also after it is gone", () => {
    const outcome = endingOf(["creating", Script.none])
    assert(outcome._tag === "Failed")
    assert.deepStrictEqual(outcome.error.observed, { status: "creating" })
    assert.deepStrictEqual(outcome.observed, Option.some({ status: "creating" }))
    assert.deepStrictEqual(WaitError.observed(outcome.error), Option.some({ status: "creating" }))
    const nothing = endingOf([Script.none])
    assert(nothing._tag === "Failed")
    assert.deepStrictEqual(WaitError.observed(nothing.error), Option.none())
  })

  it("47. an error is data: it survives its own JSON", () => {
    const outcome = endingOf(["creating", "error"], { reason: Effect.succeedSome({ message: "No space" }) })
    assert(outcome._tag === "Failed")
    const json = JSON.stringify(Schema.encodeSync(WaitError.WaitFailed)(outcome.error))
    const back = Schema.decodeUnknownSync(WaitError.WaitFailed)(JSON.parse(json))
    assert.isTrue(WaitError.isWaitError(back))
    assert.strictEqual(back.message, outcome.error.message)
    assert.isFalse(WaitError.isWaitError(new Error("no")))
  })

  it("40. a wait that needs a person ends as such, with the operation that goes on", () => {
    const migration = Goal.make<Resource>("migrated", ({ seen }) =>
      Option.isSome(seen) && seen.value.status === "phase1_done"
        ? Goal.needsAction("phase1_done", "migration complete")
        : Goal.pending("migrating")
    )
    const outcome = run(
      Effect.gen(function* () {
        const script = yield* scriptOf(["migrating", "phase1_done"])
        let asked = 0
        const reason = Effect.sync(() => (asked++, Option.none()))
        const ended = yield* Waiter.outcome(script.probe, migration, { subject: { kind: "share", id: "3f2" }, reason })
        assert.strictEqual(asked, 0)
        return ended
      })
    )
    assert(outcome._tag === "NeedsAction")
    assert.strictEqual(outcome.error.next, "migration complete")
    assert.strictEqual(outcome.error.message, "share 3f2: stopped at phase1_done and needs migration complete")
    assert.isTrue(WaitError.isWaitError(outcome.error))
  })

  it("46. an outcome's report counts the looks of a success too", () => {
    const outcome = endingOf(["creating", fault("503"), "available"])
    assert(outcome._tag === "Reached")
    const { report } = outcome
    assert.deepStrictEqual(
      [report.looks, report.elapsedMillis, report.lastFault, report.status, outcome.matched],
      [3, 10_000, "503", "available", "available"]
    )
  })
})

describe("types", () => {
  class NotFound extends Data.TaggedError("NotFound")<{}> {}
  interface Share extends Resource {
    readonly id: string
  }

  it("46. a wait's types say its endings apart, data first and data last", () => {
    const probe: Effect.Effect<Option.Option<Share>, NotFound> = Effect.succeedSome({ id: "3f2", status: "available" })
    const first = Waiter.until(probe, goal)
    const last = probe.pipe(Waiter.until(goal, { limit: "1 minute" }))
    // The resource's own type comes from the probe, though the goal needs less of it.
    expectTypeOf(last).toEqualTypeOf<
      Effect.Effect<
        Option.Option<Share>,
        NotFound | WaitError.WaitFailed | WaitError.WaitTimedOut | WaitError.WaitNeedsAction
      >
    >()
    expectTypeOf(first).branded.toEqualTypeOf<Effect.Effect<Option.Option<Resource>, NotFound | WaitError.WaitError>>()
    expectTypeOf(probe.pipe(Waiter.outcome(goal))).toEqualTypeOf<Effect.Effect<Waiter.Outcome<Share, NotFound>>>()
    assert.strictEqual(Option.getOrThrow(run(last)).id, "3f2")
    const caught = last.pipe(
      Effect.catchTags({
        WaitFailed: ({ reason }) => Effect.succeed(reason),
        WaitTimedOut: ({ stoodMillis }) => Effect.succeed(stoodMillis),
        WaitNeedsAction: ({ next }) => Effect.succeed(next),
        NotFound: () => Effect.succeed("gone")
      })
    )
    expectTypeOf(caught).toEqualTypeOf<
      Effect.Effect<Option.Option<Share> | WaitError.Reason | number | string | null>
    >()
  })
})

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it should have been rejected"),
    (reason: unknown) => reason
  )

describe("promises", () => {
  const immediate = Effect.succeedSome({ status: "available" })

  it("50. a promise gives the last observation", async () => {
    const observed = await Waiter.toPromise(Waiter.until(immediate, goal))
    assert.deepStrictEqual(observed, Option.some({ status: "available" }))
  })

  it("50. a promise rejects with the wait's own error, and with no wrapper", async () => {
    const failing = Waiter.until(Effect.succeedSome({ status: "error" }), goal)
    const error = await rejection(Waiter.toPromise(failing))
    assert.instanceOf(error, WaitError.WaitFailed)
    const dying = Waiter.until(Effect.die(new Error("a bug")), goal)
    const defect = await rejection(Waiter.toPromise(dying))
    assert.strictEqual((defect as Error).message, "a bug")
  })

  it("50. once its signal is aborted nothing starts", async () => {
    let looks = 0
    const probe = Effect.sync(() => {
      looks++
      return Option.some({ status: "available" })
    })
    const signal = AbortSignal.abort(new Error("enough"))
    const error = await rejection(Waiter.toPromise(Waiter.until(probe, goal), { signal }))
    assert.strictEqual((error as Error).message, "enough")
    assert.strictEqual(looks, 0)
  })

  it("50. an abort on the way ends the wait at once: the look is aborted and none follows", async () => {
    const controller = new AbortController()
    let looks = 0
    let aborted = 0
    const probe = Effect.suspend(() => {
      looks++
      return Effect.onInterrupt(Effect.never, () => Effect.sync(() => aborted++))
    })
    const wait = Waiter.toPromise(Waiter.until(probe, goal, { limit: "1 hour" }), { signal: controller.signal })
    await Promise.resolve()
    controller.abort(new Error("enough"))
    const error = await rejection(wait)
    assert.strictEqual((error as Error).message, "enough")
    assert.deepStrictEqual([looks, aborted], [1, 1])
  })

  it("50. an abort that comes with the wait's own failure does not hide it", async () => {
    const controller = new AbortController()
    const probe = Effect.sync(() => Option.some({ status: "error" }))
    const onProgress = (event: Progress.Progress) =>
      // Too late to interrupt anything: the wait has ended, and only its promise has not been settled yet.
      event._tag === "Ended"
        ? Effect.uninterruptible(Effect.sync(() => queueMicrotask(() => controller.abort())))
        : Effect.void
    const wait = Waiter.toPromise(Waiter.until(probe, goal, { onProgress }), { signal: controller.signal })
    const error = await rejection(wait)
    assert.instanceOf(error, WaitError.WaitFailed)
  })

  it("50. a wait that has ended leaves no listener on its signal", async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args))
    const later = Effect.delay(immediate, 1)
    await Waiter.toPromise(Waiter.until(later, goal), { signal })
    assert.strictEqual(listeners, 0)
  })
})

describe("streams", () => {
  const tags = (events: Iterable<Progress.Progress>) =>
    Array.from(events, (event) => (event._tag === "Looked" ? event.status : event._tag))

  it("51. the events of a wait are a stream that ends with it", () => {
    const events = run(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating", "creating", fault(), "available"])
        return yield* script.probe.pipe(Waiter.changes(goal), Stream.runCollect)
      })
    )
    assert.deepStrictEqual(tags(events), ["Started", "creating", "creating", "Faulted", "available", "Ended"])
  })

  it("51. each event comes when it happens, not at the end", () => {
    const times = run(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating", "creating", "available"])
        return yield* Waiter.changes(script.probe, goal).pipe(
          Stream.mapEffect(() => now),
          Stream.runCollect
        )
      })
    )
    assert.deepStrictEqual(Chunk.toReadonlyArray(times), [0, 0, 5000, 10_000, 10_000])
  })

  it("51. a stream fails as the wait does, after its last event", () => {
    for (const [answers, tag] of [
      [["creating", "error"], "WaitFailed"],
      [["creating", refusal()], "ScriptedFault"],
      [["creating"], "WaitTimedOut"]
    ] satisfies ReadonlyArray<readonly [ReadonlyArray<Answer>, string]>) {
      const seen: Array<Progress.Progress> = []
      const error = run(
        Effect.gen(function* () {
          const script = yield* scriptOf(answers)
          return yield* Waiter.changes(script.probe, goal, { limit: "7 seconds" }).pipe(
            Stream.runForEach((event) => Effect.sync(() => seen.push(event))),
            Effect.flip
          )
        })
      )
      assert.strictEqual(error._tag, tag)
      assert.strictEqual(seen.at(-1)?._tag, "Ended")
    }
  })

  it("51. a defect goes through the stream", () => {
    const exit = VirtualTime.runExit(Stream.runDrain(Waiter.changes(Effect.die("a bug"), goal))).exit
    assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
  })

  it("51. ending the stream early interrupts the wait", () => {
    const looks = VirtualTime.runSync(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating", "creating", Script.never])
        const events = yield* Waiter.changes(script.probe, goal).pipe(Stream.take(2), Stream.runCollect)
        assert.deepStrictEqual(tags(events), ["Started", "creating"])
        yield* Effect.sleep("1 hour")
        assert.strictEqual(yield* script.count, 1)
        const running = yield* Effect.fork(Stream.runDrain(Waiter.changes(script.probe, goal)))
        yield* Effect.sleep("6 seconds")
        yield* Fiber.interrupt(running)
        yield* Effect.sleep("1 hour")
        return yield* script.looks
      }),
      { left: "fail" }
    )
    assert.deepStrictEqual(
      looks.map(({ ending }) => ending),
      ["seen", "seen", "interrupted"]
    )
  })

  it("51. the stream does not take the place of onProgress", () => {
    const heard: Array<Progress.Progress> = []
    const onProgress = (event: Progress.Progress) => Effect.sync(() => void heard.push(event))
    const events = run(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating", "available"])
        return yield* Stream.runCollect(Waiter.changes(script.probe, goal, { onProgress }))
      })
    )
    assert.deepStrictEqual(heard, Array.from(events))
  })
})
