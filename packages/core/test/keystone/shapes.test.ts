/** Whole configurations: which cloud is chosen, and how old and odd spellings are read. */
import type { LoadOptions } from "@effect-manila/core/keystone/CloudConfig"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import table from "./fixtures/shapes.json" with { type: "json" }
import { load, settingsOf } from "./support.ts"

interface Outcome {
  readonly error?: string
  readonly cloud?: string
  readonly auth?: Readonly<Record<string, string>>
  readonly authType?: string
  readonly region?: string
  readonly interface?: string | ReadonlyArray<string>
  readonly endpoint?: string
  readonly version?: string
  readonly verify?: string | boolean
  readonly timeout?: string | number
}

interface Case {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly given?: Readonly<Record<string, string | boolean>>
  readonly openstacksdk: Outcome
  readonly openstack: Outcome
}

const cases = table.cases as unknown as ReadonlyArray<Case>

/** What we say where we mean to differ: a part of an outcome over theirs, or the text of an error. */
type Ours = Readonly<Record<string, string | undefined>> | RegExp

const both = (ours: Ours) => ({ openstacksdk: ours, openstack: ours })

const broken = /clouds\.yaml:1: /
const noUserDomain = /user_domain_name or user_domain_id/

const differs: Readonly<Record<string, { readonly openstacksdk?: Ours; readonly openstack?: Ours }>> = {
  // They choose the variables here, and fail. A CA file says nothing of who one is.
  "one, none named, env cacert only": {
    openstacksdk: { auth_url: "http://a/v3", username: "u" },
    openstack: { auth_url: "http://a/v3", cacert: "/c" }
  },
  // A name from nearer than an id wins over it.
  "two, OS_CLOUD=b + full env": {
    openstack: {
      user_domain_id: undefined,
      user_domain_name: "Default",
      project_domain_id: undefined,
      project_domain_name: "Default"
    }
  },
  "file pid, given pname": both({ project_name: "g", project_id: undefined }),
  // They send what identity then refuses.
  "env empty domain": { openstacksdk: noUserDomain, openstack: { user_domain_id: "default" } },
  "env default domain": { openstacksdk: noUserDomain, openstack: { user_domain_id: "dd", project_domain_id: "dd" } },
  "env default domain v3": { openstacksdk: noUserDomain },
  "default_domain in file": {
    openstacksdk: noUserDomain,
    openstack: { user_domain_id: "D", project_domain_id: "D" }
  },
  "file null project": both({ project_name: undefined, project_domain_id: undefined }),
  "merge key": { openstacksdk: noUserDomain, openstack: { user_domain_id: "default", auth_url: "http://m/v3" } },
  "v3password no domain": { openstack: { user_domain_id: "default" } },
  "secure password empty": both(/missing: password/),
  // A trailing part of keystoneauth applies these later.
  "env default domain id": both({ user_domain_id: "dd", project_domain_id: "dd" }),
  "default_domain_id in auth": both({ user_domain_id: "D", project_domain_id: "D" }),
  // They fall over an unexpected argument; there is only one thing that can be meant.
  "env token no type": both({ token: "t" }),
  "env appcred no type": both({ application_credential_id: "i", application_credential_secret: "s" }),
  "env empty auth_type": { openstacksdk: { username: "eu", password: "ep" } },
  // Any interface at all, there; the default, here.
  "env empty interface": both({ interface: "public" }),
  "file region null": both({ region_name: undefined, username: "u" }),
  "file region empty asked R": both({ region_name: "R" }),
  // YAML numbers and truth values that were meant as texts.
  "float version": both({ microversion: "2.60" }),
  "yaml password int": both({ password: "0123", project_name: "yes", project_domain_id: "1.50" }),
  // `requests` takes the text for the path of a CA file.
  "verify str": both({ verify: "false", cacert: undefined }),
  "env verify false": both({ verify: "false", cacert: undefined }),
  // They skip the file and say nothing, or fall over it.
  "broken then home": both(broken),
  "clouds null": both(/no cloud is named/),
  "cloud null": both(/cloud a: missing: auth_url/),
  "auth null": both(/auth_url is not an http or https URL/),
  overrides3: both({ endpoint_override: "http://5" }),
  // Only `api_timeout` is read.
  "timeout svc": both({ timeout: "60" })
}

