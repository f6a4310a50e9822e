/**
 * Every asynchronous verb: how it can end, what is sent until then, and what the ending says.
 */
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Status from "@effect-manila/core/manila/Status"
import * as Verb from "@effect-manila/core/manila/Verb"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"
import { ids } from "./support/cases.ts"
import * as Cloud from "./support/cloud.ts"
import * as Facts from "./support/facts.ts"
import { type Subject, subjects } from "./support/verbs.ts"

interface Run {
  readonly lifecycle?: FakeCloud.Lifecycle
  readonly faults?: ReadonlyArray<Faults.Fault>
  readonly options?: Verb.Options
  readonly microversion?: string
  readonly wrap?: NonNullable<Cloud.Setup["wrap"]>
}

const isMessages = ({ path }: Cloud.Sent) => path === "/messages"

/** Runs the verb and tells its ending, and everything that was sent, with times from the mutation on. */
const run = (subject: Subject, { faults, lifecycle, microversion, options, wrap }: Run = {}) =>
  Cloud.run(
    {
      as: "admin",
      faults: faults ?? [],
      ...(wrap === undefined ? {} : { wrap }),
      options: { microversion },
      cloud: {
        seed: subject.seed,
        lifecycles: subject.action === undefined || lifecycle === undefined ? {} : { [subject.action]: lifecycle }
      }
    },
    (world) =>
      Effect.gen(function* () {
        yield* Effect.flatMap(Manila.Manila, (manila) => manila.version)
        const result = yield* Effect.either(Verb.outcome(subject.verb, subject.input, options))
        const end = yield* Clock.currentTimeMillis
        yield* Effect.sleep("1 hour")
        const [mutation, ...rest] = world.sent()
        assert.deepStrictEqual([mutation?.method, mutation?.path], [...subject.mutation], "the mutation comes first")
        const asked = rest.filter((sent) => !isMessages(sent))
        const looks = asked.filter(({ path }) => path !== subject.beside)
        const beside = asked.length - looks.length
        assert.isTrue(asked.every(({ method }) => method === "GET") || microversion !== undefined, "and is sent once")
        const start = mutation?.at ?? 0
        return {
          result,
          end: end - start,
          looks: looks.map(({ at }) => at - start),
          messages: rest.filter(isMessages),
          beside,
          paths: [...new Set(looks.map(({ path }) => path))]
        }
      })
  )

type Told = ReturnType<typeof run>

const outcome = ({ result }: Told) => {
  if (result._tag === "Left") throw new Error(`the request failed: ${result.left.message}`)
  return result.right
}

const failed = (told: Told) => {
  const ended = outcome(told)
  if (ended._tag !== "Failed") throw new Error(`it is ${ended._tag}, not Failed`)
  return ended.error
}

const acting = subjects.filter(({ action }) => action !== undefined)
const changing = subjects.filter(({ from }) => from !== undefined)
const present = acting.filter(({ success }) => success !== "gone")

/** On its way for 7 s, and then. */
const then = ({ transitional }: Subject, status: string, more: object = {}): FakeCloud.Lifecycle => ({
  phases: [{ status: transitional, millis: 7000 }, { status }],
  ...more
})

const stuck = ({ transitional }: Subject): FakeCloud.Lifecycle => ({ phases: [{ status: transitional }] })

const anyLook = {
  method: "GET",
  path: /\/(shares|share_instances|snapshots|share-access-rules|share-replicas|share-backups)\/[^/]+$/
}

/** Faults meet the resource's own looks. */
const lookOf = ({ beside }: Subject) =>
  beside === undefined ? anyLook : { method: "GET", path: /\/share-backups\/[^/]+$/ }

