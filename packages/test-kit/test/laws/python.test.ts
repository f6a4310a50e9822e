/**
 * What today's client would have done beside what a wait does here: they differ in the ways that are documented, and in
 * no other.
 */
import * as Scenarios from "@effect-manila/test-kit/arbitrary/Scenarios"
import * as PythonClient from "@effect-manila/test-kit/model/PythonClient"
import * as Reference from "@effect-manila/test-kit/model/Reference"
import * as Scenario from "@effect-manila/test-kit/model/Scenario"
import * as Trace from "@effect-manila/test-kit/Trace"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"

const loops = {
  status: PythonClient.statusLoop,
  delete: PythonClient.deleteLoop
}

type Loop = keyof typeof loops

/** As a wait of that kind is here: every 5 s, without limit for a status, 300 s for a deletion. */
const asked = (loop: Loop, scenario: Scenario.Scenario): Scenario.Scenario => ({
  ...scenario,
  pace: { _tag: "Fixed", interval: 5000 },
  limit: loop === "status" ? Infinity : 300_000,
  attempts: Infinity,
  repeats: Infinity,
  tolerate: 10,
  hold: 500,
  interrupt: 400_000.5,
  goal:
    loop === "status"
      ? { ...scenario.goal, absent: "failed", stable: 1 }
      : { ...scenario.goal, wanted: [], absent: "reached", stable: 1 }
})

const causes = (loop: Loop, scenario: Scenario.Scenario) => {
  const python = loops[loop](scenario)
  const ours = Reference.story(scenario)
  const applying = PythonClient.differences.filter(({ applies }) => applies(scenario, python, ours))
  return { python, ours, names: applying.map(({ name }) => name), agree: PythonClient.agree(python, ours) }
}

describe("the Python client's loops", () => {
  for (const loop of ["status", "delete"] as const) {
    it(`the ${loop} loop differs in documented ways only`, () => {
      const scenarios = Scenarios.scenario().map((one) => asked(loop, one))
      FastCheck.assert(
        FastCheck.property(scenarios, (scenario) => {
          const { agree, names, ours, python } = causes(loop, scenario)
          assert.isTrue(
            agree || names.length > 0,
            `${Scenario.format(scenario)}\n${Trace.toText(Trace.make(scenario, ours))}\nPython: ${python.ending} at ${python.at}`
          )
        }),
        { numRuns: 1000, seed: 7 }
      )
    })
  }

  /** One scenario for each difference, in which it alone makes the two differ. */
  const witnesses: Record<string, readonly [Loop, Scenario.Scenario]> = {
    "transient faults": [
      "status",
      Scenario.make([["working", "7 seconds"], ["ready"]], { incidents: [{}, { fault: "transient" }] })
    ],
    "statuses of failure": [
      "delete",
      Scenario.make([["working", "7 seconds"], ["moving"]], { goal: { failures: ["failed", "moving"] } })
    ],
    "statuses of failure that nobody waits on": [
      "status",
      Scenario.make([["failed", 4000], ["ready"]], { goal: { failures: [] } })
    ],
    absence: ["status", Scenario.make([["working", "7 seconds"], ["gone"]])],
    "a person has to go on": ["status", Scenario.make([["stopped"]], { goal: { stops: ["stopped"] } })],
    "slow answers": [
      "status",
      Scenario.make([["working", "7 seconds"], ["ready"]], { incidents: [{}, { takes: 2000 }] })
    ],
    "answers that never come": ["delete", Scenario.make([["working"]], { incidents: [{}, { takes: Infinity }] })],
    "Retry-After": [
      "status",
      Scenario.make([["working", "7 seconds"], ["ready"]], { incidents: [{ retryAfter: 7000 }] })
    ],
    "the end of the 300 s": ["delete", Scenario.make([["working"]])]
  }

  for (const { name } of PythonClient.differences) {
    it(`${name}: there is a scenario that shows it`, () => {
      const witness = witnesses[name]
      assert(witness !== undefined, "it has no witness")
      const [loop, scenario] = witness
      const { agree, names } = causes(loop, asked(loop, scenario))
      assert.isFalse(agree)
      assert.include(names, name)
    })
  }

  it("a wait for a status looks 5 s after each answer, and ends with what its lists hold", () => {
    const scenario = Scenario.make([["working", 12_000], ["failed"]], { incidents: [{ takes: 1000 }] })
    const { at, ending, looks } = PythonClient.statusLoop(scenario)
    assert.deepStrictEqual([looks.map(({ start }) => start), ending, at], [[0, 6000, 11_000, 16_000], "error", 16_000])
  })

  it("a wait for a deletion gives up after 60 looks and 300 s of sleep", () => {
    const { at, ending, looks } = PythonClient.deleteLoop(Scenario.make([["working"]]))
    assert.deepStrictEqual([looks.length, looks.at(-1)?.start, ending, at], [60, 295_000, "timedOut", 300_000])
  })

  it("any other failure status is polled for ever", () => {
    assert.strictEqual(PythonClient.statusLoop(Scenario.make([["error_deleting"]])).ending, "never")
  })
})
