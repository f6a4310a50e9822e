/**
 * Access rules of shares, both ways of asking: the actions of the share, and the resource of its own (2.45).
 */
import * as Stamp from "../../internal/Stamp.ts"
import type * as Lifecycle from "../../Lifecycle.ts"
import * as Address from "./Address.ts"
import { accepted, type Call, done, isJson, ok, param, type Reply, root } from "./Call.ts"
import * as Literal from "./Literal.ts"
import { checkMetadata } from "./Metadata.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, refuse, Refusal, stumble } from "./Refusal.ts"
import type { Metadata, RuleRow, ShareRow } from "./Rows.ts"
import { renamed, type Route } from "./Route.ts"
import { argument } from "./ShareActions.ts"
import * as ShareView from "./ShareView.ts"
import * as Statuses from "./Statuses.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

const levels = ["rw", "ro"]
const types = ["ip", "user", "cert", "cephx"]

/** Rules change only on a back end that is at rest; before 2.74 also not on one in error. */
const checkSettled = (call: Call, share: ShareRow, what: string, evenInError: boolean): void => {
  const status = Track.statusAt(share.track, call.now)
  if (share.host === null || Statuses.transitional.has(status) || (!evenInError && status === "error"))
    throw refuse(
      400,
      `${what} while the share or any of its replicas or migration copies lacks a valid host or is in an invalid state.`
    )
}

const ownShare = (world: World.World, call: Call, what: string): ShareRow => {
  const share = Policy.shareOr404(world, call, param(call), "NotFound: Resource could not be found.")
  Policy.own(call, share, "share:get")
  if (share.binnedUntil !== undefined)
    throw refuse(403, `Cannot ${what} access for share '${share.id}' since it has been soft deleted.`)
  return share
}

const rulesOf = (share: ShareRow, now: number): Array<RuleRow> => World.allIn(share.rules, now)

export interface NewRule {
  readonly id?: string | undefined
  readonly type: string
  readonly to: string
  readonly level: string
  readonly metadata: Metadata
  readonly key?: string | null | undefined
  readonly createdMicros?: number | undefined
}

/** A rule that nothing has happened to yet; whoever adds it gives it a track. */
export const addRule = (world: World.World, share: ShareRow, given: NewRule, now: number): RuleRow => {
  const createdMicros = given.createdMicros ?? World.nextMicros(world, now)
  const rule: RuleRow = {
    id: given.id ?? world.ids.uuid(),
    projectId: share.projectId,
    shareId: share.id,
    type: given.type,
    to: given.to,
    level: given.level,
    createdMicros,
    createdAt: Stamp.fromMicros(createdMicros),
    updatedMicros: undefined,
    key: given.key === undefined ? (given.type === "cephx" ? `${world.ids.text(38)}==` : null) : given.key,
    keyFrom: Infinity,
    metadata: given.metadata,
    track: Track.steady("active")
  }
  share.rules.set(rule.id, rule)
  world.ruleShares.set(rule.id, share.id)
  return rule
}

/** The key of a cephx user is there once the driver has made it. */
export const followRule = (rule: RuleRow): void => {
  const at = Track.reachedAt(rule.track, "active")
  if (at !== undefined) rule.keyFrom = Math.min(rule.keyFrom, at)
}

const start = (world: World.World, call: Call, rule: RuleRow, action: Lifecycle.Action): void => {
  const { lifecycle } = World.nextLifecycle(world, action)
  World.begin(world, rule, lifecycle, { action, requestId: call.requestId, now: call.now }, rule.shareId)
  followRule(rule)
}

