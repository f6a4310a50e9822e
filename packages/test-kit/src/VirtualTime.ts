/**
 * Runs an effect in simulated time: when every fiber waits, the clock jumps to the next sleeper.
 *
 * A day of looks every five seconds takes a fraction of a second, and the whole run is synchronous: no promise, no
 * timer, nothing that depends on the machine. It works in a plain test, inside `it.effect`, and in a property that runs
 * thousands of times.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as Random from "effect/Random"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Scheduler from "effect/Scheduler"
import * as Schema from "effect/Schema"
import * as Supervisor from "effect/Supervisor"
import * as Check from "./internal/Check.ts"
import { FiberWatch } from "./internal/FiberWatch.ts"
import type { Waits } from "./internal/FiberWatch.ts"
import { InvalidOption } from "./InvalidOption.ts"
import { longestSleepMillis, VirtualClock } from "./internal/VirtualClock.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What the clock shows at the start, in milliseconds since the epoch. Default 0. */
  readonly start?: number | undefined
  /** Seeds `Random`. Runs with one seed draw the same numbers; the default is a fixed one. */
  readonly seed?: string | number | undefined
  /** The most virtual time a run may take. Default 30 days. */
  readonly maxTime?: Duration.DurationInput | undefined
  /**
   * The most steps a run may take: wake-ups, scheduled tasks, and 50 for each 2048 instructions that a fiber goes on
   * without a pause, so that a loop without a sleep is found out in time. Default 10 million.
   */
  readonly maxSteps?: number | undefined
  /**
   * What happens if time would move on while a fiber waits for a promise, a socket or another callback. `"fail"` (the
   * default) ends the run with `Deadlock`. `"ignore"` moves time past it; a program that retries STM transactions
   * needs that, since they can't be told from callbacks.
   */
  readonly outside?: "fail" | "ignore" | undefined
  /** `"fail"` ends a run that left fibers behind with `FibersLeft`. Default `"report"`: see `Run.left`. */
  readonly left?: "report" | "fail" | undefined
}

/**
 * One fiber and what it waits for, in words.
 *
 * @since 0.1.0
 * @category models
 */
export interface Waiting {
  /** `#12` */
  readonly fiber: string
  readonly waitsFor: string
}

/**
 * How a run ended, and what it took.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run<A, E> {
  readonly exit: Exit.Exit<A, E>
  /** Virtual milliseconds from the start to the end of the main fiber. */
  readonly elapsedMillis: number
  /** Wake-ups and scheduled tasks, as `maxSteps` counts them. */
  readonly steps: number
  /** Fibers that outlived the main one. They are interrupted once they are listed. */
  readonly left: ReadonlyArray<Waiting>
}

const waiting = Schema.Array(Schema.Struct({ fiber: Schema.String, waitsFor: Schema.String }))

const listed = (fibers: ReadonlyArray<Waiting>): string =>
  fibers
    .slice(0, 5)
    .map(({ fiber, waitsFor }) => `fiber ${fiber} waits for ${waitsFor}`)
    .join("; ") + (fibers.length > 5 ? `; and ${fibers.length - 5} more` : "")

/**
 * A fiber waits for something that isn't the run's clock: nobody sleeps and the main fiber isn't done, or time was
 * about to move past a promise or socket.
 *
 * @since 0.1.0
 * @category errors
 */
export class Deadlock extends Schema.TaggedError<Deadlock>("@effect-manila/test-kit/VirtualTime/Deadlock")("Deadlock", {
  /** Virtual milliseconds since the start. */
  elapsedMillis: Schema.Number,
  /** Time was about to move past a promise, a socket or another callback. */
  outside: Schema.Boolean,
  waiting
}) {
  override get message(): string {
    return this.outside
      ? `after ${this.elapsedMillis} ms: ${listed(this.waiting)}; virtual time can't wait for it`
      : `after ${this.elapsedMillis} ms nothing sleeps and nothing can go on: ${listed(this.waiting)}`
  }
}

/**
 * The run took more virtual time or more steps than allowed.
 *
 * @since 0.1.0
 * @category errors
 */
export class Runaway extends Schema.TaggedError<Runaway>("@effect-manila/test-kit/VirtualTime/Runaway")("Runaway", {
  limit: Schema.Literal("time", "steps"),
  elapsedMillis: Schema.Number,
  steps: Schema.Number
}) {
  override get message(): string {
    const what = this.limit === "time" ? "virtual time" : "steps"
    return `more ${what} than allowed: stopped after ${this.elapsedMillis} ms and ${this.steps} steps`
  }
}

/**
 * The main fiber succeeded, but fibers it started are still there.
 *
 * @since 0.1.0
 * @category errors
 */
