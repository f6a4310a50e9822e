/**
 * What a cluster does on its own: it measures its instances, and takes away operations that are long finished.
 *
 * Nothing here sleeps. Jobs are due at times, and are run up to the time of whoever asks, in order of time.
 */
import type * as Operations from "./Operations.ts"
import * as Ops from "./Operations.ts"

/** All in milliseconds. */
export interface Settings {
  /** A finished operation stays for longer than this after its last change of state. */
  readonly grace: number
  /** From one look at what is finished to the next. */
  readonly tick: number
  /** From the end of a walk through all operations of a type to the next of that type. */
  readonly recheck: number
  /** The most a walk takes at one tick. */
  readonly budget: number
  /** Whether all types of one tick share the budget. */
  readonly isBudgetShared: boolean
  /** What a walk takes for each finished operation, and what it takes beside. */
  readonly walkPerOperation: number
  readonly walkBase: number
  /** How long an operation in error is listed, from its creation; 0 for ever. */
  readonly retention: number
  /** From one measuring of all instances to the next. */
  readonly sweep: number
  readonly sweepBudget: number
  readonly sweepPerInstance: number
  /** From the beginning to the first tick and the first measuring. */
  readonly tickPhase: number
  readonly sweepPhase: number
}

export const defaults: Settings = {
  grace: 30_000,
  tick: 60_000,
  recheck: 300_000,
  budget: 20_000,
  isBudgetShared: false,
  walkPerOperation: 0,
  walkBase: 0,
  retention: 604_800_000,
  sweep: 300_000,
  sweepBudget: 10_000,
  sweepPerInstance: 0,
  tickPhase: 60_000,
  sweepPhase: 300_000
}

const swept: ReadonlySet<string> = new Set(["complete", "abort", "deleted"])

/** Something that is due, and what is due after it. */
interface Job {
  readonly at: number
  /** Of jobs due at one time, the lowest goes first: measure, sweep, prune. */
  readonly rank: number
  readonly run: () => ReadonlyArray<Job>
}

export interface Upkeep {
  /** Runs all that was due up to and at this time. */
  readonly advance: (now: number) => void
  /** How many operations are finished for longer than the grace and still there, by type. */
  readonly backlog: (now: number) => Readonly<Record<string, number>>
}

export interface Hooks {
  readonly store: Operations.Store
  /** The instances that are measured, in the order they are. */
  readonly measured: (now: number) => ReadonlyArray<string>
  readonly measure: (uuid: string, now: number) => void
}

export const make = (settings: Settings, hooks: Hooks, start: number): Upkeep => {
  const { store } = hooks
  const pausedUntil = new Map<string, number>()
  /** Whose turn it is in a pass: those that a pass did not get to come first in the next. */
  let turn = 0

  const measuring = (at: number): Job => ({
    at,
    rank: 0,
    run: () => {
      const instances = hooks.measured(at)
      const first = instances.length === 0 ? 0 : turn % instances.length
      const inOrder = [...instances.slice(first), ...instances.slice(0, first)]
      return [...measureNext(inOrder, 0, at), measuring(at + settings.sweep)]
    }
  })

  const measureNext = (instances: ReadonlyArray<string>, index: number, start: number): ReadonlyArray<Job> => {
    const spent = index * settings.sweepPerInstance
    const uuid = instances[index]
    if (uuid === undefined) {
      turn = 0
      return []
    }
    if (spent >= settings.sweepBudget) {
      turn = hooks.measured(start + spent).indexOf(uuid)
      return []
    }
    return [
      {
        at: start + spent,
        rank: 0,
        run: () => {
          hooks.measure(uuid, start + spent)
          return measureNext(instances, index + 1, start)
        }
      }
    ]
  }

  const ticking = (at: number): Job => ({
    at,
    rank: 1,
    run: () => {
      const types = [...store.byType.keys()].toSorted().filter((type) => at >= (pausedUntil.get(type) ?? 0))
      return [...walkType(types, 0, at, 0), { at, rank: 2, run: () => prune(at) }, ticking(at + settings.tick)]
    }
  })

  /** Walks the types one after another; `spent` is what the earlier ones took of a shared budget. */
  const walkType = (types: ReadonlyArray<string>, index: number, at: number, spent: number): ReadonlyArray<Job> => {
    const type = types[index]
    if (type === undefined) return []
    const listed = [...(store.byType.get(type) ?? [])].filter((op) => swept.has(Ops.stateOf(op, at)))
    const step = (n: number): Job => ({
      at: at + n * settings.walkPerOperation,
      rank: 1,
      run: () => {
        const now = at + n * settings.walkPerOperation
        const used = now - at
        const op = listed[n]
        if (op === undefined) {
          const end = now + settings.walkBase
          pausedUntil.set(type, end + settings.recheck)
          return walkType(types, index + 1, end, settings.isBudgetShared ? spent + used : 0)
        }
        // Work is left: this type goes on at the next tick, without a pause.
        if (used + spent >= settings.budget)
          return walkType(types, index + 1, now, settings.isBudgetShared ? spent + used : 0)
        // It may have changed since it was listed.
        if (!op.isRemoved && swept.has(Ops.stateOf(op, now)) && now - Ops.changedAt(op, now) > settings.grace) {
          Ops.remove(store, op)
        }
        return [step(n + 1)]
      }
    })
    return [step(0)]
  }

  /** Rows that a prune left because their operation was still at work. */
  let late: Array<Operations.Row> = []
  let head = 0

  const prune = (now: number): ReadonlyArray<Job> => {
    if (settings.retention === 0) return []
    const due: Array<Operations.Row> = late
    late = []
    for (; head < store.queue.length; head++) {
      const row = store.queue[head]!
      if (now - row.createdAt <= settings.retention) break
      due.push(row)
    }
    if (head > 1024) {
      store.queue.splice(0, head)
      head = 0
    }
    for (const row of due) {
      if (row.isRemoved) continue
      if (Ops.isOutstanding(row.op, now)) late.push(row)
      else Ops.removeRow(store, row)
    }
    return []
  }

  let jobs: Array<Job> = [measuring(start + settings.sweepPhase), ticking(start + settings.tickPhase)]

  const advance = (now: number): void => {
    for (;;) {
      let next: Job | undefined
      for (const job of jobs) {
        if (next === undefined || job.at < next.at || (job.at === next.at && job.rank < next.rank)) next = job
      }
      if (next === undefined || next.at > now) return
      jobs = [...jobs.filter((job) => job !== next), ...next.run()]
    }
  }

  const backlog = (now: number) => {
    const counts: Record<string, number> = {}
    for (const [type, ops] of store.byType) {
      let count = 0
      for (const op of ops) {
        if (swept.has(Ops.stateOf(op, now)) && now - Ops.changedAt(op, now) > settings.grace) count++
      }
      counts[type] = count
    }
    return counts
  }

  return { advance, backlog }
}
