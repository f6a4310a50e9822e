import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { ask, type Asked, type Cloud, get, messageOf } from "../support/ask.ts"

const seed: FakeCloud.Seed = {
  shareNetworks: [{ id: "net" }],
  shareTypes: [{ id: "fast", name: "fast" }],
  shares: [
    { id: "a", name: "Alpha", size: 3, metadata: { team: "red" }, host: "h@b#one" },
    { id: "b", name: "alpha", size: 1, description: "Spare disk", metadata: { team: "blue", tier: "1" } },
    { id: "c", name: "beta.x", size: 2, status: "error", share_network_id: "net" },
    { id: "d", name: "binned", is_soft_deleted: true },
    { id: "e", name: "theirs", project_id: "other" },
    { id: "f", name: "public", project_id: "other", is_public: true },
    { id: "g", name: "typed", share_type: "fast", snapshot_id: "s1" },
    { id: "h", name: "going", status: "deferred_deleting" }
  ],
  snapshots: [
    { id: "s1", share_id: "a", name: "one", metadata: { k: "v" } },
    { id: "s2", share_id: "b", name: "Two", description: "second", status: "error" },
    { id: "s3", share_id: "e", name: "theirs" }
  ]
}

const ids = (cloud: Cloud, query: string, asked?: Asked) =>
  Effect.map(get(cloud, `/v2/shares${query}`, asked), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.json.shares.map((share: { id: string }) => share.id).join("")
  })

const filters: ReadonlyArray<readonly [query: string, found: string, asked?: Asked]> = [
  ["", "gcba"],
  // The database does not tell cases apart.
  ["?name=ALPHA", "ba"],
  ["?name=alph", ""],
  ["?name=", "gcba"],
  ["?name~=LPH", "ba"],
  ["?name~=^be.*x$", "c"],
  ["?description~=spare", "b"],
  ["?description=spare disk", "b"],
  ["?status=ERROR", "c"],
  ["?status=nonsense", ""],
  ["?metadata={'team': 'red'}", "a"],
  ['?metadata={"team":"blue","tier":"1"}', "b"],
  ["?share_network_id=net", "c"],
  ["?share_type_id=fast", "g"],
  ["?snapshot_id=s1", "g"],
  ["?availability_zone=nova", "gcba"],
  ["?availability_zone=mars", ""],
  ["?is_soft_deleted=true", "d"],
  ["?is_public=true", "gfcba"],
  // What a member may not filter by is not looked at.
  ["?project_id=x", "gcba"],
  ["?all_tenants=1", "gcba"],
  ["?nonsense=1", "gcba"],
  ["?name=beta.x&name=typed", "g"],
  ["", "fe", { as: "other" }],
  ["", "gcba", { as: "reader" }],
  ["", "", { as: "admin" }],
  ["?all_tenants=1", "hgfecba", { as: "admin" }],
  ["?all_tenants=", "hgfecba", { as: "admin" }],
  ["?all_tenants=0", "", { as: "admin" }],
  ["?all_tenants=1&host=h@b#one", "a", { as: "admin" }],
  // Keys that a microversion does not know are not looked at either.
  ["?name~=zz", "gcba", { version: "2.35" }],
  ["?is_soft_deleted=true", "gcba", { version: "2.68" }],
  ["?availability_zone=mars", "gcba", { version: "2.96" }],
  ["?sort_key=name&sort_dir=asc", "abcg"],
  ["?sort_key=size", "acgb"],
  ["?sort_key=id&sort_dir=ASC", "abcg"],
  ["?sort_key=status&sort_dir=asc&name~=a", "abc"],
  ["?limit=2", "gc"],
  ["?limit=2&offset=1", "cb"],
  ["?limit=0", ""],
  // An offset alone is not looked at, and a marker never.
  ["?offset=2", "gcba"],
  ["?limit=1&marker=c", "g"]
]

