/**
 * How well the laws and tests of waiting notice what is wrong.
 *
 *     node scripts/mutate.mjs                every small wrong in core/src/waiter, one at a time, and the score
 *     node scripts/mutate.mjs --file PART    only modules whose path has PART
 *     node scripts/mutate.mjs --seeded       bugs that were written by hand, and the laws that each breaks
 *     node scripts/mutate.mjs --id N         one of them, with everything that fails
 *
 * Nothing in the workspace is changed: the wrong program is a bundle in a temporary folder.
 */
import { build } from "esbuild"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, relative } from "node:path"
import { mutate } from "./lib/mutants.mjs"
import { seeded } from "./lib/seeded.mjs"
import { sourceCondition } from "./lib/exports.mjs"
import { filesBelow, folderOf, root } from "./lib/workspace.mjs"

const laws = ["waiter", "goal", "pace"].map((name) => join(folderOf("test-kit"), "test", "laws", `${name}.test.ts`))
const moreLaws = ["operation", "exhaustive"].map((name) =>
  join(folderOf("test-kit"), "test", "laws", `${name}.test.ts`)
)
/** The examples of the documents are compiled elsewhere. */
const tests = filesBelow(join(folderOf("core"), "test", "waiter"))
  .filter((file) => /^[^/]*\.test\.ts$/.test(file) && file !== "docs.test.ts")
  .map((file) => join(folderOf("core"), "test", "waiter", file))

const folder = mkdtempSync(join(tmpdir(), "mutants-"))
const tiny = join(root, "scripts", "lib", "tiny-vitest.mjs")

/** One program of all the test files, with modules replaced as `replace` says. */
const bundle = async (name, files, replace) => {
  const outfile = join(folder, `${name}.mjs`)
  const entry = [
    `globalThis.__mutant = Number(process.env.MUTANT ?? -1)`,
    `const { run } = await import(${JSON.stringify(tiny)})`,
    ...files.map((file) => `await import(${JSON.stringify(file)})`),
    `const { count, failed } = await run({ bail: process.env.ALL === undefined })`,
    `process.stdout.write(JSON.stringify({ count, failed }) + "\\n", () => process.exit(0))`
  ].join("\n")
  await build({
    stdin: { contents: entry, resolveDir: root, loader: "js" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: [sourceCondition, "node", "import"],
    alias: { vitest: tiny },
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url)` },
    logLevel: "error",
    plugins: [
      {
        name: "wrong",
        setup: ({ onLoad }) =>
          onLoad({ filter: /packages\/core\/src\/.*\.ts$/ }, ({ path }) => {
            const contents = replace(relative(root, path).replaceAll("\\", "/"), path)
            return contents === undefined ? undefined : contents
          })
      }
    ]
  })
  return outfile
}

const run = (file, env, millis) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let out = ""
    let error = ""
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      child.kill("SIGKILL")
    }, millis)
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (error += chunk))
    child.on("close", () => {
      clearTimeout(timer)
      const line = out.trim().split("\n").at(-1) ?? ""
      if (isLate) return resolve({ failed: [{ name: "(it never ends)", said: "" }], count: 0 })
      try {
        resolve(JSON.parse(line))
      } catch {
        resolve({ failed: [{ name: "(it can't be loaded)", said: error.slice(0, 500) }], count: 0 })
      }
    })
  })

const args = process.argv.slice(2)
const valueOf = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)

const short = (line) => line.replaceAll(/\s+/g, " ").slice(0, 110)

const runSeeded = async () => {
  let missed = 0
  for (const [index, { claim, file, from, to }] of seeded.entries()) {
    let isFound = false
    const program = await bundle(`seeded-${index}`, [...laws, ...moreLaws], (name, path) => {
      if (name !== file) return undefined
      const source = readFileSync(path, "utf8")
      isFound = source.includes(from)
      return { contents: source.replace(from, to), loader: "ts" }
    })
    if (!isFound) throw new Error(`${claim}: ${file} has no ${JSON.stringify(from)}`)
    const { failed } = await run(program, { ALL: "1" }, 300_000)
    rmSync(program)
    if (failed.length === 0) missed++
    console.log(`\n${claim}`)
    const names = [...new Set(failed.map(({ name }) => name))]
    console.log(
      names.length === 0
        ? "    nothing noticed it"
        : names
            .slice(0, 6)
            .map((name) => `    ${name}`)
            .join("\n")
    )
    if (names.length > 6) console.log(`    … and ${names.length - 6} more`)
  }
  console.log(`\n${seeded.length - missed} of ${seeded.length} noticed`)
  return missed === 0
}

const runMutants = async () => {
  const part = valueOf("--file") ?? "core/src/waiter/"
  /** @type {Array<import("./lib/mutants.mjs").Mutant>} */
  const mutants = []
  const program = await bundle("all", [...laws, ...tests], (file, path) => {
    if (!file.includes("core/src/waiter/") || !file.includes(part)) return undefined
    const made = mutate(readFileSync(path, "utf8"), file, mutants.length)
    mutants.push(...made.mutants)
    return { contents: made.code, loader: "js" }
  })
  const before = performance.now()
  const plain = await run(program, { ALL: "1" }, 600_000)
  const took = performance.now() - before
  if (plain.failed.length > 0) throw new Error(`without any mutant: ${JSON.stringify(plain.failed, null, 2)}`)
  console.log(`${mutants.length} mutants, ${plain.count} tests in ${(took / 1000).toFixed(1)} s`)

  const id = valueOf("--id")
  if (id !== undefined) {
    const { failed } = await run(program, { MUTANT: id, ALL: "1" }, took * 5)
    console.log(mutants[Number(id)], failed)
    return true
  }

  const survivors = []
  const killers = new Map()
  const queue = [...mutants]
  let done = 0
  const worker = async () => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { failed } = await run(program, { MUTANT: String(mutant.id) }, took * 5 + 10_000)
      const [killer] = failed
      if (killer === undefined) survivors.push(mutant)
      else killers.set(killer.name, (killers.get(killer.name) ?? 0) + 1)
      if (++done % 50 === 0) console.log(`  ${done} of ${mutants.length}, ${survivors.length} survive`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(4, availableParallelism())) }, worker))

  console.log("\nby what they were noticed first:")
  for (const [name, count] of [...killers].toSorted((a, b) => b[1] - a[1]).slice(0, 25)) {
    console.log(`${String(count).padStart(5)}  ${short(name)}`)
  }
  console.log("\nsurvivors:")
  for (const { file, id, line, what } of survivors.toSorted((a, b) => a.id - b.id)) {
    console.log(`${String(id).padStart(5)}  ${file.replace("packages/core/src/waiter/", "")}:${line}  ${short(what)}`)
  }
  const score = ((mutants.length - survivors.length) / mutants.length) * 100
  console.log(`\n${mutants.length - survivors.length} of ${mutants.length} noticed: ${score.toFixed(1)} %`)
  return score >= 90
}

try {
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`)
  process.exitCode = (await (args.includes("--seeded") ? runSeeded() : runMutants())) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
