/**
 * Requests that change things, names, lists, versions, endpoints and secrets: cases that users of other clients ran into,
 * with neighbours.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import { specs } from "@effect-manila/cli/Commands"
import * as Spec from "@effect-manila/cli/Spec"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, fails, ids, json, lastBody, lines, ok, once, origin, real } from "./support/Manila.ts"

const { a, b, c, network, none, rule, snapshot } = ids
/** The administrator, in the member's project. */
const admin = { as: "admin", env: { OS_PROJECT_NAME: "demo" } } as const

describe("LP 2051737: a forced delete sends one request", () => {
  claim("of a share", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    const ended = ok(yield* run(`share delete ${a} --force`, admin))
    assert.deepStrictEqual(ended.requests, [`POST /shares/${a}/action`])
    assert.deepStrictEqual(lastBody(ended), { force_delete: null })
  })
  claim(
    "of a snapshot",
    { seed: { shares: [{ id: a }], snapshots: [{ id: snapshot, share_id: a }] } },
    function* ({ run }) {
      assert.deepStrictEqual(ok(yield* run(`share snapshot delete ${snapshot} --force`, admin)).requests, [
        `POST /snapshots/${snapshot}/action`
      ])
    }
  )
  claim(
    "in the old spelling below 2.7",
    { microversion: { max: "2.6" }, seed: { shares: [{ id: a }] } },
    function* ({ run }) {
      assert.deepStrictEqual(lastBody(ok(yield* run(`share delete ${a} --force`, admin))), {
        "os-force_delete": null
      })
    }
  )
  claim("soft delete sends its own", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    assert.deepStrictEqual(ok(yield* run(`share delete ${a} --soft --wait`)).requests, [
      `POST /shares/${a}/action`,
      `GET /shares/${a}`
    ])
  })
})

describe("LP 1611506, LP 1353466: several at once, and each tells its own ending", () => {
  const seed = {
    shares: [
      { id: a, name: "a" },
      { id: c, name: "c" }
    ],
    snapshots: []
  }
  claim("share delete a missing c: partial", { seed }, function* ({ run }) {
    const ended = fails(yield* run("share delete a missing c"), 9)
    assert.strictEqual(countOf(ended, "DELETE"), 2)
    assert.strictEqual(lines(ended.stderr).length, 1)
    assert.include(ended.stderr, "missing")
    assert.strictEqual(ended.stdout, "")
  })
  claim("only a missing one: not found, in one line", { seed }, function* ({ run }) {
    const ended = fails(yield* run("share delete missing"), 5)
    assert.strictEqual(ended.stderr, "manila: no share is named missing, or it is not yours to see.\n")
  })
  claim("--ignore-missing: done", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`share delete a missing ${none} --ignore-missing --wait`))
    assert.strictEqual(countOf(ended, "DELETE"), 2)
    assert.include(ended.stderr, "missing: not there")
  })
  claim("an id that nothing has is named", { seed }, function* ({ run }) {
    assert.include(fails(yield* run(`share delete ${none}`), 5).stderr, none)
  })
  for (const [noun, words, id] of [
    ["snapshot", "share snapshot delete", none],
    ["message", "share message delete", none]
  ] as const) {
    claim(
      `${noun}s too`,
      {
        seed: {
          shares: [{ id: a }],
          snapshots: [{ id: snapshot, share_id: a }],
          messages: [{ id: "33333333-0000-4000-8000-000000000001", resource_id: a }]
        }
      },
      function* ({ run }) {
        const there = noun === "snapshot" ? snapshot : "33333333-0000-4000-8000-000000000001"
        const ended = fails(yield* run(`${words} ${there} ${id}`), 9)
        assert.include(ended.stderr, id)
        ok(yield* run(`${words} ${id} --ignore-missing`))
      }
    )
  }
  claim("a rule that is not there", { seed }, function* ({ run }) {
    const ended = yield* run(`share access delete a ${none}`)
    assert.notStrictEqual(ended.code, 0)
    assert.include(ended.stderr, none)
    ok(yield* run(`share access delete a ${none} --ignore-missing`))
  })
  claim(
    "all of one ending give its code",
    {
      seed: {
        shares: [
          { id: a, name: "a", status: "creating" },
          { id: c, name: "c", status: "creating" }
        ]
      }
    },
    function* ({ run }) {
      const ended = fails(yield* run("share delete a c"), 6)
      for (const name of ["a", "c"]) assert.include(ended.stderr, `manila: ${name}: `)
    }
  )
  claim("a name given twice, or with its id, is deleted once", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`share delete a a ${a} --wait`))
    assert.strictEqual(countOf(ended, "DELETE"), 1)
    assert.strictEqual(lines(ended.stderr).filter((line) => line.includes("deleted after")).length, 1)
  })
})

