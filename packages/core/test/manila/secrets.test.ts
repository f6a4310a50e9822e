/**
 * Secrets are searched for in all that a program can see of every operation, well or badly ended; request ids are there.
 */
import { Credentials } from "@effect-manila/core/keystone/Credentials"
import * as Manila from "@effect-manila/core/manila/Manila"
import type { Operation } from "@effect-manila/core/manila/Operation"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { cases, ids } from "./support/cases.ts"
import * as Cloud from "./support/cloud.ts"
import * as Recorder from "./support/recorder.ts"

const key = "planted-access-key"
const seed: FakeCloud.Seed = {
  shares: [{ id: ids.share, size: 2 }, { id: ids.parent }, { id: ids.binned, is_soft_deleted: true }],
  snapshots: [{ id: ids.snapshot, share_id: ids.parent }],
  accessRules: [{ id: ids.rule, share_id: ids.share, access_type: "cephx", access_to: "alice", access_key: key }],
  messages: [{ id: ids.message, resource_id: ids.share }]
}

const applicationCredential = (given: FakeCloud.Credentials): Credentials =>
  Credentials.ApplicationCredential({
    id: given.applicationCredentialId,
    secret: Redacted.make(given.applicationCredentialSecret)
  })

const own = /^\/share\/v2\/./

/** Runs a program under the recorder, and gives what was seen and the secrets that were used. */
const record = (
  setup: Cloud.Setup,
  program: (see: (...values: ReadonlyArray<unknown>) => void) => Effect.Effect<unknown, unknown, Manila.Manila>
) => {
  const recorder = Recorder.make()
  let secrets: ReadonlyArray<string> = []
  const ran = Cloud.withCloud({ cloud: { seed }, ...setup }, (world) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(program(recorder.see))
      recorder.see(exit)
      if (Exit.isFailure(exit)) recorder.see(Cause.pretty(exit.cause, { renderErrorCause: true }))
      const { applicationCredentialSecret, password, token } = world.cloud.credentials
      const tokens = world.sent().map(({ headers }) => headers["x-auth-token"] ?? token)
      assert.isAbove(world.identity().length + tokens.length, 0, "something was sent")
      secrets = [...new Set([applicationCredentialSecret, password, token, key, ...tokens])]
    })
  )
  VirtualTime.runSync(Effect.provide(ran, recorder.layer), { outside: "fail" })
  return { ...recorder, secrets }
}

const assertClean = ({ secrets, seen }: ReturnType<typeof record>) => {
  assert.isAbove(seen.length, 20)
  for (const secret of secrets) {
    assert.deepStrictEqual(
      seen.filter((text) => text.includes(secret)),
      [],
      secret
    )
  }
}

/** Every operation with every field of its own, one after another. */
const everything = (see: (...values: ReadonlyArray<unknown>) => void) =>
  Effect.forEach(cases, ({ input, operation, optional = {} }) => {
    const fields = Object.fromEntries(Object.entries(optional).map(([name, { value }]) => [name, value]))
    const whole = { ...input, ...fields, ...("accessKey" in fields ? { accessKey: key } : {}) }
    return Effect.map(Effect.exit((operation as Operation<unknown, unknown>)(whole)), (exit) => {
      see(operation, exit)
      if (Exit.isFailure(exit)) {
        see(Cause.pretty(exit.cause, { renderErrorCause: true }))
        for (const failure of Cause.failures(exit.cause)) see(failure, (failure as Error).message)
      }
    })
  })

