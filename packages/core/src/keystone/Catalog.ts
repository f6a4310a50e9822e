/**
 * The service catalog that comes with a scoped token, and the choice of one endpoint from it.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import type { EndpointNotFound } from "./KeystoneError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Interface = "public" | "internal" | "admin"

/**
 * One endpoint of the catalog, or the one set by an override (then without interface and region).
 *
 * @since 0.1.0
 * @category models
 */
export interface Endpoint {
  /** As the catalog or the override says it, without trailing slashes. */
  readonly url: string
  /** The service's type; of an override the first type that was asked for. */
  readonly type: string
  readonly interface: Interface | undefined
  readonly region: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly type: string
  readonly name: string | undefined
  readonly endpoints: ReadonlyArray<Endpoint>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Catalog = ReadonlyArray<Service>

/**
 * Reads the `catalog` of a token. What is not an endpoint is left out.
 *
 * @since 0.1.0
 * @category constructors
 */
export declare const fromJson: (json: unknown) => Catalog

/**
 * The endpoint for the first of `types` that the catalog has, by interface (in the order given) and region. Without a
 * region the first endpoint of that interface is taken.
 *
 * @since 0.1.0
 * @category getters
 */
export declare const find: (
  catalog: Catalog,
  options: {
    readonly types: ReadonlyArray<string>
    readonly interfaces: ReadonlyArray<Interface>
    readonly region?: string | undefined
  }
) => Either.Either<Endpoint, EndpointNotFound>
