/**
 * Builds and packs the packages as they would be published, looks into them, and uses them as people would: in empty
 * projects outside this repository.
 *
 *     node scripts/pack.mjs            KEEP=1 leaves the projects where they are, for a look
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { blocksIn } from "./lib/docs.mjs"
import { binsOf, contents, entriesOf, lint, pack, sh } from "./lib/pack.mjs"
import { filesBelow, packages, readJson, root } from "./lib/workspace.mjs"

const tsc = join(root, "node_modules", "typescript", "bin", "tsc")
const work = mkdtempSync(join(tmpdir(), "effect-manila-pack-"))
const rootManifest = readJson(join(root, "package.json"))
let failed = 0

const claim = async (text, check) => {
  try {
    const said = await check()
    console.log(`ok      ${text}${said ? ` (${said})` : ""}`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${text}\n        ${String(error.message).replaceAll("\n", "\n        ")}`)
  }
}

const none = (wrong) => {
  if (wrong.length > 0) throw new Error(wrong.join("\n"))
}

/** An empty project with these tarballs and, beside them, the peers by the ranges this workspace is built with. */
const project = async (name, packed, peers, files) => {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  const dependencies = Object.fromEntries([
    ...packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
    ...peers.map((peer) => [peer, rootManifest.devDependencies[peer]])
  ])
  const manifest = { name, version: "0.0.0", private: true, type: "module", dependencies }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  await sh("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder })
  return folder
}

const specifier = (manifest, subpath) => `${manifest.name}${subpath.slice(1)}`

/** Programs that import every entry: by `import`, by `require`, and for the compiler. */
const programs = (specifiers) => ({
  "all.mjs": [
    `const names = ${JSON.stringify(specifiers)}`,
    `for (const name of names) {`,
    `  const module = await import(name).catch((error) => { throw new Error(name + ": " + error.message) })`,
    `  if (Object.keys(module).length === 0) console.log(name + " exports types only")`,
    `}`
  ].join("\n"),
  "all.cjs": `for (const name of ${JSON.stringify(specifiers)}) require(name)\n`,
  "all.ts":
    specifiers.map((name, index) => `import * as m${index} from "${name}"`).join("\n") +
    `\nexport const all = [${specifiers.map((_, index) => `m${index}`).join(", ")}]\n`
})

const tsconfig = (moduleResolution, options, file) =>
  JSON.stringify({
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2023", "DOM"],
      module: moduleResolution === "NodeNext" ? "NodeNext" : "ESNext",
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      ...options
    },
    files: [file]
  })

const compile = (folder, moduleResolution, options = {}, file = "all.ts") => {
  const config = join(folder, `tsconfig.${file}.${moduleResolution}.json`)
  writeFileSync(config, tsconfig(moduleResolution, options, file))
  return sh(process.execPath, [tsc, "-p", config], { cwd: folder }).then(() => undefined)
}

const use = async (title, folder, specifiers) => {
  await claim(`${title}: every module can be imported`, async () => {
    await sh(process.execPath, ["all.mjs"], { cwd: folder })
    return `${specifiers.length}`
  })
  await claim(`${title}: a program of CommonJS can require every module`, () =>
    sh(process.execPath, ["all.cjs"], { cwd: folder }).then(() => undefined)
  )
  await claim(`${title}: types are found as Node does`, () => compile(folder, "NodeNext"))
  await claim(`${title}: types are found as bundlers do`, () => compile(folder, "bundler"))
  await claim(`${title}: there is one effect in the tree`, () => {
    const found = filesBelow(join(folder, "node_modules")).filter((file) => /(^|\/)effect\/package\.json$/.test(file))
    none(found.length === 1 ? [] : found)
  })
}

/** Compiles and runs one of the programs in test/consumers, and looks at what it prints. */
const runs = (title, folder, name, printed) =>
  claim(title, async () => {
    copyFileSync(join(root, "test", "consumers", `${name}.ts`), join(folder, `${name}.ts`))
    await compile(folder, "NodeNext", { noEmit: false, outDir: "built" }, `${name}.ts`)
    const said = (await sh(process.execPath, [join("built", `${name}.js`)], { cwd: folder })).trim()
    none(said === printed ? [] : [`it printed ${said}`])
  })

const start = async (folder, packed) => {
  for (const one of packed)
    for (const [bin] of binsOf(one))
      await claim(`${bin} --version says the version`, () => {
        const { status, stdout, stderr } = spawnSync(join(folder, "node_modules", ".bin", bin), ["--version"], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"]
        })
        const { version } = one.manifest
        if (status !== 0 || !stdout.includes(version)) throw new Error(`exit code ${status}\n${stdout}${stderr}`)
        return stdout.trim()
      })
}

