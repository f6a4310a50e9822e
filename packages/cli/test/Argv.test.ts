import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Share from "@effect-manila/cli/nouns/Share"
import * as ShareAccess from "@effect-manila/cli/nouns/ShareAccess"
import * as ShareAction from "@effect-manila/cli/nouns/ShareAction"
import * as Snapshot from "@effect-manila/cli/nouns/Snapshot"
import * as Wait from "@effect-manila/cli/nouns/Wait"
import * as ResumeToken from "@effect-manila/cli/ResumeToken"
import { args, parse, refused } from "./support/Invoke.ts"

const create = (...argv: Array<string>) => args(Share.create, ["share", "create", ...argv])
const show = (...argv: Array<string>) => parse(Share.show, argv)
const globalsOf = (...argv: Array<string>) =>
  Effect.map(parse(Share.show, argv), (parsed) => {
    assert("context" in parsed, JSON.stringify(parsed))
    return { share: parsed.args.share, globals: parsed.context.globals }
  })

describe("options and arguments", () => {
  it.effect("may come in any order", () =>
    Effect.gen(function* () {
      const orders = [
        ["NFS", "1", "--name", "web", "--wait"],
        ["--name", "web", "NFS", "--wait", "1"],
        ["--wait", "--name=web", "NFS", "1"],
        ["NFS", "--wait", "1", "--name", "web"]
      ]
      for (const order of orders) {
        const { name, shareProto, size, wait } = yield* create(...order)
        assert.deepStrictEqual(
          { name, shareProto, size, wait },
          { name: "web", shareProto: "NFS", size: 1, wait: true }
        )
      }
    })
  )

  it.effect("repeated options accumulate wherever they stand, the last of one key wins", () =>
    Effect.gen(function* () {
      const { property } = yield* create("--property", "a=1", "NFS", "--property", "b=x=y", "1", "--property=a=2")
      assert.deepStrictEqual(property, { a: "2", b: "x=y" })
    })
  )

  it.effect("of an option that can't be repeated the last one wins", () =>
    Effect.gen(function* () {
      const { name } = yield* create("NFS", "1", "--name", "a", "--name=b", "--name", "c")
      assert.strictEqual(name, "c")
    })
  )

  it.effect("an empty value is a value", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1", "--name", "")).name, "")
      assert.strictEqual((yield* create("NFS", "1", "--name=")).name, "")
      assert.deepStrictEqual((yield* create("NFS", "1", "--property", "k=")).property, { k: "" })
    })
  )

  it.effect("a value keeps its spaces, line breaks, quotes, equals signs and every other character", () =>
    Effect.gen(function* () {
      for (const value of [
        "  a  ",
        "a\nb",
        "\"'",
        "a=b=c",
        "\u0000\u001b",
        "日本 👩‍👩‍👧",
        "true",
        "no",
        "-",
        "null",
        "{}"
      ]) {
        assert.strictEqual((yield* create("NFS", "1", "--name", value)).name, value, JSON.stringify(value))
        assert.strictEqual((yield* create("NFS", "1", `--name=${value}`)).name, value, JSON.stringify(value))
      }
    })
  )

  it.effect("a value that looks like an option needs an equals sign, and may then be anything", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Share.create, ["share", "create", "NFS", "1", "--name", "--wait"]),
        "--name needs a value. If '--wait' is its value, write --name=--wait."
      )
      for (const value of ["--wait", "--help", "--", "-h", "--version", "--name", "--wizard"]) {
        const { name, wait } = yield* create("NFS", "1", `--name=${value}`)
        assert.strictEqual(name, value)
        assert.strictEqual(wait, undefined)
      }
    })
  )

  it.effect("a sentence that begins with a dash is a value, as with openstack", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1", "--description", "- a list")).description, "- a list")
    })
  )

  it.effect("negative numbers are values and arguments", () =>
    Effect.gen(function* () {
      const { newSize } = yield* args(ShareAction.resize, ["share", "resize", "web", "-1"])
      assert.strictEqual(newSize, -1)
      const parsed = yield* parse(Share.list, ["share", "list", "--max-width", "-5"])
      assert.isTrue("args" in parsed)
    })
  )

  it.effect("behind -- everything is an argument", () =>
    Effect.gen(function* () {
      const { shares } = yield* args(Share.remove, ["share", "delete", "--force", "--", "--wait", "-x", "--", "--help"])
      assert.deepStrictEqual(shares, ["--wait", "-x", "--", "--help"])
    })
  )

  it.effect("several words after one flag are taken while they are key=value", () =>
    Effect.gen(function* () {
      const argv = ["share", "access", "create", "--properties", "a=1", "b=2", "web", "ip", "10.0.0.1", "--wait"]
      const { accessTo, properties, share } = yield* args(ShareAccess.create, argv)
      assert.deepStrictEqual(
        { accessTo, properties, share },
        { accessTo: "10.0.0.1", properties: { a: "1", b: "2" }, share: "web" }
      )
      const twice = ["share", "access", "create", "w", "ip", "x", "--properties", "a=1", "a=2"]
      assert.strictEqual(yield* refused(ShareAccess.create, twice), "--properties has the key 'a' twice.")
    })
  )

  it.effect("an optional value is there, or null, or the option isn't", () =>
    Effect.gen(function* () {
      const taskState = (...argv: Array<string>) =>
        Effect.map(args(Share.set, ["share", "set", "web", ...argv]), ({ taskState }) => taskState)
      assert.strictEqual(yield* taskState(), undefined)
      assert.strictEqual(yield* taskState("--task-state"), null)
      assert.strictEqual(yield* taskState("--task-state", "--name", "x"), null)
      assert.strictEqual(yield* taskState("--task-state", "migration_error"), "migration_error")
    })
  )

  it.effect("a switch is undefined, on or off, and the last one wins", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1")).wait, undefined)
      assert.strictEqual((yield* create("NFS", "1", "--wait")).wait, true)
      assert.strictEqual((yield* create("NFS", "1", "--wait", "--no-wait")).wait, false)
      assert.strictEqual((yield* create("NFS", "1", "--no-wait", "--wait")).wait, true)
    })
  )

  it.effect("a choice is one of its choices", () =>
    Effect.gen(function* () {
      const { usage } = yield* args(Snapshot.list, ["share", "snapshot", "list", "--usage", "unused"])
      assert.strictEqual(usage, "unused")
      assert.strictEqual(
        yield* refused(Snapshot.list, ["share", "snapshot", "list", "--usage", "idle"]),
        "--usage must be used or unused, not 'idle'."
      )
    })
  )

  it.effect("secrets are redacted from the start", () =>
    Effect.gen(function* () {
      const { globals } = yield* globalsOf("share", "show", "web", "--os-password", "s3cret")
      assert(globals.osPassword !== undefined)
      assert.strictEqual(Redacted.value(globals.osPassword), "s3cret")
      assert.isFalse(JSON.stringify(globals).includes("s3cret"))
    })
  )
})

