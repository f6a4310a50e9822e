/**
 * The one way a request is sent: gated by version, signed, timed, told by its answer, and repeated only where it is
 * safe.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import * as Fault from "../../http/Fault.ts"
import type * as Http from "../../http/Operation.ts"
import * as Redact from "../../http/Redact.ts"
import * as Retry from "../../http/Retry.ts"
import type * as Keystone from "../../keystone/Keystone.ts"
import type { KeystoneError } from "../../keystone/KeystoneError.ts"
import * as Waiter from "../../waiter/Waiter.ts"
import * as ManilaError from "../ManilaError.ts"
import * as Microversion from "../Microversion.ts"
import * as Answer from "./answer.ts"
import type { Service } from "./discovery.ts"

export interface Sender {
  readonly keystone: Context.Tag.Service<Keystone.Keystone>
  readonly timeoutMillis: number
  readonly tracePropagation: boolean
}

interface Got {
  readonly status: number
  readonly headers: HttpClientResponse.HttpClientResponse["headers"]
  readonly body: string
}

export const execute = <I, A>(
  sender: Sender,
  service: Service,
  operation: Http.Operation<I, A>,
  input: I
): Effect.Effect<A, ManilaError.ManilaError> =>
  Effect.flatMap(chooseForm(operation, input, service.version), (form) => {
    const request = build(service, operation, form, input)
    const call = { operation: operation.operation, method: form.method, url: request.url, safe: operation.safe }
    const tried = Effect.flatMap(signed(sender, request, call), (got) => read(operation, call, got))
    return (operation.safe ? Retry.safely(tried, isOwn) : onceOnly(tried, call)).pipe(
      Effect.mapError((error) => (error instanceof IdentityFault ? error.error : error)),
      Effect.withSpan(operation.operation, {
        captureStackTrace: false,
        attributes: { "manila.microversion": service.version }
      })
    )
  })

interface Call {
  readonly operation: string
  readonly method: Http.Method
  readonly url: string
  readonly safe: boolean
}

/** What went wrong with identity, told apart from the same fault of the share service. */
class IdentityFault {
  readonly error: KeystoneError
  constructor(error: KeystoneError) {
    this.error = error
  }
}

const ofIdentity = <A>(effect: Effect.Effect<A, KeystoneError>): Effect.Effect<A, IdentityFault> =>
  Effect.mapError(effect, (error) => new IdentityFault(error))

type Failure = ManilaError.ManilaError | IdentityFault

/** Identity repeats its own requests; only what the share service did is repeated here. */
const isOwn = (error: Failure): boolean => !(error instanceof IdentityFault) && Retry.isTransient(error)

/** Which spelling the version has, or `NotSupported` before anything is sent. */
const chooseForm = <I, A>(
  operation: Http.Operation<I, A>,
  input: I,
  version: Microversion.Microversion
): Effect.Effect<Http.Form<I>, ManilaError.NotSupported> => {
  const name = operation.operation
  const form = operation.forms.find(({ since, until }) => Microversion.within(version, since, until))
  if (form === undefined) {
    const newest = operation.forms[0]
    const detail =
      newest.since !== undefined && Microversion.compare(version, newest.since) < 0
        ? `needs microversion ${newest.since}, and ${version} is spoken`
        : `ended with microversion ${newest.until}, and ${version} is spoken`
    return Effect.fail(new ManilaError.NotSupported({ operation: name, detail, version }))
  }
  for (const [field, since] of Object.entries(operation.fieldsSince)) {
    const given = (input as Readonly<Record<string, unknown>>)[field]
    if (given !== undefined && given !== false && Microversion.compare(version, since) < 0) {
      const detail = `${field} needs microversion ${since}, and ${version} is spoken`
      return Effect.fail(new ManilaError.NotSupported({ operation: name, detail, version }))
    }
  }
  return Effect.succeed(form)
}

const build = <I, A>(
  service: Service,
  operation: Http.Operation<I, A>,
  form: Http.Form<I>,
  input: I
): HttpClientRequest.HttpClientRequest => {
  const query = Object.entries(form.query?.(input) ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as const]
  )
  const headers: Record<string, string> = {
    accept: "application/json",
    "user-agent": "effect-manila",
    "x-openstack-manila-api-version": service.version
  }
  if (operation.experimental) headers["x-openstack-manila-api-experimental"] = "True"
  const request = HttpClientRequest.make(form.method)(`${service.endpoint}${form.path(input)}`, {
    headers,
    urlParams: query
  })
  const body = form.body?.(input)
  return body === undefined ? request : HttpClientRequest.setBody(request, HttpBody.unsafeJson(body))
}

/** Sends with the token; a 401 renews it once (shared by all fibers) and repeats: a refused request did nothing. */
const signed = (
  sender: Sender,
  request: HttpClientRequest.HttpClientRequest,
  call: Call
): Effect.Effect<Got, Failure> => {
  const withToken = (token: Keystone.Token) =>
    send(sender, HttpClientRequest.setHeader(request, "x-auth-token", Redacted.value(token.value)), call)
  return Effect.flatMap(ofIdentity(sender.keystone.token), (token) =>
    Effect.flatMap(withToken(token), (got) =>
      got.status === 401 ? Effect.flatMap(ofIdentity(sender.keystone.renew(token)), withToken) : Effect.succeed(got)
    )
  )
}

