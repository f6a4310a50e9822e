import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Width from "@effect-manila/cli/format/Width"
import { layer, mannerOf, Progress, type ProgressEvent } from "@effect-manila/cli/Progress"
import * as TestStdio from "./support/TestStdio.ts"

const id = "36bd0f1a-5f5b-4b7e-9c3a-0d1e2f3a4b5c"

const resume = { token: "mw1.x.y", command: "manila wait --resume mw1.x.y" }

const started = (over: Partial<Extract<ProgressEvent, { _tag: "started" }>> = {}): ProgressEvent => ({
  _tag: "started",
  kind: "share",
  id,
  name: "web",
  verb: "create",
  wanted: "available",
  limitMillis: 300_000,
  resume,
  ...over
})

const status = (
  text: string,
  elapsedMillis: number,
  over: Partial<Extract<ProgressEvent, { _tag: "status" }>> = {}
): ProgressEvent => ({
  _tag: "status",
  id,
  status: text,
  elapsedMillis,
  nextInMillis: 5_000,
  looks: elapsedMillis / 5_000 + 1,
  ...over
})

const ended = (
  ending: Extract<ProgressEvent, { _tag: "ended" }>["ending"],
  over: Partial<Extract<ProgressEvent, { _tag: "ended" }>> = {}
): ProgressEvent => ({ _tag: "ended", id, ending, detail: `it ${ending}`, ...over })

const run = <A, E>(
  stdio: TestStdio.TestStdio,
  progress: "auto" | "plain" | "json" | "none",
  program: (service: (typeof Progress)["Service"]) => Effect.Effect<A, E>,
  quiet = false
) => Effect.flatMap(Progress, program).pipe(Effect.provide(layer({ progress, quiet })), TestStdio.provide(stdio))

const lines = (stdio: TestStdio.TestStdio) =>
  stdio
    .stderr()
    .split("\n")
    .filter((line) => line !== "")

describe("plain progress", () => {
  it.effect("says the id before the first look, then each change of status once, then how it ended", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "auto", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started())
          assert.deepStrictEqual(lines(stdio), [`share web (${id}): create: waiting for available, 5 min at most`])
          yield* emit(status("creating", 0))
          yield* TestClock.adjust("5 seconds")
          yield* emit(status("creating", 5_000))
          yield* TestClock.adjust("5 seconds")
          yield* emit(status("some_new_status", 10_000, { progress: "40%" }))
          yield* TestClock.adjust("5 seconds")
          yield* emit(ended("reached", { status: "available", elapsedMillis: 15_000, looks: 4 }))
        })
      )
      assert.deepStrictEqual(lines(stdio).slice(1), [
        `share web (${id}): creating, after 0 s, 1 look`,
        `share web (${id}): some_new_status 40%, after 10 s, 3 looks`,
        `share web (${id}): available after 15 s, 4 looks`
      ])
    })
  )

  it.effect("says at least once a minute that a status still stands, by the clock alone", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "plain", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(status("creating", 0))
          yield* TestClock.adjust("59 seconds")
          assert.strictEqual(lines(stdio).length, 2)
          yield* TestClock.adjust("1 seconds")
          assert.deepStrictEqual(lines(stdio).slice(2), [`share web (${id}): still creating, after 1 min, 1 look`])
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(lines(stdio).length, 13)
          yield* emit(ended("reached", { status: "available" }))
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(lines(stdio).length, 14)
        })
      )
    })
  )

  it.effect("warns of each fault and counts it", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "plain", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit({ _tag: "fault", id, detail: "503 Service Unavailable", inARow: 1, tolerated: 10 })
          yield* emit(ended("reached"))
        })
      )
      assert.strictEqual(lines(stdio)[1], `share web (${id}): warning: 503 Service Unavailable (1 of 10 tolerated)`)
    })
  )

  it.effect("says how to go on behind the error of a time-out, and not after a failure", () =>
    Effect.gen(function* () {
      const timedOut = TestStdio.make()
      yield* run(timedOut, "plain", ({ emit, error }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(ended("timedOut"))
          yield* error({ text: "manila: timed out.", ending: "timedOut", id })
        })
      )
      assert.deepStrictEqual(lines(timedOut).slice(1), [
        "manila: timed out.",
        "Go on waiting with: manila wait --resume mw1.x.y"
      ])
      const failed = TestStdio.make()
      yield* run(failed, "plain", ({ emit }) => Effect.zipRight(emit(started()), emit(ended("failed"))))
      assert.strictEqual(lines(failed).length, 1)
    })
  )

  it.effect("says how to go on when it is interrupted", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const waiting = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        run(stdio, "plain", ({ emit }) =>
          Effect.gen(function* () {
            yield* emit(started())
            yield* emit(status("creating", 0))
            yield* Deferred.succeed(waiting, undefined)
            yield* Effect.never
          })
        )
      )
      yield* Deferred.await(waiting)
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(lines(stdio).slice(2), [
        `share web (${id}): interrupted while waiting for available, last creating, after 10 s, 1 look`,
        "Go on waiting with: manila wait --resume mw1.x.y"
      ])
    })
  )

  it.effect("says how to wait for what nobody waits for", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "plain", ({ emit }) => emit({ _tag: "resume", kind: "share", id, name: "web", resume }))
      assert.deepStrictEqual(lines(stdio), [
        `share web (${id}): not waited for. Wait with: manila wait --resume mw1.x.y`
      ])
    })
  )

  it.effect("shows escape sequences of names and statuses instead of obeying them", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "plain", ({ emit, error, note }) =>
        Effect.gen(function* () {
          yield* emit(started({ name: "a\u001b[2J\nb" }))
          yield* emit(status("cre\u001bating", 0))
          yield* emit({ _tag: "fault", id, detail: "\u009b1m", inARow: 1, tolerated: 1 })
          yield* note("\u001b[31m")
          yield* error({ text: "\u0007", ending: "other" })
        })
      )
      assert.isFalse(/[\u001b\u009b\u0007]/.test(stdio.stderr()))
      assert.match(lines(stdio)[0] ?? "", /^share a\\x1b\[2J b /)
    })
  )
})

