/** Waits for a job that look right and are not, with the laws that say so. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "./Queue.ts"

export interface Bug {
  readonly name: string
  readonly parts: Queue.Parts
  /** One of the laws it breaks. */
  readonly breaks: string
}

const { parts } = Queue

/** What the last look saw, kept for too long. */
const cached = (): Queue.Parts["get"] => {
  let last: Option.Option<Queue.Job> = Option.none()
  return (id) => {
    if (Option.isSome(last) && last.value.state === "running") {
      const before = last
      last = Option.none()
      return Effect.succeed(before)
    }
    return Effect.tap(parts.get(id), (seen) => Effect.sync(() => (last = seen)))
  }
}

export const bugs: ReadonlyArray<Bug> = [
  {
    name: "the client tries again by itself, inside of a look",
    parts: { ...parts, get: (id) => Effect.retry(parts.get(id), { times: 1 }) },
    breaks: "one request a look"
  },
  {
    name: "a refusal is taken for a hiccup",
    parts: { ...parts, isTransient: () => true },
    breaks: "a permanent fault ends it at once"
  },
  {
    name: "a 503 is taken for a refusal",
    parts: { ...parts, isTransient: ({ code }) => code === 0 },
    breaks: "transient faults don't change the verdict"
  },
  {
    name: "a failed job is waited on",
    parts: { ...parts, states: { ...parts.states, failures: ["error"] } },
    breaks: "ends as the model says"
  },
  {
    name: "Retry-After is read as milliseconds",
    parts: {
      ...parts,
      get: (id) =>
        Effect.mapError(
          parts.get(id),
          ({ code, retryAfterMillis }) => new Queue.QueueError({ code, retryAfterMillis: retryAfterMillis / 1000 })
        )
    },
    breaks: "obeys Retry-After"
  },
  { name: "an answer is kept for one look more", parts: { ...parts, get: cached() }, breaks: "one request a look" },
  {
    name: "every look asks twice, to be sure",
    parts: { ...parts, get: (id) => Effect.zipRight(parts.get(id), parts.get(id)) },
    breaks: "looks when the model looks"
  },
  {
    name: "a job that is gone is an error",
    parts: {
      ...parts,
      get: (id) =>
        Effect.flatMap(parts.get(id), (job) =>
          Option.isSome(job)
            ? Effect.succeed(job)
            : Effect.fail(new Queue.QueueError({ code: 404, retryAfterMillis: 0 }))
        )
    },
    breaks: "ends as the model says"
  }
]
