import { assert, describe, it } from "@effect/vitest"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import { actions } from "@effect-manila/test-kit/Lifecycle"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Plan from "@effect-manila/test-kit/Plan"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import type * as PlanSchema from "../src/internal/PlanSchema.js"

const decode = (input: unknown) => Effect.runSync(Plan.decode(input))

const problems = (input: unknown) =>
  Effect.runSync(Effect.flip(Plan.decode(input))).problems.map(({ path, problem }) => `${path}: ${problem}`)

const document = readFileSync(new URL("../../../docs/fake-cloud.md", import.meta.url), "utf8")
const examples = [...document.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)

describe("Plan", () => {
  it("every example of the document is a plan", () => {
    assert.isAtLeast(examples.length, 8)
    for (const text of examples) Effect.runSync(Plan.parse(text, text))
  })

  it("the document names every key, action, quota and field there is", () => {
    const [, listed] = /<!-- actions -->([\s\S]*?)<!-- \/actions -->/.exec(document) ?? []
    assert.deepStrictEqual(
      [...listed!.matchAll(/`([^`]+)`/g)].map(([, action]) => action),
      [...actions]
    )
    const fields = (input: unknown): ReadonlyArray<string> =>
      problems(input).flatMap((problem) => /what may stand there: (.*)$/.exec(problem)?.[1]!.split(", ") ?? [])
    const known = [
      { zzzzzz: 1 },
      { quotas: { zzzzzz: 1 } },
      { faults: [{ reset: true, zzzzzz: 1 }] },
      { catalog: [{ type: "share", zzzzzz: 1 }] },
      { seed: { zzzzzz: 1 } },
      { seed: { shares: [{ zzzzzz: 1 }] } },
      { seed: { snapshots: [{ share_id: "", zzzzzz: 1 }] } },
      { seed: { accessRules: [{ share_id: "", zzzzzz: 1 }] } },
      { seed: { shareTypes: [{ name: "", zzzzzz: 1 }] } },
      { seed: { shareNetworks: [{ zzzzzz: 1 }] } },
      { seed: { shareGroups: [{ zzzzzz: 1 }] } },
      { seed: { messages: [{ zzzzzz: 1 }] } },
      { lifecycles: { "share.create": { phases: ["a"], zzzzzz: 1 } } },
      { lifecycles: { "share.create": { phases: ["a"], reason: { zzzzzz: 1 } } } }
    ].map(fields)
    for (const names of known) {
      assert.isAbove(names.length, 0)
      for (const name of names) assert.match(document, new RegExp(`[\`"]${name}[\`"]`), name)
    }
  })

  it("says nothing unless asked", () => {
    assert.deepStrictEqual(decode({}), { cloud: {}, faults: [], speed: undefined })
  })

  it("becomes the cloud's options", () => {
    const plan = decode({
      microversion: "2.63",
      tokenLifetime: "30 seconds",
      pageCap: 7,
      quotas: { shares: 2, per_share_gigabytes: -1 },
      speed: 10,
      catalog: [{ type: "sharev2", interfaces: ["public"] }],
      lifecycles: {
        "share.create": [["creating", "1500 millis"], "available"],
        "share.delete": { phases: [["deleting", 2.5], "gone"], reason: { detailId: "008" }, effect: "none" },
        "share.extend": [{ phases: [["extending", "4"], "available"] }, { phases: ["error"] }]
      },
      seed: {
        shares: [{ id: "1", size: 3, description: null, phases: [["creating", "1 minute"], "available"] }],
        shareTypes: [{ name: "fast", extra_specs: { a: "b" } }]
      }
    })
    assert.deepStrictEqual(plan, {
      cloud: {
        microversion: { max: "2.63" },
        tokenLifetimeMillis: 30_000,
        pageCap: 7,
        quotas: { shares: 2, per_share_gigabytes: -1 },
        catalog: [{ type: "sharev2", interfaces: ["public"] }],
        lifecycles: {
          "share.create": { phases: [{ status: "creating", millis: 1_500 }, { status: "available" }] },
          "share.delete": {
            phases: [{ status: "deleting", millis: 2_500 }, { status: "gone" }],
            reason: { detailId: "008" },
            effect: "none"
          },
          "share.extend": [
            { phases: [{ status: "extending", millis: 4_000 }, { status: "available" }] },
            { phases: [{ status: "error" }] }
          ]
        },
        seed: {
          shares: [
            {
              id: "1",
              size: 3,
              description: null,
              phases: [{ status: "creating", millis: 60_000 }, { status: "available" }]
            }
          ],
          shareTypes: [{ name: "fast", extra_specs: { a: "b" } }]
        }
      },
      faults: [],
      speed: 10
    })
    assert.deepStrictEqual(decode({ microversion: { min: "2.5", max: "2.9" } }).cloud.microversion, {
      min: "2.5",
      max: "2.9"
    })
  })

  it("becomes faults", () => {
    const outcome = (fault: object) => decode({ faults: [fault] }).faults[0]!.outcome
    assert.deepStrictEqual(outcome({ status: 503 }), Faults.status(503))
    assert.deepStrictEqual(
      outcome({ status: 429, headers: { "Retry-After": "7" }, body: { a: 1 } }),
      Faults.status(429, { headers: { "retry-after": "7" }, body: '{"a":1}' })
    )
    assert.deepStrictEqual(outcome({ status: 429, body: "text" }), Faults.status(429, { body: "text" }))
    assert.deepStrictEqual(outcome({ html: true }), Faults.html(502))
    assert.deepStrictEqual(outcome({ html: 504 }), Faults.html(504))
    assert.deepStrictEqual(outcome({ expiredToken: true }), Faults.expiredToken)
    assert.deepStrictEqual(outcome({ reset: true }), Faults.reset)
    assert.deepStrictEqual(outcome({ hang: true }), Faults.hang)
    assert.deepStrictEqual(outcome({ truncate: 0 }), Faults.truncate(0))
    assert.deepStrictEqual(outcome({ malformed: true }), Faults.malformed)
    assert.deepStrictEqual(outcome({ delay: 1 }), Faults.pass)
    const nth = [3, [1, 2], { from: 2 }, { from: 2, to: 5 }]
    assert.deepStrictEqual(
      nth.map((nth) => decode({ faults: [{ nth, reset: true }] }).faults[0]!.match.nth),
      nth
    )
    const { match } = decode({
      faults: [{ method: "GET", path: "shares/*", service: "share", delay: "2 seconds", applied: true, reset: true }]
    }).faults[0]!
    assert.deepStrictEqual(match, {
      method: "GET",
      path: "shares/*",
      service: "share",
      nth: undefined,
      delay: 2_000,
      applied: true
    })
  })

  describe("a mistake is told by its place", () => {
    const mistakes: ReadonlyArray<readonly [unknown, string]> = [
      [{ lifecycle: {} }, "lifecycle: nothing is called lifecycle there; did you mean lifecycles?"],
      [
        { faults: [{ reset: true }, { pth: "x", hang: true }] },
        "faults[1].pth: nothing is called pth there; did you mean path?"
      ],
      [
        { lifecycles: { "share.creat": ["available"] } },
        'lifecycles["share.creat"]: nothing is called share.creat there; did you mean share.create?'
      ],
      [{ seed: { shares: [{ sise: 1 }] } }, "seed.shares[0].sise: nothing is called sise there; did you mean size?"],
      [{ seed: { snapshots: [{ name: "x" }] } }, "seed.snapshots[0].share_id: is missing"],
      [{ quotas: { shares: -2 } }, "quotas.shares: must be a number from 0 up, or -1"],
      [{ pageCap: 0 }, "pageCap: counts from 1"],
      [{ microversion: 2.6 }, 'microversion: must be a text like "2.63"'],
      [{ microversion: { max: "latest" } }, 'microversion.max: must be a text like "2.63"'],
      [{ tokenLifetime: "soon" }, 'tokenLifetime: must be seconds from 0 up, or a text like "90 seconds", not "soon"'],
      [{ tokenLifetime: -1 }, 'tokenLifetime: must be seconds from 0 up, or a text like "90 seconds", not -1'],
      [
        { lifecycles: { "share.create": ["creating", "available"] } },
        'lifecycles["share.create"][0]: creating has no duration, so what follows would never come'
      ],
      [
        { lifecycles: { "share.create": [["creating", 5]] } },
        'lifecycles["share.create"][0]: creating is the last status and stands for ever: leave its duration out'
      ],
      [
        { lifecycles: { "share.create": { phases: [["gone", 5], "available"] } } },
        'lifecycles["share.create"].phases[0]: nothing can follow gone'
      ],
      [{ lifecycles: { "share.create": [] } }, 'lifecycles["share.create"]: needs at least one status'],
      [
        { lifecycles: { "share.create": [["creating", "5 parsecs"], "available"] } },
        'lifecycles["share.create"][0][1]: must be seconds from 0 up, or a text like "90 seconds", not "5 parsecs"'
      ],
      [
        { lifecycles: { "share.create": [5, "available"] } },
        'lifecycles["share.create"][0]: must be a status, or a pair like ["creating", "20 seconds"]'
      ],
      [
        { lifecycles: { "share.extend": [{ phases: ["error"] }, { phases: ["error"], reason: { detailId: "8" } }] } },
        'lifecycles["share.extend"][1].reason.detailId: must be three digits'
      ],
      [{ faults: [{ reset: true, status: 503 }] }, "faults[0]: can't be status and reset at once"],
      [
        { faults: [{ method: "GET" }] },
        "faults[0]: says nothing: give status, html, expiredToken, reset, hang, truncate, malformed or delay"
      ],
      [{ faults: [{ reset: true, body: "x" }] }, "faults[0]: has a body, but no status"],
      [{ faults: [{ reset: true, headers: {} }] }, "faults[0]: has headers, but no status"],
      [{ faults: [{ status: 99 }] }, "faults[0].status: must be a status from 200 to 599"],
      [{ faults: [{ reset: false }] }, "faults[0].reset: Expected true, actual false"],
      [{ faults: [{ reset: true, nth: 0 }] }, "faults[0].nth: counts from 1"],
      [{ faults: [{ reset: true, nth: { to: 3 } }] }, "faults[0].nth.from: is missing"],
      [{ speed: 0 }, "speed: must be a number above 0"],
      [[], ": must be an object"],
      [null, ": must be an object"],
      [{ faults: { reset: true } }, "faults: must be a list"],
      [{ faults: [[]] }, "faults[0]: must be an object"],
      [{ seed: { shares: {} } }, "seed.shares: must be a list"],
      [{ seed: { shares: [{ phases: "available" }] } }, "seed.shares[0].phases: must be a list"],
      [
        { lifecycles: { "share.create": "available" } },
        'lifecycles["share.create"]: must be a list of statuses, or an object'
      ],
      [
        { lifecycles: { "share.create": [["creating", 5, 6], "available"] } },
        'lifecycles["share.create"][0][2]: is one too many'
      ],
      [{ lifecycles: { "share.create": [["creating"], "available"] } }, 'lifecycles["share.create"][0][1]: is missing']
    ]
    for (const [input, expected] of mistakes) {
      it(expected, () => assert.deepStrictEqual(problems(input), [expected]))
    }

    it("all of them at once", () => {
      assert.lengthOf(problems({ lifecycle: {}, speed: 0, faults: [{}] }), 3)
    })

    it("with the file, and the line where it stops being JSON", () => {
      const message = (text: string) => Effect.runSync(Effect.flip(Plan.parse(text, "plan.json"))).message
      assert.strictEqual(message('{\n  "faults": [\n    { "reset": true, }\n  ]\n}'), "plan.json:3: isn't JSON")
      assert.strictEqual(message('{\n  "faults": [\n'), "plan.json:2: isn't JSON")
      assert.strictEqual(message('{ "pageCap": 0 }'), "plan.json: pageCap: counts from 1")
    })
  })

  it("what only shows when the cloud is made is told the same way", () => {
    const error = VirtualTime.runSync(
      Plan.decode({ seed: { snapshots: [{ share_id: "nobody" }] } }).pipe(
        Effect.flatMap((plan) => Plan.build(plan, "plan.json")),
        Effect.flip
      )
    )
    assert.match(error.message, /^plan.json: seed.snapshots\[0\].share_id: /)
  })

  it("builds a cloud with the faults in front of it, and one journal of both", () => {
    const { counts, entries, statuses } = VirtualTime.runSync(
      Effect.gen(function* () {
        const plan = yield* Plan.decode({ faults: [{ path: "/share", nth: [1, 3], status: 503 }] })
        const faulty = yield* Plan.build(plan)
        const client = InProcess.make(faulty)
        const statuses = yield* Effect.forEach([1, 2, 3], () =>
          Effect.map(client.get(`${InProcess.defaultOrigin}/share/`), ({ status }) => status)
        )
        return { statuses, counts: yield* faulty.counts, entries: yield* faulty.cloud.journal.entries }
      })
    )
    assert.deepStrictEqual(statuses, [503, 300, 503])
    assert.deepStrictEqual(counts, [{ matched: 3, fired: 2 }])
    assert.deepStrictEqual(
      entries.map(({ status }) => status),
      statuses
    )
  })

  it("a plan may say all the fake cloud understands", () => {
    type Same<A, B> = [A, B] extends [B, A] ? true : never
    type Keys<A> = A extends ReadonlyArray<infer Item> ? keyof Item : keyof A
    type Seeds = Required<FakeCloud.Seed>
    type Read = Required<NonNullable<PlanSchema.PlanFile["seed"]>>
    const same: { [K in keyof Seeds]: Same<Keys<Seeds[K]>, Keys<Read[K]>> } = {
      shares: true,
      snapshots: true,
      replicas: true,
      backups: true,
      accessRules: true,
      shareTypes: true,
      shareNetworks: true,
      shareGroups: true,
      messages: true
    }
    const quotas: Same<keyof FakeCloud.Quotas, keyof NonNullable<PlanSchema.PlanFile["quotas"]>> = true
    const options: Same<
      Exclude<keyof FakeCloud.Options, "tokenLifetimeMillis">,
      Exclude<keyof PlanSchema.PlanFile, "tokenLifetime" | "faults" | "speed">
    > = true
    assert.isTrue(options && Object.values(same).every((one) => one === true) && quotas)
  })
})