try {
  await sh(process.execPath, [join(root, "scripts", "build.mjs")])
  const packed = []
  for (const name of packages) packed.push(await pack(name, work))
  const [core, kit, cli] = packed

  for (const one of packed) {
    const { name, files } = one
    await claim(`${name}: holds what it says and nothing else`, () => {
      none(contents(one))
      return `${files.length} files`
    })
    await claim(`${name}: publint has nothing to say`, async () => none(await lint(one)))
  }

  const entries = (one) => entriesOf(one.manifest).map(([subpath]) => specifier(one.manifest, subpath))
  const withoutNode = entries(core).filter((name) => !/\/core\/node(\/|$)/.test(name))
  await claim("core: installs into an empty project", async () => {
    const folder = await project("library", [core], ["effect", "@effect/platform"], programs(withoutNode))
    await use("core without Node's platform", folder, withoutNode)
    await runs("a program of the library's runs", folder, "library", "available")
  })

  const all = [...entries(core), ...entries(kit)]
  const peers = ["effect", "@effect/platform", "@effect/platform-node"]
  await claim("test-kit: the README's examples are tests that pass where it is installed", async () => {
    const folder = await project("readme", [core, kit], [...peers, "vitest", "@effect/vitest"], {})
    const file = join(folder, "node_modules", kit.manifest.name, "README.md")
    const examples = blocksIn("README.md", readFileSync(file, "utf8")).filter(({ run }) => run)
    for (const { code, line } of examples) writeFileSync(join(folder, `line-${line}.test.ts`), code)
    const vitest = join("node_modules", "vitest", "vitest.mjs")
    const said = await sh(process.execPath, [vitest, "run", "--reporter=json"], { cwd: folder })
    const { numPassedTests, numTotalTests } = JSON.parse(said.slice(said.indexOf('{"numTotal')))
    none(numPassedTests === numTotalTests && numTotalTests > examples.length ? [] : [said])
    return `${numPassedTests} tests`
  })

  const bin = (folder, name) => join(folder, "node_modules", ".bin", name)
  let kitFolder
  await claim("test-kit: installs into an empty project", async () => {
    const folder = await project("kit", [core, kit], peers, programs(all))
    await use("core and test-kit", folder, all)
    await runs("a test of the kit's runs", folder, "kit", "45")
    await start(folder, [kit])
    kitFolder = folder
  })

  await claim("cli: installs into an empty project", async () => {
    const folder = await project("program", [cli], [], {})
    const others = filesBelow(join(folder, "node_modules")).filter((file) => !/^(\.|@effect-manila\/cli\/)/.test(file))
    none(others.length === 0 ? [] : [`it brings ${others.length} files of other packages`])
    await start(folder, [cli])
    if (kitFolder === undefined || binsOf(kit).length === 0 || binsOf(cli).length === 0) return
    await claim("manila waits for a share on fake-cloud, each as installed", async () => {
      const create = ["share", "create", "NFS", "1", "--wait", "--interval", "0.2", "-f", "value", "-c", "status"]
      const args = ["--speed", "50", "--", bin(folder, "manila"), ...create]
      const said = (await sh(bin(kitFolder, "fake-cloud"), args, { cwd: folder })).trim()
      none(said === "available" ? [] : [`it printed ${said}`])
    })
    await claim("shakenfist-wait settles a network on fake-cloud, each as installed", async () => {
      const operations = [{ phases: [["queued", 20], ["executing", 10], "complete"] }]
      const plan = join(folder, "plan.json")
      writeFileSync(plan, JSON.stringify({ shakenfist: { networks: [{ name: "lan", operations }] } }))
      const settle = ["settle", "network", "lan", "--interval", "0.2", "-f", "value", "-c", "State"]
      const args = ["--shakenfist", "--speed", "50", "--plan", plan, "--", bin(folder, "shakenfist-wait"), ...settle]
      const said = (await sh(bin(kitFolder, "fake-cloud"), args, { cwd: folder })).trim()
      none(said === "settled" ? [] : [`it printed ${said}`])
    })
  })
} catch (error) {
  failed++
  console.log(`FAILED  ${error.message}`)
} finally {
  if (process.env["KEEP"] === undefined) rmSync(work, { recursive: true, force: true })
  else console.log(`left in ${work}`)
}

process.exit(failed === 0 ? 0 : 1)
