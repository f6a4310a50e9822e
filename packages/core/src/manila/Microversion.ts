/**
 * Manila's microversions: `2.N`, compared as numbers (2.10 comes after 2.9).
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"

/**
 * @since 0.1.0
 * @category models
 */
export type Microversion = `${number}.${number}`

/**
 * What a service, or this library, understands.
 *
 * @since 0.1.0
 * @category models
 */
export interface Range {
  readonly min: Microversion
  readonly max: Microversion
}

/**
 * The versions this library knows.
 *
 * @since 0.1.0
 */
export const known: Range = { min: "2.0", max: "2.99" }

const parts = (version: string): readonly [number, number] | undefined => {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version)
  return match === null ? undefined : [Number(match[1]), Number(match[2])]
}

/**
 * @since 0.1.0
 * @category refinements
 */
export const isMicroversion = (text: string): text is Microversion => parts(text) !== undefined

/**
 * Negative, zero or positive. Text that is no version sorts first.
 *
 * @since 0.1.0
 */
export const compare = (one: string, two: string): number => {
  const [oneMajor, oneMinor] = parts(one) ?? [-1, -1]
  const [twoMajor, twoMinor] = parts(two) ?? [-1, -1]
  return oneMajor - twoMajor || oneMinor - twoMinor
}

/**
 * Is `version` at least `since` and at most `until`? A bound that is absent holds.
 *
 * @since 0.1.0
 */
export const within = (version: string, since: string | undefined, until: string | undefined): boolean =>
  (since === undefined || compare(version, since) >= 0) && (until === undefined || compare(version, until) <= 0)

/**
 * The version to speak: what was asked for, if both sides have it; else the highest that both have. `Left` says why
 * there is none.
 *
 * @since 0.1.0
 */
export const negotiate = (server: Range, asked: string | undefined): Either.Either<Microversion, string> => {
  const ranges = `the service has ${server.min} to ${server.max}, this client ${known.min} to ${known.max}`
  const max = compare(server.max, known.max) < 0 ? server.max : known.max
  const min = compare(server.min, known.min) > 0 ? server.min : known.min
  if (compare(min, max) > 0) return Either.left(`no microversion in common: ${ranges}`)
  if (asked === undefined) return Either.right(max)
  if (!isMicroversion(asked)) return Either.left(`"${asked}" is not a microversion such as ${max}; ${ranges}`)
  return compare(asked, min) >= 0 && compare(asked, max) <= 0
    ? Either.right(asked)
    : Either.left(`microversion ${asked} is not available: ${ranges}`)
}
