/**
 * `share message list`, `show`, `delete`.
 *
 * @since 0.1.0
 */
import * as Message from "@effect-manila/core/manila/Message"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Message.ts"
import * as Cloud from "./Cloud.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const messages = yield* Stream.runCollect(
      Message.list(
        Parts.filter({
          resourceId: args.resourceId,
          resourceType: args.resourceType,
          actionId: args.actionId,
          detailId: args.detailId,
          requestId: args.requestId,
          messageLevel: args.messageLevel,
          createdSince: args.since,
          createdBefore: args.before
        }),
        { total: Parts.total(args.limit) }
      )
    )
    yield* Records.list(context.spec, Chunk.toReadonlyArray(messages))
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    yield* Records.single(context.spec, yield* Message.get({ id: Message.MessageId.make(args.message) }))
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Many.each(args.messages, context, args.ignoreMissing, (text) =>
    Effect.as(Message.remove({ id: Message.MessageId.make(text) }), { outcome: undefined })
  ).pipe(Cloud.provide(context, args))
