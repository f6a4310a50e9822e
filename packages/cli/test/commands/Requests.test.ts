/**
 * What each command asks of the service, request by request, on a cloud of today and on older ones: an id costs no
 * look-up, a name one filtered list.
 */
import { assert, describe, it } from "vitest"
import { fails, ids, lastBody, lines, once, type Options } from "./support/Manila.ts"

const { a, b, group, network, none, rule, snapshot } = ids
const message = "33333333-0000-4000-8000-000000000001"

const seed: NonNullable<Options["seed"]> = {
  shares: [
    { id: a, name: "web", size: 5, metadata: { k: "v" } },
    { id: b, name: "bin", is_soft_deleted: true }
  ],
  snapshots: [{ id: snapshot, name: "nightly", share_id: a }],
  accessRules: [{ id: rule, share_id: a, access_to: "10.0.0.0/24", metadata: { k: "v" } }],
  messages: [{ id: message, resource_id: a }],
  shareNetworks: [{ id: network, name: "net" }],
  shareGroups: [{ id: group, name: "group" }]
}

/** A share, rule or snapshot by name. */
const find = {
  web: "GET /shares/detail?name=web&limit=1000",
  nightly: "GET /snapshots/detail?name=nightly&limit=1000",
  net: "GET /share-networks/detail?name=net&limit=1000"
}

const action = `POST /shares/${a}/action`
const exportLocations = `GET /shares/${a}/export_locations`

/** A list that is not counted: a shorter page may be the server's cap, so only an empty one is the end. */
const paged = (request: string) => [request, `${request}&offset=1`]

interface Row {
  readonly line: string
  readonly requests: ReadonlyArray<string>
  readonly body?: unknown
  readonly as?: "admin"
  /** The highest microversion of the cloud. */
  readonly max?: string
  readonly code?: number
}

