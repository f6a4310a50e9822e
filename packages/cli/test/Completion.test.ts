import { assert, describe, it } from "@effect/vitest"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Transport from "@effect-manila/core/http/Transport"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import * as Cli from "@effect-manila/cli/Cli"
import { all, specs } from "@effect-manila/cli/Commands"
import * as Answer from "@effect-manila/cli/completion/Answer"
import * as Line from "@effect-manila/cli/completion/Line"
import * as Names from "@effect-manila/cli/completion/Names"
import { reply } from "@effect-manila/cli/completion/Reply"
import * as Script from "@effect-manila/cli/completion/Script"
import { decide } from "@effect-manila/cli/Entry"
import { kinds } from "@effect-manila/cli/nouns/Wait"
import * as Program from "@effect-manila/cli/Program"
import * as Spec from "@effect-manila/cli/Spec"
import { envOf } from "./commands/support/Manila.ts"
import * as TestStdio from "./support/TestStdio.ts"

/** The answer to a line: what is behind the last space is the word the cursor is in. */
const ask = (line: string): Answer.Answer => {
  const words = line.split(" ")
  return Answer.answer({ words: words.slice(0, -1), current: words.at(-1) ?? "", program: Program.manila, specs })
}

const values = (line: string): ReadonlyArray<string> => {
  const answer = ask(line)
  assert(answer._tag === "Candidates", `${line}: ${answer._tag}`)
  return answer.candidates.map(({ value }) => value)
}

const includes = (line: string, ...wanted: ReadonlyArray<string>) => {
  const found = values(line)
  for (const value of wanted) assert.include(found, value, line)
}

describe("words", () => {
  it("every command can be reached, word by word", () => {
    for (const spec of specs) {
      for (const words of [spec.words, ...(spec.aliases ?? []).map(({ words }) => words)]) {
        for (const [at, word] of words.entries()) {
          const before = words.slice(0, at).map((word) => `${word} `)
          assert.include(values(before.join("")), word)
          assert.deepStrictEqual(
            values(`${before.join("")}${word}`).filter((one) => one === word),
            [word]
          )
        }
      }
    }
  })

  it("the last word of a command comes with what the command does", () => {
    const answer = ask("share snapshot cr")
    assert.deepStrictEqual(answer, {
      _tag: "Candidates",
      candidates: [
        { value: "create", help: specs.find((spec) => Spec.nameOf(spec) === "share snapshot create")!.summary }
      ]
    })
  })

  it("may be shortened, and mixed with options of every command", () => {
    includes("sh acc ", "create", "wait")
    includes("--os-cloud x share --debug snap", "snapshot")
    includes("-f json share ", "list")
  })

  it("help has those of the commands", () => {
    includes("hel", "help")
    includes("help share acc", "access")
    assert.notInclude(values("share hel"), "help")
  })

  it("nothing is offered behind what is no command", () => {
    assert.deepStrictEqual(values("shrae "), [])
    assert.deepStrictEqual(values("share lst "), [])
  })
})

describe("options", () => {
  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))("of %s are all there", (name, spec) => {
    const own = Object.values({ ...Spec.optionsOf(spec), ...Spec.formattingOf(spec) })
    for (const option of own) {
      const flags = option.type === "switch" ? [...option.flags, ...option.off] : option.flags
      includes(`${name} -`, ...flags)
    }
  })

  it("those of every command come with the first letter, and before a command at once", () => {
    assert.notInclude(values("share list --"), "--os-cloud")
    includes("share list --o", "--os-cloud")
    includes("--", "--os-cloud", "--format", "--help", "--version")
  })

  it("one that was given isn't offered again, nor one that it excludes, unless it may be repeated", () => {
    includes("share list --", "--long", "--column")
    assert.notInclude(values("share list --long --"), "--long")
    includes("share list -c Name --", "--column", "--sort-column")
    assert.notInclude(values("share list --sort-ascending --"), "--sort-descending")
    includes("share create NFS 1 --property a=b --", "--property")
  })

  it("are none behind --", () => {
    assert.deepStrictEqual(values("share create -- --"), [])
  })
})