describe("short options", () => {
  it.effect("take an attached value, with an equals sign or without, and stand together", () =>
    Effect.gen(function* () {
      for (const argv of [
        ["-fjson", "-cName"],
        ["-f=json", "-c=Name"],
        ["-f", "json", "-c", "Name"],
        ["-vfjson", "-vcName"]
      ]) {
        const parsed = yield* parse(Share.list, ["share", "list", ...argv])
        assert.isTrue("args" in parsed, argv.join(" "))
      }
    })
  )

  it.effect("that don't exist are named, with the long option they may be a slip of", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused(Share.show, ["share", "show", "web", "-x"]), "There is no option -x.")
      assert.strictEqual(
        yield* refused(Share.create, ["share", "create", "NFS", "1", "-name", "web"]),
        "There is no option -name. Did you mean --name?"
      )
    })
  )
})

describe("shortened options", () => {
  it.effect("are taken while they fit one option only", () =>
    Effect.gen(function* () {
      const { availabilityZone, property, wait } = yield* create(
        "NFS",
        "1",
        "--wai",
        "--avail",
        "nova",
        "--prop",
        "a=1"
      )
      assert.deepStrictEqual(
        { availabilityZone, property, wait },
        { availabilityZone: "nova", property: { a: "1" }, wait: true }
      )
    })
  )

  it.effect("that fit several are refused with their names", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Share.list, ["share", "list", "--share-", "x"]),
        "--share- is short for --share-network, --share-type, --share-group or --share-server: write more of it."
      )
    })
  )

  it.effect("keep the meaning they have with openstack where only our own options interfere", () =>
    Effect.gen(function* () {
      // --max-interval, --max-attempts, --progress, --timeout and --no-wait are ours.
      const { property } = yield* create("NFS", "1", "--max", "40", "--pro", "a=1", "--noi", "--ti")
      assert.deepStrictEqual(property, { a: "1" })
    })
  )

  it.effect("keep no such meaning where openstack has no such command", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Wait.wait, ["wait", "share", "x", "--for", "y", "--t", "1"]),
        "--t is short for --timeout, --tolerate or --timing: write more of it."
      )
    })
  )

  it.effect("an exact name wins over longer ones", () =>
    Effect.gen(function* () {
      const { name, nameLike } = yield* args(Share.list, ["share", "list", "--name", "a", "--name~", "b"])
      assert.deepStrictEqual({ name, nameLike }, { name: "a", nameLike: "b" })
    })
  )
})

