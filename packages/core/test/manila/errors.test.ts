/**
 * What the service says, in whatever shape, becomes one error for each thing a caller can do.
 */
import * as Retry from "@effect-manila/core/http/Retry"
import type * as Manila from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import * as Canned from "./support/canned.ts"
import * as Cloud from "./support/cloud.ts"

const id = Share.ShareId.make("11111111-1111-4111-8111-111111111111")
const read = Share.get({ id })
const change = Share.extend({ id, newSize: 2 })

/** What one answer is told as, and how many requests it took. */
const told = (
  reply: ReturnType<typeof Canned.answer>,
  effect: Effect.Effect<unknown, ManilaError, Manila.Manila> = Retry.once(read)
) => {
  const canned = Canned.replies(reply)
  return Cloud.run({ wrap: canned.wrap }, (world) =>
    Effect.map(Effect.flip(Effect.asVoid(effect)), (error) => ({ error, requests: world.sent().length }))
  )
}

const fields = (error: ManilaError) => {
  const { _tag, detail, operation, requestId, status } = error as ManilaError & {
    readonly detail?: string
    readonly operation?: string
    readonly requestId?: string
    readonly status?: number
  }
  return { _tag, detail, operation, requestId, status }
}

/** The tag for a status by whether the operation is safe. */
const tags: ReadonlyArray<readonly [status: number, safe: string, unsafe: string]> = [
  [400, "BadRequest", "BadRequest"],
  [401, "Unauthorized", "Unauthorized"],
  [403, "Forbidden", "Forbidden"],
  [404, "NotFound", "NotFound"],
  [405, "Unexpected", "Unexpected"],
  [406, "Unexpected", "Unexpected"],
  [408, "Unavailable", "Unavailable"],
  [409, "Conflict", "Conflict"],
  [413, "BadRequest", "BadRequest"],
  [415, "BadRequest", "BadRequest"],
  [418, "Unexpected", "Unexpected"],
  [422, "BadRequest", "BadRequest"],
  [425, "Unavailable", "Unavailable"],
  [429, "Unavailable", "Unavailable"],
  [500, "Unavailable", "OutcomeUnknown"],
  [501, "Unexpected", "Unexpected"],
  [502, "Unavailable", "OutcomeUnknown"],
  [503, "Unavailable", "OutcomeUnknown"],
  [504, "Unavailable", "OutcomeUnknown"],
  [505, "Unexpected", "Unexpected"]
]

const sentence = "A sentence of the service."

/** Shapes an error answer comes in, and what is read from each. */
const shapes: Readonly<Record<string, (status: number) => readonly [body: string, detail: string]>> = {
  "a fault under the name of its status": (status) => [
    JSON.stringify({ itemNotFound: { code: status, message: sentence } }),
    sentence
  ],
  "a fault under any other single key": (status) => [
    JSON.stringify({ computeFault: { code: status, message: sentence } }),
    sentence
  ],
  "identity's error": (status) => [
    JSON.stringify({ error: { code: status, title: "T", message: sentence } }),
    sentence
  ],
  "the router's object": (status) => [
    JSON.stringify({ message: `${sentence}<br /><br />\n\n\n`, code: `${status} Some`, title: "Some" }),
    sentence
  ],
  "plain text": (status) => [`${status} Some\n\n${sentence}\n\n   `, `${status} Some ${sentence}`],
  "a proxy's page": (status) => [
    `<html><head><title>${status} Bad Gateway</title></head><body><h1>x</h1></body></html>`,
    `${status} Bad Gateway (an HTML page, likely of a proxy)`
  ],
  "a page with a heading only": () => [
    "<html><body><h1>Oops</h1></body></html>",
    "Oops (an HTML page, likely of a proxy)"
  ],
  "an empty page": (status) => ["<html></html>", `the service answered ${status} and said no more`],
  nothing: (status) => ["", `the service answered ${status} and said no more`],
  "an empty object": (status) => ["{}", `the service answered ${status} and said no more`],
  "a fault without a message": (status) => [
    JSON.stringify({ badRequest: { code: status } }),
    `the service answered ${status} and said no more`
  ],
  "a fault with an empty message": (status) => [
    JSON.stringify({ badRequest: { code: status, message: "" } }),
    `the service answered ${status} and said no more`
  ],
  "a fault that is a text": () => [JSON.stringify({ error: sentence }), sentence],
  "a list": (status) => [JSON.stringify([sentence]), `the service answered ${status} and said no more`],
  "JSON that was cut": () => ['{"badRequest": {"code"', '{"badRequest": {"code"']
}

