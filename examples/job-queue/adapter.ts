/** The job queue's wait, for the laws. */
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as Terms from "@effect-manila/test-kit/laws/Terms"
import * as Reference from "@effect-manila/test-kit/model/Reference"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "./Queue.ts"

const states: Record<string, string> = { working: "running", moving: "queued", ready: "done" }
const words = new Map([...Object.entries(states).map(([word, state]) => [state, word] as const), ["missing", "gone"]])

/** The queue: each request is one look at the scenario. */
const app =
  ({ lastRetryAfter, look }: Adapter.Source): App =>
  () =>
    Effect.gen(function* () {
      const seen = yield* Effect.either(look)
      const answer = (status: number, millis: number, body: object) => {
        const headers = { "content-type": "application/json", "retry-after": String(millis / 1000) }
        return { _tag: "Answer", answer: { status, headers, body: JSON.stringify(body) } } as const
      }
      if (seen._tag === "Left") return answer(seen.left.transient ? 503 : 403, seen.left.retryAfterMillis ?? 0, {})
      const asked = yield* lastRetryAfter
      if (Option.isNone(seen.right)) return answer(404, asked, {})
      const { status } = seen.right.value
      return answer(200, asked, { id: "1", state: states[status] ?? status })
    })

export const adapter = (parts: Queue.Parts = Queue.parts): Adapter.Adapter => ({
  name: "a job of the queue",
  features: { goals: [{ wanted: ["ready"], failures: ["failed"], stops: [], absent: "failed", stable: 1 }] },
  wait: (source, terms) => {
    const backoff = (inARow: number) => Reference.holdAfter(terms.hold, inARow)
    const options: Queue.Options = { pace: Terms.pace(terms), tolerate: terms.tolerate, backoff }
    return Queue.awaitJob("1", options, parts).pipe(
      Effect.map((outcome) => Adapter.fromOutcome(outcome, (state) => words.get(state) ?? state)),
      Effect.provide(InProcess.layer(app(source), { origin: Queue.origin }))
    )
  }
})