describe("global options", () => {
  it.effect("stand before, between and after the words", () =>
    Effect.gen(function* () {
      const orders = [
        ["--os-cloud", "x", "--debug", "share", "show", "web"],
        ["share", "--os-cloud", "x", "--debug", "show", "web"],
        ["share", "show", "--debug", "web", "--os-cloud=x"],
        ["--debug", "share", "--os-cl", "x", "show", "web"]
      ]
      for (const order of orders) {
        const { globals, share } = yield* globalsOf(...order)
        assert.deepStrictEqual([share, globals.osCloud, globals.debug], ["web", "x", true], order.join(" "))
      }
    })
  )

  it.effect("whose value is a command's word don't confuse it", () =>
    Effect.gen(function* () {
      const { globals, share } = yield* globalsOf("--os-cloud", "share", "share", "-f", "json", "show", "list")
      assert.deepStrictEqual([share, globals.osCloud], ["list", "share"])
    })
  )

  it.effect("that contradict each other are refused", () =>
    Effect.gen(function* () {
      const message = yield* refused(Share.show, ["share", "show", "web", "--insecure", "--verify"])
      assert.strictEqual(message, "--verify and --insecure exclude each other.")
      yield* refused(Share.show, ["-q", "share", "show", "web", "-v"])
    })
  )

  it.effect("an option of the command before its words is asked to move", () =>
    Effect.gen(function* () {
      const message = yield* refused(Share.create, ["--name", "web", "share", "create", "NFS", "1"])
      assert.match(message, /^--name is no option that can stand before a command/)
    })
  )
})

describe("words", () => {
  it.effect("may be shortened while they stay unique, as with openstack", () =>
    Effect.gen(function* () {
      const { snapshots } = yield* args(Snapshot.remove, ["sh", "snap", "del", "a"])
      assert.deepStrictEqual(snapshots, ["a"])
    })
  )

  it.effect("that are a command end it: what follows is an argument, whatever it looks like", () =>
    Effect.gen(function* () {
      const parsed = yield* show("share", "show", "list")
      assert("args" in parsed)
      assert.strictEqual(parsed.args.share, "list")
    })
  )

  it.effect("that are no command are answered with near ones", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Share.show, ["share", "lst"]),
        "'share lst' is not a command. Did you mean share list?"
      )
      assert.strictEqual(
        yield* refused(Share.show, ["share", "acces", "lits"]),
        "'share acces' is not a command. Did you mean share access?"
      )
      assert.match(yield* refused(Share.show, ["share", "access", "foo"]), /^'share access foo' is not a command\./)
      assert.match(yield* refused(Share.show, ["volume", "list"]), /^'volume' is not a command\./)
    })
  )

  it.effect("that begin several commands are answered with what can follow", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Share.show, ["share", "access"]),
        "'share access' needs one word more. Next can be create, delete, list, show, set or unset."
      )
      assert.match(yield* refused(Share.show, []), /^No command given\./)
      assert.match(yield* refused(Share.show, ["--debug"]), /^No command given\./)
    })
  )
})

