import { defineWorkspace } from "vitest/config"

// Packages resolve each other's sources, so tests need no build.
const conditions = ["@effect-manila/source", "node", "import", "default"]

const project = (name: string) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    root: `packages/${name}`,
    include: ["test/**/*.test.ts"],
    server: { deps: { inline: [/@effect-manila/] } }
  }
})

export default defineWorkspace([project("core"), project("test-kit"), project("cli")])
