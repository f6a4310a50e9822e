/**
 * The recipes and the package's README are run as they stand: each of their programs registers its own tests here.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, describe, it } from "vitest"

interface Block {
  readonly file: string
  readonly line: number
  readonly run: boolean
}

/** The scripts of the repository stand outside of this package. */
const { blocks, cache, extract } = (await import(
  /* @vite-ignore */ new URL("../../../../scripts/lib/docs.mjs", import.meta.url).href
)) as {
  readonly blocks: () => ReadonlyArray<Block>
  readonly cache: string
  readonly extract: (blocks: ReadonlyArray<Block>, folder: string) => ReadonlyArray<Block & { readonly path: string }>
}

const documents = ["docs/recipes.md", "packages/test-kit/README.md"]
const folder = join(cache, "..", "recipes-run")
const programs = extract(
  blocks().filter(({ file, run }) => run && documents.includes(file)),
  folder
)

for (const { file, line, path } of programs) {
  describe(`${file}, line ${line}`, async () => {
    await import(/* @vite-ignore */ pathToFileURL(path).href)
  })
}

describe("the documents", () => {
  it("have programs that are run", () => {
    assert.isAtLeast(programs.length, 7)
    assert.deepStrictEqual([...new Set(programs.map(({ file }) => file))].toSorted(), documents)
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