describe("no progress", () => {
  it.effect("still prints errors, remarks and how to go on", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "none", ({ emit, error, note }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(status("creating", 0))
          yield* TestClock.adjust("5 minutes")
          yield* emit(ended("timedOut"))
          yield* note("a remark")
          yield* error({ text: "an error", ending: "timedOut", id })
        })
      )
      assert.deepStrictEqual(lines(stdio), ["a remark", "an error", "Go on waiting with: manila wait --resume mw1.x.y"])
    })
  )
})

describe("progress for programs", () => {
  const json = (stdio: TestStdio.TestStdio) =>
    lines(stdio).map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

  it.effect("is one JSON object a line, the last one about a resource being its ending", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make({ stderrTerminal: true })
      yield* run(stdio, "json", ({ emit, error, note }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(status("creating", 0))
          yield* TestClock.adjust("5 minutes")
          yield* emit({ _tag: "fault", id, detail: "503", inARow: 1, tolerated: 10 })
          yield* note("a remark")
          yield* emit(
            ended("failed", {
              status: "error",
              reason: { message: "No host", detailId: "002", actionId: "001", requestId: "req-1" }
            })
          )
          yield* error({ text: "the same again", ending: "failed", id })
        })
      )
      const events = json(stdio)
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        ["started", "status", "fault", "note", "ended"]
      )
      const last = events[4]
      assert.deepStrictEqual(
        [last?.["kind"], last?.["id"], last?.["name"], last?.["ending"], last?.["status"], last?.["reason"]],
        [
          "share",
          id,
          "web",
          "failed",
          "error",
          { message: "No host", detailId: "002", actionId: "001", requestId: "req-1" }
        ]
      )
      assert.strictEqual(last?.["resume"], undefined)
      assert.strictEqual(events[0]?.["time"], "1970-01-01T00:00:00.000Z")
      assert.strictEqual(last?.["time"], "1970-01-01T00:05:00.000Z")
      assert.isFalse(stdio.stderr().includes("\u001b"))
    })
  )

  it.effect("carries the token in the ending of an unfinished wait and in the event of --no-wait", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "json", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(ended("timedOut"))
          yield* emit({ _tag: "resume", kind: "share", id: "other", resume })
        })
      )
      const [first, timedOut, noWait] = json(stdio)
      assert.strictEqual(first?.["resume"], undefined)
      assert.deepStrictEqual(timedOut?.["resume"], resume)
      assert.deepStrictEqual([noWait?.["event"], noWait?.["resume"]], ["resume", resume])
    })
  )

  it.effect("tells an interruption as an ending", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      const fiber = yield* Effect.fork(run(stdio, "json", ({ emit }) => Effect.zipRight(emit(started()), Effect.never)))
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.interrupt(fiber)
      const last = json(stdio)[1]
      assert.deepStrictEqual([last?.["event"], last?.["ending"], last?.["resume"]], ["ended", "interrupted", resume])
    })
  )

  it.effect("tells an error that is about no wait", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make()
      yield* run(stdio, "json", ({ error }) => error({ text: "over quota", ending: "quota" }))
      const [only] = json(stdio)
      assert.deepStrictEqual([only?.["event"], only?.["text"], only?.["ending"]], ["error", "over quota", "quota"])
    })
  )
})