describe.each(subjects)("$name", (subject) => {
  it("succeeds with one request and one look each 5 s, and asks for no message", () => {
    const told = run(subject, subject.action === undefined ? {} : { lifecycle: then(subject, subject.success) })
    const ended = outcome(told)
    assert.strictEqual(ended._tag, "Reached")
    assert.strictEqual(Option.isNone(ended.observed), subject.success === "gone")
    assert.deepStrictEqual(told.looks, subject.action === undefined ? [0] : [0, 5000, 10_000])
    assert.lengthOf(told.messages, 0)
    assert.lengthOf(told.paths, 1, "one look is one request of the resource")
    assert.strictEqual(told.beside, subject.beside === undefined ? 0 : told.looks.length, "and of nothing else")
  })

  it("tells its id before the first look", () => {
    const told = Cloud.run({ as: "admin", cloud: { seed: subject.seed } }, (world) =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        yield* Verb.outcome(subject.verb, subject.input, {
          onAccepted: ({ id, kind, verb }) =>
            Effect.sync(() => void seen.push(kind, verb, typeof id, world.sent().length))
        })
        return seen
      })
    )
    assert.deepStrictEqual(told, [subject.verb.kind, subject.verb.verb, "string", 1])
  })

  it("that is refused is the request's own error, and nothing is looked at", () => {
    const [method, path] = subject.mutation
    const told = run(subject, { faults: [Faults.on({ method, path: `/share/v2${path}` }, Faults.status(409))] })
    assert.strictEqual(told.result._tag === "Left" && told.result.left._tag, "Conflict")
    assert.deepStrictEqual(told.looks, [])
  })

  for (const [name, fault] of Object.entries({
    reset: Faults.reset,
    "never answered": Faults.hang,
    "answered by a proxy": Faults.html(504)
  })) {
    it(`whose request is ${name} is OutcomeUnknown, sent once, whether or not it took effect`, () => {
      const [method, path] = subject.mutation
      for (const applied of [true, false]) {
        const match = { method, path: `/share/v2${path}`, applied }
        const told = run(subject, { faults: [Faults.on(match, fault)] })
        assert.strictEqual(told.result._tag === "Left" && told.result.left._tag, "OutcomeUnknown")
        assert.deepStrictEqual(told.looks, [])
      }
    })
  }

  it("whose look is forbidden ends at once with that error", () => {
    const told = run(subject, { faults: [Faults.on(lookOf(subject), Faults.status(403))] })
    const ended = outcome(told)
    assert.strictEqual(ended._tag === "Faulted" && ended.error._tag, "Forbidden")
    assert.deepStrictEqual([told.looks, told.messages.length], [[0], 0])
  })
})

