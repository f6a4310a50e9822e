import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import * as Cell from "@effect-manila/cli/Cell"
import { Output } from "@effect-manila/cli/Output"
import * as Spec from "@effect-manila/cli/Spec"
import { parse } from "yaml"
import { invoke } from "./support/Invoke.ts"
import * as TestStdio from "./support/TestStdio.ts"

/** Written by cliff 4.16 (prettytable 3.18, PyYAML 6.0.3, Python 3.14) from the same data and flags. */
interface Case {
  readonly kind: "list" | "show"
  readonly columns: ReadonlyArray<string>
  readonly data: ReadonlyArray<unknown>
  readonly argv: ReadonlyArray<string>
  readonly expected: string
}

const cases = ["cliff", "cliff-formats"].flatMap(
  (name) => JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8")) as ReadonlyArray<Case>
)

const table = Spec.make({
  words: ["table"],
  summary: "A list",
  args: {},
  options: {},
  // The columns are the data's own, so none are known beforehand.
  output: { kind: "table", columns: { default: [] } }
})

const single = Spec.make({
  words: ["single"],
  summary: "A record",
  args: {},
  options: {},
  output: { kind: "single", fields: { mode: "all" } }
})

/** `{"$dict": …}` and `{"$list": …}` stand for columns with a formatter of their own. */
const cell = (value: unknown): unknown => {
  if (typeof value === "object" && value !== null) {
    if ("$dict" in value) return Cell.dictionary(value.$dict)
    if ("$list" in value) return Cell.list(value.$list)
  }
  return value
}

const render = (one: Case, stdio = TestStdio.make()) =>
  one.kind === "list"
    ? invoke(
        { ...table, output: { kind: "table", columns: { default: one.columns.map((name) => [name, name] as const) } } },
        () =>
          Effect.flatMap(Output, ({ list }) =>
            list({
              headers: one.columns,
              rows: one.data.map((row) => (row as ReadonlyArray<unknown>).map(cell))
            })
          ),
        ["table", ...one.argv],
        stdio
      )
    : invoke(
        single,
        () =>
          Effect.flatMap(Output, (output) =>
            output.single(one.columns.map((name, i) => [name, cell(one.data[i])] as const))
          ),
        ["single", ...one.argv],
        stdio
      )

describe("output is, byte for byte, what openstack prints", () => {
  cases.forEach((one, i) =>
    it.effect(`${i}: ${one.kind} ${JSON.stringify(one.columns).slice(0, 60)} ${one.argv.join(" ")}`, () =>
      Effect.gen(function* () {
        const { code, stdout } = yield* render(one)
        assert.strictEqual(stdout, one.expected)
        assert.strictEqual(code, 0)
      })
    )
  )
})

const list = (columns: ReadonlyArray<string>, data: ReadonlyArray<ReadonlyArray<unknown>>, ...argv: Array<string>) =>
  render({ kind: "list", columns, data, argv, expected: "" })

const show = (fields: Readonly<Record<string, unknown>>, ...argv: Array<string>) =>
  render({ kind: "show", columns: Object.keys(fields), data: Object.values(fields), argv, expected: "" })

describe("cells can't break out of a table", () => {
  it.effect("escape sequences, controls and changes of direction are shown, not obeyed", () =>
    Effect.gen(function* () {
      const { stdout } = yield* list(["Name"], [["\u001b[31mred\u001b[0m"], ["bell\u0007"], ["\u009b2J"], ["a\u202eb"]])
      assert.strictEqual(
        stdout,
        [
          "+--------------------+",
          "| Name               |",
          "+--------------------+",
          "| \\x1b[31mred\\x1b[0m |",
          "| bell\\x07           |",
          "| \\x9b2J             |",
          "| a\\u202eb           |",
          "+--------------------+",
          ""
        ].join("\n")
      )
    })
  )

  it.effect("a field's name is made safe too", () =>
    Effect.gen(function* () {
      const { stdout } = yield* show({ "ke\u001by\nx": 1 })
      assert.isFalse(stdout.includes("\u001b"))
      assert.isTrue(stdout.includes("| ke\\x1by"))
    })
  )

  it.effect("JSON keeps every character, escaped", () =>
    Effect.gen(function* () {
      const { stdout } = yield* show({ name: "\u001b[31m\u009b\n" }, "-f", "json")
      assert.deepStrictEqual(JSON.parse(stdout), { name: "\u001b[31m\u009b\n" })
      assert.match(stdout, /^[\u0000-\u007e]*$/)
    })
  )
})

