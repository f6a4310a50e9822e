import * as Faults from "@effect-manila/test-kit/Faults"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { decide } from "@effect-manila/cli/Entry"
import { specs } from "@effect-manila/cli/shakenfist/Commands"
import { program } from "@effect-manila/cli/shakenfist/Program"
import * as Spec from "@effect-manila/cli/Spec"
import { busy, claim, fails, lines, nobody, ok, origin, rows } from "./support.ts"

const print = (line: string, env: Readonly<Record<string, string>> = {}) => {
  const decision = decide(line.split(" "), env, specs, program)
  assert(decision._tag === "Print", line)
  return decision
}

describe("operations list", () => {
  claim("shows what is outstanding, and with --all what is finished too, the newest first", ({ cluster, run }) =>
    Effect.gen(function* () {
      for (const kind of ["instance", "network", "artifact"] as const) {
        const { uuid } = yield* cluster[kind]()
        const done = yield* busy(cluster, kind, uuid, [["complete"]], { tasks: ["one", "two"] })
        const open = yield* busy(cluster, kind, uuid, [["executing"]], { observational: true })
        const few = ok(yield* run(`operations list ${kind} ${uuid} -f json`))
        assert.deepStrictEqual(rows(few), [
          { UUID: open.uuid, Type: "net_op", State: "executing", Tasks: ["test_task"], Observational: true }
        ])
        assert.deepStrictEqual(few.requests, [`GET /${kind}s/${uuid}/clusteroperations`])
        assert.strictEqual(few.sent.at(-1)?.body, `{"all":false}`)
        const all = ok(yield* run(`operations list ${kind} ${uuid} --all -f json`))
        assert.deepStrictEqual(
          rows(all).map((row) => [row["UUID"], row["State"]]),
          [
            [open.uuid, "executing"],
            [done.uuid, "complete"]
          ]
        )
      }
    })
  )

  claim("shows tasks in their order to people, in a namespace, by name", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan", namespace: "other" })
      yield* busy(cluster, "network", uuid, [["queued"]], { tasks: ["zebra", "apple"] })
      const ended = ok(yield* run("operations list network lan --namespace other -c tasks", { as: "system" }))
      assert.include(ended.stdout, "| zebra, apple |")
    })
  )

  claim(
    "of nothing there is 5, of a cluster without it 12, with nothing on stdout",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        const gone = fails(yield* run(`operations list network ${nobody}`), 5)
        assert.match(gone.stderr, new RegExp(`^shakenfist-wait: network ${nobody}: `))
        const incapable = fails(yield* run(`operations list artifact ${nobody}`), 12)
        assert.include(incapable.stderr, "artifact-clusteroperations")
        assert.deepStrictEqual([gone.stdout, incapable.stdout, incapable.requests], ["", "", []])
        yield* cluster.setCapability("artifact-clusteroperations", true)
        fails(yield* run(`operations list artifact ${nobody}`), 5)
      }),
    { without: ["artifact-clusteroperations"] }
  )
})

describe("operations show", () => {
  claim(
    "shows every field the server has, and 5 once the operation was swept",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.network()
        const operation = yield* busy(cluster, "network", uuid, [["error"]])
        const shown = JSON.parse(ok(yield* run(`operations show net_op ${operation.uuid} -f json`)).stdout)
        assert.deepInclude(shown, {
          uuid: operation.uuid,
          state: "error",
          tasks: ["test_task"],
          operation_type: "net_op"
        })
        assert.property(shown, "node_uuid")
        assert.property(shown, "error_report")
        yield* cluster.forget(operation.uuid)
        const ended = fails(yield* run(`operations show net_op ${operation.uuid}`), 5)
        assert.include(ended.stderr, `cluster operation ${operation.uuid}`)
      }),
    { errorReports: true }
  )
})

describe("capabilities", () => {
  claim(
    "lists what is announced, and what is missed by which command, without logging in",
    ({ run }) =>
      Effect.gen(function* () {
        const ended = ok(yield* run("capabilities -f json", { env: { SHAKENFIST_KEY: "wrong" } }))
        assert.deepStrictEqual(
          ended.sent.map(({ method, path }) => `${method} ${path}`),
          ["GET /"]
        )
        const by = new Map(rows(ended).map((row) => [row["Capability"], row]))
        assert.deepStrictEqual(by.get("object-pending-operations"), {
          Capability: "object-pending-operations",
          Family: null,
          Announced: false,
          "Needed By": "settle"
        })
        assert.deepStrictEqual(by.get("network-delete-async"), {
          Capability: "network-delete-async",
          Family: "networks",
          Announced: true,
          "Needed By": null
        })
        assert.strictEqual(by.get("get-cluster-operations")?.["Announced"], true)
      }),
    { without: ["object-pending-operations"] }
  )

  claim("counts a token as announced wherever it stands, as the gates do", ({ fault, run }) =>
    Effect.gen(function* () {
      yield* fault(Faults.on({}, Faults.status(200, { body: "<p>object-pending-operations-2</p>" })))
      const row = rows(ok(yield* run("capabilities -f json"))).find(
        (row) => row["Capability"] === "object-pending-operations"
      )
      assert.strictEqual(row?.["Announced"], true)
    })
  )
})

