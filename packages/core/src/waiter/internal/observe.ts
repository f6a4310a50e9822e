/**
 * Makes a wait visible: progress events, span events, metrics and logs, all from what the transition emits.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type * as Patience from "../Patience.ts"
import type * as Progress from "../Progress.ts"
import * as WaitError from "../WaitError.ts"
import type * as Waiter from "../Waiter.ts"
import type * as Driver from "./driver.ts"
import * as T from "./transition.ts"

const looksTotal = Metric.counter("waiter_looks_total", { description: "Looks taken by waits", incremental: true })

const waitsTotal = Metric.counter("waiter_waits_total", { description: "Waits by their ending", incremental: true })

const duration = Metric.histogram(
  "waiter_wait_duration_seconds",
  MetricBoundaries.fromIterable([1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14400, 86400]),
  "How long waits took"
)

/** A tagged metric finds its place in the registry once; made anew for every wait, it would be a fifth of a short one. */
const once = <M>(make: (tag: string) => M): ((tag: string) => M) => {
  const made = new Map<string, M>()
  return (tag) => {
    const known = made.get(tag)
    if (known !== undefined) return known
    const metric = make(tag)
    made.set(tag, metric)
    return metric
  }
}

const looksOf = once((kind) => Metric.tagged(looksTotal, "kind", kind))
const waitsOf = once((kind) =>
  once((ending) => Metric.tagged(Metric.tagged(waitsTotal, "kind", kind), "ending", ending))
)
const durationOf = once((kind) => Metric.tagged(duration, "kind", kind))

const reasonMillis = 5_000

