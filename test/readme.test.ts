/**
 * The programs that documents mark as `run` are run as they stand: only the network, the files and the process's
 * `runMain` are others, and time is the test's.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { blocks, cache, extract } from "../scripts/lib/docs.mjs"
import { layerOf } from "./support/platform.ts"

interface Stage {
  platform: ReturnType<typeof layerOf> | undefined
  main: Effect.Effect<unknown, unknown> | undefined
}

/** What an example's own modules are replaced by: they find the test's parts here. */
const stage: Stage = { platform: undefined, main: undefined }
Object.assign(globalThis, { effectManilaStage: stage })

const folder = `${cache}-run`

const runnable = (code: string): string =>
  code
    .replace(
      /import \* as NodePlatform from .*/,
      "const NodePlatform = { layer: globalThis.effectManilaStage.platform }"
    )
    .replace(
      /import \* as NodeRuntime from .*/,
      "const NodeRuntime = { runMain: (effect) => { globalThis.effectManilaStage.main = effect } }"
    )

/** Runs an example against a fake cloud on the test clock, and gives what it printed. */
const run = async (path: string, options: FakeCloud.Options) => {
  const cloud = Effect.runSync(FakeCloud.make(options))
  stage.platform = layerOf(cloud)
  const file = path.replace(/\.ts$/, `.${Object.keys(options).length}${Math.trunc(performance.now() * 1000)}.mjs.ts`)
  writeFileSync(file, runnable(readFileSync(path, "utf8")))
  await import(/* @vite-ignore */ pathToFileURL(file).href)
  const printed: Array<string> = []
  const console: Console.Console = { ...Effect.runSync(Console.consoleWith(Effect.succeed)) }
  const recording = Object.assign(console, {
    log: (...args: ReadonlyArray<unknown>) => Effect.sync(() => void printed.push(args.join(" ")))
  })
  assert(stage.main !== undefined, "the example calls NodeRuntime.runMain")
  const main = stage.main.pipe(
    Effect.withConsole(recording),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
  )
  const { elapsedMillis, exit } = await Effect.runPromise(
    inTestTime(main, cloud).pipe(Effect.provide(TestContext.TestContext))
  )
  return { printed, exit, elapsedMillis }
}

/**
 * The reader of YAML is loaded by a promise, which the test clock doesn't wait for: time stands until the cloud has heard
 * from the program.
 */
const inTestTime = <A, E>(main: Effect.Effect<A, E>, cloud: FakeCloud.FakeCloud["Type"]) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(main)
    const turns = Effect.repeatN(
      Effect.promise(() => new Promise(setImmediate)),
      20
    )
    while ((yield* cloud.journal.count()) === 0 && Option.isNone(yield* Fiber.poll(fiber))) yield* turns
    yield* turns
    while (Option.isNone(yield* Fiber.poll(fiber))) {
      yield* TestClock.adjust("1 second")
      yield* turns
    }
    return { exit: yield* Fiber.await(fiber), elapsedMillis: yield* Clock.currentTimeMillis }
  })

const examples = blocks().filter((block) => block.run && block.file === "README.md")

describe("the README's programs", () => {
  const [first, second] = extract(examples, folder)

  it("the first lists the shares of a cloud of clouds.yaml, and catches NotFound", async () => {
    assert(first !== undefined)
    const { elapsedMillis, exit, printed } = await run(first.path, {
      seed: { shares: [{ name: "one" }, { name: "two", status: "error" }] }
    })
    assert(Exit.isSuccess(exit), String(exit))
    assert.strictEqual(printed.length, 3)
    assert.match(printed.join("\n"), / one available/)
    assert.match(printed.join("\n"), / two error/)
    assert.match(printed[2] ?? "", /^share\.get: The resource could not be found\. \[req-/)
    assert.strictEqual(elapsedMillis, 0)
  })

  it("the second waits until its share is available", async () => {
    assert(second !== undefined)
    const { elapsedMillis, exit, printed } = await run(second.path, {
      lifecycles: { "share.create": { phases: [{ status: "creating", millis: 62_000 }, { status: "available" }] } }
    })
    assert(Exit.isSuccess(exit), String(exit))
    assert.match(printed.join("\n"), /^[0-9a-f-]{36} is available$/)
    assert.strictEqual(elapsedMillis, 65_000)
  })

  it("the second names the failure and the service's reason", async () => {
    assert(second !== undefined)
    const { printed } = await run(second.path, {
      lifecycles: {
        "share.create": {
          phases: [{ status: "creating", millis: 4_000 }, { status: "error" }],
          reason: { message: "no pool has room" }
        }
      }
    })
    assert.match(printed.join("\n"), /^error: .*no pool has room/)
  })

  it("is ten lines", () => {
    assert(first !== undefined)
    const lines = first.code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "))
    assert.isAtMost(lines.length, 10)
    rmSync(folder, { recursive: true, force: true })
  })
})
