/**
 * The verbs of adopted and abandoned shares and snapshots, of replicas and of backups: what each asks of the service,
 * how its wait ends, and how another process goes on with it.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { type Lifecycle, phases } from "@effect-manila/test-kit/Lifecycle"
import * as ExitCode from "@effect-manila/cli/ExitCode"
import { assert, describe, it } from "vitest"
import {
  type Ended,
  events,
  fails,
  goOn,
  ids,
  json,
  lastBody,
  ok,
  once,
  type Options,
  type RunOptions,
  within
} from "./support/Manila.ts"

const { a, b, c, none, snapshot } = ids

const seed: NonNullable<Options["seed"]> = {
  shares: [{ id: a, name: "web", size: 1 }],
  snapshots: []
}

const withSnapshot: NonNullable<Options["seed"]> = {
  ...seed,
  snapshots: [{ id: snapshot, name: "nightly", share_id: a }]
}

/** Its type can be replicated. */
const replicated: NonNullable<Options["seed"]> = {
  shareTypes: [{ name: "r", extra_specs: { replication_type: "dr" } }],
  shares: [{ id: a, name: "web", size: 1, share_type: "r" }]
}

const withReplica: NonNullable<Options["seed"]> = { ...replicated, replicas: [{ id: b, share_id: a }] }

const onReplica = /^\/share-replicas\/[0-9a-f-]{36}$/

const withInstance: NonNullable<Options["seed"]> = { shares: [{ id: a, instance_id: c, name: "web", size: 1 }] }

const withBackup: NonNullable<Options["seed"]> = {
  shares: [
    { id: a, name: "web", size: 1 },
    { id: c, name: "other", size: 2 }
  ],
  backups: [{ id: b, name: "night", share_id: a }]
}

const onBackup = /^\/share-backups\/[0-9a-f-]{36}$/

/** Half of these verbs are an administrator's, whose project is another one. */
const as = { as: "admin" } as const satisfies RunOptions

/** The body of the request that changed something. */
const lastBodyOf = ({ sent }: Ended): unknown => sent.filter(({ method }) => method === "POST").at(-1)?.body

interface Row {
  readonly command: string
  readonly line: string
  /** With a name where an id would do. */
  readonly requests: ReadonlyArray<string>
  readonly body: unknown
  readonly action: string
  readonly during: string
  readonly success: string
  readonly failures: ReadonlyArray<string>
  /** Where it comes back to if it is rolled back. */
  readonly from?: string
  /** What is looked at. */
  readonly looked: RegExp
  readonly seed: NonNullable<Options["seed"]>
}