export class FibersLeft extends Schema.TaggedError<FibersLeft>("@effect-manila/test-kit/VirtualTime/FibersLeft")(
  "FibersLeft",
  { left: waiting }
) {
  override get message(): string {
    return `${this.left.length} left behind: ${listed(this.left)}`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export type VirtualTimeError = Deadlock | Runaway | FibersLeft

/** The clock of a run, with what the effects below need of the run itself. */
class RunClock extends VirtualClock {
  readonly watch = new FiberWatch()
}

const words = (waits: Waits): string => {
  if (waits === "ready") return "its turn"
  if (waits === "clock") return "the clock"
  if (waits === "endless") return `a sleep of more than ${longestSleepMillis} ms, which no timer holds`
  if (waits === "outside") return "a promise, a socket or another callback"
  const ids = [...FiberId.ids(waits.on)]
  return ids.length === 0
    ? "a semaphore, a latch or for ever"
    : `something that ${ids.map((id) => `fiber #${id}`).join(" or ")} made or does`
}

const describe = (watch: FiberWatch): Array<Waiting> =>
  [...watch.alive.values()].map(({ fiber, waits }) => ({ fiber: `#${fiber.id().id}`, waitsFor: words(waits) }))

/** A fiber is made to pause after so many instructions; a step is some forty of them otherwise. */
const stepsOfBusyFiber = 50

/** What finalizers get after a failure, and other fibers after the end of the main one. */
const stepsAfterwards = 100_000
const millisAfterwards = 86_400_000

const millisOf = (option: string, duration: Duration.DurationInput): number => {
  const given = Duration.decodeUnknown(duration)
  // A number below 0 and one that is none are decoded to no time at all.
  if (given._tag === "None" || (typeof duration === "number" && !(duration >= 0)))
    throw new InvalidOption({ option, problem: `must be a duration, as in "30 days" or 5000, not ${String(duration)}` })
  return Duration.toMillis(given.value)
}

/**
 * Runs the effect with the given runtime's context and settings, and its own clock, scheduler and `Random`.
 */
const execute = <A, E, R>(
  runtime: Runtime.Runtime<R>,
  effect: Effect.Effect<A, E, R>,
  options: Options
): Run<A, E | VirtualTimeError> => {
  Check.positive("maxSteps", options.maxSteps)
  if (options.start !== undefined && !Number.isFinite(options.start))
    throw new InvalidOption({ option: "start", problem: `must be milliseconds since the epoch, not ${options.start}` })
  const clock = new RunClock(options.start ?? 0)
  const watch = clock.watch
  const maxMillis = millisOf("maxTime", options.maxTime ?? "30 days")
  const maxSteps = options.maxSteps ?? 10_000_000
  const queue = new Scheduler.PriorityBuckets()
  let open = true
  let steps = 0
  let main: Fiber.RuntimeFiber<A, E>

  const scheduler = Scheduler.make(
    (task, priority) => {
      if (open) queue.scheduleTask(task, priority)
    },
    (fiber) => {
      const priority = Scheduler.defaultShouldYield(fiber)
      if (priority !== false) steps += stepsOfBusyFiber
      return priority
    }
  )

  /** Runs what can go on without time passing; once the main fiber is done, only what takes a few steps more. */
  const settle = (limit: number): boolean => {
    let last = limit
    while (queue.buckets.length > 0) {
      if (last === limit && main.unsafePoll() !== null) last = Math.min(limit, steps + stepsAfterwards)
      const buckets = queue.buckets
      queue.buckets = []
      for (const [, tasks] of buckets) {
        steps += tasks.length
        for (const task of tasks) task()
      }
      if (steps > last) return false
    }
    return true
  }

  main = Runtime.runFork(
    Runtime.enableRuntimeFlag(
      Runtime.enableRuntimeFlag(runtime, RuntimeFlags.OpSupervision),
      RuntimeFlags.Interruption
    ),
    effect,
    {
      scheduler,
      updateRefs: (refs, fiberId) => {
        const services = FiberRefs.getOrDefault(refs, DefaultServices.currentServices).pipe(
          Context.add(Clock.Clock, clock),
          Context.add(Random.Random, Random.make(options.seed ?? "virtual time"))
        )
        const supervisor = FiberRefs.getOrDefault(refs, FiberRef.currentSupervisor)
        return FiberRefs.updateManyAs(refs, {
          forkAs: fiberId,
          entries: [
            [DefaultServices.currentServices, [[fiberId, services]]],
            [FiberRef.currentSupervisor, [[fiberId, supervisor === Supervisor.none ? watch : supervisor.zip(watch)]]]
          ]
        })
      }
    }
  )

  /** Goes on until the main fiber is done; what stops it otherwise is returned. */
  const drive = (limits: { readonly millis: number; readonly steps: number; readonly outside: boolean }) => {
    for (;;) {
      const settled = settle(limits.steps)
      if (main.unsafePoll() !== null) return undefined
      if (!settled) return stopped("steps")
      const next = clock.next()
      if (limits.outside && watch.outside.size > 0) return deadlock(true)
      if (next === undefined) return deadlock(watch.outside.size > 0)
      if (next > limits.millis) return stopped("time")
      clock.wakeNext()
      if (++steps > limits.steps) return stopped("steps")
    }
  }
  const stopped = (limit: "time" | "steps") => new Runaway({ limit, elapsedMillis: clock.elapsedMillis, steps })
  const deadlock = (outside: boolean) => {
    const everyone = describe(watch)
    return new Deadlock({
      elapsedMillis: clock.elapsedMillis,
      outside,
      waiting: outside ? everyone.filter(({ waitsFor }) => waitsFor === words("outside")) : everyone
    })
  }

  const failure = drive({ millis: maxMillis, steps: maxSteps, outside: options.outside !== "ignore" })
  const elapsedMillis = clock.elapsedMillis
  const taken = steps
  if (failure !== undefined) {
    // Its finalizers close sockets and clear timers, and may themselves take time.
    main.unsafeInterruptAsFork(FiberId.none)
    drive({ millis: elapsedMillis + millisAfterwards, steps: steps + stepsAfterwards, outside: false })
  }
  const left = failure === undefined ? describe(watch) : []
  for (const fiber of watch.alive.keys()) fiber.unsafeInterruptAsFork(FiberId.none)
  settle(steps + stepsAfterwards)
  open = false

  const exit = main.unsafePoll()
  return {
    exit:
      failure !== undefined || exit === null
        ? Exit.fail(failure ?? stopped("steps"))
        : Exit.isSuccess(exit) && options.left === "fail" && left.length > 0
          ? Exit.fail(new FibersLeft({ left }))
          : exit,
    elapsedMillis,
    steps: taken,
    left
  }
}

/**
 * Runs an effect that needs nothing, now, and gives its exit with the virtual time it took.
 *
 * Fails with `Deadlock` if a fiber waits for anything but the run's clock, with `Runaway` past `maxTime` or `maxSteps`.
 *
 * @since 0.1.0
 * @category execution
 */
export const runExit = <A, E>(effect: Effect.Effect<A, E>, options: Options = {}): Run<A, E | VirtualTimeError> =>
  execute(Runtime.defaultRuntime, effect, options)

/**
 * Runs an effect that needs nothing, now, and gives its value; a failure is thrown, as `Effect.runSync` does it.
 *
 * @since 0.1.0
 * @category execution
 */
export const runSync = <A, E>(effect: Effect.Effect<A, E>, options: Options = {}): A =>
  Effect.runSync(runExit(effect, options).exit)

/**
 * `runExit` for an effect that needs services of the surrounding program, for use inside `it.effect` and elsewhere.
 * The surrounding clock doesn't move, and changes the effect makes to `FiberRef`s stay inside.
 *
 * @since 0.1.0
 * @category execution
 */
export const record = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options: Options = {}
): Effect.Effect<Run<A, E | VirtualTimeError>, never, R> =>
  Effect.map(Effect.runtime<R>(), (runtime) => execute(runtime, effect, options))

/**
 * Runs an effect in virtual time as part of the surrounding program, which waits for it without time of its own
 * passing. Fails with what the effect fails with, or as `runExit` says.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options: Options = {}
): Effect.Effect<A, E | VirtualTimeError, R> => Effect.flatMap(record(effect, options), ({ exit }) => exit)

const withRunClock = <A>(name: string, f: (clock: RunClock) => A): Effect.Effect<A> =>
  Effect.clockWith((clock) =>
    clock instanceof RunClock
      ? Effect.sync(() => f(clock))
      : Effect.dieMessage(`VirtualTime.${name} was used outside of a virtual run`)
  )

/**
 * Sets the system's clock of the run to so many milliseconds since the epoch, as an administrator or a time service
 * does: `currentTimeMillis` jumps, `currentTimeNanos` and every sleep go on as if nothing had happened.
 * A defect outside of a run.
 *
 * @since 0.1.0
 * @category system clock
 */
export const setSystemClock = (millis: number): Effect.Effect<void> =>
  withRunClock("setSystemClock", (clock) => {
    clock.skewMillis = millis - clock.startMillis - clock.elapsedMillis
  })

/**
 * Moves the system's clock of the run by so many milliseconds, back if negative; see `setSystemClock`.
 *
 * @since 0.1.0
 * @category system clock
 */
export const moveSystemClock = (millis: number): Effect.Effect<void> =>
  withRunClock("moveSystemClock", (clock) => {
    clock.skewMillis += millis
  })

/**
 * The fibers of the run that have started and not ended, the calling one left out. A defect outside of a run.
 *
 * @since 0.1.0
 * @category fibers
 */
export const leftFibers: Effect.Effect<ReadonlyArray<Waiting>> = Effect.withFiberRuntime((self) =>
  withRunClock("leftFibers", (clock) =>
    describe(clock.watch).filter(({ fiber }) => fiber !== `#${(self as Fiber.RuntimeFiber<void>).id().id}`)
  )
)
