/**
 * Examples are taken out of documents as they stand, and can be run.
 */
import { assert, describe, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { blocks, blocksIn, cache, compile, extract } from "../scripts/lib/docs.mjs"

const markdown = [
  "# A page",
  "",
  "```ts",
  `import * as Effect from "effect/Effect"`,
  "```",
  "",
  "- in a list:",
  "",
  "  ```ts run",
  "  export const answer = 42",
  "    // deeper",
  "  ```",
  "",
  "```sh",
  "npm ci",
  "```",
  "",
  "````md",
  "```ts",
  "not code, a picture of it",
  "```",
  "````",
  "",
  "```ts nocheck shows a mistake",
  "const x: string = 1",
  "```"
].join("\n")

describe("docs", () => {
  it("a page gives its TypeScript blocks with their lines, without the indent of a list", () =>
    assert.deepStrictEqual(blocksIn("docs/page.md", markdown), [
      { file: "docs/page.md", line: 4, code: `import * as Effect from "effect/Effect"`, check: true, run: false },
      { file: "docs/page.md", line: 10, code: "export const answer = 42\n  // deeper", check: true, run: true },
      { file: "docs/page.md", line: 25, code: "const x: string = 1", check: false, run: false }
    ]))

  it("a module gives the blocks of its doc blocks, not of its strings", () => {
    const source = [
      "/**",
      " * Adds.",
      " *",
      " * @example",
      " * ```ts",
      " * const three = add(1, 2)",
      " *",
      " * {",
      " *   three",
      " * }",
      " * ```",
      " */",
      "export const add = (a: number, b: number) => a + b",
      "const page = `",
      "\\`\\`\\`ts",
      "```ts",
      "`"
    ].join("\n")
    assert.deepStrictEqual(blocksIn("packages/core/src/Add.ts", source), [
      {
        file: "packages/core/src/Add.ts",
        line: 6,
        code: "const three = add(1, 2)\n\n{\n  three\n}",
        check: true,
        run: false
      }
    ])
  })

  it("a block that asks not to be checked has to say why", () =>
    assert.throws(() => blocksIn("README.md", "```ts nocheck\n1\n```"), /README\.md:1: nocheck needs a reason/))

  it("a word nobody knows is refused", () =>
    assert.throws(() => blocksIn("README.md", "\n```ts rum\n1\n```"), /README\.md:2: nobody knows/))

  it("a block without an end is refused", () => {
    assert.throws(() => blocksIn("README.md", "```ts\n1"), /README\.md:1: the block doesn't end/)
    assert.throws(
      () => blocksIn("a.ts", "/**\n * ```ts\n * 1\n */\nexport const a = 1"),
      /a\.ts:2: the block doesn't end/
    )
  })

  it("an extracted block keeps its line and can be imported", async () => {
    const folder = join(cache, "..", `docs-${process.pid}`)
    try {
      const [, runnable] = extract(blocksIn("docs/page.md", markdown), folder)
      assert.isDefined(runnable)
      const module = (await import(/* @vite-ignore */ runnable.path)) as { readonly answer: number }
      assert.strictEqual(module.answer, 42)
      assert.match(runnable.path, /docs_page\.md\.L10\.ts$/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("an example that doesn't compile is told by document and line, a floating effect too", () => {
    const folder = join(cache, "..", `docs-planted-${process.pid}`)
    try {
      const text = [
        "```ts",
        `import * as Effect from "effect/Effect"`,
        "export const size: string = 1",
        "export const main = Effect.gen(function* () {",
        `  Effect.log("nobody runs this")`,
        "})",
        "```"
      ].join("\n")
      const { passed, said } = compile(blocksIn("docs/planted.md", text), folder)
      assert.isFalse(passed)
      assert.match(said, /docs\/planted\.md\(3,14\): error TS2322/)
      assert.match(said, /docs\/planted\.md\(5,3\): error TS377001.*floatingEffect/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)

  it("the documents of this repository can be read", () => assert.isArray(blocks()))
})
