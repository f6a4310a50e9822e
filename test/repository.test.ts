/**
 * What a fresh clone relies on: a version of Node that is told apart in one sentence, and a lock file for everybody.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readJson, root } from "../scripts/lib/workspace.mjs"
import { plant } from "./support/temporary.ts"

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >
}

const under = (version: string) => {
  const { folder, remove } = plant({
    "stub.cjs": `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} })\n`
  })
  try {
    const script = join(root, "scripts", "node-version.cjs")
    return spawnSync(process.execPath, ["--require", join(folder, "stub.cjs"), script], { encoding: "utf8" })
  } finally {
    remove()
  }
}

describe("node-version", () => {
  for (const version of ["0.12.18", "14.21.3", "18.20.8", "20.0.0", "20.19.6"])
    it(`Node ${version} is refused in one sentence`, () => {
      const { status, stdout, stderr } = under(version)
      assert.strictEqual(status, 1)
      assert.strictEqual(stdout, "")
      assert.strictEqual(stderr, `effect-manila needs Node 20.20 or later; this is Node ${version}.\n`)
    })

  for (const version of ["20.20.0", "20.21.1", "22.0.0", "24.1.0"])
    it(`Node ${version} is welcome, without a word`, () => {
      const { status, stdout, stderr } = under(version)
      assert.deepStrictEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" })
    })

  it("every command of the README asks first", () => {
    const { scripts } = readJson(join(root, "package.json")) as { scripts: Record<string, string> }
    for (const name of ["preinstall", "test", "demo", "build", "check"])
      assert.match(scripts[name] ?? "", /^node scripts\/node-version\.cjs(?: && |$)/, name)
  })
})

describe("package-lock.json", () => {
  const lock = readJson(join(root, "package-lock.json")) as Lock

  it("names no registry, so that everybody installs from their own", () => {
    const elsewhere = Object.entries(lock.packages).filter(
      ([, { resolved }]) => resolved !== undefined && !resolved.startsWith("packages/")
    )
    assert.deepStrictEqual(elsewhere, [])
  })

  it("has the parts of every platform, not only of the one it was made on", () => {
    const missing = Object.values(lock.packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`)))
    assert.deepStrictEqual(missing, [])
  })
})

describe("LICENSE", () => {
  it("every package carries the project's", () => {
    const licence = readFileSync(join(root, "LICENSE"), "utf8")
    for (const name of ["core", "test-kit", "cli"])
      assert.strictEqual(readFileSync(join(root, "packages", name, "LICENSE"), "utf8"), licence)
  })
})
