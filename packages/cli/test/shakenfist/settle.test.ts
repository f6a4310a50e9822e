import * as Faults from "@effect-manila/test-kit/Faults"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { busy, claim, events, fails, goOn, lines, looksAt, nobody, ok, rows } from "./support.ts"

describe("settle ends well", () => {
  claim("at once when nothing is pending, with two listings around one look", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      const ended = ok(yield* run(`settle instance ${uuid} -f json`))
      assert.deepStrictEqual(rows(ended), [
        { Kind: "instance", UUID: uuid, Name: null, State: "settled", "Failed Operation": null }
      ])
      assert.deepStrictEqual(ended.requests, [
        "GET /clusteroperations",
        `GET /instances/${uuid}`,
        "GET /clusteroperations"
      ])
      assert.strictEqual(ended.millis, 0)
      assert.deepStrictEqual(lines(ended.stderr), [
        `instance ${uuid}: settle: waiting for no pending operations, 5 min at most`,
        `instance ${uuid}: settled after 0 s, 1 look`
      ])
    })
  )

  claim(
    "after what was pending, looking every 10 s at instances, 5 s at networks, 1 s at artifacts",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        const objects = [
          ["instance", yield* cluster.instance(), [0, 10, 20]],
          ["network", yield* cluster.network(), [0, 5, 10, 15]],
          ["artifact", yield* cluster.artifact(), Array.from({ length: 14 }, (_, n) => n)]
        ] as const
        for (const [kind, { uuid }, times] of objects) {
          yield* busy(cluster, kind, uuid, [["queued", 5_000], ["executing", 7_500], ["complete"]])
          const ended = ok(yield* run(`settle ${kind} ${uuid}`))
          assert.deepStrictEqual(looksAt(ended, uuid), times)
        }
      })
  )

  claim("through an operation that was put off, and whatever only measures", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid, [
        ["executing", 3_000],
        ["queued", 4_000],
        ["executing", 2_000],
        ["complete"]
      ])
      yield* busy(cluster, "network", uuid, [["queued"]], { observational: true })
      assert.strictEqual(ok(yield* run(`settle network ${uuid}`)).millis, 10_000)
    })
  )

  claim("whatever had failed before", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid, [["error"]])
      yield* busy(cluster, "network", uuid, [["queued", 3_000], ["complete"]])
      ok(yield* run(`settle network ${uuid}`))
    })
  )

  claim("on the id of a name, which is told before the first look", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      const ended = ok(yield* run("settle instance web -f value"))
      assert.strictEqual(ended.stdout, `instance ${uuid} web settled None\n`)
      assert.deepStrictEqual(ended.requests, [
        "GET /instances/web",
        "GET /clusteroperations",
        `GET /instances/${uuid}`,
        "GET /clusteroperations"
      ])
      assert.match(ended.stderr, new RegExp(`^instance web \\(${uuid}\\): settle: waiting`))
    })
  )
})

