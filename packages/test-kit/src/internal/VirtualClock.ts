/**
 * The clock of one virtual run: a heap of sleepers, and the time it has come to.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

/** What a sleeping fiber is said to wait for: tells a sleep on this clock from a promise. */
export const sleepId: FiberId.FiberId = FiberId.make(-1, 0)

/** The same for a sleep that no timer can hold. */
export const endlessId: FiberId.FiberId = FiberId.make(-2, 0)

/** The live clock takes anything longer for an endless sleep, since timers hold no more. */
export const longestSleepMillis = 2 ** 31 - 1

interface Sleeper {
  readonly at: number
  readonly order: number
  wake: ((effect: Effect.Effect<void>) => void) | undefined
}

const before = (a: Sleeper, b: Sleeper): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/**
 * Sleepers wake in the order of their time, those of one instant in the order they went to sleep.
 */
export class VirtualClock implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  /** Milliseconds since the start of the run; fractions are kept. */
  elapsedMillis = 0
  readonly startMillis: number
  /** How far the system's clock has been moved; `currentTimeNanos` knows nothing of it. */
  skewMillis = 0
  private order = 0
  private cancelled = 0
  private heap: Array<Sleeper> = []

  constructor(startMillis: number) {
    this.startMillis = startMillis
  }

  unsafeCurrentTimeMillis(): number {
    return this.startMillis + this.elapsedMillis + this.skewMillis
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.round((this.startMillis + this.elapsedMillis) * 1_000_000))
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.unsafeCurrentTimeMillis())

  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.unsafeCurrentTimeNanos())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis > longestSleepMillis) return Effect.async<void>((_resume) => {}, endlessId)
    return Effect.async<void>((resume) => {
      const sleeper: Sleeper = { at: this.elapsedMillis + Math.max(0, millis), order: this.order++, wake: resume }
      this.push(sleeper)
      return Effect.sync(() => this.cancel(sleeper))
    }, sleepId)
  }

  /** When the next sleeper wakes, in milliseconds since the start; `undefined` if nobody sleeps. */
  next(): number | undefined {
    while (this.heap.length > 0 && this.heap[0]!.wake === undefined) {
      this.pop()
      this.cancelled--
    }
    return this.heap[0]?.at
  }

  /** Moves time to the next sleeper and wakes it, and only it: others of that instant come in later calls. */
  wakeNext(): void {
    const sleeper = this.pop()
    this.elapsedMillis = sleeper.at
    const wake = sleeper.wake
    sleeper.wake = undefined
    wake?.(Effect.void)
  }

  private cancel(sleeper: Sleeper): void {
    if (sleeper.wake === undefined) return
    sleeper.wake = undefined
    this.cancelled++
    // Time-outs that never fire must not pile up over a long run.
    if (this.cancelled > 1024 && this.cancelled * 2 > this.heap.length) {
      const alive = this.heap.filter((one) => one.wake !== undefined).toSorted((a, b) => (before(a, b) ? -1 : 1))
      this.heap = alive
      this.cancelled = 0
    }
  }

  private push(sleeper: Sleeper): void {
    const heap = this.heap
    let at = heap.length
    heap.push(sleeper)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (before(heap[parent]!, sleeper)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = sleeper
  }

  private pop(): Sleeper {
    const heap = this.heap
    const top = heap[0]!
    const last = heap.pop()!
    if (heap.length > 0) {
      let at = 0
      for (;;) {
        let child = at * 2 + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
        if (before(last, heap[child]!)) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = last
    }
    return top
  }
}
