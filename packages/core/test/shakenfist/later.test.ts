/** A settling in parts: the first listing now, the wait later, under a limit that others share. */
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { busy, lines, now, on, times } from "./support.ts"

describe("a settling in parts", () => {
  it("what failed between the listing and the wait fails it, and what had failed before does not", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const old = yield* busy(cluster, uuid, [["error"]])
        const known = yield* Settle.failedBefore("instance", uuid)
        assert.deepStrictEqual(known, [old.uuid])
        yield* Settle.instance(uuid, { known })
        const made = yield* busy(cluster, uuid, [["error"]])
        const error = yield* Effect.flip(Settle.instance(uuid, { known }))
        assert.strictEqual(error._tag === "OperationFailed" ? error.uuid : error._tag, made.uuid)
        // A listing now would take it for an old one.
        yield* Settle.instance(uuid)
        assert.strictEqual(lines(calls()).filter((line) => line === "GET /clusteroperations").length, 1 + 1 + 1 + 2)
      })
    ))

  it("the first part asks for the capability, and tells what isn't there", () => {
    on({ options: { without: [Settle.capability] } }, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        const error = yield* Effect.flip(Settle.failedBefore("instance", uuid))
        assert.deepStrictEqual([error._tag, calls().length], ["Incapable", 0])
        assert.include(error.message, `Instance ${uuid}`)
      })
    )
    on({}, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Settle.failedBefore("network", "00000000-0000-4000-8000-00000000dead"))
        assert.strictEqual(error._tag === "Gone" ? error.during : error._tag, "the first listing")
      })
    )
  })

  it("a deadline that others share goes before the time-out, and a pace before the interval", () =>
    on({}, ({ calls, cluster }) =>
      Effect.gen(function* () {
        const { uuid } = yield* cluster.instance()
        yield* busy(cluster, uuid)
        const limit = yield* Deadline.start("10 seconds")
        yield* Effect.sleep("4 seconds")
        const error = yield* Effect.flip(
          Settle.awaitNoPendingOperations("instance", uuid, {
            limit,
            pace: Pace.backoff({ initial: "1 second", cap: "1 minute" }),
            timeout: "1 hour",
            interval: "1 minute"
          })
        )
        assert.strictEqual(error._tag, "WaitTimedOut")
        assert.deepStrictEqual([times(calls()), yield* now], [[4000, 5000, 7000, 10_000], 10_000])
        const few = yield* Effect.flip(Settle.awaitNoPendingOperations("instance", uuid, { attempts: 2 }))
        assert.strictEqual(few._tag === "WaitTimedOut" ? few.cause : few._tag, "attempts")
      })
    ))
})
