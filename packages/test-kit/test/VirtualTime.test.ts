import { assert, describe, it } from "@effect/vitest"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as STM from "effect/STM"
import * as Stream from "effect/Stream"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as TRef from "effect/TRef"

const failureOf = <A, E>(run: VirtualTime.Run<A, E>): E => {
  assert(Exit.isFailure(run.exit), "the run should have failed")
  return Option.getOrThrow(Cause.failureOption(run.exit.cause))
}

const deadlockOf = <A, E>(run: VirtualTime.Run<A, E | VirtualTime.VirtualTimeError>): VirtualTime.Deadlock => {
  const error = failureOf(run)
  assert(error instanceof VirtualTime.Deadlock)
  return error
}

const times = (options?: VirtualTime.Options) =>
  VirtualTime.runSync(
    Effect.gen(function* () {
      const seen: Array<number> = []
      yield* Clock.currentTimeMillis.pipe(
        Effect.map((now) => seen.push(now)),
        Effect.repeat(Schedule.spaced("1 second").pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(9))))
      )
      return seen
    }),
    options
  )

describe("VirtualTime", () => {
  it("a day of looks ends now, at the virtual time it would have ended", () => {
    const looks: Array<number> = []
    const run = VirtualTime.runExit(
      Clock.currentTimeMillis.pipe(
        Effect.tap((now) => Effect.sync(() => looks.push(now))),
        Effect.repeat(Schedule.fixed("5 seconds").pipe(Schedule.upTo("24 hours")))
      )
    )
    assert(Exit.isSuccess(run.exit))
    assert.strictEqual(looks.length, 17_281)
    assert.strictEqual(looks.at(-1), 86_400_000)
    assert.strictEqual(run.elapsedMillis, 86_400_000)
  })

  it.effect("it runs inside a program on another clock, with that program's services, and moves only its own", () =>
    Effect.gen(function* () {
      const now = yield* VirtualTime.run(Effect.zipRight(Effect.sleep("1 hour"), Clock.currentTimeMillis), {
        start: 1_000
      })
      assert.strictEqual(now, 3_601_000)
      assert.strictEqual(yield* Clock.currentTimeMillis, 0)
      const failed = yield* VirtualTime.run(Effect.fail("no" as const)).pipe(Effect.flip)
      assert.strictEqual(failed, "no")
    })
  )

  it("nested runs have a time each", () => {
    const inner = VirtualTime.run(Effect.sleep("1 day"))
    assert.strictEqual(VirtualTime.runExit(Effect.zipRight(inner, Effect.sleep(5))).elapsedMillis, 5)
  })

  it("sleepers of one instant wake in the order they went to sleep, each before the next is woken", () => {
    const seen: Array<string> = []
    const note = (text: string) => Effect.sync(() => seen.push(text))
    const sleeper = (name: string) =>
      Effect.sleep(10).pipe(
        Effect.zipRight(note(name)),
        Effect.zipRight(Effect.yieldNow()),
        Effect.zipRight(note(name))
      )
    VirtualTime.runSync(Effect.all([sleeper("a"), sleeper("b"), sleeper("c")], { concurrency: "unbounded" }))
    assert.deepStrictEqual(seen, ["a", "a", "b", "b", "c", "c"])
  })

  it("the loser of a race and what a time-out cuts off are interrupted at that instant", () => {
    const cut: Array<readonly [string, number]> = []
    const slow = (name: string) =>
      Effect.sleep("1 hour").pipe(
        Effect.onInterrupt(() => Effect.map(Clock.currentTimeMillis, (now) => cut.push([name, now])))
      )
    const run = VirtualTime.runExit(
      Effect.race(Effect.sleep(20), slow("race")).pipe(
        Effect.zipRight(Effect.timeoutOption(slow("time-out"), 300)),
        Effect.zipRight(Effect.fork(slow("fork")).pipe(Effect.flatMap(Fiber.interrupt)))
      )
    )
    assert(Exit.isSuccess(run.exit))
    assert.deepStrictEqual(cut.slice(0, 2), [
      ["race", 20],
      ["time-out", 320]
    ])
    assert.strictEqual(run.elapsedMillis, 320)
    assert.deepStrictEqual(run.left, [])
  })

  it("thousands of time-outs that never fire don't pile up", () => {
    const run = VirtualTime.runExit(
      Effect.void.pipe(
        Effect.delay(1_000),
        Effect.timeout("1 day"),
        Effect.repeat(Schedule.recurs(5_000)),
        Effect.zipRight(Effect.map(Effect.clock, (clock) => (clock as unknown as { heap: Array<unknown> }).heap.length))
      )
    )
    assert(Exit.isSuccess(run.exit))
    assert.isBelow(run.exit.value, 2_100)
  })

  it("fibers that only yield take no time, and don't keep others from running", () => {
    const run = VirtualTime.runExit(
      Effect.gen(function* () {
        const done = yield* Deferred.make<void>()
        const spin = yield* Effect.forever(Effect.yieldNow()).pipe(Effect.fork)
        yield* Effect.fork(Deferred.succeed(done, undefined).pipe(Effect.delay("0 seconds"), Effect.asVoid))
        yield* Effect.yieldNow().pipe(Effect.repeatN(50))
        yield* Fiber.interrupt(spin)
        yield* Deferred.await(done)
      })
    )
    assert(Exit.isSuccess(run.exit))
    assert.strictEqual(run.elapsedMillis, 0)
  })

  describe("what it can't wait for is named", () => {
    const outside: Record<string, Effect.Effect<unknown, unknown>> = {
      "a promise": Effect.promise(() => Promise.resolve(1)),
      "a promise that takes the signal": Effect.tryPromise((signal) => Promise.resolve(signal)),
      "a callback": Effect.async(() => {}),
      "a callback that can be cancelled": Effect.async(() => Effect.void),
      "the live clock": Effect.sleep(1).pipe(Effect.withClock(Clock.make()))
    }
    for (const [name, effect] of Object.entries(outside)) {
      it(`${name}: at once, and not by a time-out around it`, () => {
        for (const program of [effect, Effect.timeout(effect, "5 seconds"), Effect.race(effect, Effect.sleep(1))]) {
          const error = deadlockOf(VirtualTime.runExit(program))
          assert.isTrue(error.outside)
          assert.strictEqual(error.elapsedMillis, 0)
          assert.match(error.message, /waits for a promise, a socket or another callback; virtual time can't/)
        }
      })
    }

    it("with `outside: ignore` time moves past it", () => {
      const run = VirtualTime.runExit(
        Effect.timeoutOption(
          Effect.promise(() => Promise.resolve(1)),
          "5 seconds"
        ),
        { outside: "ignore" }
      )
      assert.deepStrictEqual(run.exit, Exit.succeed(Option.none()))
      assert.strictEqual(run.elapsedMillis, 5_000)
    })

    it("a deferred nobody completes is a deadlock that says who waits", () => {
      const error = deadlockOf(
        VirtualTime.runExit(
          Effect.sleep("2 seconds").pipe(
            Effect.zipRight(Deferred.make<void>()),
            Effect.flatMap((deferred) => Deferred.await(deferred))
          )
        )
      )
      assert.isFalse(error.outside)
      assert.strictEqual(error.elapsedMillis, 2_000)
      assert.match(
        error.message,
        /nothing sleeps and nothing can go on: fiber #\d+ waits for something that fiber #\d+ /
      )
    })

    it("a sleep no timer can hold never ends, as on the live clock", () => {
      const run = VirtualTime.runExit(Effect.sleep("30 days"), { maxTime: "1000 days" })
      assert.match(deadlockOf(run).message, /a sleep of more than 2147483647 ms/)
      assert.isTrue(Exit.isSuccess(VirtualTime.runExit(Effect.sleep("24 days")).exit))
    })

    it("a deadlocked program's finalizers run, even those that take time", () => {
      const seen: Array<string> = []
      const run = VirtualTime.runExit(
        Effect.never.pipe(
          Effect.ensuring(
            Effect.zipRight(
              Effect.sleep(10),
              Effect.sync(() => seen.push("closed"))
            )
          )
        )
      )
      assert.strictEqual(deadlockOf(run).elapsedMillis, 0)
      assert.deepStrictEqual(seen, ["closed"])
    })
  })

  describe("Effect's own ways to wait are not taken for promises", () => {
    const second = Effect.sleep("1 second")
    const held: Record<string, Effect.Effect<unknown, unknown>> = {
      never: Effect.timeoutOption(Effect.never, "1 second"),
      semaphore: Effect.gen(function* () {
        const one = (yield* Effect.makeSemaphore(1)).withPermits(1)
        yield* Effect.all([one(second), one(Effect.void)], { concurrency: 2 })
      }),
      latch: Effect.gen(function* () {
        const latch = yield* Effect.makeLatch()
        yield* Effect.all([latch.await, Effect.zipRight(second, latch.open)], { concurrency: 2 })
      }),
      queue: Effect.gen(function* () {
        const queue = yield* Queue.unbounded<number>()
        yield* Effect.all([Queue.take(queue), Effect.zipRight(second, Queue.offer(queue, 1))], { concurrency: 2 })
      }),
      mailbox: Effect.gen(function* () {
        const mailbox = yield* Mailbox.make<number>()
        yield* Effect.all([mailbox.take, Effect.zipRight(second, mailbox.offer(1))], { concurrency: 2 })
      }),
      "synchronized ref": Effect.gen(function* () {
        const ref = yield* SynchronizedRef.make(0)
        const add = SynchronizedRef.updateEffect(ref, (n) => Effect.as(Effect.sleep(500), n + 1))
        yield* Effect.all([add, add], { concurrency: 2 })
      }),
      "forEach, bounded": Effect.forEach([1, 1, 1, 1], () => Effect.sleep(500), { concurrency: 2 }),
      "raceAll and raceFirst": Effect.raceFirst(Effect.raceAll([second, Effect.sleep(7_000)]), Effect.sleep(8_000)),
      "fork and join": Effect.flatMap(Effect.fork(second), Fiber.join),
      "cached effect": Effect.gen(function* () {
        const cached = yield* Effect.cached(second)
        yield* Effect.all([cached, cached], { concurrency: 2 })
      }),
      "stream with a buffer and a merge": Stream.fromSchedule(Schedule.spaced(500)).pipe(
        Stream.take(2),
        Stream.merge(Stream.fromEffect(second)),
        Stream.buffer({ capacity: 2 }),
        Stream.runDrain
      )
    }
    for (const [name, effect] of Object.entries(held)) {
      it(name, () => {
        const run = VirtualTime.runExit(effect)
        assert(Exit.isSuccess(run.exit), String(run.exit))
        assert.strictEqual(run.elapsedMillis, 1_000)
      })
    }

    it("STM can't be told apart and needs `outside: ignore`", () => {
      const program = Effect.gen(function* () {
        const ref = yield* TRef.make(0)
        const wait = STM.commit(STM.flatMap(TRef.get(ref), (n) => (n === 0 ? STM.retry : STM.void)))
        yield* Effect.all([wait, Effect.zipRight(second, STM.commit(TRef.set(ref, 1)))], { concurrency: 2 })
      })
      assert.isTrue(deadlockOf(VirtualTime.runExit(program)).outside)
      assert.strictEqual(VirtualTime.runExit(program, { outside: "ignore" }).elapsedMillis, 1_000)
    })
  })

  describe("limits", () => {
    it("a wait without end stops at the most virtual time, 30 days unless said otherwise", () => {
      const endless = Effect.repeat(Effect.void, Schedule.spaced("1 hour"))
      for (const [options, hours] of [
        [{}, 720],
        [{ maxTime: "1 day" }, 24]
      ] as const) {
        const error = failureOf(VirtualTime.runExit(endless, options))
        assert(error instanceof VirtualTime.Runaway)
        assert.strictEqual(error.limit, "time")
        assert.strictEqual(error.elapsedMillis, hours * 3_600_000)
      }
    })

    it("a loop without a sleep, which is one task for ever, is found out soon", () => {
      let rounds = 0
      const busy = Effect.forever(Effect.sync(() => rounds++))
      for (const loop of [busy, Effect.uninterruptible(busy)]) {
        rounds = 0
        const run = VirtualTime.runExit(loop, { maxSteps: 10_000 })
        assert.isTrue(Exit.isFailure(run.exit))
        // A step stands for some forty instructions, and afterwards finalizers get their steps.
        assert.isBelow(rounds, 110_000 * 41)
      }
    })

    it("a program that never lets time pass stops at the most steps", () => {
      for (const busy of [Effect.void, Effect.yieldNow(), Effect.sleep(0)]) {
        const error = failureOf(VirtualTime.runExit(Effect.forever(busy), { maxSteps: 1_000 }))
        assert(error instanceof VirtualTime.Runaway)
        assert.strictEqual(error.limit, "steps")
        assert.strictEqual(error.elapsedMillis, 0)
      }
    })
  })

  describe("fibers left behind", () => {
    const program = Effect.sleep("1 hour").pipe(Effect.forkDaemon, Effect.zipRight(Effect.sleep(5)))

    it("are reported with what they wait for, and interrupted", () => {
      let interrupted = false
      const run = VirtualTime.runExit(
        Effect.sleep("1 hour").pipe(
          Effect.onInterrupt(() => Effect.sync(() => (interrupted = true))),
          Effect.forkDaemon,
          Effect.asVoid
        )
      )
      assert.isTrue(Exit.isSuccess(run.exit))
      assert.deepStrictEqual(
        run.left.map(({ waitsFor }) => waitsFor),
        ["the clock"]
      )
      assert.isTrue(interrupted)
      assert.strictEqual(run.elapsedMillis, 0)
    })

    it("are a failure when asked for", () => {
      const error = failureOf(VirtualTime.runExit(program, { left: "fail" }))
      assert(error instanceof VirtualTime.FibersLeft)
      assert.match(error.message, /^1 left behind: fiber #\d+ waits for the clock$/)
    })

    it("can be counted while the program runs", () => {
      const counts = VirtualTime.runSync(
        Effect.gen(function* () {
          const before = yield* VirtualTime.leftFibers
          const fiber = yield* Effect.fork(Effect.sleep("1 hour"))
          yield* Effect.yieldNow()
          const during = yield* VirtualTime.leftFibers
          yield* Fiber.interrupt(fiber)
          return [before.length, during.length, (yield* VirtualTime.leftFibers).length]
        })
      )
      assert.deepStrictEqual(counts, [0, 1, 0])
    })

    it("don't keep a run from ending, however busy they are", () => {
      const run = VirtualTime.runExit(
        Effect.zipRight(Effect.sleep(5), Effect.as(Effect.forkDaemon(Effect.forever(Effect.yieldNow())), "done"))
      )
      assert.deepStrictEqual(run.exit, Exit.succeed("done"))
      assert.lengthOf(run.left, 1)
    })

    it("a daemon that can end without time passing has ended", () => {
      let ran = false
      const run = VirtualTime.runExit(
        Effect.forkDaemon(
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => (ran = true))
          )
        )
      )
      assert.isTrue(ran)
      assert.deepStrictEqual(run.left, [])
    })
  })

  it("moving the system's clock changes what it shows and neither sleeps nor the monotonic clock", () => {
    const [shown, nanos] = VirtualTime.runSync(
      Effect.gen(function* () {
        const shown: Array<number> = []
        const nanos: Array<bigint> = []
        const note = Effect.gen(function* () {
          shown.push(yield* Clock.currentTimeMillis)
          nanos.push(yield* Clock.currentTimeNanos)
        })
        yield* note
        yield* Effect.fork(Effect.zipRight(Effect.sleep(400), VirtualTime.setSystemClock(5)))
        yield* Effect.sleep("1 second")
        yield* note
        yield* VirtualTime.moveSystemClock(3_600_000)
        yield* note
        yield* Effect.sleep("1 second")
        yield* note
        return [shown, nanos] as const
      }),
      { start: 10_000 }
    )
    assert.deepStrictEqual(shown, [10_000, 605, 3_600_605, 3_601_605])
    assert.deepStrictEqual(nanos, [10_000_000_000n, 11_000_000_000n, 11_000_000_000n, 12_000_000_000n])
    assert.throws(() => Effect.runSync(VirtualTime.moveSystemClock(1)), /outside of a virtual run/)
  })

  it("runs are the same each time, and another seed is another run", () => {
    assert.deepStrictEqual(times(), times())
    assert.deepStrictEqual(times({ seed: "b" }), times({ seed: "b" }))
    assert.notDeepEqual(times(), times({ seed: "b" }))
  })

  it("`runSync` throws what the effect fails with", () => {
    assert.strictEqual(VirtualTime.runSync(Effect.as(Effect.sleep("1 day"), 7)), 7)
    assert.throws(() => VirtualTime.runSync(Effect.dieMessage("broken")), /broken/)
  })
})

describe("Random", () => {
  it("what a run draws doesn't touch the surrounding generator", () => {
    const outer = Effect.gen(function* () {
      yield* VirtualTime.run(Random.next)
      return yield* Random.next
    })
    const plain = Effect.runSync(Effect.withRandom(Random.next, Random.make("x")))
    assert.strictEqual(Effect.runSync(Effect.withRandom(outer, Random.make("x"))), plain)
  })
})
