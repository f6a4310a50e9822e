/**
 * The command line in few files: start-up is a matter of how many modules are read, and of how much is compiled. What
 * needs no command is answered by a small module; all the rest is one file, of which a command runs only what it uses.
 */
import { build } from "esbuild"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { sourceCondition } from "./exports.mjs"
import { folderOf, root } from "./workspace.mjs"

const source = join(folderOf("cli"), "src")

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

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  conditions: [sourceCondition],
  mainFields: ["module", "main"],
  // The program's text is read as such.
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  logLevel: "warning"
}

/** Answers without a command's code, so it stays beside the entry. */
const early = /completion[\\/]Reply\.ts$/

/**
 * What the entries import late comes from the program, by its path. `found` takes the paths.
 *
 * @param {Set<string>} found
 * @param {string} program its name beside the entries
 */
const late = (found, program) => ({
  name: "late",
  setup: ({ onLoad, onResolve, resolve }) => {
    onResolve({ filter: /^\.{1,2}\// }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== "dynamic-import" || pluginData === "asked" || early.test(path)) return undefined
      const { path: file } = await resolve(path, { importer, kind, resolveDir, pluginData: "asked" })
      const part = relative(root, file).replaceAll("\\", "/")
      found.add(part)
      return { path: part, namespace: "part" }
    })
    onResolve({ filter: /^late:program$/ }, ({ path }) => ({ path, namespace: "program" }))
    onLoad({ filter: /./, namespace: "part" }, ({ path }) => ({
      contents: `module.exports = require("late:program").parts[${JSON.stringify(path)}]()`,
      loader: "js"
    }))
    onLoad({ filter: /./, namespace: "program" }, () => ({
      contents: [
        `import { join } from "node:path"`,
        `import { open } from "./packages/cli/src/CodeCache.ts"`,
        `export const { parts } = open(join(__dirname, ${JSON.stringify(program)}), process)`
      ].join("\n"),
      resolveDir: root,
      loader: "js"
    }))
  }
})

/** The commands' code and all they use: one file, a part of which runs when it is asked for. */
const buildProgram = async (folder, parts) => {
  const { metafile } = await build({
    ...common,
    stdin: {
      contents: `exports.parts = {\n${parts.map((part) => `${JSON.stringify(part)}: () => require(${JSON.stringify(`./${part}`)})`).join(",\n")}\n}`,
      resolveDir: root,
      loader: "js"
    },
    outdir: folder,
    entryNames: "program-[hash]",
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    // As a script of `vm` it has no loader for `import()`.
    supported: { "dynamic-import": false }
  })
  return { metafile, program: basename(Object.keys(metafile.outputs)[0]) }
}

const buildEntries = (folder, found, program) =>
  build({
    ...common,
    entryPoints: { manila: join(source, "bin.ts"), "shakenfist-wait": join(source, "shakenfist", "bin.ts") },
    outdir: folder,
    // A tenth of what Node itself takes goes into loading the first ES module, and nothing into a script.
    format: "cjs",
    write: program !== undefined,
    plugins: [late(found, program)]
  })

/**
 * Bundles the command lines from their sources into `folder`: `manila.js` and `shakenfist-wait.js`, which answer what
 * needs no command, and the program that both load for all else (see `CodeCache`).
 *
 * @param {string} folder emptied first
 */
export const bundleCli = async (folder = join(folderOf("cli"), "bundle")) => {
  if (!existsSync(join(source, "bin.ts"))) return undefined
  rmSync(folder, { recursive: true, force: true })
  const parts = new Set()
  await buildEntries(folder, parts, undefined)
  const { metafile, program } = await buildProgram(folder, [...parts].toSorted())
  const entries = await buildEntries(folder, new Set(), program)
  for (const name of ["manila.js", "shakenfist-wait.js"]) chmodSync(join(folder, name), 0o755)
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
  const inputs = { ...metafile.inputs, ...entries.metafile.inputs }
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), noticesOf(inputs).join(`\n${"-".repeat(78)}\n\n`))
  return { entry: join(folder, "manila.js"), entries: entries.metafile, program: metafile }
}
