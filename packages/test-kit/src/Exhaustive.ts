/**
 * Every fault at every request of a program, one at a time and in pairs, and what must hold whatever happens.
 *
 * Nothing is drawn by chance: for a program of K requests and F kinds of faults it is K × F runs, and as many pairs as
 * are asked for. Each run is checked by the cloud's own journal.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HashMap from "effect/HashMap"
import * as Inspectable from "effect/Inspectable"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Tracer from "effect/Tracer"
import * as Faults from "./Faults.ts"
import * as Check from "./internal/Check.ts"
import type * as Journal from "./Journal.ts"
import * as VirtualTime from "./VirtualTime.ts"
import type { App, WireRequest } from "./Wire.ts"

/**
 * A service and a program that uses it, made anew for each run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prepared {
  readonly app: App
  readonly journal: Journal.Journal
  /** Runs the program with this app in the service's place. */
  readonly program: (app: App) => Effect.Effect<unknown, unknown>
  /** What is wrong with the service after the program succeeded, as the service itself sees it. */
  readonly verify: Effect.Effect<string | undefined>
  /** Texts that must be in no log, span or message. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Scenario {
  readonly name: string
  readonly make: Effect.Effect<Prepared>
  /** Requests that change nothing. Default: `GET` and `HEAD`, and those of identity. */
  readonly isSafe?: ((request: Pick<WireRequest, "method" | "path" | "body">) => boolean) | undefined
  /** Requests at which a fault that passes must be got over. Default: all that come after the first change. */
  readonly isLook?: ((request: Pick<WireRequest, "method" | "path" | "body">) => boolean) | undefined
  /** The tags of errors the program may end with after a fault. Default: any error with a `_tag`. */
  readonly errors?: ReadonlyArray<string> | undefined
}

/**
 * A kind of fault. `survived`: a wait has to get over it where it meets a look.
 *
 * @since 0.1.0
 * @category models
 */
export interface Kind {
  readonly name: string
  readonly outcome: Faults.Outcome
  readonly applied?: boolean | undefined
  readonly survived: boolean
  /** Two of it end a wait for good: a token that is refused when it has just been renewed, or is not renewed. */
  readonly onlyOnce?: boolean | undefined
  /** It says what is not so, such as that an object is gone: a success need not be one then. */
  readonly lies?: boolean | undefined
}

/**
 * What goes wrong between a client and a cloud: statuses, pages of proxies, connections that break before, in and
 * after an answer, answers that took effect and were lost.
 *
 * @since 0.1.0
 * @category data
 */
export const kinds: ReadonlyArray<Kind> = [
  { name: "500", outcome: Faults.status(500), survived: true },
  { name: "503 Retry-After", outcome: Faults.status(503, { headers: { "Retry-After": "7" } }), survived: true },
  { name: "429", outcome: Faults.status(429, { headers: { "Retry-After": "3" } }), survived: true },
  { name: "page of a proxy", outcome: Faults.html(502), survived: true },
  { name: "reset", outcome: Faults.reset, survived: true },
  { name: "reset after its effect", outcome: Faults.reset, applied: true, survived: true },
  { name: "hang", outcome: Faults.hang, survived: true },
  { name: "truncated", outcome: Faults.truncate(5), survived: true },
  { name: "not JSON", outcome: Faults.malformed, survived: true },
  { name: "503 after its effect", outcome: Faults.status(503), applied: true, survived: true },
  { name: "expired token", outcome: Faults.expiredToken, survived: true, onlyOnce: true },
  { name: "400", outcome: Faults.status(400), survived: false },
  { name: "403", outcome: Faults.status(403), survived: false },
  { name: "404", outcome: Faults.status(404), survived: false, lies: true },
  { name: "409", outcome: Faults.status(409), survived: false },
  { name: "413 over quota", outcome: Faults.status(413, { headers: { "Retry-After": "0" } }), survived: false },
  { name: "501", outcome: Faults.status(501), survived: false }
]

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly kinds?: ReadonlyArray<Kind> | undefined
  /** How far apart the two faults of a pair may be, in requests. Default 0: no pairs. */
  readonly pairs?: number | undefined
}

