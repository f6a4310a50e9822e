/**
 * Turns the changesets into a new version of the packages: manifests, changelogs, the version that programs say, and the
 * lock file. Publishes nothing.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderOf, manifestOf, packages, root } from "./lib/workspace.mjs"

const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" })
const bin = (name, path) => join(root, "node_modules", name, path)

run(process.execPath, bin("@changesets/cli", "bin.js"), "version")

for (const name of packages) {
  const file = join(folderOf(name), "src", "Version.ts")
  if (!existsSync(file)) continue
  const before = readFileSync(file, "utf8")
  const after = before.replace(/(export const version(?:: string)? = )"[^"]*"/, `$1"${manifestOf(name).version}"`)
  if (after === before && !before.includes(`"${manifestOf(name).version}"`))
    throw new Error(`${file}: no version there`)
  writeFileSync(file, after)
}

const manifests = packages.map((name) => join("packages", name, "package.json"))
run(process.execPath, bin("oxfmt", "bin/oxfmt"), ...manifests)
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved")