/** What a terminal shows after these writes: enough of one for what is written here. */
const screen = (text: string, columns: number): { readonly rows: ReadonlyArray<string>; readonly cursor: boolean } => {
  const rows: Array<string> = [""]
  let y = 0
  let x = 0
  let cursor = true
  for (const [token] of text.matchAll(/\u001b\[[0-9;?]*[A-Za-z]|[\s\S]/gu)) {
    if (token === "\n") {
      y++
      x = 0
      rows[y] ??= ""
    } else if (token === "\r") x = 0
    else if (token.startsWith("\u001b[")) {
      const count = Number(/\d+/.exec(token)?.[0] ?? 1)
      if (token.endsWith("A")) y = Math.max(0, y - count)
      else if (token.endsWith("J")) {
        rows.length = y + 1
        rows[y] = (rows[y] ?? "").slice(0, x)
      } else if (token === "\u001b[?25l") cursor = false
      else if (token === "\u001b[?25h") cursor = true
      else if (!token.endsWith("m")) throw new Error(`unknown sequence ${JSON.stringify(token)}`)
    } else {
      rows[y] = (rows[y] ?? "").slice(0, x) + token
      x += token.length
      if (Width.width(rows[y] ?? "") >= columns) throw new Error(`line reaches the last column: ${rows[y]}`)
    }
  }
  return { rows, cursor }
}

describe("live progress", () => {
  const terminal = (over: Parameters<typeof TestStdio.make>[0] = {}) =>
    TestStdio.make({ stderrTerminal: true, columns: 100, rows: 24, ...over })

  it.effect("keeps one line per resource, with status, percentage, elapsed time and the next look", () =>
    Effect.gen(function* () {
      const stdio = terminal()
      yield* run(stdio, "auto", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(status("creating", 0, { progress: "40%" }))
          yield* TestClock.adjust("2 seconds")
          const { cursor, rows } = screen(stdio.stderr(), 100)
          assert.deepStrictEqual(rows, [
            `share web (${id}): create: waiting for available, 5 min at most`,
            "share web  creating 40%  2 s, next look in 3 s"
          ])
          assert.isFalse(cursor)
          yield* emit(started({ id: "other", name: null, kind: "snapshot" }))
          const two = screen(stdio.stderr(), 100).rows
          assert.deepStrictEqual(two.slice(-2), [
            "share web  creating 40%  2 s, next look in 3 s",
            "snapshot other  not seen yet  0 s"
          ])
          yield* emit({ _tag: "fault", id, detail: "503", inARow: 1, tolerated: 10, nextInMillis: 1_000 })
          assert.match(screen(stdio.stderr(), 100).rows.join("\n"), /503 \(1 of 10 tolerated\)/)
        })
      )
    })
  )

  it.effect("leaves only lasting lines and a visible cursor behind", () =>
    Effect.gen(function* () {
      const stdio = terminal()
      yield* run(stdio, "auto", ({ emit, note }) =>
        Effect.gen(function* () {
          yield* emit(started())
          yield* emit(status("creating", 0))
          yield* TestClock.adjust("3 seconds")
          yield* note("a remark")
          yield* TestClock.adjust("2 seconds")
          yield* emit(ended("reached", { status: "available", elapsedMillis: 5_000, looks: 2 }))
        })
      )
      const { cursor, rows } = screen(stdio.stderr(), 100)
      assert.deepStrictEqual(rows, [
        `share web (${id}): create: waiting for available, 5 min at most`,
        "a remark",
        `share web (${id}): available after 5 s, 2 looks`,
        ""
      ])
      assert.isTrue(cursor)
    })
  )

  it.effect("shows the cursor again after an interruption, and says how to go on", () =>
    Effect.gen(function* () {
      const stdio = terminal({ columns: 200 })
      const fiber = yield* Effect.fork(run(stdio, "auto", ({ emit }) => Effect.zipRight(emit(started()), Effect.never)))
      yield* TestClock.adjust("2 seconds")
      assert.isFalse(screen(stdio.stderr(), 200).cursor)
      yield* Fiber.interrupt(fiber)
      const { cursor, rows } = screen(stdio.stderr(), 200)
      assert.isTrue(cursor)
      assert.deepStrictEqual(rows.slice(1), [
        `share web (${id}): interrupted while waiting for available, last not seen yet, after 2 s, 0 looks`,
        "Go on waiting with: manila wait --resume mw1.x.y",
        ""
      ])
    })
  )

  it.effect("cuts lines to a narrow terminal, wide characters counted as they are, also when it shrinks", () =>
    Effect.gen(function* () {
      const stdio = terminal({ columns: 20 })
      const live: Array<string> = []
      yield* run(stdio, "auto", ({ emit }) =>
        Effect.gen(function* () {
          yield* emit(started({ name: "日本語日本語日本語" }))
          const before = stdio.stderrWrites.length
          yield* emit(status("creating", 0))
          stdio.size.columns = 10
          yield* TestClock.adjust("1 seconds")
          live.push(...stdio.stderrWrites.slice(before))
        })
      )
      const shown = live.map((text) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]|\r/g, ""))
      assert.deepStrictEqual(
        shown.map(Width.width).map((width) => width <= 19),
        shown.map(() => true)
      )
      assert.isAtMost(Width.width(shown[shown.length - 1] ?? ""), 9)
    })
  )

  it.effect("shows as many resources as the terminal has rows, and how many more there are", () =>
    Effect.gen(function* () {
      const stdio = terminal({ rows: 5 })
      yield* run(stdio, "auto", ({ emit }) =>
        Effect.gen(function* () {
          for (let i = 0; i < 10; i++) yield* emit(started({ id: `id-${i}`, name: `s${i}` }))
          const rows = screen(stdio.stderr(), 100).rows
          assert.deepStrictEqual(
            rows.slice(-4).map((row) => row.split("  ")[0]),
            ["share s0", "share s1", "share s2", "… and 7 more"]
          )
        })
      )
    })
  )

  it.effect("has colours, and none with NO_COLOR", () =>
    Effect.gen(function* () {
      const program = ({ emit }: (typeof Progress)["Service"]) =>
        Effect.zipRight(emit(started()), emit(status("creating", 0)))
      const colourful = terminal()
      yield* run(colourful, "auto", program)
      assert.match(colourful.stderr(), /\u001b\[\d+m/)
      const plain = terminal({ env: { NO_COLOR: "1" } })
      yield* run(plain, "auto", program)
      assert.isFalse(/\u001b\[\d+m/.test(plain.stderr()))
    })
  )

  it("is only for terminals that can move their cursor, and not wanted with --quiet", () => {
    const manner = (isTerminal: boolean, quiet: boolean, term?: string) => mannerOf("auto", { isTerminal, quiet, term })
    assert.strictEqual(manner(true, false, "xterm"), "live")
    assert.strictEqual(manner(true, false), "live")
    assert.strictEqual(manner(true, false, "dumb"), "plain")
    assert.strictEqual(manner(false, false, "xterm"), "plain")
    assert.strictEqual(manner(true, true, "xterm"), "none")
    assert.strictEqual(mannerOf("plain", { isTerminal: true, quiet: true, term: "xterm" }), "plain")
  })
})
