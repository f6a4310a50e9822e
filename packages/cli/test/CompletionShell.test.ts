/**
 * The script in a real bash that is typed at: what its line becomes when the key is pressed.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import * as Script from "@effect-manila/cli/completion/Script"

const folder = mkdtempSync(join(tmpdir(), "manila-complete-"))
const names = ["manila", "shakenfist-wait"]
let metafile: Metafile

beforeAll(async () => {
  const result = await build({
    entryPoints: {
      manila: fileURLToPath(new URL("../src/bin.ts", import.meta.url)),
      "shakenfist-wait": fileURLToPath(new URL("../src/shakenfist/bin.ts", import.meta.url))
    },
    outdir: join(folder, "bundle"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@effect-manila/source"],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    metafile: true
  })
  metafile = result.metafile
  // A question goes to the program; any other line shows the words it was called with.
  for (const name of names) {
    const program = [
      "#!/bin/sh",
      `[ "$1" = __complete ] && exec '${process.execPath}' '${join(folder, "bundle", `${name}.mjs`)}' "$@"`,
      `printf '<%s>' "$@"; echo`
    ]
    writeFileSync(join(folder, name), `${program.join("\n")}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  writeFileSync(join(folder, "script.bash"), names.map((name) => Script.make("bash", name)).join(""))
  writeFileSync(join(folder, "ca file.pem"), "")
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Types lines, `\t` being the key, at a bash without any settings, and gives what the lines printed. */
const type = (lines: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["--norc", "--noprofile", "-i"], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8" },
      stdio: ["pipe", "pipe", "ignore"]
    })
    let stdout = ""
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
    child.on("error", reject)
    child.on("close", () => resolve(stdout.split("\n").filter((line) => line.startsWith("<"))))
    child.stdin.end(`source ./script.bash\n${lines.join("\n")}\nexit\n`)
  })

describe("bash", () => {
  it("writes words, options and values into the line", async () => {
    const typed = await type([
      "manila sh\tli\t--lon\t",
      "manila share list --form\tcs\t--quo\tal\t",
      "manila share list --format=ya\t-c share_p\t",
      "manila share list --os-cacert ca\t",
      "manila share list --os-cacert=ca\t",
      "OS_CLOUD=x manila share ty\tli\t",
      "manila share list 'x y' --soft\t",
      "manila share list --name \tx"
    ])
    assert.deepStrictEqual(typed, [
      "<share><list><--long>",
      "<share><list><--format><csv><--quote><all>",
      "<share><list><--format=yaml><-c><share_proto>",
      "<share><list><--os-cacert><ca file.pem>",
      "<share><list><--os-cacert=ca file.pem>",
      "<share><type><list>",
      "<share><list><x y><--soft-deleted>",
      "<share><list><--name><x>"
    ])
  }, 60_000)
})

describe("bash beside another program's script", () => {
  it("writes the words, options and values of this one", async () => {
    const typed = await type([
      "shakenfist-wait op\tli\tnet\tx --al\t",
      "shakenfist-wait await inst\tx --for=del\t",
      "shakenfist-wait settle network x --cacert ca\t",
      "manila sh\tli\t"
    ])
    assert.deepStrictEqual(typed, [
      "<operations><list><network><x><--all>",
      "<await><instance><x><--for=deleted>",
      "<settle><network><x><--cacert><ca file.pem>",
      "<share><list>"
    ])
  }, 60_000)
})

describe("a shell's question", () => {
  it("loads the commands' data and what answers, and no package at all", () => {
    const { outputs } = metafile
    const queue = Object.keys(outputs).filter((name) =>
      /src\/(bin|shakenfist\/bin|completion\/Reply)\.ts$/.test(outputs[name]?.entryPoint ?? "")
    )
    assert.lengthOf(queue, 3)
    const seen = new Set<string>()
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (seen.has(name)) continue
      seen.add(name)
      for (const { external, kind, path } of outputs[name]?.imports ?? []) {
        if (external !== true && kind === "import-statement") queue.push(path)
      }
    }
    const inputs = [...seen].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
    assert.isTrue(inputs.some((input) => input.endsWith("completion/Answer.ts")))
    assert.deepStrictEqual(
      inputs.filter(
        (input) =>
          !/packages\/cli\/src\//.test(`/${input}`) ||
          /src\/(commands\/|shakenfist\/Operations|Build|Cli\.ts)/.test(input)
      ),
      []
    )
  })
})
