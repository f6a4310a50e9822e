/**
 * One HTTP exchange as plain values: what the fake cloud answers and what every way of reaching it carries.
 *
 * The cloud itself is a function from request to answer whose only other input is the fiber's `Clock`; in-process
 * client, virtual time and loopback server are adapters around it. Nothing here is a web `Request` or a promise.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"

/**
 * @since 0.1.0
 * @category models
 */
export interface WireRequest {
  readonly method: string
  /** Scheme, host and port the caller used, without a trailing slash: links and catalogs are built from it. */
  readonly origin: string
  /** Percent-encoded, as sent, without the query. */
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface WireAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * What comes back: an answer, whole or cut short after `cutAfter` bytes of its body, or a connection that is reset
 * before anything is said. `delayMillis` passes on the caller's clock first.
 *
 * @since 0.1.0
 * @category models
 */
export type WireReply =
  | {
      readonly _tag: "Answer"
      readonly answer: WireAnswer
      readonly cutAfter?: number | undefined
      readonly delayMillis?: number | undefined
    }
  | { readonly _tag: "Reset"; readonly delayMillis?: number | undefined }

/**
 * A cloud, or one service of it. It never sleeps and starts no fibers.
 *
 * @since 0.1.0
 * @category models
 */
export type App = (request: WireRequest) => Effect.Effect<WireReply>
