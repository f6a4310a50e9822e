/**
 * User messages: why something that was accepted failed.
 */
import * as Stamp from "../../internal/Stamp.ts"
import { type Call, ok, param, type Reply } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidField, invalidInput, refuse } from "./Refusal.ts"
import type { MessageRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as Views from "./Views.ts"
import type { World } from "./World.ts"

/** One whose time has come; failures that are still to come wait in the same place. */
const isThere = (call: Call, message: MessageRow): boolean =>
  message.createdMicros <= call.now * 1000 && Policy.owns(call, message.projectId)

const find = (world: World, call: Call): MessageRow => {
  const message = world.messages.get(param(call))
  if (message === undefined || !isThere(call, message)) throw refuse(404, `Message ${param(call)} could not be found.`)
  return message
}

const show = (world: World, call: Call): Reply => ok({ message: Views.message(call, find(world, call)) })

const remove = (world: World, call: Call): Reply => {
  world.messages.delete(find(world, call).id)
  return { status: 204, type: "text/html; charset=UTF-8" }
}

const fields: Readonly<Record<string, (message: MessageRow) => string | null>> = {
  request_id: (message) => message.requestId,
  resource_type: (message) => message.resourceType,
  resource_id: (message) => message.resourceId,
  action_id: (message) => message.actionId,
  detail_id: (message) => message.detailId,
  message_level: (message) => message.level
}

const sortKeys: typeof fields = {
  ...fields,
  id: (message) => message.id,
  project_id: (message) => message.projectId,
  created_at: (message) => message.createdAt,
  expires_at: (message) => message.expiresAt
}

const timeOf = (call: Call, key: string): number | undefined => {
  const given = call.version >= 52 ? call.query.get(key) : undefined
  if (given === undefined) return undefined
  const micros = Stamp.toMicros(given)
  if (micros === undefined) throw invalidField("0", given, `'${given}' is not a 'date-time'`)
  return micros
}

const list = (world: World, call: Call): Reply => {
  Pages.checkQuery(call, { numbers: ["limit", "offset"] })
  const window = Pages.windowOf(call)
  const since = timeOf(call, "created_since")
  const before = timeOf(call, "created_before")
  const sortKey = Pages.sortKeyOf(call)
  const keyOf = sortKeys[sortKey]
  if (keyOf === undefined) throw invalidInput(`Invalid sort key ${sortKey}`)
  const wanted = Object.entries(fields).flatMap(([key, read]) => {
    const value = call.query.get(key)
    return value === undefined ? [] : [(message: MessageRow) => Pages.same(read(message), value)]
  })
  const found: Array<MessageRow> = []
  for (const message of world.messages.values()) {
    if (
      isThere(call, message) &&
      (since === undefined || message.createdMicros >= since) &&
      (before === undefined || message.createdMicros <= before) &&
      wanted.every((test) => test(message))
    )
      found.push(message)
  }
  // What is not `desc` is `asc` here.
  const direction = (call.query.get("sort_dir") ?? "desc") === "desc" ? "desc" : "asc"
  const sorted = Pages.sortBy(found, keyOf, direction)
  const cap = window.limit === undefined ? world.shareCap : world.cap
  const page = Pages.slice(sorted, {
    limit: Math.min(window.limit ?? Infinity, cap),
    offset: window.offset
  })
  const links = nextLinks(call, "messages", page)
  return ok({
    messages: page.map((message) => Views.message(call, message)),
    ...(links === undefined ? {} : { messages_links: links })
  })
}

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "messages", since: 37, handle: list },
  { method: "GET", path: "messages/:id", since: 37, handle: show },
  { method: "DELETE", path: "messages/:id", since: 37, role: "member", handle: remove }
]
