/**
 * The requests a fake cloud has seen, for tests to read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

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
  /** How many there are, or how many match. */
  readonly count: (filter?: Filter) => Effect.Effect<number>
  readonly clear: Effect.Effect<void>
  /** Adds an entry: for what answers in the cloud's place. */
  readonly record: (entry: Entry) => Effect.Effect<void>
}

/**
 * Whether an entry is one of those asked for.
 *
 * @since 0.1.0
 * @category predicates
 */
export const matches = (entry: Entry, { method, path, status, service }: Filter): boolean =>
  (method === undefined || entry.method === method.toUpperCase()) &&
  (status === undefined || entry.status === status) &&
  (service === undefined || entry.service === service) &&
  (path === undefined || (typeof path === "string" ? entry.path.includes(path) : entry.path.search(path) !== -1))

/**
 * A journal, and the way to write into it without an effect.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): { readonly journal: Journal; readonly write: (entry: Entry) => void } => {
  let seen: Array<Entry> = []
  const write = (entry: Entry) => {
    seen.push(entry)
  }
  const journal: Journal = {
    entries: Effect.sync(() => seen.slice()),
    filter: (filter) => Effect.sync(() => seen.filter((entry) => matches(entry, filter))),
    count: (filter = {}) => Effect.sync(() => seen.reduce((n, entry) => (matches(entry, filter) ? n + 1 : n), 0)),
    clear: Effect.sync(() => {
      seen = []
    }),
    record: (entry) => Effect.sync(() => write(entry))
  }
  return { journal, write }
}
