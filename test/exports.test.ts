/**
 * What can be imported from a package is exactly its public modules, each by its own name.
 */
import { assert, describe, it } from "@effect/vitest"
import { exportsOf } from "../scripts/lib/exports.mjs"
import { manifestOf, modulesOf, packages } from "../scripts/lib/workspace.mjs"

describe("exports", () => {
  it("every module has an entry, with its source for us and its build for the world", () =>
    assert.deepStrictEqual(exportsOf("core", ["waiter/Waiter.ts"]), {
      "./waiter/Waiter": {
        "@effect-manila/source": "./src/waiter/Waiter.ts",
        types: "./dist/waiter/Waiter.d.ts",
        default: "./dist/waiter/Waiter.js"
      },
      "./package.json": "./package.json"
    }))

  it("an index stands for its folder, and the package's own for the package", () =>
    assert.deepStrictEqual(Object.keys(exportsOf("core", ["waiter/index.ts", "index.ts"])), [
      ".",
      "./waiter",
      "./package.json"
    ]))

  it("what is internal, and what a bin starts, stays inside", () =>
    assert.deepStrictEqual(
      Object.keys(
        exportsOf("test-kit", [
          "internal/Heap.ts",
          "manila/internal/deep/Row.ts",
          "bin.ts",
          "ambient.d.ts",
          "internals/Open.ts",
          "Cabin.ts"
        ])
      ),
      ["./Cabin", "./internals/Open", "./package.json"]
    ))

  it("two modules can't want the same name", () =>
    assert.throws(
      () => exportsOf("core", ["waiter.ts", "waiter/index.ts"]),
      /core: two modules want the name \.\/waiter/
    ))

  it("the modules of a program are for its own tests only", () =>
    assert.deepStrictEqual(exportsOf("cli", ["Noun.ts"])["./Noun"], { "@effect-manila/source": "./src/Noun.ts" }))

  for (const name of packages)
    it(`${name}: no entry is a pattern, none leads out of src and dist`, () => {
      const entries = Object.entries(exportsOf(name, modulesOf(name)))
      assert.isNotEmpty(entries)
      for (const [subpath, target] of entries) {
        assert.notInclude(subpath, "*")
        for (const path of typeof target === "string" ? [] : Object.values(target))
          assert.match(path as string, /^\.\/(src|dist)\//)
      }
    })

  it("the packages have one version", () =>
    assert.strictEqual(new Set(packages.map((name) => manifestOf(name).version)).size, 1))
})
