/**
 * The endings of a wait, seen from outside: each scenario runs `fake-cloud --plan … -- manila …` (or `--shakenfist` and
 * `shakenfist-wait`) and prints the exit code, the time, and how many requests the journal counted.
 *
 *     node scripts/scenarios.mjs [--openstack COMMAND] [NAME …]
 *
 * With `--openstack` the same plan and words are also run with the Python client (COMMAND is `openstack`, or a path), for
 * comparison; it is ended after 25 s, since some of these it never ends by itself. Needs `npm run build`.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./lib/workspace.mjs"

const manila = join(root, "packages", "cli", "bundle", "manila.js")
const shakenfistWait = join(root, "packages", "cli", "bundle", "shakenfist-wait.js")
const fakeCloud = join(root, "packages", "test-kit", "dist", "bin.js")

const id = "7a7e0b6c-3ee2-4b41-9d0e-0f7c1d5ab001"
const seeded = { shares: [{ id, name: "data", size: 1 }] }
const looks = { method: "GET", path: "shares/*" }

/** A network with one operation. */
const busy = (...phases) => ({ networks: [{ name: "lan", operations: [{ tasks: ["network_ensure_mesh"], phases }] }] })
const settle = ["settle", "network", "lan", "--interval", "1"]

/** `says` is a part of what must be on stderr. `interrupt` sends SIGINT after so many milliseconds. */
const scenarios = {
  available: { args: ["share", "create", "NFS", "1", "--wait"], plan: {}, code: 0 },
  error: {
    args: ["share", "create", "NFS", "1", "--wait"],
    plan: {
      lifecycles: {
        "share.create": {
          phases: [["creating", 3], "error"],
          reason: { detailId: "008", message: "no pool has room for it" }
        }
      }
    },
    code: 3,
    says: "no pool has room for it"
  },
  "failing resize": {
    args: ["share", "resize", id, "2", "--wait"],
    plan: { seed: seeded, lifecycles: { "share.extend": [["extending", 3], "extending_error"] } },
    code: 3,
    says: "extending_error"
  },
  "resize rolled back": {
    args: ["share", "resize", id, "2", "--wait"],
    plan: { seed: seeded, lifecycles: { "share.extend": { phases: [["extending", 3], "available"], effect: "none" } } },
    code: 3,
    says: "back at available"
  },
  error_deleting: {
    args: ["share", "delete", id, "--wait"],
    plan: { seed: seeded, lifecycles: { "share.delete": [["deleting", 3], "error_deleting"] } },
    code: 3,
    says: "error_deleting"
  },
  "503 twice, then good": {
    args: ["share", "create", "NFS", "1", "--wait"],
    plan: { faults: [{ ...looks, nth: [1, 2], status: 503 }] },
    code: 0,
    says: "503"
  },
  "cut in the middle of a body": {
    args: ["share", "create", "NFS", "1", "--wait"],
    plan: { faults: [{ ...looks, nth: 1, truncate: 20 }] },
    code: 0,
    says: "cut short"
  },
  "401 in the middle of a wait": {
    args: ["share", "create", "NFS", "1", "--wait"],
    plan: { faults: [{ ...looks, nth: 2, expiredToken: true }] },
    code: 0
  },
  "endless creating, --timeout": {
    args: ["share", "create", "NFS", "1", "--wait"],
    ours: ["--timeout", "8"],
    plan: { lifecycles: { "share.create": ["creating"] } },
    code: 4,
    says: "manila wait --resume"
  },
  "Ctrl-C": {
    args: ["share", "create", "NFS", "1", "--wait"],
    plan: { lifecycles: { "share.create": ["creating"] } },
    interrupt: 6_000,
    code: 130,
    says: "manila wait --resume"
  },
  "a name": { args: ["share", "show", "data"], plan: { seed: seeded }, code: 0 },
  settled: {
    shakenfist: true,
    args: settle,
    plan: { shakenfist: busy(["queued", 2], ["executing", 1], "complete") },
    code: 0,
    says: "settled after"
  },
  "an operation that fails": {
    shakenfist: true,
    args: settle,
    plan: { shakenfist: busy(["queued", 2], "error") },
    code: 3,
    says: "(net_op) (network_ensure_mesh) is in state error"
  },
  "an operation that never ends, --timeout": {
    shakenfist: true,
    args: [...settle, "--timeout", "3"],
    plan: { shakenfist: busy("queued") },
    code: 4,
    says: "shakenfist-wait settle --resume"
  },
  "a cluster that can't say": {
    shakenfist: true,
    args: settle,
    plan: { shakenfist: { ...busy("queued"), without: ["object-pending-operations"] } },
    code: 12,
    says: "does not announce the capability object-pending-operations"
  },
  "a lost connection, then a 503": {
    shakenfist: true,
    args: [...settle, "--tolerate", "1"],
    plan: {
      shakenfist: busy(["queued", 4], "complete"),
      // The first GET of the network is the look-up of its name.
      faults: [
        { method: "GET", path: "networks/*", nth: 2, reset: true },
        { method: "GET", path: "networks/*", nth: 4, status: 503 }
      ]
    },
    code: 0,
    says: "503"
  },
  "Ctrl-C while it settles": {
    shakenfist: true,
    args: settle,
    plan: { shakenfist: busy("queued") },
    interrupt: 4_000,
    code: 130,
    says: "shakenfist-wait settle --resume"
  }
}

