/**
 * What comes back of an answer: fields nobody knew, fields that are null, fields that are wrong, and keys.
 */
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import type * as Manila from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Message from "@effect-manila/core/manila/Message"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as ShareType from "@effect-manila/core/manila/ShareType"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import * as Canned from "./support/canned.ts"
import * as Cloud from "./support/cloud.ts"

const id = "11111111-1111-4111-8111-111111111111"
const shareId = Share.ShareId.make(id)

const answered = <A, E>(body: unknown, effect: Effect.Effect<A, E, Manila.Manila>): A =>
  Cloud.run({ wrap: Canned.replies(Canned.json(200, body)).wrap }, () => effect)

interface Kind {
  readonly name: string
  readonly schema: Schema.Schema.AnyNoContext & { readonly fields: Readonly<Record<string, unknown>> }
  readonly root: string
  readonly rootOfList: string
  /** What can't be null. */
  readonly required: Readonly<Record<string, unknown>>
  readonly get: Effect.Effect<object, ManilaError, Manila.Manila>
  readonly list: Effect.Effect<ReadonlyArray<object>, ManilaError, Manila.Manila>
}

const all = <A, E, R>(list: Stream.Stream<A, E, R>) =>
  Effect.map(Stream.runCollect(list), (found): ReadonlyArray<A> => Chunk.toReadonlyArray(found))

const kinds: ReadonlyArray<Kind> = [
  {
    name: "share",
    schema: Share.Share,
    root: "share",
    rootOfList: "shares",
    required: { id, status: "available" },
    get: Share.get({ id: shareId }),
    list: all(Share.list())
  },
  {
    name: "snapshot",
    schema: Snapshot.Snapshot,
    root: "snapshot",
    rootOfList: "snapshots",
    required: { id, status: "available" },
    get: Snapshot.get({ id: Snapshot.SnapshotId.make(id) }),
    list: all(Snapshot.list())
  },
  {
    name: "access rule",
    schema: ShareAccess.AccessRule,
    root: "access",
    rootOfList: "access_list",
    required: { id },
    get: ShareAccess.get({ id: ShareAccess.AccessRuleId.make(id) }),
    list: ShareAccess.list({ shareId })
  },
  {
    name: "export location",
    schema: ExportLocation.ExportLocation,
    root: "export_location",
    rootOfList: "export_locations",
    required: { id, path: "10.0.0.1:/x" },
    get: ExportLocation.get({ shareId, id: ExportLocation.ExportLocationId.make(id) }),
    list: ExportLocation.list({ shareId })
  },
  {
    name: "message",
    schema: Message.Message,
    root: "message",
    rootOfList: "messages",
    required: { id, user_message: "x" },
    get: Message.get({ id: Message.MessageId.make(id) }),
    list: all(Message.list())
  },
  {
    name: "share type",
    schema: ShareType.ShareType,
    root: "share_type",
    rootOfList: "share_types",
    required: { id, name: "t" },
    get: ShareType.get({ id: ShareType.ShareTypeId.make(id) }),
    list: ShareType.list({})
  }
]

