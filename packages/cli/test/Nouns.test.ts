import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { specs } from "@effect-manila/cli/Commands"
import * as Argv from "@effect-manila/cli/Argv"
import * as Global from "@effect-manila/cli/flags/Global"
import * as Spec from "@effect-manila/cli/Spec"

/** What `openstack share …` takes and shows, of python-manilaclient. */
interface OpenstackCommand {
  readonly command: string
  readonly output: "table" | "single" | "none"
  readonly positionals: ReadonlyArray<{ readonly metavar: string; readonly many: boolean; readonly int: boolean }>
  readonly options: ReadonlyArray<{
    readonly flags: ReadonlyArray<string>
    readonly type: "flag" | "string" | "int" | "keyvalue"
    readonly choices: ReadonlyArray<string> | null
    readonly repeatable: boolean
    readonly nargs: string | null
    readonly default: unknown
    readonly min: number | null
  }>
  readonly columns: {
    readonly default?: { readonly headers: ReadonlyArray<string>; readonly attributes: ReadonlyArray<string> }
    readonly long?: {
      readonly headers: ReadonlyArray<string>
      readonly attributes: ReadonlyArray<string>
      readonly option: string
    }
    readonly show?: {
      readonly mode: string
      readonly columns?: ReadonlyArray<string>
      readonly removed?: ReadonlyArray<string>
    }
    readonly headers_from_microversion?: Readonly<Record<string, string>>
  } | null
  readonly gates: ReadonlyArray<{ readonly option: string; readonly min: string }>
  readonly waits: { readonly kind: "status" | "delete" } | null
}

const openstack = JSON.parse(
  readFileSync(new URL("fixtures/openstack.json", import.meta.url), "utf8")
) as ReadonlyArray<OpenstackCommand>

const specOf = (command: string): Spec.Spec => {
  const spec = specs.find((spec) => Spec.nameOf(spec) === command)
  assert(spec !== undefined, `no ${command}`)
  return spec
}

const optionOf = (spec: Spec.Spec, flag: string): Spec.Option => {
  const option = Object.values(Spec.optionsOf(spec)).find((option) => option.flags.includes(flag))
  assert(option !== undefined, `${Spec.nameOf(spec)} has no ${flag}`)
  return option
}

describe.each(openstack.map((one) => [one.command, one] as const))("%s is openstack's", (_, theirs) => {
  const spec = specOf(theirs.command)

  it("in its arguments", () => {
    assert.deepStrictEqual(
      Object.values(spec.args).map(({ many, metavar, type }) => ({
        metavar,
        many: many === true,
        int: type === "int"
      })),
      theirs.positionals
    )
  })

  it("in its options: spelling, type, choices, default, repetition", () => {
    for (const option of theirs.options) {
      const flag = option.flags[0] ?? ""
      const ours = optionOf(spec, flag)
      assert.isTrue(
        option.flags.every((flag) => ours.flags.includes(flag)),
        flag
      )
      assert.notStrictEqual(ours.added, true, flag)
      if (flag === "--wait") {
        assert.strictEqual(ours.type, "switch")
        continue
      }
      // Several words after one flag are key=value there too, only checked later.
      // A number that may be left out is a text with a value of its own.
      const read = option.nargs === "*" ? "keyvalue" : option.nargs === "?" ? "string" : option.type
      assert.strictEqual(ours.type, read, flag)
      if (ours.type === "string") {
        assert.deepStrictEqual(ours.choices ?? null, option.choices, flag)
        assert.strictEqual(ours.repeatable === true, option.repeatable, flag)
        assert.strictEqual(ours.bare !== undefined, option.nargs === "?", flag)
        if (typeof option.default === "string") assert.strictEqual(ours.default, option.default, flag)
      }
      if (ours.type === "keyvalue") assert.strictEqual(ours.words === true, option.nargs === "*", flag)
      if (ours.type === "int") assert.strictEqual(ours.min ?? null, option.min, flag)
    }
  })

  it("and every other option is marked as an addition", () => {
    const known = new Set(theirs.options.flatMap(({ flags }) => flags))
    const others = Object.values(Spec.optionsOf(spec)).filter(
      (option) => option.type !== "switch" && !option.flags.some((flag) => known.has(flag))
    )
    const unmarked = others.filter((option) => option.added !== true).map((option) => option.flags[0])
    // Restoring is asynchronous, so it can be waited for although openstack has no such flag.
    assert.deepStrictEqual(unmarked, [])
  })

  it("in its output and columns", () => {
    assert.strictEqual(spec.output.kind, theirs.output)
    const columns = theirs.columns
    if (spec.output.kind === "table" && columns !== null) {
      const { default: shown, long } = spec.output.columns
      const since = columns.headers_from_microversion ?? {}
      assert.deepStrictEqual(
        shown.map(([header]) => header),
        columns.default?.headers
      )
      assert.deepStrictEqual(
        shown.map(([, attribute]) => attribute),
        columns.default?.attributes
      )
      for (const [header, , version] of shown) assert.strictEqual(version, since[header])
      assert.deepStrictEqual(
        long?.columns.map(([header]) => header),
        columns.long?.headers
      )
      assert.deepStrictEqual(
        long?.columns.map(([, attribute]) => attribute),
        columns.long?.attributes
      )
      if (long !== undefined) assert.strictEqual(`--${long.option}`, columns.long?.option)
    }
    if (spec.output.kind === "single" && columns?.show?.mode === "fixed") {
      assert(spec.output.fields.mode === "fixed")
      assert.deepStrictEqual(spec.output.fields.names, columns.show.columns)
    }
  })

  it("in the microversions its options need", () => {
    for (const { min, option } of theirs.gates) {
      if (option.includes(" ") || option === "--wait") continue
      assert.strictEqual(optionOf(spec, option).since, min, option)
    }
  })

  it("in what can be waited for", () => {
    if (theirs.waits === null) return
    assert.strictEqual(spec.wait, theirs.waits.kind === "delete" ? "deletion" : "status")
  })
})