describe("which cluster", () => {
  claim("is that of the flags, then of the variables, then of the file", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      const { key, namespace } = cluster.demo
      const line = `operations list network ${uuid}`
      const file = JSON.stringify({ apiurl: origin, namespace, key })
      ok(yield* run(line, { bare: true, env: { HOME: "/home/ann" }, files: { "/home/ann/.shakenfist": file } }))
      ok(yield* run(line, { bare: true, files: { "/etc/sf/shakenfist.json": file } }))
      const flags = `--apiurl ${origin} --auth-namespace ${namespace} --key ${key}`
      ok(yield* run(`${flags} ${line}`, { env: { SHAKENFIST_API_URL: "http://elsewhere.test", SHAKENFIST_KEY: "x" } }))
      const none = fails(yield* run(line, { bare: true }), 1)
      assert.match(none.stderr, /^shakenfist-wait: no URL was given, SHAKENFIST_API_URL is not set/)
      assert.deepStrictEqual(none.sent, [])
    })
  )

  claim("its key is never sent to another one, nor shown by --debug", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      const half = fails(yield* run(`--apiurl http://elsewhere.test operations list network ${uuid}`), 1)
      assert.deepStrictEqual(half.sent, [])
      const ended = ok(yield* run(`operations list network ${uuid} --debug`))
      assert.include(ended.stderr, "> POST")
      assert.include(ended.stderr, `"key":"***"`)
      assert.notInclude(ended.stderr, cluster.demo.key)
      assert.notMatch(ended.stderr, /"access_token":"[^*]/)
      assert.notMatch(ended.stderr, /Bearer \S{8}/)
      const timed = ok(yield* run(`operations list network ${uuid} --timing`))
      assert.strictEqual(lines(timed.stderr).length, 3)
    })
  )
})

describe("the command line", () => {
  it("is the program's own, in help, version and usage errors", () => {
    assert.match(print("--version").stdout, /^shakenfist-wait \d+\.\d+\.\d+\n$/)
    for (const line of ["--help", "help", "help options", "help exit-codes", "help operations", "settle --help"]) {
      const { code, stderr, stdout } = print(line)
      assert.deepStrictEqual([code, stderr], [0, ""], line)
      assert.notMatch(stdout, /manila|openstack|OS_|MANILA_/i, line)
    }
    for (const line of [
      "",
      "setle",
      "settle",
      "settle share x",
      "await network x",
      "--os-cloud x settle",
      "operations"
    ]) {
      const { code, stderr, stdout } = print(line)
      assert.deepStrictEqual([code, stdout], [2, ""], line)
      assert.match(stderr, /^shakenfist-wait: .*\nusage: shakenfist-wait [^\n]*\n$/, line)
      assert.notMatch(stderr, /manila/i, line)
    }
  })

  it.each(specs.map((spec) => [Spec.nameOf(spec), spec] as const))("help of %s names every option", (name, spec) => {
    const { stdout } = print(`${name} --help`)
    assert.isTrue(stdout.startsWith(`usage: shakenfist-wait ${name} `))
    for (const option of Object.values({ ...Spec.optionsOf(spec), ...Spec.formattingOf(spec) })) {
      for (const flag of option.flags) assert.include(stdout, flag)
    }
    for (const line of stdout.split("\n")) assert.isAtMost(line.length, 100)
  })

  it("reads its own variables, and not manila's", () => {
    assert.match(
      print(`settle network ${nobody}`, { SHAKENFIST_WAIT_TIMEOUT: "soon" }).stderr,
      /SHAKENFIST_WAIT_TIMEOUT/
    )
    const decision = decide(["settle", "network", nobody], { MANILA_WAIT_TIMEOUT: "soon" }, specs, program)
    assert.strictEqual(decision._tag, "Run")
  })

  it("lets words be shortened, and knows what comes near", () => {
    assert.strictEqual(decide(["op", "sh", "net_op", nobody], {}, specs, program)._tag, "Run")
    assert.match(print("setle network x").stderr, /Did you mean settle\?/)
  })
})
