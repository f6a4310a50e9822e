/**
 * The share service of one cloud: its version, and the one way every operation is sent.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Http from "../http/Operation.ts"
import type { Transport, TransportError } from "../http/Transport.ts"
import type { LoadOptions } from "../keystone/CloudConfig.ts"
import * as Keystone from "../keystone/Keystone.ts"
import type { ConfigError } from "../keystone/KeystoneError.ts"
import * as Discovery from "./internal/discovery.ts"
import * as Execute from "./internal/execute.ts"
import type { ManilaError } from "./ManilaError.ts"
import type { Microversion } from "./Microversion.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class Manila extends Context.Tag("@effect-manila/core/Manila")<
  Manila,
  {
    /** The microversion spoken: what was asked for, else the highest both sides have. Discovered once. */
    readonly version: Effect.Effect<Microversion, ManilaError>
    /** The endpoint's URL, up to and with `/v2`, and the project's id where the catalog has it. */
    readonly endpoint: Effect.Effect<string, ManilaError>
    readonly execute: <I, A>(operation: Http.Operation<I, A>, input: I) => Effect.Effect<A, ManilaError>
  }
>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: the cloud's configuration (`share_api_version`), else negotiated: the highest both sides have. */
  readonly microversion?: string | undefined
  /** For each single request. Default: the cloud's configuration, else 60 s. */
  readonly requestTimeout?: Duration.DurationInput | undefined
  /** Send trace headers (`traceparent`, `b3`) with requests. Default `false`. */
  readonly tracePropagation?: boolean | undefined
}

/**
 * Service types of the v2 API, in the order they are looked for. The old `share` is the removed v1 API.
 *
 * @since 0.1.0
 */
export const serviceTypes: ReadonlyArray<string> = ["shared-file-system", "sharev2"]

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Context.Tag.Service<Manila>, never, Keystone.Keystone> =>
  Effect.gen(function* () {
    const keystone = yield* Keystone.Keystone
    const sender: Execute.Sender = {
      keystone,
      timeoutMillis: Duration.toMillis(options.requestTimeout ?? keystone.config.requestTimeout),
      tracePropagation: options.tracePropagation ?? false
    }
    const found = yield* Discovery.shared(sender, serviceTypes, options.microversion ?? keystone.config.microversion)
    return Manila.of({
      version: Effect.map(found, ({ version }) => version),
      endpoint: Effect.map(found, ({ endpoint }) => endpoint),
      execute: (operation, input) =>
        Effect.flatMap(found, (service) => Execute.execute(sender, service, operation, input))
    })
  })

/**
 * Needs a {@link Keystone.Keystone}; nothing is sent before the first operation.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Manila, never, Keystone.Keystone> =>
  Layer.effect(Manila, make(options))

/**
 * The share service of a cloud of `clouds.yaml`, or without a name of whatever `OS_CLOUD` and the other `OS_*`
 * variables say.
 *
 * Fails with `ConfigError` if the cloud can't be found or lacks a setting. Nothing is sent before the first operation.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerCloud = (
  name?: string,
  options: Options & Omit<LoadOptions, "cloud"> = {}
): Layer.Layer<
  Manila,
  ConfigError | TransportError | PlatformError.PlatformError,
  Transport | FileSystem.FileSystem | Path.Path
> => Layer.provide(layer(options), Keystone.layerCloud(name, options))