const rows: ReadonlyArray<Row> = [
  {
    command: "share adopt",
    line: "share adopt manila@alpha#pool NFS 10.0.0.9:/old --name old --driver-options size=1 x=y --public",
    requests: ["POST /shares/manage"],
    body: {
      share: {
        service_host: "manila@alpha#pool",
        protocol: "NFS",
        export_path: "10.0.0.9:/old",
        name: "old",
        driver_options: { size: "1", x: "y" },
        is_public: true
      }
    },
    action: "share.manage",
    during: "manage_starting",
    success: "available",
    failures: ["manage_error", "error"],
    looked: /^\/shares\/[0-9a-f-]{36}$/,
    seed
  },
  {
    command: "share abandon",
    line: "share abandon web --all-projects",
    requests: ["GET /shares/detail?name=web&all_tenants=1&limit=1000", `POST /shares/${a}/action`],
    body: { unmanage: null },
    action: "share.unmanage",
    during: "unmanage_starting",
    success: "gone",
    failures: ["unmanage_error", "error"],
    from: "available",
    looked: /^\/shares\/[0-9a-f-]{36}$/,
    seed
  },
  {
    command: "share snapshot adopt",
    line: "share snapshot adopt web /pool/s1 --name old --driver-option a=1 --driver-option b=2 --all-projects",
    requests: ["GET /shares/detail?name=web&all_tenants=1&limit=1000", "POST /snapshots/manage"],
    body: {
      snapshot: { share_id: a, provider_location: "/pool/s1", name: "old", driver_options: { a: "1", b: "2" } }
    },
    action: "snapshot.manage",
    during: "manage_starting",
    success: "available",
    failures: ["manage_error", "error"],
    looked: /^\/snapshots\/[0-9a-f-]{36}$/,
    seed
  },
  {
    command: "share snapshot abandon",
    line: "share snapshot abandon nightly --all-projects",
    requests: ["GET /snapshots/detail?name=nightly&all_tenants=1&limit=1000", `POST /snapshots/${snapshot}/action`],
    body: { unmanage: null },
    action: "snapshot.unmanage",
    during: "unmanage_starting",
    success: "gone",
    failures: ["unmanage_error", "error"],
    from: "available",
    looked: /^\/snapshots\/[0-9a-f-]{36}$/,
    seed: withSnapshot
  },
  {
    command: "share replica create",
    line: "share replica create web --availability-zone nova --property a=b --all-projects",
    requests: ["GET /shares/detail?name=web&all_tenants=1&limit=1000", "POST /share-replicas"],
    body: { share_replica: { share_id: a, availability_zone: "nova", metadata: { a: "b" } } },
    action: "replica.create",
    during: "creating",
    success: "available",
    failures: ["error"],
    looked: onReplica,
    seed: replicated
  },
  {
    command: "share replica delete",
    line: `share replica delete ${b}`,
    requests: [`DELETE /share-replicas/${b}`],
    body: "",
    action: "replica.delete",
    during: "deleting",
    success: "gone",
    failures: ["error_deleting", "error"],
    from: "available",
    looked: onReplica,
    seed: withReplica
  },
  {
    command: "share instance delete",
    line: `share instance delete ${c}`,
    requests: [`POST /share_instances/${c}/action`],
    body: { force_delete: null },
    action: "share_instance.force_delete",
    during: "deleting",
    success: "gone",
    failures: ["error_deleting", "error"],
    from: "available",
    looked: /^\/share_instances\/[0-9a-f-]{36}$/,
    seed: withInstance
  },
  {
    command: "share replica promote",
    line: `share replica promote ${b}`,
    requests: [`POST /share-replicas/${b}/action`],
    body: { promote: null },
    action: "replica.promote",
    during: "replication_change",
    success: "active",
    failures: ["error"],
    from: "in_sync",
    looked: onReplica,
    seed: withReplica
  },
  {
    command: "share replica resync",
    line: `share replica resync ${b}`,
    requests: [`POST /share-replicas/${b}/action`],
    body: { resync: null },
    action: "replica.resync",
    during: "out_of_sync",
    success: "in_sync",
    failures: ["error"],
    looked: onReplica,
    seed: withReplica
  },
  {
    command: "share backup create",
    line: "share backup create web --name b --backup-options backup_type=dummy --all-projects",
    requests: ["GET /shares/detail?name=web&all_tenants=1&limit=1000", "POST /share-backups"],
    body: { share_backup: { share_id: a, name: "b", backup_options: { backup_type: "dummy" } } },
    action: "backup.create",
    during: "creating",
    success: "available",
    failures: ["error"],
    looked: onBackup,
    seed
  },
  {
    command: "share backup delete",
    line: "share backup delete night --all-projects",
    requests: ["GET /share-backups/detail?name=night&all_tenants=1&limit=1000", `DELETE /share-backups/${b}`],
    body: "",
    action: "backup.delete",
    during: "deleting",
    success: "gone",
    failures: ["error_deleting", "error"],
    from: "available",
    looked: onBackup,
    seed: withBackup
  },
  {
    command: "share backup restore",
    line: "share backup restore night --all-projects",
    requests: ["GET /share-backups/detail?name=night&all_tenants=1&limit=1000", `POST /share-backups/${b}/action`],
    body: { restore: null },
    action: "backup.restore",
    during: "restoring",
    success: "available",
    failures: ["error", "backup_restoring_error"],
    from: "available",
    looked: onBackup,
    seed: withBackup
  }
]

