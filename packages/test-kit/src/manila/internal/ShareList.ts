/**
 * The two lists of shares: filters, sorting, pages.
 */
import { type Call, isJson, ok, queryWord, type Reply, strictWord, word } from "./Call.ts"
import { nextLinks } from "./Links.ts"
import * as Literal from "./Literal.ts"
import * as Pages from "./Pages.ts"
import * as Policy from "./Policy.ts"
import { invalidInput, notAllowed, python, stumble } from "./Refusal.ts"
import type { ShareRow } from "./Rows.ts"
import type { Route } from "./Route.ts"
import * as ShareView from "./ShareView.ts"
import * as Track from "./Track.ts"
import * as World from "./World.ts"

type Test = (share: ShareRow) => boolean

/** Query keys that came later than the list itself; older microversions don't read them. */
const since: Readonly<Record<string, number>> = {
  export_location_id: 35,
  export_location_path: 35,
  "name~": 36,
  "description~": 36,
  description: 36,
  is_soft_deleted: 69,
  encryption_key_ref: 90,
  availability_zone: 97
}

const dictOf = (text: string, what: string): Readonly<Record<string, unknown>> => {
  const parsed = Literal.parse(text)
  if (typeof parsed === "string") throw stumble()
  if (!isJson(parsed.value)) throw invalidInput(`Wrong ${what} filter provided: ${python(parsed.value)}`)
  return parsed.value
}

/** `~` on shares is a regular expression of the database. */
const pattern = (text: string): RegExp => {
  try {
    return new RegExp(text, "i")
  } catch {
    throw stumble()
  }
}

/** How each filter reads its value; an empty name or description is no filter. */
const filters: Readonly<Record<string, (value: string, call: Call) => Test | undefined>> = {
  name: (value) => (value === "" ? undefined : (share) => Pages.same(share.name, value)),
  description: (value) => (value === "" ? undefined : (share) => Pages.same(share.description, value)),
  "name~": (value) => {
    const wanted = pattern(value)
    return value === "" ? undefined : (share) => share.name !== null && wanted.test(share.name)
  },
  "description~": (value) => {
    const wanted = pattern(value)
    return value === "" ? undefined : (share) => share.description !== null && wanted.test(share.description)
  },
  status:
    (value, { now }) =>
    (share) =>
      Pages.same(Track.statusAt(share.track, now), value),
  share_type_id: (value) => (share) => share.type.id === value,
  snapshot_id: (value) => (share) => share.snapshotId === value,
  share_network_id: (value) => (share) => share.networkId === value,
  share_group_id: (value) => (share) => share.groupId === value,
  mount_point_name: (value) => (share) => share.mountPointName === value,
  encryption_key_ref: (value, { isAdmin }) => (isAdmin ? (share) => share.keyRef === value : undefined),
  availability_zone: (value) => (share) => share.zone === value,
  export_location_id:
    (value, { now }) =>
    (share) =>
      now >= share.exports.from && share.exports.rows().some((row) => row.id === value),
  export_location_path:
    (value, { now }) =>
    (share) =>
      now >= share.exports.from && share.exports.rows().some((row) => row.path === value),
  host: (value, { isAdmin }) => {
    if (!isAdmin) throw notAllowed("share:list_by_host")
    return (share) => share.host === value
  },
  share_server_id: (value, { isAdmin }) => {
    if (!isAdmin) throw notAllowed("share:list_by_share_server_id")
    return (share) => share.serverId === value
  },
  metadata: (value) => {
    const wanted = Object.entries(dictOf(value, "metadata"))
    return (share) => wanted.every(([key, item]) => share.metadata[key] === item)
  },
  extra_specs: (value, { isAdmin }) => {
    const wanted = Object.entries(dictOf(value, "extra specs"))
    if (!isAdmin) throw notAllowed("share_types_extra_spec:index")
    return (share) => wanted.every(([key, item]) => share.type.extraSpecs[key] === item)
  }
}

