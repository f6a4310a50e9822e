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
 * Goes on to a page that brings nothing new: a short page does not mean the end, since the service's own cap may be below
 * `pageSize` and nothing says so, and some services ignore `offset`. Only a count of all, where the service gives one,
 * spares that last request. `total` ends the stream after so many items, and asks for no more than that. Default page
 * size 1 000, the service's own cap.
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
      return Effect.map(fetch({ limit, offset: offset === 0 ? undefined : offset }), ({ count, items }) => {
        const fresh = items.filter(({ id }) => !seen.has(id) && seen.add(id) && seen.size <= total)
        const next = offset + items.length
        // A full page is not the last one, whatever the count says.
        const counted = count !== undefined && next >= count && items.length < limit
        const goOn = fresh.length > 0 && seen.size < total && !counted
        return [Chunk.fromIterable(fresh), goOn ? Option.some(next) : Option.none<number>()] as const
      })
    })
  })
}

/**
 * Whether to ask how many there are: for a list without an end of its own, to know its end without one more request.
 *
 * @since 0.1.0
 */
export const counting = (options: { readonly total?: number | undefined } | undefined): true | undefined =>
  options?.total === undefined ? true : undefined

/**
 * The items of this name, for a `fetch` that asks the server for it: one request. A server that answers with other
 * names too ignores the filter, and is read to its end.
 *
 * @since 0.1.0
 */
export const named = <A extends { readonly id: string; readonly name?: string | null | undefined }, E, R>(
  name: string,
  fetch: (window: Window) => Effect.Effect<Operation.Page<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.flatMap(fetch({ limit: 1000, offset: undefined }), ({ items }) =>
    items.every((item) => item.name === name)
      ? Effect.succeed(items)
      : Stream.runFold(stream(fetch), [] as Array<A>, (found, item) => (item.name === name ? [...found, item] : found))
  )