describe("what is missing or too much is said", () => {
  it.effect("for arguments", () =>
    Effect.gen(function* () {
      const wrong = (...argv: Array<string>) => refused(Share.create, ["share", "create", ...argv])
      assert.strictEqual(yield* wrong(), "<share_protocol> and <size> are missing.")
      assert.strictEqual(yield* wrong("NFS"), "<size> is missing.")
      assert.strictEqual(yield* wrong("NFS", "x"), "<size> must be a whole number, not 'x'.")
      assert.strictEqual(yield* wrong("NFS", "1.5"), "<size> must be a whole number, not '1.5'.")
      assert.strictEqual(yield* wrong("NFS", "1", "2"), "'2' is one argument too many.")
      assert.strictEqual(yield* refused(Share.remove, ["share", "delete"]), "<share>… is missing.")
    })
  )

  it.effect("for options", () =>
    Effect.gen(function* () {
      const wrong = (...argv: Array<string>) => refused(Share.create, ["share", "create", "NFS", "1", ...argv])
      assert.strictEqual(yield* wrong("--name"), "--name needs a value.")
      assert.strictEqual(yield* wrong("--name", "--"), "--name needs a value.")
      assert.strictEqual(yield* wrong("-f"), "-f needs a value.")
      assert.strictEqual(yield* wrong("--wait=yes"), "--wait takes no value.")
      assert.strictEqual(yield* wrong("--property", "ab"), "--property wants key=value, not 'ab'.")
      assert.strictEqual(yield* wrong("--property", "=b"), "--property wants key=value, not '=b'.")
      assert.strictEqual(yield* wrong("--nmae", "x"), "There is no option --nmae. Did you mean --name?")
      assert.strictEqual(yield* wrong("-f", "yml"), "-f must be json, shell, table, value or yaml, not 'yml'.")
      assert.strictEqual(
        yield* wrong("--os-share-api-version", "two"),
        "--os-share-api-version must be a microversion such as 2.60, not 'two'."
      )
      assert.strictEqual(
        yield* refused(Share.list, ["share", "list", "--limit", "-1"]),
        "--limit must be 0 or more, not -1."
      )
    })
  )

  it.effect("for options that need another, or exclude each other", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(ShareAccess.create, ["share", "access", "create", "a", "ip", "b", "--lock-reason", "x"]),
        "--lock-reason needs --lock-visibility or --lock-deletion."
      )
      assert.strictEqual(
        yield* refused(Share.list, ["share", "list", "--sort-ascending", "--sort-descending"]),
        "--sort-ascending and --sort-descending exclude each other."
      )
    })
  )

  it.effect("for columns that are known beforehand, before anything is sent", () =>
    Effect.gen(function* () {
      assert.match(
        yield* refused(Share.list, ["share", "list", "-c", "Description"]),
        /^There is no column 'Description'/
      )
      yield* args(Share.list, ["share", "list", "--long", "-c", "description"])
      yield* args(Share.list, ["share", "list", "-c", "share_proto", "-c", "nope"])
      // A share's fields are the service's, so nothing is known of them yet.
      yield* create("NFS", "1", "-c", "whatever")
    })
  )
})

describe("the environment", () => {
  const argv = ["share", "create", "NFS", "1"]

  it.effect("gives what no flag gave", () =>
    Effect.gen(function* () {
      const env = {
        MANILA_WAIT_TIMEOUT: "5 minutes",
        MANILA_WAIT_INTERVAL: "2",
        MANILA_WAIT_MAX_INTERVAL: "0.5",
        MANILA_WAIT_MAX_ATTEMPTS: "7",
        MANILA_WAIT_TOLERATE: "0"
      }
      const { interval, maxAttempts, maxInterval, timeout, tolerate } = yield* args(Share.create, argv, env)
      assert.deepStrictEqual([timeout, interval, maxInterval, maxAttempts, tolerate], [300_000, 2_000, 500, 7, 0])
    })
  )

  it.effect("yields to the flag, also where it is nonsense", () =>
    Effect.gen(function* () {
      const { timeout } = yield* args(Share.create, [...argv, "--timeout", "none"], { MANILA_WAIT_TIMEOUT: "soon" })
      assert.strictEqual(timeout, Number.POSITIVE_INFINITY)
    })
  )

  it.effect("counts as not set where it is empty", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* args(Share.create, argv, { MANILA_WAIT_TIMEOUT: "" })).timeout, undefined)
    })
  )

  it.effect("is named where it is nonsense, with what would be right", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refused(Share.create, argv, { MANILA_WAIT_TIMEOUT: "soon" }),
        "The variable MANILA_WAIT_TIMEOUT must be seconds (90) or a text such as '5 minutes', or none, not 'soon'."
      )
      assert.match(
        yield* refused(Share.create, argv, { MANILA_WAIT_TOLERATE: "-1" }),
        /MANILA_WAIT_TOLERATE must be 0 or more/
      )
      assert.match(
        yield* refused(Share.create, argv, { MANILA_EXIT_CODES: "bash" }),
        /MANILA_EXIT_CODES must be manila or osc/
      )
      assert.match(yield* refused(Share.create, argv, { CLIFF_MAX_TERM_WIDTH: "wide" }), /CLIFF_MAX_TERM_WIDTH/)
    })
  )

  it.effect("of waits is not read by commands that don't wait", () =>
    Effect.gen(function* () {
      yield* args(Share.show, ["share", "show", "web"], { MANILA_WAIT_TIMEOUT: "soon" })
    })
  )
})