describe.each(acting)("$name", (subject) => {
  it("fails at each failure status of its kind, with the service's reason and one request for it", () => {
    for (const status of Facts.machines[subject.kind].statuses["error"] ?? []) {
      const told = run(subject, {
        lifecycle: then(subject, status, { reason: { detailId: "001", message: "no luck." } })
      })
      const error = failed(told)
      assert.deepStrictEqual([error.cause, error.status], ["status", status])
      assert.deepStrictEqual(told.looks, [0, 5000, 10_000], status)
      assert.strictEqual(told.end, 10_000)
      assert.lengthOf(told.messages, 1)
      assert.strictEqual(error.reason?.detailId, "001")
      assert.include(error.reason?.message, "no luck.")
      assert.match(error.reason?.requestId ?? "", /^req-/)
      assert.include(error.message, error.reason?.requestId ?? "?")
      assert.deepStrictEqual(
        error.statuses.map(({ looks, status }) => [status, looks]),
        [
          [subject.transitional, 2],
          [status, 1]
        ]
      )
    }
  })

  it("fails without a reason where there is none, where asking for it fails, and where it is not wanted", () => {
    const lifecycle = then(subject, "error")
    const messages = { path: "messages" }
    for (const [faults, options, asked] of [
      [[], {}, 1],
      [[Faults.on(messages, Faults.status(503))], {}, 1],
      [[Faults.on(messages, Faults.status(403))], {}, 1],
      [[Faults.on(messages, Faults.malformed)], {}, 1],
      [[], { lookUpReason: false }, 0]
    ] as const) {
      const told = run(subject, { lifecycle, faults, options })
      assert.deepStrictEqual([failed(told).reason, told.messages.length, told.end], [null, asked, 10_000])
    }
  })

  it("does not wait for a reason for longer than 5 s", () => {
    const told = run(subject, {
      lifecycle: then(subject, "error"),
      faults: [Faults.on({ path: "messages" }, Faults.hang)]
    })
    assert.deepStrictEqual([failed(told).reason, told.end], [null, 15_000])
  })

  it("has no limit of its own unless it ends in absence, where it is 300 s and 61 looks", () => {
    if (subject.success === "gone") {
      const told = run(subject, { lifecycle: stuck(subject) })
      assert.strictEqual(outcome(told)._tag, "TimedOut")
      assert.deepStrictEqual([told.end, told.looks.length], [300_000, 61])
    } else {
      const lifecycle = { phases: [{ status: subject.transitional, millis: 300_000 }, { status: subject.success }] }
      const told = run(subject, { lifecycle })
      assert.deepStrictEqual([outcome(told)._tag, told.end, told.looks.length], ["Reached", 300_000, 61])
    }
  })

  it("times out at its limit after a last look, says what was seen, and asks for no message", () => {
    const told = run(subject, { lifecycle: stuck(subject), options: { limit: "12 seconds" } })
    const ended = outcome(told)
    if (ended._tag !== "TimedOut") throw new Error(ended._tag)
    assert.deepStrictEqual([told.looks, told.end], [[0, 5000, 10_000, 12_000], 12_000])
    assert.lengthOf(told.messages, 0)
    const { error } = ended
    assert.deepStrictEqual([error.cause, error.limitMillis, error.status], ["limit", 12_000, subject.transitional])
    for (const part of [subject.verb.kind, subject.verb.verb, subject.transitional, "12 s", "4 looks"]) {
      assert.include(error.message, part)
    }
  })

  it("survives ten transient faults in a row, and ends with the eleventh", () => {
    const lifecycle = then(subject, subject.success)
    const ten = run(subject, {
      lifecycle,
      faults: [Faults.on({ ...lookOf(subject), nth: { from: 2, to: 11 } }, Faults.status(503))]
    })
    assert.strictEqual(outcome(ten)._tag, "Reached")
    assert.lengthOf(ten.looks, 12)
    const eleven = run(subject, {
      lifecycle,
      faults: [Faults.on({ ...lookOf(subject), nth: { from: 2, to: 12 } }, Faults.reset)]
    })
    const ended = outcome(eleven)
    assert.deepStrictEqual(ended._tag === "Faulted" && [ended.error._tag, ended.inARow], ["TransportFault", 11])
    assert.lengthOf(eleven.looks, 12)
    assert.lengthOf(eleven.messages, 0)
  })

  it("looks again only after the Retry-After of an answer, good or bad", () => {
    const after = { headers: { "retry-after": "7" } }
    const { success, transitional } = subject
    const lifecycle = { phases: [{ status: transitional, millis: 9000 }, { status: success }] }
    const bad = run(subject, {
      lifecycle,
      faults: [Faults.on({ ...lookOf(subject), nth: 1 }, Faults.status(429, after))]
    })
    assert.deepStrictEqual([outcome(bad)._tag, bad.looks], ["Reached", [0, 7000, 12_000]])
    const wrap = Cloud.answering(
      ({ method, path }) => method === "GET" && lookOf(subject).path.test(path),
      after.headers
    )
    const good = run(subject, { lifecycle, wrap })
    assert.deepStrictEqual([outcome(good)._tag, good.looks], ["Reached", [0, 7000, 14_000]])
  })
})

describe.each(
  changing.filter(
    ({ success, action }) =>
      action !== undefined && success !== "gone" && action !== "access.update" && action !== "share.revert"
  )
)("$name", (subject) => {
  it("that was rolled back has failed, and is not taken for done", () => {
    const error = failed(run(subject, { lifecycle: then(subject, subject.from ?? "", { effect: "none" }) }))
    assert.deepStrictEqual([error.cause, error.status], ["rolledBack", subject.from])
  })
})

