/**
 * Time as the services write it: Manila without a zone and with six digits, Keystone with a `Z`.
 */

const secondsOf = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

/** `2026-01-31T09:15:00.000000`, from microseconds. */
export const fromMicros = (micros: number): string => {
  const millis = Math.floor(micros / 1000)
  const fraction = ((Math.floor(micros) % 1_000_000) + 1_000_000) % 1_000_000
  return `${secondsOf(millis)}.${String(fraction).padStart(6, "0")}`
}

export const fromMillis = (millis: number): string => fromMicros(millis * 1000)

/** `2026-01-31T09:15:00.000000Z`: whole seconds, as a token has them. */
export const ofToken = (millis: number): string => `${secondsOf(millis)}.000000Z`

/** Microseconds of an ISO text; a text without a zone is UTC. `undefined` if it is no time. */
export const toMicros = (text: string): number | undefined => {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (found === null) return undefined
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = found
  const millis = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(millis) ? undefined : millis * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6))
}
