/**
 * One cloud's resolved configuration: where to authenticate, as whom, and which endpoint of the share service to use.
 *
 * A setting is taken from the nearest place that has it:
 *
 * 1. the values given by the program or by command line flags;
 * 2. `OS_*` variables, but only for `environment: "overrides"` (what the `openstack` command does);
 * 3. the values of the region in the cloud's `regions` list;
 * 4. the cloud: `secure.yaml`, then `clouds.yaml`; or, where the variables are the cloud, the variables;
 * 5. the profile that the cloud names (`profile`, or `cloud` in old files): one of `clouds-public.yaml`, or, of a
 *    vendor's URL, what it says at `/.well-known/openstack/api`. Profiles that come with openstacksdk are not known here.
 *
 * Within a file openstacksdk's rules hold: `project_*`, `user_domain_*`, `domain_*` and `token` beside `auth` win over
 * those inside, and for the others the one inside wins (beside, for `"overrides"`, as in the `openstack` command).
 * Where a nearer place names a user, a project or a domain by its name, an id from farther away no longer counts;
 * openstacksdk would go on using the id.
 *
 * The cloud is the one named; else `OS_CLOUD`; else the variables, if one of them says who or where (`OS_AUTH_URL`,
 * `OS_USERNAME`, …); else the only cloud of the file. The cloud of the variables is named `envvars` (`OS_CLOUD_NAME`).
 * A variable that is set to nothing counts as not set; of two spellings (`OS_PROJECT_NAME`, `OS_TENANT_NAME`) the newer
 * one counts even then, as in openstacksdk.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { TransportSettings } from "../http/Transport.ts"
import type { Interface } from "./Catalog.ts"
import * as CloudsYaml from "./CloudsYaml.ts"
import type { Credentials } from "./Credentials.ts"
import * as Authentication from "./internal/authentication.ts"
import * as Environment from "./internal/environment.ts"
import * as Level from "./internal/level.ts"
import * as Profile from "./internal/profile.ts"
import * as Resolve from "./internal/resolve.ts"
import type { Setting } from "./internal/setting.ts"
import { ConfigError } from "./KeystoneError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface CloudConfig {
  /** The cloud's name in `clouds.yaml`, `envvars` for one made of `OS_*` variables, `undefined` for one made by hand. */
  readonly cloud: string | undefined
  /** Identity's v3 URL, without a trailing slash. `undefined` only for a ready token with an endpoint override. */
  readonly authUrl: string | undefined
  readonly credentials: Credentials
  readonly region: string | undefined
  /** In the order they are tried. Default `["public"]`. */
  readonly interfaces: ReadonlyArray<Interface>
  /** The share service's URL; the catalog is then not read. */
  readonly endpointOverride: string | undefined
  /** The share service's microversion that was asked for (`2.60`), if one was. */
  readonly microversion: string | undefined
  /** The limit of each single request. Default 60 seconds. */
  readonly requestTimeout: Duration.Duration
  readonly transport: TransportSettings
  /** Where each setting came from: `password` → `/etc/openstack/secure.yaml:4`, `OS_PASSWORD`, `given`. */
  readonly sources: ReadonlyMap<string, string>
}

/**
 * Values given by the program or by command line flags: they win over variables and files. `undefined` and empty text
 * count as not given.
 *
 * @since 0.1.0
 * @category models
 */
