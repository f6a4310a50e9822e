/** What an operation's answer becomes, and what its path can hold. */
import * as Operation from "@effect-manila/core/http/Operation"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"

const Item = Schema.Struct({ id: Schema.String, at: Schema.optional(Schema.NumberFromString) })
const decode = <A>(output: Operation.Output<A>, json: unknown) => Effect.runSync(Effect.either(output.decode(json)))
const value = <A>(output: Operation.Output<A>, json: unknown): A => Effect.runSync(output.decode(json))

describe("an output", () => {
  it("of a key is the value under it, decoded, with the fields that nobody named", () => {
    assert.deepStrictEqual(
      value(Operation.key("item", Item), { item: { id: "a", at: "7", new: { x: 1 } }, other: 1 }),
      {
        id: "a",
        at: 7,
        new: { x: 1 }
      } as never
    )
  })

  it("of a list keeps them in each item, and its order", () => {
    const list = Operation.list("items", Item)
    assert.deepStrictEqual(value(list, { items: [{ id: "b", x: 1 }, { id: "a" }] }), [
      { id: "b", x: 1 },
      { id: "a" }
    ] as never)
    assert.deepStrictEqual(value(list, { items: [] }), [])
  })

  it("of a page says whether there is a next link, and a count that came", () => {
    const page = Operation.page("items", Item, "items_links")
    const next = { rel: "next", href: "http://x.test?marker=a" }
    assert.deepStrictEqual(value(page, { items: [], items_links: [next], count: 7 }), {
      items: [],
      more: true,
      count: 7
    })
    for (const items_links of [undefined, [], [{ rel: "self" }], "next", [null]]) {
      assert.deepStrictEqual(value(page, { items: [], items_links }), { items: [], more: false, count: undefined })
    }
  })

  it("that lacks its root, or has another, fails", () => {
    for (const json of [{}, null, undefined, [], "text", 7, { items: { a: 1 } }, { items: null }]) {
      assert.strictEqual(decode(Operation.list("items", Item), json)._tag, "Left", JSON.stringify(json))
    }
    assert.strictEqual(decode(Operation.key("item", Item), { items: { id: "a" } })._tag, "Left")
  })

  it("of nothing reads nothing", () => {
    assert.isFalse(Operation.empty.readsBody)
    assert.isUndefined(value(Operation.empty, "anything"))
  })
})

describe("a segment", () => {
  it("is one segment whatever is in it", () => {
    assert.strictEqual(Operation.segment("a/b?c#d e"), "a%2Fb%3Fc%23d%20e")
    for (const text of [".", "..", "../..", "%2e%2e", "a.b", "...", "//"]) {
      const { pathname } = new URL(`http://x.test/shares/${Operation.segment(text)}/action`)
      assert.match(pathname, /^\/shares\/[^/]+\/action$/, text)
    }
  })
})
