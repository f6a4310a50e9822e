/**
 * Microversions: what a request asked for, and what its answer says back.
 */
import { InvalidOption } from "../../InvalidOption.ts"
import type { Headers } from "../../internal/Answer.ts"
import { word } from "./Call.ts"

const header = "x-openstack-manila-api-version"
const experimentalHeader = "x-openstack-manila-api-experimental"

export type Asked =
  | { readonly _tag: "Served"; readonly minor: number; readonly text: string }
  | { readonly _tag: "Malformed"; readonly text: string }
  | { readonly _tag: "Unsupported"; readonly text: string }

const parse = (text: string): readonly [major: number, minor: number] | undefined => {
  const found = /^([1-9]\d*)\.(0|[1-9]\d*)$/.exec(text.trim())
  return found === null ? undefined : [Number(found[1]), Number(found[2])]
}

/** Without a header it is the oldest, whatever the server could do. */
export const asked = (headers: Readonly<Record<string, string>>, oldest: number, newest: number): Asked => {
  const given = headers[header]
  if (given === undefined) return { _tag: "Served", minor: oldest, text: `2.${oldest}` }
  const version = parse(given)
  const text = given.trim()
  if (version === undefined) return { _tag: "Malformed", text }
  const [major, minor] = version
  return major === 2 && minor >= oldest && minor <= newest
    ? { _tag: "Served", minor, text }
    : { _tag: "Unsupported", text }
}

export const isExperimental = (headers: Readonly<Record<string, string>>): boolean =>
  word(headers[experimentalHeader] ?? "no") === true

/** What every answer says that was made under a version, refused ones included. */
export const echo = (headers: Headers, text: string, experimental: boolean): void => {
  headers[header] = text
  headers["vary"] = "X-OpenStack-Manila-API-Version"
  if (experimental) headers[experimentalHeader] = "True"
}

/** The minor part of an option. */
export const option = (given: string | undefined, fallback: number, at: string): number => {
  if (given === undefined) return fallback
  const version = parse(given)
  if (version === undefined || version[0] !== 2 || version[1] > 99)
    throw new InvalidOption({ option: at, problem: `must be a version from 2.0 to 2.99, not ${given}` })
  return version[1]
}
