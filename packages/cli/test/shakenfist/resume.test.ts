import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { busy, claim, events, fails, goOn, lines, looksAt, ok, rows } from "./support.ts"

describe("--no-wait", () => {
  claim("makes the first listing, looks at nothing, and prints how to wait", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      yield* busy(cluster, "network", uuid)
      const ended = ok(yield* run("settle network lan --no-wait -f json"))
      assert.deepStrictEqual(ended.requests, ["GET /networks/lan", "GET /clusteroperations"])
      assert.deepStrictEqual(
        rows(ended).map((row) => [row["UUID"], row["State"]]),
        [[uuid, ""]]
      )
      assert.match(
        ended.stderr,
        /^network lan \(.*\): not waited for. Wait with: shakenfist-wait settle --resume mw1\..*\n$/
      )
      const told = events(ok(yield* run("settle network lan --no-wait --progress json")))
      assert.deepStrictEqual(
        told.map(({ event, id }) => [event, id]),
        [["resume", uuid]]
      )
    })
  )

  claim("carries what had failed already, so that what fails in between is seen later", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      const old = yield* busy(cluster, "network", uuid, [["error"]])
      const later = goOn(ok(yield* run(`settle network ${uuid} --no-wait`)))
      assert.strictEqual(ok(yield* run(later)).requests.length, 2)
      const operation = yield* busy(cluster, "network", uuid, [["queued", 2_000], ["error"]])
      yield* Effect.sleep("1 minute")
      // A new wait would take the failure for an old one.
      ok(yield* run(`settle network ${uuid}`))
      const ended = fails(yield* run(`${later} -f json`), 3)
      assert.strictEqual(rows(ended)[0]?.["Failed Operation"], operation.uuid)
      assert.notInclude(ended.stderr, old.uuid)
      assert.deepStrictEqual(ended.requests, [`GET /networks/${uuid}`, "GET /clusteroperations"])
    })
  )

  claim("of an await asks for nothing but the name", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      const ended = ok(yield* run("await instance web --for created --no-wait"))
      assert.deepStrictEqual(ended.requests, ["GET /instances/web"])
      assert.deepStrictEqual(ok(yield* run(goOn(ended))).requests, [`GET /instances/${uuid}`])
    })
  )

  claim("keeps a limit that was given, and has the usual one otherwise", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      yield* busy(cluster, "network", uuid)
      const limited = goOn(ok(yield* run(`settle network ${uuid} --no-wait --timeout 60`)))
      const unlimited = goOn(ok(yield* run(`settle network ${uuid} --no-wait`)))
      yield* Effect.sleep("40 seconds")
      assert.strictEqual(fails(yield* run(limited), 4).millis, 20_000)
      assert.strictEqual(fails(yield* run(unlimited), 4).millis, 300_000)
      // The deadline has passed: one look.
      const ended = fails(yield* run(limited), 4)
      assert.deepStrictEqual([ended.millis, looksAt(ended, uuid)], [0, [0]])
      assert.strictEqual(fails(yield* run(`${limited} --timeout 7`), 4).millis, 7_000)
    })
  )
})

describe("a resume token", () => {
  claim("of another cluster, another namespace or another command is 2, and nothing is sent", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      const settle = goOn(ok(yield* run(`settle network ${uuid} --no-wait`)))
      const others = [
        run(settle, { as: "system" }),
        run(settle, { env: { SHAKENFIST_API_URL: "http://elsewhere.test" } }),
        run(settle.replace("settle", "await")),
        run(`${settle}x`),
        run(settle.slice(0, -4)),
        run(`${settle} --for created`),
        run(`${settle} ${uuid}`)
      ]
      for (const other of others) {
        const ended = fails(yield* other, 2)
        assert.deepStrictEqual([ended.sent, ended.stdout], [[], ""])
        assert.match(ended.stderr, /^shakenfist-wait: /)
      }
      assert.include((yield* run(settle, { as: "system" })).stderr, "another cluster or namespace")
      assert.include((yield* run(settle.replace("settle", "await"))).stderr, "one of shakenfist-wait settle")
    })
  )

  claim("holds no secret, and the command around it repeats none", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network()
      const { key, namespace } = cluster.demo
      const flags = `--apiurl http://fake-cloud.test --auth-namespace ${namespace} --key ${key}`
      const ended = ok(yield* run(`settle network ${uuid} --no-wait ${flags}`, { bare: true }))
      const command = goOn(ended)
      assert.notInclude(ended.stderr, key)
      assert.notInclude(Buffer.from(command.split(".")[1] ?? "", "base64url").toString(), key)
      assert.include(command, `--apiurl http://fake-cloud.test --auth-namespace ${namespace} --key "$SHAKENFIST_KEY"`)
      ok(yield* run(command.replace(`"$SHAKENFIST_KEY"`, key), { bare: true }))
    })
  )
})

describe("Ctrl-C", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    claim(`${signal} ends with ${code}, asks nothing more, and says how to go on with the time that is left`, (world) =>
      Effect.gen(function* () {
        const { cluster, run } = world
        const { uuid } = yield* cluster.network({ name: "lan" })
        yield* busy(cluster, "network", uuid)
        const ended = fails(
          yield* run("settle network lan --timeout 60", {
            meanwhile: (stdio) =>
              Effect.delay(
                Effect.sync(() => stdio.signal(signal)),
                12_000
              )
          }),
          code
        )
        assert.deepStrictEqual([ended.millis, looksAt(ended, uuid)], [12_000, [0, 5, 10]])
        assert.strictEqual(ended.stdout, "")
        assert.match(
          lines(ended.stderr).at(-2) ?? "",
          /^network lan .*: interrupted while waiting for no pending operations/
        )
        assert.strictEqual(fails(yield* run(goOn(ended)), 4).millis, 48_000)
      })
    )
  }
})