describe("durations on the command line", () => {
  it.effect("are refused with the flag's name and what would be right", () =>
    Effect.gen(function* () {
      const wrong = (...argv: Array<string>) => refused(Share.create, ["share", "create", "NFS", "1", ...argv])
      const right = "seconds (90) or a text such as '5 minutes'"
      assert.strictEqual(
        yield* wrong("--timeout", "5 parsecs"),
        `--timeout must be ${right}, or none, not '5 parsecs'.`
      )
      assert.strictEqual(yield* wrong("--interval", "none"), `--interval must be ${right}, not 'none'.`)
      assert.strictEqual(yield* wrong("--interval", "0"), "--interval must be more than 0.")
      assert.strictEqual(yield* wrong("--timeout", "-5"), `--timeout must be ${right}, or none, not '-5'.`)
      assert.strictEqual(yield* wrong("--max-attempts", "0"), "--max-attempts must be 1 or more, not 0.")
    })
  )

  it.effect("a time-out of 0 is one look", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* create("NFS", "1", "--timeout", "0")).timeout, 0)
    })
  )
})

describe("manila wait", () => {
  const token = ResumeToken.encode({
    v: 1,
    cloud: "0123456789abcdef",
    kind: "share",
    id: "x",
    verb: "create",
    goal: { for: ["available"] },
    acceptedAt: 1
  })

  it.effect("takes a kind, names, --for and --or", () =>
    Effect.gen(function* () {
      const parsed = yield* args(Wait.wait, [
        "wait",
        "share",
        "a",
        "b",
        "--for",
        "available",
        "--or",
        "error",
        "--or",
        "x"
      ])
      assert.deepStrictEqual(
        [parsed.kind, parsed.resources, parsed.for, parsed.or, parsed.resume],
        ["share", ["a", "b"], "available", ["error", "x"], undefined]
      )
    })
  )

  it.effect("is also written behind the noun", () =>
    Effect.gen(function* () {
      for (const [words, kind] of [
        [["share", "wait"], "share"],
        [["share", "snapshot", "wait"], "snapshot"],
        [["share", "access", "wait"], "access"]
      ] as const) {
        const parsed = yield* args(Wait.wait, [...words, "a", "--for", "available", "--allow-missing"])
        assert.deepStrictEqual([parsed.kind, parsed.resources, parsed.allowMissing], [kind, ["a"], true])
      }
    })
  )

  it.effect("goes on with a token instead of all that, behind the noun too", () =>
    Effect.gen(function* () {
      for (const words of [["wait"], ["share", "wait"]]) {
        const parsed = yield* args(Wait.wait, [...words, "--resume", token])
        assert.deepStrictEqual(
          [parsed.kind, parsed.resources, parsed.for, parsed.resume?.id],
          [undefined, [], undefined, "x"]
        )
      }
    })
  )

  it.effect("refuses a token beside names or a goal, and one without the other", () =>
    Effect.gen(function* () {
      const wrong = (...argv: Array<string>) => refused(Wait.wait, ["wait", ...argv])
      assert.strictEqual(yield* wrong("share", "a", "--resume", token), "'share' can't be given with --resume.")
      assert.strictEqual(yield* wrong("--for", "available", "--resume", token), "--for can't be given with --resume.")
      assert.strictEqual(yield* wrong("share", "a"), "--for is missing.")
      assert.strictEqual(yield* wrong("share", "--for", "available"), "<name-or-id>… is missing.")
      assert.match(
        yield* wrong("volume", "a", "--for", "available"),
        /^<kind> must be share, snapshot, access, replica, backup or instance/
      )
    })
  )

  it.effect("refuses a token that was cut off, before anything else happens", () =>
    Effect.gen(function* () {
      const message = yield* refused(Wait.wait, ["wait", "--resume", token.slice(0, -3)])
      assert.strictEqual(message, "--resume is no usable token: it is cut off at the end.")
    })
  )
})