describe("values", () => {
  it("are the choices, as a word of their own, behind =, and behind a letter", () => {
    assert.deepStrictEqual(values("share list --format "), ["csv", "json", "table", "value", "yaml"])
    assert.deepStrictEqual(values("share show x -f s"), ["shell"])
    assert.deepStrictEqual(values("share list --format=c"), ["--format=csv"])
    assert.deepStrictEqual(values("share list --form=c"), ["--form=csv"])
    assert.deepStrictEqual(values("share list -vf t"), ["table"])
    assert.deepStrictEqual(values("-f s"), ["shell"])
    assert.deepStrictEqual(values("share create NFS 1 --wait --progress j"), ["json"])
    assert.deepStrictEqual(values("complete --shell "), ["bash", "zsh", "fish"])
    assert.deepStrictEqual(values("--exit-codes "), ["manila", "osc"])
  })

  it("of -c are the columns the list has under the options given, written without blanks", () => {
    assert.deepStrictEqual(values("share list -c share_p"), ["share_proto"])
    assert.deepStrictEqual(values("share list --long -c share_p"), ["share_protocol"])
    includes("share list --sort-column ", "name", "size")
    includes("share type show x --column=", "--column=is_default")
  })

  it("a letter that has its value leaves no other open", () => {
    includes("share list -cf --l", "--long")
    includes("share list -fjson --l", "--long")
  })

  it("that are files are left to the shell", () => {
    assert.deepStrictEqual(ask("--os-cacert "), { _tag: "Files" })
    assert.deepStrictEqual(ask("share list --os-cert=c"), { _tag: "Files" })
  })

  it("nobody knows are none", () => {
    assert.deepStrictEqual(values("share create NFS 1 --name "), [])
    assert.deepStrictEqual(values("share list --timeout "), [])
    assert.deepStrictEqual(values("share list --limit="), [])
    assert.deepStrictEqual(values("share list --long="), [])
  })
})

describe("arguments", () => {
  it("are the choices of their place", () => {
    assert.deepStrictEqual(values("wait "), [...kinds])
    assert.deepStrictEqual(values("wait --for available sn"), ["snapshot"])
    assert.deepStrictEqual(values("wait --resume x "), [])
    assert.deepStrictEqual(values("share create NFS 1 "), [])
  })

  it("of a kind are asked of the cloud, with the options that say which", () => {
    const names = (kind: string, before = "", options: ReadonlyArray<string> = []) =>
      ({ _tag: "Names", kind, before, options }) as const
    assert.deepStrictEqual(ask("share show "), names("share"))
    assert.deepStrictEqual(ask("share delete a b "), names("share"))
    assert.deepStrictEqual(ask("share snapshot delete -- "), names("snapshot"))
    assert.deepStrictEqual(ask("share type show d"), names("share type"))
    assert.deepStrictEqual(ask("share list --share-type=d"), names("share type", "--share-type="))
    assert.deepStrictEqual(ask("wait snapshot x "), names("snapshot"))
    assert.deepStrictEqual(ask("share wait "), names("share"))
    assert.deepStrictEqual(ask("share instance delete a "), names("instance"))
    assert.deepStrictEqual(ask("share replica show "), names("replica"))
    const options = ["--os-cloud", "x", "--os-region-name=y"]
    assert.deepStrictEqual(ask("share show --os-cloud x --os-region-name=y "), names("share", "", options))
    assert.deepStrictEqual(values("share show web "), [])
  })
})

