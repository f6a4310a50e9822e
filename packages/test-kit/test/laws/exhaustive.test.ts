/**
 * Every fault at every request of every asynchronous verb: the ending is right, no change is sent twice, nothing comes
 * after the end, and no secret is said. The nightly script has all kinds of faults, and pairs of them.
 */
import * as Exhaustive from "@effect-manila/test-kit/Exhaustive"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Verbs from "@effect-manila/test-kit/laws/Verbs"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"

/** One of each behaviour; a creation meets all there are. */
const few = ["503 Retry-After", "reset after its effect", "expired token", "403"]
const kindsFor = (name: string) => Exhaustive.kinds.filter((kind) => name === "Share.create" || few.includes(kind.name))

describe("every fault at every request", () => {
  it("no verb is without a scenario", () => assert.deepStrictEqual(Verbs.missing, []))

  for (const [name, scenario] of Verbs.scenarios) {
    it(
      name,
      () => {
        const kinds = kindsFor(name)
        const report = Exhaustive.run(scenario, { kinds })
        assert.deepStrictEqual(report.broken, [])
        assert.isAtLeast(report.requests.length, 4)
        assert.strictEqual(report.runs, 1 + report.requests.length * kinds.length)
        // At a look, all but the refusals are survived.
        assert.isAbove(report.succeeded, 5)
      },
      60_000
    )
  }
})

describe("the checks find", () => {
  const extend = Verbs.scenarios.get("Share.extend")!
  const one = Exhaustive.kinds.filter(({ name }) => name === "503 Retry-After")

  /** The scenario with its program or its service replaced. */
  const changed = (change: (prepared: Exhaustive.Prepared) => Partial<Exhaustive.Prepared>): Exhaustive.Scenario => ({
    ...extend,
    make: Effect.map(extend.make, (prepared) => ({ ...prepared, ...change(prepared) }))
  })
  const found = (scenario: Exhaustive.Scenario) => Exhaustive.run(scenario, { kinds: one }).broken.join("\n")

  it("a change that is sent twice", () => {
    const twice = changed(({ program }) => ({ program: (app) => Effect.retry(program(app), { times: 1 }) }))
    assert.match(found(twice), /503 Retry-After at request 3 .*action.* was sent 2 times/)
  })

  it("a request after the end", () => {
    const late = changed(({ program }) => ({
      program: (app) => Effect.zipRight(Effect.forkDaemon(Effect.delay(program(app), "1 hour")), program(app))
    }))
    assert.match(found(late), /requests after the end/)
  })

  it("a fiber that is left behind", () => {
    const left = changed(({ program }) => ({
      program: (app) => Effect.zipRight(Effect.forkDaemon(Effect.never), program(app))
    }))
    assert.match(found(left), /is left behind/)
  })

  it("a secret in a log, and in an attribute of a span", () => {
    const logged = changed(({ program, secrets }) => ({
      program: (app) => Effect.zipRight(Effect.logDebug({ token: secrets[1] }), program(app))
    }))
    const traced = changed(({ program, secrets }) => ({
      program: (app) => Effect.withSpan(program(app), "x", { attributes: { token: secrets[1] } })
    }))
    assert.match(found(logged), /a secret was said/)
    assert.match(found(traced), /a secret was said/)
  })

  it("a success that is none, and an error without a type", () => {
    const early = changed(() => ({ program: () => Effect.void }))
    const untyped = changed(() => ({ program: () => Effect.die("a bug") }))
    assert.match(found(early), /it succeeded, and nothing had been accepted/)
    assert.match(found(untyped), /it ended without a typed error/)
  })

  it("an impatient wait", () => {
    const impatient = changed(({ app, program }) => ({
      program: (faulty) =>
        Effect.flatMap(Faults.wrap(app, []), () => Effect.mapError(program(faulty), () => ({ _tag: "Other" }))).pipe(
          Effect.timeoutFail({ duration: "6 seconds", onTimeout: () => ({ _tag: "Impatient" }) })
        )
    }))
    assert.match(found(impatient), /a fault in a look ended it: Impatient/)
  })
})
