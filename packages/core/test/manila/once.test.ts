/**
 * Whatever becomes of requests and of the cloud, and whenever a program is interrupted: no change is sent twice.
 */
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Verb from "@effect-manila/core/manila/Verb"
import * as Faults from "@effect-manila/test-kit/Faults"
import type * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Arbitrary from "effect/FastCheck"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { assert, it } from "vitest"
import * as Cloud from "./support/cloud.ts"
import { subjects } from "./support/verbs.ts"

const outcome: Arbitrary.Arbitrary<Faults.Outcome> = Arbitrary.oneof(
  Arbitrary.constantFrom(400, 401, 403, 404, 408, 409, 413, 425, 429, 500, 502, 503, 504).map((status) =>
    Faults.status(status)
  ),
  Arbitrary.nat(30).map((seconds) => Faults.status(503, { headers: { "retry-after": String(seconds) } })),
  Arbitrary.constantFrom(Faults.reset, Faults.hang, Faults.malformed, Faults.truncate(5), Faults.html(), Faults.pass),
  Arbitrary.constant(Faults.expiredToken)
)

/** On the change itself, on its looks, on anything; now and then a slow answer, or one whose request took effect. */
const fault = Arbitrary.record({
  method: Arbitrary.constantFrom(undefined, "GET", "POST", "PUT", "DELETE"),
  nth: Arbitrary.integer({ min: 1, max: 8 }),
  delay: Arbitrary.constantFrom(0, 0, 100, 3000, 59_000),
  applied: Arbitrary.boolean(),
  outcome
}).map(({ applied, outcome, ...match }) => {
  // A token is refused before anything is done.
  const isRefusal = outcome._tag === "ExpiredToken" || (outcome._tag === "Status" && outcome.status === 401)
  return Faults.on({ path: /^\/share\/v2\/./, ...match, applied: applied && !isRefusal }, outcome)
})

const phase = Arbitrary.record({
  status: Arbitrary.constantFrom("creating", "available", "extending", "error", "error_deleting", "deleting", "odd"),
  millis: Arbitrary.nat(20_000)
})

const runs = Arbitrary.record({
  subject: Arbitrary.constantFrom(...subjects),
  phases: Arbitrary.array(phase, { maxLength: 4 }),
  last: Arbitrary.constantFrom("available", "active", "gone", "error"),
  faults: Arbitrary.array(fault, { maxLength: 5 }),
  expire: Arbitrary.option(Arbitrary.nat(30_000)),
  interrupt: Arbitrary.option(Arbitrary.nat(30_000)),
  microversion: Arbitrary.constantFrom("2.27", "2.44", "2.99")
})

it("no change is sent twice, and one that is sent is never told as if it had not been", () => {
  let interrupted = 0
  let unknown = 0
  Arbitrary.assert(
    Arbitrary.property(runs, ({ expire, faults, interrupt, last, microversion, phases, subject }) => {
      const lifecycle: FakeCloud.Lifecycle = { phases: [...phases, { status: last }] }
      const lifecycles = subject.action === undefined ? {} : { [subject.action]: lifecycle }
      Cloud.run(
        { as: "admin", faults, options: { microversion }, cloud: { seed: subject.seed, lifecycles } },
        (world) =>
          Effect.gen(function* () {
            yield* Effect.flatMap(Manila.Manila, (manila) => manila.version)
            if (expire !== null) yield* Effect.fork(Effect.delay(world.cloud.expireTokens, expire))
            const fiber = yield* Effect.fork(Verb.run(subject.verb, subject.input, { limit: "2 minutes" }))
            if (interrupt !== null) {
              yield* Effect.sleep(interrupt)
              yield* Fiber.interruptFork(fiber)
            }
            const exit = yield* Fiber.await(fiber)
            const [method, path] = subject.mutation
            const isChange = (sent: Cloud.Sent) =>
              sent.method === method && sent.path === path && !JSON.stringify(sent.body ?? "").includes("access_list")
            const count = world.sent().filter(isChange).length
            // A request whose token was refused did nothing.
            const refused = (yield* world.cloud.journal.filter({ method, path, status: 401 })).length
            yield* Effect.sleep("1 hour")
            assert.lengthOf(world.sent().filter(isChange), count, "nothing is sent after the end")
            assert.isAtMost(count - refused, 1)
            const isMutation = (sent: Cloud.Sent) => sent.method !== "GET" && !isChange(sent)
            const others = world.sent().filter(isMutation)
            assert.isTrue(others.every(({ body }) => JSON.stringify(body) === '{"access_list":null}'))
            if (Exit.isFailure(exit)) {
              if (Cause.isInterrupted(exit.cause)) interrupted++
              for (const failure of Cause.failures(exit.cause)) {
                if ((failure as { readonly _tag: string })._tag !== "OutcomeUnknown") continue
                unknown++
                assert.isAtLeast(count, 1)
              }
            }
          })
      )
    }),
    { numRuns: 300, seed: 20_260_401 }
  )
  assert.isAbove(interrupted, 20)
  assert.isAbove(unknown, 20)
}, 60_000)
