/**
 * From the settings of one cloud to its configuration: the choice of the region, then of the way to authenticate, then
 * the checks of each value.
 *
 * @internal
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Catalog from "../Catalog.ts"
import type { CloudConfig } from "../CloudConfig.ts"
import type * as CloudsYaml from "../CloudsYaml.ts"
import { ConfigError } from "../KeystoneError.ts"
import * as Authentication from "./authentication.ts"
import * as Level from "./level.ts"
import type { Setting } from "./setting.ts"

export interface Input {
  readonly name: string | undefined
  readonly entry: CloudsYaml.Entry
  /** What wins over the entry: the values given, and the variables where they override. */
  readonly near: Level.Level
  readonly given: Level.Level
  readonly besideWins: boolean
  /** A region that the entry does not have is an error. */
  readonly closedRegions: boolean
  readonly defaultDomain: Setting | undefined
  readonly home: string | undefined
  /** Said behind an error about missing settings. */
  readonly hint: string | undefined
}

export const cloud = (input: Input): Effect.Effect<CloudConfig, ConfigError> =>
  Effect.gen(function* () {
    const { name, near } = input
    const region = yield* chooseRegion(input)
    const parts =
      region === undefined
        ? input.entry
        : {
            top: new Map([...input.entry.top, ...region.top]),
            auth: new Map([...input.entry.auth, ...region.auth])
          }
    const far = Level.fold(parts, input.besideWins)
    const settings = new Map(Level.over(near, far))
    // The region as chosen, unless the share service has one of its own.
    if (region !== undefined && !isPerService(settings.get("region_name"), parts.top)) {
      settings.set("region_name", region.setting)
    }
    const text = (key: string) => {
      const found = settings.get(key)
      return found === undefined || found.text === "" ? undefined : found.text
    }
    /** `{region_name}` and other settings of the cloud, in a URL or a path. */
    const expanded = (key: string) =>
      text(key)?.replace(/\{(\w+)\}/g, (whole, inner: string) =>
        inner === "region_name"
          ? (region?.setting.text ?? text("region_name") ?? whole)
          : ((Level.identifying.has(inner) ? undefined : parts.top.get(inner)?.text) ?? whole)
      )
    const file = (key: string) => {
      const path = expanded(key)
      return path !== undefined && /^~(\/|$)/.test(path) && input.home !== undefined ? input.home + path.slice(1) : path
    }
    const fail = (key: string, detail: string) => {
      const { file, line } = settings.get(key) ?? {}
      return new ConfigError({ detail, cloud: name, file, line, setting: key })
    }

    const isKnown = Authentication.hasEndpoint({ settings, given: input.given })
    const endpointOverride = expanded("endpoint_override") ?? (isKnown ? expanded("endpoint") : undefined)
    if (endpointOverride !== undefined && !/^https?:\/\//i.test(endpointOverride)) {
      return yield* fail("endpoint_override", "the endpoint override is not an http or https URL")
    }
    const authUrl = expanded("auth_url")
    if (authUrl !== undefined) {
      if (!/^https?:\/\//i.test(authUrl)) return yield* fail("auth_url", "auth_url is not an http or https URL")
      if (/\/v2(\.0)?\/*$/.test(authUrl)) {
        return yield* fail("auth_url", "auth_url is of identity v2, which is gone: use the URL with /v3")
      }
    }
    const credentials = yield* Authentication.choose({
      name,
      settings,
      given: input.given,
      authUrl,
      endpointOverride,
      defaultDomain:
        settings.get("default_domain") !== undefined && (input.besideWins || input.given.has("default_domain"))
          ? settings.get("default_domain")
          : input.defaultDomain,
      hint: input.hint
    })

    const interfaces: Array<Catalog.Interface> = []
    const said = settings.get("interface")
    for (const word of said === undefined ? [] : (said.items ?? said.text.split(","))) {
      const known = Catalog.interfaceOf(word)
      if (Option.isNone(known)) {
        return yield* fail("interface", `the interface ${word.trim()} is not one of public, internal, admin`)
      }
      interfaces.push(known.value)
    }
    const microversion = text("microversion")
    // A major version alone, and `latest`, ask for none in particular.
    const isOpen = microversion === undefined || microversion === "latest" || /^v?\d+$/.test(microversion)
    if (!isOpen && !/^\d+\.\d+$/.test(microversion)) {
      return yield* fail("microversion", `the share API version ${microversion} is not of the form 2.60`)
    }
    const timeout = text("api_timeout")
    if (timeout !== undefined && !(Number(timeout) > 0)) {
      return yield* fail("api_timeout", "api_timeout is not a number of seconds above 0")
    }
    const tls = verification(settings)
    return {
      cloud: name,
      authUrl: authUrl === undefined ? undefined : v3(authUrl),
      credentials,
      region: text("region_name"),
      interfaces: interfaces.length === 0 ? ["public"] : interfaces,
      endpointOverride,
      microversion: isOpen ? undefined : microversion,
      requestTimeout: timeout === undefined ? Duration.seconds(60) : Duration.seconds(Number(timeout)),
      transport: {
        verify: tls.verify,
        cacert: file("cacert") ?? tls.cacert,
        cert: file("cert"),
        key: file("key"),
        keyPassword: text("key_password") === undefined ? undefined : Redacted.make(text("key_password") ?? "")
      },
      sources: new Map(
        [...settings].filter(([, setting]) => setting.text !== "").map(([key, { source }]) => [key, source])
      )
    }
  })

/** Identity's v3 URL: keystone answers at `<any prefix>/v3`, and without it only says that it does (300). */
export const v3 = (authUrl: string): string => {
  const bare = authUrl.replace(/\/+$/, "")
  return bare.endsWith("/v3") ? bare : `${bare}/v3`
}

/** Settings that may be shown, by name. */
export const visible = (config: CloudConfig): ReadonlyArray<readonly [string, string]> => {
  const rows: Array<readonly [string, string | undefined]> = [
    ["cloud", config.cloud],
    ["auth_url", config.authUrl],
    ...Authentication.visible(config.credentials),
    ["region_name", config.region],
    ["interface", config.interfaces.join(", ")],
    ["endpoint_override", config.endpointOverride],
    ["microversion", config.microversion],
    ["api_timeout", `${Duration.toSeconds(config.requestTimeout)} s`],
    ["verify", String(config.transport.verify)],
    ["cacert", config.transport.cacert],
    ["cert", config.transport.cert],
    ["key", config.transport.key],
    ["key_password", config.transport.keyPassword === undefined ? undefined : "***"]
  ]
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined)
}

interface ChosenRegion {
  readonly setting: Setting
  readonly top: ReadonlyMap<string, Setting>
  readonly auth: ReadonlyMap<string, Setting>
}

/** The region asked for, which must be one that the cloud has where it says which it has; else the first of those. */
const chooseRegion = (input: Input): Effect.Effect<ChosenRegion | undefined, ConfigError> => {
  const asked = input.near.get("region_name")
  const nothing = { top: new Map<string, Setting>(), auth: new Map<string, Setting>() }
  const own = input.entry.top.get("region_name")
  const known: ReadonlyArray<CloudsYaml.Region> =
    input.entry.regions ??
    (own === undefined ? [] : (own.items ?? own.text.split(",")))
      .map((name) => ({ ...nothing, name }))
      .filter(({ name }) => name !== "")
  const first = known[0]
  if (asked === undefined) {
    return Effect.succeed(
      first && { ...first, setting: { ...(own ?? { source: "regions" }), items: undefined, text: first.name } }
    )
  }
  const found = known.find(({ name }) => name === asked.text)
  if (found !== undefined) return Effect.succeed({ ...found, setting: asked })
  if (first === undefined || !input.closedRegions) return Effect.succeed({ ...nothing, setting: asked })
  return Effect.fail(
    new ConfigError({
      cloud: input.name,
      file: own?.file,
      line: own?.line,
      setting: "region_name",
      detail: `there is no region ${asked.text} (from ${asked.source}); the cloud's regions are: ${known
        .map(({ name }) => name)
        .join(", ")}`
    })
  )
}

const isPerService = (setting: Setting | undefined, top: ReadonlyMap<string, Setting>): boolean =>
  setting !== undefined && setting !== top.get("region_name") && [...top.values()].includes(setting)

const truth: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false
}

/** `insecure` wins over `verify`. Only `true` is insecure; a `verify` that is no truth value names a CA file. */
export const verification = (
  settings: Level.Level
): { readonly verify: boolean; readonly cacert: string | undefined } => {
  const insecure = settings.get("insecure")
  if (insecure !== undefined && (insecure.boolean ?? insecure.text.toLowerCase() === "true")) {
    return { verify: false, cacert: undefined }
  }
  const verify = settings.get("verify")
  if (verify === undefined || verify.text === "") return { verify: true, cacert: undefined }
  const said = verify.boolean ?? truth[verify.text.toLowerCase()]
  return said === undefined ? { verify: true, cacert: verify.text } : { verify: said, cacert: undefined }
}
