/** Properties of export locations, as the service was seen to treat them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { ask, type Asked, createShare, get, messageOf } from "../support/ask.ts"

const location = Effect.gen(function* () {
  const cloud = yield* FakeCloud.make()
  const share = yield* createShare(cloud)
  yield* TestClock.adjust("1 minute")
  const { export_locations: all } = (yield* get(cloud, `/v2/shares/${share}/export_locations`)).json
  const path = `/v2/shares/${share}/export_locations/${all[0].id}`
  const to = (method: string, below: string, asked: Asked = {}) =>
    Effect.map(ask(cloud, method, `${path}/metadata${below}`, asked), (answer) => [
      answer.status,
      answer.status < 300 ? answer.json : messageOf(answer)
    ])
  const shown = Effect.map(get(cloud, path), ({ json }) => json.export_location.metadata)
  return { cloud, share, shown, to }
})

describe("properties of an export location", () => {
  it.effect("are added to, replaced, and taken away one by one", () =>
    Effect.gen(function* () {
      const { shown, to } = yield* location
      assert.deepStrictEqual(yield* shown, {})
      assert.deepStrictEqual(yield* to("POST", "", { body: { metadata: { a: "b" } } }), [
        200,
        { metadata: { preferred: "1", a: "b" } }
      ])
      yield* to("POST", "", { body: { metadata: { c: "d" } } })
      assert.deepStrictEqual(yield* shown, { a: "b", c: "d" })
      assert.deepStrictEqual(yield* to("GET", "/c"), [200, { meta: { c: "d" } }])
      yield* to("PUT", "", { body: { metadata: { x: "y" } } })
      assert.deepStrictEqual(yield* shown, { x: "y" })
      assert.strictEqual((yield* to("DELETE", "/x"))[0], 200)
      assert.deepStrictEqual(yield* to("DELETE", "/x"), [404, "MetadataItemNotFound: Metadata item is not found."])
      assert.deepStrictEqual(yield* to("GET", "/x"), [404, "MetadataItemNotFound: Metadata item is not found."])
      assert.deepStrictEqual(yield* shown, {})
    })
  )

  it.effect("are refused as the service refuses them, and can't be listed", () =>
    Effect.gen(function* () {
      const { cloud, share, to } = yield* location
      const set = (metadata: unknown, more: Asked = {}) => to("POST", "", { ...more, body: { metadata } })
      assert.deepStrictEqual(yield* set({ preferred: "true" }), [403, "Cannot set or update admin only metadata."])
      assert.deepStrictEqual(yield* set({ k: 1 }), [
        400,
        "Invalid input for field/attribute k. Value: 1. 1 is not of type 'string'"
      ])
      assert.deepStrictEqual(yield* set({ "": "b" }), [
        400,
        "Invalid input for field/attribute metadata. Value: {'': 'b'}. '' does not match any of the regexes: '^[a-zA-Z0-9-_:. ]{1,255}$'"
      ])
      assert.deepStrictEqual(yield* set({ k: "b".repeat(1024) }), [
        400,
        "Metadata property value is greater than 1023 characters."
      ])
      assert.deepStrictEqual(yield* to("POST", "", { body: {} }), [400, "'metadata' is a required property"])
      assert.deepStrictEqual(yield* to("GET", ""), [400, "'meta' is a required property"])
      assert.strictEqual((yield* set({ a: "b" }, { as: "reader" }))[0], 403)
      const nowhere = `/v2/shares/${share}/export_locations/nope/metadata`
      const answers = [
        yield* ask(cloud, "POST", nowhere, { body: { metadata: { a: "b" } } }),
        yield* ask(cloud, "DELETE", `${nowhere}/a`),
        yield* ask(cloud, "POST", nowhere.replace(share, "nope"), { body: { metadata: { a: "b" } } })
      ]
      assert.deepStrictEqual(answers.map(messageOf), [
        "ExportLocationNotFound: Export location nope could not be found.",
        "Share_export_location not found.",
        "Share 'nope' not found."
      ])
    })
  )
})