describe("the answer to a shell", () => {
  const answer = (...asked: ReadonlyArray<string>) => reply(asked, {}, Program.manila, all)

  it("has a candidate a line, with its description behind a tabulator", async () => {
    assert.match(await answer("zsh", "share", "li"), /^list\tList shares\n$/)
    assert.match(await answer("fish", "share", "list", "--lon"), /^--long\t[^\t\n]+\n$/)
    assert.strictEqual(await answer("zsh", "--os-cacert", ""), ":files\n")
    assert.strictEqual(await answer("fish"), await answer("fish", ""))
  })

  it("is nothing for names, while nobody has asked for them", async () => {
    assert.strictEqual(await answer("zsh", "share", "show", ""), "")
  })

  it("for bash has no descriptions, and only what is behind the characters it breaks words at", async () => {
    const breaks = " \t\n\"'@><=;|&(:"
    assert.strictEqual(await answer("bash", "manila share li", breaks), "list\n")
    assert.strictEqual(await answer("bash", "manila share list --format=c", breaks), "csv\n")
    assert.strictEqual(await answer("bash", "manila share list --format=", breaks), "csv\njson\ntable\nvalue\nyaml\n")
    assert.strictEqual(await answer("bash", "OS_CLOUD=x /usr/bin/manila share li", breaks), "list\n")
  })
})

describe("a line as bash has it", () => {
  const split = (line: string) => Line.split(line, "\"'=:", "manila")

  it("is split at blanks, without quotes", () => {
    assert.deepStrictEqual(split(`manila share "a b" 'c "d' e\\ f g`), {
      words: ["share", "a b", 'c "d', "e f"],
      current: "g",
      quote: "",
      kept: 0
    })
    assert.deepStrictEqual(split("manila  share  "), { words: ["share"], current: "", quote: "", kept: 0 })
    assert.deepStrictEqual(split("manila ''"), { words: [], current: "", quote: "", kept: 0 })
  })

  it("candidates come back in the quotes that are open, or escaped", () => {
    const name = 'it\'s a "$x":1'
    assert.strictEqual(Line.insert(split("manila it"), name), `it\\'s\\ a\\ \\"\\$x\\":1`)
    assert.strictEqual(Line.insert(split(`manila "it`), name), `it's a \\"\\$x\\":1`)
    assert.strictEqual(Line.insert(split(`manila 'it`), name), `it'\\''s a "$x":1`)
    assert.strictEqual(Line.insert(split("manila --name=a:b"), "--name=a:bc"), "bc")
    // Within quotes bash breaks no words.
    assert.strictEqual(Line.insert(split(`manila "a:b`), "a:bc"), "a:bc")
    assert.strictEqual(Line.insert(split("manila Grö"), "Größe"), "Größe")
  })
})

describe("the scripts", () => {
  it("name the program, and nothing that changes with its commands", () => {
    for (const name of ["manila", "other-one"]) {
      assert.include(Script.make("bash", name), `command ${name} __complete bash "`)
      assert.include(Script.make("bash", name), `\ncomplete -F _${name.replace("-", "_")} ${name}\n`)
      assert.match(Script.make("zsh", name), new RegExp(`^#compdef ${name}\n`))
      assert.include(Script.make("zsh", name), `command ${name} __complete zsh "`)
      assert.include(Script.make("fish", name), `command ${name} __complete fish $words "$current"`)
      assert.include(Script.make("fish", name), `complete -c ${name} -f -a '(`)
      for (const shell of ["bash", "zsh", "fish"] as const)
        assert.notMatch(Script.make(shell, name), /snapshot|os-cloud|undefined/)
    }
  })

  it.effect("are printed by complete, for bash unless another shell is named", () =>
    Effect.gen(function* () {
      const printed = (...argv: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const stdio = TestStdio.make()
          const decision = decide(argv, {}, specs)
          assert(decision._tag === "Run")
          const { run } = yield* Effect.promise(all.find(({ spec }) => spec === decision.spec)!.load)
          const code = yield* Cli.run({ spec: decision.spec, argv: decision.argv, run }).pipe(TestStdio.provide(stdio))
          assert.strictEqual(code, 0)
          return stdio.stdout()
        })
      assert.strictEqual(yield* printed("complete"), Script.make("bash", "manila"))
      assert.strictEqual(yield* printed("complete", "--shell", "fish"), Script.make("fish", "manila"))
      assert.strictEqual(yield* printed("complete", "--shell=zsh"), Script.make("zsh", "manila"))
    }).pipe(Effect.provide(nowhere))
  )
})

