/** How a shell completes `shakenfist-wait`. */
import { assert, describe, it } from "@effect/vitest"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Transport from "@effect-manila/core/http/Transport"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Answer from "@effect-manila/cli/completion/Answer"
import * as Names from "@effect-manila/cli/completion/Names"
import { reply } from "@effect-manila/cli/completion/Reply"
import * as Script from "@effect-manila/cli/completion/Script"
import { shells } from "@effect-manila/cli/nouns/Complete"
import { decide } from "@effect-manila/cli/Entry"
import { all, listing, specs } from "@effect-manila/cli/shakenfist/Commands"
import { program } from "@effect-manila/cli/shakenfist/Program"
import { envOf } from "./support.ts"

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

  it("asks for names of the kind that the line says, wherever an object is meant", () => {
    const answer = (...words: ReadonlyArray<string>) =>
      Answer.answer({ words: words.slice(0, -1), current: words.at(-1) ?? "", program, specs })
    const names = (kind: string, options: ReadonlyArray<string> = []) =>
      ({ _tag: "Names", kind, before: "", options }) as const
    assert.deepStrictEqual(answer("settle", "instance", ""), names("instance"))
    assert.deepStrictEqual(answer("await", "network", "one", "tw"), names("network"))
    assert.deepStrictEqual(answer("operations", "list", "artifact", ""), names("artifact"))
    assert.deepStrictEqual(
      answer("--apiurl", "http://c", "settle", "--key=k", "instance", ""),
      names("instance", ["--apiurl", "http://c", "--key=k"])
    )
    // Types of operations and their uuids are nobody's names.
    assert.deepStrictEqual(answer("operations", "show", ""), { _tag: "Candidates", candidates: [] })
  })

  it.effect("takes them of the cluster, each once, and uuids for what is typed of one", () =>
    Effect.gen(function* () {
      const cluster = yield* FakeShakenFist.make()
      const { uuid } = yield* cluster.instance({ name: "web" })
      yield* cluster.instance({ name: "web" })
      yield* cluster.instance({ name: "db" })
      yield* cluster.network({ name: "backbone" })
      yield* cluster.artifact({ name: "image" })
      const asked = (kind: string, typed: string, env = envOf(cluster)) =>
        Names.names(kind, typed, [], env, listing, program).pipe(
          Effect.provide(Layer.provide(Transport.layerHttpClient, InProcess.layer(cluster.app))),
          Effect.provide(Layer.merge(FileSystem.layerNoop({}), Path.layer))
        )
      assert.sameMembers([...(yield* asked("instance", ""))], ["db", "web"])
      assert.deepStrictEqual(yield* asked("instance", uuid.slice(0, 8)), [uuid])
      assert.deepStrictEqual(yield* asked("network", "back"), ["backbone"])
      assert.lengthOf(yield* asked("artifact", ""), 1)
      assert.deepStrictEqual(yield* asked("instance", "", { ...envOf(cluster), SHAKENFIST_KEY: "wrong" }), [])
      assert.deepStrictEqual(yield* asked("share", ""), [])
    })
  )

  it.effect("asks nobody unless the variable says so, and the command for it is nobody else's", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask("settle", "instance", ""), [""])
      assert.notInclude(yield* ask(""), "objects")
      assert.strictEqual(decide(["objects", "list", "instance"], {}, specs, program)._tag, "Print")
      for (const words of Object.values(program.names.lists)) {
        const decision = decide(
          words,
          {},
          listing.map(({ spec }) => spec),
          program
        )
        assert.strictEqual(decision._tag, "Run")
      }
    })
  )

  it("has a script for each shell, that asks this program", () => {
    for (const shell of shells) assert.include(Script.make(shell, program.name), "command shakenfist-wait __complete")
  })
})