const refused: ReadonlyArray<readonly [query: string, status: number, asked?: Asked]> = [
  ["?limit=-1", 400],
  ["?limit=x", 400],
  ["?offset=-1", 400],
  ["?sort_key=nonsense", 400],
  ["?sort_key=", 400],
  ["?sort_dir=up", 400],
  ["?is_soft_deleted=maybe", 400],
  ["?with_count=maybe", 400],
  ["?metadata=1", 400],
  ["?metadata=nonsense", 500],
  ["?is_public=maybe", 500],
  ["?name~=[", 500],
  ["?host=x", 403],
  ["?share_server_id=x", 403],
  ["?extra_specs={'a':'b'}", 403],
  ["?status=deferred_deleting", 403],
  ["?all_tenants=maybe", 400, { as: "admin" }]
]

describe("the list of shares", () => {
  for (const [query, found, asked] of filters) {
    it.effect(`${asked?.as ?? "a member"} finds ${found || "nothing"} by ${query || "nothing"}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed })
        assert.strictEqual(yield* ids(cloud, query, asked), found)
      })
    )
  }

  for (const [query, status, asked] of refused) {
    it.effect(`${query} is ${status}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed })
        assert.strictEqual((yield* get(cloud, `/v2/shares${query}`, asked)).status, status)
      })
    )
  }

  it.effect("counts what matches, whatever the page; the long list at any microversion", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const count = (path: string, version = "2.99") =>
        Effect.map(get(cloud, `/v2/shares${path}`, { version }), (answer) => answer.json.count)
      assert.strictEqual(yield* count("?limit=1&with_count=True"), 4)
      assert.strictEqual(yield* count("/detail?limit=1&with_count=yes"), 4)
      assert.strictEqual(yield* count("?with_count=true", "2.41"), undefined)
      assert.strictEqual(yield* count("/detail?with_count=true", "2.41"), 4)
      assert.strictEqual(yield* count(""), undefined)
    })
  )

  it.effect("a full page has a next link, and to follow it gives the same page again", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const page = yield* get(cloud, "/v2/shares/detail?limit=2&sort_key=created_at")
      const [link] = page.json.shares_links
      assert.deepStrictEqual(link, {
        rel: "next",
        href: "http://cloud/share/v2/shares?limit=2&sort_key=created_at&marker=c"
      })
      assert.strictEqual(yield* ids(cloud, link.href.slice(link.href.indexOf("?"))), "gc")
      assert.strictEqual((yield* get(cloud, "/v2/shares?limit=3&offset=2")).json.shares_links, undefined)
    })
  )

  it.effect("is not capped, unless a cap was asked for", () =>
    Effect.gen(function* () {
      const shares = Array.from({ length: 1200 }, (_, index) => ({ name: `share ${index}` }))
      const today = yield* FakeCloud.make({ seed: { shares } })
      const before = yield* FakeCloud.make({ seed: { shares }, pageCap: 100 })
      const length = (cloud: Cloud, query: string) =>
        Effect.map(get(cloud, `/v2/shares${query}`), (answer) => answer.json.shares.length)
      assert.strictEqual(yield* length(today, ""), 1200)
      assert.strictEqual(yield* length(today, "?limit=5000"), 1200)
      assert.strictEqual(yield* length(before, ""), 100)
      assert.strictEqual(yield* length(before, "?limit=500"), 100)
      assert.strictEqual(yield* length(before, "?limit=500&offset=1150"), 50)
    })
  )

  it.effect("shows the newest first, in the order they were made even within a millisecond", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make()
      const made: Array<string> = []
      for (let n = 0; n < 5; n++) made.unshift((yield* cloud.share({ name: `${n}` })).name ?? "")
      yield* TestClock.adjust("1 second")
      made.unshift((yield* cloud.share({ name: "last" })).name ?? "")
      const list = yield* get(cloud, "/v2/shares")
      assert.deepStrictEqual(
        list.json.shares.map((share: { name: string }) => share.name),
        made
      )
    })
  )
})