describe("LP 1271520: access that is there already", () => {
  const seed = {
    shares: [{ id: a, name: "web" }],
    accessRules: [{ id: rule, share_id: a, access_type: "ip", access_to: "10.0.0.0/24", access_level: "rw" }]
  }
  const create = `share access create ${a} ip 10.0.0.0/24`
  claim("exists, and the rule is named", { seed }, function* ({ run }) {
    const ended = fails(yield* run(create), 8)
    assert.include(ended.stderr, rule)
    assert.strictEqual(ended.stdout, "")
    assert.strictEqual(countOf(ended, "POST"), 1)
  })
  claim("--ignore-existing prints the one that is there", { seed }, function* ({ run }) {
    assert.strictEqual(ok(yield* run(`${create} --ignore-existing -f value -c id`)).stdout, `${rule}\n`)
    assert.strictEqual(ok(yield* run(`${create} --ignore-existing --wait -f value -c state`)).stdout, "active\n")
  })
  for (const more of ["", " --ignore-existing"]) {
    claim(`another level is never taken for it${more}`, { seed }, function* ({ run }) {
      const ended = fails(yield* run(`${create} --access-level ro${more}`), 8)
      assert.include(ended.stderr, "level rw")
      assert.include(ended.stderr, "ro was asked for")
    })
  }
  claim("below 2.45 the share's own list names it", { seed, microversion: { max: "2.44" } }, function* ({ run }) {
    const ended = fails(yield* run(create), 8)
    assert.include(ended.stderr, rule)
    ok(yield* run(`${create} --ignore-existing --wait`))
  })
})

describe("CPO#3000, GC#985: access is waited for, and a key is printed once", () => {
  const seed = { shares: [{ id: a, name: "web", share_proto: "CEPHFS" }] }
  claim("cephx: the key comes with the wait", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`share access create ${a} cephx alice --wait -f json`))
    const { access_key, state } = json(ended)
    assert.strictEqual(state, "active")
    assert.isString(access_key)
    assert.strictEqual(ended.stdout.split(access_key).length, 2)
    assert.notInclude(ended.stderr, access_key)
  })
  claim(
    "an error names the rule and how to remove it",
    { seed, lifecycles: { "access.create": { phases: phases(["applying", "3 seconds"], "error") } } },
    function* ({ run }) {
      const ended = fails(yield* run(`share access create ${a} cephx alice --wait -f value -c id`), 3)
      const id = ended.stdout.trim()
      assert.include(ended.stderr, `manila share access delete ${a} ${id}`)
      assert.include(ended.stderr, `access rule ${id}: create failed`)
    }
  )
  claim("below 2.45 through the share's list", { seed, microversion: { max: "2.40" } }, function* ({ run }) {
    const ended = ok(yield* run(`share access create ${a} ip 10.0.0.0/8 --wait -f value -c state`))
    assert.strictEqual(ended.stdout, "active\n")
    assert.strictEqual(countOf(ended, `POST /shares/${a}/action`), 1 + 2)
  })
})

