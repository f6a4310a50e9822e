/**
 * `Retry-After`, in both of its forms.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"

/**
 * The delay in milliseconds a `Retry-After` asks for: whole seconds, or an HTTP date read against the answer's own
 * `Date` header, or against `now` (milliseconds since the epoch) where there is none. Text that is neither, and dates
 * in the past, ask for nothing.
 *
 * @since 0.1.0
 */
export const parse = (value: string | undefined, date: string | undefined, now: number): Option.Option<number> => {
  if (value === undefined) return Option.none()
  const text = value.trim()
  if (/^\d+$/.test(text)) return Option.some(Number(text) * 1000)
  const until = httpDate(text)
  if (until === undefined) return Option.none()
  const reference = date === undefined ? now : (httpDate(date) ?? now)
  return Option.some(Math.max(0, until - reference))
}

/** The three date forms of RFC 9110 all start with the name of a day; anything else is not an HTTP date. */
const httpDate = (text: string): number | undefined => {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text.trim())) return undefined
  // asctime() has no zone and means UTC.
  const zoned = /GMT|UTC|[+-]\d{4}$/.test(text) ? text : `${text} GMT`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? undefined : ms
}
