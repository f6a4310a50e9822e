import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { claim, events, fails, looksAt, lines, nobody, ok, rows, goOn } from "./support.ts"

describe("await", () => {
  claim("an instance's creation looks every 5 s until it is created", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      yield* cluster.editView(uuid, (view) => ({ ...view, state: "creating" }))
      const ended = ok(
        yield* run("await instance web --for created -f json", {
          meanwhile: () => Effect.delay(cluster.editView(uuid, undefined), 12_000)
        })
      )
      assert.deepStrictEqual(rows(ended), [
        { Kind: "instance", UUID: uuid, Name: "web", State: "created", Matched: "created" }
      ])
      assert.deepStrictEqual(looksAt(ended, uuid), [0, 5, 10, 15])
      assert.deepStrictEqual(lines(ended.stderr), [
        `instance web (${uuid}): waiting for created, 10 min at most`,
        `instance web (${uuid}): creating, after 0 s, 1 look`,
        `instance web (${uuid}): created after 15 s, 4 looks`
      ])
    })
  )

  for (const state of ["error", "preflight-error"]) {
    claim(`a creation that ends in ${state} is 3, on the look that sees it`, ({ cluster, run }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* cluster.editView(uuid, (view) => ({ ...view, state }))
        const ended = fails(yield* run(`await instance ${uuid} --for created -f json`), 3)
        assert.deepStrictEqual([rows(ended)[0]?.["State"], ended.millis], [state, 0])
        assert.include(ended.stderr, state)
        // Nothing of the other cloud's hints.
        assert.notInclude(ended.stderr, "manila")
      })
    )
  }

  claim("a creation of something that isn't there is 5, by uuid and by name", ({ run }) =>
    Effect.gen(function* () {
      for (const ref of [nobody, "nope"]) {
        const ended = fails(yield* run(`await network ${ref} --for created`), 5)
        assert.strictEqual(ended.millis, 0)
        assert.include(ended.stderr, ref)
      }
    })
  )

  claim("a creation and a deletion time out after 600 s with 4", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance()
      const ended = fails(yield* run(`await instance ${uuid} --for deleted`), 4)
      assert.deepStrictEqual([ended.millis, looksAt(ended, uuid).length], [600_000, 121])
      assert.include(goOn(ended), "--timeout 600")
    })
  )

  claim("a deletion ends when the object is deleted, gone, or was never there", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      const ended = ok(
        yield* run(`await network lan nope ${nobody} --for deleted -f json`, {
          meanwhile: () => Effect.delay(cluster.vanish(uuid), 6_000)
        })
      )
      assert.deepStrictEqual(
        rows(ended).map((row) => [row["UUID"], row["Name"], row["State"], row["Matched"]]),
        [
          [uuid, "lan", "deleted", "deleted"],
          [null, "nope", "deleted", "deleted"],
          [nobody, null, "deleted", "deleted"]
        ]
      )
      assert.strictEqual(ended.millis, 10_000)
    })
  )

  claim("a deletion by name never meets another object of that name", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.network({ name: "lan" })
      const replaced = Effect.zipRight(cluster.vanish(uuid), cluster.network({ name: "lan" }))
      const ended = ok(
        yield* run("await network lan --for deleted", { meanwhile: () => Effect.delay(replaced, 6_000) })
      )
      assert.strictEqual(ended.requests.filter((request) => request === "GET /networks/lan").length, 1)
    })
  )

  claim(
    "asks for no capability, and each kind at its own path",
    ({ cluster, run }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.artifact()
        const ended = ok(yield* run(`await artifact ${uuid} --for created`))
        assert.deepStrictEqual(ended.requests, [`GET /artifacts/${uuid}`])
      }),
    { without: ["object-pending-operations", "cluster-operations-by-target"] }
  )

  claim("says in JSON what it sees, and how it ended, once", ({ cluster, run }) =>
    Effect.gen(function* () {
      const { uuid } = yield* cluster.instance({ name: "web" })
      yield* cluster.editView(uuid, (view) => ({ ...view, state: "creating" }))
      const ended = fails(
        yield* run("await instance web --for created --progress json", {
          meanwhile: () =>
            Effect.delay(
              cluster.editView(uuid, (view) => ({ ...view, state: "creating-error" })),
              6_000
            )
        }),
        3
      )
      assert.deepStrictEqual(
        events(ended).map(({ elapsedMillis, ending, event, id, looks, status }) => [
          event,
          id,
          status,
          elapsedMillis,
          looks,
          ending
        ]),
        [
          ["started", uuid, undefined, undefined, undefined, undefined],
          ["status", uuid, "creating", 0, 1, undefined],
          ["status", uuid, "creating", 5_000, 2, undefined],
          ["status", uuid, "creating-error", 10_000, 3, undefined],
          ["ended", uuid, "creating-error", 10_000, 3, "failed"]
        ]
      )
    })
  )
})