describe("csi-driver-manila-operator#54, CPO#420: the share network that is missing", () => {
  const text = "Share network must be set when the driver_handles_share_servers is true."
  const body = JSON.stringify({ badRequest: { code: 400, message: text } })
  const seed = {
    shareNetworks: [
      { id: network, name: "net" },
      { id: "99999999-0000-4000-8000-000000000002", name: "twice" },
      { id: "99999999-0000-4000-8000-000000000003", name: "twice" }
    ]
  }
  claim(
    "the server's sentence unchanged, and the flag",
    { faults: [Faults.on({ method: "POST", path: "shares" }, Faults.status(400, { body }))] },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1"), 1)
      assert.include(ended.stderr, text)
      assert.include(ended.stderr, "--share-network")
    }
  )
  claim(
    "another 400 gets no such hint",
    { faults: [Faults.on({ method: "POST", path: "shares" }, Faults.status(400))] },
    function* ({ run }) {
      assert.notInclude(fails(yield* run("share create NFS 1"), 1).stderr, "--share-network")
    }
  )
  claim("a name is one look-up, an id none", { seed }, function* ({ run }) {
    const named = yield* run("share create NFS 1 --share-network net --share-type default")
    assert.strictEqual(named.requests[0], "GET /share-networks/detail?name=net&limit=1000")
    assert.strictEqual(lastBody(named).share.share_network_id, network)
    assert.strictEqual(countOf(yield* run(`share create NFS 1 --share-network ${network}`), "GET /share-networks"), 0)
  })
  claim("a name of two is a usage error with both ids, and no POST", { seed }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --share-network twice"), 2)
    assert.include(ended.stderr, "99999999-0000-4000-8000-000000000002")
    assert.include(ended.stderr, "99999999-0000-4000-8000-000000000003")
    assert.strictEqual(countOf(ended, "POST"), 0)
  })
})

describe("LP 1898304 and its kind, GC#2652: whatever ends later than its answer can be waited for", () => {
  /** Verbs whose command has another name; the others are called as they are: `share snapshot create`. */
  const renamed: Readonly<Record<string, string>> = {
    "share force delete": "share delete",
    "share soft delete": "share delete",
    "share extend": "share resize",
    "share shrink": "share resize",
    "snapshot force delete": "share snapshot delete"
  }
  const commandOf = (kind: string, verb: string) =>
    renamed[`${kind} ${verb}`] ??
    ["share", ...(kind === "share" ? [] : [kind === "access rule" ? "access" : kind]), verb].join(" ")
  const verbs = [Share.verbs, ShareAccess.verbs, Snapshot.verbs].flatMap((some) => Object.values(some))
  const commands = new Set(verbs.map(({ kind, verb }) => commandOf(kind, verb)))
  const known = specs.filter((spec) => commands.has(Spec.nameOf(spec)))
  it.each(known.map(Spec.nameOf))("%s", (name) => {
    const spec = specs.find((spec) => Spec.nameOf(spec) === name)!
    for (const flag of ["wait", "timeout", "interval", "maxInterval", "maxAttempts", "tolerate", "progress"]) {
      assert.property(Spec.optionsOf(spec), flag)
    }
  })
  it("so every verb of these kinds has its command, but for a rule's new level", () => {
    const names = new Set(specs.map(Spec.nameOf))
    const missing = [...commands].filter((name) => !names.has(name))
    assert.includeMembers(
      ["share access update", "share snapshot adopt", "share snapshot abandon", "share adopt", "share abandon"],
      missing
    )
  })
  it("and no command takes them whose request is answered for good", () => {
    const atOnce = specs.filter(({ words }) => /^(list|show|set|unset)$/.test(words[words.length - 1] ?? ""))
    assert.isAbove(atOnce.length, 10)
    for (const spec of atOnce) assert.isUndefined(spec.wait, Spec.nameOf(spec))
  })
})

