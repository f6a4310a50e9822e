/**
 * Runs after an install in this repository, and only here: nothing of it is published.
 *
 * Teaches the installed `tsc` Effect's diagnostics (a floating effect is a type error). Where the tool isn't there (an
 * install without development packages, a platform it isn't built for) everything works but those diagnostics; a test
 * of `npm run check` says so.
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const toolOf = () => {
  const require = createRequire(import.meta.url)
  try {
    const manifest = require.resolve("@effect/tsgo/package.json")
    return join(dirname(manifest), require(manifest).bin["effect-tsgo"])
  } catch {
    return undefined
  }
}

const tool = toolOf()
if (tool !== undefined) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, "patch"], { encoding: "utf8" })
  if (status !== 0) console.error(`tsc is left without Effect's diagnostics:\n${stdout}${stderr}`.trimEnd())
}
