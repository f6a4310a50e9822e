import * as RetryAfter from "@effect-manila/core/http/RetryAfter"
import * as Option from "effect/Option"
import { assert, it } from "vitest"

const now = Date.UTC(2024, 4, 6, 12, 0, 0)
const date = "Mon, 06 May 2024 12:00:00 GMT"

const table = (
  rows: ReadonlyArray<readonly [value: string | undefined, date: string | undefined, millis: number | undefined]>
) => {
  for (const [value, answerDate, millis] of rows) {
    assert.deepStrictEqual(
      RetryAfter.parse(value, answerDate, now),
      Option.fromNullable(millis),
      `${value} / ${answerDate}`
    )
  }
}

it("29. a Retry-After may be whole seconds", () => {
  table([
    ["7", undefined, 7000],
    [" 120 ", date, 120_000],
    ["0", undefined, 0]
  ])
})

it("29. a Retry-After may be a date, in each of the three forms", () => {
  table([
    ["Mon, 06 May 2024 12:00:30 GMT", date, 30_000],
    ["Monday, 06-May-24 12:00:30 GMT", date, 30_000],
    ["Mon May  6 12:00:30 2024", date, 30_000]
  ])
})

it("29. a date is read against the answer's own date, and only without one against the clock", () => {
  // The server's clock is an hour behind ours.
  table([
    ["Mon, 06 May 2024 11:00:30 GMT", "Mon, 06 May 2024 11:00:00 GMT", 30_000],
    ["Mon, 06 May 2024 12:00:30 GMT", undefined, 30_000],
    ["Mon, 06 May 2024 12:00:30 GMT", "yesterday", 30_000],
    ["Mon, 06 May 2024 12:00:30 GMT", "", 30_000]
  ])
})

it("29. a date in the past asks for nothing", () => {
  table([["Mon, 06 May 2024 11:00:30 GMT", date, 0]])
})

it("29. text that is neither asks for nothing", () => {
  table([
    [undefined, date, undefined],
    ["", date, undefined],
    ["soon", date, undefined],
    ["-5", date, undefined],
    ["1.5", date, undefined],
    ["7 seconds", date, undefined],
    ["1e3", date, undefined],
    ["2024-05-06T12:00:30Z", date, undefined],
    ["Mon, 99 May 2024 12:00:30 GMT", date, undefined]
  ])
})
