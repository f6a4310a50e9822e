/**
 * One cloud's resolved configuration: where to authenticate, as whom, and which endpoint of the share service to use.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { TransportSettings } from "../http/Transport.ts"
import type { Interface } from "./Catalog.ts"
import type { Credentials } from "./Credentials.ts"
import type { ConfigError } from "./KeystoneError.ts"

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
  /** Where each setting came from: `password` → `secure.yaml` (with its path), `OS_PASSWORD`, `given`. */
  readonly sources: ReadonlyMap<string, string>
}

/**
 * Values given by the program or by command line flags: they win over variables and files. `undefined` and empty text
 * count as not given. `password`, `token`, `application_credential_secret` may be plain text or `Redacted`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Overrides {
  readonly authType?: string | undefined
  readonly authUrl?: string | undefined
  readonly username?: string | undefined
  readonly userId?: string | undefined
  readonly userDomainId?: string | undefined
  readonly userDomainName?: string | undefined
  readonly password?: string | Redacted.Redacted<string> | undefined
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
  readonly defaultDomain?: string | undefined
  readonly region?: string | undefined
  readonly interface?: string | undefined
  readonly endpointOverride?: string | undefined
  readonly microversion?: string | undefined
  readonly verify?: boolean | undefined
  readonly cacert?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
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
   * What `OS_*` variables mean beside a cloud that is named. `"cloud"` (default): nothing; they make up a cloud of their
   * own, as in openstacksdk. `"overrides"`: they win over the files, as in the `openstack` command.
   */
  readonly environment?: "cloud" | "overrides" | undefined
}

/**
 * Resolves a cloud from `clouds.yaml`, `secure.yaml`, `OS_*` variables and the values given.
 *
 * @since 0.1.0
 * @category constructors
 */
export declare const load: (
  options?: LoadOptions
) => Effect.Effect<CloudConfig, ConfigError, FileSystem.FileSystem | Path.Path>

/**
 * A configuration made by hand, for programs that read neither files nor variables.
 *
 * @since 0.1.0
 * @category constructors
 */
export declare const make: (options: {
  readonly authUrl: string
  readonly credentials: Credentials
  readonly cloud?: string | undefined
  readonly region?: string | undefined
  readonly interfaces?: ReadonlyArray<Interface> | undefined
  readonly endpointOverride?: string | undefined
  readonly microversion?: string | undefined
  readonly requestTimeout?: Duration.DurationInput | undefined
  readonly transport?: Partial<TransportSettings> | undefined
}) => CloudConfig
