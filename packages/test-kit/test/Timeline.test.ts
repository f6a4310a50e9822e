import { assert, describe, it } from "@effect/vitest"
import * as Timeline from "@effect-manila/test-kit/Timeline"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"

const life = Timeline.make([["creating", "20 seconds"], ["deleting", 500], ["gone"]])

describe("Timeline", () => {
  it("a status begins at its boundary, and the last one stands for ever", () => {
    const times = [-1, 0, 19_999, 19_999.9, 20_000, 20_499, 20_500, 1e15]
    assert.deepStrictEqual(
      times.map((millis) => Timeline.at(life, millis)),
      ["creating", "creating", "creating", "creating", "deleting", "deleting", "gone", "gone"]
    )
    assert.deepStrictEqual(Timeline.boundaries(life), [20_000, 20_500])
    assert.strictEqual(Timeline.end(life), 20_500)
    assert.deepStrictEqual(Timeline.statuses(life), ["creating", "deleting", "gone"])
  })

  it("`gone` is seen as nothing", () => {
    assert.deepStrictEqual(Timeline.observe(life, 0), Option.some("creating"))
    assert.deepStrictEqual(Timeline.observe(life, 20_500), Option.none())
  })

  it("a status of no duration is never seen", () => {
    const skips = Timeline.make([["a", 0], ["b", 1], ["c", 0], ["d"]])
    assert.deepStrictEqual([Timeline.at(skips, 0), Timeline.at(skips, 1)], ["b", "d"])
  })

  it("is told in one line", () => {
    assert.strictEqual(Timeline.format(life), "creating 20s, then deleting 500ms, then gone")
  })

  it("mistakes are named", () => {
    assert.throws(() => Timeline.make([]), /at least one/)
    assert.throws(() => Timeline.make([["creating"], ["available"]]), /status 1 \(creating\) has no duration/)
    assert.throws(() => Timeline.make([["creating", "1 second"]]), /last status \(creating\) stands for ever/)
    assert.throws(() => Timeline.fromPhases([{ status: "a", millis: -1 }, { status: "b" }]), /can't last -1 ms/)
  })

  it("phases and timelines are the same data", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.record({ status: FastCheck.string(), millis: FastCheck.nat() })),
        FastCheck.nat(),
        (phases, millis) => {
          const all = [...phases, { status: "end" }]
          const timeline = Timeline.fromPhases(all)
          assert.deepStrictEqual(Timeline.toPhases(timeline), all)
          const at = Timeline.at(timeline, millis)
          assert.isTrue(timeline.spans.some((span) => span.status === at && millis >= span.start && millis < span.end))
        }
      )
    )
  })
})
