/**
 * Cluster operations and what they target. An operation's state follows from its timeline and the clock; pending and the
 * pointer follow from the rows, and are stored nowhere.
 */
import * as Timeline from "../../Timeline.ts"
import * as Plans from "./Plans.ts"

export interface Target {
  readonly type: string
  readonly uuid: string
}

export interface Op {
  readonly uuid: string
  readonly type: string
  readonly tasks: ReadonlyArray<string>
  readonly dependsOn: ReadonlyArray<Op>
  /** Keys of the view beside those every type has. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly observational: boolean
  /** Keys of what it targets. */
  readonly targets: ReadonlyArray<string>
  /** When its present timeline begins. */
  plannedAt: number
  timeline: Timeline.Timeline
  isRemoved: boolean
}

/** Says that an operation concerns an object; kept for its own time. */
export interface Row {
  readonly op: Op
  readonly target: string
  readonly createdAt: number
  readonly sequence: number
  isRemoved: boolean
}

export interface Store {
  readonly ops: Map<string, Op>
  readonly byType: Map<string, Set<Op>>
  /** By target, the oldest first. */
  readonly rows: Map<string, Array<Row>>
  /** Of all targets, in order of creation: what the prune goes through. */
  readonly queue: Array<Row>
  sequence: number
}

export const make = (): Store => ({ ops: new Map(), byType: new Map(), rows: new Map(), queue: [], sequence: 0 })

export const keyOf = ({ type, uuid }: Target): string => `${type}:${uuid}`

export const stateOf = (op: Op, now: number): string => Timeline.at(op.timeline, now - op.plannedAt)

/** When its present state began. */
export const changedAt = (op: Op, now: number): number => {
  const elapsed = now - op.plannedAt
  const span = op.timeline.spans.findLast(({ start }) => elapsed >= start) ?? op.timeline.spans[0]
  return op.plannedAt + span.start
}

/** When it reaches the state that it ends in, `Infinity` if that isn't a final one. */
export const endOf = (op: Op): number =>
  Plans.terminal.has(op.timeline.spans.at(-1)!.status) ? op.plannedAt + Timeline.end(op.timeline) : Infinity

export const isOutstanding = (op: Op, now: number): boolean => !Plans.terminal.has(stateOf(op, now))

export interface New {
  readonly uuid: string
  readonly type: string
  readonly tasks: ReadonlyArray<string>
  readonly targets: ReadonlyArray<Target>
  readonly extra: Readonly<Record<string, unknown>>
  readonly observational: boolean
  readonly phases: Plans.Phases
  readonly dependsOn?: ReadonlyArray<Op>
}

/** Visible at once, with all it targets: the service writes them in one transaction. */
export const add = (store: Store, one: New, now: number): Op => {
  const dependsOn = one.dependsOn ?? []
  const held = Math.max(now, ...dependsOn.map(endOf)) - now
  const op: Op = {
    uuid: one.uuid,
    type: one.type,
    tasks: one.tasks,
    dependsOn,
    extra: one.extra,
    observational: one.observational,
    targets: one.targets.map(keyOf),
    plannedAt: now,
    timeline: Plans.timeline(Number.isFinite(held) ? Plans.after(one.phases, held) : [["queued"]]),
    isRemoved: false
  }
  store.ops.set(op.uuid, op)
  const ofType = store.byType.get(op.type)
  if (ofType === undefined) store.byType.set(op.type, new Set([op]))
  else ofType.add(op)
  for (const target of one.targets) addRow(store, op, target, now)
  return op
}

const addRow = (store: Store, op: Op, target: Target, now: number): void => {
  const key = keyOf(target)
  const row: Row = { op, target: key, createdAt: now, sequence: store.sequence++, isRemoved: false }
  const rows = store.rows.get(key)
  if (rows === undefined) store.rows.set(key, [row])
  else rows.push(row)
  store.queue.push(row)
}

/** An equal network operation of one task that is still queued: two requests may share it. */
export const twin = (store: Store, one: New, now: number): Op | undefined => {
  if (one.type !== "net_op" || one.tasks.length !== 1) return undefined
  const wanted = JSON.stringify([one.tasks, one.extra])
  for (const op of store.byType.get(one.type) ?? []) {
    if (stateOf(op, now) === "queued" && JSON.stringify([op.tasks, op.extra]) === wanted) return op
  }
  return undefined
}

export const rowsOf = (store: Store, target: Target): ReadonlyArray<Row> => store.rows.get(keyOf(target)) ?? []

/** The newest first. */
export const list = (store: Store, target: Target): Array<Op> =>
  rowsOf(store, target)
    .map(({ op }) => op)
    .toReversed()

export const isPending = (store: Store, target: Target, now: number): boolean =>
  rowsOf(store, target).some(({ op }) => !op.observational && isOutstanding(op, now))

/** The newest remaining one that changes something, whatever its state. */
export const pointer = (
  store: Store,
  target: Target
): { readonly op_type: string; readonly op_uuid: string } | null => {
  const newest = rowsOf(store, target).findLast(({ op }) => !op.observational)?.op
  return newest === undefined ? null : { op_type: newest.type, op_uuid: newest.uuid }
}

const drop = (store: Store, key: string, keep: (row: Row) => boolean): void => {
  const rows = store.rows.get(key)
  if (rows === undefined) return
  const left: Array<Row> = []
  for (const row of rows) {
    if (keep(row)) left.push(row)
    else row.isRemoved = true
  }
  if (left.length === 0) store.rows.delete(key)
  else store.rows.set(key, left)
}

export const removeRow = (store: Store, row: Row): void => drop(store, row.target, (one) => one !== row)

/** All that is known of it goes: rows, report, state. */
export const remove = (store: Store, op: Op): void => {
  op.isRemoved = true
  store.ops.delete(op.uuid)
  store.byType.get(op.type)?.delete(op)
  for (const key of op.targets) drop(store, key, (row) => row.op !== op)
}

/** The rows of an object that was hard deleted. */
export const removeTarget = (store: Store, target: Target): void => drop(store, keyOf(target), () => false)

/** Changes what becomes of an operation, from now on. */
export const plan = (op: Op, phases: Plans.Phases, now: number): void => {
  op.timeline = Plans.timeline(phases)
  op.plannedAt = now
}