describe("no secret is seen of any operation", () => {
  const outcomes: Readonly<Record<string, ReadonlyArray<Faults.Fault>>> = {
    "that ends well": [],
    "that is refused": [Faults.on({ path: own }, Faults.status(400))],
    "whose token is refused": [Faults.on({ path: own }, Faults.expiredToken)],
    "that the service can't answer": [Faults.on({ path: own }, Faults.status(503))],
    "that is reset": [Faults.on({ path: own }, Faults.reset)],
    "that is never answered": [Faults.on({ path: own }, Faults.hang)],
    "that is cut short": [Faults.on({ path: own }, Faults.truncate(9))],
    "that can't be read": [Faults.on({ path: own }, Faults.malformed)],
    "that a proxy answers": [Faults.on({ path: own }, Faults.html(502))]
  }
  for (const [name, faults] of Object.entries(outcomes)) {
    it(name, () => {
      const recorded = record({ faults }, everything)
      assertClean(recorded)
      if (!/reset|never|proxy/.test(name)) assert.isTrue(recorded.seen.some((text) => /req-[0-9a-f]{8}-/.test(text)))
    })
  }

  for (const [name, credentials] of Object.entries({ applicationCredential, preIssued: Cloud.preIssued })) {
    it(`with ${name} credentials`, () => {
      assertClean(record({ credentials }, everything))
      assertClean(record({ credentials, faults: [Faults.on({ path: own }, Faults.expiredToken)] }, everything))
    })
  }

  it("nor of a wait, its progress and its endings", () => {
    const shareId = Share.ShareId.make(ids.share)
    const allow = ShareAccess.allowAndWait(
      { shareId, accessType: "cephx", accessTo: "bob" },
      { spanPerLook: true, onProgress: () => Effect.void }
    )
    const lifecycles = {
      "access.create": { phases: [{ status: "applying", millis: 6000 }, { status: "error" }], reason: {} }
    }
    for (const cloud of [{ seed }, { seed, lifecycles }]) {
      assertClean(
        record({ cloud, faults: [Faults.on({ method: "GET", nth: [3, 5] }, Faults.status(503))] }, () => allow)
      )
    }
  })

  it("nor in what a client shows of itself", () => {
    assertClean(
      record({}, (see) =>
        Effect.flatMap(Manila.Manila, (manila) =>
          Effect.map(Effect.all([manila.version, manila.endpoint]), (told) =>
            see(manila, told, ...Array(20).fill(told))
          )
        )
      )
    )
  })
})

describe("what is seen", () => {
  const id = Share.ShareId.make(ids.share)

  it("has a span for each operation, with its microversion and the service's request id", () => {
    const { names, seen } = record({}, () => Share.get({ id }))
    assert.include(names, "share.get")
    assert.include(seen, "manila.microversion")
    assert.include(seen, "2.99")
    assert.match(seen[seen.indexOf("manila.request_id") + 1] ?? "", /^req-/)
  })

  it("has the request's own span too, unless a secret is in its URL", () => {
    const shareId = id
    assert.include(record({}, () => ShareAccess.list({ shareId })).names, "http.client GET")
    const { names } = record({ endpoint: `${Cloud.origin}/share/v2`, credentials: Cloud.preIssued }, () =>
      ShareAccess.list({ shareId, accessKey: key })
    )
    assert.deepStrictEqual(
      names.filter((name) => name === "http.client GET"),
      // The version document's.
      ["http.client GET"]
    )
  })

  it("and a program that wants no spans of requests has none", () => {
    const shareId = Share.ShareId.make(ids.share)
    const { names } = record({}, () =>
      Effect.locally(ShareAccess.list({ shareId }), HttpClient.currentTracerDisabledWhen, () => true)
    )
    assert.include(names, "accessRule.list")
    assert.notInclude(names, "http.client GET")
  })

  it("has no user and password of an endpoint that was given with them", () => {
    const endpoint = Cloud.origin.replace("://", "://user:planted-password@")
    const { seen } = record(
      { endpoint: `${endpoint}/share/v2`, faults: [Faults.on({ path: own }, Faults.reset)] },
      (see) =>
        Effect.all([Effect.exit(Share.get({ id })), Effect.exit(Share.remove({ id }))]).pipe(
          Effect.tap((exits) => see(...exits))
        )
    )
    const errors = seen.filter((text) => /TransportFault|OutcomeUnknown/.test(text))
    assert.isAbove(errors.length, 0)
    assert.deepStrictEqual(
      errors.filter((text) => text.includes("planted-password")),
      []
    )
  })
})

describe("trace headers", () => {
  const headers = (options: Manila.Options) => {
    const recorder = Recorder.make()
    let sent: ReadonlyArray<Cloud.Sent> = []
    const ran = Cloud.withCloud({ cloud: { seed }, options }, (world) =>
      Effect.map(Share.get({ id: Share.ShareId.make(ids.share) }), () => {
        sent = world.sent()
      })
    )
    VirtualTime.runSync(Effect.provide(ran, recorder.layer))
    return sent[0]?.headers ?? {}
  }

  it("are not sent", () => {
    assert.notProperty(headers({}), "b3")
    assert.notProperty(headers({}), "traceparent")
  })

  it("are sent if they are asked for", () => {
    const { b3, traceparent } = headers({ tracePropagation: true })
    assert.match(traceparent ?? "", /^00-0123456789abcdef0123456789abcdef-[0-9a-f]{16}-01$/)
    assert.match(b3 ?? "", /^0123456789abcdef0123456789abcdef-/)
  })
})