describe("LP 1721787: a name costs one filtered list, in whatever crowd", () => {
  const crowd = Array.from({ length: 5000 }, (_, n) => ({ name: `share-${n}` }))
  claim("5 000 shares", { seed: { shares: [...crowd, { id: a, name: "web-data" }] } }, function* ({ run }) {
    const ended = ok(yield* run("share show web-data -f value -c id"))
    assert.strictEqual(ended.stdout, `${a}\n`)
    assert.deepStrictEqual(ended.requests, [
      "GET /shares/detail?name=web-data&limit=1000",
      `GET /shares/${a}`,
      `GET /shares/${a}/export_locations`
    ])
    const all = ok(yield* run("share list -f value -c ID"))
    assert.strictEqual(new Set(lines(all.stdout)).size, 5001)
  })
  claim(
    "two of one name are both named with project and time, and nothing is done",
    {
      seed: {
        shares: [
          { id: a, name: "web" },
          { id: b, name: "web" }
        ]
      }
    },
    function* ({ run }) {
      for (const line of [
        "share show web",
        "share delete web",
        "share resize web 5",
        "share access list web",
        "share set web --name x",
        "share snapshot create web"
      ]) {
        const ended = fails(yield* run(line), 2)
        for (const part of [a, b, "project ", "created "]) assert.include(ended.stderr, part)
        assert.strictEqual(ended.requests.length, 1, line)
      }
    }
  )
  claim(
    "another project's only with --all-projects",
    { seed: { shares: [{ id: a, name: "theirs", project_id: "0123456789abcdef0123456789abcdef" }] } },
    function* ({ run }) {
      fails(yield* run("share show theirs", admin), 5)
      const ended = ok(yield* run("share show theirs --all-projects -f value -c id", admin))
      assert.strictEqual(ended.stdout, `${a}\n`)
      assert.include(ended.requests[0], "all_tenants=1")
    }
  )
})

describe("LP 1656363, LP 1652025: null is no accident", () => {
  const share = Object.fromEntries(
    [
      "name",
      "description",
      "size",
      "share_proto",
      "project_id",
      "created_at",
      "availability_zone",
      "share_network_id",
      "snapshot_id",
      "is_public",
      "metadata",
      "share_type",
      "share_type_name",
      "task_state",
      "access_rules_status",
      "host",
      "progress",
      "is_soft_deleted"
    ].map((key) => [key, null])
  )
  const whole = { ...share, id: a, status: "available" }
  const faults = [
    Faults.on({ method: "GET", path: `shares/${a}` }, Faults.status(200, { body: JSON.stringify({ share: whole }) })),
    Faults.on(
      { method: "GET", path: "shares/detail" },
      Faults.status(200, { body: JSON.stringify({ shares: [whole] }) })
    ),
    Faults.on(
      { method: "GET", path: "export_locations" },
      Faults.status(200, { body: `{"export_locations":[{"id":"x","path":"p","preferred":null,"metadata":null}]}` })
    )
  ]
  for (const format of ["table", "json", "value"]) {
    claim(format, { faults }, function* ({ run }) {
      const shown = ok(yield* run(`share show ${a} -f ${format}`))
      const listed = ok(yield* run(`share list --long -f ${format}`))
      assert.include(shown.stdout, format === "json" ? `"name": null` : "None")
      assert.include(listed.stdout, format === "json" ? `"Name": null` : "None")
    })
  }
})

describe("story 2010947: stdout is the value and one newline", () => {
  claim("share create --wait -f value -c id", {}, function* ({ run }) {
    const ended = ok(yield* run("share create NFS 1 --wait -f value -c id"))
    assert.match(ended.stdout, /^[0-9a-f-]{36}\n$/)
  })
  claim("access create and snapshot create", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    assert.match(
      ok(yield* run(`share access create ${a} ip 10.0.0.0/8 --wait -f value -c id`)).stdout,
      /^[0-9a-f-]{36}\n$/
    )
    assert.match(ok(yield* run(`share snapshot create ${a} --wait -f value -c id`)).stdout, /^[0-9a-f-]{36}\n$/)
  })
})

