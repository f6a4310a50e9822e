/**
 * What goes wrong between a client and a cloud, as data: which requests, and what becomes of them.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FakeCloud from "./FakeCloud.ts"
import * as Check from "./internal/Check.ts"
import { appOf } from "./internal/Delivery.ts"
import * as Reply from "./internal/FaultReply.ts"
import { InvalidOption } from "./InvalidOption.ts"
import type * as Journal from "./Journal.ts"
import type { App, WireReply, WireRequest } from "./Wire.ts"

/**
 * Which requests. A fault without any of it meets every request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Match {
  readonly method?: string | undefined
  /**
   * A text is compared, segment by segment, with the end of the path: `shares/*` is every single share, in whatever
   * project, but not its `action`. `*` stands for one segment or a part of it, `**` for any number of segments. A
   * slash in front ties it to the beginning: `/identity/**`. A `RegExp` is searched for in the path.
   */
  readonly path?: string | RegExp | undefined
  /** By the first segment of the path: `/identity` or `/share`. */
  readonly service?: "identity" | "share" | undefined
  /**
   * Which of the requests that match, counted from 1: one, some, or all in a range without end unless `to` is given.
   * Default all. Every fault counts what it matches, also if an earlier fault took the request.
   */
  readonly nth?:
    | number
    | ReadonlyArray<number>
    | { readonly from: number; readonly to?: number | undefined }
    | undefined
  /** Passes before the answer, the fault's or the cloud's own. */
  readonly delay?: Duration.DurationInput | undefined
  /**
   * The request reaches the cloud and has its effect, and only the answer is another. Default `false`; replies made
   * from the cloud's own answer (`truncate`, `malformed`, `pass`) need it to, and always do.
   */
  readonly applied?: boolean | undefined
}

/**
 * What becomes of such a request.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome = Reply.Outcome

/**
 * @since 0.1.0
 * @category models
 */
export interface Fault {
  readonly match: Match
  readonly outcome: Outcome
}

/**
 * How often a fault's match met a request, and how often the fault was the answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface Count {
  readonly matched: number
  readonly fired: number
}

/**
 * An app with faults in front of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Faulty {
  readonly app: App
  /** One for each fault, in the order they were given. */
  readonly counts: Effect.Effect<ReadonlyArray<Count>>
  /** Adds faults behind the others; they count from now on. */
  readonly add: (...faults: ReadonlyArray<Fault>) => Effect.Effect<void>
}

/**
 * Throws `InvalidOption` for an `nth` that no request can have.
 *
 * @since 0.1.0
 * @category constructors
 */
export const on = (match: Match, outcome: Outcome): Fault => {
  checkNth(match.nth)
  return { match, outcome }
}

/** A fault that no request could meet would be a test of nothing. */
const checkNth = (nth: Match["nth"]): void => {
  if (nth === undefined) return
  if (typeof nth === "number") return Check.whole("nth", nth, 1)
  if ("from" in nth) {
    Check.whole("nth.from", nth.from, 1)
    return Check.whole("nth.to", nth.to, nth.from)
  }
  if (nth.length === 0) throw new InvalidOption({ option: "nth", problem: "names no request" })
  nth.forEach((one, at) => Check.whole(`nth[${at}]`, one, 1))
}

/**
 * This status. Without a body, it is the service's own for that status.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const status = (
  status: number,
  options: {
    /** Names in any case. */
    readonly headers?: Readonly<Record<string, string>> | undefined
    readonly body?: string | undefined
  } = {}
): Outcome => {
  Check.status("status", status)
  return {
    _tag: "Status",
    status,
    headers: Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    ),
    body: options.body
  }
}

/**
 * An HTML page, as a proxy sends it. Default 502.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const html = (status: number = 502): Outcome => {
  Check.status("status", status)
  return { _tag: "Html", status }
}

/**
 * 401, as Keystone's middleware answers a token that has ended. The token itself stays good.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const expiredToken: Outcome = { _tag: "ExpiredToken" }

/**
 * The connection is reset before anything is said.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const reset: Outcome = { _tag: "Reset" }

/**
 * No answer, and the connection stays open.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const hang: Outcome = { _tag: "Hang" }

/**
 * The cloud's own answer, cut after so many bytes of its body. A body that isn't longer stays whole.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const truncate = (bytes: number): Outcome => {
  Check.whole("bytes", bytes, 0)
  return { _tag: "Truncate", bytes }
}

/**
 * The cloud's own answer with a body that isn't JSON: its last byte is missing, and nothing else says so.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const malformed: Outcome = { _tag: "Malformed" }

/**
 * The cloud's own answer: with a delay, a slow one.
 *
 * @since 0.1.0
 * @category outcomes
 */