const rows: ReadonlyArray<Row> = [
  // share create
  { line: "share create NFS 1", requests: ["POST /shares"] },
  { line: "share create NFS 1", max: "2.0", requests: ["POST /shares"] },
  { line: `share create NFS 1 --share-network ${network} --share-type default`, requests: ["POST /shares"] },
  { line: "share create NFS 1 --snapshot-id nightly", requests: [find.nightly, "POST /shares"] },
  { line: `share create NFS 1 --snapshot-id ${snapshot}`, requests: [`GET /snapshots/${snapshot}`, "POST /shares"] },
  {
    line: "share create NFS 1 --scheduler-hint same_host=web",
    requests: [find.web, "POST /shares"]
  },
  {
    line: "share create NFS 2 --name n --description d --property a=b --availability-zone nova --public false",
    requests: ["POST /shares"],
    body: {
      share: {
        share_proto: "NFS",
        size: 2,
        name: "n",
        description: "d",
        metadata: { a: "b" },
        availability_zone: "nova",
        is_public: false
      }
    }
  },
  // share list
  { line: "share list", requests: ["GET /shares/detail?with_count=true&limit=1000"] },
  { line: "share list", max: "2.0", requests: ["GET /shares/detail?with_count=true&limit=1000"] },
  { line: "share list --long --limit 7 --marker 2", requests: ["GET /shares/detail?limit=7&offset=2"] },
  {
    line: "share list --name web --status available --property k=v",
    requests: [`GET /shares/detail?name=web&status=available&metadata={"k":"v"}&with_count=true&limit=1000`]
  },
  {
    line: "share list --snapshot nightly",
    requests: [find.nightly, `GET /shares/detail?snapshot_id=${snapshot}&with_count=true&limit=1000`]
  },
  {
    line: "share list --share-network net",
    requests: [find.net, `GET /shares/detail?share_network_id=${network}&with_count=true&limit=1000`]
  },
  {
    line: "share list --soft-deleted",
    requests: ["GET /shares/detail?is_soft_deleted=true&with_count=true&limit=1000"]
  },
  { line: "share list --name~ we", requests: ["GET /shares/detail?name~=we&with_count=true&limit=1000"] },
  {
    line: "share list --all-projects",
    as: "admin",
    requests: ["GET /shares/detail?all_tenants=1&with_count=true&limit=1000"]
  },
  // share show
  { line: "share show web", requests: [find.web, `GET /shares/${a}`, exportLocations] },
  { line: `share show ${a}`, requests: [`GET /shares/${a}`, exportLocations] },
  { line: `share show ${a}`, max: "2.8", requests: [`GET /shares/${a}`] },
  // share delete
  { line: "share delete web", requests: [find.web, `DELETE /shares/${a}`], code: 6 },
  {
    line: `share delete ${b} --force`,
    as: "admin",
    requests: [`POST /shares/${b}/action`],
    body: { force_delete: null }
  },
  {
    line: `share delete ${a} --share-group ${group}`,
    requests: [`DELETE /shares/${a}?share_group_id=${group}`],
    code: 6
  },
  // share set, unset
  {
    line: "share set web --name new",
    requests: [find.web, `PUT /shares/${a}`],
    body: { share: { display_name: "new" } }
  },
  {
    line: `share set ${a} --name new --description d --public no`,
    requests: [`PUT /shares/${a}`],
    body: { share: { display_name: "new", display_description: "d", is_public: false } }
  },
  { line: `share set ${a} --name=`, requests: [`PUT /shares/${a}`], body: { share: { display_name: "" } } },
  {
    line: `share set ${a} --property x=1 --property y=2`,
    requests: [`POST /shares/${a}/metadata`],
    body: { metadata: { x: "1", y: "2" } }
  },
  {
    line: `share set ${a} --status error`,
    as: "admin",
    requests: [action],
    body: { reset_status: { status: "error" } }
  },
  {
    line: `share set ${a} --status error`,
    as: "admin",
    max: "2.6",
    requests: [action],
    body: { "os-reset_status": { status: "error" } }
  },
  {
    line: `share set ${a} --task-state none`,
    as: "admin",
    requests: [action],
    body: { reset_task_state: { task_state: null } }
  },
  {
    line: `share set ${a} --task-state`,
    as: "admin",
    requests: [action],
    body: { reset_task_state: { task_state: null } }
  },
  { line: `share set ${a}`, requests: [] },
  { line: `share unset ${a} --property k`, requests: [`DELETE /shares/${a}/metadata/k`] },
  {
    line: `share unset ${a} --name --description`,
    requests: [`PUT /shares/${a}`],
    body: { share: { display_name: null, display_description: null } }
  },
  // share resize, revert, restore, properties
  { line: `share resize ${a} 9`, requests: [`GET /shares/${a}`, action], body: { extend: { new_size: 9 } } },
  { line: "share resize web 9", requests: [find.web, action], body: { extend: { new_size: 9 } } },
  { line: "share resize web 2", requests: [find.web, action], body: { shrink: { new_size: 2 } } },
  {
    line: `share resize ${a} 9`,
    max: "2.6",
    requests: [`GET /shares/${a}`, action],
    body: { "os-extend": { new_size: 9 } }
  },
  {
    line: `share resize ${a} 9 --force`,
    as: "admin",
    requests: [`GET /shares/${a}`, action],
    body: { extend: { new_size: 9, force: true } }
  },
  { line: "share revert nightly", requests: [find.nightly, action], body: { revert: { snapshot_id: snapshot } } },
  { line: `share revert ${snapshot}`, requests: [`GET /snapshots/${snapshot}`, action] },
  { line: `share restore ${b}`, requests: [`POST /shares/${b}/action`], body: { restore: null } },
  {
    line: "share restore bin",
    requests: ["GET /shares/detail?name=bin&is_soft_deleted=true&limit=1000", `POST /shares/${b}/action`]
  },
  { line: "share properties show web", requests: [find.web, `GET /shares/${a}/metadata`] },
  { line: `share properties show ${a}`, max: "2.0", requests: [`GET /shares/${a}/metadata`] },
  // access
  {
    line: `share access create ${a} ip 10.9.0.0/16`,
    requests: [action],
    body: { allow_access: { access_type: "ip", access_to: "10.9.0.0/16" } }
  },
  {
    line: "share access create web ip 10.9.0.0/16 --access-level ro --properties a=b c=d",
    requests: [find.web, action],
    body: {
      allow_access: { access_type: "ip", access_to: "10.9.0.0/16", access_level: "ro", metadata: { a: "b", c: "d" } }
    }
  },
  {
    line: `share access create ${a} ip 10.9.0.0/16`,
    max: "2.6",
    requests: [action],
    body: { "os-allow_access": { access_type: "ip", access_to: "10.9.0.0/16" } }
  },
  { line: `share access delete web ${rule}`, requests: [find.web, action], body: { deny_access: { access_id: rule } } },
  {
    line: `share access delete ${a} ${rule}`,
    max: "2.6",
    requests: [action],
    body: { "os-deny_access": { access_id: rule } }
  },
  { line: `share access list ${a}`, requests: [`GET /share-access-rules?share_id=${a}`] },
  { line: `share access list ${a}`, max: "2.44", requests: [action], body: { access_list: null } },
  { line: `share access list ${a}`, max: "2.6", requests: [action], body: { "os-access_list": null } },
  { line: `share access show ${rule}`, requests: [`GET /share-access-rules/${rule}`] },
  {
    line: `share access set ${rule} --property x=y`,
    requests: [`PUT /share-access-rules/${rule}/metadata`],
    body: { metadata: { x: "y" } }
  },
  {
    line: `share access set ${rule} --access-level ro`,
    requests: [`PUT /share-access-rules/${rule}`],
    body: { update_access: { access_level: "ro" } }
  },
  { line: `share access unset ${rule} --property k`, requests: [`DELETE /share-access-rules/${rule}/metadata/k`] },
  // export locations
  { line: `share export location list ${a}`, requests: [exportLocations] },
  { line: "share export location list web", max: "2.9", requests: [find.web, exportLocations] },
  { line: `share export location show ${a} ${none}`, requests: [`${exportLocations}/${none}`], code: 5 },
  {
    line: `share export location set web ${none} --property a=b --property c=d`,
    requests: [find.web, `${exportLocations}/${none}/metadata`.replace("GET", "POST")],
    body: { metadata: { a: "b", c: "d" } },
    code: 5
  },
  { line: `share export location set ${a} ${none}`, requests: [] },
  { line: `share export location set ${a} ${none} --property a=b`, max: "2.86", requests: [], code: 1 },
  {
    line: `share export location unset ${a} ${none} --property a --property b`,
    requests: ["a", "b"].map((key) => `${exportLocations}/${none}/metadata/${key}`.replace("GET", "DELETE")),
    code: 5
  },
  // snapshots
  {
    line: `share snapshot create ${a} --name s`,
    requests: ["POST /snapshots"],
    body: { snapshot: { share_id: a, name: "s" } }
  },
  { line: "share snapshot create web --force", requests: [find.web, "POST /snapshots"] },
  { line: `share snapshot create ${a}`, max: "2.0", requests: ["POST /snapshots"] },
  { line: "share snapshot delete nightly", requests: [find.nightly, `DELETE /snapshots/${snapshot}`] },
  { line: "share snapshot list", requests: ["GET /snapshots/detail?with_count=true&limit=1000"] },
  {
    line: "share snapshot list --share web --status available",
    requests: [find.web, `GET /snapshots/detail?status=available&share_id=${a}&with_count=true&limit=1000`]
  },
  {
    line: "share snapshot show nightly",
    requests: [find.nightly, `GET /snapshots/${snapshot}`, `GET /snapshots/${snapshot}/export-locations`]
  },
  { line: `share snapshot show ${snapshot}`, max: "2.31", requests: [`GET /snapshots/${snapshot}`] },
  {
    line: `share snapshot set ${snapshot} --name s`,
    requests: [`PUT /snapshots/${snapshot}`],
    body: { snapshot: { display_name: "s" } }
  },
  { line: `share snapshot set ${snapshot} --property x=y`, requests: [`POST /snapshots/${snapshot}/metadata`] },
  {
    line: `share snapshot set ${snapshot} --status error`,
    as: "admin",
    requests: [`POST /snapshots/${snapshot}/action`]
  },
  {
    line: `share snapshot unset ${snapshot} --name`,
    requests: [`PUT /snapshots/${snapshot}`],
    body: { snapshot: { display_name: null } }
  },
  // messages and types
  { line: "share message list", requests: paged("GET /messages?limit=1000") },
  {
    line: `share message list --resource-id ${a} --message-level ERROR`,
    requests: paged(`GET /messages?resource_id=${a}&message_level=ERROR&limit=1000`)
  },
  { line: `share message show ${message}`, requests: [`GET /messages/${message}`] },
  { line: `share message delete ${message}`, requests: [`DELETE /messages/${message}`] },
  { line: "share type list", requests: ["GET /types"] },
  { line: "share type list", max: "2.0", requests: ["GET /types"] },
  { line: "share type show default", requests: ["GET /types?is_public=all"] },
  // wait
  { line: `wait share ${a} --for available`, requests: [`GET /shares/${a}`] },
  { line: "wait share web --for available", requests: [find.web, `GET /shares/${a}`] },
  { line: `wait access ${rule} --for active`, requests: [`GET /share-access-rules/${rule}`] },
  { line: "wait snapshot nightly --for available", requests: [find.nightly, `GET /snapshots/${snapshot}`] }
]

