/**
 * How long `manila` takes to start and to end, beside `node -e 0`: builds the bundle, runs every command once a round, one
 * after the other, and prints the least and the middle of each with its ratio to Node's own. What else the machine does
 * weighs on all of them alike, so that ratios can be compared between machines, and times can't.
 *
 *     node scripts/bench-start.mjs [--rounds N] [--openstack PATH]
 *
 * Fifteen rounds without a number. The list is asked of a fake cloud on a port of this machine: sign-in, discovery and one
 * page; with what was compiled the last time, as every run but the first, and without. With a path the Python client does
 * the same. "Budget" is what a command may take more than Node itself, on a quiet machine.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleCli } from "./lib/bundle.mjs"
import { root } from "./lib/workspace.mjs"

const args = process.argv.slice(2)
const given = (name) => {
  const at = args.indexOf(name)
  return at === -1 ? undefined : args.splice(at, 2)[1]
}
const rounds = Number(given("--rounds") ?? 15)
const openstack = given("--openstack")
if (args.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error("usage: node scripts/bench-start.mjs [--rounds N] [--openstack PATH]")
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), "bench-start-"))

/** A fake cloud, and the variables that lead to it. */
const startCloud = async () => {
  const plan = join(folder, "plan.json")
  writeFileSync(plan, JSON.stringify({ speed: 1000 }))
  const source = ["--conditions=@effect-manila/source", "--import", "tsx"]
  const server = spawn(process.execPath, [...source, join(root, "packages/test-kit/src/bin.ts"), "--plan", plan], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const env = await new Promise((resolve, reject) => {
    let text = ""
    server.stdout.on("data", (more) => {
      text += more
      if (!/^export OS_REGION_NAME=.*\n/m.test(text)) return
      const found = [...text.matchAll(/^export (OS_\w+)=(.*)$/gm)]
      resolve(Object.fromEntries(found.map(([, name, value]) => [name, value.replace(/^'(.*)'$/, "$1")])))
    })
    server.on("exit", () => reject(new Error(`fake-cloud ended: ${text}`)))
  })
  return { server, env }
}

const { entry } = await bundleCli(join(folder, "bundle"))
// As in the package: Node need not find out what kind of modules these are.
writeFileSync(join(folder, "package.json"), `{"type":"module"}`)
const { env, server } = await startCloud()
const clean = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("OS_"))),
  XDG_CACHE_HOME: join(folder, "cache")
}
delete clean.NODE_DISABLE_COMPILE_CACHE

/** Milliseconds from start to end. Not blocking: the fake cloud's output must be read meanwhile. */
const timed = ([file, ...argv], code, more) =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(file, argv, { env: { ...clean, ...env, ...more }, stdio: ["ignore", "ignore", "pipe"] })
    let said = ""
    child.stderr.on("data", (text) => (said += text))
    child.on("error", reject)
    child.on("close", (ended) => {
      const spent = performance.now() - started
      if (ended === code) resolve(spent)
      else reject(new Error(`${[file, ...argv].join(" ")} ended with ${ended}\n${said}`))
    })
  })

const manila = (...words) => [process.execPath, entry, ...words]
const commands = [
  { name: "node -e 0", command: [process.execPath, "-e", "0"] },
  { name: "manila --version", command: manila("--version"), budget: 15 },
  { name: "a usage error", command: manila("share", "lst"), code: 2, budget: 15 },
  { name: "manila --help", command: manila("--help"), budget: 25 },
  { name: "manila share list --help", command: manila("share", "list", "--help"), budget: 25 },
  { name: "completion of a word", command: manila("__complete", "zsh", "share", "li"), budget: 25 },
  { name: "manila share list", command: manila("share", "list"), budget: 75 },
  { name: "manila share type list", command: manila("share", "type", "list"), budget: 75 },
  { name: "share list, compiled anew", command: manila("share", "list"), more: { NODE_DISABLE_COMPILE_CACHE: "1" } },
  ...(openstack === undefined
    ? []
    : [
        { name: "openstack --version", command: [openstack, "--version"] },
        { name: "openstack share list --help", command: [openstack, "share", "list", "--help"] },
        { name: "openstack share list", command: [openstack, "share", "list"] }
      ])
]

const middle = (sorted) => {
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

try {
  for (const name of ["one", "two", "three"]) {
    const { status, stderr } = spawnSync(process.execPath, [entry, "share", "create", "NFS", "1", "--name", name], {
      env: { ...clean, ...env },
      encoding: "utf8"
    })
    if (status !== 0) throw new Error(stderr)
  }
  const times = commands.map(() => [])
  // One round more, which doesn't count: files and the cloud warm up.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { code = 0, command, more }] of commands.entries()) {
      const spent = await timed(command, code, more)
      if (round > 0) times[i].push(spent)
    }
  }
  const stats = times.map((all) => {
    const sorted = all.toSorted((a, b) => a - b)
    return { least: sorted[0], half: middle(sorted) }
  })
  const [floor] = stats
  console.log(`Node ${process.version}, ${rounds} rounds; ms, and how many times \`node -e 0\`\n`)
  const row = (name, cells) =>
    console.log(`${name.padEnd(30)}${cells.map((cell, at) => cell.padStart(at === 3 ? 10 : 8)).join("")}`)
  row("", ["least", "ratio", "more", "median", "ratio", "budget"])
  for (const [i, { budget, name }] of commands.entries()) {
    const { half, least } = stats[i]
    row(name, [
      least.toFixed(0),
      (least / floor.least).toFixed(2),
      `+${(least - floor.least).toFixed(0)}`,
      half.toFixed(0),
      (half / floor.half).toFixed(2),
      budget === undefined ? "" : `+${budget}`
    ])
  }
} finally {
  server.kill("SIGTERM")
  rmSync(folder, { recursive: true, force: true })
}