const files = Layer.mergeAll(FileSystem.layerNoop({}), Path.layer)
const nowhere = Layer.merge(
  files,
  Layer.succeed(Transport.Transport, { client: () => Effect.dieMessage("this test has no cloud") })
)

describe("names", () => {
  const asked = (app: (cloud: FakeCloud.FakeCloud["Type"]) => App, kind: string, typed: string, as?: "admin") =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shares: [{ name: "web" }, { name: "web 2" }, { name: "db" }, { name: "db" }, { name: null }, { name: "" }]
        }
        // Or the odd id would begin with what is typed.
      }).pipe(Effect.withRandom(Random.make("names")))
      const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(app(cloud)))
      return yield* Names.names(kind, typed, [], envOf(cloud, as), all).pipe(
        Effect.provide(Layer.merge(files, transport))
      )
    })

  it("are asked for by commands there are, with columns they have", () => {
    for (const [kind, words] of Object.entries(Program.manila.names.lists)) {
      const decision = decide([...words, "-c", "id", "-f", "json"], {}, specs)
      assert.strictEqual(decision._tag, "Run", kind)
      const noun = kind === "share" ? [] : kind.split(" ").filter((word) => word !== "share")
      assert.deepStrictEqual(
        words.filter((word) => /^[a-z]+$/.test(word)),
        ["share", ...noun, "list"]
      )
      assert.deepStrictEqual(ask(`wait ${kind === "share type" ? "share" : kind} `)._tag, "Names")
    }
  })

  it.effect("are those that begin with what is typed, each once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asked(({ app }) => app, "share", "w"), ["web", "web 2"])
      assert.deepStrictEqual(yield* asked(({ app }) => app, "share", "db"), ["db"])
      assert.deepStrictEqual(yield* asked(({ app }) => app, "share type", "def"), ["default"])
      assert.deepStrictEqual(yield* asked(({ app }) => app, "snapshot", ""), [])
    })
  )

  it.effect("what has none, or an empty one, has its id", () =>
    Effect.gen(function* () {
      const found = yield* asked(({ app }) => app, "share", "")
      assert.strictEqual(found.length, 5)
      assert.lengthOf(
        found.filter((text) => /^[0-9a-f-]{36}$/.test(text)),
        2
      )
    })
  )

  it.effect("of instances are their ids, for those who may see them", () =>
    Effect.gen(function* () {
      const found = yield* asked(({ app }) => app, "instance", "", "admin")
      assert.lengthOf(
        found.filter((text) => /^[0-9a-f-]{36}$/.test(text)),
        6
      )
      assert.deepStrictEqual(yield* asked(({ app }) => app, "instance", ""), [])
    })
  )

  it.effect("are none of a kind without a list, of a cloud that refuses, and of no cloud at all", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asked(({ app }) => app, "access", ""), [])
      const refusing: App = () => Effect.succeed({ _tag: "Answer", answer: { status: 503, headers: {}, body: "" } })
      const fiber = yield* Effect.fork(asked(() => refusing, "share", ""))
      yield* TestClock.adjust(Names.patience)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [])
      assert.deepStrictEqual(yield* Names.names("share", "", [], {}, all).pipe(Effect.provide(nowhere)), [])
    })
  )

  it.effect("a cloud that doesn't answer is given up after two seconds", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(asked(() => () => Effect.never, "share", ""))
      // The command's code is loaded by a promise, behind which the request begins.
      yield* Effect.promise(all.find(({ spec }) => Spec.nameOf(spec) === "share list")!.load)
      yield* TestClock.adjust(Names.patience - 1)
      assert.isNull(yield* Fiber.poll(fiber).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [])
    })
  )
})