describe.each(acting.filter(({ success }) => success === "gone"))("$name", (subject) => {
  it("that was given up by the service has failed: it is back where it was", () => {
    const error = failed(run(subject, { lifecycle: then(subject, subject.from ?? "") }))
    assert.deepStrictEqual([error.cause, error.status], ["rolledBack", subject.from])
  })

  it("is done where the resource was gone before the first look, or is shown as deleted", () => {
    const at = run(subject, { lifecycle: { phases: [{ status: "gone" }] } })
    assert.deepStrictEqual([outcome(at)._tag, at.looks], ["Reached", [0]])
    const shown = run(subject, { lifecycle: then(subject, "deleted") })
    assert.deepStrictEqual([outcome(shown)._tag, shown.looks.length], ["Reached", 3])
  })

  it("does not take the old state, seen right after the answer, for a failure", () => {
    const { from = "", transitional } = subject
    const lifecycle = {
      phases: [{ status: from, millis: 3000 }, { status: transitional, millis: 4000 }, { status: "gone" }]
    }
    assert.strictEqual(outcome(run(subject, { lifecycle }))._tag, "Reached")
  })
})

describe.each(present)("$name", (subject) => {
  it("fails where the resource is gone again", () => {
    const error = failed(run(subject, { lifecycle: then(subject, "gone") }))
    assert.strictEqual(error.cause, "goneAfterSeen")
  })

  it("fails at once where the target can't be reached any more", () => {
    for (const status of Status[subject.kind].leaving) {
      const told = run(subject, { lifecycle: then(subject, status) })
      assert.deepStrictEqual([failed(told).cause, told.end], ["unreachable", 10_000], status)
    }
  })

  it("waits on through every other status of its kind, and one that nobody knows", () => {
    const among = [...Status[subject.kind].transitional, "some_new_status"]
    const lifecycle = {
      phases: [...among.map((status) => ({ status, millis: 5000 })), { status: subject.success }]
    }
    const told = run(subject, { lifecycle })
    assert.deepStrictEqual([outcome(told)._tag, told.looks.length], ["Reached", among.length + 1])
  })
})

describe.each(changing)("$name", (subject) => {
  it("that has no effect for 60 s has failed, and says so", () => {
    const [method, path] = subject.mutation
    const body = JSON.stringify({
      access: { id: ids.rule },
      restore: { backup_id: ids.backup, share_id: ids.share }
    })
    const told = run(subject, {
      faults: [Faults.on({ method, path: `/share/v2${path}` }, Faults.status(202, { body }))]
    })
    const error = failed(told)
    assert.deepStrictEqual([error.cause, told.end, told.looks.length], ["noEffect", 60_000, 13])
    assert.include(error.message, "did not take effect")
  })
})

describe("the tables of statuses", () => {
  it("are the server's own", () => {
    for (const kind of ["share", "snapshot", "accessRule", "replica", "backup"] as const) {
      const { failures, leaving, steady, transitional } = Status[kind]
      const { statuses } = Facts.machines[kind]
      const old = (statuses["pre_2_28"] ?? []).filter(
        (status) => !Object.entries(statuses).some(([name, list]) => name !== "pre_2_28" && list.includes(status))
      )
      assert.sameMembers([...failures], [...(statuses["error"] ?? [])], kind)
      assert.sameMembers([...steady], [...(statuses["stable_ok"] ?? [])], kind)
      assert.sameMembers([...leaving, ...transitional], [...(statuses["transitional"] ?? []), ...old], kind)
      assert.isTrue(leaving.every((status) => /delet|unmanag|deny/.test(status)))
      assert.isFalse(transitional.some((status) => /delet|unmanag|deny/.test(status)))
    }
  })
})
