/**
 * The one transition of the code base: what a look means for a wait, and when to look again.
 *
 * Pure functions over plain values. The driver of a single wait, a poller for many and a durable wait differ only in
 * who sleeps and who looks.
 */
import * as Option from "effect/Option"
import type * as Goal from "../Goal.ts"
import type * as Patience from "../Patience.ts"
import type * as WaitError from "../WaitError.ts"

/** What bounds a wait. Times are milliseconds since it began. */
export interface Bounds {
  /** `Infinity` for none. */
  readonly limit: number
  readonly attempts: number
  readonly floor: number
  readonly maxGap: number
  readonly maxRetryAfter: number
}

export interface State<A> {
  readonly goal: Goal.Goal<A>
  readonly looks: number
  readonly faultsInARow: number
  readonly lastFault: string | null
  /** The statuses before the last one: it alone changes with every look. */
  readonly earlier: ReadonlyArray<WaitError.StatusSeen>
  readonly last: WaitError.StatusSeen | undefined
  readonly observed: Option.Option<A>
  /** Time added by `Retry-After`, back-off and floor: not lateness, so the schedule never sees it. */
  readonly added: number
}

/** When the next look begins. A `final` look begins at the limit, and only its verdict counts. */
export interface Plan {
  readonly at: number
  readonly final: boolean
}

export type Stop<A, E> =
  | { readonly _tag: "Reached"; readonly observed: Option.Option<A>; readonly matched: string }
  | { readonly _tag: "Failed"; readonly status: string; readonly cause: Goal.FailureCause; readonly detail: string }
  | { readonly _tag: "NeedsAction"; readonly status: string; readonly next: string }
  | {
      readonly _tag: "TimedOut"
      readonly cause: "limit" | "attempts" | "schedule"
      readonly retryAfter: number | null
    }
  | { readonly _tag: "Faulted"; readonly error: E; readonly inARow: number }

/** A look as the driver saw it. */
export type Looked<A, E> =
  | { readonly _tag: "Seen"; readonly seen: Option.Option<A> }
  | { readonly _tag: "Fault"; readonly error: E }

export const begin = <A>(goal: Goal.Goal<A>): State<A> => ({
  goal,
  looks: 0,
  faultsInARow: 0,
  lastFault: null,
  earlier: [],
  last: undefined,
  observed: Option.none(),
  added: 0
})

/** The first look comes at once; with limit 0 it is the last one too. */
export const first = (bounds: Bounds): Plan => ({ at: 0, final: bounds.limit <= 0 })

export interface Judged<A, E> {
  readonly state: State<A>
  readonly stop: Stop<A, E> | undefined
  readonly changed: boolean
  /** The least milliseconds from the end of this look to the next: back-off. */
  readonly hold: number
  /** The milliseconds the server asked for. */
  readonly retryAfter: number
}

/** What one look means. `hinted` is a `Retry-After` that came with an answer. */
export const look = <A, E>(
  state: State<A>,
  looked: Looked<A, E>,
  at: { readonly began: number; readonly ended: number; readonly hinted: number },
  patience: Patience.Patience<E>
): Judged<A, E> =>
  looked._tag === "Fault"
    ? fault(state, looked.error, at.hinted, patience)
    : observation(state, looked.seen, at.began, at.ended, at.hinted)

const fault = <A, E>(state: State<A>, error: E, hinted: number, patience: Patience.Patience<E>): Judged<A, E> => {
  const inARow = state.faultsInARow + 1
  // Not `inARow > tolerate`, nor below: what is no number ends the wait, where it would go unseen in an endless one.
  const over = !patience.isTransient(error) || !(inARow <= patience.tolerate)
  const asked = Option.getOrElse(patience.retryAfterMillis(error), () => 0)
  return {
    state: { ...state, looks: state.looks + 1, faultsInARow: inARow, lastFault: describe(error) },
    stop: over ? { _tag: "Faulted", error, inARow } : undefined,
    changed: false,
    hold: positive(patience.backoffMillis(inARow)),
    retryAfter: Math.max(positive(hinted), positive(asked))
  }
}

