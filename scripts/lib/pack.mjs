/** Packing the packages, and what a packed one must look like. */
import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { folderOf, manifestOf } from "./workspace.mjs"

const exec = promisify(execFile)

/** Runs a command and gives what it printed; a failure says what the command said. */
export const sh = async (command, args, options = {}) => {
  try {
    const { stdout } = await exec(command, args, { encoding: "utf8", maxBuffer: 1 << 26, ...options })
    return stdout
  } catch (error) {
    const said = `${error.stdout ?? ""}${error.stderr ?? ""}`.trim()
    throw new Error(`${command} ${args.join(" ")}: ${said === "" ? error.message : said}`, { cause: error })
  }
}

/** `npm pack`: the tarball and the files in it. */
export const pack = async (name, destination) => {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination]
  const [{ filename, files }] = JSON.parse(await sh("npm", args, { cwd: folderOf(name) }))
  return {
    name,
    manifest: manifestOf(name),
    tarball: join(destination, filename),
    files: files.map(({ path }) => path).toSorted()
  }
}

/** The entries of `exports` that someone who installed the package can import, with what they lead to. */
export const entriesOf = (manifest) =>
  Object.entries(manifest.exports).filter(
    ([subpath, target]) => subpath !== "./package.json" && typeof target === "object" && "default" in target
  )

/** The `bin` entries whose source is there already. */
export const binsOf = ({ name, manifest }) =>
  existsSync(join(folderOf(name), "src", "bin.ts")) ? Object.entries(manifest.bin ?? {}) : []

const isStray = (file) =>
  /(^|\/)(test|tests|fixtures|node_modules)\//.test(file) ||
  /\.(test|spec)\.[cm]?[jt]s/.test(file) ||
  /tsbuildinfo|(^|\/)\.|(^|\/)tsconfig/.test(file)

/** What is wrong with the contents of a package, in sentences. */
export const contents = (packed) => {
  const { manifest, files } = packed
  const there = new Set(files)
  const wanted = ["package.json", "README.md", "LICENSE", ...binsOf(packed).map(([, path]) => path.replace("./", ""))]
  for (const [, target] of entriesOf(manifest))
    for (const path of Object.values(target)) wanted.push(path.replace("./", ""))
  const wrong = wanted.filter((file) => !there.has(file)).map((file) => `${file} is missing`)
  for (const file of files) if (isStray(file)) wrong.push(`${file} has no business there`)
  if (manifest.scripts !== undefined) wrong.push("scripts would run, or be seen, where it is installed")
  return wrong
}

/** What publint finds, suggestions included. */
export const lint = async (packed) => {
  const tarball = readFileSync(packed.tarball)
  const { messages } = await publint({
    level: "suggestion",
    strict: true,
    pack: { tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength) }
  })
  return messages
    .filter(({ path }) => path[0] !== "bin" || binsOf(packed).length > 0)
    .map((message) => formatMessage(message, packed.manifest, { color: false }) ?? message.code)
}
