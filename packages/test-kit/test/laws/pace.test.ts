/**
 * The laws of paces hold for the paces there are, and find what is wrong with plain schedules.
 */
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as PaceLaws from "@effect-manila/test-kit/laws/Pace"
import * as Duration from "effect/Duration"
import * as Schedule from "effect/Schedule"
import { assert, describe, it } from "vitest"

const runner = { describe, it }

PaceLaws.suite(runner, { name: "the pace of statuses", pace: Pace.status, cap: 5000 })
PaceLaws.suite(runner, { name: "operations every 10 s", pace: Pace.operations("10 seconds"), cap: 10_000 })
PaceLaws.suite(runner, { name: "seven attempts", pace: Pace.every("1 second", { attempts: 7 }), cap: 1000, looks: 7 })
PaceLaws.suite(runner, {
  name: "a schedule of its own that ends",
  pace: Schedule.intersect(Schedule.spaced("2 seconds"), Schedule.recurs(9)),
  cap: 2000,
  looks: 10
})

describe("back-off", () => {
  for (const jitter of [0, 0.1, 0.5, 1])
    for (const cap of [50, 1000, 8000])
      for (const factor of [1, 2, 10])
        it(`from 500 ms by ${factor} up to ${cap} ms with jitter ${jitter}`, () => {
          const pace = Pace.backoff({ initial: "500 millis", cap, factor, jitter })
          const subject = { name: "back-off", pace, jitter, cap: factor === 1 && cap > 500 ? 500 * (1 + jitter) : cap }
          const laws = factor === 1 ? PaceLaws.laws.filter((law) => law !== PaceLaws.jitterStaysOn) : PaceLaws.laws
          for (const law of laws) law.check(subject)
        })
})

describe("the laws find", () => {
  const broken = (subject: Omit<PaceLaws.Subject, "name">) =>
    Law.broken(PaceLaws.laws, { name: "planted", ...subject }).map(({ law }) => law)
  const exponential = Schedule.exponential("500 millis")

  it("a cap that is applied before jitter", () => {
    const capped = Schedule.modifyDelay(exponential, (_, delay) => Duration.min(delay, Duration.seconds(8)))
    assert.deepStrictEqual(broken({ pace: Schedule.jittered(capped), cap: 8000, jitter: 0.2 }), [
      "the cap comes after jitter"
    ])
  })

  it("a cap that ends the schedule", () => {
    const ending = Schedule.whileOutput(exponential, Duration.lessThan("8 seconds"))
    assert.include(broken({ pace: ending, cap: 8000 }), "it never ends unless told")
  })

  it("jitter that is cut off at the cap", () => {
    const jittered = Schedule.jittered(exponential)
    const capped = Schedule.modifyDelay(jittered, (_, delay) => Duration.min(delay, Duration.seconds(8)))
    assert.deepStrictEqual(broken({ pace: capped, cap: 8000, jitter: 0.2 }), ["jitter stays on at the cap"])
  })
})
