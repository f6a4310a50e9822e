/**
 * The project's own lint rules, run by oxlint.
 *
 * - `boundaries`: who may import whom, and by what name.
 * - `ambient`: what the built-in rules for clock, chance and environment can't say.
 */
import { existsSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { join, posix } from "node:path"

const scope = "@effect-manila/"
const builtins = new Set(builtinModules)

/** `…/packages/core/src/http/Page.ts` → the workspace folder, `core`, `src` and `http/Page.ts`. */
const locate = (filename) => {
  const found = /^(.*)\/packages\/([^/]+)\/(src|test)\/(.+)$/.exec(filename.replaceAll("\\", "/"))
  return found === null ? undefined : { base: found[1], name: found[2], part: found[3], path: found[4] }
}

/**
 * What an import names: a module of ours (as `core/waiter/Goal`), one of Node's, or one of another package's.
 */
const target = (from, specifier) => {
  if (specifier.startsWith(".")) {
    const path = posix.join(from.name, from.part, posix.dirname(from.path), specifier)
    const found = /^([^/]+)\/src\/(.+?)(\.ts)?$/.exec(path)
    return found === null
      ? { kind: "outside" }
      : { kind: "ours", module: `${found[1]}/${found[2]}`, name: found[1], relative: true }
  }
  if (specifier.startsWith(scope)) {
    const [name, ...rest] = specifier.slice(scope.length).split("/")
    return { kind: "ours", module: [name, ...rest].join("/"), name, relative: false }
  }
  if (specifier.startsWith("node:") || builtins.has(specifier.split("/")[0])) return { kind: "node" }
  const parts = specifier.split("/")
  const length = specifier.startsWith("@") ? 2 : 1
  return { kind: "package", name: parts.slice(0, length).join("/"), deep: parts.length > length }
}

/** The layers: a module whose name matches `from` may not import what `never` finds, for the reason `why`. */
const layers = [
  {
    from: /^core\/waiter\//,
    never: (to) => !(to.kind === "ours" ? to.module.startsWith("core/waiter/") : to.name === "effect"),
    why: "the waiter imports effect and nothing else, so that it could leave as a package of its own"
  },
  {
    from: /^core\/http\//,
    never: (to) => to.kind === "ours" && /^core\/(manila|shakenfist|keystone)(\/|$)/.test(to.module),
    why: "http knows no cloud"
  },
  {
    from: /^core\/manila\//,
    never: (to) => to.kind === "ours" && /^core\/shakenfist(\/|$)/.test(to.module),
    why: "the two clouds don't know each other"
  },
  {
    from: /^core\/shakenfist\//,
    never: (to) => to.kind === "ours" && /^core\/manila(\/|$)/.test(to.module),
    why: "the two clouds don't know each other"
  },
  {
    from: /^core\/(?!node\/)/,
    never: (to) =>
      to.kind === "node" ||
      (to.kind === "package" && /^@effect\/platform-(node|bun)/.test(to.name)) ||
      (to.kind === "ours" && /^core\/node(\/|$)/.test(to.module)),
    why: "only core/src/node knows Node"
  },
  {
    from: /^core\//,
    never: (to) => to.kind === "ours" && (to.name === "test-kit" || to.name === "cli"),
    why: "core knows neither the test kit nor the command line"
  },
  {
    from: /^test-kit\//,
    never: (to) => to.kind === "ours" && to.name === "cli",
    why: "the test kit doesn't know the command line"
  },
  {
    from: /^cli\//,
    never: (to) => to.kind === "ours" && to.name === "test-kit",
    why: "the command line doesn't know the test kit"
  }
]

const manifests = new Map()

/**
 * The packages a package of ours declares; `undefined` where there is no manifest to ask. The command line is bundled:
 * what it takes in is needed only to build it.
 */
const declared = ({ base, name }) => {
  const file = join(base, "packages", name, "package.json")
  if (!manifests.has(file)) {
    const manifest = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined
    const fields = ["dependencies", "peerDependencies", ...(name === "cli" ? ["devDependencies"] : [])]
    manifests.set(file, manifest && new Set(fields.flatMap((field) => Object.keys(manifest[field] ?? {}))))
  }
  return manifests.get(file)
}

/** What is wrong with an import, if anything. Exported for the reader; the tests go through oxlint. */
const complaint = (from, specifier) => {
  const to = target(from, specifier)
  if (to.kind === "outside") return `${specifier}: src imports only from src`
  if (to.kind === "ours" && to.relative && to.name !== from.name)
    return `${specifier}: import another package by its name`
  if (to.kind === "ours" && !to.relative && to.name === from.name)
    return `${specifier}: import a neighbour in the same package by its path`
  if (to.kind === "package" && !to.deep && /^(effect|@effect\/(?!vitest$).+)$/.test(to.name))
    return `${specifier}: import the module, not the barrel (it loads everything)`
  const module = `${from.name}/${from.path}`
  for (const layer of layers) {
    if (layer.from.test(module) && layer.never(to)) return `${specifier}: ${layer.why}`
  }
  const known = declared(from)
  const wanted = to.kind === "package" ? to.name : to.kind === "ours" ? `${scope}${to.name}` : undefined
  if (known !== undefined && wanted !== undefined && wanted !== `${scope}${from.name}` && !known.has(wanted))
    return `${specifier}: ${wanted} is not in the package.json of ${scope}${from.name}`
  return undefined
}

const boundaries = {
  meta: { type: "problem" },
  create(context) {
    const from = locate(context.filename)
    if (from === undefined || from.part !== "src") return {}
    const look = (node) => {
      const specifier = node?.value
      if (typeof specifier !== "string") return
      const message = complaint(from, specifier)
      if (message !== undefined) context.report({ node, message })
    }
    return {
      ImportDeclaration: (node) => look(node.source),
      ExportNamedDeclaration: (node) => look(node.source),
      ExportAllDeclaration: (node) => look(node.source),
      ImportExpression: (node) => look(node.source),
      TSImportType: (node) => look(node.source)
    }
  }
}

/** Modules of Node that are another door to the clock or the environment. */
const doors = new Set(["timers", "timers/promises", "perf_hooks", "process"])

/** Names of `node:crypto` that are chance. */
const chance = new Set(["randomUUID", "randomBytes", "randomInt", "randomFillSync", "randomFill", "webcrypto"])

const isNow = (node) => node.callee.type === "Identifier" && node.callee.name === "Date"

const ambient = {
  meta: { type: "problem" },
  create(context) {
    return {
      NewExpression(node) {
        if (isNow(node) && node.arguments.length === 0)
          context.report({ node, message: "new Date() reads the system's clock: use Clock" })
      },
      CallExpression(node) {
        if (isNow(node)) context.report({ node, message: "Date() reads the system's clock: use Clock" })
      },
      ImportDeclaration(node) {
        const name = node.source.value.replace(/^node:/, "")
        if (doors.has(name) && builtins.has(name))
          context.report({ node, message: `${node.source.value}: use Clock, Effect.sleep and Config` })
        if (name !== "crypto") return
        for (const specifier of node.specifiers) {
          if (specifier.type === "ImportSpecifier" && chance.has(specifier.imported.name))
            context.report({ node: specifier, message: `${specifier.imported.name}: use Random` })
        }
      }
    }
  }
}

export default { meta: { name: "effect-manila" }, rules: { boundaries, ambient } }
