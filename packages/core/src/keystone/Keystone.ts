/**
 * Identity v3: one token for all fibers of a program, and the endpoint of a service.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Transport, TransportError } from "../http/Transport.ts"
import type { Catalog, Endpoint } from "./Catalog.ts"
import type { CloudConfig, LoadOptions } from "./CloudConfig.ts"
import type { ConfigError, KeystoneError } from "./KeystoneError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Token {
  readonly value: Redacted.Redacted<string>
  /** Milliseconds since the epoch, as the service says it. `undefined` for a ready token that was never looked at. */
  readonly expiresAt: number | undefined
  readonly projectId: string | undefined
  readonly projectName: string | undefined
  readonly domainId: string | undefined
  readonly userId: string | undefined
  readonly userName: string | undefined
  readonly roles: ReadonlyArray<string>
  /** Empty for a token without a scope. */
  readonly catalog: Catalog
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Keystone extends Context.Tag("@effect-manila/core/Keystone")<
  Keystone,
  {
    readonly config: CloudConfig
    /** This cloud's one client, with its TLS settings: for the share service too. */
    readonly client: HttpClient.HttpClient
    /** The token in memory, or a new one if there is none or it is about to expire. */
    readonly token: Effect.Effect<Token, KeystoneError>
    /**
     * A token other than the one a service has just rejected (401). Fibers that come with the same rejected token share
     * one request; for a token that was replaced meanwhile nothing is sent.
     */
    readonly renew: (rejected: Token) => Effect.Effect<Token, KeystoneError>
    /** The override, else the catalog's endpoint for the first of `types` it has. */
    readonly endpoint: (types: ReadonlyArray<string>) => Effect.Effect<Endpoint, KeystoneError>
  }
>() {}

/**
 * @since 0.1.0
 * @category layers
 */
export declare const layer: (
  config: CloudConfig
) => Layer.Layer<Keystone, TransportError | PlatformError.PlatformError, Transport>

/**
 * Reads the cloud's configuration (see `CloudConfig.load`): `Keystone.layerCloud("name")`, or without a name whatever
 * the environment says.
 *
 * @since 0.1.0
 * @category layers
 */
export declare const layerCloud: (
  name?: string,
  options?: Omit<LoadOptions, "cloud">
) => Layer.Layer<
  Keystone,
  ConfigError | TransportError | PlatformError.PlatformError,
  Transport | FileSystem.FileSystem | Path.Path
>
