/**
 * Everything that must hold before a change is good: one line a step, the whole output of those that fail, and a
 * closing line.
 *
 *     node scripts/check.mjs                     everything
 *     node scripts/check.mjs types lint          these steps only
 *     node scripts/check.mjs --tests-from FILE   everything, the tests having been run already: FILE is their report
 */
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { root } from "./lib/workspace.mjs"

const bin = (name, path) => [process.execPath, join(root, "node_modules", name, path)]
const script = (name, ...args) => [process.execPath, join(root, "scripts", name), ...args]
const report = join(root, "node_modules", ".cache", "effect-manila", "tests.json")

/** In this order: what fails fast comes first, and what needs a build comes after the types. */
const steps = [
  { name: "exports", what: "package.json names every module", command: script("exports.mjs", "--check") },
  { name: "format", what: "oxfmt", command: [...bin("oxfmt", "bin/oxfmt"), "--check", "."] },
  {
    name: "lint",
    what: "rules, circles, boundaries, clock",
    command: [...bin("oxlint", "bin/oxlint"), "--deny-warnings", "."]
  },
  {
    name: "types",
    what: "tsc, with Effect's diagnostics",
    command: [...bin("typescript", "bin/tsc"), "-b", "tsconfig.json"]
  },
  { name: "docs", what: "examples compile", command: script("docs.mjs") },
  {
    name: "tests",
    what: "vitest",
    command: [...bin("vitest", "vitest.mjs"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`]
  },
  { name: "packages", what: "packed, installed and used", command: script("pack.mjs") }
]

const run = (command) =>
  new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    const said = []
    child.stdout.on("data", (chunk) => said.push(chunk))
    child.stderr.on("data", (chunk) => said.push(chunk))
    child.on("error", (error) => resolve({ passed: false, said: String(error) }))
    child.on("close", (code) => resolve({ passed: code === 0, said: Buffer.concat(said).toString("utf8") }))
  })

/** Passed, failed and skipped tests of a report; a report that isn't there is one failure. */
const count = (file) => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = JSON.parse(
      readFileSync(file, "utf8")
    )
    const failed = numFailedTests === 0 && !success ? 1 : numFailedTests
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

const args = process.argv.slice(2)
const from = args.indexOf("--tests-from")
const given = from < 0 ? undefined : args.splice(from, 2)[1]
const unknown = args.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0 || (from >= 0 && given === undefined)) {
  console.error(`steps are: ${steps.map(({ name }) => name).join(", ")}; not: ${unknown.join(", ")}`)
  process.exit(2)
}
const chosen = steps.filter(({ name }) => args.length === 0 || args.includes(name))

const failures = []
const total = { passed: 0, failed: 0, skipped: 0 }
const add = (more) => {
  for (const key of Object.keys(total)) total[key] += more[key]
}
const started = performance.now()
mkdirSync(join(report, ".."), { recursive: true })

for (const { name, what, command } of chosen) {
  const before = performance.now()
  const title = `${name.padEnd(9)} ${what.padEnd(34)}`
  if (name === "tests" && given !== undefined) {
    add(count(given))
    console.log(`${title} already run`)
    continue
  }
  if (name === "tests") rmSync(report, { force: true })
  const { passed, said } = await run(command)
  const seconds = ((performance.now() - before) / 1000).toFixed(1).padStart(6)
  console.log(`${title} ${seconds} s  ${passed ? "ok" : "FAILED"}`)
  if (!passed) {
    failures.push(name)
    console.log(`\n${(process.stdout.isTTY ? said : stripVTControlCharacters(said)).trimEnd()}\n`)
  }
  const tests = count(report)
  if (name !== "tests") add({ passed: Number(passed), failed: Number(!passed), skipped: 0 })
  else add({ ...tests, failed: passed ? tests.failed : Math.max(tests.failed, 1) })
}

const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(
  failures.length === 0 ? `\nall is well, in ${seconds} s` : `\nfailed: ${failures.join(", ")} (${seconds} s)`
)
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`)
process.exit(total.failed === 0 && failures.length === 0 ? 0 : 1)
