/**
 * Share groups (2.31): found by name or id, for shares that belong to one.
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
export const ShareGroupId = Schema.String.pipe(Schema.brand("ShareGroupId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type ShareGroupId = typeof ShareGroupId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * @since 0.1.0
 * @category models
 */
export const ShareGroup = Schema.Struct({
  id: ShareGroupId,
  name: text,
  description: text,
  project_id: text,
  created_at: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type ShareGroup = typeof ShareGroup.Type

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
export const page = Operation.make<Filter & Partial<Page.Window>, Http.Page<ShareGroup>>(
  { name: "shareGroup.list", experimental: true, output: Http.page("share_groups", ShareGroup, "share_groups_links") },
  {
    since: "2.31",
    method: "GET",
    path: () => "/share-groups/detail",
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
export const get = Operation.make<{ readonly id: ShareGroupId }, ShareGroup>(
  { name: "shareGroup.get", experimental: true, output: Http.key("share_group", ShareGroup) },
  { since: "2.31", method: "GET", path: ({ id }) => `/share-groups/${Http.segment(id)}` }
)

/**
 * @since 0.1.0
 * @category lists
 */
export const list = (filter: Filter = {}): Stream.Stream<ShareGroup, ManilaError, Manila> =>
  Page.stream((window) => page({ ...filter, ...window }))

/**
 * The share group of this name: one request with the server's own filter.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string,
  filter: Omit<Filter, "name"> = {}
): Effect.Effect<ShareGroup, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName(
    "share group",
    name,
    Page.named(name, (window) => page({ ...filter, name, ...window }))
  )
