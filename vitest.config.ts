import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import projects from "./vitest.workspace.ts"

const cores = availableParallelism()

export default defineConfig({
  test: {
    projects,
    // One character a test; a failure is shown whole at the end.
    reporters: ["dot"],
    // Loading Effect costs more than most tests: files of one process share what is loaded. Time, chance and services
    // are given to each test by Effect, so nothing else is shared.
    pool: "forks",
    isolate: false,
    // Vitest leaves one core free; the tests are all there is to do here.
    poolOptions: { forks: { minForks: cores, maxForks: cores } }
  }
})