describe("settle fails", () => {
  claim("with 3 and the operation's uuid, type and tasks", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      const operation = yield* busy(cluster, "instance", uuid, [["queued", 4_000], ["error"]], {
        type: "node_inst_op",
        tasks: ["instance_preflight", "instance_start"]
      })
      const ended = fails(yield* run("settle instance web -f json"), 3)
      assert.deepStrictEqual(rows(ended), [
        { Kind: "instance", UUID: uuid, Name: "web", State: "error", "Failed Operation": operation.uuid }
      ])
      for (const part of [operation.uuid, "node_inst_op", "instance_preflight, instance_start", uuid, "error"]) {
        assert.include(lines(ended.stderr).at(-1), part)
      }
      assert.notInclude(ended.stderr, "--resume")
    })
  )

  claim("with 4 at its limit, and says how to go on with the whole limit once more", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid)
      const ended = fails(yield* run(`settle network ${uuid} --timeout 12`), 4)
      assert.deepStrictEqual(looksAt(ended, uuid), [0, 5, 10, 12])
      assert.strictEqual(ended.millis, 12_000)
      assert.include(ended.stderr, `shakenfist-wait: Network ${uuid}: its operations did not complete within 12 s`)
      assert.include(goOn(ended), "--timeout 12")
      // After a time-out there is no second listing.
      assert.strictEqual(ended.requests.filter((request) => request === "GET /clusteroperations").length, 1)
      assert.deepStrictEqual(fails(yield* run(goOn(ended)), 4).millis, 12_000)
    })
  )

  claim("with 4 after 300 s by default", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance()
      yield* busy(cluster, "instance", uuid)
      const ended = fails(yield* run(`settle instance ${uuid}`), 4)
      assert.deepStrictEqual([ended.millis, looksAt(ended, uuid).length], [300_000, 31])
      assert.include(ended.stderr, "within 5 minutes")
    })
  )

  claim("with 4 when its looks are used up, which is no limit to begin again", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid)
      const ended = fails(yield* run(`settle network ${uuid} --max-attempts 3 --interval 2`), 4)
      assert.deepStrictEqual(looksAt(ended, uuid), [0, 2, 4])
      assert.notInclude(goOn(ended), "--timeout")
      assert.include(goOn(ended), "--interval 2 --max-attempts 3")
    })
  )

  claim("with one look and 4 when it has no time at all, by name too", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      yield* busy(cluster, "network", uuid)
      const ended = fails(yield* run("settle network lan --timeout 0"), 4)
      assert.deepStrictEqual([ended.millis, looksAt(ended, uuid)], [0, [0]])
    })
  )

  claim("with one look also when the first answer took what there was", ({ cluster, fault, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* fault(Faults.on({ path: "/", delay: "1 second" }, Faults.pass))
      assert.deepStrictEqual(looksAt(ok(yield* run(`settle network ${uuid} --timeout 0`)), uuid), [1])
    })
  )

  claim("with 5 for what isn't there, and for what goes away meanwhile", ({ cluster, run }) =>
    Effect.gen(function* () {
      const gone = fails(yield* run(`settle network ${nobody} -f json`), 5)
      assert.include(gone.stderr, `shakenfist-wait: there is no network ${nobody}`)
      assert.deepStrictEqual(gone.requests, ["GET /clusteroperations"])
      const unknown = fails(yield* run("settle network nope"), 5)
      assert.match(unknown.stderr, /^shakenfist-wait: network nope: /)
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid)
      const ended = fails(
        yield* run(`settle network ${uuid} -f json`, {
          meanwhile: () => Effect.delay(cluster.vanish(uuid), 7_000)
        }),
        5
      )
      assert.strictEqual(rows(ended)[0]?.["State"], "gone")
      assert.include(ended.stderr, `Network ${uuid} went away`)
      assert.strictEqual(ended.millis, 10_000)
    })
  )

  claim("with 6 for a key that isn't right, and for an object it may not see", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ namespace: "other" })
      const wrong = fails(yield* run(`settle network ${uuid}`, { env: { SHAKENFIST_KEY: "wrong" } }), 6)
      assert.include(wrong.stderr, "Namespace and key must be those of the URL.")
      assert.notInclude(wrong.stderr, "wrong\n")
      fails(yield* run(`settle network ${uuid}`), 6)
      ok(yield* run(`settle network ${uuid}`, { as: "system" }))
    })
  )
})

describe("a cluster that can't say", () => {
  const without = ["object-pending-operations"]

  claim(
    "ends a settling with 12 and one sentence, before anything but the root page was asked for",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const other = yield* cluster.instance()
        const ended = fails(yield* run(`settle instance ${uuid} ${other.uuid} web`), 12)
        assert.strictEqual(ended.stdout, "")
        assert.deepStrictEqual(
          ended.sent.map(({ method, path }) => `${method} ${path}`),
          ["GET /"]
        )
        assert.strictEqual(lines(ended.stderr).length, 1)
        assert.match(
          ended.stderr,
          /^shakenfist-wait: settle: the server does not announce the capability object-pending-operations; .* shakenfist-wait capabilities\n$/
        )
        const [event] = events(fails(yield* run(`settle instance ${uuid} --progress json`), 12))
        assert.deepStrictEqual([event?.["event"], event?.["ending"]], ["error", "incapable"])
      }),
    { without }
  )

  claim("and breaks its word in the middle ends it with 12 too, and goes on nowhere", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid)
      const drop = cluster.editView(uuid, (view) => ({ ...view, has_pending_operations: undefined }))
      const ended = fails(
        yield* run(`settle network ${uuid} --progress json`, { meanwhile: () => Effect.delay(drop, 7_000) }),
        12
      )
      const last = events(ended).at(-1)
      assert.deepStrictEqual([last?.["event"], last?.["ending"], last?.["resume"]], ["ended", "incapable", undefined])
      assert.include(String(last?.["detail"]), "no usable field")
      assert.notInclude(ended.stderr, "--resume")
    })
  )

  claim(
    "a namespace for a name ends with 12 where the server can't look names up in one",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        yield* cluster.instance({ name: "web", namespace: "other" })
        const ended = fails(yield* run("settle instance web --namespace other", { as: "system" }), 12)
        assert.include(ended.stderr, "get-instance-namespace")
        assert.deepStrictEqual(ended.requests, [])
      }),
    { without: ["get-instance-namespace"] }
  )
})

