/** What every script here needs to know of the workspace: where it is, and what is in each package. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "")

/** The packages, each after the ones it depends on. */
export const packages = ["core", "test-kit", "cli"]

export const folderOf = (name) => join(root, "packages", name)

export const readJson = (file) => JSON.parse(readFileSync(file, "utf8"))

export const manifestOf = (name) => readJson(join(folderOf(name), "package.json"))

/** Every file below a folder, as paths relative to it with forward slashes, sorted; none if there is no such folder. */
export const filesBelow = (folder) => {
  let entries
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    if (error.code === "ENOENT") return []
    throw error
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(folder, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join("/")
    )
    .toSorted()
}

/** The TypeScript modules of a package's `src`. */
export const modulesOf = (name) => filesBelow(join(folderOf(name), "src")).filter((file) => file.endsWith(".ts"))
