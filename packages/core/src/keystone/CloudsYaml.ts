/**
 * `clouds.yaml`, `secure.yaml` and `clouds-public.yaml`: where they are looked for, and what one of them says, with the line of every value.
 *
 * The search is openstacksdk's: the file named by `OS_CLIENT_CONFIG_FILE` (`OS_CLIENT_SECURE_FILE`), the current folder,
 * `$XDG_CONFIG_HOME/openstack`, `~/.config/openstack`, `$XDG_CONFIG_DIRS/openstack` (`/etc/xdg/openstack`),
 * `/etc/openstack`; in each `.yaml`, then `.yml`, then `.json`. On macOS, `Library/Application Support/openstack` of the
 * user and of the system stand for the two XDG variables where those aren't set, and on Windows `OpenStack\openstack` below
 * `%LOCALAPPDATA%` and `%PROGRAMDATA%` for them in any case. The first file that exists is the only one read, and the
 * three kinds are searched for on their own. Other than there, a file that can't be read or is no YAML is an error here
 * and not skipped: the cloud it should have named would be somebody else's.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Yaml from "yaml"
import * as Environment from "./internal/environment.ts"
import type { Setting } from "./internal/setting.ts"
import { System } from "../internal/system.ts"
import { ConfigError } from "./KeystoneError.ts"

/**
 * The settings of one cloud, as written: those in its `auth` apart from those beside it, keys with `_` for `-`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly top: ReadonlyMap<string, Setting>
  readonly auth: ReadonlyMap<string, Setting>
  /** The `regions` list. The values of a region win over those of the cloud. */
  readonly regions: ReadonlyArray<Region> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Region {
  readonly name: string
  readonly top: ReadonlyMap<string, Setting>
  readonly auth: ReadonlyMap<string, Setting>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface CloudsFile {
  readonly path: string
  readonly clouds: ReadonlyMap<string, Entry>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const emptyEntry: Entry = { top: new Map(), auth: new Map(), regions: undefined }

/**
 * `clouds-public` has the profiles of clouds that many people use; the clouds of the other two may name one.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = "clouds" | "secure" | "clouds-public"

export {
  /**
   * The kind of system, as Node names it (`darwin` is macOS): files are looked for in other folders on each. The layers
   * for Node say which it is; nobody else has to.
   *
   * @since 0.1.0
   * @category search
   */
  System
} from "../internal/system.ts"

/**
 * The paths a file is looked for at, first one first.
 *
 * @since 0.1.0
 * @category search
 */
export const candidates = (kind: Kind): Effect.Effect<ReadonlyArray<string>, never, Path.Path> =>
  Effect.map(places(kind), ({ folders, inFolder, named }) => [
    ...(named === undefined ? [] : [named]),
    ...folders.flatMap(inFolder)
  ])

const variables: Readonly<Record<Kind, string | undefined>> = {
  clouds: "OS_CLIENT_CONFIG_FILE",
  secure: "OS_CLIENT_SECURE_FILE",
  "clouds-public": undefined
}

const places = (kind: Kind) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const variable = variables[kind]
    const named = variable === undefined ? undefined : yield* Environment.text(variable)
    const home = yield* Environment.home
    const { shared, user } = yield* configFolders(path, home)
    const snapHome = yield* Environment.text("SNAP_REAL_HOME")
    const unixHome = snapHome ?? home
    const folders = [
      path.resolve("."),
      ...user,
      ...(unixHome === undefined ? [] : [path.join(unixHome, ".config", "openstack")]),
      ...shared,
      "/etc/openstack"
    ].filter((folder, index, all) => all.indexOf(folder) === index)
    const inFolder = (folder: string) => ["yaml", "yml", "json"].map((suffix) => path.join(folder, `${kind}.${suffix}`))
    return { named, folders, inFolder }
  })

/** What the package `platformdirs` says for openstacksdk, beside the folders it looks into everywhere. */
const configFolders = (path: Path.Path, home: string | undefined) =>
  Effect.gen(function* () {
    const below = (folder: string | undefined, ...names: ReadonlyArray<string>) =>
      folder === undefined ? [] : [path.join(folder, ...names, "openstack")]
    const system = yield* System
    if (system === "win32") {
      return {
        user: below(yield* Environment.text("LOCALAPPDATA"), "OpenStack"),
        shared: below(yield* Environment.text("PROGRAMDATA"), "OpenStack")
      }
    }
    const xdgHome = yield* Environment.text("XDG_CONFIG_HOME")
    const xdgDirs = (yield* Environment.text("XDG_CONFIG_DIRS"))?.split(":").filter((folder) => folder !== "")
    const [user, shared] =
      system === "darwin"
        ? [below(home, "Library", "Application Support"), "/Library/Application Support"]
        : [below(home, ".config"), "/etc/xdg"]
    return {
      user: xdgHome === undefined ? user : below(xdgHome),
      shared: (xdgDirs ?? [shared]).flatMap((folder) => below(folder))
    }
  })