describe("GC#3222, openstack-exporter#519: lists go on to the end", () => {
  const shares = Array.from({ length: 1234 }, (_, n) => ({ name: `share-${n}` }))
  claim("1 234 shares with a page cap of 1 000", { pageCap: 1000, seed: { shares } }, function* ({ run }) {
    const ended = ok(yield* run("share list -f value -c ID"))
    assert.strictEqual(new Set(lines(ended.stdout)).size, 1234)
    const five = ok(yield* run("share list --limit 5 -f value -c ID"))
    assert.strictEqual(lines(five.stdout).length, 5)
    assert.strictEqual(five.requests.length, 1)
  })
  claim("a cap below the page that was asked for", { pageCap: 100, seed: { shares } }, function* ({ run }) {
    assert.strictEqual(new Set(lines(ok(yield* run("share list -f value -c ID")).stdout)).size, 1234)
  })
  claim("--limit above a cap is met all the same", { pageCap: 100, seed: { shares } }, function* ({ run }) {
    assert.strictEqual(lines(ok(yield* run("share list --limit 250 -f value -c ID")).stdout).length, 250)
  })
  claim(
    "snapshots and messages",
    {
      pageCap: 10,
      seed: {
        shares: [{ id: a }],
        snapshots: Array.from({ length: 25 }, () => ({ share_id: a })),
        messages: Array.from({ length: 25 }, () => ({ resource_id: a }))
      }
    },
    function* ({ run }) {
      assert.strictEqual(lines(ok(yield* run("share snapshot list -f value -c ID")).stdout).length, 25)
      assert.strictEqual(lines(ok(yield* run("share message list -f value -c ID")).stdout).length, 25)
    }
  )
  claim(
    "a share that goes between two pages is no crash and no duplicate",
    {
      pageCap: 1000,
      seed: { shares },
      faults: [Faults.on({ method: "GET", path: "shares/detail", delay: "10 seconds" }, Faults.pass)]
    },
    function* ({ cloud, run }) {
      const first = ok(yield* run("share list --limit 1 -f value -c ID"))
      const ended = ok(
        yield* run("share list -f value -c ID", {
          meanwhile: () => Effect.delay(cloud.script(first.stdout.trim(), phases("gone")), "15 seconds")
        })
      )
      const all = lines(ended.stdout)
      assert.strictEqual(new Set(all).size, all.length)
      assert.isAtLeast(all.length, 1233)
    }
  )
})

describe("LP 1438365, TPO#1930: export locations", () => {
  const locations = JSON.stringify({
    export_locations: [
      { id: "1", path: "slow:/x", preferred: false },
      { id: "2", path: "fast:/x", preferred: true }
    ]
  })
  const empty = `{"export_locations":[]}`
  const path = { method: "GET", path: "export_locations" } as const
  claim(
    "preferred first and marked",
    { faults: [Faults.on(path, Faults.status(200, { body: locations }))] },
    function* ({ run }) {
      const text: string = json(ok(yield* run("share create NFS 1 --wait -f json"))).export_locations
      assert.isBelow(text.indexOf("fast:/x"), text.indexOf("slow:/x"))
      assert.match(text, /fast:\/x\npreferred = True/)
    }
  )
  claim(
    "none: one look, a warning, and done",
    { faults: [Faults.on(path, Faults.status(200, { body: empty }))] },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f value -c id"))
      assert.strictEqual(ended.requests.filter((one) => one.endsWith("export_locations")).length, 1)
      assert.include(ended.stderr, `manila share export location list ${ended.stdout.trim()}`)
    }
  )
  claim(
    "with --require-exports they are waited for",
    {
      faults: [
        Faults.on({ ...path, nth: [1, 2] }, Faults.status(200, { body: empty })),
        Faults.on(path, Faults.status(200, { body: locations }))
      ]
    },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait --require-exports -f json"))
      assert.include(json(ended).export_locations, "fast:/x")
      assert.strictEqual(ended.requests.filter((one) => one.endsWith("export_locations")).length, 3)
    }
  )
  claim(
    "60 s where there is no limit",
    {
      lifecycles: { "share.create": { phases: phases("available") } },
      faults: [Faults.on(path, Faults.status(200, { body: empty }))]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait --require-exports -f value -c status"), 4)
      assert.strictEqual(ended.millis, 60_000)
      assert.strictEqual(ended.stdout, "available\n")
    }
  )
  claim(
    "a request for them that fails does not spoil what was made",
    { faults: [Faults.on(path, Faults.status(403))] },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f value -c status"))
      assert.strictEqual(ended.stdout, "available\n")
      assert.include(ended.stderr, "export location")
    }
  )
})

