/**
 * The one way a request is sent: gated by capabilities, signed, timed, told by its answer, and repeated only where it is
 * safe or was definitely not carried out.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import type { TransportFault } from "../../http/Fault.ts"
import * as Retry from "../../http/Retry.ts"
import * as Deadline from "../../waiter/Deadline.ts"
import * as Waiter from "../../waiter/Waiter.ts"
import type { OperationData } from "../Operation.ts"
import * as ShakenFistError from "../ShakenFistError.ts"
import * as Strategy from "../Strategy.ts"
import * as Answer from "./answer.ts"
import * as CallDeadline from "./deadline.ts"
import type { Root } from "./discovery.ts"
import type { Token } from "./login.ts"
import type { Call, Got, Sender } from "./send.ts"
import { inDoubt, parseJson, request, send, telling } from "./send.ts"
import type { Shared } from "./shared.ts"

type Failure = ShakenFistError.ShakenFistError

export interface Session {
  readonly sender: Sender
  readonly root: Shared<Root, Failure>
  readonly tokens: Shared<Token, Failure>
}

export const execute = <I, A>(session: Session, operation: OperationData<I, A>, input: I): Effect.Effect<A, Failure> =>
  Effect.suspend(() => {
    const form = operation.forms[0]
    const { safe } = operation
    const path = form.path(input)
    const flight = { isUp: false }
    const bare: Call = { operation: operation.operation, method: form.method, url: path, safe, flight }
    const whole = Effect.gen(function* () {
      const { base, page } = yield* session.root.get
      for (const capability of operation.needs(input)) {
        // A substring of the whole page, prefixes of other tokens included: that is how the service means it.
        if (!page.includes(capability)) return yield* incapable(operation.operation, capability)
      }
      const call: Call = { ...bare, url: `${base}${path}` }
      const tried = Effect.flatMap(signed(session, call, form.body?.(input)), (got) => read(operation, call, got))
      const patient = definitely(session.sender, safe, tried)
      return yield* safe ? Retry.safely(patient, isOwn) : patient
    }).pipe(
      Effect.mapError((error) => (error instanceof LoginFault ? error.error : error)),
      Effect.withSpan(operation.operation, { captureStackTrace: false })
    )
    return safe ? whole : telling(whole, bare)
  })

export const incapable = (operation: string, capability: string) =>
  new ShakenFistError.Incapable({ operation, capability, missing: "capability" })

/** What went wrong with the login, told apart from the same fault of the request it was for. */
class LoginFault {
  readonly error: Failure
  constructor(error: Failure) {
    this.error = error
  }
}

/** A login repeats its own requests. */
const isOwn = (error: Failure | LoginFault): boolean => !(error instanceof LoginFault) && Retry.isTransient(error)

/** Sends with the token; a 401 renews it once (shared by all fibers) and repeats: a refused request did nothing. */
const signed = (
  { sender, tokens }: Session,
  call: Call,
  body: unknown
): Effect.Effect<Got, TransportFault | ShakenFistError.OutcomeUnknown | LoginFault> => {
  const ofLogin = (token: Effect.Effect<Token, Failure>) => Effect.mapError(token, (error) => new LoginFault(error))
  const withToken = (token: Token) => {
    const sent = send(sender, call, request(call, body, Redacted.value(token.value)))
    return call.safe ? sent : inDoubt(sent, call)
  }
  return Effect.flatMap(ofLogin(tokens.get), (token) =>
    Effect.flatMap(withToken(token), (got) =>
      got.status === 401 ? Effect.flatMap(ofLogin(tokens.renew(token)), withToken) : Effect.succeed(got)
    )
  )
}

const notReadyMillis = 1000

const capacityAttempts = 5

/**
 * Repeats what the service definitely did not carry out: every second after a 406, and after a 507 if that was asked
 * for and the server calls it transient. Never past the deadline; inside a look of a wait not at all.
 */
const definitely = <A>(
  { config }: Sender,
  safe: boolean,
  tried: Effect.Effect<A, Failure | LoginFault>
): Effect.Effect<A, Failure | LoginFault> =>
  Effect.gen(function* () {
    if (safe && (yield* FiberRef.get(Retry.attempts)) <= 1) return yield* tried
    const deadline =
      (yield* FiberRef.get(CallDeadline.current)) ?? (yield* Deadline.start(Strategy.limit(config.strategy)))
    let refusedForRoom = 0
    for (;;) {
      const result = yield* Effect.either(tried)
      if (result._tag === "Right") return result.right
      const error = result.left
      const left = Math.max(0, yield* Deadline.remainingMillis(deadline))
      if (error instanceof ShakenFistError.NotReady && left >= notReadyMillis) {
        yield* Effect.sleep(Duration.millis(notReadyMillis))
        continue
      }
      if (
        error instanceof ShakenFistError.InsufficientResources &&
        error.transient &&
        config.retryTransientCapacity &&
        left > 0 &&
        ++refusedForRoom < capacityAttempts
      ) {
        yield* Effect.sleep(Duration.millis(Math.min(left, roomMillis(error.retryAfterMillis))))
        continue
      }
      return yield* Effect.fail(error)
    }
  })

/** Between 1 and 60 s of what the server asks for; 15 s if it does not say. */
const roomMillis = (asked: number | undefined): number =>
  asked === undefined ? 15_000 : Math.min(60_000, Math.max(1000, asked))

const isSuccess = (status: number): boolean => status === 200 || status === 202

const read = <I, A>(operation: OperationData<I, A>, call: Call, got: Got): Effect.Effect<A, Failure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<A, Failure> => {
    if (!isSuccess(got.status)) return Effect.fail(Answer.toError({ ...call, ...got, now }))
    const asked = Answer.retryAfter(got.headers, now)
    const hinted = asked === undefined ? Effect.void : Waiter.hint({ retryAfterMillis: asked })
    return Effect.zipRight(hinted, decode(operation, call, got))
  })

const decode = <I, A>(
  operation: OperationData<I, A>,
  call: Call,
  got: Got
): Effect.Effect<A, TransportFault | ShakenFistError.Malformed | ShakenFistError.OutcomeUnknown> => {
  const malformed = (error: ParseResult.ParseError) =>
    new ShakenFistError.Malformed({
      operation: call.operation,
      status: got.status,
      detail: issues(error),
      requestId: Answer.requestId(got.headers)
    })
  if (!operation.output.readsBody) return Effect.mapError(operation.output.decode(undefined), malformed)
  const json = parseJson(call, got.body)
  // It was carried out; only what came of it can't be read.
  const certain: Effect.Effect<unknown, TransportFault | ShakenFistError.OutcomeUnknown> = call.safe
    ? json
    : Effect.mapError(
        json,
        ({ detail }) =>
          new ShakenFistError.OutcomeUnknown({
            operation: call.operation,
            method: call.method,
            url: call.url,
            status: got.status,
            detail
          })
      )
  return Effect.flatMap(certain, (value) => Effect.mapError(operation.output.decode(value), malformed))
}

/** Where and what, without the values: they may be secrets. */
const issues = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .slice(0, 3)
    .map(({ message, path }) => {
      const expected = /^Expected ([^,]*)/.exec(message)?.[1]
      const what = expected === undefined ? (message.split(", actual")[0] ?? message) : `expected ${expected}`
      return path.length === 0 ? what : `${path.map(String).join(".")}: ${what}`
    })
    .join("; ")
