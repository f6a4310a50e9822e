/**
 * The output of `manila` beside that of the Python client: each runs the same words against a fake cloud of its own, in
 * every format, and the differences are printed.
 *
 *     node scripts/compare-openstack.mjs PATH-OF-OPENSTACK [--write FILE] [--steps FILE]
 *
 * With `--write` what `openstack` printed is kept as a file: so the fixture of the command line's tests was made. The words
 * are those of `packages/cli/test/fixtures/openstack-steps.json`, or of the file named by `--steps`; a format there may
 * have options behind it (`csv --quote all`). Ends with 1 if anything differs that is not meant to.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { normalised } from "../packages/cli/test/support/normalise.mjs"
import { root } from "./lib/workspace.mjs"

/** Differences that are on purpose; `docs/cli.md` says why. */
const onPurpose = [
  (words) => words[1] === "create" && words.includes("--wait") && "share create --wait prints export locations",
  (words, { code }) => words.includes("show") && code !== 0 && "show works below the microversion of export locations",
  (_, one, other) =>
    one.format.startsWith("shell") &&
    one.code === other.code &&
    assigned(one.stdout) === assigned(other.stdout) &&
    "what is evaluated has no other effect than its assignments"
]

/** Without what makes it safe to evaluate. */
const assigned = (text) =>
  text.replace(/\\([\\"$`])/g, "$1").replace(/^[^=\n]*=/gm, (name) => name.replace(/[^\w=]/gu, "_"))

const {
  positionals: [program],
  values: { steps, write }
} = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: "string", default: join(root, "packages/cli/test/fixtures/openstack-steps.json") },
    write: { type: "string" }
  }
})
if (program === undefined) {
  console.error("usage: node scripts/compare-openstack.mjs PATH-OF-OPENSTACK [--write FILE] [--steps FILE]")
  process.exit(2)
}

const source = ["--conditions=@effect-manila/source", "--import", "tsx"]
const manila = [process.execPath, ...source, join(root, "packages/cli/src/bin.ts")]
const { seed, worlds } = JSON.parse(readFileSync(steps, "utf8"))
const folder = mkdtempSync(join(tmpdir(), "compare-openstack-"))

const collect = (child) =>
  new Promise((resolve, reject) => {
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (text) => (stdout += text))
    child.stderr.on("data", (text) => (stderr += text))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

let plans = 0

/** A fake cloud for as long as the function runs; it gets the variables to reach it. */
const withCloud = async ({ as, microversion }, run) => {
  const plan = join(folder, `plan-${plans++}.json`)
  writeFileSync(plan, JSON.stringify({ microversion, seed, speed: 20 }))
  const server = spawn(process.execPath, [...source, join(root, "packages/test-kit/src/bin.ts"), "--plan", plan], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const env = await new Promise((resolve, reject) => {
    let text = ""
    server.stdout.on("data", (more) => {
      text += more
      const found = [...text.matchAll(/^export (OS_\w+)=(.*)$/gm)]
      if (/^export OS_REGION_NAME=.*\n/m.test(text)) {
        resolve(Object.fromEntries(found.map(([, name, value]) => [name, value.replace(/^'(.*)'$/, "$1")])))
      }
    })
    server.on("exit", () => reject(new Error(`fake-cloud ended: ${text}`)))
  })
  const closed = new Promise((resolve) => server.on("close", resolve))
  try {
    const who = as === undefined ? {} : { OS_USERNAME: as, OS_PASSWORD: `${as}-secret`, OS_PROJECT_NAME: as }
    return await run({ ...clean(), ...env, ...who, MANILA_EXIT_CODES: "osc" })
  } finally {
    server.kill("SIGTERM")
    await closed
  }
}

const clean = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OS_")))

const play = (command, world) =>
  withCloud(world, async (env) => {
    const kept = {}
    const played = []
    for (const { formats, keep, words } of world.steps) {
      for (const format of formats) {
        const filled = words.map((word) => word.replace(/\{(\w+)\}/g, (_, name) => kept[name] ?? ""))
        const [file, ...args] = [...command, ...filled, "-f", ...format.split(" ")]
        const { code, stderr, stdout } = await collect(spawn(file, args, { cwd: root, env }))
        if (keep !== undefined) kept[keep] = JSON.parse(stdout)[0].ID
        played.push({ words, format, code, stdout: normalised(stdout), stderr })
        process.stderr.write(".")
      }
    }
    return played
  })

const captured = []
let differences = 0
for (const world of worlds) {
  const [theirs, ours] = await Promise.all([play([program], world), play(manila, world)])
  captured.push({
    microversion: world.microversion,
    ...(world.as === undefined ? {} : { as: world.as }),
    steps: theirs.map(({ code, format, stdout, words }) => ({ words, format, code, stdout }))
  })
  theirs.forEach((one, at) => {
    const other = ours[at]
    if (one.stdout === other.stdout && one.code === other.code) return
    const why = onPurpose.map((rule) => rule(one.words, one, other)).find((reason) => reason)
    if (why === undefined) differences++
    console.log(
      `\n=== ${world.microversion}: ${one.words.join(" ")} -f ${one.format}${why === undefined ? "" : ` (on purpose: ${why})`}`
    )
    if (one.code !== other.code) console.log(`exit codes: openstack ${one.code}, manila ${other.code}`)
    for (const [mark, text] of [
      ["-", one.code === 0 ? one.stdout : one.stderr],
      ["+", other.code === 0 ? other.stdout : other.stderr]
    ]) {
      const others = (mark === "-" ? other : one).stdout.split("\n")
      for (const line of text.split("\n")) if (!others.includes(line)) console.log(`${mark} ${line}`)
    }
    if (one.stdout.split("\n").toSorted().join() === other.stdout.split("\n").toSorted().join()) {
      console.log("  (the same lines in another order)")
    }
  })
}
rmSync(folder, { recursive: true })
if (write !== undefined) writeFileSync(write, `${JSON.stringify(captured, undefined, 1)}\n`)
console.log(`\n${differences} differ, those on purpose not counted`)
process.exit(differences === 0 ? 0 : 1)