describe("visibility", () => {
  it.effect("another project's share is not there, a public one can be seen and not touched", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      assert.strictEqual((yield* get(cloud, "/v2/shares/e")).status, 404)
      assert.strictEqual((yield* get(cloud, "/v2/shares/e", { as: "admin" })).status, 200)
      assert.strictEqual((yield* get(cloud, "/v2/shares/f")).status, 200)
      const removal = yield* ask(cloud, "DELETE", "/v2/shares/f")
      assert.strictEqual(removal.status, 403)
      assert.strictEqual(messageOf(removal), "Policy doesn't allow share:delete to be performed.")
      assert.strictEqual((yield* ask(cloud, "DELETE", "/v2/shares/e")).status, 404)
    })
  )

  it.effect("a share that is deleted later is there for an administrator only", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      assert.strictEqual((yield* get(cloud, "/v2/shares/h")).status, 404)
      assert.strictEqual((yield* get(cloud, "/v2/shares/h", { as: "admin" })).status, 200)
    })
  )

  it.effect("a reader may look and not change", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      assert.strictEqual((yield* get(cloud, "/v2/shares/a", { as: "reader" })).status, 200)
      const body = { share: { share_proto: "NFS", size: 1 } }
      assert.strictEqual((yield* ask(cloud, "POST", "/v2/shares", { as: "reader", body })).status, 403)
      assert.strictEqual((yield* ask(cloud, "DELETE", "/v2/shares/a", { as: "reader" })).status, 403)
    })
  )

  it.effect("a token without a project is 403 everywhere", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const { username: name, password, domainId } = cloud.credentials
      const login = yield* ask(cloud, "POST", "/v3/auth/tokens", {
        as: "nobody",
        service: "/identity",
        body: {
          auth: {
            identity: { methods: ["password"], password: { user: { name, password, domain: { id: domainId } } } }
          }
        }
      })
      const headers = { "x-auth-token": login.headers["x-subject-token"] ?? "" }
      assert.strictEqual((yield* get(cloud, "/v2/shares", { headers })).status, 403)
    })
  )
})

