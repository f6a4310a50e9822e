import { defineConfig } from "vitest/config"
import projects from "./vitest.workspace.ts"

export default defineConfig({
  test: {
    projects,
    // One character a test; a failure is shown whole at the end.
    reporters: ["dot"]
  }
})
