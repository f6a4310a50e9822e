/**
 * The service catalog that comes with a scoped token, and the choice of one endpoint from it.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EndpointNotFound } from "./KeystoneError.ts"

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

const ServiceJson = Schema.Struct({
  type: Schema.String,
  name: Schema.optional(Schema.NullOr(Schema.String)),
  endpoints: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] })
})

const EndpointJson = Schema.Struct({
  url: Schema.String,
  interface: Schema.String,
  region: Schema.optional(Schema.NullOr(Schema.String)),
  region_id: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * The interface of a word: keystone's and clouds.yaml's `public`, or `publicURL` as older clouds and files say it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const interfaceOf = (word: string): Option.Option<Interface> => {
  const name = word.trim().replace(/URL$/, "")
  return name === "public" || name === "internal" || name === "admin" ? Option.some(name) : Option.none()
}

/**
 * Reads the `catalog` of a token. What is not an endpoint is left out.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromJson = (json: unknown): Catalog =>
  (Array.isArray(json) ? json : []).flatMap((item: unknown) =>
    Option.match(Schema.decodeUnknownOption(ServiceJson)(item), {
      onNone: () => [],
      onSome: ({ endpoints, name, type }): ReadonlyArray<Service> => [
        {
          type,
          name: name ?? undefined,
          endpoints: endpoints.flatMap((endpoint) =>
            Option.toArray(
              Option.flatMap(Schema.decodeUnknownOption(EndpointJson)(endpoint), (found) =>
                Option.map(interfaceOf(found.interface), (kind) => ({
                  url: trim(found.url),
                  type,
                  interface: kind,
                  region: found.region_id ?? found.region ?? undefined
                }))
              )
            )
          )
        }
      ]
    })
  )

/**
 * The endpoint for the first of `types` that has one, by interface (in the order given) and region. Without a region the
 * first endpoint of that interface is taken.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (
  catalog: Catalog,
  options: {
    readonly types: ReadonlyArray<string>
    readonly interfaces: ReadonlyArray<Interface>
    readonly region?: string | undefined
  }
): Either.Either<Endpoint, EndpointNotFound> => {
  const { interfaces, region, types } = options
  const ofType = types.map((type) => catalog.filter((service) => service.type === type).flatMap((one) => one.endpoints))
  for (const endpoints of ofType) {
    for (const kind of interfaces) {
      const found = endpoints.find(
        (endpoint) => endpoint.interface === kind && (region === undefined || endpoint.region === region)
      )
      if (found !== undefined) return Either.right(found)
    }
  }
  const all = ofType.flat()
  const inRegion = all.filter((endpoint) => region === undefined || endpoint.region === region)
  const [missing, found]: readonly ["type" | "region" | "interface", ReadonlyArray<string | undefined>] =
    all.length === 0
      ? ["type", catalog.map(({ type }) => type)]
      : inRegion.length === 0
        ? ["region", all.map((endpoint) => endpoint.region)]
        : ["interface", inRegion.map((endpoint) => endpoint.interface)]
  return Either.left(
    new EndpointNotFound({
      missing,
      types,
      interfaces,
      region,
      found: [...new Set(found.filter((name): name is string => name !== undefined))].toSorted()
    })
  )
}

/**
 * A URL without slashes at its end: paths are put behind it.
 *
 * @since 0.1.0
 * @category getters
 */
export const trim = (url: string): string => url.replace(/\/+$/, "")
