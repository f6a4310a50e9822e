/**
 * Identity v3: one token for all fibers of a program, and the endpoint of a service.
 *
 * The token is held in memory only. It is renewed when it is asked for within its last minute (or its last tenth, if it
 * lives for less than ten minutes), and once more when a service rejects it. A token that was given ready-made is used
 * to its end, since nothing here can get another.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Headers from "@effect/platform/Headers"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Redact from "../http/Redact.ts"
import { Transport, type TransportError } from "../http/Transport.ts"
import * as Refs from "../internal/refs.ts"
import * as Catalog from "./Catalog.ts"
import * as CloudConfig from "./CloudConfig.ts"
import * as Identity from "./internal/identity.ts"
import { type ConfigError, type KeystoneError, NotScoped } from "./KeystoneError.ts"

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
  readonly catalog: Catalog.Catalog
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Keystone extends Context.Tag("@effect-manila/core/Keystone")<
  Keystone,
  {
    readonly config: CloudConfig.CloudConfig
    /**
     * This cloud's one client, with its TLS settings: for the share service too. It names the program, sends no trace
     * headers, and keeps tokens out of spans. It has no timeout and repeats nothing.
     */
    readonly client: HttpClient.HttpClient
    /** The token in memory, or a new one if there is none or it is about to expire. */
    readonly token: Effect.Effect<Token, KeystoneError>
    /**
     * A token other than the one a service has just rejected (401). Fibers that come with the same rejected token share
     * one request, and its failure; for a token that was replaced meanwhile nothing is sent.
     */
    readonly renew: (rejected: Token) => Effect.Effect<Token, KeystoneError>
    /** The override, else the catalog's endpoint for the first of `types` that has one. */
    readonly endpoint: (types: ReadonlyArray<string>) => Effect.Effect<Catalog.Endpoint, KeystoneError>
  }
>() {}

/**
 * Nothing is sent before a token or an endpoint is asked for.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: CloudConfig.CloudConfig
): Effect.Effect<
  Context.Tag.Service<Keystone>,
  TransportError | PlatformError.PlatformError,
  Transport | Scope.Scope
> =>
  Effect.gen(function* () {
    const transport = yield* Transport
    const scope = yield* Effect.scope
    const client = (yield* transport.client(config.transport)).pipe(
      HttpClient.mapRequest(HttpClientRequest.setHeader("user-agent", "effect-manila")),
      HttpClient.transformResponse(quiet)
    )

    let held: { readonly token: Token; readonly staleAt: number } | undefined
    let renewing: Deferred.Deferred<Token, KeystoneError> | undefined

    const fetch = Effect.gen(function* () {
      const before = yield* Clock.currentTimeMillis
      const { lifetime, token } = yield* Identity.issue(client, config)
      held = { token, staleAt: staleAt(config, token, lifetime, before) }
      yield* Effect.logDebug(`token of ${config.authUrl ?? "outside"} for project ${token.projectName ?? "unknown"}`)
      return token
    }).pipe(
      Effect.withSpan("keystone.token", {
        attributes: { "keystone.auth_url": config.authUrl, "keystone.method": config.credentials._tag }
      })
    )

    /** The fiber that asks first may be interrupted without harm to the others: the request is the layer's own. */
    const fetchShared: Effect.Effect<Token, KeystoneError> = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const result = yield* Deferred.make<Token, KeystoneError>()
        renewing = result
        yield* Effect.interruptible(fetch).pipe(
          Effect.onExit((exit) => {
            renewing = undefined
            return Deferred.done(result, exit)
          }),
          Effect.forkIn(scope)
        )
        return yield* restore(Deferred.await(result))
      })
    )

    const token = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (held !== undefined && now < held.staleAt) return Effect.succeed(held.token)
      return renewing === undefined ? fetchShared : Deferred.await(renewing)
    })

    const renew = (rejected: Token) =>
      Effect.suspend(() => {
        if (renewing !== undefined) return Deferred.await(renewing)
        if (held !== undefined && Redacted.value(held.token.value) !== Redacted.value(rejected.value)) return token
        held = undefined
        return config.credentials._tag === "NoAuth" ||
          (config.credentials._tag === "Token" && config.credentials.scope._tag === "Unscoped")
          ? Effect.fail(Identity.rejected(config))
          : fetchShared
      })

    const endpoint = (types: ReadonlyArray<string>): Effect.Effect<Catalog.Endpoint, KeystoneError> =>
      config.endpointOverride === undefined
        ? Effect.flatMap(token, ({ catalog, domainId, projectId }): Effect.Effect<Catalog.Endpoint, KeystoneError> =>
            catalog.length === 0 && projectId === undefined && domainId === undefined
              ? Effect.fail(new NotScoped({ authUrl: config.authUrl ?? "" }))
              : Catalog.find(catalog, { types, interfaces: config.interfaces, region: config.region })
          )
        : Effect.succeed({
            url: Catalog.trim(config.endpointOverride),
            type: types[0] ?? "",
            interface: undefined,
            region: undefined
          })

    return Keystone.of({ config, client, token, renew, endpoint })
  })

/** No trace headers, no secrets in the client's span, and no span at all where the URL has one in its query. */
const quiet = Refs.within(
  Refs.update(Headers.currentRedactedNames, (names) => [...names, ...Redact.headerNames]),
  Refs.update(HttpClient.currentTracerPropagation, () => false),
  Refs.update(HttpClient.currentTracerDisabledWhen, (isOff) => (request) => Redact.inQuery(request) || isOff(request))
)

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  config: CloudConfig.CloudConfig
): Layer.Layer<Keystone, TransportError | PlatformError.PlatformError, Transport> =>
  Layer.scoped(Keystone, make(config))

/**
 * Reads the cloud's configuration (see `CloudConfig.load`): `Keystone.layerCloud("name")`, or without a name whatever
 * the environment says.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCloud = (
  name?: string,
  options?: Omit<CloudConfig.LoadOptions, "cloud">
): Layer.Layer<
  Keystone,
  ConfigError | TransportError | PlatformError.PlatformError,
  Transport | FileSystem.FileSystem | Path.Path
> => Layer.unwrapEffect(Effect.map(CloudConfig.load({ ...options, cloud: name }), layer))

/** When to ask for another: by this machine's clock, which need not agree with the service's. */
const staleAt = (
  config: CloudConfig.CloudConfig,
  token: Token,
  lifetime: number | undefined,
  before: number
): number => {
  if (token.expiresAt === undefined) return Number.POSITIVE_INFINITY
  const left = lifetime ?? token.expiresAt - before
  // Another token from a ready one would live no longer than it, and a passcode is good for one token.
  const margin =
    config.credentials._tag === "Token" || Identity.isForOnce(config.credentials) ? 0 : Math.min(60_000, left / 10)
  return before + left - margin
}