describe("-f shell is safe to evaluate", () => {
  const evaluate = (assignments: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
    const script = `set -u\n${assignments}\nprintf '%s\\0' ${names.map((name) => `"$${name}"`).join(" ")}`
    const { status, stderr, stdout } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", env: {} })
    assert.deepStrictEqual([status, stderr], [0, ""])
    return stdout.split("\0").slice(0, -1)
  }

  it.effect("whoever chose the values: a shell gets them as they are, and runs none", () =>
    Effect.gen(function* () {
      const values = [
        "$(exit 3)",
        "`exit 3`",
        "${HOME:?}",
        "a\\",
        "\\$(exit 3)",
        'it\'s "x" \\" ',
        "two\nlines\n",
        "!x;exit 3",
        "Größe 日本"
      ]
      const names = values.map((_, i) => `v${i}`)
      const { stdout } = yield* show(Object.fromEntries(names.map((name, i) => [name, values[i]])), "-f", "shell")
      assert.deepStrictEqual(evaluate(stdout, names), values)
    })
  )

  it.effect("whoever chose the names: each becomes one, and runs nothing", () =>
    Effect.gen(function* () {
      const fields = { "x;exit 3;y": 1, "$(exit 3)": 2, "user.name": 3, "1st": 4, größe: 5, "": 6, "a:b-c D": 7 }
      const { stdout } = yield* show(fields, "-f", "shell")
      const names = ["x_exit_3_y", "__exit_3_", "user_name", "_1st", "gr__e", "_", "a_b_c_d"]
      assert.strictEqual(stdout, names.map((name, i) => `${name}="${i + 1}"\n`).join(""))
      const prefixed = yield* show({ "1st": 1 }, "-f", "shell", "--prefix", "os;exit 3;")
      assert.strictEqual(prefixed.stdout, 'os_exit_3_1st="1"\n')
      assert.deepStrictEqual(evaluate(stdout, ["x_exit_3_y"]), ["1"])
    })
  )
})

describe("-f yaml", () => {
  /** Bare for Python's reader; others take them for a number, a date or a truth value. */
  const disputed = new Set<unknown>(["1e5", "1e+5", "08", "2024-1-1", "y", "n"])

  it.effect("reads back as the very values", () =>
    Effect.gen(function* () {
      const texts = cases
        .flatMap(({ argv, data, kind }) => (kind === "show" && argv[1] === "yaml" ? data : []))
        .filter((value) => !disputed.has(value))
      assert.isAbove(texts.length, 100)
      const record = Object.fromEntries(texts.map((value, i) => [`f${i}`, cell(value)]))
      const expected = Object.fromEntries(texts.map((value, i) => [`f${i}`, Cell.machine(cell(value))]))
      const { stdout } = yield* show(record, "-f", "yaml")
      assert.deepStrictEqual(parse(stdout, { version: "1.1" }), expected)
    })
  )

  it.effect("keeps a key that is special to the language, and the last of a repeated header", () =>
    Effect.gen(function* () {
      const inner: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}')
      assert.strictEqual((yield* show({ a: inner }, "-f", "yaml")).stdout, "a:\n  __proto__: 1\n  constructor: 2\n")
      assert.strictEqual((yield* list(["A", "A"], [[1, 2]], "-f", "yaml")).stdout, "- A: 2\n")
    })
  )
})

describe("-f csv", () => {
  it.effect("--quote none leaves a row of one empty text as an empty line", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* list(["A"], [["x"], [""], [null]], "-f", "csv", "--quote", "none")
      assert.deepStrictEqual([code, stdout], [0, "A\nx\n\n\n"])
    })
  )
})

describe("each kind of output has its formats", () => {
  it.effect("a list none for shells, a record none for spreadsheets", () =>
    Effect.gen(function* () {
      const shell = yield* list(["A"], [], "-f", "shell")
      assert.deepStrictEqual([shell.code, shell.stdout], [2, ""])
      assert.include(shell.stderr, "must be csv, json, table, value or yaml, not 'shell'")
      const csv = yield* show({ a: 1 }, "-f", "csv")
      assert.deepStrictEqual([csv.code, csv.stdout], [2, ""])
      assert.include(csv.stderr, "must be json, shell, table, value or yaml, not 'csv'")
      const quote = yield* show({ a: 1 }, "--quote", "all")
      assert.deepStrictEqual([quote.code, quote.stdout], [2, ""])
    })
  )
})

