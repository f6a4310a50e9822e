/**
 * The one way a request is sent: gated by version, signed, timed, told by its answer, and repeated only where it is
 * safe.
 */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import * as Fault from "../../http/Fault.ts"
import * as Limit from "../../http/internal/limit.ts"
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
    const { operation: name, safe } = operation
    const request = build(service, operation, form, input)
    const call: Call = { operation: name, method: form.method, url: request.url, safe, doubt: { left: false } }
    const traced = sender.tracePropagation ? withTrace(request) : Effect.succeed(request)
    const tried = Effect.flatMap(traced, (request) =>
      Effect.flatMap(signed(sender, request, call), (got) => read(operation, call, got))
    )
    const whole = (safe ? Retry.safely(tried, isOwn) : tried).pipe(
      Effect.mapError((error) => (error instanceof IdentityFault ? error.error : error)),
      Effect.withSpan(name, {
        captureStackTrace: false,
        attributes: { "manila.microversion": service.version }
      })
    )
    return safe ? whole : telling(whole, call)
  })

interface Call {
  readonly operation: string
  readonly method: Http.Method
  readonly url: string
  readonly safe: boolean
  /** Whether a request that may change something was interrupted on its way. */
  readonly doubt: { left: boolean }
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
  return body === undefined ? request : HttpClientRequest.setBody(request, Redact.jsonBody(body))
}

/** The cloud's client sends no trace headers, whoever wraps it: those that are asked for name the operation's span. */
const withTrace = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.map(Effect.option(Effect.currentSpan), (span) =>
    Option.isNone(span) ? request : HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span.value))
  )

/** Sends with the token; a 401 renews it once (shared by all fibers) and repeats: a refused request did nothing. */
const signed = (
  sender: Sender,
  request: HttpClientRequest.HttpClientRequest,
  call: Call
): Effect.Effect<Got, Failure> => {
  const withToken = (token: Keystone.Token): Effect.Effect<Got, Failure> => {
    const sent = send(sender, HttpClientRequest.setHeader(request, "x-auth-token", Redacted.value(token.value)), call)
    return call.safe ? sent : onceOnly(sent, call)
  }
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
): Effect.Effect<Got, Fault.TransportFault> => {
  const whole = Effect.flatMap(sender.keystone.client.execute(request), (response) =>
    Effect.map(response.text, (body): Got => ({ status: response.status, headers: response.headers, body }))
  )
  return Limit.within(whole, sender.timeoutMillis, () => Fault.timeout(call, sender.timeoutMillis)).pipe(
    Effect.catchAllCause((cause) => {
      // Several addresses tried together fail as a parallel cause, with the interruption of the slower ones in it.
      const failure = Cause.failureOrCause(cause)
      if (failure._tag === "Right") return Effect.failCause(failure.right)
      const error = failure.left
      return Effect.fail(error._tag === "TransportFault" ? error : Fault.fromClientError(call, error))
    })
  )
}

const read = <I, A>(operation: Http.Operation<I, A>, call: Call, got: Got): Effect.Effect<A, ManilaError.ManilaError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<A, ManilaError.ManilaError> => {
    const requestId = Answer.requestId(got.headers)
    const noted = requestId === undefined ? Effect.void : note(requestId)
    if (got.status < 200 || got.status >= 300) {
      return Effect.zipRight(noted, Effect.fail(Answer.toError({ ...call, ...got, now })))
    }
    const asked = Answer.retryAfter(got.headers, now)
    const hinted = asked === undefined ? noted : Effect.zipRight(noted, Waiter.hint({ retryAfterMillis: asked }))
    const decoded = decode(operation, call, got)
    return Effect.zipRight(hinted, call.safe ? decoded : Effect.mapError(decoded, inDoubt(call)))
  })

/** `Effect.annotateCurrentSpan` is a dozen steps, and this is in every request. */
const note = (requestId: string): Effect.Effect<void> =>
  Effect.withFiberRuntime(({ currentSpan: span }) => {
    if (span?._tag === "Span") span.attribute("manila.request_id", requestId)
    return Effect.void
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
      // A whole record's type is longer than a terminal.
      const short = expected?.startsWith("{")
        ? "an object"
        : expected?.startsWith("ReadonlyArray<")
          ? "a list"
          : expected
      const what = short === undefined ? message.split(", actual")[0] : `expected ${short}`
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

const outcomeUnknown = ({ method, operation, url }: Call, detail: string) =>
  new ManilaError.OutcomeUnknown({ operation, method, url: Fault.printable(url), detail })

/** A fault after which the service may have done what was asked. */
const inDoubt = (call: Call) => (error: Fault.TransportFault | ManilaError.Malformed) =>
  error._tag === "TransportFault" && error.sent ? outcomeUnknown(call, error.detail) : error

/**
 * A request that changes something is sent once; without a usable answer its effect is in doubt. That it was interrupted
 * on its way is noted for {@link telling}.
 */
const onceOnly = (sent: Effect.Effect<Got, Fault.TransportFault>, call: Call): Effect.Effect<Got, Failure> =>
  Effect.onExit(Effect.mapError(sent, inDoubt(call)), (exit) =>
    Effect.sync(() => {
      if (Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)) call.doubt.left = true
    })
  )

/**
 * Lets the cause of an interruption that came while a request was under way hold an `OutcomeUnknown` too. It is
 * outermost, since a handler of errors in an interruptible region takes failures out of an interruption's cause.
 */
const telling = <A, E>(effect: Effect.Effect<A, E>, call: Call): Effect.Effect<A, E | ManilaError.OutcomeUnknown> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(effect)), (exit) =>
      Exit.isFailure(exit) && Cause.isInterrupted(exit.cause) && call.doubt.left
        ? Effect.failCause(
            Cause.sequential(
              exit.cause,
              Cause.fail(outcomeUnknown(call, "it was interrupted before the service answered"))
            )
          )
        : exit
    )
  )

/**
 * A GET outside the operations: the version documents. An answer that is no JSON at all is told apart from one that was
 * cut short: whoever says so is no share service.
 */
export const getJson = (
  sender: Sender,
  operation: string,
  url: string,
  options: { readonly signed: boolean }
): Effect.Effect<{ readonly status: number; readonly json: unknown }, ManilaError.ManilaError> => {
  const call: Call = { operation, method: "GET", url, safe: true, doubt: { left: false } }
  const request = HttpClientRequest.get(url, {
    headers: { accept: "application/json", "user-agent": "effect-manila" }
  })
  const got: Effect.Effect<Got, Failure> = options.signed ? signed(sender, request, call) : send(sender, request, call)
  const tried = Effect.flatMap(got, (got): Effect.Effect<{ status: number; json: unknown }, Failure> => {
    const { body, status } = got
    if (status >= 400) {
      return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(Answer.toError({ ...call, ...got, now })))
    }
    // The version list is a 300 on purpose: "multiple choices".
    return status > 300 || !body.trimStart().startsWith("{")
      ? Effect.succeed({ status, json: undefined })
      : Effect.map(parseJson(call, body), (json) => ({ status, json }))
  })
  return Effect.mapError(Retry.safely(tried, isOwn), (error) => (error instanceof IdentityFault ? error.error : error))
}
