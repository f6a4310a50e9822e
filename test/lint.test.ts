/**
 * Every rule of the project is proven by a planted violation: one run of oxlint, with the project's own configuration,
 * over a folder in which each file breaks one rule or keeps it.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { packages, root } from "../scripts/lib/workspace.mjs"
import { plant } from "./support/temporary.ts"

interface Plant {
  readonly claim: string
  readonly path: string
  readonly text: string
  /** The rule that must complain; none where the file is fine. */
  readonly rule?: string
}

const boundaries = "effect-manila(boundaries)"
const ambient = "effect-manila(ambient)"
const globals = "eslint(no-restricted-globals)"
const properties = "eslint(no-restricted-properties)"

const imports = (specifier: string) => `import * as X from "${specifier}"\nexport const x = X\n`

const plants: ReadonlyArray<Plant> = [
  // who may import whom
  { claim: "waiter imports effect", path: "core/src/waiter/Fine.ts", text: imports("effect/Duration") },
  { claim: "waiter imports waiter", path: "core/src/waiter/internal/Fine.ts", text: imports("../Fine.ts") },
  {
    claim: "waiter never imports platform",
    path: "core/src/waiter/Platform.ts",
    text: imports("@effect/platform/HttpClient"),
    rule: boundaries
  },
  {
    claim: "waiter never imports http",
    path: "core/src/waiter/internal/Http.ts",
    text: imports("../../http/Page.ts"),
    rule: boundaries
  },
  { claim: "waiter never imports yaml", path: "core/src/waiter/Yaml.ts", text: imports("yaml"), rule: boundaries },
  { claim: "http imports waiter", path: "core/src/http/Page.ts", text: imports("../waiter/Fine.ts") },
  ...["manila", "shakenfist", "keystone"].map((cloud) => ({
    claim: `http never imports ${cloud}`,
    path: `core/src/http/Cloud-${cloud}.ts`,
    text: imports(`../${cloud}/Thing.ts`),
    rule: boundaries
  })),
  {
    claim: "manila never imports shakenfist",
    path: "core/src/manila/Other.ts",
    text: imports("../shakenfist/Instance.ts"),
    rule: boundaries
  },
  {
    claim: "shakenfist never imports manila, not even a type",
    path: "core/src/shakenfist/Other.ts",
    text: `import type * as X from "../manila/Share.ts"\nexport type x = X.Share\n`,
    rule: boundaries
  },
  {
    claim: "shakenfist never imports manila by an import type",
    path: "core/src/shakenfist/Inline.ts",
    text: `export type x = import("../manila/Share.ts").Share\n`,
    rule: boundaries
  },
  {
    claim: "core never imports a module of Node",
    path: "core/src/keystone/Node.ts",
    text: imports("node:fs"),
    rule: boundaries
  },
  {
    claim: "core never imports a module of Node by its bare name",
    path: "core/src/keystone/Bare.ts",
    text: imports("fs/promises"),
    rule: boundaries
  },
  {
    claim: "core never loads a module of Node later",
    path: "core/src/keystone/Later.ts",
    text: `export const x = () => import("node:fs")\n`,
    rule: boundaries
  },
  {
    claim: "core never imports platform-node",
    path: "core/src/keystone/PlatformNode.ts",
    text: imports("@effect/platform-node/NodeHttpClient"),
    rule: boundaries
  },
  {
    claim: "core never imports its own node folder",
    path: "core/src/keystone/Inner.ts",
    text: imports("../node/NodeTransport.ts"),
    rule: boundaries
  },
  { claim: "core/src/node imports Node", path: "core/src/node/Fine.ts", text: imports("node:https") },
  {
    claim: "core/src/node imports platform-node by its modules",
    path: "core/src/node/Deep.ts",
    text: imports("@effect/platform-node/NodeHttpClient")
  },
  {
    claim: "core never imports the test kit",
    path: "core/src/keystone/Kit.ts",
    text: imports("@effect-manila/test-kit/Timeline"),
    rule: boundaries
  },
  {
    claim: "cli never imports the test kit",
    path: "cli/src/Kit.ts",
    text: imports("@effect-manila/test-kit/Timeline"),
    rule: boundaries
  },
  {
    claim: "cli never re-exports the test kit",
    path: "cli/src/KitAgain.ts",
    text: `export * from "@effect-manila/test-kit/Timeline"\n`,
    rule: boundaries
  },
  {
    claim: "cli never loads the test kit later",
    path: "cli/src/KitLater.ts",
    text: `export const x = () => import("@effect-manila/test-kit/Timeline")\n`,
    rule: boundaries
  },
  { claim: "cli imports core", path: "cli/src/Core.ts", text: imports("@effect-manila/core/waiter/Waiter") },
  {
    claim: "test-kit never imports cli",
    path: "test-kit/src/Cli.ts",
    text: imports("@effect-manila/cli/Noun"),
    rule: boundaries
  },
  {
    claim: "another package is imported by its name",
    path: "test-kit/src/Path.ts",
    text: imports("../../core/src/http/Page.ts"),
    rule: boundaries
  },
  {
    claim: "a neighbour is imported by its path",
    path: "core/src/keystone/Self.ts",
    text: imports("@effect-manila/core/http/Page"),
    rule: boundaries
  },
  {
    claim: "src imports nothing of test",
    path: "core/src/keystone/Test.ts",
    text: imports("../../test/support.ts"),
    rule: boundaries
  },
  {
    claim: "a package that package.json doesn't list is not imported",
    path: "core/src/keystone/Unlisted.ts",
    text: imports("undici"),
    rule: boundaries
  },
  ...["effect", "@effect/platform", "@effect/cli"].map((barrel, index) => ({
    claim: `the barrel ${barrel} is not imported`,
    path: `cli/src/Barrel-${index}.ts`,
    text: imports(barrel),
    rule: boundaries
  })),
  {
    claim: "the barrel of platform-node is not imported, not even in core/src/node",
    path: "core/src/node/Barrel.ts",
    text: imports("@effect/platform-node"),
    rule: boundaries
  },

  {
    claim: "@effect/vitest, which is one module, is imported",
    path: "test-kit/src/Vitest.ts",
    text: imports("@effect/vitest")
  },

  // circles
  { claim: "a circle is found", path: "core/src/keystone/A.ts", text: imports("./B.ts"), rule: "import(no-cycle)" },
  {
    claim: "a circle of three is found",
    path: "core/src/keystone/B.ts",
    text: imports("./C.ts"),
    rule: "import(no-cycle)"
  },
  {
    claim: "a circle is found from each end",
    path: "core/src/keystone/C.ts",
    text: imports("./A.ts"),
    rule: "import(no-cycle)"
  },

  // clock, chance, environment
  {
    claim: "Date.now is refused",
    path: "core/src/http/T1.ts",
    text: "export const x = () => Date.now()\n",
    rule: properties
  },
  {
    claim: "new Date() is refused",
    path: "core/src/http/T2.ts",
    text: "export const x = () => new Date()\n",
    rule: ambient
  },
  { claim: "Date() is refused", path: "core/src/http/T3.ts", text: "export const x = () => Date()\n", rule: ambient },
  {
    claim: "a date made from a number is fine",
    path: "core/src/http/T4.ts",
    text: "export const x = (millis: number) => new Date(millis).toISOString()\n"
  },
  {
    claim: "setTimeout is refused",
    path: "cli/src/T5.ts",
    text: "export const x = () => setTimeout(() => {}, 1)\n",
    rule: globals
  },
  {
    claim: "setInterval is refused",
    path: "test-kit/src/T6.ts",
    text: "export const x = () => setInterval(() => {}, 1)\n",
    rule: globals
  },
  {
    claim: "setTimeout of globalThis is refused",
    path: "test-kit/src/T7.ts",
    text: "export const x = () => globalThis.setTimeout(() => {}, 1)\n",
    rule: properties
  },
  {
    claim: "performance.now is refused",
    path: "cli/src/T8.ts",
    text: "export const x = () => performance.now()\n",
    rule: globals
  },
  {
    claim: "timers imported from Node are refused",
    path: "cli/src/T9.ts",
    text: imports("node:timers/promises"),
    rule: ambient
  },
  {
    claim: "Math.random is refused",
    path: "cli/src/T10.ts",
    text: "export const x = () => Math.random()\n",
    rule: properties
  },
  {
    claim: "crypto.randomUUID is refused",
    path: "core/src/http/T11.ts",
    text: "export const x = () => crypto.randomUUID()\n",
    rule: properties
  },
  {
    claim: "randomUUID of node:crypto is refused",
    path: "cli/src/T12.ts",
    text: `import { randomUUID } from "node:crypto"\nexport const x = randomUUID\n`,
    rule: ambient
  },
  {
    claim: "process.env is refused",
    path: "cli/src/T13.ts",
    text: `export const x = () => process.env["HOME"]\n`,
    rule: properties
  },
  {
    claim: "env taken out of process is refused",
    path: "cli/src/T14.ts",
    text: "export const { env } = process\n",
    rule: properties
  },
  {
    claim: "process imported from Node is refused",
    path: "cli/src/T15.ts",
    text: `import { env } from "node:process"\nexport const x = env\n`,
    rule: ambient
  },
  { claim: "console is refused", path: "cli/src/T16.ts", text: `console.log("x")\n`, rule: "eslint(no-console)" },
  {
    claim: "a bin may look at process and console",
    path: "cli/src/bin.ts",
    text: `console.log(process.env["HOME"], Date.now())\n`
  },
  {
    claim: "a file whose name only ends in bin may not",
    path: "cli/src/Cabin.ts",
    text: "export const x = () => Date.now()\n",
    rule: properties
  },
  {
    claim: "a file whose name only begins with bin may not",
    path: "cli/src/binary.ts",
    text: "export const x = () => Date.now()\n",
    rule: properties
  }
]

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