describe("columns", () => {
  it.effect("a column nobody knows is a usage error that lists the known ones", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* show({ id: 1, name: 2 }, "-c", "nope")
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.strictEqual(stderr, "manila: There is no column 'nope'. The columns are: id, name.\n")
    })
  )

  it.effect("an unknown column beside a known one is told of and left out", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* show({ id: 1, name: 2 }, "-c", "nope", "-c", "ID", "-f", "value")
      assert.strictEqual(code, 0)
      assert.strictEqual(stdout, "1\n")
      assert.match(stderr, /There is no column 'nope'/)
    })
  )

  it.effect("a column can be sorted by in any spelling, and without being shown", () =>
    Effect.gen(function* () {
      const rows = [
        ["b", 2],
        ["a", 1]
      ]
      const { stdout } = yield* list(
        ["Share Name", "Size"],
        rows,
        "-c",
        "Size",
        "-f",
        "value",
        "--sort-column",
        "share_name"
      )
      assert.strictEqual(stdout, "1\n2\n")
    })
  )

  it.effect("a column of mixed types stays unsorted, and that is said", () =>
    Effect.gen(function* () {
      const { stderr, stdout } = yield* list(["A"], [["b"], [1], ["a"]], "-f", "value", "--sort-column", "A")
      assert.strictEqual(stdout, "b\n1\na\n")
      assert.match(stderr, /Can't sort by 'A'/)
    })
  )
})

describe("width", () => {
  const long = { id: "x", description: "one two three four five six seven eight nine ten eleven twelve thirteen" }
  const rendered = (stdio: TestStdio.TestStdio, ...argv: Array<string>) =>
    render({ kind: "show", columns: Object.keys(long), data: Object.values(long), argv, expected: "" }, stdio)

  it.effect("a terminal's width wraps tables, a pipe doesn't", () =>
    Effect.gen(function* () {
      const terminal = yield* rendered(TestStdio.make({ stdoutTerminal: true, columns: 50 }))
      assert.isTrue(terminal.stdout.split("\n").every((line) => line.length <= 50))
      const pipe = yield* rendered(TestStdio.make({ columns: 50 }))
      assert.isTrue(pipe.stdout.includes("twelve thirteen |"))
    })
  )

  it.effect("--max-width and CLIFF_MAX_TERM_WIDTH wrap anywhere, the flag first", () =>
    Effect.gen(function* () {
      const env = { CLIFF_MAX_TERM_WIDTH: "40" }
      const variable = yield* rendered(TestStdio.make({ env }))
      assert.strictEqual(Math.max(...variable.stdout.split("\n").map((line) => line.length)), 40)
      const flag = yield* rendered(TestStdio.make({ env }), "--max-width", "60")
      assert.strictEqual(Math.max(...flag.stdout.split("\n").map((line) => line.length)), 60)
    })
  )
})

describe("a stdout that can't be written", () => {
  it.effect("whose reader has gone ends the command quietly with 141, as openstack ends", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make({ stdoutFails: "EPIPE" })
      const ended = yield* render({ kind: "show", columns: ["a"], data: [1], argv: [], expected: "" }, stdio)
      assert.deepStrictEqual(ended, { code: 141, stdout: "", stderr: "" })
    })
  )

  it.effect("because the disk is full is an error", () =>
    Effect.gen(function* () {
      const stdio = TestStdio.make({ stdoutFails: "ENOSPC" })
      const ended = yield* render({ kind: "show", columns: ["a"], data: [1], argv: [], expected: "" }, stdio)
      assert.strictEqual(ended.code, 1)
      assert.match(ended.stderr, /can't write the output/)
    })
  )
})

describe("a list of a hundred thousand rows", () => {
  it.effect("is a table all the same", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 100_000 }, (_, i) => [`s${i}`, i])
      const { stdout } = yield* list(["Name", "Size"], rows)
      assert.strictEqual(stdout.split("\n").length, 100_000 + 5)
    })
  )
})
