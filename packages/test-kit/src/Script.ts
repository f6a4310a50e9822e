/**
 * A probe that answers from a list, and remembers every look.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Timeline from "./Timeline.ts"

/**
 * What the status shorthand stands for: the least an object of any cloud is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed {
  readonly status: string
}

/**
 * The answer to one look.
 *
 * @since 0.1.0
 * @category models
 */
export type Answer<A, E> =
  | { readonly _tag: "Seen"; readonly value: A }
  | { readonly _tag: "None" }
  | { readonly _tag: "Fail"; readonly error: E }
  | { readonly _tag: "Never" }
  | { readonly _tag: "Delayed"; readonly millis: number; readonly answer: Answer<A, E> }

/**
 * One look: when it began and ended, in milliseconds of the clock's monotonic time.
 *
 * @since 0.1.0
 * @category models
 */
export interface Look {
  readonly start: number
  /** `undefined` while the look is in flight. */
  readonly end: number | undefined
  readonly ending: "in flight" | "seen" | "none" | "failed" | "interrupted"
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Script<A, E> {
  readonly probe: Effect.Effect<Option.Option<A>, E>
  readonly looks: Effect.Effect<ReadonlyArray<Look>>
  /** How many looks have begun. */
  readonly count: Effect.Effect<number>
  /** When each look began, in milliseconds. */
  readonly starts: Effect.Effect<ReadonlyArray<number>>
  /** The most looks that were ever in flight together. */
  readonly mostInFlight: Effect.Effect<number>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * What a look past the end of the list gets: the last answer again (`"repeat"`, the default), or a defect that says
   * how many looks were expected (`"die"`).
   */
  readonly past?: "repeat" | "die" | undefined
}

/**
 * The object is there, like this.
 *
 * @since 0.1.0
 * @category answers
 */
export const seen = <A>(value: A): Answer<A, never> => ({ _tag: "Seen", value })

/**
 * The object is there with this status and nothing else. A bare text in a list means the same.
 *
 * @since 0.1.0
 * @category answers
 */
export const status = (status: string): Answer<Observed, never> => seen({ status })

/**
 * The object isn't there: a 404.
 *
 * @since 0.1.0
 * @category answers
 */
export const none: Answer<never, never> = { _tag: "None" }

/**
 * The look fails.
 *
 * @since 0.1.0
 * @category answers
 */
export const fail = <E>(error: E): Answer<never, E> => ({ _tag: "Fail", error })

/**
 * The look never ends by itself.
 *
 * @since 0.1.0
 * @category answers
 */
export const never: Answer<never, never> = { _tag: "Never" }

/**
 * An answer that takes so long. A text stands for a status.
 *
 * @since 0.1.0
 * @category answers
 */
export const delayed = <I extends string | Answer<unknown, unknown>>(
  delay: Duration.DurationInput,
  answer: I
): Answer<ValueOf<I>, ErrorOf<I>> => ({ _tag: "Delayed", millis: Duration.toMillis(delay), answer: toAnswer(answer) })

/**
 * The same answer for so many looks: spread it into a list.
 *
 * @since 0.1.0
 * @category answers
 */
export const times = <I>(n: number, item: I): ReadonlyArray<I> => Array.from({ length: n }, () => item)

// By the member that holds it: an answer without a value, or without an error, has `never` there and adds nothing.
type ValueOf<I> = I extends string ? Observed : I extends { readonly _tag: "Seen"; readonly value: infer A } ? A : never
type ErrorOf<I> = I extends { readonly _tag: "Fail"; readonly error: infer E } ? E : never

// `I` is a union of texts and answers; what it holds was named by `ValueOf` and `ErrorOf`.
const toAnswer = <I extends string | Answer<unknown, unknown>>(item: I) =>
  (typeof item === "string" ? status(item) : item) as Answer<ValueOf<I>, ErrorOf<I>>

/**
 * A script that gives these answers in order, one a look.
 *
 * @example
 * ```ts
 * import * as Script from "@effect-manila/test-kit/Script"
 * import * as Effect from "effect/Effect"
 *
 * const program = Effect.gen(function*() {
 *   const share = yield* Script.make(["creating", Script.fail("503"), Script.delayed("2 seconds", "available")])
 *   yield* share.probe
 *   return yield* share.count // 1
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <I extends string | Answer<unknown, unknown>>(
  items: ReadonlyArray<I>,
  options: Options = {}
): Effect.Effect<Script<ValueOf<I>, ErrorOf<I>>> =>
  Effect.suspend(() => {
    const answers = items.map(toAnswer)
    if (answers.length === 0) return Effect.dieMessage("a script has at least one answer")
    return record((look) => {
      if (look >= answers.length && options.past === "die") {
        return Effect.dieMessage(`the script has ${answers.length} answers, and look ${look + 1} came`)
      }
      return answering(answers[Math.min(look, answers.length - 1)]!)
    })
  })

/**
 * A script that answers with the status of the timeline, counted from the making of the script; `gone` is `None`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromTimeline = (timeline: Timeline.Timeline): Effect.Effect<Script<Observed, never>> =>
  Effect.flatMap(nowMillis, (made) =>
    record(() =>
      Effect.map(nowMillis, (now) => Option.map(Timeline.observe(timeline, now - made), (status) => ({ status })))
    )
  )

const nowMillis: Effect.Effect<number> = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1_000_000)

const answering = <A, E>(answer: Answer<A, E>): Effect.Effect<Option.Option<A>, E> => {
  switch (answer._tag) {
    case "Seen":
      return Effect.succeedSome(answer.value)
    case "None":
      return Effect.succeedNone
    case "Fail":
      return Effect.fail(answer.error)
    case "Never":
      return Effect.never
    case "Delayed":
      return Effect.zipRight(Effect.sleep(answer.millis), answering(answer.answer))
  }
}

const endingOf = <A, E>(exit: Exit.Exit<Option.Option<A>, E>): Look["ending"] => {
  if (Exit.isSuccess(exit)) return Option.isSome(exit.value) ? "seen" : "none"
  return Exit.isInterrupted(exit) ? "interrupted" : "failed"
}

const record = <A, E>(answer: (look: number) => Effect.Effect<Option.Option<A>, E>): Effect.Effect<Script<A, E>> =>
  Effect.sync(() => {
    const looks: Array<Look> = []
    let inFlight = 0
    let mostInFlight = 0
    return {
      probe: Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(nowMillis, (start) => {
          const look = looks.push({ start, end: undefined, ending: "in flight" }) - 1
          mostInFlight = Math.max(mostInFlight, ++inFlight)
          return Effect.onExit(restore(answer(look)), (exit) =>
            Effect.map(nowMillis, (end) => {
              inFlight--
              looks[look] = { start, end, ending: endingOf(exit) }
            })
          )
        })
      ),
      looks: Effect.sync(() => [...looks]),
      count: Effect.sync(() => looks.length),
      starts: Effect.sync(() => looks.map(({ start }) => start)),
      mostInFlight: Effect.sync(() => mostInFlight)
    }
  })
