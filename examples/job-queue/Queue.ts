/**
 * A client of a small job queue, as somebody writes it: `GET /jobs/{id}` answers with a job and its state, with 404 once
 * the job has been cleared away, and with `Retry-After` (seconds, with a fraction) when the queue is busy.
 */
import type * as Pace from "@effect-manila/core/waiter/Pace"
import * as Patience from "@effect-manila/core/waiter/Patience"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export interface Job {
  readonly id: string
  readonly state: string
}

/** The queue's answer, if it isn't a job; 0 if there was none. */
export class QueueError extends Data.TaggedError("QueueError")<{
  readonly code: number
  readonly retryAfterMillis: number
}> {}

export const origin = "http://queue.test"

const retryAfter = ({ headers }: HttpClientResponse.HttpClientResponse) => Number(headers["retry-after"] ?? 0) * 1000

/** The job, or `None` once it has been cleared away: one request. */
export const get = (id: string): Effect.Effect<Option.Option<Job>, QueueError, HttpClient.HttpClient> =>
  HttpClient.get(`${origin}/jobs/${encodeURIComponent(id)}`).pipe(
    Effect.flatMap((response): Effect.Effect<Option.Option<Job>, QueueError> => {
      const retryAfterMillis = retryAfter(response)
      if (response.status === 404) return Effect.as(Waiter.hint({ retryAfterMillis }), Option.none())
      if (response.status !== 200) return Effect.fail(new QueueError({ code: response.status, retryAfterMillis }))
      return response.json.pipe(
        Effect.map((json) => Option.some(json as Job)),
        Effect.orElseFail(() => new QueueError({ code: 0, retryAfterMillis })),
        Effect.zipLeft(Waiter.hint({ retryAfterMillis }))
      )
    }),
    Effect.catchTags({
      RequestError: () => new QueueError({ code: 0, retryAfterMillis: 0 }),
      ResponseError: () => new QueueError({ code: 0, retryAfterMillis: 0 })
    })
  )

/** How the states of a job are read. */
export const states: StatusGoal.Reader<Job> = {
  status: ({ state }) => state,
  failures: ["failed"],
  leaving: [],
  steady: ["done"]
}

export interface Options {
  readonly pace: Pace.PaceInput
  readonly tolerate: number
  readonly backoff: (inARow: number) => Duration.DurationInput
}

/** What a wait for a job is made of: each part can be replaced by a wrong one. */
export interface Parts {
  readonly get: typeof get
  readonly states: StatusGoal.Reader<Job>
  readonly isTransient: (error: QueueError) => boolean
}

export const parts: Parts = { get, states, isTransient: ({ code }) => code === 0 || code >= 500 }

/** Waits until the job is done. */
export const awaitJob = (
  id: string,
  { backoff, pace, tolerate }: Options,
  { get, isTransient, states }: Parts = parts
): Effect.Effect<Waiter.Outcome<Job, QueueError>, never, HttpClient.HttpClient> =>
  Waiter.outcome(get(id), StatusGoal.present(states, "done"), {
    pace,
    patience: Patience.make<QueueError>({
      tolerate,
      backoff,
      isTransient,
      retryAfter: ({ retryAfterMillis }) => Option.some(retryAfterMillis)
    }),
    subject: { kind: "job", id }
  })
