/**
 * The example of another service: its adapter is short, its wait keeps the laws, and its planted bugs break them.
 */
import type { Adapter } from "@effect-manila/test-kit/laws/Adapter"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = new URL("../../../../", import.meta.url)
const folder = new URL("examples/job-queue/", root)

/** The example stands outside of this package, so the compiler sees it on its own. */
const load = (file: string): Promise<unknown> => import(/* @vite-ignore */ new URL(file, folder).href)

const { adapter } = (await load("adapter.ts")) as { readonly adapter: (parts?: object) => Adapter }
const { bugs } = (await load("bugs.ts")) as {
  readonly bugs: ReadonlyArray<{ readonly name: string; readonly parts: object; readonly breaks: string }>
}

/** Over HTTP a look costs more, and memory is another law's. */
const laws = Waiter.laws.filter((law) => law !== Waiter.memoryIsFlat)

Law.suite({ describe, it }, laws, adapter(), { runs: 25 })

describe("planted bugs of the job queue", () => {
  for (const { breaks, name, parts } of bugs)
    it(`${name}: not "${breaks}"`, () => {
      const law = laws.filter((law) => law.name === breaks)
      assert.strictEqual(law.length, 1)
      const [found] = Law.broken(law, adapter(parts), { runs: breaks === "obeys Retry-After" ? 300 : 60 })
      assert(found !== undefined, "nothing noticed it")
      // A person can read what is wrong.
      assert.match(found.said, /^a job of the queue: .*\n\n[^\n]+\n\ntimeline {2}/)
      assert.match(found.said, /\nstatus {2}.*\nlooks {3}.*\n/)
      assert.match(found.said, /again with \{ seed: -?\d+, path: "[\d:]+" \}$/)
    }, 60_000)
})

describe("the example", () => {
  it("compiles", () => {
    const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root))
    const { stdout } = spawnSync(process.execPath, [tsc, "-b", fileURLToPath(folder)], { encoding: "utf8" })
    assert.deepStrictEqual(
      stdout.split("\n").filter((line) => line.includes("job-queue")),
      []
    )
  }, 60_000)

  it("has an adapter of 40 lines", () => {
    const lines = readFileSync(new URL("adapter.ts", folder), "utf8").split("\n")
    const code = lines.filter((line) => line.trim() !== "" && !/^(import|\/\*\*|\/\/)/.test(line))
    assert.isAtMost(code.length, 40)
  })
})