describe("LP 1960490, LP 1559290: microversions", () => {
  const old = { microversion: { min: "2.0", max: "2.51" } }
  claim("goes down to what the cloud has, with one request", old, function* ({ run }) {
    const ended = ok(yield* run("share list"))
    assert.strictEqual(ended.sent.at(-1)?.headers["x-openstack-manila-api-version"], "2.51")
    assert.strictEqual(ended.sent.filter(({ path }) => /^\/(v2\/)?$/.test(path)).length, 1)
  })
  for (const [by, line, env] of [
    ["a flag", "share create NFS 1 --os-share-api-version 2.60", {}],
    ["a variable", "share create NFS 1", { OS_SHARE_API_VERSION: "2.60" }]
  ] as const) {
    claim(
      `a newer one asked for by ${by} is an error with both ranges, and nothing is changed`,
      old,
      function* ({ run }) {
        const ended = fails(yield* run(line, { env }), 1)
        for (const part of ["2.60", "2.0 to 2.51", "2.0 to 2.99"]) assert.include(ended.stderr, part)
        assert.strictEqual(countOf(ended, "POST"), 0)
      }
    )
  }
  claim("2.100 is read as a number beyond 2.99", {}, function* ({ run }) {
    assert.include(fails(yield* run("share list --os-share-api-version 2.100"), 1).stderr, "2.100")
  })
  for (const [line, what] of [
    [`share create NFS 1 --share-group ${none}`, "--share-group needs microversion 2.31"],
    ["share create NFS 1 --mount-point-name x", "--mount-point-name needs microversion 2.84"],
    ["share list --name~ x", "--name~ needs microversion 2.36"],
    [`share delete ${a} --soft`, "--soft needs microversion 2.69"],
    [`share access create ${a} ip 1.2.3.4 --properties a=b`, "--properties needs microversion 2.45"],
    [`share access show ${rule}`, "manila share access show needs microversion 2.45"],
    [`share revert ${snapshot}`, "manila share revert needs microversion 2.27"],
    ["share message list", "manila share message list needs microversion 2.37"]
  ] as const) {
    claim(
      `too old for a flag: ${line}`,
      { microversion: { max: "2.7" }, seed: { shares: [{ id: a }] } },
      function* ({ run }) {
        const ended = fails(yield* run(line), 1)
        assert.strictEqual(ended.stderr, `manila: ${what}, and 2.7 is spoken with this cloud.\n`)
        assert.deepStrictEqual(ended.requests, [])
      }
    )
  }
})

describe("GC#3347, TPO#1930: the catalog's service types", () => {
  const v1 = { type: "share", path: "/share/v1/{project_id}" }
  const v2 = (type: string) => ({ type, path: "/share/v2" })
  for (const catalog of [[v1, v2("sharev2")], [v2("shared-file-system")], [v2("sharev2")]]) {
    claim(
      catalog.map(({ type }) => type).join(" and "),
      { catalog: [{ type: "identity", path: "/identity/v3" }, ...catalog] },
      function* ({ run }) {
        ok(yield* run("share list"))
      }
    )
  }
  claim("only v1 is an error with the types looked for and found", { catalog: [v1] }, function* ({ run }) {
    const ended = fails(yield* run("share list"), 1)
    for (const part of ["shared-file-system", "sharev2", "share"]) assert.include(ended.stderr, part)
  })
})

