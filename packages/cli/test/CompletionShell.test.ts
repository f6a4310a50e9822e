/**
 * The script in a real bash that is typed at: what its line becomes when the key is pressed.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll } from "vitest"
import * as Script from "@effect-manila/cli/completion/Script"
import * as Bundle from "./support/bundle.ts"

const names = ["manila", "shakenfist-wait"]
let bundle: Bundle.Bundle
let folder = ""

beforeAll(async () => {
  bundle = await Bundle.make()
  folder = bundle.folder
  // A question goes to the program; any other line shows the words it was called with.
  for (const name of names) {
    const program = [
      "#!/bin/sh",
      `[ "$1" = __complete ] && exec '${process.execPath}' '${bundle.entry(name)}' "$@"`,
      `printf '<%s>' "$@"; echo`
    ]
    writeFileSync(join(folder, name), `${program.join("\n")}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  writeFileSync(join(folder, "script.bash"), names.map((name) => Script.make("bash", name)).join(""))
  writeFileSync(join(folder, "ca file.pem"), "")
}, 60_000)

afterAll(() => bundle.remove())

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
    const inputs = names.flatMap(bundle.sources)
    assert.isTrue(inputs.some((input) => input.endsWith("completion/Answer.ts")))
    assert.deepStrictEqual(
      inputs.filter(
        (input) =>
          !/^(part:|program:|packages\/cli\/src\/)/.test(input) ||
          /^packages\/cli\/src\/(commands\/|shakenfist\/Operations|Build|Cli\.ts)/.test(input)
      ),
      []
    )
  })
})
