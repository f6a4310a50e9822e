/**
 * The parts of `fake-cloud` that need no process.
 */
import { assert, describe, it } from "@effect/vitest"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { EventEmitter } from "node:events"
import * as Arguments from "../src/internal/bin/Arguments.js"
import * as Command from "../src/internal/bin/Command.js"
import * as Environment from "../src/internal/bin/Environment.js"
import * as Recorder from "../src/internal/bin/Recorder.js"
import * as SpeedClock from "../src/internal/bin/SpeedClock.js"
import { answer } from "./transports.ts"

const parse = (line: string) => Arguments.parse(line === "" ? [] : line.split(" "))

describe("the arguments", () => {
  it("options come in any order and spelling, and everything behind -- is the command's", () => {
    assert.deepStrictEqual(
      Either.getOrThrow(parse("--speed=10 --port 5000 --plan a.json --journal=j -- manila --help")),
      {
        mode: "serve",
        port: 5000,
        plan: "a.json",
        journal: "j",
        speed: 10,
        command: ["manila", "--help"]
      }
    )
    assert.deepStrictEqual(Either.getOrThrow(parse("--port 1 --port 2")).port, 2)
    assert.deepStrictEqual(Either.getOrThrow(parse("-- sh -c --")).command, ["sh", "-c", "--"])
    assert.deepStrictEqual(Either.getOrThrow(parse("")).speed, undefined)
    assert.deepStrictEqual(Either.getOrThrow(parse("--version")).mode, "version")
    assert.deepStrictEqual(Either.getOrThrow(parse("--plan x --help")).mode, "help")
  })

  it("a mistake is one sentence", () => {
    const mistakes: Record<string, RegExp> = {
      "manila list": /behind --, as in: fake-cloud -- manila$/,
      "--": /^a command belongs behind --$/,
      "--prot 3": /^there is no option --prot;/,
      "--port": /^--port needs a value$/,
      "--plan= ": /^--plan needs a value$/,
      "--journal -- x": /^--journal needs a value$/,
      "--port 65536": /from 0 to 65535, not 65536$/,
      "--port 1.5": /not 1.5$/,
      "--speed 0": /above 0, not 0$/,
      "--speed fast": /above 0, not fast$/
    }
    for (const [line, pattern] of Object.entries(mistakes)) {
      assert.match(
        Either.match(parse(line), { onLeft: (sentence) => sentence, onRight: () => "no mistake" }),
        pattern,
        line
      )
    }
  })

  it("the help names every option", () => {
    for (const option of ["--port", "--plan", "--journal", "--speed", "--help", "--version", "-- COMMAND"]) {
      assert.include(Arguments.usage, option)
    }
  })
})

describe("the environment", () => {
  it("has nothing of another cloud in it", () => {
    const outer = { PATH: "/bin", OS_CLOUD: "real", OS_TOKEN: "t", OS_CLIENT_CONFIG_FILE: "/x", OSTRICH: "1" }
    assert.deepStrictEqual(Environment.environment(outer, { OS_USERNAME: "demo" }), {
      PATH: "/bin",
      OSTRICH: "1",
      OS_USERNAME: "demo"
    })
  })

  it("keeps a proxy, but not for loopback", () => {
    const inner = Environment.environment({ http_proxy: "http://p", NO_PROXY: "corp" }, {})
    assert.deepStrictEqual(inner, {
      http_proxy: "http://p",
      NO_PROXY: "corp,127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost"
    })
  })

  it("is printed for a shell", () => {
    assert.strictEqual(
      Environment.exports({ OS_AUTH_URL: "http://127.0.0.1:5/identity/v3", OS_PASSWORD: "it's $1" }),
      `unset OS_CLOUD\nexport OS_AUTH_URL=http://127.0.0.1:5/identity/v3\nexport OS_PASSWORD='it'\\''s $1'`
    )
  })
})

