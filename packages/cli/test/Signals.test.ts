import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { Progress } from "@effect-manila/cli/Progress"
import * as Signals from "@effect-manila/cli/Signals"
import type { Signal } from "@effect-manila/cli/Stdio"
import * as Share from "@effect-manila/cli/nouns/Share"
import { invoke } from "./support/Invoke.ts"
import * as TestStdio from "./support/TestStdio.ts"

const until = (stdio: TestStdio.TestStdio, ready: Deferred.Deferred<void>, ...signals: ReadonlyArray<Signal>) =>
  Effect.zipRight(
    Deferred.await(ready),
    Effect.sync(() => signals.forEach((signal) => stdio.signal(signal)))
  )

describe("a signal", () => {
  it.effect.each([
    ["SIGINT", "interrupted"],
    ["SIGTERM", "terminated"]
  ] as const)("%s interrupts the program, whose finalizers run", ([signal, ending]) =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const ready = yield* Deferred.make<void>()
      let finalized = false
      const program = Effect.zipRight(Deferred.succeed(ready, undefined), Effect.never).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            finalized = true
          })
        )
      )
      const fiber = yield* Effect.fork(TestStdio.provide(stdio)(Signals.run(program)))
      yield* until(stdio, ready, signal)
      const ended = yield* Fiber.join(fiber)
      assert.isTrue(Exit.isInterrupted(ended.exit))
      assert.strictEqual(ended.signal, signal)
      assert.strictEqual(Signals.endingOf(signal), ending)
      assert.isTrue(finalized)
      assert.deepStrictEqual(stdio.exits, [])
      assert.strictEqual(stdio.listeners(), 0)
    })
  )

  it.effect("that comes again ends the process at once, whatever still runs", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const ready = yield* Deferred.make<void>()
      const program = Effect.uninterruptible(Effect.zipRight(Deferred.succeed(ready, undefined), Effect.never))
      yield* Effect.forkDaemon(TestStdio.provide(stdio)(Signals.run(program)))
      yield* until(stdio, ready, "SIGINT")
      assert.deepStrictEqual(stdio.exits, [])
      stdio.signal("SIGINT")
      assert.deepStrictEqual(stdio.exits, [130])
      stdio.signal("SIGTERM")
      assert.deepStrictEqual(stdio.exits, [130, 130])
    })
  )

  it.effect("that doesn't come changes nothing", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const { exit, signal } = yield* TestStdio.provide(stdio)(Signals.run(Effect.succeed(1)))
      assert.deepStrictEqual([exit, signal, stdio.listeners()], [Exit.succeed(1), undefined, 0])
    })
  )
})

describe("a command that is interrupted", () => {
  it.effect.each([
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const)("by %s ends with %i and says how to go on", ([signal, code]) =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const ready = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        invoke(
          Share.create,
          () =>
            Effect.gen(function* () {
              const { emit } = yield* Progress
              yield* emit({
                _tag: "started",
                kind: "share",
                id: "x",
                wanted: "available",
                resume: { token: "t", command: "manila wait --resume t" }
              })
              yield* Deferred.succeed(ready, undefined)
              yield* Effect.never
            }),
          ["share", "create", "NFS", "1", "--wait", "--exit-codes", "osc"],
          stdio
        )
      )
      yield* until(stdio, ready, signal)
      const ended = yield* Fiber.join(fiber)
      assert.strictEqual(ended.code, code)
      assert.strictEqual(ended.stdout, "")
      assert.match(ended.stderr, /interrupted while waiting for available/)
      assert.match(ended.stderr, /Go on waiting with: manila wait --resume t\n$/)
    })
  )

  it.effect("after its work was done ends as its work did", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const ended = yield* invoke(
        Share.show,
        () => Effect.uninterruptible(Effect.sync(() => stdio.signal("SIGINT"))),
        ["share", "show", "web"],
        stdio
      )
      assert.include([0, 130], ended.code)
    })
  )
})
