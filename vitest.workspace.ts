import { defineWorkspace } from "vitest/config"

// Packages resolve each other's sources, so tests need no build.
const conditions = ["@effect-manila/source", "node", "import", "default"]

const project = (name: string, root: string, include: string) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    root,
    include: [include],
    // For busy machines only: no test waits in real time, and none takes a tenth of this on a quiet one.
    testTimeout: 60_000,
    // Ours are sources, and so are the examples taken out of the documents.
    server: { deps: { inline: [/@effect-manila/, /node_modules\/\.cache\/effect-manila/] } }
  }
})

export default defineWorkspace([
  ...["core", "test-kit", "cli"].map((name) => project(name, `packages/${name}`, "test/**/*.test.ts")),
  // What holds for the repository itself: its rules, its scripts, its documents.
  project("repo", "test", "**/*.test.ts")
])
