/**
 * What clouds send: `Retry-After` headers, microversions, catalogs.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as FakeCloud from "../FakeCloud.ts"

/**
 * A `Retry-After` header and the milliseconds it means at `now`, `undefined` where it means nothing.
 *
 * @since 0.1.0
 */
export const retryAfterHeader = (
  now: number
): FastCheck.Arbitrary<{ readonly header: string; readonly millis: number | undefined }> => {
  // A date has no fraction of a second.
  const date = FastCheck.integer({ min: 0, max: 7200 }).map((seconds) => {
    const at = Math.floor(now / 1000) * 1000 + seconds * 1000
    return { header: new Date(at).toUTCString(), millis: Math.max(0, at - now) }
  })
  const seconds = FastCheck.integer({ min: 0, max: 7200 }).map((seconds) => ({
    header: String(seconds),
    millis: seconds * 1000
  }))
  const nothing = FastCheck.constantFrom("", "soon", "-1", "1e3s", "Someday, 99 Foo 2099").map((header) => ({
    header,
    millis: undefined
  }))
  return FastCheck.oneof({ weight: 4, arbitrary: seconds }, { weight: 2, arbitrary: date }, nothing)
}

/**
 * `2.0` to `2.N`.
 *
 * @since 0.1.0
 */
export const microversion = (max = 99): FastCheck.Arbitrary<`${number}.${number}`> =>
  FastCheck.integer({ min: 0, max }).map((minor) => `2.${minor}` as const)

/**
 * What a service has: the lowest and the highest version, in order.
 *
 * @since 0.1.0
 */
export const microversionRange = (
  max = 99
): FastCheck.Arbitrary<{ readonly min: `${number}.${number}`; readonly max: `${number}.${number}` }> =>
  FastCheck.tuple(FastCheck.nat(max), FastCheck.nat(max)).map(([one, two]) => ({
    min: `2.${Math.min(one, two)}` as const,
    max: `2.${Math.max(one, two)}` as const
  }))

/**
 * Catalogs with the share service under any of its names, the removed first version beside it or alone, other services,
 * several regions and interfaces.
 *
 * @since 0.1.0
 */
export const catalog: FastCheck.Arbitrary<ReadonlyArray<FakeCloud.CatalogService>> = FastCheck.uniqueArray(
  FastCheck.record({
    type: FastCheck.constantFrom("shared-file-system", "sharev2", "share", "compute", "volumev3"),
    regions: FastCheck.constantFrom(["RegionOne"], ["RegionOne", "RegionTwo"], ["RegionTwo"]),
    interfaces: FastCheck.constantFrom<ReadonlyArray<"public" | "internal" | "admin">>(
      ["public"],
      ["public", "internal", "admin"],
      ["internal"]
    )
  }),
  { selector: ({ type }) => type, maxLength: 5 }
).map((services) =>
  services.map((service) => ({
    ...service,
    path:
      service.type === "share" ? "/share/v1/{project_id}" : service.type.startsWith("share") ? "/share/v2" : "/other"
  }))
)
