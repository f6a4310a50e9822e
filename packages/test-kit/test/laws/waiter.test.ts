/**
 * The laws of waiting hold for this library's waiter: on a plain resource, on one of another shape with errors that say
 * nothing of themselves, and under a deadline that others share.
 */
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Patience from "@effect-manila/core/waiter/Patience"
import * as WaiterOf from "@effect-manila/core/waiter/Waiter"
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as Terms from "@effect-manila/test-kit/laws/Terms"
import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
import * as Reference from "@effect-manila/test-kit/model/Reference"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { describe, it } from "vitest"

const runner = { describe, it }

Waiter.suite(
  runner,
  Adapter.ofWaiter({ name: "a resource with a status", probe: (look) => look, statusOf: ({ status }) => status })
)

class Refused extends Data.TaggedError("Refused")<{ readonly code: number; readonly wait: number }> {}

/** Memory is measured once: that is what takes time. */
const quick = (adapter: Adapter.Adapter, seed: number) =>
  Law.suite(
    runner,
    Waiter.lawsFor(adapter).filter((law) => law !== Waiter.memoryIsFlat),
    adapter,
    { runs: 60, seed }
  )

quick(
  Adapter.ofWaiter({
    name: "a resource with a state, and errors with a code",
    probe: (look) =>
      look.pipe(
        Effect.map(Option.map(({ status }) => ({ state: `VM_${status}` }))),
        Effect.mapError(
          ({ retryAfterMillis, transient }) => new Refused({ code: transient ? 503 : 403, wait: retryAfterMillis ?? 0 })
        )
      ),
    statusOf: ({ state }) => state.slice(3),
    options: (terms) => ({
      pace: Terms.pace(terms),
      patience: Patience.make<Refused>({
        tolerate: terms.tolerate,
        backoff: (inARow) => Reference.holdAfter(terms.hold, inARow),
        isTransient: ({ code }) => code >= 500,
        retryAfter: ({ wait }) => Option.some(wait)
      })
    })
  }),
  2
)

quick(
  {
    name: "a deadline that others share",
    wait: ({ lastRetryAfter, look }, terms) => {
      const hinted = Effect.zipLeft(
        look,
        Effect.flatMap(lastRetryAfter, (retryAfterMillis) => WaiterOf.hint({ retryAfterMillis }))
      )
      return Effect.gen(function* () {
        const limit = yield* Deadline.start(terms.limit)
        const goal = Terms.goal<Adapter.Observed>(terms, ({ status }) => status)
        return Adapter.fromOutcome(yield* WaiterOf.outcome(hinted, goal, { ...Terms.options(terms), limit }))
      })
    }
  },
  3
)
