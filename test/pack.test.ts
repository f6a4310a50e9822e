/**
 * What must not be in a package is seen, and so is what is missing from it.
 */
import { assert, describe, it } from "@effect/vitest"
import { contents } from "../scripts/lib/pack.mjs"

const manifest = {
  exports: {
    "./Goal": {
      "@effect-manila/source": "./src/Goal.ts",
      types: "./dist/Goal.d.ts",
      default: "./dist/Goal.js"
    },
    "./package.json": "./package.json"
  }
}

const good = ["package.json", "README.md", "LICENSE", "src/Goal.ts", "dist/Goal.d.ts", "dist/Goal.js"]

const look = (files: ReadonlyArray<string>, more: object = {}) =>
  contents({ name: "none", manifest: { ...manifest, ...more }, files, tarball: "" })

describe("the contents of a package", () => {
  it("nothing is said of a good one", () => assert.deepStrictEqual(look(good), []))

  for (const file of ["README.md", "LICENSE", "dist/Goal.d.ts", "dist/Goal.js", "src/Goal.ts"])
    it(`a missing ${file} is seen`, () =>
      assert.deepStrictEqual(look(good.filter((one) => one !== file)), [`${file} is missing`]))

  for (const file of [
    "test/Goal.test.ts",
    "src/Goal.test.ts",
    "dist/.tsbuildinfo",
    "dist/x.tsbuildinfo",
    "tsconfig.src.json",
    ".env",
    "src/.DS_Store",
    "src/fixtures/a.json"
  ])
    it(`${file} has no business there`, () =>
      assert.deepStrictEqual(look([...good, file]), [`${file} has no business there`]))

  it("scripts are not published", () =>
    assert.deepStrictEqual(look(good, { scripts: { postinstall: "node evil.js" } }).length, 1))
})
