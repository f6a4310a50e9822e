/**
 * Lists that are whole, filters that the server applies, and names that mean one thing.
 */
import * as Page from "@effect-manila/core/http/Page"
import type * as Manila from "@effect-manila/core/manila/Manila"
import * as Message from "@effect-manila/core/manila/Message"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareNetwork from "@effect-manila/core/manila/ShareNetwork"
import * as ShareType from "@effect-manila/core/manila/ShareType"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import * as Cloud from "./support/cloud.ts"

const shareId = (n: number) => Share.ShareId.make(`11111111-1111-4111-8111-${String(n).padStart(12, "0")}`)

const shares = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: shareId(n), name: `share-${n}`, ...more }))

const idsOf = <A extends { readonly id: string }, E, R>(list: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(list), (all) => Chunk.toReadonlyArray(all).map(({ id }) => id))

const queries = (world: Cloud.World) => world.sent().map(({ query }) => query)

const listed = (setup: Cloud.Setup, options?: Parameters<typeof Share.list>[1], filter?: Share.Filter) =>
  Cloud.run(setup, (world) =>
    Effect.map(idsOf(Share.list(filter, options)), (ids) => ({
      count: ids.length,
      distinct: new Set(ids).size,
      queries: queries(world)
    }))
  )

/** What a server does that knows nothing of a query key. */
const ignoring =
  (...keys: ReadonlyArray<string>) =>
  (app: App): App =>
  (request) =>
    app({ ...request, query: request.query.filter(([key]) => !keys.includes(key)) })