/**
 * Reads the first file of a kind that exists.
 *
 * @since 0.1.0
 * @category search
 */
export const find = (
  kind: Kind
): Effect.Effect<Option.Option<CloudsFile>, ConfigError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { folders, inFolder, named } = yield* places(kind)
    // Only "there is no such file" goes on to the next place; a folder that may not be entered counts as that too.
    // Most folders are not there at all, and asking for each file in them costs more than asking for them first.
    const present = (paths: ReadonlyArray<string>) =>
      Effect.filter(paths, (path) => Effect.orElseSucceed(fs.exists(path), () => false), { concurrency: "unbounded" })
    const byName = named === undefined ? [] : yield* present([named])
    const file = byName[0] ?? (yield* present((yield* present(folders)).flatMap(inFolder)))[0]
    if (file === undefined) return Option.none()
    const text = yield* fs.readFileString(file).pipe(
      Effect.mapError(
        (error) =>
          new ConfigError({
            file,
            detail:
              error._tag === "SystemError" && error.reason === "PermissionDenied"
                ? "permission denied: the file can't be read"
                : "the file can't be read"
          })
      )
    )
    return Option.some(yield* parse(text, file, kind === "clouds-public" ? "public-clouds" : "clouds"))
  })

/**
 * Reads the text of a `clouds.yaml` (JSON is YAML). The YAML package is loaded by the first call.
 *
 * Texts are kept as written: `2.60` stays `2.60`, where openstacksdk reads a number and says `2.6`. A file that is empty
 * or has no `clouds` has no clouds. Of a key that is there twice, the last counts.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (
  text: string,
  path: string,
  /** The key that has them. */
  key: "clouds" | "public-clouds" = "clouds"
): Effect.Effect<CloudsFile, ConfigError> =>
  Effect.flatMap(loadYaml, (yaml) =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(read(yaml, text, path, key))
      } catch (error) {
        return error instanceof ConfigError ? Effect.fail(error) : Effect.die(error)
      }
    })
  )

/**
 * `secure` over `clouds`, key by key, as `secure.yaml` is merged.
 *
 * @since 0.1.0
 * @category combinators
 */
export const merge = (
  clouds: ReadonlyMap<string, Entry>,
  secure: ReadonlyMap<string, Entry>
): ReadonlyMap<string, Entry> => {
  const merged = new Map(clouds)
  for (const [name, entry] of secure) {
    const under = clouds.get(name) ?? emptyEntry
    merged.set(name, {
      top: new Map([...under.top, ...entry.top]),
      auth: new Map([...under.auth, ...entry.auth]),
      regions: entry.regions ?? under.regions
    })
  }
  return merged
}

/**
 * The package is CommonJS: Node gives its names one by one and as a default, a bundler that splits only the latter, and
 * one that reads its ESM form only the former.
 */
const loadYaml: Effect.Effect<typeof Yaml> = Effect.map(
  Effect.promise(() => import("yaml")),
  // The two have the same names; their types are not the same to the compiler.
  (module) => (module.default ?? module) as typeof Yaml
)