/** The fixture's short URLs are no URLs. */
const urls = (text: string) =>
  text
    .replaceAll(/"auth_url": ?"x"/g, '"auth_url":"http://x"')
    .replaceAll(/("[a-z0-9_]*endpoint[a-z_]*"): ?"(\d)"/g, '$1:"http://$2"')

const options: Readonly<Record<string, keyof LoadOptions>> = {
  region_name: "region",
  project_name: "projectName",
  username: "username",
  verify: "verify"
}

const givenOf = (given: Case["given"]): LoadOptions =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([key, value]) =>
      key === "insecure" ? ["verify", false] : [options[key] ?? key, value]
    )
  )

const wanted = (outcome: Outcome): Record<string, string | undefined> => {
  const auth = outcome.auth ?? {}
  const has = (key: string) => auth[key] !== undefined
  const kept = Object.entries(auth).filter(([key]) => {
    if (key === "project_name" || key === "project_domain_id" || key === "project_domain_name") {
      // Said by the id alone, or there is nothing they belong to.
      return !has("project_id") && has("project_name") && !(key === "project_domain_name" && has("project_domain_id"))
    }
    return !(key === "user_domain_name" && has("user_domain_id")) && !key.startsWith("default_domain")
  })
  const kinds = Array.isArray(outcome.interface) ? outcome.interface : [outcome.interface ?? "public"]
  return {
    ...Object.fromEntries(kept),
    auth_url: (auth["auth_url"] ?? "").replace(/^x$/, "http://x").replace(/(\/v3)?$/, "/v3"),
    region_name: outcome.region,
    interface: kinds.map((kind) => kind.replace("URL", "")).join(","),
    endpoint_override: outcome.endpoint === undefined ? undefined : `http://${outcome.endpoint}`,
    microversion: outcome.version,
    verify: outcome.verify === false ? "false" : "true",
    // A CA file that is not used is not in their outcome.
    ...(outcome.verify === false ? {} : { cacert: typeof outcome.verify === "string" ? outcome.verify : undefined }),
    timeout: String(outcome.timeout ?? 60)
  }
}

for (const [mode, environment] of [
  ["openstacksdk", "cloud"],
  ["openstack", "overrides"]
] as const) {
  describe(`a configuration is read as ${mode} reads it`, () => {
    for (const one of cases) {
      it.effect(one.name, () =>
        Effect.gen(function* () {
          const files = Object.fromEntries(
            Object.entries(one.files ?? {}).map(([path, text]) => [`/machine/${path}`, urls(text)])
          )
          const env = Object.fromEntries(
            Object.entries(one.env ?? {}).map(([key, value]) => [key, value.replaceAll("$D", "/machine")])
          )
          const outcome = yield* Effect.either(load({ files, env }, { ...givenOf(one.given), environment }))
          const theirs = one[mode]
          const ours = differs[one.name]?.[mode]
          if (ours instanceof RegExp) {
            assert.match(Either.isLeft(outcome) ? outcome.left.message : "no error", ours)
            return
          }
          if (ours === undefined && theirs.error !== undefined) {
            assert.isTrue(Either.isLeft(outcome), `they fail with ${theirs.error}`)
            return
          }
          if (Either.isLeft(outcome)) assert.fail(outcome.left.message)
          const found: Record<string, string | undefined> = {
            ...settingsOf(outcome.right),
            verify: String(outcome.right.transport.verify),
            timeout: String(Duration.toSeconds(outcome.right.requestTimeout))
          }
          const expected: Record<string, string | undefined> =
            theirs.error === undefined ? { ...wanted(theirs), ...ours } : { ...ours }
          if (theirs.error === undefined) assert.strictEqual(outcome.right.cloud, theirs.cloud)
          for (const key of Object.keys(expected)) assert.strictEqual(found[key], expected[key], key)
        })
      )
    }
  })
}
