/**
 * Where `@effect/cli` 0.77 on its own would do something else: each of its known gaps, closed.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Build from "@effect-manila/cli/Build"
import { specs } from "@effect-manila/cli/Commands"
import { decide } from "@effect-manila/cli/Entry"
import * as Share from "@effect-manila/cli/nouns/Share"
import * as ShareAccess from "@effect-manila/cli/nouns/ShareAccess"
import * as Spec from "@effect-manila/cli/Spec"
import { args, invoke, parse, refused } from "./support/Invoke.ts"

const create = (...argv: Array<string>) => args(Share.create, ["share", "create", ...argv])

const format = (...argv: Array<string>) => {
  const decision = decide(argv, {}, specs)
  assert(decision._tag === "Run", JSON.stringify(decision))
  let format: Readonly<Record<string, unknown>> = {}
  return Build.run(decision.spec, decision.argv, (parsed) =>
    Effect.sync(() => {
      format = parsed.format
    })
  ).pipe(Effect.map(() => format))
}

const print = (...argv: Array<string>) => {
  const decision = decide(argv, {}, specs)
  assert(decision._tag === "Print", JSON.stringify(decision))
  return decision
}

describe("attached values", () => {
  it.effect("-fjson and -cName are format and column", () =>
    Effect.gen(function* () {
      const { column, format: name } = yield* format("share", "list", "-fjson", "-cName")
      assert.deepStrictEqual({ column, name }, { column: ["Name"], name: "json" })
    })
  )
})

describe("repetition", () => {
  it.effect("--format json --format value: the last one wins", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* format("share", "list", "--format", "json", "--format", "value"))["format"], "value")
    })
  )

  it.effect("--wait --wait before the arguments is a flag given twice", () =>
    Effect.gen(function* () {
      const { shareProto, size, wait } = yield* create("--wait", "--wait", "NFS", "1")
      assert.deepStrictEqual({ shareProto, size, wait }, { shareProto: "NFS", size: 1, wait: true })
    })
  )

  it.effect("a repeated --column without a value is an error and not silence", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused(Share.list, ["share", "list", "--column"]), "--column needs a value.")
      assert.strictEqual(
        yield* refused(Share.list, ["share", "list", "-c", "ID", "--column"]),
        "--column needs a value."
      )
    })
  )

  it.effect("repeated options keep all their values between other things", () =>
    Effect.gen(function* () {
      const { column } = yield* format("share", "list", "-c", "ID", "--long", "--column=Name", "-cSize")
      assert.deepStrictEqual(column, ["ID", "Name", "Size"])
    })
  )
})

describe("shortened options", () => {
  it.effect("--wai and --limi 1 are --wait and --limit", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1", "--wai")).wait, true)
      assert.strictEqual((yield* args(Share.list, ["share", "list", "--limi", "1"])).limit, 1)
    })
  )
})

describe("wrong options", () => {
  it.effect("an unknown option before the arguments is named, not the argument behind it", () =>
    Effect.gen(function* () {
      const message = yield* refused(Share.create, ["share", "create", "--bogus", "NFS", "1"])
      assert.strictEqual(message, "There is no option --bogus.")
    })
  )

  it.effect("--os-token --wait is a token without a value", () =>
    Effect.gen(function* () {
      assert.match(
        yield* refused(Share.create, ["share", "create", "NFS", "1", "--os-token", "--wait"]),
        /^--os-token needs a value/
      )
    })
  )

  it.effect("--property ab says that it wants key=value", () =>
    Effect.gen(function* () {
      const message = yield* refused(Share.create, ["share", "create", "NFS", "1", "--property", "ab"])
      assert.strictEqual(message, "--property wants key=value, not 'ab'.")
    })
  )

  it.effect("case counts: --Name is no --name", () =>
    Effect.gen(function* () {
      yield* refused(Share.create, ["share", "create", "NFS", "1", "--Name", "x"])
    })
  )
})

describe("opposites", () => {
  it.effect("a pair of flags that wasn't given is undefined and not false", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1")).wait, undefined)
    })
  )
})

describe("words", () => {
  it.effect("a global between them is taken: share --debug list", () =>
    Effect.gen(function* () {
      const parsed = yield* parse(Share.list, ["share", "--debug", "list"])
      assert("context" in parsed)
      assert.strictEqual(parsed.context.globals.debug, true)
    })
  )

  it("share lst and share access foo each name their own level", () => {
    assert.match(print("share", "lst").stderr, /'share lst' is not a command.*\nusage: manila share </)
    assert.match(
      print("share", "access", "foo").stderr,
      /'share access foo' is not a command.*\nusage: manila share access </
    )
  })

  it("a group alone is a usage error with exit code 2 and nothing on stdout", () => {
    const { code, stderr, stdout } = print("share", "access")
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.match(stderr, /needs one word more/)
  })
})

describe("help", () => {
  it("of a group shows its full path", () => {
    assert.match(print("share", "access", "--help").stdout, /^usage: manila share access <command>/)
  })

  it("at the root is short", () => {
    const { stdout } = print("--help")
    assert.isBelow(stdout.split("\n").length, 40)
    assert.isBelow(stdout.length, 2_500)
  })

  it("has no escape sequences", () => {
    for (const argv of [["--help"], ["share", "--help"], ["share", "create", "--help"], ["help", "options"]]) {
      assert.isFalse(print(...argv).stdout.includes("\u001b"), argv.join(" "))
    }
  })

  it("share list -h is the help of share list", () => {
    assert.match(print("share", "list", "-h").stdout, /^usage: manila share list /)
  })
})

describe("usage errors", () => {
  it("are exit code 2, on stderr only, and said once", () => {
    const { code, stderr, stdout } = print("share", "create", "NFS", "x")
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.strictEqual(stderr.split("\n").length, 3)
  })

  it.effect("that @effect/cli finds itself are exit code 2 on stderr too, without colours", () =>
    Effect.gen(function* () {
      const spec = Spec.make({
        ...Share.show,
        words: ["thing"],
        args: { size: { type: "int", metavar: "size", help: "" } }
      })
      const { refusal } = yield* Effect.match(
        Build.run(spec, ["thing", "--", "x"], () => Effect.void),
        { onFailure: (refusal) => ({ refusal }), onSuccess: () => ({ refusal: undefined }) }
      )
      assert.strictEqual(refusal?._tag, "Refused")
      assert.match(refusal?.message ?? "", /integer/)
      assert.isFalse(refusal?.message.includes("\u001b"))
    })
  )
})

describe("its built-in options never trigger", () => {
  it.effect("whatever a value or an argument looks like", () =>
    Effect.gen(function* () {
      for (const word of ["--help", "-h", "--version", "--wizard", "--completions", "--log-level", "bash", "debug"]) {
        const { shares } = yield* args(Share.remove, ["share", "delete", "--", word, "x"])
        assert.deepStrictEqual(shares, [word, "x"])
        const { name } = yield* create("NFS", "1", `--name=${word}`)
        assert.strictEqual(name, word)
      }
    })
  )

  it.effect("and are no options of ours", () =>
    Effect.gen(function* () {
      for (const flag of ["--wizard", "--completions", "--log-level"]) {
        yield* refused(Share.show, ["share", "show", "web", flag])
        yield* refused(Share.show, [flag, "share", "show", "web"])
      }
    })
  )

  it.effect("nothing is printed by it", () =>
    Effect.gen(function* () {
      const ended = yield* invoke(Share.show, () => Effect.void, ["share", "show", "--", "--help"])
      assert.deepStrictEqual(ended, { code: 0, stdout: "", stderr: "" })
    })
  )
})

describe("values it would change", () => {
  it.effect("arrive as they were typed", () =>
    Effect.gen(function* () {
      const odd = [" a", "b ", "", "a\nb", "x=y", "--property", "[]"]
      const properties = odd.map((value, i) => ["--property", `k${i}=${value}`] as const).flat()
      const { property } = yield* create("NFS", "1", ...properties)
      assert.deepStrictEqual(Object.values(property), odd)
      const { properties: words } = yield* args(ShareAccess.create, [
        "share",
        "access",
        "create",
        "s",
        "ip",
        "x",
        "--properties",
        "a= b "
      ])
      assert.deepStrictEqual(words, { a: " b " })
    })
  )
})