describe("a list", () => {
  it("is whole where the server caps its pages: 1 234 shares, a cap of 1 000", () => {
    assert.deepStrictEqual(listed({ cloud: { seed: { shares: shares(1234) }, pageCap: 1000 } }), {
      count: 1234,
      distinct: 1234,
      queries: [
        { limit: "1000", with_count: "true" },
        { limit: "1000", with_count: "true", offset: "1000" }
      ]
    })
  })

  it("is whole where the server counts nothing: one request more tells its end", () => {
    const setup = { cloud: { seed: { shares: shares(1234) }, pageCap: 1000 }, wrap: ignoring("with_count") }
    const { distinct, queries } = listed(setup)
    assert.strictEqual(distinct, 1234)
    assert.deepStrictEqual(
      queries.map(({ offset }) => offset),
      [undefined, "1000", "1234"]
    )
  })

  it("does not believe a count that is too low", () => {
    const lying =
      (app: App): App =>
      (request) =>
        Effect.map(app(request), (reply) =>
          reply._tag === "Answer"
            ? { ...reply, answer: { ...reply.answer, body: reply.answer.body.replace(/"count": ?\d+/, '"count":10') } }
            : reply
        )
    const { distinct } = listed({ cloud: { seed: { shares: shares(25) } }, wrap: lying }, { pageSize: 10 })
    assert.strictEqual(distinct, 25)
  })

  it("is whole where the server's cap is below the size of a page", () => {
    const { count, distinct, queries } = listed({ cloud: { seed: { shares: shares(250) }, pageCap: 100 } })
    assert.deepStrictEqual([count, distinct], [250, 250])
    assert.deepStrictEqual(
      queries.map(({ offset }) => offset),
      [undefined, "100", "200"]
    )
    for (const pageCap of [1, 2, 7]) {
      assert.strictEqual(listed({ cloud: { seed: { shares: shares(9) }, pageCap } }).distinct, 9, `a cap of ${pageCap}`)
    }
  })

  it("that was counted needs no page more to know its end", () => {
    const told = Cloud.run({ cloud: { seed: { shares: shares(250) }, pageCap: 100 } }, (world) =>
      Effect.map(idsOf(Page.stream((window) => Share.page({ ...window, withCount: true }))), (ids) => [
        ids.length,
        world.sent().length
      ])
    )
    assert.deepStrictEqual(told, [250, 3])
  })

  it("of 5 is one request that asks for no more", () => {
    assert.deepStrictEqual(listed({ cloud: { seed: { shares: shares(1234) }, pageCap: 1000 } }, { total: 5 }), {
      count: 5,
      distinct: 5,
      queries: [{ limit: "5" }]
    })
  })

  it("of more than a page asks for the rest only", () => {
    const { count, queries } = listed({ cloud: { seed: { shares: shares(30) } } }, { total: 25, pageSize: 10 })
    assert.strictEqual(count, 25)
    assert.deepStrictEqual(queries, [{ limit: "10" }, { limit: "10", offset: "10" }, { limit: "5", offset: "20" }])
  })

  it("of none asks nothing", () => {
    assert.deepStrictEqual(listed({ cloud: { seed: { shares: shares(3) } } }, { total: 0 }), {
      count: 0,
      distinct: 0,
      queries: []
    })
  })

  it("begins where it is told to", () => {
    const { count, queries } = listed({ cloud: { seed: { shares: shares(30) } } }, { offset: 25 })
    assert.strictEqual(count, 5)
    assert.deepStrictEqual(queries[0], { limit: "1000", offset: "25", with_count: "true" })
  })

  it("that is empty is one request", () => {
    assert.deepStrictEqual(listed({}).queries.length, 1)
  })

  it("whose last page is full ends at an empty one", () => {
    const { count, queries } = listed({ cloud: { seed: { shares: shares(20) } } }, { pageSize: 10 })
    assert.deepStrictEqual([count, queries.length], [20, 3])
  })

  it("has no share twice, and goes on, where one is deleted or made between pages", () => {
    for (const change of ["delete", "create"]) {
      const told = Cloud.run({ cloud: { seed: { shares: shares(25) } } }, (world) =>
        Effect.gen(function* () {
          const ids = yield* idsOf(
            Share.list({}, { pageSize: 10 }).pipe(
              Stream.rechunk(10),
              Stream.mapChunksEffect((chunk) =>
                Effect.as(
                  change === "delete"
                    ? Effect.zipRight(world.cloud.script(Chunk.unsafeHead(chunk).id, [{ status: "gone" }]), Effect.void)
                    : world.cloud.share(),
                  chunk
                )
              )
            )
          )
          return [ids.length, new Set(ids).size] as const
        })
      )
      assert.strictEqual(told[0], told[1], change)
      assert.isAtLeast(told[0], change === "delete" ? 23 : 25, change)
    }
  })

  it("ends where the server ignores the offset, with the first page's items", () => {
    const setup = { cloud: { seed: { shares: shares(25) } }, wrap: ignoring("offset") }
    const { count, distinct, queries } = listed(setup, { pageSize: 10 })
    assert.deepStrictEqual([count, distinct, queries.length], [10, 10, 2])
  })

  it("ends where the server ignores limit and offset, with all of them, and no more than were asked for", () => {
    const setup = { cloud: { seed: { shares: shares(25) } }, wrap: ignoring("offset", "limit") }
    assert.strictEqual(listed(setup, { pageSize: 10 }).count, 25)
    assert.strictEqual(listed(setup, { total: 7 }).count, 7)
  })

  it("is read as far as it is used", () => {
    const told = Cloud.run({ cloud: { seed: { shares: shares(50) } } }, (world) =>
      Effect.map(idsOf(Stream.take(Share.list({}, { pageSize: 10 }), 15)), (ids) => [ids.length, world.sent().length])
    )
    assert.deepStrictEqual(told, [15, 2])
  })

  it("of snapshots, messages and networks is whole too", () => {
    const share = shareId(0)
    const seed = {
      shares: [{ id: share }],
      snapshots: Array.from({ length: 23 }, () => ({ share_id: share })),
      messages: Array.from({ length: 23 }, () => ({ resource_id: share })),
      shareNetworks: Array.from({ length: 23 }, () => ({}))
    }
    const counts = Cloud.run({ cloud: { seed, pageCap: 10 } }, () =>
      Effect.all([idsOf(Snapshot.list()), idsOf(Message.list()), idsOf(ShareNetwork.list())])
    )
    assert.deepStrictEqual(
      counts.map((ids) => new Set(ids).size),
      [23, 23, 23]
    )
  })

  it("carries its filter on every page", () => {
    const seed = { shares: shares(25, { status: "error", metadata: { a: "1" } }) }
    const { queries } = listed({ cloud: { seed } }, { pageSize: 20 }, { status: "error", metadata: { a: "1" } })
    assert.deepStrictEqual(queries, [
      { limit: "20", status: "error", metadata: '{"a":"1"}', with_count: "true" },
      { limit: "20", status: "error", metadata: '{"a":"1"}', offset: "20", with_count: "true" }
    ])
  })

  it("of a page says how many there are in all, if that is asked for", () => {
    const counts = Cloud.run({ cloud: { seed: { shares: shares(25) } } }, () =>
      Effect.all([Share.page({ limit: 10, withCount: true }), Share.page({ limit: 10 })])
    )
    assert.deepStrictEqual(
      counts.map(({ count, items, more }) => [count, items.length, more]),
      [
        [25, 10, true],
        [undefined, 10, true]
      ]
    )
  })
})

describe("filters", () => {
  const seed = {
    shares: [
      { id: shareId(1), name: "web-data", status: "available", metadata: { tier: "gold" } },
      { id: shareId(2), name: "web-logs", status: "error" },
      { id: shareId(3), name: "other", is_soft_deleted: true },
      { id: shareId(4), name: "theirs", project_id: "other" }
    ]
  }
  const found = (filter: Share.Filter, as?: "admin") =>
    Cloud.run({ cloud: { seed }, ...(as === undefined ? {} : { as }) }, () => idsOf(Share.list(filter)))

  it("are the server's own", () => {
    assert.sameMembers([...found({})], [shareId(1), shareId(2)])
    assert.deepStrictEqual(found({ name: "web-data" }), [shareId(1)])
    assert.sameMembers([...found({ nameLike: "web" })], [shareId(1), shareId(2)])
    assert.deepStrictEqual(found({ status: "error" }), [shareId(2)])
    assert.deepStrictEqual(found({ metadata: { tier: "gold" } }), [shareId(1)])
    assert.deepStrictEqual(found({ isSoftDeleted: true }), [shareId(3)])
    assert.include(found({ allProjects: true }, "admin"), shareId(4))
    assert.notInclude(found({ allProjects: true }), shareId(4))
  })

  it("sort as they say", () => {
    assert.deepStrictEqual(found({ sortKey: "name", sortDir: "asc" }), [shareId(1), shareId(2)])
    assert.deepStrictEqual(found({ sortKey: "name", sortDir: "desc" }), [shareId(2), shareId(1)])
  })
})