describe.each(rows)("$command", (row) => {
  const { action, body, command, during, failures, from, line, looked, requests, success } = row
  const through = (steps: ReadonlyArray<string>, more: Partial<Lifecycle> = {}): Options => ({
    seed: row.seed,
    lifecycles: {
      [action]: {
        phases: phases(...steps.map((step, at) => (at === steps.length - 1 ? step : ([step, "7 seconds"] as const)))),
        ...more
      }
    }
  })
  const waiting = (options: Options, flags = "") => once(`${line} --wait ${flags}`, options, as)

  it("asks one request of the service, and one more for each name", () => {
    const ended = ok(once(line, { seed: row.seed }, as))
    assert.deepStrictEqual(ended.requests, requests)
    assert.deepStrictEqual(lastBody(ended), body)
    assert.strictEqual(ended.millis, 0)
  })

  it("waits with a look each 5 s until it is done", () => {
    const ended = ok(waiting(through([during, success])))
    assert.deepStrictEqual(
      ended.sent.filter(({ method, path }) => method === "GET" && looked.test(path)).map(({ at }) => at),
      [0, 5000, 10_000]
    )
    assert.strictEqual(ended.millis, 10_000)
    if (success !== "gone" && ended.stdout !== "") assert.include(ended.stdout, success)
  })

  it.each(failures)("ends with 3 at %s, saying why, and as openstack does with its codes", (status) => {
    const options = through([during, status], { reason: { message: "no luck" } })
    const ended = fails(waiting(options), 3)
    assert.include(ended.stderr, status)
    assert.include(ended.stderr, "no luck")
    assert.strictEqual(ended.millis, 10_000)
    // A resync can't be waited for there.
    const theirs = ExitCode.openstackWaits[command]
    fails(waiting(options, "--exit-codes osc"), theirs?.failures.includes(status) === true ? theirs.code : 1)
  })

  it.runIf(from !== undefined)("ends with 3 where it was rolled back", () => {
    const ended = fails(waiting(through([during, from ?? ""], { effect: "none" })), 3)
    assert.include(ended.stderr, `back at ${from}`)
  })

  it("ends with 4 at its limit, and can be gone on with from there", () => {
    within(through([during, success]), function* ({ run }) {
      const stopped = fails(yield* run(`${line} --wait --timeout 6`, as), 4)
      const ended = ok(yield* run(goOn(stopped), as))
      assert.isTrue(ended.requests.every((request) => request.startsWith("GET")))
    })
  })

  it("says with --no-wait how to wait for it later, which fails as it would have", () => {
    within(through([during, failures[0] ?? "error"]), function* ({ run }) {
      const token = goOn(ok(yield* run(`${line} --no-wait`, as)))
      fails(yield* run(token, as), 3)
    })
  })

  it("has an unknown outcome, and is not sent again, if no answer came", () => {
    const [method = ""] = (requests.at(-1) ?? "").split(" ")
    const options = { seed: row.seed, faults: [Faults.on({ method, path: /^\/share\/v2\// }, Faults.hang)] }
    assert.deepStrictEqual(fails(once(`${line} --wait`, options, as), 10).requests, requests)
  })
})

describe("share adopt", () => {
  it("needs what the flags need, and says so before anything is sent", () => {
    for (const [flag, max] of [
      ["--public", "2.7"],
      ["--share-server-id x", "2.48"],
      ["--mount-point-name m", "2.91"]
    ] as const) {
      const line = `share adopt manila@alpha#pool NFS 10.0.0.9:/old ${flag}`
      assert.deepStrictEqual(fails(once(line, { microversion: { max } }, as), 1).requests, [])
    }
  })

  it("of what is known already is a conflict", () => {
    within({}, function* ({ run }) {
      const line = "share adopt manila@alpha#pool NFS 10.0.0.9:/old"
      ok(yield* run(line, as))
      fails(yield* run(line, as), 8)
    })
  })

  it("prints the record, size and all once it was waited for", () => {
    const line = "share adopt manila@alpha#pool NFS 10.0.0.9:/old --name old -f json"
    assert.include(json(ok(once(line, {}, as))), { name: "old", size: null, status: "manage_starting" })
    assert.include(json(ok(once(`${line} --wait`, {}, as))), { name: "old", size: 1, status: "available" })
  })

  it("and abandon use their old routes below 2.7, and snapshots can't be adopted below 2.12", () => {
    const old = { microversion: { max: "2.6" }, seed }
    assert.deepStrictEqual(ok(once("share adopt manila@alpha#pool NFS 10.0.0.9:/old", old, as)).requests, [
      "POST /os-share-manage"
    ])
    assert.deepStrictEqual(ok(once(`share abandon ${a}`, old, as)).requests, [`POST /os-share-unmanage/${a}/unmanage`])
    for (const line of [`share snapshot adopt ${a} /x`, `share snapshot abandon ${snapshot}`]) {
      assert.deepStrictEqual(fails(once(line, { microversion: { max: "2.11" } }, as), 1).requests, [])
    }
  })

  it("is refused to others", () => {
    fails(once("share adopt manila@alpha#pool NFS 10.0.0.9:/old", {}), 6)
  })
})

describe("share abandon", () => {
  it("of several is one result for each, and nothing there counts only if it is asked for", () => {
    assert.strictEqual(fails(once(`share abandon ${a} nobody`, { seed }, as), 9).code, 9)
    ok(once(`share abandon ${a} nobody --ignore-missing`, { seed }, as))
  })

  it("of a share with snapshots is refused, and nothing is waited for", () => {
    const ended = fails(once(`share abandon ${a} --wait`, { seed: withSnapshot }, as), 6)
    assert.strictEqual(ended.millis, 0)
  })
})

describe("share replica", () => {
  const options: Options = { seed: withReplica }

  it("create prints the replica, whose state is not known yet, and the one that is available once it was waited for", () => {
    const line = `share replica create ${a} -f json`
    assert.include(json(ok(once(line, options, as))), { status: "creating", replica_state: null, share_id: a })
    assert.include(json(ok(once(`${line} --wait`, options, as))), { status: "available", share_id: a })
  })

  it("create of a share that can't be replicated is refused", () => {
    assert.include(fails(once(`share replica create ${a}`, { seed }, as), 1).stderr, "Replication not supported")
  })

  it("list shows those of a share, the share itself among them, or those with a property", () => {
    const all = json(ok(once(`share replica list --share ${a} -f json`, options, as)))
    assert.deepStrictEqual(
      all.map((row: Record<string, unknown>) => [row["Status"], row["Replica State"]]).toSorted(),
      [
        ["available", "active"],
        ["available", "in_sync"]
      ]
    )
    assert.deepStrictEqual(json(ok(once("share replica list --property a=b -f json", options, as))), [])
  })

  it("show has its export locations, its properties, and no look-up", () => {
    const ended = ok(once(`share replica show ${b} -f json`, options, as))
    assert.deepStrictEqual(ended.requests, [`GET /share-replicas/${b}`, `GET /share-replicas/${b}/export-locations`])
    assert.deepStrictEqual(json(ended).properties, {})
    assert.isNotEmpty(json(ended).export_locations)
    const old = once(`share replica show ${b}`, { ...options, microversion: { max: "2.46" } }, as)
    assert.deepStrictEqual(ok(old).requests, [`GET /share-replicas/${b}`])
  })

  it("export location list and show tell where it is mounted from", () => {
    within(options, function* ({ run }) {
      const [first] = json(ok(yield* run(`share replica export location list ${b} -f json`, as)))
      assert.strictEqual(first["Replica State"], "in_sync")
      const shown = json(ok(yield* run(`share replica export location show ${b} ${first.ID} -f json`, as)))
      assert.strictEqual(shown.path, first.Path)
    })
  })

  it("set and unset change states and properties, each with a request of its own", () => {
    within(options, function* ({ run }) {
      const set = ok(yield* run(`share replica set ${b} --status error --replica-state error --property k=v`, as))
      assert.deepStrictEqual(set.requests, [
        `POST /share-replicas/${b}/action`,
        `POST /share-replicas/${b}/action`,
        `POST /share-replicas/${b}/metadata`
      ])
      const shown = json(ok(yield* run(`share replica show ${b} -f json`, as)))
      assert.deepInclude(shown, { status: "error", replica_state: "error", properties: { k: "v" } })
      ok(yield* run(`share replica unset ${b} --property k`, as))
      assert.deepStrictEqual(json(ok(yield* run(`share replica show ${b} -f json`, as))).properties, {})
    })
  })

  it("promote swaps the active replica, and of the active one is done at once", () => {
    within(options, function* ({ run }) {
      const [first] = json(ok(yield* run(`share replica list --share ${a} -f json`, as)))
      ok(yield* run(`share replica promote ${b} --wait --quiesce-wait-time 5`, as))
      const states = json(ok(yield* run(`share replica list --share ${a} -f json`, as)))
      assert.deepStrictEqual(
        states.map((row: Record<string, unknown>) => [row["ID"] === first.ID, row["Replica State"]]).toSorted(),
        [
          [false, "active"],
          [true, "in_sync"]
        ]
      )
      assert.strictEqual(ok(yield* run(`share replica promote ${b} --wait`, as)).millis, 0)
    })
  })

  it("promote of one that is out of sync is an administrator's", () => {
    const replicas = [{ id: b, share_id: a, replica_state: "out_of_sync" }]
    fails(once(`share replica promote ${b}`, { seed: { ...replicated, replicas } }), 6)
    ok(once(`share replica promote ${b} --wait`, { seed: { ...replicated, replicas } }, as))
  })

  it("promote takes a number of seconds, and says so before anything is sent", () => {
    assert.deepStrictEqual(
      fails(once(`share replica promote ${b} --quiesce-wait-time soon`, options, as), 2).requests,
      []
    )
  })

  it("delete of the last active one is refused, of one that isn't there not found, unless that is fine", () => {
    within({ seed: replicated }, function* ({ run }) {
      const [only] = json(ok(yield* run(`share replica list --share ${a} -f json`, as)))
      assert.include(fails(yield* run(`share replica delete ${only.ID}`, as), 1).stderr, "last active replica")
      fails(yield* run(`share replica delete ${none}`, as), 5)
      ok(yield* run(`share replica delete ${none} --ignore-missing`, as))
    })
  })

  it("delete --force is another request", () => {
    const ended = ok(once(`share replica delete ${b} --force --wait`, options, as))
    assert.deepStrictEqual(lastBodyOf(ended), { force_delete: null })
  })

  it("is experimental up to 2.55, which is said, and not there below 2.11", () => {
    const old = once(`share replica show ${b}`, { ...options, microversion: { max: "2.55" } }, as)
    assert.strictEqual(ok(old).sent.at(-1)?.headers["x-openstack-manila-api-experimental"], "True")
    assert.deepStrictEqual(fails(once("share replica list", { microversion: { max: "2.10" } }, as), 1).requests, [])
  })
})

describe("wait replica", () => {
  it("waits for a status, for its data, or for its absence", () => {
    within({ seed: withReplica }, function* ({ run }) {
      ok(yield* run(`wait replica ${b} --for available`, as))
      assert.include(ok(yield* run(`share replica wait ${b} --for in_sync`, as)).stdout, "in_sync")
      const made = json(ok(yield* run(`share replica create ${a} -f json`, as)))
      assert.strictEqual(ok(yield* run(`wait replica ${made.id} --for in_sync`, as)).millis, 10_000)
      ok(yield* run(`share replica delete ${b}`, as))
      ok(yield* run(`wait replica ${b} --for deleted`, as))
    })
  })
})

describe("share backup", () => {
  const options: Options = { seed: withBackup }

  it("create prints the backup, and shows its progress while it is waited for", () => {
    const line = `share backup create ${a} --name x -f json`
    assert.include(json(ok(once(line, options, as))), { name: "x", status: "creating", progress: "0" })
    const waited = ok(once(`${line} --wait --progress json`, options, as))
    assert.include(json(waited), { name: "x", status: "available", progress: "100" })
    assert.includeMembers(
      events(waited).map(({ progress }) => progress),
      ["0%", "83%"]
    )
  })

  it("create sends no options where there are none, since empty ones break the service", () => {
    assert.deepStrictEqual(lastBodyOf(ok(once(`share backup create ${a}`, options, as))), {
      share_backup: { share_id: a }
    })
  })

  it("create of a share with snapshots is refused", () => {
    fails(once(`share backup create ${a}`, { seed: withSnapshot }, as), 1)
  })

  it("list filters by the service, and shows more with --detail, with and without a number", () => {
    const rows = json(ok(once(`share backup list --share ${a} --name~ ni --all-projects -f json`, options, as)))
    assert.deepStrictEqual(rows, [{ ID: b, Name: "night", "Share ID": a, Status: "available" }])
    for (const [flag, columns] of [
      ["--detail", 13],
      ["--detail 1", 13],
      ["--detail 0", 4]
    ] as const) {
      const [row] = json(ok(once(`share backup list ${flag} --all-projects -f json`, options, as)))
      assert.lengthOf(Object.keys(row), columns, flag)
    }
    for (const flag of ["--detail x", "--sort-dir up", "--offset x"]) {
      assert.deepStrictEqual(fails(once(`share backup list ${flag}`, options, as), 2).requests, [], flag)
    }
  })

  it("show, set and unset find it by name", () => {
    within(options, function* ({ run }) {
      ok(yield* run("share backup set night --name day --description d --status error --all-projects", as))
      const shown = json(ok(yield* run("share backup show day --all-projects -f json", as)))
      assert.include(shown, { name: "day", description: "d", status: "error" })
      ok(yield* run("share backup unset day --description --all-projects", as))
      assert.isNull(json(ok(yield* run(`share backup show ${b} -f json`, as))).description)
    })
  })

  it("restore looks at backup and share, one request each a look", () => {
    const ended = ok(once(`share backup restore ${b} --wait`, options))
    const [sent, ...looks] = ended.requests
    assert.strictEqual(sent, `POST /share-backups/${b}/action`)
    const look = [`GET /share-backups/${b}`, `GET /shares/${a}`]
    assert.deepStrictEqual(looks, [...look, ...look])
  })

  it("restore to another share looks at that one, and so does whoever goes on with it", () => {
    within(options, function* ({ run }) {
      const begun = ok(yield* run(`share backup restore ${b} --target-share other --no-wait`))
      assert.deepStrictEqual(lastBodyOf(begun), { restore: c })
      assert.include(ok(yield* run(goOn(begun))).requests, `GET /shares/${c}`)
      assert.strictEqual(json(ok(yield* run(`share show ${c} -f json`))).source_backup_id, b)
    })
  })

  it("restore has failed if the share could not be restored, though its backup is fine", () => {
    const lifecycles = { "backup.restore": { phases: phases(["restoring", "3 seconds"], "backup_restoring_error") } }
    within({ ...options, lifecycles }, function* ({ run }) {
      assert.include(fails(yield* run(`share backup restore ${b} --wait`), 3).stderr, "backup_restoring_error")
      assert.strictEqual(json(ok(yield* run(`share backup show ${b} -f json`))).status, "available")
    })
  })

  it("restore again is not taken for done before it is", () => {
    within(options, function* ({ run }) {
      ok(yield* run(`share backup restore ${b} --wait`))
      assert.strictEqual(ok(yield* run(`share backup restore ${b} --wait`)).millis, 5000)
    })
  })

  it("restore to a share that is too small is refused", () => {
    const shares = [
      { id: a, size: 5 },
      { id: c, size: 1 }
    ]
    const small = { seed: { ...withBackup, shares } }
    assert.include(fails(once(`share backup restore ${b} --target-share ${c}`, small), 1).stderr, "too small")
  })

  it("is experimental, which is said, and not there below 2.80; another target needs 2.91", () => {
    const ended = ok(once(`share backup show ${b}`, options))
    assert.strictEqual(ended.sent.at(-1)?.headers["x-openstack-manila-api-experimental"], "True")
    for (const [line, max] of [
      ["share backup list", "2.79"],
      [`share backup restore ${b} --target-share ${c}`, "2.90"]
    ] as const) {
      assert.deepStrictEqual(fails(once(line, { ...options, microversion: { max } }), 1).requests, [])
    }
  })

  it("keeps its share from being deleted", () => {
    fails(once(`share delete ${a}`, options), 6)
  })

  it("can be waited for by name", () => {
    within(options, function* ({ run }) {
      ok(yield* run(`share backup create ${c} --name slow`))
      assert.strictEqual(ok(yield* run("wait backup slow --for available")).millis, 10_000)
      ok(yield* run("share backup delete slow"))
      ok(yield* run("share backup wait slow --for deleted"))
    })
  })
})

describe("share instance", () => {
  const two: Options = {
    seed: {
      shares: [
        { id: a, instance_id: c, name: "web" },
        { id: b, name: "other" }
      ]
    }
  }

  it("list is of all shares, or of one by name or id in one request", () => {
    const all = ok(once("share instance list -f json", two, as))
    assert.deepStrictEqual(all.requests, ["GET /share_instances"])
    assert.lengthOf(json(all), 2)
    const own = ok(once(`share instance list --share ${a} -f json`, two, as))
    assert.deepStrictEqual(own.requests, [`GET /shares/${a}/instances`])
    assert.deepStrictEqual(
      json(own).map((row: Record<string, unknown>) => [row["ID"], row["Share ID"], row["Status"]]),
      [[c, a, "available"]]
    )
    const named = ok(once("share instance list --share web --all-projects -f value -c ID", two, as))
    assert.strictEqual(named.stdout, `${c}\n`)
  })

  it("list by export location looks for its path or its id, and can be of one share too", () => {
    within(two, function* ({ run }) {
      const [first] = json(ok(yield* run(`share instance export location list ${c} -f json`, as)))
      for (const [value, query] of [
        [first.ID, "export_location_id"],
        [first.Path, "export_location_path"]
      ]) {
        const found = ok(yield* run(`share instance list --export-location ${value} -f value -c ID`, as))
        assert.strictEqual(found.stdout, `${c}\n`)
        assert.deepStrictEqual(found.requests.map(decodeURIComponent), [`GET /share_instances?${query}=${value}`])
      }
      const other = `share instance list --share ${b} --export-location ${first.ID} -f json`
      assert.deepStrictEqual(json(ok(yield* run(other, as))), [])
    })
  })

  it("show has its export locations from 2.9 on", () => {
    const shown = ok(once(`share instance show ${c} -f json`, two, as))
    assert.deepStrictEqual(shown.requests, [`GET /share_instances/${c}`, `GET /share_instances/${c}/export_locations`])
    assert.include(json(shown), { id: c, share_id: a, replica_state: null })
    assert.lengthOf(json(shown).export_locations, 3)
    const old = ok(once(`share instance show ${c} -f json`, { ...two, microversion: { max: "2.8" } }, as))
    assert.deepStrictEqual(old.requests, [`GET /share_instances/${c}`])
  })

  it("export location show is one of them", () => {
    within(two, function* ({ run }) {
      const [first] = json(ok(yield* run(`share instance export location list ${c} -f json`, as)))
      assert.containsAllKeys(first, ["ID", "Path", "Is Admin Only", "Preferred"])
      const shown = json(ok(yield* run(`share instance export location show ${c} ${first.ID} -f json`, as)))
      assert.include(shown, { id: first.ID, path: first.Path, share_instance_id: c })
      fails(yield* run(`share instance export location show ${c} ${none}`, as), 5)
    })
  })

  it("set overwrites the status, which the share shows too, and refuses what can't be set", () => {
    within(two, function* ({ run }) {
      const set = ok(yield* run(`share instance set ${c} --status error`, as))
      assert.deepStrictEqual(lastBodyOf(set), { reset_status: { status: "error" } })
      assert.strictEqual(json(ok(yield* run(`share show ${a} -f json`, as))).status, "error")
      assert.include(fails(yield* run(`share instance set ${c} --status extending`, as), 1).stderr, "Valid states")
    })
  })

  it("delete goes through all it is given, and what is not there counts only if it is asked for", () => {
    const gone = `share instance delete ${c} ${none}`
    assert.strictEqual(fails(once(gone, two, as), 9).code, 9)
    ok(once(`${gone} --ignore-missing`, two, as))
  })

  it("delete --wait takes the share with its last instance", () => {
    within(two, function* ({ run }) {
      ok(yield* run(`share instance delete ${c} --wait`, as))
      fails(yield* run(`share show ${a}`, as), 5)
    })
  })

  it("can be waited for by hand", () => {
    const options: Options = {
      seed: { shares: [{ id: a, instance_id: c, phases: phases(["creating", "7 seconds"], "available") }] }
    }
    assert.strictEqual(ok(once(`wait instance ${c} --for available`, options, as)).millis, 10_000)
    assert.strictEqual(ok(once(`share instance wait ${c} --for available`, options, as)).millis, 10_000)
  })

  it("is an administrator's, and there since 2.3", () => {
    fails(once(`share instance show ${c}`, two), 6)
    assert.deepStrictEqual(fails(once("share instance list", { microversion: { max: "2.2" } }, as), 1).requests, [])
  })
})
