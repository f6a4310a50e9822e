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
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, relative } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { equal } from "./lib/equal.mjs"
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

const remembered = "const key = `"

const folder = mkdtempSync(join(tmpdir(), "mutants-"))
const tiny = join(root, "scripts", "lib", "tiny-vitest.mjs")

/** One program of all the test files, with modules replaced as `replace` says. */
const bundle = async (name, files, replace) => {
  const outfile = join(folder, `${name}.mjs`)
  const entry = [
    `globalThis.__mutant = Number(process.env.MUTANT ?? -1)`,
    `const { run } = await import(${JSON.stringify(tiny)})`,
    ...files.map((file) => `await import(${JSON.stringify(file)})`),
    // With a parent it runs one mutant after the other; what it has loaded and compiled it keeps.
    `process.on("message", async ({ id, bail, leave }) => {`,
    `  globalThis.__mutant = id`,
    `  process.send(await run({ bail, leave }))`,
    `})`,
    `process.on("disconnect", () => process.exit())`,
    `process.send({ ready: true })`
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
          onLoad(
            { filter: /packages\/(core\/src\/.*|test-kit\/src\/laws\/(Waiter|internal\/Property))\.ts$/ },
            ({ path }) => {
              // What is noticed at all is noticed soon.
              if (path.endsWith("laws/internal/Property.ts")) {
                return {
                  contents: readFileSync(path, "utf8").replace("defaultRuns = 200", "defaultRuns = 80"),
                  loader: "ts"
                }
              }
              // Laws remember runs, and those of another mutant are no good.
              if (path.endsWith("laws/Waiter.ts")) {
                const source = readFileSync(path, "utf8")
                if (!source.includes(remembered)) throw new Error("laws/Waiter.ts remembers its runs in another way")
                return { contents: source.replace(remembered, remembered + "${globalThis.__mutant} "), loader: "ts" }
              }
              const contents = replace(relative(root, path).replaceAll("\\", "/"), path)
              return contents === undefined ? undefined : contents
            }
          )
      }
    ]
  })
  return outfile
}

/** Memory takes long to measure, and what grows is seen in a history first. */
const leave = "its memory is flat"

const late = "(it is late)"

/** A process with a program in it, that is asked for one mutant after the other. */
class Bench {
  constructor(file) {
    this.file = file
  }

  async start(mutant) {
    this.stop()
    const env = { ...process.env, MUTANT: String(mutant) }
    const child = fork(this.file, { env, stdio: ["ignore", "ignore", "pipe", "ipc"] })
    this.child = child
    let said = ""
    child.stderr.on("data", (chunk) => (said += chunk))
    return Promise.race([
      once(child, "message").then(() => undefined),
      once(child, "exit").then(() => [{ name: "(it can't be loaded)", said: said.slice(0, 2000) }])
    ])
  }

  stop() {
    this.child?.kill("SIGKILL")
    this.child = undefined
  }

  /** The tests that fail. `fresh` loads the program anew, for what happens while it is loaded. */
  async run(id, { bail = true, fresh = false, millis }) {
    if (fresh || this.child === undefined) {
      const failed = await this.start(fresh ? id : -1)
      if (failed !== undefined) {
        this.stop()
        return { failed, count: 0 }
      }
    }
    const { child } = this
    const clock = new AbortController()
    const over = sleep(millis, "late", { signal: clock.signal }).catch(() => "late")
    const { signal } = clock
    const answer = once(child, "message", { signal }).then(([result]) => result)
    const gone = once(child, "exit", { signal }).then(() => "gone")
    // The one that comes second is aborted, and nobody hears of it.
    for (const one of [answer, gone]) one.catch(() => {})
    child.send({ id, bail, leave })
    const result = await Promise.race([answer, over, gone])
    clock.abort()
    if (fresh || typeof result === "string") this.stop()
    return typeof result === "string"
      ? { failed: [{ name: result === "late" ? late : "(it is gone)", said: "" }], count: 0 }
      : result
  }
}

const args = process.argv.slice(2)
const valueOf = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)

const short = (line) => line.replaceAll(/\s+/g, " ").slice(0, 110)

