/**
 * An operation is data: what it is called, how it is written on the wire, what goes in and what comes out.
 *
 * A client runs it, a command line checks its flags against it, tests enumerate it. No cloud is known here.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/**
 * @since 0.1.0
 * @category models
 */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/**
 * Query values; `undefined` ones are left out.
 *
 * @since 0.1.0
 * @category models
 */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * One spelling of an operation on the wire. Renamed operations have several, the newest first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Form<in I> {
  /** The lowest version it is served at. Default: the lowest there is. */
  readonly since?: string | undefined
  /** The highest version it is served at. Default: the highest there is. */
  readonly until?: string | undefined
  readonly method: Method
  /** Relative to the service's endpoint, percent-encoded where needed (see {@link segment}). */
  readonly path: (input: I) => string
  readonly query?: ((input: I) => Query) | undefined
  /** JSON; `undefined` sends no body. */
  readonly body?: ((input: I) => unknown) | undefined
}

/**
 * How an answer becomes a value.
 *
 * @since 0.1.0
 * @category models
 */
export interface Output<out A> {
  /** `false` if the body does not matter: it is not read as JSON at all. */
  readonly readsBody: boolean
  readonly decode: (json: unknown) => Effect.Effect<A, ParseResult.ParseError>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Operation<in I, out A> {
  /** `share.extend`: unique, and the name of its span. */
  readonly operation: string
  /**
   * It changes nothing, so it may be repeated after a fault. Said, not guessed from the method: some reads are POSTs.
   */
  readonly safe: boolean
  readonly forms: readonly [Form<I>, ...ReadonlyArray<Form<I>>]
  /** Fields of the input that need a newer version than the operation itself. */
  readonly fieldsSince: Readonly<Record<string, string>>
  /** Served only with the service's header for experimental parts. */
  readonly experimental: boolean
  readonly output: Output<A>
}

/**
 * One segment of a path: ids come from people, and must not reach another route. A URL takes `.` and `..` for steps even
 * where they are percent-encoded; encoded twice they are an id that nothing has.
 *
 * @since 0.1.0
 */
export const segment = (text: string): string =>
  /^\.{1,2}$/.test(text) ? text.replaceAll(".", "%252E") : encodeURIComponent(text)

/**
 * Nothing: the body is ignored.
 *
 * @since 0.1.0
 * @category outputs
 */
export const empty: Output<void> = { readsBody: false, decode: () => Effect.void }

/**
 * The value under a root key. Fields the schema doesn't name survive: a newer server's reach the caller.
 *
 * @since 0.1.0
 * @category outputs
 */
export const key = <A, I>(root: string, schema: Schema.Schema<A, I>): Output<A> => {
  const decode = keeping(schema)
  return {
    readsBody: true,
    decode: (json) => Effect.flatMap(under(root, json), decode)
  }
}

/**
 * The list under a root key; unknown fields of its items survive.
 *
 * @since 0.1.0
 * @category outputs
 */
export const list = <A, I>(root: string, schema: Schema.Schema<A, I>): Output<ReadonlyArray<A>> =>
  listOf(root, schema, (items) => items)

/**
 * A page: the list under a root key, and whether the service says that more follow. Its own `next` link is only read
 * as that sign: Manila's carry a `marker` that the server ignores, so following one returns the same page for ever.
 *
 * @since 0.1.0
 * @category outputs
 */
export const page = <A, I>(
  root: string,
  schema: Schema.Schema<A, I>,
  /** Left out for lists that never have links. */
  linksKey?: string
): Output<Page<A>> =>
  listOf(root, schema, (items, json) => ({
    items,
    more: linksKey !== undefined && hasNext(json[linksKey]),
    count: typeof json["count"] === "number" ? json["count"] : undefined
  }))

/**
 * @since 0.1.0
 * @category models
 */
export interface Page<out A> {
  readonly items: ReadonlyArray<A>
  /** `false` proves nothing: Manila has a link only where a page is as long as `limit`, so none under its own cap. */
  readonly more: boolean
  /** How many there are in all, if that was asked for. */
  readonly count: number | undefined
}

const listOf = <A, I, B>(
  root: string,
  schema: Schema.Schema<A, I>,
  make: (items: ReadonlyArray<A>, json: Record<string, unknown>) => B
): Output<B> => {
  const decode = keeping(schema)
  return {
    readsBody: true,
    decode: (json) =>
      Effect.flatMap(under(root, json), (value) =>
        Array.isArray(value)
          ? Effect.map(Effect.forEach(value, decode), (items) => make(items, json as Record<string, unknown>))
          : Effect.fail(notThere(root, value))
      )
  }
}

const hasNext = (links: unknown): boolean =>
  Array.isArray(links) && links.some((link: unknown) => (link as { rel?: unknown } | null)?.rel === "next")

const under = (root: string, json: unknown): Effect.Effect<unknown, ParseResult.ParseError> => {
  const record = typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {}
  return root in record ? Effect.succeed(record[root]) : Effect.fail(notThere(root, json))
}

const notThere = (root: string, actual: unknown): ParseResult.ParseError =>
  ParseResult.parseError(new ParseResult.Type(Schema.String.ast, actual, `the answer has no usable "${root}"`))

/**
 * Decodes strictly, then merges over the raw object. `onExcessProperty: "preserve"` would do the same at 25 times the
 * cost of `JSON.parse` for a page, this at 4 times.
 */
const keeping = <A, I>(schema: Schema.Schema<A, I>): ((raw: unknown) => Effect.Effect<A, ParseResult.ParseError>) => {
  const decode = Schema.decodeUnknown(schema)
  return (raw) =>
    Effect.map(decode(raw), (decoded) =>
      typeof decoded === "object" && decoded !== null && !Array.isArray(decoded) && typeof raw === "object"
        ? { ...raw, ...decoded }
        : decoded
    )
}