const sortKeys: Readonly<Record<string, (share: ShareRow, now: number) => string | number | boolean | null>> = {
  created_at: (share) => share.createdMicros,
  updated_at: (share) => share.createdMicros,
  id: (share) => share.id,
  name: (share) => share.name,
  display_name: (share) => share.name,
  display_description: (share) => share.description,
  size: (share) => share.size,
  project_id: (share) => share.projectId,
  user_id: (share) => share.userId,
  share_proto: (share) => share.proto,
  is_public: (share) => share.isPublic,
  snapshot_id: (share) => share.snapshotId,
  share_group_id: (share) => share.groupId,
  task_state: (share) => share.taskState,
  host: (share) => share.host,
  share_network_id: (share) => share.networkId,
  share_server_id: (share) => share.serverId,
  share_type_id: (share) => share.type.id,
  availability_zone_id: (share) => share.zone,
  status: (share, now) => Track.statusAt(share.track, now)
}

const testsOf = (call: Call): Array<Test> => {
  const tests: Array<Test> = []
  for (const [key, read] of Object.entries(filters)) {
    const value = call.query.get(key)
    if (value === undefined || call.version < (since[key] ?? 0)) continue
    const test = read(value, call)
    if (test !== undefined) tests.push(test)
  }
  return tests
}

/** Whose shares: one's own, with the public ones of others if asked for; all of them for an administrator who says so. */
const scopeOf = (call: Call): Test => {
  const isPublic = call.query.get("is_public")
  const withPublic = isPublic === undefined ? false : word(isPublic)
  if (withPublic === undefined) throw stumble()
  const everywhere = call.query.get("all_tenants")
  if (call.isAdmin && everywhere !== undefined && (everywhere === "" || strictWord(everywhere))) {
    const project = call.query.get("project_id")
    return project === undefined ? () => true : (share) => share.projectId === project
  }
  return (share) => share.projectId === call.projectId || (withPublic && share.isPublic)
}

const list =
  (isDetail: boolean) =>
  (world: World.World, call: Call): Reply => {
    const window = Pages.windowOf(call)
    const counts = isDetail || call.version >= 42 ? queryWord(call, "with_count") === true : false
    const inBin = call.version >= 69 ? queryWord(call, "is_soft_deleted") === true : false
    const status = call.query.get("status") ?? ""
    const tests = testsOf(call)
    const direction = Pages.strictDirection(call)
    const sortKey = Pages.sortKeyOf(call)
    if (sortKey === "") throw invalidInput("Wrong sort_key filter provided: ''")
    if (status.includes("deferred") && !call.isAdmin) throw notAllowed("share:list_shares_in_deferred_deletion_states")
    const isMine = scopeOf(call)
    const keyOf = sortKeys[sortKey]
    if (keyOf === undefined) throw invalidInput(`Wrong sorting key provided - '${sortKey}'`)

    const found = World.allShares(world, call.now).filter(
      (share) =>
        isMine(share) &&
        (share.binnedUntil !== undefined) === inBin &&
        (call.isAdmin || !Policy.isDeferred(Track.statusAt(share.track, call.now))) &&
        tests.every((test) => test(share))
    )
    const sorted = Pages.sortBy(found, (share) => keyOf(share, call.now), direction)
    // An offset without a limit is not looked at.
    const page =
      window.limit === undefined
        ? sorted.slice(0, world.shareCap)
        : sorted.slice(window.offset, window.offset + Math.min(window.limit, world.shareCap))
    const view = isDetail ? ShareView.detail : ShareView.summary
    const links = nextLinks(call, "shares", page)
    return ok({
      shares: page.map((share) => view(call, share)),
      ...(counts ? { count: found.length } : {}),
      ...(links === undefined ? {} : { shares_links: links })
    })
  }

export const routes: ReadonlyArray<Route> = [
  { method: "GET", path: "shares", handle: list(false) },
  { method: "GET", path: "shares/detail", handle: list(true) }
]
