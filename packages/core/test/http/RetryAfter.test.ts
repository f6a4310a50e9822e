/** How long a Retry-After asks to wait. */
import * as RetryAfter from "@effect-manila/core/http/RetryAfter"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"

const now = Date.UTC(2000, 0, 1, 0, 0, 0)
const asked = (value: string | undefined, date?: string) => Option.getOrUndefined(RetryAfter.parse(value, date, now))

describe("a Retry-After", () => {
  it("in whole seconds is that long", () => {
    assert.deepStrictEqual([asked("0"), asked("7"), asked(" 120 ")], [0, 7000, 120_000])
  })

  it("that is a date is read against the answer's own date, in any of the three forms", () => {
    const date = "Fri, 31 Dec 1999 23:00:00 GMT"
    for (const until of [
      "Sat, 01 Jan 2000 00:00:00 GMT",
      "Saturday, 01-Jan-00 00:00:00 GMT",
      "Sat Jan  1 00:00:00 2000"
    ]) {
      assert.strictEqual(asked(until, date), 3_600_000, until)
    }
  })

  it("that is a date is read against the clock where the answer has none, or one that is none", () => {
    const until = "Sat, 01 Jan 2000 00:00:10 GMT"
    assert.deepStrictEqual([asked(until), asked(until, ""), asked(until, "yesterday")], [10_000, 10_000, 10_000])
  })

  it("in the past asks to wait no time", () => {
    assert.strictEqual(asked("Fri, 31 Dec 1999 23:59:59 GMT"), 0)
  })

  it("that is missing or neither asks for nothing", () => {
    for (const value of [undefined, "", "soon", "-1", "1.5", "1e3", "7 s", "2000-01-01", "Sat, nonsense"]) {
      assert.isUndefined(asked(value), String(value))
    }
  })
})