const allow = (world: World.World, call: Call): Reply => {
  const body = argument(call).value
  if (!isJson(body)) throw stumble()
  const share = ownShare(world, call, "allow")
  if (call.version < 28 && rulesOf(share, call.now).some((rule) => Track.statusAt(rule.track, call.now) === "error"))
    throw refuse(
      400,
      "Access rules cannot be added while the share or any of its replicas or migration copies has its access_rules_status set to error. Deny any rules in error state and try again."
    )
  const { access_type: type, access_to: to, access_level: level } = body
  const isLocked = body["lock_visibility"] === true || body["lock_deletion"] === true
  if (call.version >= 82 && !isLocked && body["lock_reason"])
    throw refuse(
      400,
      "Lock reason can only be specified when locking the visibility or the deletion of an access rule."
    )
  // The service looks these two up without asking whether they are there.
  if (type === undefined || to === undefined) throw stumble()
  Address.check(String(type), String(to), { v6: call.version >= 38, cephx: call.version >= 13 })
  if (level !== undefined && level !== null && !levels.includes(String(level)))
    throw refuse(400, `Invalid access rule: Invalid share access level: ${String(level)}.`)
  const metadata = call.version >= 45 ? checkMetadata(body["metadata"], "standard") : {}
  const wanted = Address.canonical(String(type), String(to))
  if (rulesOf(share, call.now).some((rule) => rule.type === type && Address.canonical(rule.type, rule.to) === wanted))
    throw refuse(400, `Share access ${String(type)}:${String(to)} exists.`)
  checkSettled(call, share, "New access rules cannot be applied", call.version >= 74)
  const rule = addRule(
    world,
    share,
    {
      type: String(type),
      to: String(to),
      level: level === undefined || level === null ? "rw" : String(level),
      metadata
    },
    call.now
  )
  start(world, call, rule, "access.create")
  return ok({ access: ShareView.rule(call, share, rule) })
}

const deny = (world: World.World, call: Call): Reply => {
  const body = argument(call).value
  if (!isJson(body)) throw refuse(400)
  if (body["access_id"] === undefined) throw stumble()
  const share = ownShare(world, call, "deny")
  const rule = World.findIn(share.rules, String(body["access_id"]), call.now)
  if (rule === undefined) throw refuse(404, "Resource could not be found.")
  checkSettled(call, share, "Access rules cannot be denied", call.version >= 74)
  start(world, call, rule, "access.delete")
  return accepted
}

const listOfShare = (world: World.World, call: Call): Reply => {
  const share = Policy.shareOr404(world, call, param(call), "NotFound: Resource could not be found.")
  return ok({
    access_list: rulesOf(share, call.now).map((rule) => ShareView.rule(call, share, rule, { isListed: true }))
  })
}

const find = (
  world: World.World,
  call: Call,
  message = `Share access rule ${param(call)} not found.`
): { readonly share: ShareRow; readonly rule: RuleRow } => {
  const shareId = world.ruleShares.get(param(call))
  const share = shareId === undefined ? undefined : Policy.visibleShare(world, call, shareId)
  const rule = share === undefined ? undefined : World.findIn(share.rules, param(call), call.now)
  if (share === undefined || rule === undefined) throw refuse(404, message)
  return { share, rule }
}

const show = (world: World.World, call: Call): Reply => {
  const { share, rule } = find(world, call)
  return ok({ access: ShareView.rule(call, share, rule) })
}

const checkFilters = (call: Call): void => {
  const type = call.query.get("access_type")
  const to = call.query.get("access_to")
  const level = call.query.get("access_level")
  if (type !== undefined && type !== "" && !types.includes(type))
    throw refuse(400, `Invalid or unsupported share access type: ${type}.`)
  if (to !== undefined && to !== "" && (type === undefined || type === ""))
    throw invalidInput("'access_type' parameter must be provided when specifying 'access_to'")
  if (type !== undefined && type !== "" && to !== undefined && to !== "")
    Address.check(type, to, { v6: true, cephx: true })
  if (level !== undefined && level !== "" && !levels.includes(level))
    throw refuse(400, `Invalid or unsupported share access level: ${level}.`)
}

const metadataFilter = (call: Call): ((rule: RuleRow) => boolean) => {
  const given = call.query.get("metadata")
  if (given === undefined) return () => true
  const parsed = Literal.parse(given)
  if (typeof parsed === "string" || !isJson(parsed.value)) throw stumble()
  const wanted = Object.entries(parsed.value)
  return (rule) => wanted.every(([key, value]) => rule.metadata[key] === value)
}