describe.each(kinds)("a $name", ({ get, list, required, root, rootOfList, schema }) => {
  const newer: object = { ...required, of_2_120: { deep: [1, { x: null }] }, "with:colon": true }

  it("keeps the fields that this library does not name, in lists too", () => {
    assert.deepStrictEqual({ ...answered({ [root]: newer }, get) }, newer)
    assert.deepStrictEqual(
      answered(
        { [rootOfList]: [newer, newer] },
        Effect.map(list, ([first]) => ({ ...first }))
      ),
      newer
    )
  })

  it("may have null in every field that can be null, and may lack it", () => {
    const nulls = Object.fromEntries(Object.keys(schema.fields).map((name) => [name, null]))
    const wanted = { ...nulls, ...required }
    assert.deepStrictEqual({ ...answered({ [root]: wanted }, get) }, wanted)
    assert.deepStrictEqual({ ...answered({ [root]: required }, get) }, required)
  })

  it("that is not what it should be is Malformed, with the field and what was expected, and no value", () => {
    const [name = ""] = Object.keys(required).slice(-1)
    const told = (body: unknown, effect: Effect.Effect<unknown, ManilaError, Manila.Manila> = get) => {
      const error = answered(body, Effect.flip(effect))
      assert.strictEqual(error._tag, "Malformed", JSON.stringify(body))
      assert.notInclude(error.message, "planted")
      assert.strictEqual(error._tag === "Malformed" && error.requestId, Canned.requestId)
      return error.message
    }
    for (const wrong of [["planted"], { planted: "planted" }, 7, true]) {
      const message = told({ [root]: { ...required, [name]: wrong } })
      assert.include(message, `${name}: expected string`)
    }
    assert.include(told({ [root]: { ...required, id: undefined } }), "id: is missing")
    assert.include(told({ [root]: "planted" }), "expected")
    assert.include(told({ [root]: null }), "expected")
    assert.include(told({ planted: required }), root)
    assert.include(told(["planted"]), root)
    assert.include(told(null), root)
    assert.include(told({ [rootOfList]: { planted: 1 } }, list), rootOfList)
    assert.include(told({ [rootOfList]: [required, { ...required, [name]: 7 }] }, list), `${name}: expected string`)
  })
})

describe("an access key", () => {
  const body = { access: { id, access_key: "planted-key" } }

  it("is Redacted, and is the text that came", () => {
    const rule = answered(body, ShareAccess.get({ id: ShareAccess.AccessRuleId.make(id) }))
    assert.isTrue(Redacted.isRedacted(rule.access_key))
    assert.strictEqual(Redacted.value(rule.access_key!), "planted-key")
    assert.notInclude(JSON.stringify(rule), "planted")
    const [listed] = answered({ access_list: [body.access] }, ShareAccess.list({ shareId }))
    assert.isTrue(Redacted.isRedacted(listed?.access_key))
  })

  it("that is no text is not shown by the error", () => {
    const wrong = { access: { id, access_key: { secret: "planted" } } }
    const error = answered(wrong, Effect.flip(ShareAccess.get({ id: ShareAccess.AccessRuleId.make(id) })))
    assert.include(error.message, "access_key")
    assert.notInclude(JSON.stringify(error) + String(error), "planted")
  })
})

describe("an empty answer", () => {
  it("is success where nothing is read, whatever is in it", () => {
    for (const text of ["", "null", "<html>", "{"]) {
      Cloud.run({ wrap: Canned.replies(Canned.answer(202, text)).wrap }, () =>
        Share.extend({ id: shareId, newSize: 2 })
      )
    }
  })

  it("is a fault where something is", () => {
    const error = Cloud.run({ wrap: Canned.replies(Canned.answer(200, "")).wrap }, () =>
      Effect.flip(Share.get({ id: shareId }))
    )
    assert.strictEqual(error._tag, "TransportFault")
  })
})

describe("metadata", () => {
  it("that was replaced by none is empty, though the answer may say null", () => {
    const replace = Share.replaceMetadata({ id: shareId, metadata: {} })
    assert.deepStrictEqual(answered({ metadata: null }, replace), {})
    assert.deepStrictEqual(answered({ metadata: { a: "1" } }, replace), { a: "1" })
    assert.strictEqual(answered({ metadata: { a: 1 } }, Effect.flip(replace))._tag, "Malformed")
  })
})

describe("specs of a share type", () => {
  it("may be booleans: unset ones are, for callers who are no administrators", () => {
    const type = { id, name: "t", extra_specs: { snapshot_support: true, a: "x", b: null } }
    assert.deepStrictEqual(answered({ share_type: type }, ShareType.getDefault()).extra_specs, type.extra_specs)
  })
})
