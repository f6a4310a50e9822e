/**
 * A folder of files to plant mistakes in.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** Lays the files in a new folder and gives its path with the way to be rid of it. */
export const plant = (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "effect-manila-"))
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
