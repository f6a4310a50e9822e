/** A week of a busy cluster, which nobody has to wait for. */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { client, now, on, op, until } from "./support.ts"

const day = 86_400_000

describe("a week of a busy cluster", () => {
  it("passes in seconds: 20 instances measured every five minutes, a change a minute, some of them failing", () => {
    let changes = 0
    let errors = 0
    on(
      {
        tokenLife: "30 days",
        lifecycles: { sweep: [["queued", 2000], ["executing", 3000], ["complete"]] },
        upkeep: { walkPerOperation: "20 millis", sweepPerInstance: "100 millis" }
      },
      (cluster) =>
        Effect.gen(function* () {
          const uuids = yield* Effect.forEach(Array.from({ length: 20 }), () =>
            Effect.map(cluster.instance(), ({ uuid }) => uuid)
          )
          const ask = yield* client(cluster)
          let most = 0
          for (let minute = 0; minute < 7 * 24 * 60; minute++) {
            yield* until(minute * 60_000 + 500)
            const uuid = uuids[minute % uuids.length]!
            const fails = minute % 50 === 0
            if (fails) errors++
            changes++
            yield* op(cluster, uuid, [["queued", 1000], ["executing", 20_000], [fails ? "error" : "complete"]])
            if (minute % 60 === 30) {
              const { json, status } = yield* ask("GET", `/instances/${uuid}`)
              assert.strictEqual(status, 200)
              assert.deepInclude(json as object, { state: "created", has_pending_operations: true })
              most = Math.max(most, (yield* cluster.backlog).cluster_deleted_object_backlog)
            }
          }
          yield* until(7 * day)
          assert.strictEqual(yield* now, 7 * day)
          const listed = yield* Effect.forEach(uuids, (uuid) => cluster.operations({ type: "instance", uuid }))
          const left = listed.flat()
          // Every error of the week is still listed, and of all the rest only what is young.
          assert.strictEqual(left.filter(({ state }) => state === "error").length, errors)
          assert.isBelow(left.length - errors, 20 * 3 + 10)
          // No more piles up than some minutes bring.
          assert.isBelow(most, 20 * 3)
        })
    )
    assert.strictEqual(changes, 10_080)
    assert.strictEqual(errors, 202)
  }, 30_000)
})