describe("an answer", () => {
  for (const [status, safe, unsafe] of tags) {
    it(`of ${status} is ${safe} of a read and ${unsafe} of a change, whatever shape its body has`, () => {
      const canned = Canned.replies()
      Cloud.run({ wrap: canned.wrap }, (world) =>
        Effect.forEach(Object.entries(shapes), ([shape, make]) =>
          Effect.forEach(
            [
              [safe, "share.get", Retry.once(read)],
              [unsafe, "share.extend", change]
            ] as const,
            ([tag, operation, effect]) =>
              Effect.gen(function* () {
                const [body, detail] = make(status)
                canned.set(Canned.answer(status, body))
                yield* world.clear
                const error = yield* Effect.flip(Effect.asVoid(effect))
                assert.deepStrictEqual(
                  fields(error),
                  {
                    _tag: tag as ManilaError["_tag"],
                    operation,
                    status,
                    requestId: Canned.requestId,
                    detail: tag === "OutcomeUnknown" ? `the service answered ${status}: ${detail}` : detail
                  },
                  shape
                )
                // Only a refused token is asked about again.
                assert.lengthOf(world.sent(), status === 401 ? 2 : 1, shape)
                assert.include(error.message, operation)
                assert.include(error.message, Canned.requestId)
              })
          )
        )
      )
    })
  }

  it("that is very long is cut to a line", () => {
    const { error } = told(Canned.answer(400, `${"long ".repeat(1000)}\nand more`))
    assert.isBelow(error.message.length, 600)
    assert.notInclude(error.message, "\n")
  })

  it("without a request id has none, and the handler's own is taken where it is the only one", () => {
    assert.isUndefined(fields(told(Canned.answer(404, "", {})).error).requestId)
    const own = told(Canned.answer(404, "", { "x-compute-request-id": "req-own" })).error
    assert.strictEqual(fields(own).requestId, "req-own")
  })

  it("of 409 and 403 of a create is told by the same rules", () => {
    const create = Share.create({ shareProto: "NFS", size: 1 })
    assert.strictEqual(told(Canned.answer(409, ""), create).error._tag, "Conflict")
    assert.strictEqual(told(Canned.answer(503, ""), create).error._tag, "OutcomeUnknown")
  })
})

describe("a quota", () => {
  const over =
    "ShareLimitExceeded: Maximum number of shares allowed (1) either per project/user or share type quota is exceeded."

  it("that is used up is OverQuota after exactly one request, though the answer asks to come back in 0 s", () => {
    const reply = Canned.json(
      413,
      { overLimit: { code: 413, message: over, retryAfter: "0" } },
      { "retry-after": "0", "x-openstack-request-id": Canned.requestId }
    )
    for (const effect of [Share.create({ shareProto: "NFS", size: 1 }), read]) {
      const { error, requests } = told(reply, effect)
      assert.strictEqual(error._tag, "OverQuota")
      assert.include(error.message, over)
      assert.strictEqual(requests, 1)
    }
  })

  it("of a rate limiter's name is OverQuota too", () => {
    assert.strictEqual(told(Canned.json(413, { overLimitFault: { code: 413, message: "x" } })).error._tag, "OverQuota")
  })

  it("is not meant by a body that is too large", () => {
    const reply = Canned.answer(413, "413 Request Entity Too Large\n\nRequest is too large.\n\n   ")
    assert.strictEqual(told(reply, change).error._tag, "BadRequest")
  })

  it("that growing or reverting would exceed is OverQuota, and another 403 is not", () => {
    for (const message of [
      "Requested share exceeds allowed project/user or share type gigabytes quota.",
      "ShareSizeExceedsAvailableQuota: Requested share exceeds allowed project/user or share type gigabytes quota.",
      "Quota exceeded for p. Reverting share s to snapshot t will increase the share's size by 1G."
    ]) {
      const { error } = told(Canned.json(403, { forbidden: { code: 403, message } }), change)
      assert.strictEqual(error._tag, "OverQuota", message)
    }
    const policy = { forbidden: { code: 403, message: "Policy doesn't allow quota_set:update to be performed." } }
    assert.strictEqual(told(Canned.json(403, policy), change).error._tag, "Forbidden")
  })

  it("of the cloud itself is told so: on create, and on extend", () => {
    const tagsSeen = Cloud.run({ cloud: { quotas: { gigabytes: 2, shares: 1 } } }, (world) =>
      Effect.gen(function* () {
        const { id } = yield* Share.createAndWait({ shareProto: "NFS", size: 1 })
        const create = yield* Effect.flip(Share.create({ shareProto: "NFS", size: 1 }))
        const extend = yield* Effect.flip(Share.extend({ id, newSize: 3 }))
        return [create._tag, extend._tag, world.sent().filter(({ method }) => method === "POST").length]
      })
    )
    assert.deepStrictEqual(tagsSeen, ["OverQuota", "OverQuota", 3])
  })
})

