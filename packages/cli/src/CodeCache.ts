/**
 * Runs the bundle's second file, with what V8 compiled of it the last time: compiling is a third to a half of what a short
 * command takes beyond Node itself (`npm run bench:start` has it with and without).
 *
 * V8 checks a cache for its version and flags and not for its contents, which it runs: so it is kept in the user's own
 * folder of caches, and read only where nobody else can have written it. Whatever is wrong with it, the file is compiled
 * as ever. `NODE_DISABLE_COMPILE_CACHE`, Node's own variable for its own cache, switches it off.
 *
 * @since 0.1.0
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { Script } from "node:vm"

/**
 * What it needs of the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly arch: string
  readonly platform: string
  readonly pid: number
  /** Not there on Windows, where there is no cache. */
  readonly getuid?: (() => number) | undefined
  readonly once: (event: "exit", listener: (code: number) => void) => unknown
}

/** `$XDG_CACHE_HOME`, or where the system's programs keep theirs. */
const baseOf = ({ env, platform }: Process): string | undefined => {
  const { HOME: home, XDG_CACHE_HOME: xdg } = env
  if (xdg !== undefined && path.isAbsolute(xdg)) return xdg
  if (home === undefined || !path.isAbsolute(home)) return undefined
  return platform === "darwin" ? path.join(home, "Library", "Caches") : path.join(home, ".cache")
}

/** Nobody but the user (and root) can have changed it. */
const ours = (stats: fs.Stats, uid: number): boolean => stats.uid === uid && (stats.mode & 0o022) === 0

interface Place {
  readonly base: string
  readonly folder: string
  readonly file: string
  /** The same program, compiled by this very Node. */
  readonly sort: string
  readonly uid: number
}

const placeOf = (program: string, real: Process): Place | undefined => {
  const base = baseOf(real)
  const off = real.env["NODE_DISABLE_COMPILE_CACHE"] ?? ""
  if (base === undefined || real.getuid === undefined || off !== "") return undefined
  const folder = path.join(base, "effect-manila")
  // The program's name has a hash of what is in it.
  const name = path.basename(program, ".cjs")
  const sort = `-${real.version}-${real.arch}.code`
  return { base, folder, file: path.join(folder, name + sort), sort, uid: real.getuid() }
}

const trusted = ({ base, folder, uid }: Place): boolean =>
  [base, folder].every((each) => {
    const stats = fs.lstatSync(each)
    return stats.isDirectory() && ours(stats, uid)
  })

const read = (place: Place): Buffer | undefined => {
  try {
    if (!trusted(place)) return undefined
    const opened = fs.openSync(place.file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    try {
      const stats = fs.fstatSync(opened)
      return stats.isFile() && ours(stats, place.uid) ? fs.readFileSync(opened) : undefined
    } finally {
      fs.closeSync(opened)
    }
  } catch {
    return undefined
  }
}

const save = (place: Place, script: Script, pid: number): void => {
  try {
    fs.mkdirSync(place.folder, { recursive: true, mode: 0o700 })
    if (!trusted(place)) return
    // Never over what is there: a program that starts now reads all of the old or all of the new.
    const unfinished = `${place.file}.${pid}`
    try {
      fs.writeFileSync(unfinished, script.createCachedData(), { flag: "wx", mode: 0o600 })
      fs.renameSync(unfinished, place.file)
    } finally {
      fs.rmSync(unfinished, { force: true })
    }
    for (const other of fs.readdirSync(place.folder)) {
      // Those of other releases.
      if (other.endsWith(place.sort) && other !== path.basename(place.file)) fs.rmSync(path.join(place.folder, other))
    }
  } catch {
    // The disk is full, or not to be written: then the next time is no faster, and that is all.
  }
}

/**
 * The exports of a CommonJS file, which are `Exports` by the caller's word. When the process ends well and there was no
 * cache to use, one is left for the next time. Fails only as the file itself does.
 *
 * @param program its path; its text is ASCII, and its name is another one whenever its text is
 *
 * @since 0.1.0
 */
export const open = <Exports>(program: string, real: Process): Exports => {
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(program, "latin1")}\n})`
  const place = placeOf(program, real)
  const cachedData = place === undefined ? undefined : read(place)
  const script = new Script(source, { filename: program, ...(cachedData === undefined ? {} : { cachedData }) })
  if (place !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    real.once("exit", (code) => {
      if (code === 0) save(place, script, real.pid)
    })
  }
  const module: { exports: unknown } = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(program), module, program, path.dirname(program))
  return module.exports as Exports
}
