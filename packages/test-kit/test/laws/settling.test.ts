/**
 * Every fault at every request of Shaken Fist's waits. The nightly script has all kinds of faults, and pairs of them.
 */
import * as Exhaustive from "@effect-manila/test-kit/Exhaustive"
import * as Settling from "@effect-manila/test-kit/laws/Settling"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"

/** One of each behaviour; one wait and one change meet all there are. */
const few = ["503 Retry-After", "reset after its effect", "expired token", "403"]
const whole = ["settle an instance", "create an instance"]
const kindsFor = (name: string) => Settling.kinds.filter((kind) => whole.includes(name) || few.includes(kind.name))

describe("every fault at every request", () => {
  for (const [name, scenario] of Settling.scenarios) {
    it(name, () => {
      const kinds = kindsFor(name)
      const report = Exhaustive.run(scenario, { kinds })
      assert.deepStrictEqual(report.broken, [])
      assert.isAtLeast(report.requests.length, 4)
      assert.strictEqual(report.runs, 1 + report.requests.length * kinds.length)
      assert.isAtLeast(report.succeeded, 3)
    })
  }
})

describe("the checks find", () => {
  const settle = Settling.scenarios.get("settle an instance patiently")!

  it("a wait without patience where patience was promised", () => {
    const impatient = { ...Settling.scenarios.get("settle an instance")!, isLook: settle.isLook }
    const { broken } = Exhaustive.run(impatient, { kinds: Settling.kinds.filter(({ name }) => name === "429") })
    assert.match(broken.join("\n"), /429 at request 4 \(GET \/instances\/.*: a fault in a look ended it: /)
  })

  it("a settling that returns while something is at work", () => {
    const early = { ...settle, make: Effect.map(settle.make, (made) => ({ ...made, program: () => Effect.void })) }
    const { broken } = Exhaustive.run(early, { kinds: [] })
    assert.match(broken.join("\n"), /it succeeded, and the cluster says net_op is (queued|executing)/)
  })

  it("what an instance is set up with, where an error says what was seen last", () => {
    const create = Settling.scenarios.get("create an instance")!
    const kinds = Exhaustive.kinds.filter(({ name }) => name === "404")
    const says = {
      ...create,
      make: Effect.map(create.make, (made) => ({
        ...made,
        program: (app: App) => Effect.mapError(made.program(app), () => ({ _tag: "Said", text: made.secrets[1] }))
      }))
    }
    assert.match(Exhaustive.run(says, { kinds }).broken.join("\n"), /a secret was said/)
  })
})
