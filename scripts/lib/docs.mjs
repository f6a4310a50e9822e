/**
 * The examples of the documents: every TypeScript block of README.md, docs/, the packages' READMEs and the doc blocks
 * of `src`, taken out so that the compiler and the tests see them.
 *
 * A fence says what becomes of its block:
 *
 *     ```ts                     compiled
 *     ```ts run                 compiled, and run by a test
 *     ```ts nocheck REASON      neither; the reason is for the reader of the source
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { filesBelow, folderOf, modulesOf, packages, root } from "./workspace.mjs"

/**
 * @typedef {object} Block
 * @property {string} file the document, relative to the workspace
 * @property {number} line the line of its first line of code, from 1
 * @property {string} code
 * @property {boolean} check
 * @property {boolean} run
 */

const modeOf = (info, where) => {
  const [language, mode, ...rest] = info.trim().split(/\s+/)
  if (language !== "ts" && language !== "typescript") return undefined
  if (mode === undefined) return { check: true, run: false }
  if (mode === "run" && rest.length === 0) return { check: true, run: true }
  if (mode === "nocheck" && rest.length > 0) return { check: false, run: false }
  throw new Error(
    mode === "nocheck" ? `${where}: nocheck needs a reason` : `${where}: nobody knows what \`${info.trim()}\` means`
  )
}

/**
 * The blocks of a text. Given a module of TypeScript, only what stands in its doc blocks counts.
 *
 * @param {string} file
 * @param {string} text
 * @returns {ReadonlyArray<Block>}
 */
export const blocksIn = (file, text) => {
  const blocks = []
  const source = /\.[cm]?ts$/.test(file)
  let inDoc = false
  let open
  const lines = text.split(/\r?\n/)
  for (const [index, raw] of lines.entries()) {
    let line = raw
    if (source) {
      if (/^\s*\/\*\*/.test(raw)) inDoc = true
      if (!inDoc) continue
      if (raw.includes("*/")) inDoc = false
      line = raw.replace(/^\s*(\/\*\*|\*(?!\/)) ?/, "")
    }
    const fence = /^(\s*)(`{3,})([^`]*)$/.exec(line)
    if (open === undefined) {
      if (fence !== null) open = { indent: fence[1].length, ticks: fence[2], line: index + 2, info: fence[3], code: [] }
    } else if (fence !== null && fence[3].trim() === "" && fence[2].length >= open.ticks.length) {
      const mode = modeOf(open.info, `${file}:${open.line - 1}`)
      if (mode !== undefined) blocks.push({ file, line: open.line, code: open.code.join("\n"), ...mode })
      open = undefined
    } else if (source && !inDoc) throw new Error(`${file}:${open.line - 1}: the block doesn't end`)
    else open.code.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
  }
  if (open !== undefined) throw new Error(`${file}:${open.line - 1}: the block doesn't end`)
  return blocks
}

/** The documents with examples, relative to the workspace. */
export const documents = () => [
  ...filesBelow(join(root, "docs"))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
  ...["README.md", "CONTRIBUTING.md", ...packages.map((name) => `packages/${name}/README.md`)].filter(exists),
  ...packages.flatMap((name) => modulesOf(name).map((file) => `packages/${name}/src/${file}`))
]

const exists = (file) => {
  try {
    readFileSync(join(root, file))
    return true
  } catch {
    return false
  }
}

/** All the blocks there are. */
export const blocks = () => documents().flatMap((file) => blocksIn(file, readFileSync(join(root, file), "utf8")))

/** Where examples are written: inside the workspace, so that its packages are found from there. */
export const cache = join(root, "node_modules", ".cache", "effect-manila", "docs")

/**
 * Writes each block to a file of its own below `folder`, emptied first, its code on the line it has in the document.
 *
 * @param {ReadonlyArray<Block>} blocks
 * @param {string} folder
 * @returns {ReadonlyArray<Block & { readonly path: string }>}
 */
export const extract = (blocks, folder = cache) => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return blocks.map((block) => {
    const path = join(folder, `${block.file.replaceAll(/[^\w.-]/g, "_")}.L${block.line}.ts`)
    writeFileSync(path, `${"\n".repeat(block.line - 1)}${block.code}\nexport {}\n`)
    return { ...block, path }
  })
}

const configFor = (paths) => ({
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: {
    rootDir: ".",
    noEmit: true,
    tsBuildInfoFile: "./.tsbuildinfo",
    noUnusedLocals: false,
    noUnusedParameters: false,
    types: ["node"]
  },
  files: paths,
  references: packages.map((name) => ({ path: join(folderOf(name), "tsconfig.src.json") }))
})

/**
 * Compiles blocks as a user's project would see them, and gives what the compiler said in terms of the documents.
 *
 * @param {ReadonlyArray<Block>} blocks
 * @param {string} folder
 * @returns {{ readonly passed: boolean, readonly said: string, readonly count: number }}
 */
export const compile = (blocks, folder = cache) => {
  const checked = extract(blocks, folder).filter(({ check }) => check)
  if (checked.length === 0) return { passed: true, said: "", count: 0 }
  const config = join(folder, "tsconfig.json")
  writeFileSync(config, JSON.stringify(configFor(checked.map(({ path }) => path)), null, 2))
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-b", config], { cwd: root, encoding: "utf8" })
  let said = stdout
  for (const { file, path } of checked) said = said.replaceAll(relative(root, path).replaceAll("\\", "/"), file)
  return { passed: status === 0, said, count: checked.length }
}
