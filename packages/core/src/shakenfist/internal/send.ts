/**
 * One request and its whole answer, within the time for one request.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fault from "../../http/Fault.ts"
import * as Limit from "../../http/internal/limit.ts"
import type * as Http from "../../http/Operation.ts"
import type { Configuration } from "../Configuration.ts"
import { OutcomeUnknown } from "../ShakenFistError.ts"
import * as Body from "./body.ts"

export interface Sender {
  readonly client: HttpClient.HttpClient
  readonly config: Configuration
}

export interface Got {
  readonly status: number
  readonly headers: HttpClientResponse.HttpClientResponse["headers"]
  readonly body: string
}

export interface Call {
  readonly operation: string
  readonly method: Http.Method
  readonly url: string
  readonly safe: boolean
  /** Whether it is under way. */
  readonly flight: { isUp: boolean }
}

export const call = (operation: string, method: Http.Method, url: string, safe: boolean): Call => ({
  operation,
  method,
  url,
  safe,
  flight: { isUp: false }
})

/**
 * Without an `Accept` that leaves out `text/html`, a token that ended is answered with a redirect for a browser instead
 * of a 401: the service takes an absent header to mean HTML. See `handle_authorization_exceptions` in
 * shakenfist/external_api/base.py.
 */
const headers = { accept: "application/json", "user-agent": "effect-manila" }

/** A GET has a body too: that is where this service reads its parameters. */
export const request = (call: Call, body: unknown, token: string | undefined): HttpClientRequest.HttpClientRequest => {
  const bare = HttpClientRequest.make(call.method)(call.url, {
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  })
  const made = Body.make(body)
  return made === undefined ? bare : HttpClientRequest.setBody(bare, made)
}

export const send = (
  sender: Sender,
  call: Call,
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<Got, Fault.TransportFault> => {
  const millis = Duration.toMillis(sender.config.requestTimeout)
  const whole = Effect.flatMap(HttpClient.withTracerPropagation(sender.client, false).execute(request), (response) =>
    Effect.map(response.text, (body): Got => ({ status: response.status, headers: response.headers, body }))
  ).pipe(
    Effect.catchAllCause((cause) => {
      // Several addresses tried together fail as a parallel cause, with the interruption of the slower ones in it.
      const failure = Cause.failureOrCause(cause)
      return failure._tag === "Right"
        ? Effect.failCause(failure.right)
        : Effect.fail(Fault.fromClientError(call, failure.left))
    }),
    // The limit has it run in a fiber of its own, and of one that fails Effect logs the whole error.
    Effect.exit
  )
  return Effect.flatten(Limit.within(whole, millis, () => Fault.timeout(call, millis)))
}

const unknown = (call: Call, detail: string): OutcomeUnknown =>
  new OutcomeUnknown({ operation: call.operation, method: call.method, url: call.url, detail })

/** A request that changes something. One without a usable answer leaves its effect in doubt. */
export const inDoubt = (
  sent: Effect.Effect<Got, Fault.TransportFault>,
  call: Call
): Effect.Effect<Got, Fault.TransportFault | OutcomeUnknown> =>
  Effect.suspend(() => {
    call.flight.isUp = true
    return sent
  }).pipe(
    Effect.mapError((error) => (error.sent ? unknown(call, error.detail) : error)),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        if (!(Exit.isFailure(exit) && Cause.isInterrupted(exit.cause))) call.flight.isUp = false
      })
    )
  )

/**
 * Lets the cause of an interruption that came while a request was under way hold an `OutcomeUnknown` too. It has to be
 * outermost: a handler of errors in an interruptible region takes failures out of an interruption's cause.
 */
export const telling = <A, E>(effect: Effect.Effect<A, E>, call: Call): Effect.Effect<A, E | OutcomeUnknown> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(effect)), (exit) =>
      Exit.isFailure(exit) && Cause.isInterrupted(exit.cause) && call.flight.isUp
        ? Effect.failCause(
            Cause.sequential(exit.cause, Cause.fail(unknown(call, "it was interrupted before the service answered")))
          )
        : exit
    )
  )

/** A body that is not JSON is a fault, not an answer: proxies and cut connections make them. */
export const parseJson = (
  call: Pick<Call, "method" | "url">,
  body: string
): Effect.Effect<unknown, Fault.TransportFault> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(JSON.parse(body) as unknown)
    } catch {
      return Effect.fail(Fault.make(call, "NOT_JSON", "the answer is not JSON, or was cut short"))
    }
  })
