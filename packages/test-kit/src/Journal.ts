/**
 * The requests a fake cloud has seen, for tests to read.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"

/**
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** The clock's milliseconds when the request came. */
  readonly time: number
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly status: number
  /** What the request asked for; undefined if it did not say. */
  readonly microversion: string | undefined
  readonly requestId: string | undefined
  readonly service: "identity" | "share" | "none"
}

/**
 * Which entries: `path` is a text that the path contains, or a pattern.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly method?: string
  readonly path?: string | RegExp
  readonly status?: number
  readonly service?: Entry["service"]
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Journal {
  readonly entries: Effect.Effect<ReadonlyArray<Entry>>
  readonly filter: (filter: Filter) => Effect.Effect<ReadonlyArray<Entry>>
  readonly count: (filter?: Filter) => Effect.Effect<number>
  readonly clear: Effect.Effect<void>
}