/** One request and its whole body as text, within the time for one request. */
const send = (
  sender: Sender,
  request: HttpClientRequest.HttpClientRequest,
  call: Pick<Call, "method" | "url">
): Effect.Effect<Got, Fault.TransportFault> =>
  HttpClient.withTracerPropagation(sender.keystone.client, sender.tracePropagation)
    .execute(request)
    .pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (body): Got => ({ status: response.status, headers: response.headers, body }))
      ),
      Effect.timeoutFail({
        duration: Duration.millis(sender.timeoutMillis),
        onTimeout: () => Fault.timeout(call, sender.timeoutMillis)
      }),
      Effect.catchAllCause((cause) => {
        // Several addresses tried together fail as a parallel cause.
        const failure = Option.getOrUndefined(Cause.failureOption(cause))
        if (failure === undefined || Cause.isInterrupted(cause)) return Effect.failCause(cause as Cause.Cause<never>)
        return Effect.fail(failure._tag === "TransportFault" ? failure : Fault.fromClientError(call, failure))
      }),
      Redact.withRedactedHeaders
    )

const read = <I, A>(operation: Http.Operation<I, A>, call: Call, got: Got): Effect.Effect<A, ManilaError.ManilaError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<A, ManilaError.ManilaError> => {
    if (got.status < 200 || got.status >= 300) {
      return Effect.fail(Answer.toError({ ...call, ...got, now }))
    }
    const asked = Answer.retryAfter(got.headers, now)
    const hinted = asked === undefined ? Effect.void : Waiter.hint({ retryAfterMillis: asked })
    return Effect.zipRight(hinted, decode(operation, call, got))
  })

const decode = <I, A>(
  operation: Http.Operation<I, A>,
  call: Call,
  got: Got
): Effect.Effect<A, Fault.TransportFault | ManilaError.Malformed> => {
  if (!operation.output.readsBody) return operation.output.decode(undefined) as Effect.Effect<A, never>
  return Effect.flatMap(parseJson(call, got.body), (json) =>
    Effect.mapError(operation.output.decode(json), (error) => {
      const requestId = Answer.requestId(got.headers)
      return new ManilaError.Malformed({
        operation: call.operation,
        status: got.status,
        detail: issues(error),
        ...(requestId === undefined ? {} : { requestId })
      })
    })
  )
}

/** Where and what, without the values: they may be secrets (an access key, a password). */
const issues = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .slice(0, 3)
    .map(({ message, path }) => {
      const expected = /^Expected ([^,]*)/.exec(message)?.[1]
      const what = expected === undefined ? message.split(", actual")[0] : `expected ${expected}`
      return path.length === 0 ? what : `${path.map(String).join(".")}: ${what}`
    })
    .join("; ")

/** A body that is not JSON is a fault, not an answer: proxies and cut connections make them. */
const parseJson = (call: Pick<Call, "method" | "url">, body: string): Effect.Effect<unknown, Fault.TransportFault> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(JSON.parse(body) as unknown)
    } catch {
      return Effect.fail(Fault.make(call, "NOT_JSON", "the answer is not JSON, or was cut short"))
    }
  })

/**
 * A request that changes something is sent once. Whatever leaves its effect in doubt says so: no usable answer, or an
 * interruption while it was under way (the interruption's cause then holds an `OutcomeUnknown` too).
 */
const onceOnly = <A>(request: Effect.Effect<A, Failure>, call: Call): Effect.Effect<A, Failure> => {
  const unknown = (detail: string) =>
    new ManilaError.OutcomeUnknown({ operation: call.operation, method: call.method, url: call.url, detail })
  const told = Effect.mapError(request, (error) =>
    !(error instanceof IdentityFault) && error._tag === "TransportFault" && error.sent ? unknown(error.detail) : error
  )
  return Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(told)), (exit) =>
      Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
        ? Effect.failCause(
            Cause.sequential(exit.cause, Cause.fail(unknown("it was interrupted before the service answered")))
          )
        : exit
    )
  )
}

/** A GET outside the operations: the version documents. */
export const getJson = (
  sender: Sender,
  operation: string,
  url: string
): Effect.Effect<{ readonly status: number; readonly json: unknown }, ManilaError.ManilaError> => {
  const call: Call = { operation, method: "GET", url, safe: true }
  const request = HttpClientRequest.get(url, {
    headers: { accept: "application/json", "user-agent": "effect-manila" }
  })
  const got: Effect.Effect<Got, Failure> = url.endsWith("/v2/")
    ? signed(sender, request, call)
    : send(sender, request, call)
  const tried = Retry.safely(
    Effect.flatMap(got, (got): Effect.Effect<{ status: number; json: unknown }, Failure> =>
      // The version list is a 300 on purpose: "multiple choices".
      got.status >= 400
        ? Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Answer.toError({ ...call, ...got, now })))
        : Effect.map(parseJson(call, got.body), (json) => ({ status: got.status, json }))
    ),
    isOwn
  )
  return Effect.mapError(tried, (error) => (error instanceof IdentityFault ? error.error : error))
}
