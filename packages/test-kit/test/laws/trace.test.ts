/**
 * Pictures of a wait, and the scenarios that are drawn.
 */
import * as Openstack from "@effect-manila/test-kit/arbitrary/Openstack"
import * as Scenarios from "@effect-manila/test-kit/arbitrary/Scenarios"
import * as Timelines from "@effect-manila/test-kit/arbitrary/Timelines"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Reference from "@effect-manila/test-kit/model/Reference"
import * as Scenario from "@effect-manila/test-kit/model/Scenario"
import * as Timeline from "@effect-manila/test-kit/Timeline"
import * as Trace from "@effect-manila/test-kit/Trace"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

const scenario = Scenario.make([["working", "9 seconds"], ["moving", "5 seconds"], ["ready"]], {
  incidents: [{}, { fault: "transient" }, { takes: 2000 }],
  limit: 20_000
})
const trace = Trace.make(scenario, Reference.story(scenario))

describe("a trace", () => {
  it("is a few lines of text", () =>
    assert.strictEqual(
      Trace.toText(trace, { width: 41 }),
      [
        "status  working-----------moving----ready--------",
        "looks   o         x         o====     o#        |",
        "        0                                     20s",
        "seen    0 working",
        "        5s transient fault",
        "        10s moving (until 12s)",
        "        15s ready",
        "ended   15s: reached at ready"
      ].join("\n")
    ))

  it("is one element of SVG with a dot for each look", () => {
    const svg = Trace.toSvg(trace)
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /)
    assert.match(svg, /<\/svg>$/)
    assert.strictEqual(svg.match(/<circle /g)?.length, 4)
    assert.strictEqual(svg.match(/<rect /g)?.length, 3)
    assert.include(svg, "<title>5s transient fault</title>")
    assert.notInclude(Trace.toSvg({ ...trace, ending: "<b>&" }), "<b>")
  })

  it("has as many marks as there are looks, and fits, whatever the scenario", () => {
    FastCheck.assert(
      FastCheck.property(Scenarios.scenario(), (scenario) => {
        const story = Reference.story(scenario)
        const drawn = Trace.make(scenario, story)
        const lines = Trace.toText(drawn).split("\n")
        assert.isAtMost(Math.max(...lines.slice(0, 3).map((line) => line.length)), 81)
        assert.strictEqual(Trace.toSvg(drawn).match(/<circle /g)?.length ?? 0, story.looks.length)
        assert.isAtMost(Scenario.format(scenario).split("\n").length, 4)
      }),
      { numRuns: 200, seed: 1 }
    )
  })
})

describe("what is drawn", () => {
  const sample = FastCheck.sample(Scenarios.scenario(), { numRuns: 2000, seed: 11 })
  const stories = sample.map((scenario) => Reference.story(scenario))

  it("every ending there is, and waits of several looks", () => {
    const endings = new Set(stories.map(({ ending }) => (ending._tag === "timedOut" ? ending.cause : ending._tag)))
    assert.deepStrictEqual([...endings].toSorted(), [
      "attempts",
      "failed",
      "faulted",
      "interrupted",
      "limit",
      "needsAction",
      "reached",
      "schedule"
    ])
    assert.isAbove(stories.filter(({ looks }) => looks.length > 3).length, 500)
  })

  it("statuses that begin exactly on a tick, and a millisecond beside it", () => {
    const units = FastCheck.sample(Timelines.timeline(1000), { numRuns: 500, seed: 1 })
    const edges = units.flatMap((timeline) => Timeline.boundaries(timeline)).map((at) => at % 1000)
    for (const edge of [0, 1, 999]) assert.isAbove(edges.filter((one) => one === edge).length, 20)
  })

  it("a counterexample shrinks to next to nothing", () => {
    const result = FastCheck.check(
      FastCheck.property(Scenarios.scenario(), (scenario) => Reference.story(scenario).ending._tag !== "reached"),
      { seed: 1, numRuns: 1000 }
    )
    const shrunk = result.counterexample?.[0]
    assert(shrunk !== undefined)
    assert.deepStrictEqual(
      [shrunk.timeline.spans.length, shrunk.incidents, shrunk.limit, shrunk.attempts, shrunk.repeats],
      [1, [], Infinity, Infinity, Infinity]
    )
  })

  it("headers, versions and catalogs that clouds have", () => {
    const now = 1_700_000_000_123
    for (const { header, millis } of FastCheck.sample(Openstack.retryAfterHeader(now), { numRuns: 200, seed: 1 })) {
      if (/^\d+$/.test(header)) assert.strictEqual(millis, Number(header) * 1000)
      else if (millis !== undefined) assert.strictEqual(Math.max(0, Date.parse(header) - now), millis)
    }
    for (const { max, min } of FastCheck.sample(Openstack.microversionRange(), { numRuns: 200, seed: 1 })) {
      assert.isAtMost(Number(min.slice(2)), Number(max.slice(2)))
    }
    for (const catalog of FastCheck.sample(Openstack.catalog, { numRuns: 50, seed: 1 })) {
      Effect.runSync(FakeCloud.make({ catalog }))
    }
  })
})