describe("the requests of a command", () => {
  it.each(
    rows.map((row) => ({ ...row, title: `${row.line}${row.max === undefined ? "" : ` (cloud of ${row.max})`}` }))
  )("$title", (row) => {
    const { as, body, code = 0, line, max, requests } = row
    const options = { seed, ...(max === undefined ? {} : { microversion: { max } }) }
    const ended = fails(once(line, options, as === undefined ? {} : { as, env: { OS_PROJECT_NAME: "demo" } }), code)
    assert.deepStrictEqual(ended.requests, requests)
    if (body !== undefined) assert.deepStrictEqual(lastBody(ended), body)
    // One token, one version document, whatever the command.
    assert.isAtMost(ended.sent.length - ended.requests.length, 2)
    if (code === 0) assert.strictEqual(ended.stderr === "" || line.startsWith("wait"), true, ended.stderr)
  })
})

describe("a command that prints a record or a list", () => {
  const lists = rows.filter(
    ({ line, max }) =>
      max === undefined && /^share( \w+)* list$|^share( \w+)* list \S+$/.test(line) && !line.includes("--")
  )
  it.each(lists.map(({ line }) => line))("takes a column by its name in any case: %s", (line) => {
    const whole = once(`${line} -f json`, { seed })
    for (const column of ["ID", "id", "Id"]) {
      const ended = once(`${line} -f value -c ${column}`, { seed })
      assert.strictEqual(ended.code, 0)
      assert.strictEqual(lines(ended.stdout).length, JSON.parse(whole.stdout).length)
    }
    assert.strictEqual(once(`${line} -c nonsense`, { seed }).code, 2)
  })
  it.each([
    "share show web",
    `share access show ${rule}`,
    "share snapshot show nightly",
    `share message show ${message}`,
    "share type show default",
    "share create NFS 1",
    `share access create ${a} ip 10.9.0.0/16`,
    `share snapshot create ${a}`
  ])("prints one value for one column: %s", (line) => {
    const ended = once(`${line} -f value -c id`, { seed })
    assert.match(ended.stdout, /^[0-9a-f-]{36}\n$/)
    assert.strictEqual(once(`${line} -c nonsense`, { seed }).code, 2)
  })
})
