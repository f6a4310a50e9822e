import * as Script from "@effect-manila/test-kit/Script"
import type * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { assert } from "vitest"
import type { Answer, Claim, World } from "./world.ts"
import { ending, fault, now, refusal, scriptOf } from "./world.ts"

const { delayed, never, none } = Script

/** How a wait ends. */
export const endings = <A, E>(world: World<A, E>, claim: Claim): void => {
  const { adapter } = world

  const scripted = (answers: ReadonlyArray<Answer>) =>
    Effect.map(scriptOf(answers), (script) => ({ script, probe: adapter.probe(script.probe) }))

  claim(
    "46. success gives the last observation, and none for an absence",
    Effect.gen(function* () {
      const { probe } = yield* scripted(["working", "ready"])
      assert.isTrue(Option.isSome(yield* Waiter.until(probe, adapter.ready)))
      const away = yield* scripted(["working", none])
      assert.isTrue(Option.isNone(yield* away.probe.pipe(Waiter.until(adapter.gone))))
    })
  )

  claim(
    "46. an outcome is the same ending as a value",
    Effect.gen(function* () {
      for (const [answers, options] of [
        [["working", "ready"], {}],
        [["working", "failed"], {}],
        [["working"], { limit: "3 seconds" }],
        [["working", refusal()], {}]
      ] satisfies ReadonlyArray<readonly [ReadonlyArray<Answer>, Waiter.Options]>) {
        const patience = adapter.patience({})
        const one = yield* scripted(answers)
        const outcome = yield* Waiter.outcome(one.probe, adapter.ready, { ...options, patience })
        const two = yield* scripted(answers)
        const exit = yield* Effect.exit(Waiter.until(two.probe, adapter.ready, { ...options, patience }))
        if (outcome._tag === "Reached") {
          assert.isTrue(Exit.isSuccess(exit))
          continue
        }
        const error = Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : undefined
        assert.strictEqual(String(error), String(outcome.error))
        assert.deepStrictEqual(yield* Effect.flip(Waiter.fromOutcome(outcome)), outcome.error)
      }
    })
  )

  claim(
    "47. an error holds what was awaited, what was seen and for how long",
    Effect.gen(function* () {
      const subject: WaitError.Subject = { kind: "thing", id: "3f2", name: "web", verb: "create" }
      const { outcome } = yield* world.watch(["working", fault("503"), "working", "moving"], {
        subject,
        limit: "20 seconds"
      })
      assert.strictEqual(outcome._tag, "TimedOut")
      if (outcome._tag !== "TimedOut") return
      const { error } = outcome
      assert.deepStrictEqual(error.subject, subject)
      assert.strictEqual(error.wanted, adapter.ready.description)
      assert.deepStrictEqual(error.statuses, [
        { status: adapter.shows("working"), firstSeen: 0, lastSeen: 10_000, looks: 2 },
        { status: adapter.shows("moving"), firstSeen: 15_000, lastSeen: 20_000, looks: 2 }
      ])
      assert.deepStrictEqual(
        [error.status, error.looks, error.elapsedMillis, error.limitMillis, error.stoodMillis, error.retryAfterMillis],
        [adapter.shows("moving"), 5, 20_000, 20_000, 5000, null]
      )
      assert.strictEqual(
        error.message,
        `thing web (3f2): create timed out after 20 s: last status ${adapter.shows("moving")} for 5 s (5 looks), ` +
          `wanted ${adapter.ready.description}; last fault: 503`
      )
      assert.isTrue(Option.isSome(outcome.observed))
      assert.isNotNull(error.observed)
    })
  )

  const counted = (reason: Effect.Effect<Option.Option<WaitError.Reason>, unknown>) => {
    const asked = { times: 0 }
    const counting = Effect.suspend(() => {
      asked.times++
      return reason
    })
    return { asked, reason: counting }
  }
  const quota = Option.some<WaitError.Reason>({ message: "No space.", detailId: "002", requestId: "req-1" })

  claim(
    "48. the reason is looked up once, after the look that failed, and is in the error",
    Effect.gen(function* () {
      const { asked, reason } = counted(Effect.delay(Effect.succeed(quota), "2 seconds"))
      const { at, outcome } = yield* world.watch(["working", "failed"], { reason })
      assert.deepStrictEqual([asked.times, at], [1, 7000])
      assert.strictEqual(outcome._tag, "Failed")
      if (outcome._tag === "Failed") {
        assert.deepStrictEqual(outcome.error.reason, Option.getOrNull(quota))
        assert.match(outcome.error.message, /No space \(detail 002\) \[req-1\]$/)
        // The look-up is not part of what was waited.
        assert.strictEqual(outcome.error.elapsedMillis, 5000)
      }
    })
  )

  claim(
    "48. no other ending looks for a reason",
    Effect.gen(function* () {
      const { asked, reason } = counted(Effect.succeed(quota))
      yield* world.watch(["working", "ready"], { reason })
      yield* world.watch(["working"], { reason, limit: "7 seconds" })
      yield* world.watch(["working"], { reason, attempts: 1 })
      yield* world.watch([refusal()], { reason })
      yield* world.watch([fault()], { reason, patience: { tolerate: 0 } })
      assert.strictEqual(asked.times, 0)
    })
  )

  for (const [name, reason, millis] of [
    ["fails", Effect.fail("500"), 0],
    ["dies", Effect.die("a bug"), 0],
    ["interrupts itself", Effect.interrupt, 0],
    ["fails beside an interruption", Effect.all([Effect.fail("500"), Effect.never], { concurrency: 2 }), 0],
    ["hangs", Effect.never, 5000],
    ["takes longer than 5 s", Effect.delay(Effect.succeed(quota), "5001 millis"), 5000],
    ["knows nothing", Effect.succeedNone, 0]
  ] satisfies ReadonlyArray<readonly [string, Effect.Effect<unknown, string>, number]>) {
    claim(
      `48. a reason that ${name} does not hide the failure`,
      Effect.gen(function* () {
        const { asked, reason: counting } = counted(
          Effect.map<unknown, string, never, Option.Option<WaitError.Reason>>(reason, () => Option.none())
        )
        const { at, outcome } = yield* world.watch(["failed"], { reason: counting })
        assert.deepStrictEqual([asked.times, at, ending(outcome)], [1, millis, "Failed status"])
        if (outcome._tag === "Failed") assert.isNull(outcome.error.reason)
      })
    )
  }

  claim(
    "48. a reason that hangs does not hold a finalizer",
    Effect.gen(function* () {
      const { at, outcome } = yield* Effect.uninterruptible(world.watch(["failed"], { reason: Effect.never }))
      assert.deepStrictEqual([at, outcome._tag], [5000, "Failed"])
    })
  )

  claim(
    "48. a reason does not count against the limit",
    Effect.gen(function* () {
      const reason = Effect.delay(Effect.succeed(quota), "4 seconds")
      const { outcome } = yield* world.watch(["working", "failed"], { reason, limit: "5 seconds" })
      assert.isTrue(outcome._tag === "Failed" && outcome.error.reason !== null)
    })
  )

  for (const [when, answers, at] of [
    ["between two looks", ["working"], 3000],
    ["in a look", ["working", never], 7000],
    ["in the first look", [never], 1000],
    ["in the look at the limit", ["working", "working", "working", never], 13_000]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<Answer>, number]>) {
    for (const limit of ["12 seconds", "Infinity"]) {
      if (limit === "Infinity" && at > 12_000) continue
      claim(
        `49. interruption ${when} ends the wait at once, ${limit === "Infinity" ? "without" : "with"} a limit`,
        Effect.gen(function* () {
          const { probe, script } = yield* scripted(answers)
          const options = limit === "Infinity" ? {} : { limit: "12 seconds" as const }
          const waiting = yield* Effect.fork(Waiter.until(probe, adapter.ready, options))
          yield* Effect.sleep(at)
          const exit = yield* Fiber.interrupt(waiting)
          assert.isTrue(Exit.isInterrupted(exit))
          assert.strictEqual(yield* now, at)
          const looks = yield* script.looks
          yield* Effect.sleep("5 minutes")
          assert.deepStrictEqual(yield* script.looks, looks)
          if (when !== "between two looks") assert.deepInclude(looks.at(-1), { end: at, ending: "interrupted" })
        })
      )
    }
  }

  claim(
    "49. interruption while the reason is looked up ends the wait at once",
    Effect.gen(function* () {
      let aborted = false
      const reason = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (aborted = true)))
      const { probe } = yield* scripted(["failed"])
      const waiting = yield* Effect.fork(Waiter.until(probe, adapter.ready, { reason }))
      yield* Effect.sleep("2 seconds")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
      assert.deepStrictEqual([aborted, yield* now], [true, 2000])
    })
  )

  claim(
    "49. interruption while progress is told ends the wait at once",
    Effect.gen(function* () {
      const { probe, script } = yield* scripted(["working"])
      const onProgress = (event: { readonly _tag: string }) => (event._tag === "Looked" ? Effect.never : Effect.void)
      const waiting = yield* Effect.fork(Waiter.until(probe, adapter.ready, { onProgress, limit: "1 minute" }))
      yield* Effect.sleep("2 seconds")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
      assert.deepStrictEqual([yield* script.count, yield* now], [1, 2000])
    })
  )

  claim(
    "49. a wait that is run again begins anew",
    Effect.gen(function* () {
      const { probe, script } = yield* scripted(["working", "ready", "working", "working", "ready"])
      const wait = Waiter.outcome(probe, adapter.ready, { limit: "10 seconds" })
      const looks = (outcome: Waiter.Outcome<A, E>) => ("report" in outcome ? outcome.report.looks : -1)
      assert.strictEqual(looks(yield* wait), 2)
      assert.strictEqual(looks(yield* wait), 3)
      assert.strictEqual(yield* script.count, 5)
    })
  )

  claim(
    "53. several waits share one limit, and each ends on its own",
    Effect.gen(function* () {
      const scripts = yield* Effect.forEach(
        [["working", "ready"], ["working", "working", "failed"], [never], ["working"], [refusal()], ["working", none]],
        (answers) => scripted(answers)
      )
      const options = { patience: adapter.patience({}) }
      const outcomes = yield* Waiter.untilAll(
        scripts.map(({ probe }, index) => Waiter.wait(probe, index === 5 ? adapter.gone : adapter.ready, options)),
        { limit: "12 seconds" }
      )
      assert.deepStrictEqual(outcomes.map(ending), [
        "Reached",
        "Failed status",
        "TimedOut limit",
        "TimedOut limit",
        "Faulted",
        "Reached"
      ])
      assert.strictEqual(yield* now, 12_000)
      const starts = yield* Effect.forEach(scripts, ({ script }) => script.starts)
      assert.deepStrictEqual(starts, [[0, 5000], [0, 5000, 10_000], [0], [0, 5000, 10_000, 12_000], [0], [0, 5000]])
    })
  )

  claim(
    "53. a deadline that runs already is drawn on, also by those that come later for lack of room",
    Effect.gen(function* () {
      const scripts = yield* Effect.forEach([["working"], ["working"]], (answers) => scripted(answers))
      const outcomes = yield* Waiter.untilAll(
        scripts.map(({ probe }) => Waiter.wait(probe, adapter.ready)),
        { limit: "8 seconds", concurrency: 1 }
      )
      assert.deepStrictEqual(outcomes.map(ending), ["TimedOut limit", "TimedOut limit"])
      assert.strictEqual(yield* now, 8000)
      assert.deepStrictEqual(yield* scripts[1]!.script.starts, [8000])
    })
  )

  claim(
    "53. without a shared limit each wait keeps its own",
    Effect.gen(function* () {
      const scripts = yield* Effect.forEach([["working"], ["working", delayed("1 second", "ready")]], (answers) =>
        scripted(answers)
      )
      const outcomes = yield* Waiter.untilAll(
        scripts.map(({ probe }, index) => Waiter.wait(probe, adapter.ready, index === 0 ? { limit: "2 seconds" } : {}))
      )
      assert.deepStrictEqual(outcomes.map(ending), ["TimedOut limit", "Reached"])
      assert.strictEqual(yield* now, 6000)
    })
  )

  claim(
    "53. a shared limit takes the place of each wait's own, shorter or longer",
    Effect.gen(function* () {
      const scripts = yield* Effect.forEach([["working"], ["working"]], (answers) => scripted(answers))
      const outcomes = yield* Waiter.untilAll(
        scripts.map(({ probe }, index) =>
          Waiter.wait(probe, adapter.ready, { limit: index === 0 ? "2 seconds" : "1 hour" })
        ),
        { limit: "7 seconds" }
      )
      assert.deepStrictEqual(outcomes.map(ending), ["TimedOut limit", "TimedOut limit"])
      const starts = yield* Effect.forEach(scripts, ({ script }) => script.starts)
      assert.deepStrictEqual(starts, [
        [0, 5000, 7000],
        [0, 5000, 7000]
      ])
    })
  )

  claim(
    "53. interrupting several waits interrupts each",
    Effect.gen(function* () {
      const scripts = yield* Effect.forEach([[never], ["working", never], ["working"]], (answers) => scripted(answers))
      const waiting = yield* Effect.fork(
        Waiter.untilAll(
          scripts.map(({ probe }) => Waiter.wait(probe, adapter.ready)),
          { limit: "1 minute" }
        )
      )
      yield* Effect.sleep("7 seconds")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(waiting)))
      assert.strictEqual(yield* now, 7000)
      yield* Effect.sleep("5 minutes")
      const counts = yield* Effect.forEach(scripts, ({ script }) => script.count)
      assert.deepStrictEqual(counts, [1, 2, 2])
    })
  )
}