describe("an access rule that is there already", () => {
  const allow = ShareAccess.allow({ shareId: id, accessType: "ip", accessTo: "10.0.0.0/24" })

  it("is AlreadyExists, though the service says 400", () => {
    for (const target of ["ip:10.1.0.0/24", "user:a b", "cephx:alice", "ip:fd00::/8"]) {
      const body = { badRequest: { code: 400, message: `Share access ${target} exists.` } }
      assert.strictEqual(told(Canned.json(400, body), allow).error._tag, "AlreadyExists", target)
    }
  })

  it("is not meant by other refusals", () => {
    for (const message of ["Invalid access rule: x exists.", "Share access ip:10.0.0.0/33 is wrong."]) {
      assert.strictEqual(told(Canned.json(400, { badRequest: { message } }), allow).error._tag, "BadRequest")
    }
  })

  it("is told so by the cloud itself, at another level too", () => {
    const error = Cloud.run({ cloud: { seed: { shares: [{ id }] } } }, () =>
      Effect.zipRight(
        allow,
        Effect.flip(ShareAccess.allow({ shareId: id, accessType: "ip", accessTo: "10.0.0.0/24", accessLevel: "ro" }))
      )
    )
    assert.strictEqual(error._tag, "AlreadyExists")
  })
})

describe("Retry-After", () => {
  const after = (status: number, headers: Readonly<Record<string, string>>, effect?: typeof change) =>
    (told(Canned.answer(status, "", headers), effect).error as { retryAfterMillis?: number }).retryAfterMillis

  it("in seconds, or as a date against the answer's own, is what the error carries", () => {
    assert.strictEqual(after(503, { "retry-after": "7" }), 7000)
    assert.strictEqual(after(429, { "retry-after": "7" }, change), 7000)
    const date = "Fri, 31 Dec 1999 23:59:50 GMT"
    for (const until of [
      "Sat, 01 Jan 2000 00:00:00 GMT",
      "Saturday, 01-Jan-00 00:00:00 GMT",
      "Sat Jan  1 00:00:00 2000"
    ]) {
      assert.strictEqual(after(503, { "retry-after": until, date }), 10_000, until)
    }
    assert.strictEqual(after(503, { "retry-after": date, date: "Sat, 01 Jan 2000 00:00:00 GMT" }), 0)
  })

  it("without a Date is read against the clock", () => {
    // The clock starts at the epoch; the fake adds its own date otherwise.
    assert.strictEqual(after(503, { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT", date: "nonsense" }), 30_000)
  })

  it("that is none, or missing, asks for nothing", () => {
    assert.isUndefined(after(503, {}))
    assert.isUndefined(after(503, { "retry-after": "soon" }))
    assert.isUndefined(after(503, { "retry-after": "-5" }))
  })
})
