/**
 * User messages (2.37): what the service says to a user about an asynchronous failure.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Http from "../http/Operation.ts"
import * as Page from "../http/Page.ts"
import * as Retry from "../http/Retry.ts"
import type * as WaitError from "../waiter/WaitError.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import * as Operation from "./Operation.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const MessageId = Schema.String.pipe(Schema.brand("MessageId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type MessageId = typeof MessageId.Type

/**
 * @since 0.1.0
 * @category models
 */
export const Message = Schema.Struct({
  id: MessageId,
  project_id: Schema.optional(Schema.NullOr(Schema.String)),
  /** What was being done: `002` is create. */
  action_id: Schema.optional(Schema.NullOr(Schema.String)),
  /** Why it failed: `002` is no host with capacity. */
  detail_id: Schema.optional(Schema.NullOr(Schema.String)),
  message_level: Schema.optional(Schema.NullOr(Schema.String)),
  request_id: Schema.optional(Schema.NullOr(Schema.String)),
  resource_type: Schema.optional(Schema.NullOr(Schema.String)),
  resource_id: Schema.optional(Schema.NullOr(Schema.String)),
  user_message: Schema.String,
  created_at: Schema.optional(Schema.NullOr(Schema.String)),
  expires_at: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Message = typeof Message.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly resourceId?: string | undefined
  readonly resourceType?: string | undefined
  readonly requestId?: string | undefined
  readonly actionId?: string | undefined
  readonly detailId?: string | undefined
  readonly messageLevel?: string | undefined
  /** ISO 8601; since 2.52. */
  readonly createdSince?: string | undefined
  /** ISO 8601; since 2.52. */
  readonly createdBefore?: string | undefined
  readonly sortKey?: string | undefined
  readonly sortDir?: "asc" | "desc" | undefined
}

/**
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Filter & Partial<Page.Window>, Http.Page<Message>>(
  {
    name: "message.list",
    fieldsSince: { createdSince: "2.52", createdBefore: "2.52" },
    output: Http.page("messages", Message, "messages_links")
  },
  {
    since: "2.37",
    method: "GET",
    path: () => "/messages",
    query: (input) => ({
      resource_id: input.resourceId,
      resource_type: input.resourceType,
      request_id: input.requestId,
      action_id: input.actionId,
      detail_id: input.detailId,
      message_level: input.messageLevel,
      created_since: input.createdSince,
      created_before: input.createdBefore,
      sort_key: input.sortKey,
      sort_dir: input.sortDir,
      limit: input.limit,
      offset: input.offset
    })
  }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: MessageId }, Message>(
  { name: "message.get", output: Http.key("message", Message) },
  { since: "2.37", method: "GET", path: ({ id }) => `/messages/${Http.segment(id)}` }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<{ readonly id: MessageId }, void>(
  { name: "message.delete", output: Http.empty },
  { since: "2.37", method: "DELETE", path: ({ id }) => `/messages/${Http.segment(id)}` }
)

/**
 * All messages, newest first unless the filter sorts otherwise.
 *
 * @since 0.1.0
 * @category lists
 */
export const list = (
  filter: Filter = {},
  options?: { readonly total?: number | undefined; readonly offset?: number | undefined }
): Stream.Stream<Message, ManilaError, Manila> => Page.stream((window) => page({ ...filter, ...window }), options)

/**
 * The newest error message about a resource, as the reason of a failed wait. One request; none below 2.37.
 *
 * @since 0.1.0
 * @category waiting
 */
export const reason = (resourceId: string): Effect.Effect<Option.Option<WaitError.Reason>, ManilaError, Manila> =>
  page({ resourceId, messageLevel: "ERROR", sortKey: "created_at", sortDir: "desc", limit: 1 }).pipe(
    Retry.once,
    Effect.map(({ items }) =>
      Option.map(
        Option.fromNullable(items[0]),
        ({ action_id, detail_id, request_id, user_message }): WaitError.Reason => ({
          message: user_message,
          detailId: detail_id,
          actionId: action_id,
          requestId: request_id
        })
      )
    )
  )
