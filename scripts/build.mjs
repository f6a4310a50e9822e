/**
 * Builds every package: modules and types by tsc, in the order the project references give; then the bundle of the
 * command line.
 */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { bundleCli } from "./lib/bundle.mjs"
import { filesBelow, folderOf, modulesOf, packages, root } from "./lib/workspace.mjs"

/** What a module that is no more has left in `dist` must not be packed. */
for (const name of packages) {
  const modules = new Set(modulesOf(name).map((file) => file.replace(/\.ts$/, "")))
  const dist = join(folderOf(name), "dist")
  for (const file of filesBelow(dist)) {
    const module = /^(.+?)\.(?:d\.ts|js)(?:\.map)?$/.exec(file)
    if (module !== null && !modules.has(module[1])) rmSync(join(dist, file))
  }
}

const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
const projects = packages.map((name) => join("packages", name, "tsconfig.src.json"))
const { status } = spawnSync(process.execPath, [tsc, "-b", ...projects], { cwd: root, stdio: "inherit" })
if (status !== 0) process.exit(status ?? 1)

await bundleCli()
