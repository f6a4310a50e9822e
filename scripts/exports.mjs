/**
 * Writes the `exports` of each package from the modules in its `src`.
 *
 *     node scripts/exports.mjs            write them
 *     node scripts/exports.mjs --check    say what is out of date, and exit 1
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportsOf } from "./lib/exports.mjs"
import { folderOf, manifestOf, modulesOf, packages } from "./lib/workspace.mjs"

const check = process.argv.includes("--check")
let stale = 0

for (const name of packages) {
  const manifest = manifestOf(name)
  const wanted = exportsOf(name, modulesOf(name))
  if (JSON.stringify(manifest.exports) === JSON.stringify(wanted)) continue
  stale++
  const before = new Set(Object.keys(manifest.exports ?? {}))
  const after = new Set(Object.keys(wanted))
  for (const key of after) if (!before.has(key)) console.log(`packages/${name}: + ${key}`)
  for (const key of before) if (!after.has(key)) console.log(`packages/${name}: - ${key}`)
  if (check) continue
  writeFileSync(join(folderOf(name), "package.json"), `${JSON.stringify({ ...manifest, exports: wanted }, null, 2)}\n`)
}

if (check && stale > 0) {
  console.log("the exports of package.json are out of date: run `node scripts/exports.mjs`")
  process.exit(1)
}
