/** Which modules of a package the world may import, and by what name. */

/** Our own condition: whoever sets it (tests, tsc, a dev run) reads the sources and needs no build. */
export const sourceCondition = "@effect-manila/source"

/**
 * Programs are not meant to be imported: their modules can be reached under the source condition, by their own tests,
 * and by nobody who installed them.
 */
const programs = new Set(["cli"])

/** Folders called `internal`, and the files a `bin` entry starts, stay inside. */
const isInside = (module) => /(^|\/)internal\//.test(module) || /(^|\/)bin(\.[\w-]+)?\.ts$/.test(module)

const subpathOf = (module) => {
  const path = module.replace(/\.ts$/, "")
  if (path === "index") return "."
  return `./${path.replace(/\/index$/, "")}`
}

/**
 * The `exports` of a package, from the list of modules in its `src`: one entry a module, no patterns.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} modules
 * @returns {Record<string, string | Record<string, string>>}
 */
export const exportsOf = (name, modules) => {
  const entries = {}
  const add = (module) => {
    const subpath = subpathOf(module)
    if (subpath in entries) throw new Error(`${name}: two modules want the name ${subpath}`)
    const built = `./dist/${module.replace(/\.ts$/, "")}`
    entries[subpath] = programs.has(name)
      ? { [sourceCondition]: `./src/${module}` }
      : { [sourceCondition]: `./src/${module}`, types: `${built}.d.ts`, default: `${built}.js` }
  }
  const shown = modules.filter((module) => !isInside(module) && !module.endsWith(".d.ts"))
  for (const module of shown.toSorted((a, b) => (subpathOf(a) < subpathOf(b) ? -1 : 1))) add(module)
  return { ...entries, "./package.json": "./package.json" }
}