const lint = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const { folder, remove } = plant(Object.fromEntries(plants.map(({ path, text }) => [`packages/${path}`, text])))
  try {
    cpSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
    symlinkSync(join(root, "scripts"), join(folder, "scripts"))
    for (const name of packages)
      cpSync(join(root, "packages", name, "package.json"), join(folder, "packages", name, "package.json"))
    const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint")
    const run = spawnSync(process.execPath, [oxlint, "--format", "json", "packages"], { cwd: folder, encoding: "utf8" })
    assert.strictEqual(run.stderr, "")
    const found = new Map<string, Array<string>>()
    for (const { filename, code } of (JSON.parse(run.stdout) as { diagnostics: Array<Diagnostic> }).diagnostics) {
      const path = filename.replaceAll("\\", "/").replace(/^packages\//, "")
      found.set(path, [...(found.get(path) ?? []), code])
    }
    return found
  } finally {
    remove()
  }
}

describe("lint", () => {
  const found = lint()
  for (const { claim, path, rule } of plants)
    it(claim, () => {
      const rules = found.get(path) ?? []
      if (rule === undefined) assert.deepStrictEqual(rules, [])
      else assert.include(rules, rule)
    })

  it("no package is left out of the rules", () =>
    assert.deepStrictEqual(
      [...packages].toSorted(),
      (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: Array<string> }).workspaces
        .map((path) => path.replace("packages/", ""))
        .toSorted()
    ))
})