const read = (yaml: typeof Yaml, text: string, path: string, under: string): CloudsFile => {
  const lines = new yaml.LineCounter()
  // PyYAML reads YAML 1.1: `yes` is true, `<<` merges, and a key may be there twice.
  const doc = yaml.parseDocument(text, {
    version: "1.1",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    lineCounter: lines
  })
  const lineAt = (offset: number | undefined) => (offset === undefined ? undefined : lines.linePos(offset).line)
  const fail = (node: Yaml.Node | undefined, detail: string, setting?: string): never => {
    throw new ConfigError({ file: path, line: lineAt(node?.range?.[0]), detail, setting })
  }

  const broken = doc.errors[0]
  if (broken !== undefined) {
    // The package's own text may quote the file, and with it a password.
    throw new ConfigError({
      file: path,
      line: lineAt(broken.pos[0]),
      detail: sentences[broken.code] ?? `not valid YAML (${broken.code})`
    })
  }

  /** A node with its alias followed; `undefined` for nothing and for null. */
  const resolve = (node: unknown): Yaml.Node | undefined => {
    if (yaml.isAlias(node)) return node.resolve(doc) ?? fail(node, "an alias without its anchor")
    if (!yaml.isNode(node) || (yaml.isScalar(node) && node.value === null)) return undefined
    return node
  }

  /** The entries of a map, those merged in by `<<` first. */
  const entries = (map: Yaml.YAMLMap, depth = 0): ReadonlyArray<readonly [string, Yaml.Node, Yaml.Node]> => {
    const merged: Array<readonly [string, Yaml.Node, Yaml.Node]> = []
    const own: Array<readonly [string, Yaml.Node, Yaml.Node]> = []
    for (const { key, value } of map.items) {
      if (!yaml.isScalar(key)) continue
      const node = resolve(value)
      if (node === undefined) continue
      const isMerge = typeof key.value === "symbol" || (key.value === "<<" && key.type === "PLAIN")
      if (!isMerge) own.push([textOf(key), node, key])
      else if (depth < 8) {
        const sources = yaml.isSeq(node) ? node.items.toReversed().map(resolve) : [node]
        for (const source of sources) {
          if (yaml.isMap(source)) merged.push(...entries(source, depth + 1))
        }
      }
    }
    return [...merged, ...own]
  }

  const setting = (node: Yaml.Node, at: Yaml.Node): Setting | undefined => {
    const line = lineAt(at.range?.[0])
    const place = { source: line === undefined ? path : `${path}:${line}`, file: path, line }
    if (yaml.isScalar(node)) {
      return typeof node.value === "boolean"
        ? { ...place, text: textOf(node), boolean: node.value }
        : { ...place, text: textOf(node) }
    }
    if (yaml.isSeq(node)) {
      const items = node.items.map(resolve).filter((item) => yaml.isScalar(item))
      return { ...place, text: items.map(textOf).join(","), items: items.map(textOf) }
    }
    return undefined
  }

  const settings = (map: Yaml.YAMLMap): Map<string, Setting> => {
    const out = new Map<string, Setting>()
    for (const [key, node, at] of entries(map)) {
      const value = setting(node, at)
      if (value !== undefined) out.set(key.replaceAll("-", "_"), value)
    }
    return out
  }

  const split = (map: Yaml.YAMLMap, where: string) => {
    const auth = entries(map).findLast(([key]) => key === "auth")?.[1]
    if (auth !== undefined && !yaml.isMap(auth)) fail(auth, `auth of ${where} is not a mapping`, "auth")
    return {
      top: settings(map),
      auth: auth === undefined ? new Map<string, Setting>() : settings(auth as Yaml.YAMLMap)
    }
  }

  const region = (node: Yaml.Node | undefined, cloud: string): Region => {
    if (yaml.isScalar(node)) return { name: textOf(node), top: new Map(), auth: new Map() }
    if (!yaml.isMap(node)) return fail(node, `a region of cloud ${cloud} is neither a name nor a mapping`, "regions")
    const parts = entries(node)
    const name = parts.find(([key]) => key === "name")?.[1]
    const values = parts.find(([key]) => key === "values")?.[1]
    if (!yaml.isScalar(name) || parts.some(([key]) => key !== "name" && key !== "values")) {
      return fail(node, `a region of cloud ${cloud} needs a name, and may have values, and nothing else`, "regions")
    }
    return {
      name: textOf(name),
      ...(yaml.isMap(values) ? split(values, `cloud ${cloud}`) : { top: new Map(), auth: new Map() })
    }
  }

  const entry = (name: string, node: Yaml.Node): Entry => {
    if (!yaml.isMap(node)) return fail(node, `cloud ${name} is not a mapping`)
    const regions = entries(node).findLast(([key]) => key === "regions")?.[1]
    if (regions !== undefined && !yaml.isSeq(regions))
      fail(regions, `regions of cloud ${name} is not a list`, "regions")
    return {
      ...split(node, `cloud ${name}`),
      regions: yaml.isSeq(regions) ? regions.items.map((item) => region(resolve(item), name)) : undefined
    }
  }

  const root = resolve(doc.contents)
  if (root === undefined) return { path, clouds: new Map() }
  if (!yaml.isMap(root)) return fail(root, `not a mapping with a key ${under}`)
  const clouds = new Map<string, Entry>()
  const list = root.items.findLast(({ key }) => yaml.isScalar(key) && textOf(key) === under)
  const all = list === undefined ? undefined : resolve(list.value)
  if (all !== undefined) {
    if (!yaml.isMap(all)) return fail(all, `${under} is not a mapping of names to clouds`)
    for (const { key, value } of all.items) {
      if (!yaml.isScalar(key)) continue
      const node = resolve(value)
      const name = textOf(key)
      clouds.set(name, node === undefined ? emptyEntry : entry(name, node))
    }
  }
  return { path, clouds }
}

/** A scalar as the file has it; only quoted text is unquoted. */
const textOf = (scalar: Yaml.Scalar): string =>
  typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value))

const sentences: Record<string, string> = {
  BAD_DQ_ESCAPE: "an escape in double quotes that YAML does not know",
  BAD_INDENT: "wrong indentation, or a bracket or brace that is not closed",
  BAD_SCALAR_START: "a value that starts with @ or ` needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second `: ` in one line; a value that contains one needs quotes",
  BLOCK_IN_FLOW: "an indented list or mapping inside brackets or braces",
  KEY_OVER_1024_CHARS: "a key that is too long, or a `:` too many",
  MISSING_CHAR: "a quote, bracket, brace, comma or colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key that goes over several lines; is a `:` missing before?",
  MULTIPLE_DOCS: "more than one document in the file",
  TAB_AS_INDENT: "tabs can't be used for indentation",
  UNEXPECTED_TOKEN: "something that YAML does not expect here"
}
