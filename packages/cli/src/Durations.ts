/**
 * Durations as people write them on a command line: seconds (`90`, `0.5`) or Effect's text (`5 minutes`).
 *
 * Written out instead of taken from `effect/Duration`, since a usage error must not wait for Effect to load; a test
 * holds the two to the same text.
 *
 * @since 0.1.0
 */

const millisOf: Readonly<Record<string, number>> = {
  nano: 1e-6,
  micro: 1e-3,
  milli: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000
}

const pattern = /^(\d+(?:\.\d+)?)(?:\s+(nano|micro|milli|second|minute|hour|day|week)s?)?$/

/**
 * What would have been right, for the sentence that says something is wrong.
 *
 * @since 0.1.0
 */
export const expected = (limitless: boolean): string =>
  `seconds (90) or a text such as '5 minutes'${limitless ? ", or none" : ""}`

/**
 * Milliseconds; `Infinity` for `none` where that is allowed; `undefined` for nonsense.
 *
 * @since 0.1.0
 */
export const parse = (text: string, options: { readonly limitless: boolean }): number | undefined => {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === "none") return options.limitless ? Number.POSITIVE_INFINITY : undefined
  const found = pattern.exec(trimmed)
  if (found === null) return undefined
  return Number(found[1]) * (millisOf[found[2] ?? "second"] ?? 1_000)
}

/**
 * A span of time in a few characters: `45 s`, `3 min 20 s`, `2 h 5 min`, `1 d 3 h`.
 *
 * @since 0.1.0
 */
export const format = (millis: number): string => {
  if (!Number.isFinite(millis)) return "no limit"
  const seconds = Math.max(0, Math.round(millis / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return pair(Math.floor(seconds / 60), "min", seconds % 60, "s")
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1_440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min")
  return pair(Math.floor(minutes / 1_440), "d", Math.floor((minutes % 1_440) / 60), "h")
}

const pair = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`