export interface Overrides {
  /**
   * `password`, `v3totp`, `v3multifactor`, `token`, `v3applicationcredential`, `admin_token` or `none`. Default: what the
   * other values are enough for.
   */
  readonly authType?: string | undefined
  readonly authUrl?: string | undefined
  readonly username?: string | undefined
  readonly userId?: string | undefined
  readonly userDomainId?: string | undefined
  readonly userDomainName?: string | undefined
  readonly password?: string | Redacted.Redacted<string> | undefined
  /** What a TOTP device shows. */
  readonly passcode?: string | Redacted.Redacted<string> | undefined
  /** The methods of `v3multifactor`, with commas: `v3password,v3totp`. */
  readonly authMethods?: string | undefined
  readonly token?: string | Redacted.Redacted<string> | undefined
  readonly applicationCredentialId?: string | undefined
  readonly applicationCredentialName?: string | undefined
  readonly applicationCredentialSecret?: string | Redacted.Redacted<string> | undefined
  readonly projectId?: string | undefined
  readonly projectName?: string | undefined
  readonly projectDomainId?: string | undefined
  readonly projectDomainName?: string | undefined
  readonly domainId?: string | undefined
  readonly domainName?: string | undefined
  /** `all` is the only one there is. */
  readonly systemScope?: string | undefined
  readonly trustId?: string | undefined
  /** The id of the domain of users and projects that come without one. */
  readonly defaultDomain?: string | undefined
  readonly region?: string | undefined
  readonly interface?: string | undefined
  readonly endpointOverride?: string | undefined
  readonly microversion?: string | undefined
  readonly verify?: boolean | undefined
  /** A leading `~` is the home folder. */
  readonly cacert?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly keyPassword?: string | Redacted.Redacted<string> | undefined
  /** A profile of `clouds-public.yaml`, or the URL of a vendor that publishes one. */
  readonly profile?: string | undefined
  readonly requestTimeout?: Duration.DurationInput | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface LoadOptions extends Overrides {
  /** Name of a cloud in `clouds.yaml`. Default: `OS_CLOUD`, then the variables, then the only cloud of the file. */
  readonly cloud?: string | undefined
  /**
   * What `OS_*` variables mean beside a cloud of the files. `"cloud"` (default): nothing; they make up a cloud of their
   * own, as in openstacksdk. `"overrides"`: they win over the files, as in the `openstack` command, and a user or
   * project without a domain is in `OS_DEFAULT_DOMAIN` (default `default`).
   */
  readonly environment?: "cloud" | "overrides" | undefined
}

/**
 * Resolves a cloud from `clouds.yaml`, `secure.yaml`, `OS_*` variables and the values given; see the module for which
 * of them wins. The files of certificates are not read yet, and nothing is sent, unless the profile is a vendor's URL:
 * that is fetched with the `Transport` of the context, which must then be there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (
  options: LoadOptions = {}
): Effect.Effect<CloudConfig, ConfigError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const overrides = options.environment === "overrides"
    const [file, secure] = yield* Effect.all(
      [
        Effect.map(CloudsYaml.find("clouds"), Option.getOrUndefined),
        Effect.map(CloudsYaml.find("secure"), Option.getOrUndefined)
      ],
      { concurrency: 2 }
    )
    const clouds = CloudsYaml.merge(file?.clouds ?? new Map(), secure?.clouds ?? new Map())

    const set = yield* Environment.settings(Level.spellings)
    const variables = overrides ? new Map([...set].filter(([, { text }]) => text !== "")) : set
    const ownName = (yield* Environment.text("OS_CLOUD_NAME")) ?? "envvars"
    if (clouds.has(ownName)) {
      return yield* new ConfigError({
        file: file?.path ?? secure?.path,
        detail: `the file has a cloud named ${ownName}, which is the name of the cloud made of OS_* variables: rename it, or set OS_CLOUD_NAME`
      })
    }
    const speaking = [...variables].filter(
      ([key, { text }]) =>
        text !== "" && (Level.identifying.has(key) || (key === "auth_type" && Authentication.isAnonymous(text)))
    )
    const asked = options.cloud || (yield* Environment.text("OS_CLOUD"))
    const only = clouds.size === 1 ? [...clouds.keys()][0] : undefined
    const name = asked ?? (speaking.length > 0 ? ownName : only)
    const isOwn = name === ownName && speaking.length > 0
    const entry = name === undefined ? CloudsYaml.emptyEntry : isOwn ? fromVariables(variables) : clouds.get(name)
    const known = [...clouds.keys(), ...(speaking.length > 0 ? [ownName] : [])]
    if (entry === undefined) {
      return yield* new ConfigError({
        file: file?.path ?? secure?.path,
        setting: "cloud",
        detail:
          known.length > 0
            ? `there is no cloud named ${name}; the known ones are: ${known.join(", ")}`
            : `there is no cloud named ${name}: ${yield* whereLooked(file)}`
      })
    }

    const given = fromOptions(options)
    const profile = yield* Profile.of(entry, given, ownName)
    const near = overrides ? Level.over(given, Level.fold(fromVariables(variables), true)) : given
    return yield* Resolve.cloud({
      name,
      entry: profile.entry,
      near,
      given,
      besideWins: overrides,
      closedRegions: !isOwn,
      defaultDomain: overrides ? { text: "default", source: "the default" } : undefined,
      home: yield* Environment.home,
      hint:
        profile.unknown ??
        (name === undefined
          ? clouds.size > 1
            ? `no cloud is named; the known ones are: ${known.join(", ")} (set OS_CLOUD)`
            : `no cloud is named, and ${yield* whereLooked(file)}`
          : isOwn
            ? `the cloud is made of the variables ${speaking.map(([, { source }]) => source).join(", ")}` +
              (clouds.size > 0 ? `; set OS_CLOUD to use one of: ${[...clouds.keys()].join(", ")}` : "")
            : !overrides && speaking.length > 0
              ? "OS_* variables are not used for a cloud of a file"
              : undefined)
    })
  })

/**
 * A configuration made by hand, for programs that read neither files nor variables. `authUrl` may lack its `/v3`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly authUrl?: string | undefined
  readonly credentials: Credentials
  readonly cloud?: string | undefined
  readonly region?: string | undefined
  readonly interfaces?: ReadonlyArray<Interface> | undefined
  readonly endpointOverride?: string | undefined
  readonly microversion?: string | undefined
  readonly requestTimeout?: Duration.DurationInput | undefined
  readonly transport?: Partial<TransportSettings> | undefined
}): CloudConfig => ({
  cloud: options.cloud,
  authUrl: options.authUrl === undefined ? undefined : Resolve.v3(options.authUrl),
  credentials: options.credentials,
  region: options.region,
  interfaces: options.interfaces ?? ["public"],
  endpointOverride: options.endpointOverride,
  microversion: options.microversion,
  requestTimeout: Duration.decode(options.requestTimeout ?? "60 seconds"),
  transport: { verify: true, ...options.transport },
  sources: new Map()
})

/**
 * The configuration in lines for a person, each setting with where it came from. Secrets are not among them.
 *
 * @since 0.1.0
 * @category printing
 */
export const describe = (config: CloudConfig): ReadonlyArray<string> =>
  Resolve.visible(config).map(([name, value]) => {
    const source = config.sources.get(name)
    return source === undefined ? `${name}: ${value}` : `${name}: ${value} (from ${source})`
  })

const fromVariables = (variables: ReadonlyMap<string, Setting>): CloudsYaml.Entry => ({
  ...CloudsYaml.emptyEntry,
  top: variables
})

const whereLooked = (file: CloudsYaml.CloudsFile | undefined): Effect.Effect<string, never, Path.Path> =>
  file === undefined
    ? Effect.map(CloudsYaml.candidates("clouds"), (paths) => {
        const yaml = paths.filter((path, index) => index === 0 || path.endsWith(".yaml"))
        return `no file was found; looked for ${yaml.join(", ")}`
      })
    : Effect.succeed(`${file.path} has no clouds`)

/** The name of each override as a setting. */
const names: Readonly<Record<Exclude<keyof Overrides, "requestTimeout" | "verify">, string>> = {
  authType: "auth_type",
  authUrl: "auth_url",
  username: "username",
  userId: "user_id",
  userDomainId: "user_domain_id",
  userDomainName: "user_domain_name",
  password: "password",
  passcode: "passcode",
  authMethods: "auth_methods",
  token: "token",
  applicationCredentialId: "application_credential_id",
  applicationCredentialName: "application_credential_name",
  applicationCredentialSecret: "application_credential_secret",
  projectId: "project_id",
  projectName: "project_name",
  projectDomainId: "project_domain_id",
  projectDomainName: "project_domain_name",
  domainId: "domain_id",
  domainName: "domain_name",
  systemScope: "system_scope",
  trustId: "trust_id",
  defaultDomain: "default_domain",
  region: "region_name",
  interface: "interface",
  endpointOverride: "endpoint_override",
  microversion: "microversion",
  cacert: "cacert",
  cert: "cert",
  key: "key",
  keyPassword: "key_password",
  profile: "profile"
}

const fromOptions = (options: LoadOptions): Level.Level => {
  const level = new Map<string, Setting>()
  for (const [key, name] of Object.entries(names)) {
    // The table's keys are exactly the options with a text.
    const value = options[key as keyof typeof names]
    const text = Redacted.isRedacted(value) ? Redacted.value(value) : value
    if (text !== undefined && text !== "") level.set(name, { text, source: "given" })
  }
  if (options.verify !== undefined) {
    level.set("verify", { text: String(options.verify), boolean: options.verify, source: "given" })
  }
  if (options.requestTimeout !== undefined) {
    level.set("api_timeout", { text: String(Duration.toSeconds(options.requestTimeout)), source: "given" })
  }
  return level
}