describe("the list of snapshots", () => {
  const found = (cloud: Cloud, query: string, asked?: Asked) =>
    Effect.map(get(cloud, `/v2/snapshots${query}`, asked), (answer) => {
      assert.strictEqual(answer.status, 200, answer.text)
      return answer.json.snapshots.map((one: { id: string }) => one.id).join(" ")
    })

  const queries: ReadonlyArray<readonly [query: string, found: string, asked?: Asked]> = [
    ["", "s2 s1"],
    ["?name=TWO", "s2"],
    ["?name~=O", "s2 s1"],
    ["?description~=seco", "s2"],
    ["?status=error", "s2"],
    ["?share_id=a", "s1"],
    ["?size=3", "s1"],
    ["?metadata={'k':'v'}", "s1"],
    // Here an offset alone does count.
    ["?offset=1", "s1"],
    ["?limit=1&offset=1", "s1"],
    ["?sort_key=name&sort_dir=asc", "s1 s2"],
    ["?all_tenants=1", "s3 s2 s1", { as: "admin" }],
    ["?all_tenants=1&project_id=x", "", { as: "admin" }],
    ["?metadata={'k':'v'}", "s2 s1", { version: "2.72" }]
  ]
  for (const [query, wanted, asked] of queries) {
    it.effect(`${asked?.as ?? "a member"} finds ${wanted || "nothing"} by ${query || "nothing"}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed })
        assert.strictEqual(yield* found(cloud, query, asked), wanted)
      })
    )
  }

  it.effect("refuses some queries in the short list only, and stumbles over a wrong sort key", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const status = (query: string) => Effect.map(get(cloud, `/v2/snapshots${query}`), (answer) => answer.status)
      assert.strictEqual(yield* status("?name="), 400)
      assert.strictEqual(yield* status("?size=x"), 400)
      assert.strictEqual(yield* status("/detail?size=x"), 200)
      assert.strictEqual(yield* status("?sort_key=nonsense"), 500)
      assert.strictEqual(yield* status("?metadata=nonsense"), 400)
    })
  )

  it.effect("the link of a full page has a key of its own", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed })
      const page = yield* get(cloud, "/v2/snapshots/detail?limit=1&with_count=1")
      assert.strictEqual(page.json.count, 2)
      assert.strictEqual(
        page.json.share_snapshots_links[0].href,
        "http://cloud/share/v2/snapshots?limit=1&with_count=1&marker=s2"
      )
    })
  )
})

describe("look-ups by name of other kinds", () => {
  const others: FakeCloud.Seed = {
    shareNetworks: [
      { id: "n1", name: "net" },
      { id: "n2", name: "Net" },
      { id: "n3", name: "net", project_id: "other" }
    ],
    shareGroups: [
      { id: "g1", name: "grp" },
      { id: "g2", name: "other" }
    ]
  }
  const names = (cloud: Cloud, path: string, key: string, asked?: Asked) =>
    Effect.map(get(cloud, path, asked), (answer) => answer.json[key].map((one: { id: string }) => one.id).join(" "))

  it.effect("share networks are compared letter by letter, and an unknown key matches nothing", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: others })
      const found = (query: string, asked?: Asked) =>
        names(cloud, `/v2/share-networks${query}`, "share_networks", asked)
      assert.strictEqual(yield* found("?name=net"), "n1")
      assert.strictEqual(yield* found("/detail?name=Net"), "n2")
      assert.strictEqual(yield* found("?name~=et"), "n1 n2")
      assert.strictEqual(yield* found("?name~=et", { version: "2.35" }), "")
      assert.strictEqual(yield* found("?nonsense=1"), "")
      assert.strictEqual(yield* found("?limit=1&offset=1"), "n2")
      assert.strictEqual(yield* found("?limit=0"), "n1 n2")
      assert.strictEqual(yield* found("?all_tenants=1&name=net", { as: "admin" }), "n1 n3")
    })
  )

  it.effect("share groups refuse a key they don't know, and need the experimental header up to 2.54", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({ seed: others })
      assert.strictEqual(yield* names(cloud, "/v2/share-groups?name=grp", "share_groups"), "g1")
      assert.strictEqual((yield* get(cloud, "/v2/share-groups?nonsense=1")).status, 400)
      assert.strictEqual((yield* get(cloud, "/v2/share-groups", { version: "2.54" })).status, 404)
      const headers = { "x-openstack-manila-api-experimental": "true" }
      assert.strictEqual((yield* get(cloud, "/v2/share-groups", { version: "2.54", headers })).status, 200)
      assert.strictEqual((yield* get(cloud, "/v2/share-groups", { version: "2.30", headers })).status, 404)
    })
  )

  it.effect("share types are found by id, not by name, and private ones by those who may use them", () =>
    Effect.gen(function* () {
      const cloud = yield* FakeCloud.make({
        seed: {
          shareTypes: [
            { id: "t1", name: "gold" },
            { id: "t2", name: "secret", is_public: false, projects: ["other"] }
          ]
        }
      })
      const types = (path: string, asked?: Asked) => names(cloud, `/v2/types${path}`, "share_types", asked)
      assert.strictEqual((yield* get(cloud, "/v2/types/gold")).status, 404)
      assert.strictEqual((yield* get(cloud, "/v2/types/t1")).json.share_type.name, "gold")
      assert.strictEqual((yield* get(cloud, "/v2/types/default")).json.share_type.is_default, true)
      assert.strictEqual((yield* get(cloud, "/v2/types/t2")).status, 404)
      assert.strictEqual((yield* get(cloud, "/v2/types/t2", { as: "other" })).status, 200)
      assert.match(yield* types("", { as: "other" }), /t1 t2$/)
      assert.strictEqual(yield* types("?is_public=false", { as: "admin" }), "t2")
      const share = { share_proto: "NFS", size: 1, share_type: "gold" }
      assert.strictEqual((yield* ask(cloud, "POST", "/v2/shares", { body: { share } })).status, 200)
    })
  )
})

describe("five thousand shares", () => {
  it.effect("are listed in pages, each once", () =>
    Effect.gen(function* () {
      const shares = Array.from({ length: 5000 }, (_, index) => ({ name: `share ${index}` }))
      const cloud = yield* FakeCloud.make({ seed: { shares } })
      const seen = new Set<string>()
      for (let offset = 0; offset < 5000; offset += 1000) {
        const page = yield* get(cloud, `/v2/shares/detail?limit=1000&offset=${offset}`)
        for (const share of page.json.shares) seen.add(share.id)
      }
      assert.strictEqual(seen.size, 5000)
    })
  )
})
