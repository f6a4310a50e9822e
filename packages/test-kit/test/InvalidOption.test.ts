/** What can't be is refused by name: a test of nothing would pass, and one without an end never does. */
import * as Exhaustive from "@effect-manila/test-kit/Exhaustive"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import { InvalidOption } from "@effect-manila/test-kit/InvalidOption"
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as GoalLaws from "@effect-manila/test-kit/laws/Goal"
import * as WaiterLaws from "@effect-manila/test-kit/laws/Waiter"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { assert, describe, it } from "vitest"

const refused = (make: () => unknown): string => {
  try {
    make()
  } catch (error) {
    assert.instanceOf(error, InvalidOption)
    return (error as InvalidOption).message
  }
  return "taken"
}

describe("virtual time refuses", () => {
  const run = (options: VirtualTime.Options) => refused(() => VirtualTime.runExit(Effect.void, options))

  it("numbers that are none, and those below what can be", () => {
    for (const value of [Number.NaN, 0, -1]) assert.include(run({ maxSteps: value }), "maxSteps: must be above 0, not")
    for (const value of [Number.NaN, -1, "5 parsecs"])
      assert.include(run({ maxTime: value as number }), "maxTime: must be")
    for (const value of [Number.NaN, Infinity]) assert.include(run({ start: value }), "start: must be milliseconds")
    assert.strictEqual(run({ maxSteps: Infinity, maxTime: Infinity, start: -1 }), "taken")
  })

  it("them inside a program too, as a defect", () => {
    const exit = Effect.runSyncExit(VirtualTime.run(Effect.void, { maxSteps: 0 }))
    assert(Exit.isFailure(exit))
    assert.instanceOf(Cause.squash(exit.cause), InvalidOption)
  })
})

describe("laws refuse", () => {
  const adapter = Adapter.ofWaiter({ name: "x", probe: (look) => look, statusOf: ({ status }) => status })
  const reader: StatusGoal.Reader<{ readonly status: string }> = {
    status: ({ status }) => status,
    failures: [],
    leaving: [],
    steady: []
  }

  it("to hold for no scenario at all", () => {
    for (const runs of [0, -1, 0.5, Number.NaN]) {
      const message = `runs: must be a whole number from 1 up, not ${runs}`
      assert.strictEqual(
        refused(() => WaiterLaws.endsAsTheModel.check(adapter, { runs })),
        message
      )
      const goal = StatusGoal.present(reader, "available")
      const subject = { name: "x", goal, resources: [{ status: "creating" }] }
      const run = { describe: (_: string, body: () => void) => body(), it: (_: string, body: () => void) => body() }
      assert.strictEqual(
        refused(() => GoalLaws.suite(run, subject, { runs })),
        message
      )
    }
    assert.include(
      refused(() => WaiterLaws.endsAsTheModel.check(adapter, { seed: 0.5 })),
      "seed: must be a whole number"
    )
  })

  it("pairs that are no number", () => {
    const scenario = {} as Exhaustive.Scenario
    assert.include(
      refused(() => Exhaustive.run(scenario, { pairs: -1 })),
      "pairs: must be a whole number from 0 up"
    )
  })
})

describe("a fault refuses", () => {
  it("requests that there can't be", () => {
    for (const [nth, message] of [
      [0, "nth: must be a whole number from 1 up, not 0"],
      [1.5, "nth: must be a whole number from 1 up, not 1.5"],
      [[], "nth: names no request"],
      [[1, 0], "nth[1]: must be a whole number from 1 up, not 0"],
      [{ from: 0 }, "nth.from: must be a whole number from 1 up, not 0"],
      [{ from: 3, to: 2 }, "nth.to: must be a whole number from 3 up, not 2"],
      [{ from: 2, to: 2 }, "taken"],
      [1, "taken"]
    ] as const) {
      assert.strictEqual(
        refused(() => Faults.on({ nth }, Faults.reset)),
        message
      )
    }
  })

  it("answers that HTTP has none of", () => {
    for (const status of [42, 600, 503.5, Number.NaN]) {
      const message = `status: must be an HTTP status from 200 to 599, not ${status}`
      assert.strictEqual(
        refused(() => Faults.status(status)),
        message
      )
      assert.strictEqual(
        refused(() => Faults.html(status)),
        message
      )
    }
    assert.include(
      refused(() => Faults.truncate(-1)),
      "bytes: must be a whole number from 0 up"
    )
  })
})

it("a client in process refuses an origin that is none, or more than one", () => {
  const cloud = Effect.runSync(FakeCloud.make())
  const make = (origin: string) => refused(() => InProcess.make(cloud, { origin }))
  for (const origin of ["nonsense", "", "http://cloud.test/share", "cloud.test:80"]) {
    assert.include(make(origin), "origin: must be as http://fake-cloud.test", origin)
  }
  for (const origin of ["http://cloud.test", "http://cloud.test:8786", "https://cloud.test/"]) {
    assert.strictEqual(make(origin), "taken", origin)
  }
})
