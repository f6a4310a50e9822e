/**
 * Whole lists from pages by `offset` and `limit`.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Operation from "./Operation.ts"

/**
 * What one request asks for. `undefined` means that the service's own default counts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Window {
  readonly limit: number
  /** `undefined` for the first page. */
  readonly offset: number | undefined
}

/**
 * The items of all pages, each once.
 *
 * Goes on while pages are full, the service says that more follow (its cap may be below `pageSize`), or it says nothing
 * of that; stops at a page that brings nothing new: some services ignore `offset`. `total` ends the stream after so many items, and asks
 * for no more than that. Default page size 1 000, the service's own cap.
 *
 * @since 0.1.0
 */
export const stream = <A extends { readonly id: string }, E, R>(
  fetch: (window: Window) => Effect.Effect<Operation.Page<A>, E, R>,
  options: {
    readonly pageSize?: number | undefined
    readonly total?: number | undefined
    readonly offset?: number | undefined
  } = {}
): Stream.Stream<A, E, R> => {
  const pageSize = Math.max(1, options.pageSize ?? 1000)
  const total = options.total ?? Number.POSITIVE_INFINITY
  const start = options.offset ?? 0
  if (total <= 0) return Stream.empty
  return Stream.suspend(() => {
    const seen = new Set<string>()
    return Stream.paginateChunkEffect(start, (offset) => {
      const limit = Math.min(pageSize, total - seen.size)
      return Effect.map(fetch({ limit, offset: offset === 0 ? undefined : offset }), ({ items, more }) => {
        const fresh = items.filter(({ id }) => !seen.has(id) && seen.add(id) && seen.size <= total)
        const goOn = (more !== false || items.length >= limit) && fresh.length > 0 && seen.size < total
        return [Chunk.fromIterable(fresh), goOn ? Option.some(offset + items.length) : Option.none<number>()] as const
      })
    })
  })
}

/**
 * All items of a stream of pages, in one array.
 *
 * @since 0.1.0
 */
export const collect = <A, E, R>(items: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(items), Chunk.toReadonlyArray)