interface Watch<A, E, R2> {
  readonly started: (limit: number) => Effect.Effect<void, never, R2>
  readonly look: <R>(probe: Effect.Effect<Option.Option<A>, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  readonly listener: Effect.Effect<Driver.Listener<A, E>, never, R2>
  readonly reason: Effect.Effect<WaitError.Reason | null, never, R2>
  readonly ended: (outcome: Waiter.Outcome<A, E>) => Effect.Effect<void, never, R2>
}

export const make = <A, E, R2>(input: {
  readonly subject: WaitError.Subject
  readonly wanted: string
  /** Milliseconds its deadline had run when the wait began. */
  readonly offset: number
  readonly patience: Patience.Patience<E>
  readonly options: Waiter.Options<E, R2>
}): Watch<A, E, R2> => {
  const { offset, options, patience, subject, wanted } = input
  const { onProgress } = options
  const emit = (event: Progress.Progress): Effect.Effect<void, never, R2> =>
    onProgress === undefined ? Effect.void : onProgress(event)

  return {
    started: (limit) => emit({ _tag: "Started", subject, wanted, limitMillis: Number.isFinite(limit) ? limit : null }),
    look: (probe) =>
      options.spanPerLook === true
        ? Effect.withSpan(probe, `look at ${subject.kind}`, { captureStackTrace: false })
        : probe,
    listener: Effect.map(
      Effect.all([Effect.context<R2>(), Effect.option(Effect.currentSpan), Effect.clock]),
      ([context, span, clock]): Driver.Listener<A, E> => {
        const looks = looksOf(subject.kind)
        return (told) => {
          looks.unsafeUpdate(1, [])
          const survived = told.looked._tag === "Fault" && T.isPlan(told.next)
          const marks = told.changed || survived
          if (onProgress === undefined && !marks) return undefined
          const event = toProgress(told, subject, offset, patience.tolerate)
          if (event === undefined) return undefined
          const heard = onProgress === undefined ? Effect.void : Effect.provide(onProgress(event), context)
          return marks ? Effect.zipRight(mark(event, span, clock), heard) : heard
        }
      }
    ),
    // Inside a finalizer nothing is interruptible unless it says so, and then no time-out could cut it short.
    reason:
      options.reason === undefined
        ? Effect.succeed(null)
        : Effect.interruptible(options.reason).pipe(
            Effect.timeout(reasonMillis),
            Effect.map(Option.getOrNull),
            Effect.catchAllCause(() => Effect.succeed(null))
          ),
    ended: (outcome) => {
      const { elapsedMillis, looks, status } = "report" in outcome ? outcome.report : outcome.error
      const ending = endingOf[outcome._tag]
      const message =
        outcome._tag === "Reached"
          ? `${WaitError.subjectText(subject)}: ${wanted}`
          : outcome.error instanceof Error
            ? outcome.error.message
            : "a fault"
      return Effect.zipRight(
        Effect.sync(() => {
          count(subject, ending)
          durationOf(subject.kind).unsafeUpdate(elapsedMillis / 1000, [])
        }),
        Effect.zipRight(
          Effect.annotateCurrentSpan({ "wait.ending": ending, "wait.status": status, "wait.looks": looks }),
          emit({ _tag: "Ended", subject, ending, status, elapsedMillis, looks, message })
        )
      )
    }
  }
}

const count = (subject: WaitError.Subject, ending: Progress.Ending | "interrupted"): void =>
  waitsOf(subject.kind)(ending).unsafeUpdate(1, [])

const endingOf: Record<Waiter.Outcome<unknown, unknown>["_tag"], Progress.Ending> = {
  Reached: "reached",
  Failed: "failed",
  TimedOut: "timedOut",
  NeedsAction: "needsAction",
  Faulted: "faulted"
}

const toProgress = <A, E>(
  told: Driver.Told<A, E>,
  subject: WaitError.Subject,
  offset: number,
  tolerated: number
): Progress.Progress | undefined => {
  const { changed, ended, looked, next, progress, state } = told
  const { last, looks } = state
  const elapsedMillis = ended + offset
  const nextMillis = T.isPlan(next) ? next.at + offset : null
  if (looked._tag === "Fault") {
    const { faultsInARow: inARow, lastFault } = state
    const fault = lastFault ?? "a fault"
    return { _tag: "Faulted", subject, fault, inARow, tolerated, elapsedMillis, looks, nextMillis }
  }
  if (last === undefined) return undefined
  const { status } = last
  const sinceMillis = ended - last.firstSeen
  return { _tag: "Looked", subject, status, changed, sinceMillis, elapsedMillis, looks, nextMillis, progress }
}

/** A span event and a log line; only changes and faults get here, so their cost is not paid by every look. */
const mark = (event: Progress.Progress, span: Option.Option<Tracer.Span>, clock: Clock.Clock): Effect.Effect<void> => {
  const isFault = event._tag === "Faulted"
  const name = isFault ? "fault" : "status"
  const { subject } = event
  const attributes: Record<string, unknown> =
    event._tag === "Faulted"
      ? { fault: event.fault, inARow: event.inARow }
      : event._tag === "Looked"
        ? { status: event.status, elapsedMillis: event.elapsedMillis }
        : {}
  const logged = isFault
    ? Effect.logWarning(`${WaitError.subjectText(subject)}: a look failed and will be repeated`)
    : Effect.logDebug(`${WaitError.subjectText(subject)}: status changed`)
  return Effect.zipRight(
    Effect.sync(() => {
      if (Option.isSome(span)) span.value.event(name, clock.unsafeCurrentTimeNanos(), attributes)
    }),
    Effect.annotateLogs(logged, { ...attributes, kind: subject.kind, id: subject.id ?? "" })
  )
}

/** The span every wait runs in. Interruption is an ending too, and the only one that has no outcome. */
export const traced = <A, E, R>(
  wait: Effect.Effect<A, E, R>,
  subject: WaitError.Subject,
  wanted: string
): Effect.Effect<A, E, R> =>
  wait.pipe(
    Effect.onInterrupt(() => Effect.sync(() => count(subject, "interrupted"))),
    Effect.withSpan(`wait ${subject.kind}${subject.verb === undefined ? "" : ` ${subject.verb}`}`, {
      captureStackTrace: false,
      attributes: {
        "wait.kind": subject.kind,
        "wait.id": subject.id ?? "",
        "wait.verb": subject.verb ?? "",
        "wait.wanted": wanted
      }
    })
  )