const observation = <A, E>(
  state: State<A>,
  seen: Option.Option<A>,
  began: number,
  ended: number,
  hinted: number
): Judged<A, E> => {
  const { next, verdict } = state.goal.judge({ seen, elapsed: began })
  const { earlier, last } = state
  const { status } = verdict
  const changed = last === undefined || last.status !== status
  return {
    state: {
      goal: next,
      looks: state.looks + 1,
      faultsInARow: 0,
      lastFault: state.lastFault,
      earlier: changed && last !== undefined ? append(earlier, last) : earlier,
      last: changed
        ? { status, firstSeen: ended, lastSeen: ended, looks: 1 }
        : { status, firstSeen: last.firstSeen, lastSeen: ended, looks: last.looks + 1 },
      // What was seen last stays known after the resource is gone.
      observed: Option.isSome(seen) ? seen : state.observed,
      added: state.added
    },
    stop:
      verdict._tag === "Pending"
        ? undefined
        : verdict._tag === "Reached"
          ? { _tag: "Reached", observed: seen, matched: verdict.matched }
          : verdict,
    changed,
    hold: 0,
    retryAfter: positive(hinted)
  }
}

/** What a caller computed wrongly asks for nothing, as Effect's own durations have it. */
const positive = (millis: number): number => (millis > 0 ? millis : 0)

/**
 * When the next look begins, or why there is none. `tick` is the schedule's answer in its own time (`schedulesNow`),
 * `undefined` once the schedule is done.
 */
export const plan = <A, E>(
  judged: Judged<A, E>,
  ended: number,
  wasFinal: boolean,
  tick: number | undefined,
  bounds: Bounds
): { readonly state: State<A>; readonly next: Plan | Stop<A, E> } => {
  const { state } = judged
  if (wasFinal) return { state, next: timedOut("limit") }
  if (!(state.looks < bounds.attempts)) return { state, next: timedOut("attempts") }
  if (tick === undefined) return { state, next: timedOut("schedule") }
  // `Schedule.windowed(0)` has no next window, and says `NaN`.
  const scheduled = Number.isNaN(tick) ? ended : Math.min(tick + state.added, ended + bounds.maxGap)
  const asked = Math.min(judged.retryAfter, bounds.maxRetryAfter)
  // Past the limit there is no use in waiting for it: the server has said that it won't answer before.
  if (asked > 0 && ended + asked > bounds.limit) {
    return { state, next: { _tag: "TimedOut", cause: "limit", retryAfter: judged.retryAfter } }
  }
  const at = Math.max(scheduled, ended + asked, ended + judged.hold, ended + bounds.floor)
  const after = at > scheduled ? { ...state, added: state.added + (at - scheduled) } : state
  if (at < bounds.limit) return { state: after, next: { at, final: false } }
  return ended + bounds.floor > bounds.limit
    ? { state: after, next: timedOut("limit") }
    : { state: after, next: { at: bounds.limit, final: true } }
}

/**
 * The schedule's `now`: lateness counts, added time does not. It is in whole milliseconds, as a schedule gets them from
 * Effect's own driver: a remainder of a rounding error before a grid point would be one more tick.
 */
export const schedulesNow = <A>(state: State<A>, ended: number): number => Math.floor(ended - state.added + 1e-3)

const timedOut = (cause: "limit" | "attempts" | "schedule") => ({ _tag: "TimedOut", cause, retryAfter: null }) as const

export const isPlan = <A, E>(next: Plan | Stop<A, E>): next is Plan => "at" in next

/** A wait whose last look the floor forbids still lasts to its limit, unless the server asked for more than that. */
export const lasts = <A, E>(stop: Stop<A, E>): boolean =>
  stop._tag === "TimedOut" && stop.cause === "limit" && stop.retryAfter === null

/** All statuses seen, consecutive equal ones as one entry. */
export const statuses = <A>({ earlier, last }: State<A>): ReadonlyArray<WaitError.StatusSeen> =>
  last === undefined ? earlier : [...earlier, last]

const headEntries = 16
const maxEntries = 64

/** A status that flaps for a day must not fill the memory: past 64 entries the oldest after the first 16 is dropped. */
const append = (
  earlier: ReadonlyArray<WaitError.StatusSeen>,
  entry: WaitError.StatusSeen
): ReadonlyArray<WaitError.StatusSeen> =>
  earlier.length < maxEntries - 1
    ? [...earlier, entry]
    : [...earlier.slice(0, headEntries), ...earlier.slice(headEntries + 1), entry]

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : typeof error === "string" ? error : "a fault"