describe("a name", () => {
  const named = (names: ReadonlyArray<string>, more: object = {}) => ({
    shares: names.map((name, n) => ({ id: shareId(n), name, created_at: `2026-01-0${n + 1}T00:00:00.000000`, ...more }))
  })
  const find = (
    setup: Cloud.Setup,
    effect: Effect.Effect<{ id: string }, { message: string }, Manila.Manila> = Share.findByName("web")
  ) =>
    Cloud.run(setup, (world) =>
      Effect.map(Effect.either(effect), (result) => ({
        said: result._tag === "Right" ? result.right.id : result.left.message,
        sent: world.sent().map(({ method, path, query }) => [method, path, query] as const)
      }))
    )

  it("is looked up with one request that the server filters", () => {
    const { said, sent } = find({ cloud: { seed: { shares: [...shares(2000), { id: shareId(5000), name: "web" }] } } })
    assert.strictEqual(said, shareId(5000))
    assert.deepStrictEqual(sent, [["GET", "/shares/detail", { name: "web", limit: "1000" }]])
  })

  it("that two have lists both, with ids, projects and times of creation", () => {
    const { said, sent } = find({ cloud: { seed: named(["web", "web", "web2"]) } })
    assert.include(said, "2 shares are named web; use an id: ")
    assert.include(said, `${shareId(0)}, project `)
    assert.include(said, `${shareId(1)}, project `)
    assert.include(said, "created 2026-01-01T00:00:00")
    assert.include(said, "created 2026-01-02T00:00:00")
    assert.notInclude(said, shareId(2))
    assert.lengthOf(sent, 1)
  })

  it("that nothing has says so, whether or not somebody else's thing has it", () => {
    assert.include(find({ cloud: { seed: named(["other"]) } }).said, "no share is named web")
    assert.include(find({ cloud: { seed: named(["web"], { project_id: "other" }) } }).said, "no share is named web")
  })

  it("of another project's share is found with all projects", () => {
    const all = Share.findByName("web", { allProjects: true })
    const { said } = find({ as: "admin", cloud: { seed: named(["web"], { project_id: "other" }) } }, all)
    assert.strictEqual(said, shareId(0))
  })

  it("is found, and told from others, where the server ignores the filter", () => {
    const many = [...shares(1500), { id: shareId(5000), name: "web", created_at: "2020-01-01T00:00:00.000000" }]
    const setup = { cloud: { seed: { shares: many }, pageCap: 1000 }, wrap: ignoring("name") }
    const { said, sent } = find(setup)
    assert.deepStrictEqual([said, sent.length], [shareId(5000), 4])
    const none = find({ ...setup, cloud: { seed: { shares: shares(3) } } })
    assert.include(none.said, "no share is named web")
  })

  it("of a snapshot, a network and a type is one request each", () => {
    const seed = {
      shares: [{ id: shareId(0) }],
      snapshots: [{ share_id: shareId(0), name: "s" }],
      shareNetworks: [
        { id: shareId(8), name: "n" },
        { id: shareId(9), name: "n" }
      ],
      shareTypes: [{ id: shareId(7), name: "t" }]
    }
    const ask = (effect: Parameters<typeof find>[1]) => find({ cloud: { seed } }, effect)
    assert.deepStrictEqual(ask(Snapshot.findByName("s")).sent, [
      ["GET", "/snapshots/detail", { name: "s", limit: "1000" }]
    ])
    assert.deepStrictEqual(
      [ask(ShareType.findByName("t")).said, ask(ShareType.findByName("t")).sent],
      [shareId(7), [["GET", "/types", { is_public: "all" }]]]
    )
    const networks = ask(ShareNetwork.findByName("n"))
    assert.lengthOf(networks.sent, 1)
    assert.include(networks.said, shareId(8))
    assert.include(networks.said, shareId(9))
  })

  it("that may not be looked up is Forbidden, not unknown", () => {
    const error = Cloud.run(
      {
        wrap: () => () => Effect.succeed({ _tag: "Answer", answer: { status: 403, headers: {}, body: "" } }),
        endpoint: `${Cloud.origin}/share/v2`,
        credentials: Cloud.preIssued
      },
      () => Effect.flip(Share.findByName("web"))
    )
    assert.strictEqual(error._tag, "Forbidden")
  })
})