const list = (world: World.World, call: Call): Reply => {
  const shareId = call.query.get("share_id")
  if (shareId === undefined) throw refuse(400, "The field 'share_id' has to be specified.")
  const hasMetadata = metadataFilter(call)
  if (call.version >= 82) checkFilters(call)
  const share = Policy.visibleShare(world, call, shareId)
  if (share === undefined) throw refuse(400, `Share ${shareId} not found.`)
  const wanted = (key: string, value: string | null): boolean => {
    const given = call.query.get(key)
    return given === undefined || value === given
  }
  const found = rulesOf(share, call.now).filter(
    (rule) =>
      hasMetadata(rule) &&
      wanted("id", rule.id) &&
      wanted("access_type", rule.type) &&
      wanted("access_to", rule.to) &&
      wanted("access_level", rule.level) &&
      wanted("access_key", rule.key)
  )
  return ok({ access_list: found.map((rule) => ShareView.rule(call, share, rule, { isListed: true })) })
}

const update = (world: World.World, call: Call): Reply => {
  const body = root(call, "update_access")
  if (body === undefined) throw refuse(400)
  const level = body["access_level"]
  if (!level) throw refuse(400, "Invalid input. Missing 'access_level' in update request.")
  if (!levels.includes(String(level))) throw refuse(400, `Invalid or unsupported share access level: ${String(level)}.`)
  const { share, rule } = find(world, call)
  if (rule.level === level) return ok({ access: ShareView.rule(call, share, rule) })
  Policy.own(call, share, "share:get")
  checkSettled(call, share, "Access rules cannot be updated", true)
  const before = Track.statusAt(rule.track, call.now)
  rule.level = String(level)
  rule.updatedMicros = World.nextMicros(world, call.now)
  start(world, call, rule, "access.update")
  return ok({ access: ShareView.rule(call, share, rule, { state: before }) })
}

const ruleMetadata = (given: unknown): Metadata => {
  try {
    return checkMetadata(given, "standard")
  } catch (error) {
    // The reasons are there, and are not passed on.
    if (error instanceof Refusal && error.message.includes("blank")) throw refuse(400, "Invalid metadata.")
    if (error instanceof Refusal && error.message.includes("greater")) throw refuse(400, "Invalid metadata size.")
    throw error
  }
}

const setMetadata = (world: World.World, call: Call): Reply => {
  const given = root(call, "metadata")
  if (given === undefined) throw refuse(400)
  const { rule } = find(world, call, "Resource could not be found.")
  const added = ruleMetadata(given)
  rule.metadata = { ...rule.metadata, ...added }
  return ok({ metadata: added })
}

const removeMetadata = (world: World.World, call: Call): Reply => {
  const key = param(call, 1)
  const { rule } = find(world, call, "Resource could not be found.")
  if (rule.metadata[key] === undefined) throw refuse(404, "Share access rule metadata does not exist.")
  const { [key]: _removed, ...rest } = rule.metadata
  rule.metadata = rest
  return done
}

const post = { method: "POST", path: "shares/:id/action", body: "needed" } as const
const one = "share-access-rules/:id"

export const routes: ReadonlyArray<Route> = [
  ...renamed({ ...post, action: "allow_access", role: "member", handle: allow }),
  ...renamed({ ...post, action: "deny_access", role: "member", handle: deny }),
  ...renamed({ ...post, action: "access_list", until: 44, handle: listOfShare }),
  { method: "GET", path: "share-access-rules", since: 45, handle: list },
  { method: "GET", path: one, since: 45, handle: show },
  { method: "PUT", path: one, since: 88, role: "member", body: "needed", handle: update },
  { method: "PUT", path: `${one}/metadata`, since: 45, role: "member", body: "optional", handle: setMetadata },
  { method: "DELETE", path: `${one}/metadata/:key`, since: 45, role: "member", handle: removeMetadata }
]
