import * as Share from "@effect-manila/core/manila/Share"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as FakeManila from "@effect-manila/test-kit/FakeManila"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"

const create = Share.create({ shareProto: "NFS", size: 1 })
const names = Effect.map(Stream.runCollect(Share.list({ allProjects: true })), (shares) =>
  Chunk.toReadonlyArray(shares).map(({ name }) => name)
)

describe("the client on a cloud of its own", () => {
  it("has the cloud beside it, made anew by every use of the layer", () => {
    const layer = FakeManila.layer()
    const count = Effect.gen(function* () {
      yield* create
      const { journal } = yield* FakeCloud.FakeCloud
      return (yield* journal.entries).filter(({ method, path }) => method === "POST" && path.endsWith("/shares")).length
    })
    const twice = Effect.all([Effect.provide(count, layer), Effect.provide(count, layer)])
    assert.deepStrictEqual(VirtualTime.runSync(twice), [1, 1])
  })

  it("sends nothing before the first operation", () => {
    const { entries } = VirtualTime.runSync(
      Effect.provide(
        Effect.flatMap(FakeCloud.FakeCloud, ({ journal }) => Effect.map(journal.entries, (entries) => ({ entries }))),
        FakeManila.layer()
      )
    )
    assert.deepStrictEqual(entries, [])
  })

  it("takes the cloud's options, who signs in, and what goes wrong", () => {
    const cloud = { seed: { shares: [{ name: "mine" }] } }
    const run = (options: FakeManila.Options) => VirtualTime.runSync(Effect.provide(names, FakeManila.layer(options)))
    assert.deepStrictEqual(run({ cloud }), ["mine"])
    assert.deepStrictEqual(run({ cloud, as: "admin" }), ["mine"])
    const over = Effect.provide(Effect.flip(create), FakeManila.layer({ cloud: { quotas: { shares: 0 } } }))
    assert.strictEqual(VirtualTime.runSync(over)._tag, "OverQuota")
    const others = Effect.provide(names, FakeManila.layer({ cloud, as: "other" }))
    assert.deepStrictEqual(VirtualTime.runSync(others), [])
    const faults = [Faults.on({ method: "POST", path: "/share/v2/shares" }, Faults.status(403))]
    const broken = Effect.provide(Effect.flip(create), FakeManila.layer({ as: "admin", faults }))
    assert.strictEqual(VirtualTime.runSync(broken)._tag, "Forbidden")
  })

  it("speaks the microversion it is told to", () => {
    const asked = Effect.gen(function* () {
      yield* create
      const { journal } = yield* FakeCloud.FakeCloud
      return (yield* journal.entries).at(-1)?.microversion
    })
    assert.strictEqual(VirtualTime.runSync(Effect.provide(asked, FakeManila.layer({ microversion: "2.51" }))), "2.51")
  })
})