const run = (command, { interrupt, plan, shakenfist }, limit) =>
  new Promise((resolve) => {
    const folder = mkdtempSync(join(tmpdir(), "scenario-"))
    const planFile = join(folder, "plan.json")
    const journal = join(folder, "journal.jsonl")
    writeFileSync(planFile, JSON.stringify(plan))
    const cloud = shakenfist === true ? ["--shakenfist"] : []
    const args = [fakeCloud, ...cloud, "--plan", planFile, "--journal", journal, "--", ...command]
    const started = performance.now()
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], detached: true })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => (stdout += chunk))
    child.stderr.on("data", (chunk) => (stderr += chunk))
    if (interrupt !== undefined) setTimeout(() => child.kill("SIGINT"), interrupt)
    const over = setTimeout(() => process.kill(-child.pid, "SIGKILL"), limit)
    child.on("close", (code, signal) => {
      clearTimeout(over)
      const requests = readFileSync(journal, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      rmSync(folder, { recursive: true, force: true })
      resolve({ code: code ?? signal, seconds: (performance.now() - started) / 1000, requests, stdout, stderr })
    })
  })

const kinds = {
  identity: ({ path }) => path.startsWith("/identity") || path === "/auth",
  versions: ({ path }) => /^\/share\/?(v2\/?)?$/.test(path) || path === "/",
  "look-ups": ({ method, path }) =>
    method === "GET" && /\/(shares|shares\/detail|types|types\/default|clusteroperations|lan)$/.test(path),
  changes: ({ method }) => method !== "GET",
  looks: ({ method, path }) => method === "GET" && /\/(shares|networks)\/[0-9a-f-]{36}$/.test(path),
  others: () => true
}

const counted = (requests) => {
  const counts = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]))
  for (const request of requests) {
    const kind = Object.keys(kinds).find((kind) => kinds[kind](request))
    counts[kind] += 1
  }
  return counts
}

const row = (name, who, { code, requests, seconds }, note) => {
  const counts = Object.values(counted(requests)).join(" | ")
  return `| ${name} | ${who} | ${code} | ${seconds.toFixed(1)} | ${counts} | ${requests.length} | ${note} |`
}

const argv = process.argv.slice(2)
const at = argv.indexOf("--openstack")
const openstack = at === -1 ? undefined : argv.splice(at, 2)[1]
const names = argv.length > 0 ? argv : Object.keys(scenarios)
let failed = 0

console.log(`| scenario | client | exit | seconds | ${Object.keys(kinds).join(" | ")} | requests | |`)
console.log(
  `| --- | --- | --- | --- | ${Object.keys(kinds)
    .map(() => "---")
    .join(" | ")} | --- | --- |`
)
for (const name of names) {
  const scenario = scenarios[name]
  if (scenario === undefined) {
    console.error(`no scenario is called ${name}; there are: ${Object.keys(scenarios).join(", ")}`)
    process.exit(2)
  }
  const [who, program] = scenario.shakenfist === true ? ["shakenfist-wait", shakenfistWait] : ["manila", manila]
  const got = await run([process.execPath, program, ...scenario.args, ...(scenario.ours ?? [])], scenario, 60_000)
  const good = got.code === scenario.code && (scenario.says === undefined || got.stderr.includes(scenario.says))
  if (!good) failed += 1
  console.log(row(name, who, got, good ? "" : `**expected ${scenario.code}**`))
  if (!good) console.error(got.stderr)
  if (openstack !== undefined && scenario.shakenfist !== true) {
    const theirs = await run([openstack, ...scenario.args], scenario, 25_000)
    console.log(row(name, "openstack", theirs, theirs.code === "SIGKILL" ? "never ends" : ""))
  }
}
console.log(`\n${names.length - failed} as expected, ${failed} not`)
process.exit(failed === 0 ? 0 : 1)
