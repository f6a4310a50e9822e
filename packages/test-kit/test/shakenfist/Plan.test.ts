/** The part of a plan file that is about a Shaken Fist cluster. */
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Plan from "@effect-manila/test-kit/Plan"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const problems = (input: unknown) =>
  Effect.runSync(Effect.flatMap(Plan.decode(input), (plan) => Plan.buildCluster(plan)).pipe(Effect.flip)).problems.map(
    ({ path, problem }) => `${path}: ${problem}`
  )

const build = (input: unknown) => Effect.flatMap(Plan.decode(input), (plan) => Plan.buildCluster(plan))

describe("a plan for a Shaken Fist cluster", () => {
  it("has objects with operations, whose states follow from the clock", () =>
    VirtualTime.runSync(
      Effect.gen(function* () {
        const { app, cluster } = yield* build({
          shakenfist: {
            instances: [
              {
                name: "web",
                operations: [
                  {
                    type: "node_inst_op",
                    tasks: ["instance_start"],
                    phases: [["queued", 2], ["executing", "3 seconds"], "error"]
                  },
                  { observational: true }
                ]
              }
            ]
          }
        })
        const client = InProcess.make(app)
        const ask = (method: "GET" | "POST", path: string, body: object, token = "") =>
          client
            .execute(
              HttpClientRequest.make(method)(`${InProcess.defaultOrigin}${path}`).pipe(
                HttpClientRequest.bodyUnsafeJson(body),
                HttpClientRequest.setHeaders({ accept: "application/json", authorization: `Bearer ${token}` })
              )
            )
            .pipe(Effect.flatMap(({ json }) => json))
        const login = yield* ask("POST", "/auth", cluster.system)
        const { access_token: token } = login as { readonly access_token: string }
        const listed = Effect.map(ask("GET", "/instances/web/clusteroperations", { all: true }, token), (all) =>
          (all as ReadonlyArray<Readonly<Record<string, unknown>>>).map((one) => [
            one["operation_type"],
            one["tasks"],
            one["state"],
            one["observational"]
          ])
        )
        const measured = ["net_op", ["test_task"], "queued", true]
        assert.deepStrictEqual(yield* listed, [measured, ["node_inst_op", ["instance_start"], "queued", false]])
        yield* Effect.sleep("2 seconds")
        assert.deepStrictEqual((yield* listed)[1]?.[2], "executing")
        yield* Effect.sleep("3 seconds")
        assert.deepStrictEqual((yield* listed)[1]?.[2], "error")
      })
    ))

  it("says what becomes of operations, what the server lacks, and what goes wrong on the way", () =>
    VirtualTime.runSync(
      Effect.gen(function* () {
        const { app, cluster, variables } = yield* build({
          tokenLifetime: 60,
          shakenfist: {
            without: ["hot-plug-interface"],
            lifecycles: { "network.create": [[["queued", 1], "error"], ["queued"]] }
          },
          faults: [{ path: "networks", nth: 1, status: 503 }]
        })
        assert.strictEqual(variables("http://x")["SHAKENFIST_API_URL"], "http://x")
        const client = InProcess.make(app)
        const page = yield* Effect.flatMap(client.get(`${InProcess.defaultOrigin}/`), ({ text }) => text)
        assert.notInclude(page, "hot-plug-interface")
        const refused = yield* client.get(`${InProcess.defaultOrigin}/networks`)
        // In the service's own form.
        assert.deepInclude(yield* refused.json, { status: 503 })
        const { uuid } = yield* cluster.network()
        assert.deepStrictEqual(yield* cluster.operations({ type: "network", uuid }), [])
      })
    ))

  it("is told what is wrong with it, by its place", () => {
    assert.deepStrictEqual(problems({ shakenfist: { networks: [{ operations: [{ phases: [["queued", 2]] }] }] } }), [
      "shakenfist.networks[0].operations[0].phases[0]: queued is the last status and stands for ever: leave its duration out"
    ])
    assert.deepStrictEqual(problems({ shakenfist: { without: ["telepathy"] } }), [
      "shakenfist.without: no capability is telepathy"
    ])
    assert.match(
      problems({ shakenfist: { networks: [{ operations: [{ phases: ["dancing"] }] }] } })[0] ?? "",
      /^shakenfist\..*: dancing is no state of a cluster operation$/
    )
    assert.match(problems({ shakenfist: { netwerks: [] } })[0] ?? "", /did you mean networks/)
    assert.match(problems({ shakenfist: { lifecycles: { "network.creat": ["queued"] } } })[0] ?? "", /network.create/)
  })

  it("has every key of it named in the document", () => {
    const document = readFileSync(new URL("../../../../docs/fake-cloud.md", import.meta.url), "utf8")
    const known = [
      { zzzzzz: 1 },
      { networks: [{ zzzzzz: 1 }] },
      { networks: [{ operations: [{ zzzzzz: 1 }] }] },
      { lifecycles: { zzzzzz: 1 } }
    ].flatMap((shakenfist) =>
      problems({ shakenfist }).flatMap((problem) => /what may stand there: (.*)$/.exec(problem)?.[1]?.split(", ") ?? [])
    )
    assert.isAbove(known.length, 20)
    for (const name of known) assert.match(document, new RegExp(`[\`"]${name.replace(".", "\\.")}[\`"]`), name)
  })
})
