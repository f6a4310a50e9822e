/**
 * What holds for every command line.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Argv from "@effect-manila/cli/Argv"
import * as Build from "@effect-manila/cli/Build"
import { specs } from "@effect-manila/cli/Commands"
import { decide } from "@effect-manila/cli/Entry"
import * as Share from "@effect-manila/cli/nouns/Share"
import type * as Spec from "@effect-manila/cli/Spec"
import { args } from "./support/Invoke.ts"

const flagsOf = (spec: Spec.Spec): ReadonlyArray<string> =>
  Object.values(Argv.optionsOf(spec)).flatMap((one) => one.flags)

const anyFlag = FastCheck.constantFrom(...new Set(specs.flatMap(flagsOf)), "--help", "-h", "--version", "--")
const anyWord = FastCheck.constantFrom(...new Set(specs.flatMap(({ words }) => words)), "help")
const anyText = FastCheck.oneof(
  FastCheck.string({ unit: "binary", maxLength: 12 }),
  FastCheck.constantFrom("a=b", "1", "-1", "90", "5 minutes", "none", "json", "2.60", "", "-", "-vq", "-fjson", "--=x")
)

const token = FastCheck.oneof(
  anyText,
  anyWord,
  anyFlag,
  FastCheck.tuple(anyFlag, anyText).map(([flag, text]) => `${flag}=${text}`),
  FastCheck.tuple(anyFlag, FastCheck.nat(12)).map(([flag, length]) => flag.slice(0, length))
)

/** A command line that begins with a command's words and goes on with anything. */
const commandLine = FastCheck.tuple(FastCheck.constantFrom(...specs), FastCheck.array(token, { maxLength: 8 })).map(
  ([spec, rest]) => [...spec.words, ...rest]
)

/** One that is likely to be right: the words, as many arguments as it takes, and options with values. */
const likely = FastCheck.constantFrom(...specs).chain((spec) =>
  FastCheck.tuple(
    FastCheck.tuple(
      ...Object.values(spec.args).map((arg) =>
        arg.type === "int"
          ? FastCheck.integer({ min: 0, max: 99 }).map(String)
          : arg.choices === undefined
            ? FastCheck.string({ unit: "binary", maxLength: 8 }).map((text) => `x${text}`)
            : FastCheck.constantFrom(...arg.choices)
      )
    ),
    FastCheck.array(
      FastCheck.constantFrom(...Object.values(Argv.optionsOf(spec))).chain((option) => {
        const [flag] = option.flags
        switch (option.type) {
          case "flag":
          case "switch":
            return FastCheck.constant([flag])
          case "int":
            return FastCheck.integer({ min: 1, max: 99 }).map((n) => [flag, String(n)])
          case "keyvalue":
            return FastCheck.string({ unit: "binary", maxLength: 8 }).map((text) => [`${flag}=k=${text}`])
          case "duration":
            return FastCheck.constantFrom([flag, "90"], [flag, "5 minutes"])
          case "microversion":
            return FastCheck.constant([flag, "2.60"])
          case "token":
            return FastCheck.constant([])
          case "string":
            return option.choices === undefined
              ? FastCheck.string({ unit: "binary", maxLength: 8 }).map((text) => [`${flag}=${text}`])
              : FastCheck.constantFrom(...option.choices).map((text) => [flag, text])
        }
      }),
      { maxLength: 4 }
    )
  ).map(([values, options]) => [
    ...spec.words,
    ...(spec.words[0] === "wait" ? ["--for", "available"] : []),
    ...options.flat(),
    ...values
  ])
)

describe("every command line", () => {
  it("is answered: a run, a page, or a usage error in two lines", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.oneof(FastCheck.array(token, { maxLength: 8 }), commandLine), (argv) => {
        const decision = decide(argv, {}, specs)
        if (decision._tag === "Run") return true
        const { code, stderr, stdout } = decision
        return code === 0
          ? stderr === "" && stdout !== ""
          : code === 2 && stdout === "" && /^manila: [^\n]+\nusage: manila [^\n]*\n$/.test(stderr)
      }),
      { numRuns: 3_000 }
    )
  }, 30_000)

  it("that is accepted is accepted by @effect/cli as well, and reaches the command", async () => {
    let runs = 0
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.oneof(likely, commandLine), async (argv) => {
        const decision = decide(argv, {}, specs)
        if (decision._tag !== "Run") return
        const exit = await Effect.runPromiseExit(
          Build.run(decision.spec, decision.argv, () =>
            Effect.sync(() => {
              runs++
            })
          )
        )
        assert.isTrue(Exit.isSuccess(exit), `${JSON.stringify(argv)} ${JSON.stringify(exit)}`)
      }),
      { numRuns: 150 }
    )
    assert.isAbove(runs, 20)
  })

  it("gives every text back as it was typed", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.string({ unit: "binary", maxLength: 20 }),
        FastCheck.string({ unit: "binary", maxLength: 20 }),
        async (name, value) => {
          const argv = ["share", "create", `--name=${name}`, `--property=k=${value}`, "--", "NFS", "1"]
          const parsed = await Effect.runPromise(args(Share.create, argv))
          assert.deepStrictEqual([parsed.name, parsed.property], [name, { k: value }])
        }
      ),
      { numRuns: 50 }
    )
  })
})