describe("the tables", () => {
  it("have no two commands or aliases of the same words", () => {
    const words = specs.flatMap((spec) => [
      Spec.nameOf(spec),
      ...(spec.aliases ?? []).map(({ words }) => words.join(" "))
    ])
    assert.strictEqual(new Set(words).size, words.length)
  })

  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))("%s: no flag means two things", (_, spec) => {
    const flags = Object.values(Argv.optionsOf(spec)).flatMap((option) => [
      ...option.flags,
      ...(option.type === "switch" ? option.off : [])
    ])
    assert.deepStrictEqual(
      flags.filter((flag, i) => flags.indexOf(flag) !== i),
      []
    )
    const keys = [
      ...Object.keys(spec.args),
      ...Object.keys(Spec.optionsOf(spec)),
      ...Object.keys(Spec.formattingOf(spec)),
      ...Object.keys(Global.options)
    ]
    assert.deepStrictEqual(
      keys.filter((key, i) => keys.indexOf(key) !== i),
      []
    )
  })

  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))(
    "%s: no option has a name that @effect/cli keeps for itself",
    (_, spec) => {
      const kept = ["--help", "--version", "--wizard", "--completions", "--log-level", "-h"]
      const flags = Object.values(Argv.optionsOf(spec)).flatMap((option) => option.flags)
      assert.deepStrictEqual(
        flags.filter((flag) => kept.includes(flag)),
        []
      )
    }
  )

  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))(
    "%s: only the last argument takes many",
    (_, spec) => {
      const many = Object.values(spec.args).map((arg) => arg.many === true)
      assert.isFalse(many.slice(0, -1).includes(true))
    }
  )

  it.each(specs.filter((spec) => spec.wait !== undefined).map((spec) => [Spec.nameOf(spec), spec] as const))(
    "%s takes the same options as every other wait, each with its variable",
    (_, spec) => {
      const expected = {
        "--timeout": "MANILA_WAIT_TIMEOUT",
        "--interval": "MANILA_WAIT_INTERVAL",
        "--max-interval": "MANILA_WAIT_MAX_INTERVAL",
        "--max-attempts": "MANILA_WAIT_MAX_ATTEMPTS",
        "--tolerate": "MANILA_WAIT_TOLERATE"
      }
      for (const [flag, variable] of Object.entries(expected)) assert.strictEqual(optionOf(spec, flag).env, variable)
      assert.strictEqual(optionOf(spec, "--progress").env, undefined)
    }
  )
})
