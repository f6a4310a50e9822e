/**
 * Drives one wait: sleeps, looks, steps the schedule, and lets the transition decide the rest.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
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
const finalLook = Duration.seconds(5)

export interface Drive<A, E, R> {
  readonly probe: Effect.Effect<Option.Option<A>, E, R>
  readonly goal: Goal.Goal<A>
  readonly pace: Pace.Pace
  readonly patience: Patience.Patience<E>
  readonly bounds: T.Bounds
  readonly listener: Listener<A, E>
}

export interface Told<A, E> {
  readonly state: T.State<A>
  readonly looked: T.Looked<A, E>
  readonly changed: boolean
  readonly ended: number
  readonly next: T.Plan | T.Stop<A, E>
  readonly progress: string | null
}

/** Told after every look, once it is known when the next one comes. Most looks need no effect. */
export type Listener<A, E> = (told: Told<A, E>) => Effect.Effect<void> | undefined

export interface Driven<A, E> {
  readonly state: T.State<A>
  readonly stop: T.Stop<A, E>
  readonly elapsed: number
}

/**
 * The two sides of the race are interruptible even where the wait is not, as in a finalizer: the limit has to be able
 * to abort a look that hangs. The limit goes to sleep first, since `TestClock` wakes those of one instant youngest first.
 */
export const run = <A, E, R>(drive: Drive<A, E, R>): Effect.Effect<Driven<A, E>, never, R> =>
  Effect.flatMap(Effect.clock, (clock) => {
    const wait = new Wait(drive, clock)
    return Number.isFinite(drive.bounds.limit)
      ? Effect.raceFirst(Effect.interruptible(wait.limit), Effect.interruptible(wait.looks))
      : wait.looks
  })

class Wait<A, E, R> {
  private state: T.State<A>
  private phase: "between" | "looking" | "final" = "between"
  private readonly hint = new Hint.Box()
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
  *sleepUntil(at: number) {
    for (;;) {
      const left = Math.ceil(at - this.elapsed() - 1e-6)
      if (left <= 0) return
      yield* this.clock.sleep(Duration.millis(Math.min(left, longestSleep)))
    }
  }

  end(stop: T.Stop<A, E>): Driven<A, E> {
    return { state: this.state, stop, elapsed: this.elapsed() }
  }

  get looks(): Effect.Effect<Driven<A, E>, never, R> {
    const { bounds, listener, pace, patience } = this.drive
    const { hint } = this
    const look = Effect.exit(this.drive.probe)
    const loop = Effect.gen(this, function* () {
      let memory = pace.schedule.initial
      let plan = T.first(bounds)
      for (;;) {
        yield* this.sleepUntil(plan.at)
        hint.clear()
        const began = this.elapsed()
        // A look that comes late, past the limit, is the last one too.
        const final = plan.final || began >= bounds.limit
        this.phase = final ? "final" : "looking"
        const looked = toLooked(yield* look)
        this.phase = "between"
        if (Exit.isExit(looked)) return yield* looked
        const ended = this.elapsed()
        const { progress, retryAfterMillis } = hint
        const judged = T.look(this.state, looked, { began, ended, hinted: retryAfterMillis }, patience)
        this.state = judged.state
        let next: T.Plan | T.Stop<A, E>
        if (judged.stop !== undefined) {
          next = judged.stop
        } else {
          const [after, , decision] = yield* pace.schedule.step(T.schedulesNow(judged.state, ended), undefined, memory)
          memory = after
          const tick = ScheduleDecision.isDone(decision) ? undefined : ScheduleIntervals.start(decision.intervals)
          const planned = T.plan(judged, ended, final, tick, bounds)
          this.state = planned.state
          next = planned.next
        }
        const { changed } = judged
        const heard = listener({ state: this.state, looked, changed, ended, next, progress })
        if (heard !== undefined) yield* heard
        if (T.isPlan(next)) {
          plan = next
          continue
        }
        if (T.lasts(next)) yield* this.sleepUntil(bounds.limit)
        return this.end(next)
      }
    })
    return Effect.locally(loop, Hint.current, hint)
  }

  /**
   * Aborts a look that is in flight when the limit passes; one that begins at the limit gets a little longer. The sleep
   * of no time comes after all that end at this very instant: a look among them has made it.
   */
  get limit(): Effect.Effect<Driven<A, E>> {
    return Effect.gen(this, function* () {
      yield* this.sleepUntil(this.drive.bounds.limit)
      if (this.phase === "looking") yield* this.clock.sleep(Duration.zero)
      if (this.phase !== "looking") yield* this.clock.sleep(finalLook)
      return this.end({ _tag: "TimedOut", cause: "limit", retryAfter: null })
    })
  }
}

/**
 * A failed connection attempt can arrive in parallel with the interruption of its siblings, so the failure is looked
 * for, not expected on top. Defects, and a probe that interrupts itself, are not faults and go through.
 */
const toLooked = <A, E>(exit: Exit.Exit<Option.Option<A>, E>): T.Looked<A, E> | Exit.Exit<never> => {
  if (Exit.isSuccess(exit)) return { _tag: "Seen", seen: exit.value }
  const failure = Cause.failureOrCause(exit.cause)
  return failure._tag === "Left" ? { _tag: "Fault", error: failure.left } : Exit.failCause(failure.right)
}
