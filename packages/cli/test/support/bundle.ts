/**
 * The bundle as it is shipped, and what is in it.
 */
import type { Metafile } from "esbuild"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The scripts of the repository stand outside of this package. */
const { bundleCli } = (await import(
  /* @vite-ignore */ new URL("../../../../scripts/lib/bundle.mjs", import.meta.url).href
)) as {
  readonly bundleCli: (folder: string) => Promise<{ readonly entries: Metafile; readonly program: Metafile }>
}

export interface Bundle {
  readonly folder: string
  /** The path of `manila` or `shakenfist-wait`. */
  readonly entry: (name: string) => string
  /** The sources in an entry's own file. */
  readonly sources: (name: string) => ReadonlyArray<string>
  /** The sources that an entry can come to run, by what imports what. */
  readonly reachable: (source: string) => ReadonlyArray<string>
  readonly remove: () => void
}

export const make = async (): Promise<Bundle> => {
  const folder = mkdtempSync(join(tmpdir(), "manila-bundle-"))
  const { entries, program } = await bundleCli(join(folder, "bundle"))
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`)
  const inputs = { ...entries.inputs, ...program.inputs }
  return {
    folder,
    entry: (name) => join(folder, "bundle", `${name}.js`),
    sources: (name) => {
      const output = Object.keys(entries.outputs).find((path) => path.endsWith(`/${name}.js`)) ?? ""
      return Object.entries(entries.outputs[output]?.inputs ?? {})
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path)
    },
    reachable: (source) => {
      const seen = new Set<string>()
      const queue = [source]
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        if (seen.has(name)) continue
        seen.add(name)
        for (const { external, path } of inputs[name]?.imports ?? []) if (external !== true) queue.push(path)
      }
      return [...seen]
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