describe("LP 1630822: no secret is ever shown", () => {
  const hidden = (ended: { stderr: string }, ...secrets: ReadonlyArray<string>) => {
    for (const secret of secrets) assert.notInclude(ended.stderr, secret)
    assert.match(ended.stderr, /req-[0-9a-f-]{36}/)
  }
  const seed = {
    shares: [{ id: a, share_proto: "CEPHFS" }],
    accessRules: [{ id: rule, share_id: a, access_type: "cephx", access_to: "bob", access_key: "PLANTED-KEY" }]
  }
  claim("password and token, logging in", { seed }, function* ({ cloud, run }) {
    const ended = ok(yield* run("share list --debug"))
    const token = ended.sent.find(({ headers }) => headers["x-auth-token"] !== undefined)!.headers["x-auth-token"]!
    hidden(ended, cloud.credentials.password, token)
    assert.include(ended.stderr, "/auth/tokens")
  })
  claim("an application credential's secret", { seed }, function* ({ cloud, run }) {
    const { applicationCredentialId, applicationCredentialSecret } = cloud.credentials
    const env = {
      OS_USERNAME: "",
      OS_PASSWORD: "",
      OS_USER_DOMAIN_NAME: "",
      OS_PROJECT_NAME: "",
      OS_PROJECT_DOMAIN_NAME: "",
      OS_AUTH_TYPE: "v3applicationcredential",
      OS_APPLICATION_CREDENTIAL_ID: applicationCredentialId,
      OS_APPLICATION_CREDENTIAL_SECRET: applicationCredentialSecret
    }
    hidden(ok(yield* run("share list --debug", { env })), applicationCredentialSecret)
  })
  claim("an access key", { seed }, function* ({ run }) {
    for (const line of [
      `share access list ${a}`,
      `share access show ${rule}`,
      `share access create ${a} cephx bob --ignore-existing`
    ]) {
      const ended = ok(yield* run(`${line} --debug -f json`))
      hidden(ended, "PLANTED-KEY")
      assert.include(ended.stdout, "PLANTED-KEY")
    }
  })
  claim(
    "nor when things go wrong",
    { seed, faults: [Faults.on({ path: "shares/detail" }, Faults.status(500))] },
    function* ({ cloud, run }) {
      const ended = yield* run(["share", "list", "--debug", "--os-password", cloud.credentials.password])
      assert.notStrictEqual(ended.code, 0)
      hidden(ended, cloud.credentials.password)
    }
  )
  claim("a wrong password is not repeated", {}, function* ({ run }) {
    const ended = fails(yield* run("share list --debug", { env: { OS_PASSWORD: "PLANTED-PASSWORD" } }), 6)
    assert.notInclude(ended.stderr, "PLANTED-PASSWORD")
  })
})

describe("LP 1511625, LP 1541047: refused is not missing, and help needs no cloud", () => {
  claim(
    "a look-up that is refused",
    { faults: [Faults.on({ method: "GET", path: "shares/detail" }, Faults.status(403))] },
    function* ({ run }) {
      for (const line of [
        "share show web",
        "share delete web --ignore-missing",
        "wait share web --for deleted",
        "wait share web --for available --allow-missing"
      ]) {
        fails(yield* run(line), 6)
      }
    }
  )
  const file = "/etc/openstack/clouds.yaml"
  const broken = { [file]: "clouds:\n  mine:\n    auth: [\n  other: {" }
  claim("--help and --version read no file", {}, function* ({ run }) {
    for (const line of ["--help", "--version", "share create --help", "help share", "help wait"]) {
      const ended = ok(yield* run(line, { files: broken }))
      assert.strictEqual(ended.stderr, "")
      assert.notStrictEqual(ended.stdout, "")
    }
  })
  it("a command names the file that is broken, and its line", async () => {
    const ended = fails(await real("share list", { files: broken, env: { OS_CLOUD: "mine" } }), 1)
    assert.match(ended.stderr, /\/etc\/openstack\/clouds\.yaml:[34]/)
    assert.deepStrictEqual(ended.sent, [])
    assert.strictEqual(ended.stdout, "")
  })
  it("and the clouds there are, if there is no such", async () => {
    const files = {
      [file]: "clouds:\n  one: { auth: { auth_url: http://x } }\n  two: { auth: { auth_url: http://x } }"
    }
    const ended = fails(await real("share list --os-cloud three", { files }), 1)
    assert.match(ended.stderr, /three.*one, two/)
  })
  it("a flag wins over a variable, a variable over the file", async () => {
    const mine = `{ auth: { auth_url: ${origin}/identity/v3, username: nobody } }`
    const files = { [file]: `clouds:\n  mine: ${mine}` }
    fails(await real("share list --os-cloud mine", { files, env: { OS_USERNAME: "" } }), 6)
    ok(await real("share list --os-cloud mine", { files }))
    fails(await real("share list --os-cloud mine --os-username nobody", { files }), 6)
  })
})

