/** Which of several places wins for a setting, against what openstacksdk and the `openstack` command do. */
import type { LoadOptions } from "@effect-manila/core/keystone/CloudConfig"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import table from "./fixtures/precedence.json" with { type: "json" }
import { cwd, load, type Machine, settingsOf } from "./support.ts"

/** A setting with the values it takes: by the place it is set at, or `undefined` where any text will do. */
const option: Readonly<Record<string, keyof LoadOptions>> = {
  username: "username",
  user_id: "userId",
  user_domain_id: "userDomainId",
  user_domain_name: "userDomainName",
  password: "password",
  project_id: "projectId",
  project_name: "projectName",
  project_domain_id: "projectDomainId",
  project_domain_name: "projectDomainName",
  auth_url: "authUrl",
  region_name: "region",
  interface: "interface",
  cacert: "cacert",
  cert: "cert",
  key: "key",
  share_api_version: "microversion",
  shared_file_system_api_version: "microversion",
  shared_file_system_endpoint_override: "endpointOverride",
  endpoint_override: "endpointOverride"
}

const places = ["clouds.auth", "clouds.top", "secure.auth", "secure.top", "env", "given"]

/** The value at a place. There are only three interfaces: the winner's is one, everybody else's another. */
const valueAt = (setting: string, place: string, winner: string | null): string => {
  const n = places.indexOf(place)
  if (setting === "interface") return place === winner ? "admin" : "internal"
  if (setting.endsWith("api_version")) return `2.${n + 1}`
  return setting === "auth_url" || setting.endsWith("override") ? `https://${place}.example/v3` : `at ${place}`
}

const resolved = (setting: string) =>
  setting.endsWith("api_version") ? "microversion" : setting.endsWith("override") ? "endpoint_override" : setting

const base: Readonly<Record<string, string>> = {
  auth_url: "https://base.example/v3",
  username: "base",
  password: "base",
  user_domain_id: "base",
  project_domain_id: "base",
  project_name: "base"
}

const build = (setting: string, sources: ReadonlyArray<string>, winner: string | null) => {
  // A name next to an id would not be seen in the outcome.
  const sibling = setting.replace(/_name$/, "_id")
  const auth = Object.fromEntries(Object.entries(base).filter(([key]) => key !== setting && key !== sibling))
  const clouds: Record<string, unknown> = { auth }
  const secure: Record<string, unknown> = {}
  const env: Record<string, string> = {}
  let given: Record<string, unknown> = {}
  for (const place of sources) {
    const value = valueAt(setting, place, winner)
    if (place === "clouds.auth") auth[setting] = value
    if (place === "clouds.top") clouds[setting] = value
    if (place === "secure.auth") secure["auth"] = { [setting]: value }
    if (place === "secure.top") secure[setting] = value
    if (place === "env") env[`OS_${setting.toUpperCase()}`] = value
    if (place === "given") given = { [option[setting] ?? ""]: value }
  }
  const machine: Machine = {
    env,
    files: {
      [`${cwd}/clouds.yaml`]: JSON.stringify({ clouds: { a: clouds } }),
      ...(Object.keys(secure).length === 0 ? {} : { [`${cwd}/secure.yaml`]: JSON.stringify({ clouds: { a: secure } }) })
    }
  }
  return { machine, given }
}

/** Where we mean to differ, and what wins here. */
const better = (
  mode: "openstacksdk" | "openstack",
  setting: string,
  sources: ReadonlyArray<string>,
  winner: string | null
): string | null | undefined => {
  const has = (place: string) => sources.includes(place)
  // What is given wins. In openstacksdk it loses to a value beside `auth` if it is given inside `auth`.
  if (mode === "openstacksdk" && has("given") && winner !== "error") return "given"
  if (mode === "openstack") {
    // The command does not know how to say it; given here, it wins.
    if (winner === "unknown") return "given"
    // The command puts its own newest version in front of the file's.
    if (winner === "default") return has("secure.top") ? "secure.top" : "clouds.top"
    // The command has no variables for these two; here all variables win over files.
    if (setting.startsWith("shared_file_system_") && has("env") && !has("given")) return "env"
  }
  return undefined
}

const columns = [
  { mode: "openstacksdk", environment: "cloud", index: 2 },
  { mode: "openstack", environment: "overrides", index: 3 }
] as const

for (const { environment, index, mode } of columns) {
  describe(`the place that wins is ${mode}'s`, () => {
    const settings = [...new Set(table.rows.map((row) => row[0] as string))]
    for (const setting of settings) {
      it.effect(`for ${setting}`, () =>
        Effect.gen(function* () {
          const rows = table.rows.filter((row) => row[0] === setting)
          assert.isAbove(rows.length, 10)
          for (const row of rows) {
            const sources = row[1] as ReadonlyArray<string>
            const theirs = row[index] as string | null
            const winner = better(mode, setting, sources, theirs) ?? theirs
            const { given, machine } = build(setting, sources, winner)
            const outcome = yield* Effect.either(load(machine, { ...given, cloud: "a", environment }))
            const label = `${setting} at ${sources.join(", ")}`
            if (winner === "error") {
              assert.isTrue(Either.isLeft(outcome), label)
            } else if (winner === null) {
              // Not set at all: then it is the default, or missing by its name.
              const found = Either.match(outcome, {
                onLeft: (error) => (error.message.includes(setting) ? undefined : error.message),
                onRight: (config) => settingsOf(config)[resolved(setting)]
              })
              assert.strictEqual(found, setting === "interface" ? "public" : undefined, label)
            } else {
              if (Either.isLeft(outcome)) assert.fail(`${label}: ${outcome.left.message}`)
              assert.strictEqual(
                settingsOf(outcome.right)[resolved(setting)],
                valueAt(setting, winner, winner),
                `${label}: ${winner} should win`
              )
            }
          }
        })
      )
    }
  })
}