export const pass: Outcome = { _tag: "Pass" }

/**
 * Puts faults in front of an app. The first fault whose match and `nth` fit a request decides what becomes of it.
 *
 * Requests that don't reach a fake cloud are written into its journal, with the status that was sent, or 0 if nothing
 * was.
 *
 * @example
 * ```ts
 * import * as Faults from "@effect-manila/test-kit/Faults"
 *
 * // Two looks get a 503, the third is reset, all others are good.
 * const faults = [
 *   Faults.on({ method: "GET", path: "shares/*", nth: [1, 2] }, Faults.status(503)),
 *   Faults.on({ method: "GET", path: "shares/*", nth: 3 }, Faults.reset)
 * ]
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const wrap = (
  source: App | { readonly app: App; readonly journal?: Journal.Journal },
  faults: ReadonlyArray<Fault>
): Effect.Effect<Faulty> =>
  Effect.sync(() => {
    const inner = appOf(source)
    const journal = typeof source === "function" ? undefined : source.journal
    const armed = faults.map(arm)
    let requestIds = 0

    const answer = (fault: Fault, request: WireRequest): Effect.Effect<WireReply> => {
      const { outcome } = fault
      if (Reply.ofCloud(outcome)) return Effect.map(inner(request), (reply) => Reply.change(outcome, reply))
      const reply = Reply.make(outcome, request, `req-fa010000-0000-4000-8000-${hex(++requestIds)}`)
      if (fault.match.applied === true) return Effect.as(inner(request), reply)
      return journal === undefined
        ? Effect.succeed(reply)
        : Effect.as(
            Effect.flatMap(Clock.currentTimeMillis, (now) => journal.record(Reply.entry(request, reply, now))),
            reply
          )
    }

    return {
      app: (request) =>
        Effect.suspend(() => {
          let first: Fault | undefined
          for (const one of armed) {
            if (!one.matches(request)) continue
            one.matched++
            if (first === undefined && one.isDue(one.matched)) {
              first = one.fault
              one.fired++
            }
          }
          if (first === undefined) return inner(request)
          const delay = Duration.toMillis(first.match.delay ?? 0)
          return delay === 0
            ? answer(first, request)
            : Effect.map(answer(first, request), (reply) => ({
                ...reply,
                delayMillis: (reply.delayMillis ?? 0) + delay
              }))
        }),
      counts: Effect.sync(() => armed.map(({ fired, matched }) => ({ matched, fired }))),
      add: (...more) => Effect.sync(() => void armed.push(...more.map(arm)))
    }
  })

/**
 * The `FakeCloud` of the context with faults in front of it; everything else of it stays.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (faults: ReadonlyArray<Fault>): Layer.Layer<FakeCloud.FakeCloud, never, FakeCloud.FakeCloud> =>
  Layer.effect(
    FakeCloud.FakeCloud,
    Effect.flatMap(FakeCloud.FakeCloud, (cloud) => Effect.map(wrap(cloud, faults), ({ app }) => ({ ...cloud, app })))
  )

interface Armed {
  readonly fault: Fault
  readonly matches: (request: WireRequest) => boolean
  readonly isDue: (count: number) => boolean
  matched: number
  fired: number
}

const arm = (fault: Fault): Armed => {
  const { method, nth, path, service } = fault.match
  const pattern = typeof path === "string" ? patternOf(path) : path
  return {
    fault,
    matches: (request) =>
      (method === undefined || method.toUpperCase() === request.method.toUpperCase()) &&
      (service === undefined || Reply.serviceOf(request) === service) &&
      (pattern === undefined || request.path.search(pattern) !== -1),
    isDue: (count) => {
      if (nth === undefined) return true
      if (typeof nth === "number") return count === nth
      if ("from" in nth) return count >= nth.from && (nth.to === undefined || count <= nth.to)
      return nth.includes(count)
    },
    matched: 0,
    fired: 0
  }
}

const patternOf = (glob: string): RegExp => {
  const anchored = glob.startsWith("/")
  const segments = glob.split("/").filter((segment) => segment !== "")
  const source = segments
    .map((segment) => {
      if (segment === "**") return "(?:/[^/]+)*"
      if (segment === "*") return "/[^/]+"
      return `/${segment.split("*").map(escaped).join("[^/]*")}`
    })
    .join("")
  return new RegExp(`${anchored ? "^" : ""}${source}/?$`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const hex = (n: number): string => n.toString(16).padStart(12, "0")