describe("cloudenvy#104: over quota is no rate limit", () => {
  claim("one request, the server's sentence, and where to look", { quotas: { shares: 0 } }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait"), 7)
    assert.deepStrictEqual(ended.requests, ["POST /shares"])
    assert.match(ended.stderr, /[Mm]aximum number of shares|quota/)
    assert.include(ended.stderr, "share quota show")
  })
  claim("snapshots", { quotas: { snapshots: 0 }, seed: { shares: [{ id: a }] } }, function* ({ run }) {
    assert.deepStrictEqual(fails(yield* run(`share snapshot create ${a} --wait`), 7).requests, ["POST /snapshots"])
  })
  claim("growing", { quotas: { gigabytes: 1 }, seed: { shares: [{ id: a, size: 1 }] } }, function* ({ run }) {
    assert.strictEqual(countOf(fails(yield* run(`share resize ${a} 9 --wait`), 7), "POST"), 1)
  })
})

describe("a request that creates is never repeated", () => {
  for (const [why, outcome] of [
    ["reset", Faults.reset],
    ["answered 500", Faults.status(500)],
    ["answered by a proxy's page", Faults.html()],
    ["cut short", Faults.truncate(10)]
  ] as const) {
    claim(
      `${why}: its outcome is not known`,
      { faults: [Faults.on({ method: "POST", path: "shares" }, outcome)] },
      function* ({ run }) {
        const ended = fails(yield* run("share create NFS 1 --wait"), 10)
        assert.deepStrictEqual(ended.requests, ["POST /shares"])
        assert.include(ended.stderr, "look before you repeat it")
        assert.strictEqual(ended.stdout, "")
      }
    )
  }
  claim(
    "nor one that deletes",
    { seed: { shares: [{ id: a }] }, faults: [Faults.on({ method: "DELETE" }, Faults.reset)] },
    function* ({ run }) {
      const ended = fails(yield* run(`share delete ${a} --wait`), 10)
      assert.deepStrictEqual(ended.requests, [`DELETE /shares/${a}`])
    }
  )
  claim("a connection that was refused is no doubt", {}, function* ({ run }) {
    const ended = fails(
      yield* run("share create NFS 1", {
        env: { OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE: `${origin.replace("http", "https")}/share/v2` }
      }),
      1
    )
    assert.include(ended.stderr, "refused")
  })
})

describe("Effect-TS/effect#5983, Effect-TS/cli#435: arguments and options in any order", () => {
  it("share show", () => {
    const seed = { shares: [{ id: a }] }
    const one = once(`share show ${a} -f json -c id`, { seed })
    assert.strictEqual(one.code, 0)
    for (const line of [
      `share show -f json -c id ${a}`,
      `-f json share show ${a} -c id`,
      `share show --format=json --column=id -- ${a}`
    ]) {
      assert.strictEqual(once(line, { seed }).stdout, one.stdout, line)
    }
  })
  claim("repeated options keep both", {}, function* ({ run }) {
    const ended = ok(yield* run("share create --property a=1 NFS --property b=2 1 -f json"))
    assert.deepStrictEqual(json(ended).metadata, { a: "1", b: "2" })
  })
})

describe("Effect-TS/effect-smol#1568: a command line that can't be understood is 2, with nothing on stdout and nothing sent", () => {
  it.each([
    "share frobnicate",
    "share create --nope NFS 1",
    "share create",
    "share create NFS",
    "share create NFS big",
    "share resize x",
    "wait",
    "wait share x",
    "share create NFS 1 --timeout soon",
    "share list --limit -1"
  ])("%s", (line) => {
    const ended = once(line)
    assert.strictEqual(ended.code, 2)
    assert.strictEqual(ended.stdout, "")
    assert.notStrictEqual(ended.stderr, "")
    assert.deepStrictEqual(ended.sent, [])
  })
})
