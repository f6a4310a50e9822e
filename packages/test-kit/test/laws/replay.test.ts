/**
 * An incident told again gives the same looks, the same ending and the same requests.
 */
import * as Plan from "@effect-manila/test-kit/Plan"
import * as Reference from "@effect-manila/test-kit/model/Reference"
import * as Replay from "@effect-manila/test-kit/Replay"
import * as Timeline from "@effect-manila/test-kit/Timeline"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"

const share = "/share/v2/shares/7a7e0b6c-3ee2-4b41-9d0e-0f7c1d5ab001"

const lines = [
  { time: "2024-01-01T00:00:00.000Z", method: "POST", path: "/identity/v3/auth/tokens", query: [], status: 201 },
  { method: "POST", path: "/share/v2/shares", status: 202 },
  { method: "GET", path: share, status: 200 },
  { event: "status", kind: "share", id: "7a7e", status: "creating", elapsedMillis: 0, looks: 1 },
  { method: "GET", path: share, status: 503 },
  { event: "fault", id: "7a7e", detail: "503", inARow: 1, tolerated: 10 },
  { method: "GET", path: share, status: 0 },
  { event: "fault", id: "7a7e", detail: "reset", inARow: 2, tolerated: 10 },
  { method: "GET", path: share, status: 401 },
  { method: "GET", path: share, status: 200 },
  { event: "status", id: "7a7e", status: "creating", elapsedMillis: 15_000, looks: 4 },
  { method: "GET", path: share, status: 200 },
  { event: "status", id: "7a7e", status: "error", elapsedMillis: 20_000, looks: 5 },
  { event: "ended", id: "7a7e", ending: "failed" }
]
const incident = Replay.parse(
  ["a line of something else", ...lines.map((line) => JSON.stringify(line)), "", "{broken"].join("\n")
)

describe("an incident", () => {
  it("is what its lines say, and what is no line of it is left", () => {
    assert.strictEqual(incident.requests.length, 8)
    assert.strictEqual(incident.looks.length, 5)
  })

  it("gives the scenario of its wait", () => {
    const scenario = Replay.scenario(incident, { goal: { wanted: ["available"], failures: ["error"] } })
    assert.strictEqual(Timeline.format(scenario.timeline), "creating 20s, then error")
    const { at, ending, looks } = Reference.story(scenario)
    assert.deepStrictEqual(
      looks.map(({ kind, start }) => [start, kind]),
      [
        [0, "seen"],
        [5000, "transient"],
        [10_000, "transient"],
        [15_000, "seen"],
        [20_000, "seen"]
      ]
    )
    assert.deepStrictEqual([ending, at], [{ _tag: "failed", status: "error" }, 20_000])
  })

  it("gives a plan that can be followed, with any id in place of its own", () => {
    const plan = Replay.plan(incident, { action: "share.create" })
    assert.deepStrictEqual(plan, {
      lifecycles: { "share.create": [["creating", "20000 millis"], "error"] },
      faults: [
        { method: "GET", path: "/share/v2/shares/*", nth: 2, status: 503 },
        { method: "GET", path: "/share/v2/shares/*", nth: 3, reset: true },
        { method: "GET", path: "/share/v2/shares/*", nth: 4, expiredToken: true }
      ]
    })
    const decoded = Effect.runSync(Plan.decode(JSON.parse(JSON.stringify(plan))))
    assert.deepStrictEqual(
      decoded.faults.map(({ match, outcome }) => ({ nth: match.nth, path: match.path, outcome })),
      Replay.faults(incident).map(({ match, outcome }) => ({ nth: match.nth, path: match.path, outcome }))
    )
  })
})
