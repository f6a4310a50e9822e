import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { specs } from "@effect-manila/cli/Commands"
import { decide } from "@effect-manila/cli/Entry"
import * as Help from "@effect-manila/cli/Help"
import * as Spec from "@effect-manila/cli/Spec"
import { version } from "@effect-manila/cli/Version"

const print = (argv: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const decision = decide(argv, env, specs)
  assert(decision._tag === "Print", JSON.stringify(decision))
  return decision
}

describe("--version", () => {
  it("is the package's", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string
    }
    assert.strictEqual(version, manifest.version)
    assert.deepStrictEqual(print(["--version"]), {
      _tag: "Print",
      stdout: `manila ${version}\n`,
      stderr: "",
      code: 0
    })
  })

  it("is answered with and without a command, and shortened", () => {
    for (const argv of [
      ["--vers"],
      ["share", "--version"],
      ["share", "list", "--version"],
      ["--os-cloud", "x", "--version"]
    ]) {
      assert.strictEqual(print(argv).stdout, `manila ${version}\n`, argv.join(" "))
    }
  })
})

describe("--help", () => {
  it("is on stdout with exit code 0 at every level, in any place, by any of its names", () => {
    for (const argv of [
      ["--help"],
      ["-h"],
      ["help"],
      ["share", "--help"],
      ["--help", "share"],
      ["help", "share", "access"],
      ["share", "create", "-h"],
      ["help", "share", "create"],
      ["share", "create", "NFS", "--help"],
      ["--os-cloud", "x", "share", "create", "--help"],
      ["share", "create", "--bogus", "--help"],
      ["wait", "--he"]
    ]) {
      const { code, stderr, stdout } = print(argv)
      assert.deepStrictEqual([code, stderr], [0, ""], argv.join(" "))
      assert.match(stdout, /^usage: manila /, argv.join(" "))
    }
  })

  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))(
    "of %s names every argument and option",
    (name, spec) => {
      const { stdout } = print([...spec.words, "--help"])
      assert.isTrue(stdout.startsWith(`usage: manila ${name} `))
      for (const option of Object.values({ ...Spec.optionsOf(spec), ...Spec.formattingOf(spec) })) {
        if (option.type === "switch") assert.include(stdout, "--[no-]wait")
        else for (const flag of option.flags) assert.include(stdout, flag)
      }
      for (const argument of Object.values(spec.args)) assert.include(stdout, `<${argument.metavar}>`)
      assert.include(stdout, spec.summary)
    }
  )

  it.each(specs.map((spec) => [Spec.nameOf(spec)] as const))("of the root or a group leads to %s", (name) => {
    const words = name.split(" ")
    const group = words.slice(0, -1)
    const last = words[words.length - 1] ?? ""
    assert.include(print([...group, "--help"]).stdout, last)
    assert.include(print(["--help"]).stdout, words[0] ?? "")
  })

  it("of a waiting command tells the default interval, limit, longest pause and every variable", () => {
    const { stdout } = print(["share", "delete", "--help"])
    const text = stdout.replace(/\s+/g, " ")
    for (const said of [
      "default: 5 seconds",
      "300 seconds",
      "default: the interval",
      "default: 10",
      "MANILA_WAIT_MAX_INTERVAL"
    ]) {
      assert.include(text, said)
    }
  })

  it("fits into a hundred columns", () => {
    const pages = [[], ["options"], ["exit-codes"], ...specs.map(({ words }) => words)]
    for (const words of pages) {
      const long = Help.page(specs, words)
        .split("\n")
        .filter((line) => line.length > 100)
      assert.deepStrictEqual(long, [], words.join(" "))
    }
  })

  it("of something unknown is a usage error", () => {
    const { code, stderr, stdout } = print(["help", "volume"])
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.match(stderr, /'volume' is not a command/)
  })

  it("and --version don't look at the environment, however wrong it is", () => {
    const env = { MANILA_EXIT_CODES: "nonsense", MANILA_WAIT_TIMEOUT: "nonsense", OS_CLOUD: "nonsense" }
    assert.strictEqual(print(["--help"], env).code, 0)
    assert.strictEqual(print(["share", "create", "--help"], env).code, 0)
    assert.strictEqual(print(["--version"], env).code, 0)
  })
})

describe("a usage error", () => {
  it("is two lines on stderr, exit code 2 and nothing on stdout, whatever was typed", () => {
    for (const argv of [
      [],
      ["share"],
      ["nope"],
      ["share", "create"],
      ["share", "create", "NFS", "one"],
      ["share", "list", "--nope"],
      ["share", "list", "--limit"],
      ["share", "list", "--limit", "x"],
      ["share", "list", "-f", "xml"],
      ["--nope", "share", "list"],
      ["wait", "--resume", "x"],
      ["share", "show", "a", "b", "c"]
    ]) {
      const { code, stderr, stdout } = print(argv)
      assert.deepStrictEqual([code, stdout], [2, ""], argv.join(" "))
      assert.match(stderr, /^manila: [^\n]+\nusage: manila [^\n]*\n$/, argv.join(" "))
    }
  })

  it("doesn't obey escape sequences that were typed", () => {
    const { stderr } = print(["share", "show", "a", "\u001b[2J\u0007"])
    assert.isFalse(/[\u001b\u0007]/.test(stderr))
  })

  it("doesn't repeat a secret that was given", () => {
    const { stderr } = print(["--os-password", "s3cret", "share", "create", "NFS", "x", "--os-token=s3cret"])
    assert.notInclude(stderr, "s3cret")
  })
})
