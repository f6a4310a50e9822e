/**
 * Is the fake a Manila, and not only ours? Runs the Python client through the life of a share on `fake-cloud`.
 *
 *     node scripts/openstack-client.mjs [COMMAND]
 *
 * COMMAND is `openstack` (default) or a path: Debian's python3-openstackclient with python3-manilaclient. Needs
 * `npm run build`. The cloud's clock runs ten times faster; the client still looks every five seconds.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { root } from "./lib/workspace.mjs"

const fakeCloud = join(root, "packages", "test-kit", "dist", "bin.js")

const inside = (openstack) => {
  let failed = 0
  let count = 0
  const run = (args, expected = 0) => {
    const { status, stderr, stdout } = spawnSync(openstack, args, { encoding: "utf8" })
    count += 1
    const good = expected instanceof RegExp ? status === 0 && expected.test(stdout) : status === expected
    if (!good) failed += 1
    console.log(`${good ? "ok" : "NOT OK"}  openstack ${args.join(" ")}${good ? "" : `\n${stdout}${stderr}`}`)
    return stdout.trim()
  }
  const share = run([
    "share",
    "create",
    "NFS",
    "1",
    "--name",
    "data",
    "--property",
    "a=b",
    "--wait",
    "-f",
    "value",
    "-c",
    "id"
  ])
  run(["share", "list"], /data/)
  run(["share", "list", "--long", "-f", "json"], /"Share Protocol": "NFS"/)
  run(["share", "show", "data", "-f", "json"], /"status": "available"/)
  run(["share", "show", share], /export_locations/)
  run(["share", "properties", "show", "data", "-f", "json"], /"a": "b"/)
  run(["share", "set", "data", "--name", "renamed", "--property", "c=d"], 1) // it resets the task state, unasked
  run(["share", "unset", "renamed", "--property", "a"])
  run(["share", "export", "location", "list", share], /10\.0\.0\./)
  run(["share", "type", "list"], /default/)
  run(["share", "type", "show", "default"], /driver_handles_share_servers/)
  const rule = run(["share", "access", "create", share, "ip", "10.0.0.0/24", "--wait", "-f", "value", "-c", "id"])
  run(["share", "access", "list", share], /10\.0\.0\.0\/24/)
  run(["share", "access", "show", rule], /active/)
  run(["share", "access", "create", share, "ip", "10.0.0.0/24"], 1)
  run(["share", "access", "delete", share, rule, "--wait"])
  const snapshot = run(["share", "snapshot", "create", share, "--name", "monday", "--wait", "-f", "value", "-c", "id"])
  run(["share", "snapshot", "list"], /monday/)
  run(["share", "snapshot", "show", snapshot], /available/)
  run(["share", "snapshot", "set", snapshot, "--name", "tuesday"])
  run(["share", "revert", snapshot, "--wait"])
  run(["share", "delete", share], 1) // a snapshot depends on it
  run(["share", "snapshot", "delete", "tuesday", "--wait"])
  run(["share", "resize", share, "3", "--wait"])
  run(["share", "show", share, "-f", "value", "-c", "size"], /^3$/m)
  run(["share", "resize", share, "2", "--wait"])
  run(["share", "delete", share, "--soft"])
  run(["share", "list", "--soft-deleted"], /renamed/)
  run(["share", "restore", share])
  run(["share", "message", "list"])
  run(["share", "delete", share, "--wait"])
  run(["share", "show", share], 1)
  console.log(`\n${count - failed} as expected, ${failed} not`)
  return failed === 0 ? 0 : 1
}

if (process.argv[2] === "--inside") process.exit(inside(process.argv[3]))
const here = fileURLToPath(import.meta.url)
const command = [process.execPath, here, "--inside", process.argv[2] ?? "openstack"]
const { status } = spawnSync(process.execPath, [fakeCloud, "--speed", "10", "--", ...command], { stdio: "inherit" })
process.exit(status ?? 1)
