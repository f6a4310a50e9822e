/**
 * The command line in few files: start-up is a matter of how many modules are read. Split by what is imported late, so
 * that a command loads only what it uses.
 */
import { build } from "esbuild"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sourceCondition } from "./exports.mjs"
import { folderOf, root } from "./workspace.mjs"

/** Some dependencies are CommonJS and ask for Node's modules by `require`. */
const banner = [
  `import { createRequire as $createRequire } from "node:module"`,
  `const require = $createRequire(import.meta.url)`
].join("\n")

/** The packages a bundle took in, each with its licence, which ask to be named wherever they go. */
const noticesOf = (inputs) => {
  const folders = new Set()
  for (const input of Object.keys(inputs)) {
    const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)
    if (found !== null) folders.add(found[0])
  }
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, folder, file), "utf8").trim()
    return `${name} ${version}\n\n${text}\n`
  })
}

/**
 * Bundles the command lines from its sources into `folder` (`manila.js`, `shakenfist-wait.js`, and the chunks they
 * share).
 *
 * @param {string} folder emptied first
 */
export const bundleCli = async (folder = join(folderOf("cli"), "bundle")) => {
  const source = join(folderOf("cli"), "src")
  const entry = join(source, "bin.ts")
  if (!existsSync(entry)) return undefined
  rmSync(folder, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { manila: entry, "shakenfist-wait": join(source, "shakenfist", "bin.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: [sourceCondition],
    mainFields: ["module", "main"],
    banner: { js: banner },
    legalComments: "none",
    chunkNames: "[name]-[hash]",
    metafile: true,
    logLevel: "warning"
  })
  for (const program of ["manila.js", "shakenfist-wait.js"]) chmodSync(join(folder, program), 0o755)
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), noticesOf(metafile.inputs).join(`\n${"-".repeat(78)}\n\n`))
  return { entry: join(folder, "manila.js"), metafile }
}