describe("the journal's lines", () => {
  it("say time, method, path, query, status and microversion, and come before a delay has passed", () => {
    const lines: Array<string> = []
    const app = Recorder.record(
      (request) =>
        Effect.succeed(
          request.method === "GET" ? { ...answer("", { status: 503 }), delayMillis: Infinity } : { _tag: "Reset" }
        ),
      (line) => lines.push(line)
    )
    const request = {
      method: "GET",
      origin: "http://x",
      path: "/share/v2/shares",
      query: [["a", "b"]],
      body: ""
    } as const
    VirtualTime.runSync(
      Effect.gen(function* () {
        yield* Effect.sleep(1_500)
        yield* app({ ...request, headers: { "x-openstack-manila-api-version": "2.63" } })
        yield* app({ ...request, method: "POST", query: [], headers: {} })
      })
    )
    assert.deepStrictEqual(lines, [
      '{"time":"1970-01-01T00:00:01.500Z","method":"GET","path":"/share/v2/shares","query":[["a","b"]],"status":503,"microversion":"2.63"}\n',
      '{"time":"1970-01-01T00:00:01.500Z","method":"POST","path":"/share/v2/shares","query":[],"status":0,"microversion":null}\n'
    ])
  })
})

describe("the clock", () => {
  it("runs so many times as fast, from now, whatever is done to the system's clock", () => {
    const seen = VirtualTime.runSync(
      Effect.gen(function* () {
        const live = yield* Effect.clock
        const fast = SpeedClock.make(live, 10)
        const read = Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos]).pipe(Effect.withClock(fast))
        const before = yield* read
        yield* Effect.withClock(Effect.sleep("1 minute"), fast)
        yield* VirtualTime.moveSystemClock(-5_000_000)
        return { before, after: yield* read, passed: yield* Clock.currentTimeNanos }
      }),
      { start: 1_000 }
    )
    assert.deepStrictEqual(seen.before, [1_000, 1_000_000_000n])
    assert.deepStrictEqual(seen.after, [61_000, 61_000_000_000n])
    assert.strictEqual(seen.passed, 7_000_000_000n)
  })

  it("an endless sleep stays endless", () => {
    const run = VirtualTime.runExit(
      Effect.flatMap(Effect.clock, (live) =>
        Effect.sleep(Duration.infinity).pipe(
          Effect.withClock(SpeedClock.make(live, 1e6)),
          Effect.timeoutOption("1 day")
        )
      )
    )
    assert.isTrue(Exit.isSuccess(run.exit))
    assert.strictEqual(run.elapsedMillis, 86_400_000)
  })
})

describe("the command", () => {
  const run = (script: string, use?: (source: EventEmitter) => void, terminal = false) =>
    Effect.suspend(() => {
      const source = new EventEmitter()
      const complaints: Array<string> = []
      const command = script.startsWith("/") ? [script] : [process.execPath, "-e", script]
      if (use !== undefined) setTimeout(use, 300, source)
      return Effect.map(
        Command.run({ command, env: { PATH: "/bin:/usr/bin" }, source, terminal }, (sentence) =>
          complaints.push(sentence)
        ),
        (code) => ({
          code,
          complaints,
          listeners: source.eventNames().flatMap((name) => source.listeners(name)).length
        })
      )
    })

  it.live("its exit code comes through, or 128 + n for a signal, 127 and 126 if it can't be run", () =>
    Effect.gen(function* () {
      const results = yield* Effect.all(
        [
          run("process.exit(0)"),
          run("process.exit(42)"),
          run("process.kill(process.pid, 'SIGKILL')"),
          run("/no/such/program"),
          run("/etc")
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map(({ code }) => code),
        [0, 42, 137, 127, 126]
      )
      assert.deepStrictEqual(results[3]!.complaints, ["can't run /no/such/program: there is no such program"])
      assert.strictEqual(results[4]!.complaints.length, 1)
      for (const { listeners } of results) assert.strictEqual(listeners, 0)
    })
  )

  it.live("gets the signals that reach us, but no second Ctrl-C from us when there is a terminal", () =>
    Effect.gen(function* () {
      const wait = "setTimeout(() => process.exit(7), 900)"
      const results = yield* Effect.all(
        [
          run(wait, (source) => source.emit("SIGTERM")),
          run(wait, (source) => source.emit("SIGINT")),
          run(wait, (source) => source.emit("SIGINT"), true),
          run(wait, (source) => source.emit("SIGHUP"), true)
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        results.map(({ code }) => code),
        [143, 130, 7, 129]
      )
    })
  )

  it.live("without one, a signal ends the cloud", () =>
    Effect.gen(function* () {
      const source = new EventEmitter()
      const waiting = yield* Effect.fork(Command.untilSignal(source))
      yield* Effect.yieldNow()
      source.emit("SIGTERM")
      assert.strictEqual(yield* waiting.await.pipe(Effect.flatten), 143)
      assert.strictEqual(source.listenerCount("SIGTERM"), 0)
    })
  )
})
