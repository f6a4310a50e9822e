/**
 * The main job, seen: a fake cloud on this machine, `manila` on it over HTTP, and three waits that end in three ways.
 *
 * Builds first, then runs itself once more as the command of `fake-cloud`, whose clock runs four times faster.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { root } from "./lib/workspace.mjs"

const here = fileURLToPath(import.meta.url)
const manila = join(root, "packages", "cli", "bundle", "manila.js")
const fakeCloud = join(root, "packages", "test-kit", "dist", "bin.js")
const plan = join(root, "examples", "demo-plan.json")

const run = (args, options = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", ...options }).status

const step = (says, ...args) => {
  console.log(`\n# ${says}\n$ manila ${args.join(" ")}`)
  const code = run([manila, ...args], { env: { ...process.env, MANILA_WAIT_INTERVAL: "1" } })
  console.log(`exit code ${code}`)
  return code
}

if (process.argv[2] === "--inside") {
  const columns = ["-c", "id", "-c", "name", "-c", "size", "-c", "status"]
  const codes = [
    step(
      "Create a share and wait until it is available.",
      "share",
      "create",
      "NFS",
      "1",
      "--name",
      "demo",
      "--wait",
      ...columns
    ),
    step(
      "A back end without room: the wait ends at once, with the service's reason.",
      "share",
      "create",
      "NFS",
      "1",
      "--name",
      "doomed",
      "--wait",
      ...columns
    ),
    step("Delete the first one and wait until it is gone.", "share", "delete", "demo", "--wait")
  ]
  const expected = [0, 3, 0]
  process.exit(codes.every((code, i) => code === expected[i]) ? 0 : 1)
}

console.log("Building …")
if (run([join(root, "scripts", "build.mjs")]) !== 0) process.exit(1)
console.log("A fake cloud starts on a free port of this machine; it stops when the last command has ended.")
process.exit(run([fakeCloud, "--speed", "4", "--plan", plan, "--", process.execPath, here, "--inside"]) ?? 1)
