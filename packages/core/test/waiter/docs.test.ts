/** docs/waiting.md and the tests name each other. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "vitest"

const here = new URL("./", import.meta.url)
const page = readFileSync(new URL("../../../../docs/waiting.md", here), "utf8")

/** The numbered lines of the contract, each with the tests it names. */
const lines = page
  .slice(page.indexOf("# The contract"))
  .split(/\n(?=\d+\. )/)
  .slice(1)
  .map((text) => {
    const [item = ""] = text.split("\n\n")
    const [claim = "", proof = ""] = item.split("→")
    return {
      number: Number.parseInt(claim, 10),
      ends: /→( `[^`]+ › [^`]+`,?)+$/.test(item.trimEnd()),
      tests: [...proof.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = "", name = ""]) => ({ file, name }))
    }
  })

/** The names of a file's tests that are written out: some are made from a table. */
const namesIn = (file: string): ReadonlyArray<string> =>
  [...readFileSync(new URL(file, here), "utf8").matchAll(/\b(?:it|claim)\(\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, name = ""]) => name
  )

const files = ["", "contract/"].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, here))
    .filter((name) => name.endsWith(".ts") && name !== "docs.test.ts")
    .map((name) => `${folder}${name}`)
)

it("the contract's lines are numbered in order", () => {
  assert.isAbove(lines.length, 50)
  assert.deepStrictEqual(
    lines.map(({ number }) => number),
    lines.map((_, index) => index + 1)
  )
})

it("every line of the contract ends with tests that exist, of its own number", () => {
  for (const { ends, number, tests } of lines) {
    assert.isTrue(ends, `line ${number} does not end with a test`)
    for (const { file, name } of tests) {
      assert.include(namesIn(file), name, `line ${number}`)
      assert.isTrue(name.startsWith(`${number}. `), `line ${number} names ${name}`)
    }
  }
})

it("every test of the contract is named by its line", () => {
  const named = new Set(lines.flatMap(({ tests }) => tests.map(({ file, name }) => `${file} › ${name}`)))
  for (const file of files) {
    for (const name of namesIn(file)) {
      if (/^\d/.test(name)) assert.isTrue(named.has(`${file} › ${name}`), `${file} › ${name}`)
    }
  }
})