/** A request of the run without faults, counted from 1. */
interface Request {
  readonly nth: number
  readonly text: string
}

/**
 * What was found: how many runs there were, and each one in which something did not hold, in words.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly requests: ReadonlyArray<string>
  readonly runs: number
  readonly succeeded: number
  readonly broken: ReadonlyArray<string>
}

interface Planned {
  readonly nth: number
  readonly kind: Kind
}

interface Done {
  readonly exit: Exit.Exit<unknown, unknown>
  readonly sent: ReadonlyArray<Sent>
  readonly after: number
  readonly said: string
  readonly left: ReadonlyArray<VirtualTime.Waiting>
  readonly wrong: string | undefined
  readonly secrets: ReadonlyArray<string>
}

interface Sent {
  readonly request: WireRequest
  /** 0 if there was no answer. */
  status: number
}

const toText = (value: unknown): string => {
  try {
    return `${String(value)} ${Inspectable.toStringUnknown(value)} ${JSON.stringify(value)}`
  } catch {
    return String(value)
  }
}

/** Keeps everything that is said: logs, spans with their attributes and events. */
const listening = (said: Array<string>) => {
  const logger = Logger.make(({ annotations, cause, message }) => {
    said.push(toText(message), Cause.pretty(cause), toText([...HashMap.toEntries(annotations)]))
  })
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      said.push(name)
      return {
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        attributes,
        spanId: "1",
        traceId: "1",
        sampled: true,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => {
          attributes.set(key, value)
          said.push(`${key} ${toText(value)}`)
        },
        event: (name, _, attributes) => void said.push(`${name} ${toText(attributes)}`),
        addLinks: () => {},
        end: (_, exit) => {
          if (Exit.isFailure(exit)) said.push(Cause.pretty(exit.cause))
        }
      }
    },
    context: (f) => f()
  })
  return <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    effect.pipe(
      Effect.withTracer(tracer),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Logger.withMinimumLogLevel(LogLevel.All)
    )
}

const attempt = (scenario: Scenario, planned: ReadonlyArray<Planned>): Done => {
  const said: Array<string> = []
  const sent: Array<Sent> = []
  let secrets: ReadonlyArray<string> = []
  let after = 0
  let wrong: string | undefined
  const whole = Effect.gen(function* () {
    const prepared = yield* scenario.make
    secrets = prepared.secrets
    const faults = planned.map(({ kind, nth }) => Faults.on({ nth, applied: kind.applied }, kind.outcome))
    const faulty = yield* Faults.wrap(prepared, faults)
    const app: App = (request) => {
      const one: Sent = { request, status: 0 }
      sent.push(one)
      return Effect.tap(faulty.app(request), (reply) =>
        Effect.sync(() => {
          if (reply._tag === "Answer") one.status = reply.answer.status
        })
      )
    }
    const exit = yield* Effect.exit(listening(said)(prepared.program(app)))
    const count = sent.length
    if (Exit.isSuccess(exit)) wrong = yield* prepared.verify
    yield* Effect.sleep("1 day")
    after = sent.length - count
    return exit
  })
  const { exit, left } = VirtualTime.runExit(whole, { maxTime: "30 days", maxSteps: 1_000_000 })
  const ended = Exit.isSuccess(exit) ? exit.value : exit
  if (Exit.isFailure(ended)) {
    said.push(Cause.pretty(ended.cause))
    for (const error of Cause.failures(ended.cause))
      said.push(toText(error), error instanceof Error ? error.message : "")
  }
  return { exit: ended, sent, after, said: said.join("\n"), left, wrong, secrets }
}

const defaultSafe: NonNullable<Scenario["isSafe"]> = ({ method, path }) =>
  method === "GET" || method === "HEAD" || path.startsWith("/identity/")

const requestText = ({ method, path }: WireRequest): string => `${method} ${path}`

