/**
 * Share networks: found by name or id, for shares that need one.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Http from "../http/Operation.ts"
import * as Page from "../http/Page.ts"
import * as Find from "./Find.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import * as Operation from "./Operation.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const ShareNetworkId = Schema.String.pipe(Schema.brand("ShareNetworkId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ShareNetworkId = typeof ShareNetworkId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * @since 0.1.0
 * @category models
 */
export const ShareNetwork = Schema.Struct({
  id: ShareNetworkId,
  name: text,
  description: text,
  project_id: text,
  created_at: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type ShareNetwork = typeof ShareNetwork.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly name?: string | undefined
  /** Needs an administrator; silently without effect for others. */
  readonly allProjects?: boolean | undefined
}

/**
 * One page; see {@link list} for all of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Filter & Partial<Page.Window>, Http.Page<ShareNetwork>>(
  { name: "shareNetwork.list", output: Http.page("share_networks", ShareNetwork) },
  {
    method: "GET",
    path: () => "/share-networks/detail",
    query: ({ allProjects, limit, name, offset }) => ({
      name,
      all_tenants: allProjects === true ? 1 : undefined,
      limit,
      offset
    })
  }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: ShareNetworkId }, ShareNetwork>(
  { name: "shareNetwork.get", output: Http.key("share_network", ShareNetwork) },
  { method: "GET", path: ({ id }) => `/share-networks/${Http.segment(id)}` }
)

/**
 * @since 0.1.0
 * @category lists
 */
export const list = (filter: Filter = {}): Stream.Stream<ShareNetwork, ManilaError, Manila> =>
  Page.stream((window) => page({ ...filter, ...window }))

/**
 * The share network of this name: one request with the server's own filter.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string,
  filter: Omit<Filter, "name"> = {}
): Effect.Effect<ShareNetwork, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName(
    "share network",
    name,
    Page.named(name, (window) => page({ ...filter, name, ...window }))
  )
