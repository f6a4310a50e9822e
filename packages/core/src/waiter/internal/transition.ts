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
  readonly statuses: ReadonlyArray<WaitError.StatusSeen>
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
  statuses: [],
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

/** What one look means. `hinted` is a `Retry-After` that came with a good answer. */
export const look = <A, E>(
  state: State<A>,
  looked: Looked<A, E>,
  at: { readonly began: number; readonly ended: number; readonly hinted: number },
  patience: Patience.Patience<E>
): Judged<A, E> => {
  const looks = state.looks + 1
  if (looked._tag === "Fault") {
    const inARow = state.faultsInARow + 1
    const lastFault = describe(looked.error)
    const after: State<A> = { ...state, looks, faultsInARow: inARow, lastFault }
    const over = !patience.isTransient(looked.error) || inARow > patience.tolerate
    return {
      state: after,
      stop: over ? { _tag: "Faulted", error: looked.error, inARow } : undefined,
      changed: false,
      hold: patience.backoffMillis(inARow),
      retryAfter: Math.max(
        at.hinted,
        Option.getOrElse(patience.retryAfterMillis(looked.error), () => 0)
      )
    }
  }
  const { next, verdict } = state.goal.judge({ seen: looked.seen, elapsed: at.began })
  const last = state.statuses[state.statuses.length - 1]
  const changed = last === undefined || last.status !== verdict.status
  const after: State<A> = {
    ...state,
    goal: next,
    looks,
    faultsInARow: 0,
    statuses: record(state.statuses, verdict.status, at.ended),
    // What was seen last stays known after the resource is gone.
    observed: looked.seen._tag === "Some" ? looked.seen : state.observed
  }
  return {
    state: after,
    stop:
      verdict._tag === "Pending"
        ? undefined
        : verdict._tag === "Reached"
          ? { _tag: "Reached", observed: looked.seen, matched: verdict.matched }
          : verdict,
    changed,
    hold: 0,
    retryAfter: at.hinted
  }
}

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
  if (state.looks >= bounds.attempts) return { state, next: timedOut("attempts") }
  if (tick === undefined) return { state, next: timedOut("schedule") }
  const scheduled = Math.min(tick + state.added, ended + bounds.maxGap)
  const asked = Math.min(judged.retryAfter, bounds.maxRetryAfter)
  // Past the limit there is no use in waiting for it: the server has said that it won't answer before.
  if (asked > 0 && ended + asked > bounds.limit) {
    return { state, next: { _tag: "TimedOut", cause: "limit", retryAfter: judged.retryAfter } }
  }
  const wanted = Math.max(scheduled, ended + asked, ended + judged.hold)
  const floored = Math.max(wanted, ended + bounds.floor)
  const after = floored > scheduled ? { ...state, added: state.added + (floored - scheduled) } : state
  if (floored < bounds.limit) return { state: after, next: { at: floored, final: false } }
  return ended + bounds.floor > bounds.limit
    ? { state: after, next: timedOut("limit") }
    : { state: after, next: { at: bounds.limit, final: true } }
}

/** The schedule's `now`: lateness counts, added time does not. */
export const schedulesNow = <A>(state: State<A>, ended: number): number => ended - state.added

const timedOut = (cause: "limit" | "attempts" | "schedule") => ({ _tag: "TimedOut", cause, retryAfter: null }) as const

export const isPlan = <A, E>(next: Plan | Stop<A, E>): next is Plan => "at" in next

const headEntries = 16
const maxEntries = 64

/**
 * Consecutive equal statuses are one entry. A status that flaps for a day must not fill the memory either: past 64
 * entries the oldest after the first 16 is dropped.
 */
const record = (
  statuses: ReadonlyArray<WaitError.StatusSeen>,
  status: string,
  at: number
): ReadonlyArray<WaitError.StatusSeen> => {
  const last = statuses[statuses.length - 1]
  if (last !== undefined && last.status === status) {
    const copy = statuses.slice()
    copy[copy.length - 1] = { ...last, lastSeen: at, looks: last.looks + 1 }
    return copy
  }
  const entry = { status, firstSeen: at, lastSeen: at, looks: 1 }
  return statuses.length < maxEntries
    ? [...statuses, entry]
    : [...statuses.slice(0, headEntries), ...statuses.slice(headEntries + 1), entry]
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : typeof error === "string" ? error : "a fault"
