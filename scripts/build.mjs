/** Builds every package: modules and types by tsc, in the order the project references give. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { packages, root } from "./lib/workspace.mjs"

const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
const projects = packages.map((name) => join("packages", name, "tsconfig.src.json"))
const { status } = spawnSync(process.execPath, [tsc, "-b", ...projects], { cwd: root, stdio: "inherit" })
process.exit(status ?? 1)