describe("several objects", () => {
  claim("share one limit and are looked at together, each with its own record and 9 in all", ({ cluster, run }) =>
    Effect.gen(function* () {
      const fine = yield* cluster.network({ name: "fine" })
      const bad = yield* cluster.network({ name: "bad" })
      const slow = yield* cluster.network({ name: "slow" })
      const operation = yield* busy(cluster, "network", bad.uuid, [["queued", 2_000], ["error"]])
      yield* busy(cluster, "network", slow.uuid)
      const ended = fails(yield* run("settle network fine bad slow nope --timeout 20 -f json"), 9)
      assert.deepStrictEqual(
        rows(ended).map((row) => [row["Name"], row["UUID"], row["State"], row["Failed Operation"]]),
        [
          ["fine", fine.uuid, "settled", null],
          ["bad", bad.uuid, "error", operation.uuid],
          ["slow", slow.uuid, "pending", null],
          ["nope", null, "", null]
        ]
      )
      assert.strictEqual(ended.millis, 20_000)
      assert.deepStrictEqual(looksAt(ended, slow.uuid), [0, 5, 10, 15, 20])
      // One login serves all of them.
      assert.strictEqual(ended.sent.filter(({ path }) => path === "/auth").length, 1)
      assert.strictEqual(ended.sent.filter(({ path }) => path === "/").length, 1)
    })
  )

  claim("named twice, or by name and uuid, are one", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      const ended = ok(yield* run(`settle network lan lan ${uuid} -f json`))
      assert.strictEqual(rows(ended).length, 1)
      assert.strictEqual(looksAt(ended, uuid).length, 1)
    })
  )

  claim("have a limit that a slow name takes from", ({ cluster, fault, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      yield* busy(cluster, "network", uuid)
      yield* fault(Faults.on({ path: "networks/lan", delay: "8 seconds" }, Faults.pass))
      const ended = fails(yield* run("settle network lan --timeout 12"), 4)
      assert.strictEqual(ended.millis, 12_000)
      assert.deepStrictEqual(looksAt(ended, uuid), [8, 12])
    })
  )
})

describe("a namespace", () => {
  claim("says where names are looked up, and is not asked with a uuid", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web", namespace: "other" })
      const ended = ok(yield* run("settle instance web --namespace other", { as: "system" }))
      assert.strictEqual(ended.sent.find(({ path }) => path === "/instances/web")?.body, `{"namespace":"other"}`)
      const byUuid = ok(yield* run(`settle instance ${uuid} --namespace other`, { as: "system" }))
      assert.deepStrictEqual(
        byUuid.sent.filter(({ path }) => path.endsWith(uuid)).map(({ body }) => body),
        [""]
      )
    })
  )
})

describe("faults", () => {
  const look = { method: "GET", path: "networks/*" } as const

  claim("end it at once, with how to go on", ({ cluster, fault, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid, [["queued", 12_000], ["complete"]])
      yield* fault(Faults.on({ ...look, nth: 2 }, Faults.status(503, { body: `{"error":"away","status":503}` })))
      const ended = fails(yield* run(`settle network ${uuid}`), 1)
      assert.deepStrictEqual(looksAt(ended, uuid), [0, 5])
      assert.include(ended.stderr, "away")
      ok(yield* run(goOn(ended)))
    })
  )

  claim("are borne with --tolerate, and a lost connection is tried once more in any case", ({ cluster, fault, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid, [["queued", 12_000], ["complete"]])
      yield* fault(Faults.on({ ...look, nth: 2 }, Faults.status(503)), Faults.on({ ...look, nth: 3 }, Faults.reset))
      const ended = ok(yield* run(`settle network ${uuid} --tolerate 2`))
      assert.include(ended.stderr, "1 of 2 tolerated")
      assert.deepStrictEqual(looksAt(ended, uuid), [0, 5, 10, 10, 15])
    })
  )

  claim("as a token that ends are seen to below the wait", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid, [["queued", 12_000], ["complete"]])
      const ended = ok(
        yield* run(`settle network ${uuid}`, { meanwhile: () => Effect.delay(cluster.expireTokens, 6_000) })
      )
      assert.strictEqual(ended.sent.filter(({ path }) => path === "/auth").length, 2)
    })
  )
})
