/**
 * What `openstack` printed for the same answers of the same cloud, beside what we print. The outputs were taken by
 * `scripts/compare-openstack.mjs`, which compares the two programs themselves.
 */
import { readFileSync } from "node:fs"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { normalised } from "../support/normalise.mjs"
import { json, type Options, within } from "./support/Manila.ts"

interface Step {
  readonly words: ReadonlyArray<string>
  /** Each with the options behind it. */
  readonly formats: ReadonlyArray<string>
  readonly keep?: string
}

interface World {
  readonly microversion: string
  /** Default: a member of a project. */
  readonly as?: "admin"
  readonly steps: ReadonlyArray<Step>
}

interface Printed {
  readonly words: ReadonlyArray<string>
  readonly format: string
  readonly code: number
  readonly stdout: string
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"))

const steps: { readonly seed: NonNullable<Options["seed"]>; readonly worlds: ReadonlyArray<World> } =
  read("openstack-steps.json")

const output: ReadonlyArray<{ readonly microversion: string; readonly steps: ReadonlyArray<Printed> }> =
  read("openstack-output.json")

const { worlds } = steps

/** What each step of a world prints here, in the order of the fixture. */
const play = (at: number) =>
  within(
    {
      seed: steps.seed,
      microversion: { max: worlds[at]!.microversion },
      lifecycles: { "share.create": { phases: phases(["creating", "1 second"], "available") } }
    },
    function* ({ run }) {
      const { as, steps: all } = worlds[at]!
      const kept: Record<string, string> = {}
      const played: Array<{ readonly code: number; readonly stdout: string }> = []
      for (const { formats, keep, words } of all) {
        for (const format of formats) {
          const filled = words.map((word) => word.replace(/\{(\w+)\}/g, (_, name: string) => kept[name] ?? ""))
          const ended = yield* run([...filled, "-f", ...format.split(" ")], {
            env: { MANILA_EXIT_CODES: "osc" },
            ...(as === undefined ? {} : { as })
          })
          if (keep !== undefined) kept[keep] = json(ended)[0].ID
          played.push({ code: ended.code, stdout: normalised(ended.stdout) })
          yield* Effect.sleep("1 minute")
        }
      }
      return played
    }
  )

/** Without what makes it safe to evaluate. */
const assigned = (text: string): string =>
  text.replace(/\\([\\"$`])/g, "$1").replace(/^[^=\n]*=/gm, (name) => name.replace(/[^\w=]/gu, "_"))

describe.each(
  output.map(({ microversion, steps }, at) => ({ microversion, steps, at, who: worlds[at]!.as ?? "a member" }))
)("at microversion $microversion, as $who", ({ at, microversion, steps: theirs }) => {
  const ours = play(at)
  const hasExports = Number(microversion.split(".")[1]) >= 9
  it.each(theirs.map((one, n) => ({ ...one, n, line: `${one.words.join(" ")} -f ${one.format}` })))(
    "$line",
    ({ code, format, n, stdout, words }) => {
      const mine = ours[n]!
      // Shares and snapshots can be shown below the microversion of export locations, where `openstack` fails.
      if (words.includes("show") && code !== 0) return assert.strictEqual(mine.code, 0)
      assert.strictEqual(mine.code, code)
      // A share that was waited for has its export locations.
      if (hasExports && words[1] === "create" && words.includes("--wait")) {
        assert.include(mine.stdout, "path = 10.0.0.10:")
        if (format !== "json") return
        const { export_locations: _, ...rest } = JSON.parse(mine.stdout)
        return assert.deepStrictEqual(Object.entries(rest), Object.entries(JSON.parse(stdout)))
      }
      // What is evaluated by a shell has no other effect than its assignments.
      if (format.startsWith("shell")) return assert.strictEqual(assigned(mine.stdout), assigned(stdout))
      assert.strictEqual(mine.stdout, stdout)
    }
  )
})