/** Those that can't be noticed, each with the reason. An entry that fits no mutant, or more than one, is out of date. */
const takeEqual = (mutants, part) => {
  const found = new Map()
  for (const entry of equal.filter(({ file }) => `packages/core/src/waiter/${file}`.includes(part))) {
    const fits = mutants.filter(
      ({ file, near, what }) =>
        file.endsWith(`/waiter/${entry.file}`) && what.startsWith(entry.what) && near.includes(entry.near)
    )
    if (fits.length !== 1) {
      throw new Error(`${entry.file}: ${fits.length} mutants fit ${entry.what} near ${JSON.stringify(entry.near)}`)
    }
    found.set(fits[0], entry.why)
  }
  return found
}

const survivorText = ({ file, id, line, what }) =>
  `${String(id).padStart(5)}  ${file.replace("packages/core/src/waiter/", "")}:${line}  ${short(what)}`

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
    const bench = new Bench(program)
    const { failed } = await bench.run(-1, { bail: false, millis: 600_000 })
    bench.stop()
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
  const bench = new Bench(program)
  const plain = await bench.run(-1, { bail: false, millis: 900_000 })
  const took = performance.now() - before
  bench.stop()
  if (plain.failed.length > 0) throw new Error(`without any mutant: ${JSON.stringify(plain.failed, null, 2)}`)
  takeEqual(mutants, part)
  console.log(`${mutants.length} mutants, ${plain.count} tests in ${(took / 1000).toFixed(1)} s`)

  const id = valueOf("--id")
  if (id !== undefined) {
    const { failed } = await bench.run(Number(id), { bail: false, fresh: true, millis: took * 5 })
    console.log(mutants[Number(id)], failed)
    return true
  }

  const survivors = []
  const killers = new Map()
  const queue = [...mutants]
  let done = 0
  const worker = async () => {
    const bench = new Bench(program)
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const millis = took * 2 + 10_000
      let { failed } = await bench.run(mutant.id, { fresh: mutant.isStatic, millis })
      // A busy machine makes the others late too: what is said to run for ever is given more time, alone.
      if (failed[0]?.name === late) failed = (await bench.run(mutant.id, { fresh: true, millis: millis * 3 })).failed
      // What tests made while they were loaded was made without the mutant.
      if (failed.length === 0 && !mutant.isStatic) failed = (await bench.run(mutant.id, { fresh: true, millis })).failed
      const [killer] = failed
      if (killer === undefined) {
        survivors.push(mutant)
        console.log(survivorText(mutant))
      } else killers.set(killer.name, (killers.get(killer.name) ?? 0) + 1)
      if (++done % 50 === 0) console.log(`  ${done} of ${mutants.length}, ${survivors.length} survive`)
    }
    bench.stop()
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(4, availableParallelism())) }, worker))

  console.log("\nby what they were noticed first:")
  for (const [name, count] of [...killers].toSorted((a, b) => b[1] - a[1]).slice(0, 25)) {
    console.log(`${String(count).padStart(5)}  ${short(name)}`)
  }
  const same = takeEqual(mutants, part)
  const noticed = [...same.keys()].filter((mutant) => !survivors.includes(mutant))
  const inOrder = survivors.toSorted((a, b) => a.id - b.id)
  console.log("\nthe same program in other words:")
  for (const mutant of inOrder.filter((mutant) => same.has(mutant))) {
    console.log(`${survivorText(mutant)}\n       ${same.get(mutant)}`)
  }
  console.log("\nsurvivors:")
  const left = inOrder.filter((mutant) => !same.has(mutant))
  for (const mutant of left) console.log(survivorText(mutant))
  if (noticed.length > 0) console.log("\nsaid to be the same, and noticed:")
  for (const mutant of noticed) console.log(survivorText(mutant))
  const all = mutants.length - same.size
  const score = ((all - left.length) / all) * 100
  console.log(`\n${all - left.length} of ${all} noticed: ${score.toFixed(1)} %; ${same.size} are the same program`)
  return score >= 90 && noticed.length === 0
}

try {
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`)
  process.exitCode = (await (args.includes("--seeded") ? runSeeded() : runMutants())) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