/** What must hold after every run. */
const complaints = (scenario: Scenario, planned: ReadonlyArray<Planned>, done: Done): ReadonlyArray<string> => {
  const { after, exit, left, said, secrets, sent, wrong } = done
  const isSafe = scenario.isSafe ?? defaultSafe
  const found: Array<string> = []

  if (Exit.isSuccess(exit)) {
    if (wrong !== undefined && !planned.some(({ kind }) => kind.lies)) found.push(`it succeeded, and ${wrong}`)
  } else {
    const failure = Cause.failureOption(exit.cause)
    const tag = failure._tag === "Some" ? (failure.value as { readonly _tag?: unknown } | null)?._tag : undefined
    if (typeof tag !== "string")
      found.push(`it ended without a typed error: ${Cause.pretty(exit.cause).split("\n")[0]}`)
    else if (tag === "Deadlock" || tag === "Runaway") found.push(`it never ended: ${tag}`)
    else if (scenario.errors !== undefined && !scenario.errors.includes(tag)) found.push(`it ended with ${tag}`)
    // A wait gets over what is transient, wherever it meets a look.
    const mutation = sent.findIndex(({ request }) => !isSafe(request))
    const isTooMuch = planned.filter(({ kind }) => kind.onlyOnce).length > 1
    const isLook = ({ nth }: Planned): boolean => {
      const request = sent[nth - 1]?.request
      return scenario.isLook === undefined
        ? mutation >= 0 && nth > mutation + 1
        : request !== undefined && scenario.isLook(request)
    }
    if (planned.length > 0 && !isTooMuch && planned.every((one) => one.kind.survived && isLook(one))) {
      found.push(`a fault in a look ended it: ${typeof tag === "string" ? tag : "a defect"}`)
    }
  }

  // A request that was refused for its token did nothing; any other one may have.
  const mutations = sent.filter(({ request, status }) => !isSafe(request) && status !== 401)
  const times = new Map<string, number>()
  for (const { request } of mutations) {
    const key = `${requestText(request)} ${request.body}`
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  for (const [key, count] of times) if (count > 1) found.push(`${key} was sent ${count} times`)

  if (after > 0) found.push(`${after} requests after the end`)
  for (const { fiber, waitsFor } of left) found.push(`fiber ${fiber} is left behind and waits for ${waitsFor}`)
  for (const secret of secrets) {
    const at = secret.length < 6 ? -1 : said.indexOf(secret)
    if (at >= 0) found.push(`a secret was said: …${said.slice(Math.max(0, at - 40), at).replaceAll("\n", " ")}<secret>`)
  }
  return found
}

/**
 * Runs a scenario without faults, then with every kind of fault at every request, then with every pair that is near
 * enough.
 *
 * @since 0.1.0
 */
export const run = (scenario: Scenario, options: Options = {}): Report => {
  Check.whole("pairs", options.pairs, 0)
  const using = options.kinds ?? kinds
  const plain = attempt(scenario, [])
  const requests = plain.sent.map(({ request }, index): Request => ({ nth: index + 1, text: requestText(request) }))
  const broken: Array<string> = []
  let runs = 0
  let succeeded = 0

  const textOf = (nth: number) => requests.find((request) => request.nth === nth)?.text ?? "a request that follows"
  const check = (planned: ReadonlyArray<Planned>, done: Done): void => {
    runs++
    if (Exit.isSuccess(done.exit)) succeeded++
    for (const said of complaints(scenario, planned, done)) {
      const where = planned.map(({ kind, nth }) => `${kind.name} at request ${nth} (${textOf(nth)})`).join(" and ")
      broken.push(`${scenario.name}, ${where === "" ? "without a fault" : where}: ${said}`)
    }
  }

  check([], plain)
  if (Exit.isFailure(plain.exit)) {
    broken.push(`${scenario.name}: it fails without any fault: ${Cause.pretty(plain.exit.cause).split("\n")[0]}`)
  }
  for (const { nth } of requests) {
    for (const kind of using) {
      const one = { nth, kind }
      check([one], attempt(scenario, [one]))
      for (let apart = 1; apart <= (options.pairs ?? 0); apart++) {
        for (const second of using) {
          const planned = [one, { nth: nth + apart, kind: second }]
          check(planned, attempt(scenario, planned))
        }
      }
    }
  }
  return { requests: requests.map(({ text }) => text), runs, succeeded, broken }
}
