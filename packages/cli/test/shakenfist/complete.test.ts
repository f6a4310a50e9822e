/** How a shell completes `shakenfist-wait`. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { reply } from "@effect-manila/cli/completion/Reply"
import * as Script from "@effect-manila/cli/completion/Script"
import { shells } from "@effect-manila/cli/nouns/Complete"
import { all, specs } from "@effect-manila/cli/shakenfist/Commands"
import { program } from "@effect-manila/cli/shakenfist/Program"

const ask = (...words: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() => reply(["zsh", ...words], {}, program, all)),
    (answer) => answer.split("\n").map((line) => line.split("\t")[0])
  )

describe("completion of shakenfist-wait", () => {
  it.effect("knows the first word of every command", () =>
    Effect.gen(function* () {
      assert.includeMembers(yield* ask(""), [...new Set(specs.map(({ words }) => words[0] ?? "")), "help"])
    })
  )

  it.effect("knows kinds of objects, options and their choices", () =>
    Effect.gen(function* () {
      assert.includeMembers(yield* ask("settle", ""), ["instance", "network", "artifact"])
      assert.includeMembers(yield* ask("await", "--f"), ["--for", "--format"])
      assert.includeMembers(yield* ask("await", "network", "x", "--for", ""), ["created", "deleted"])
      assert.includeMembers(yield* ask("complete", "--shell", ""), [...shells])
      assert.deepStrictEqual(yield* ask("settle", "--cacert", ""), [":files", ""])
    })
  )

  it.effect("takes a line of bash with the program's path", () =>
    Effect.gen(function* () {
      const line = "X=1 /usr/bin/shakenfist-wait operations sh"
      const answer = yield* Effect.promise(() => reply(["bash", line, " =:"], {}, program, all))
      assert.strictEqual(answer, "show\n")
    })
  )

  it("has a script for each shell, that asks this program", () => {
    for (const shell of shells) assert.include(Script.make(shell, program.name), "command shakenfist-wait __complete")
  })
})
