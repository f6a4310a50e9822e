/** Profiles, scopes and ways to authenticate beyond a password for a project, beside what openstacksdk reads. */
import type { LoadOptions } from "@effect-manila/core/keystone/CloudConfig"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import table from "./fixtures/ways.json" with { type: "json" }
import { load, settingsOf } from "./support.ts"

interface Outcome {
  readonly error?: string
  readonly cloud?: string
  readonly authType?: string
  readonly auth?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly region?: string
  readonly interface?: string
  readonly endpoint?: string
  readonly version?: string
  readonly cacert?: string
  readonly cert?: string
  readonly key?: string
}

interface Case {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly given?: Readonly<Record<string, string>>
  readonly openstacksdk: Outcome
}

const cases = table.cases as unknown as ReadonlyArray<Case>

const options: Readonly<Record<string, keyof LoadOptions>> = { region_name: "region" }

const multiFactor = {
  auth_url: "http://a/v3",
  username: "u",
  user_domain_id: "d",
  password: "p",
  passcode: "012345",
  project_id: "i"
}

/** What we say where we mean to differ. */
const differs: Readonly<Record<string, Readonly<Record<string, string | undefined>> | RegExp>> = {
  // They fall over a passcode that no method uses.
  "multi-factor with one method": { ...multiFactor, passcode: undefined },
  // Both proofs are there, and nothing else can be meant.
  "multi-factor without methods": multiFactor
}

/** The endpoint that has nothing to do with identity is one setting here. */
const endpointOf = ({ auth, endpoint }: Outcome) => endpoint ?? auth?.["endpoint"] ?? auth?.["url"]

const wanted = (theirs: Outcome): Record<string, unknown> => {
  const {
    auth_methods: _,
    auth_url,
    endpoint: __,
    url: ___,
    project_name,
    project_domain_id,
    ...auth
  } = theirs.auth ?? {}
  const isNobody = theirs.authType === "none"
  return {
    ...auth,
    ...(isNobody ? { username: "admin", project_id: "admin" } : {}),
    ...(auth["project_id"] === undefined ? { project_name, project_domain_id } : {}),
    auth_url,
    region_name: theirs.region,
    interface: theirs.interface ?? "public",
    endpoint_override: endpointOf(theirs),
    microversion: theirs.version,
    cacert: theirs.cacert,
    cert: theirs.cert,
    key: theirs.key
  }
}

describe("a configuration is read as openstacksdk reads it", () => {
  for (const one of cases) {
    it.effect(one.name, () =>
      Effect.gen(function* () {
        const files = Object.fromEntries(Object.entries(one.files).map(([path, text]) => [`/machine/${path}`, text]))
        const given = Object.fromEntries(
          Object.entries(one.given ?? {}).map(([key, value]) => [options[key] ?? key, value])
        )
        const outcome = yield* Effect.either(load({ files, env: one.env ?? {} }, given))
        const ours = differs[one.name]
        if (ours instanceof RegExp) {
          assert.match(Either.isLeft(outcome) ? outcome.left.message : "no error", ours)
          return
        }
        if (ours === undefined && one.openstacksdk.error !== undefined) {
          assert.isTrue(Either.isLeft(outcome), `they fail with ${one.openstacksdk.error}`)
          return
        }
        if (Either.isLeft(outcome)) return assert.fail(outcome.left.message)
        const expected = { ...wanted(one.openstacksdk), ...ours }
        const set = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined))
        assert.deepStrictEqual(settingsOf(outcome.right), set)
      })
    )
  }
})
