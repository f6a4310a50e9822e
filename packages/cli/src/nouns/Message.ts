/**
 * What the service has to say about requests that went wrong: `share message list`, `show`, `delete`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "message", "list"],
  summary: "List the service's messages",
  args: {},
  options: {
    resourceId: {
      flags: ["--resource-id"],
      type: "string",
      metavar: "resource-id",
      help: "Only messages about the resource with this id"
    },
    resourceType: {
      flags: ["--resource-type"],
      type: "string",
      metavar: "resource-type",
      help: "Only messages about this kind of resource, such as SHARE"
    },
    actionId: { flags: ["--action-id"], type: "string", metavar: "action-id", help: "Only messages of this action" },
    detailId: { flags: ["--detail-id"], type: "string", metavar: "detail-id", help: "Only messages of this detail" },
    requestId: {
      flags: ["--request-id"],
      type: "string",
      metavar: "request-id",
      help: "Only messages of the request with this id"
    },
    messageLevel: {
      flags: ["--message-level"],
      type: "string",
      metavar: "message-level",
      help: "Only messages of this level, such as ERROR"
    },
    limit: { flags: ["--limit"], type: "int", metavar: "limit", help: "At most so many messages" },
    since: {
      flags: ["--since"],
      type: "string",
      metavar: "since",
      since: "2.52",
      help: "Only messages after this date, such as 2026-03-31"
    },
    before: {
      flags: ["--before"],
      type: "string",
      metavar: "before",
      since: "2.52",
      help: "Only messages before this date, such as 2026-03-31"
    }
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Resource Type", "resource_type"],
        ["Resource ID", "resource_id"],
        ["Action ID", "action_id"],
        ["User Message", "user_message"],
        ["Detail ID", "detail_id"],
        ["Created At", "created_at"]
      ]
    }
  },
  since: "2.37"
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "message", "show"],
  summary: "Show a message",
  args: { message: { type: "string", metavar: "message", help: "Id of the message" } },
  options: {},
  output: {
    kind: "single",
    fields: {
      mode: "fixed",
      names: [
        "id",
        "resource_type",
        "resource_id",
        "action_id",
        "user_message",
        "message_level",
        "detail_id",
        "created_at",
        "expires_at",
        "request_id"
      ]
    }
  },
  since: "2.37"
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "message", "delete"],
  summary: "Delete messages",
  args: { messages: { type: "string", metavar: "message", many: true, help: "Ids of the messages" } },
  options: { ...Lookup.missing },
  output: { kind: "none" },
  since: "2.37"
})
