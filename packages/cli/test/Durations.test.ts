import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Durations from "@effect-manila/cli/Durations"

const parse = (text: string) => Durations.parse(text, { limitless: true })

describe("durations", () => {
  it("are seconds without a unit", () => {
    assert.strictEqual(parse("90"), 90_000)
    assert.strictEqual(parse("0.5"), 500)
    assert.strictEqual(parse("0"), 0)
    assert.strictEqual(parse(" 7 "), 7_000)
  })

  it("with a unit are what Effect reads", () => {
    for (const unit of ["milli", "second", "minute", "hour", "day", "week"] as const) {
      for (const text of [`1 ${unit}`, `2 ${unit}s`, `1.5 ${unit}s`] as const) {
        assert.strictEqual(parse(text), Duration.toMillis(text as Duration.DurationInput), text)
      }
    }
    assert.strictEqual(parse("3 micros"), 0.003)
    assert.strictEqual(parse("5 MINUTES"), 300_000)
  })

  it("are none only where that is allowed", () => {
    assert.strictEqual(parse("none"), Number.POSITIVE_INFINITY)
    assert.strictEqual(Durations.parse("none", { limitless: false }), undefined)
  })

  it("are nothing else", () => {
    for (const text of [
      "",
      "soon",
      "5 parsecs",
      "-1",
      "1e3",
      "5m",
      "1 2",
      "minutes",
      "Infinity",
      "NaN",
      "0x10",
      "1,5"
    ]) {
      assert.strictEqual(parse(text), undefined, text)
    }
  })

  it("are shown in two units at most", () => {
    const shown = [0, 499, 1_499, 59_499, 60_000, 200_000, 3_600_000, 7_500_000, 86_400_000, 97_200_000, Infinity]
    assert.deepStrictEqual(shown.map(Durations.format), [
      "0 s",
      "0 s",
      "1 s",
      "59 s",
      "1 min",
      "3 min 20 s",
      "1 h",
      "2 h 5 min",
      "1 d",
      "1 d 3 h",
      "no limit"
    ])
  })
})
