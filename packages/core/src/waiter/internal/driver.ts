/**
 * Drives one wait: sleeps, looks, steps the schedule, and lets the transition decide the rest.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as ScheduleDecision from "effect/ScheduleDecision"
import * as ScheduleIntervals from "effect/ScheduleIntervals"
import type * as Goal from "../Goal.ts"
import type * as Pace from "../Pace.ts"
import type * as Patience from "../Patience.ts"
import * as Hint from "./hint.ts"
import * as T from "./transition.ts"

/** A timer past some 24.8 days fires at once on Node, and one past a day may never wake. */
const longestSleep = 86_400_000

/** How long a look that begins at the limit may outlive it. */
const finalLookMillis = 5_000

export interface Drive<A, E, R> {
  readonly probe: Effect.Effect<Option.Option<A>, E, R>
  readonly goal: Goal.Goal<A>
  readonly pace: Pace.Pace
  readonly patience: Patience.Patience<E>
  readonly bounds: T.Bounds
  readonly listener: Listener<A, E>
}

/** Told after every look, once it is known when the next one comes. */
export type Listener<A, E> = (told: {
  readonly state: T.State<A>
  readonly looked: T.Looked<A, E>
  readonly changed: boolean
  readonly ended: number
  readonly next: T.Plan | T.Stop<A, E>
  readonly progress: string | undefined
}) => Effect.Effect<void>

export interface Driven<A, E> {
  readonly state: T.State<A>
  readonly stop: T.Stop<A, E>
  readonly elapsed: number
}

export const run = <A, E, R>(drive: Drive<A, E, R>): Effect.Effect<Driven<A, E>, never, R> =>
  Effect.flatMap(Effect.clock, (clock) =>
    Effect.suspend(() => {
      const wait = new Wait(drive, clock)
      return Number.isFinite(drive.bounds.limit) ? Effect.raceFirst(wait.looks, wait.limit) : wait.looks
    })
  )

class Wait<A, E, R> {
  private state: T.State<A>
  private phase: "between" | "looking" | "final" = "between"
  private readonly started: bigint
  private readonly drive: Drive<A, E, R>
  private readonly clock: Clock.Clock

  constructor(drive: Drive<A, E, R>, clock: Clock.Clock) {
    this.drive = drive
    this.clock = clock
    this.state = T.begin(drive.goal)
    this.started = clock.unsafeCurrentTimeNanos()
  }

  elapsed(): number {
    return Number(this.clock.unsafeCurrentTimeNanos() - this.started) / 1_000_000
  }

  /** Sleeps are whole milliseconds: a fraction left over by a jittered gap would be a wake-up of its own. */
  sleepUntil(at: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const left = Math.ceil(at - this.elapsed() - 1e-6)
      if (left <= 0) return Effect.void
      return Effect.flatMap(Effect.sleep(Duration.millis(Math.min(left, longestSleep))), () => this.sleepUntil(at))
    })
  }

  end(stop: T.Stop<A, E>): Driven<A, E> {
    return { state: this.state, stop, elapsed: this.elapsed() }
  }

  get looks(): Effect.Effect<Driven<A, E>, never, R> {
    const { bounds, listener, pace, patience, probe } = this.drive
    return Effect.gen(this, function* () {
      let memory = pace.schedule.initial
      let plan = T.first(bounds)
      for (;;) {
        if (plan.at > 0) yield* this.sleepUntil(plan.at)
        const began = this.elapsed()
        this.phase = plan.final ? "final" : "looking"
        const looked = yield* observe(probe)
        this.phase = "between"
        const ended = this.elapsed()
        const hint = yield* takeHint
        const judged = T.look(this.state, looked, { began, ended, hinted: hint.retryAfterMillis ?? 0 }, patience)
        this.state = judged.state
        let next: T.Plan | T.Stop<A, E>
        if (judged.stop !== undefined) {
          next = judged.stop
        } else {
          const now = T.schedulesNow(judged.state, ended)
          const [after, , decision] = yield* pace.schedule.step(now, undefined, memory)
          memory = after
          const tick = ScheduleDecision.isDone(decision) ? undefined : ScheduleIntervals.start(decision.intervals)
          const planned = T.plan(judged, ended, plan.final, tick, bounds)
          this.state = planned.state
          next = planned.next
        }
        const { changed } = judged
        yield* listener({ state: this.state, looked, changed, ended, next, progress: hint.progress })
        if (!T.isPlan(next)) return this.end(yield* this.untilLimit(next))
        plan = next
      }
    })
  }

  /** A wait whose last look the floor forbids still lasts to its limit, unless the server asked for more than that. */
  untilLimit(stop: T.Stop<A, E>): Effect.Effect<T.Stop<A, E>> {
    return stop._tag === "TimedOut" && stop.cause === "limit" && stop.retryAfter === null
      ? Effect.as(this.sleepUntil(this.drive.bounds.limit), stop)
      : Effect.succeed(stop)
  }

  /** Aborts a look that is in flight when the limit passes; one that begins at the limit gets a little longer. */
  get limit(): Effect.Effect<Driven<A, E>> {
    const { limit } = this.drive.bounds
    const over = Effect.sync(() => this.end({ _tag: "TimedOut", cause: "limit", retryAfter: null }))
    return Effect.flatMap(this.sleepUntil(limit), () =>
      this.phase === "looking" ? over : Effect.zipRight(Effect.sleep(Duration.millis(finalLookMillis)), over)
    )
  }
}

/**
 * A failed connection attempt can arrive as a parallel cause, so the failure is looked for, not expected on top.
 * Defects and interruption are not faults and go through.
 */
const observe = <A, E, R>(probe: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<T.Looked<A, E>, never, R> =>
  Effect.matchCauseEffect(probe, {
    onSuccess: (seen) => Effect.succeed<T.Looked<A, E>>({ _tag: "Seen", seen }),
    onFailure: (cause) =>
      Cause.isInterrupted(cause)
        ? Effect.interrupt
        : Option.match(Cause.failureOption(cause), {
            onNone: () => Effect.failCause(cause as Cause.Cause<never>),
            onSome: (error) => Effect.succeed<T.Looked<A, E>>({ _tag: "Fault", error })
          })
  })

const takeHint: Effect.Effect<Hint.Hint> = Effect.flatMap(FiberRef.get(Hint.current), (hint) =>
  hint === Hint.none ? Effect.succeed(hint) : Effect.as(FiberRef.set(Hint.current, Hint.none), hint)
)
