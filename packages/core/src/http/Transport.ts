/**
 * The seam between a cloud and the network: one `HttpClient` per cloud, made from that cloud's TLS and proxy settings.
 *
 * Identity, version discovery and share requests all use the client it returns, so that a private CA or
 * `verify: false` holds for every request of that cloud and for no other.
 *
 * @since 0.1.0
 */
import type * as Error from "@effect/platform/Error"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Schema from "effect/Schema"

/**
 * What a cloud's configuration says about connections.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransportSettings {
  /** Verify the server's certificate. Default `true`; `false` is `--insecure`. Never process-wide. */
  readonly verify: boolean
  /** Path of a PEM file with the certificate authorities to trust instead of the built-in ones. */
  readonly cacert?: string | undefined
  /** Path of a PEM file with the client certificate, and after it those between it and its authority. */
  readonly cert?: string | undefined
  /** Path of a PEM file with the client certificate's key. Default: the file of the certificate. */
  readonly key?: string | undefined
  /** Opens a key that is encrypted. */
  readonly keyPassword?: Redacted.Redacted<string> | undefined
}

/**
 * The settings could not be turned into a client: a file that is missing or isn't PEM, a key that is not the
 * certificate's or does not open.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends Schema.TaggedError<TransportError>("@effect-manila/core/TransportError")(
  "TransportError",
  { setting: Schema.String, detail: Schema.String }
) {
  override get message(): string {
    return `${this.setting}: ${this.detail}`
  }
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Transport extends Context.Tag("@effect-manila/core/Transport")<
  Transport,
  {
    readonly client: (
      settings: TransportSettings
    ) => Effect.Effect<HttpClient.HttpClient, TransportError | Error.PlatformError, Scope.Scope>
  }
>() {}

/**
 * Uses the `HttpClient` of the context for every cloud and ignores TLS settings: for in-process fakes, and for programs
 * that bring their own client.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHttpClient: Layer.Layer<Transport, never, HttpClient.HttpClient> = Layer.effect(
  Transport,
  Effect.map(HttpClient.HttpClient, (client) => Transport.of({ client: () => Effect.succeed(client) }))
)
