/**
 * Instances, networks, artifacts and blobs. What an object's state is follows from the operations that work on it.
 */
import type * as Operations from "./Operations.ts"
import * as Ops from "./Operations.ts"

export type Json = Readonly<Record<string, unknown>>

/** What an operation does to an object: while it runs, when it is done, and if it fails. */
export interface Change {
  readonly op: Operations.Op
  readonly during?: string
  readonly done: string
}

export interface Thing {
  readonly uuid: string
  readonly name: string
  readonly namespace: string
  readonly createdAt: number
  readonly changes: Array<Change>
  readonly metadata: Record<string, unknown>
  /** Its state before anything was done to it. */
  base: string
  /** A deletion that needs no operation. */
  deletedAt: number
  /** Taken away by a test. */
  vanishedAt: number
  /** What a test makes of its view. */
  edit: ((view: Json) => Json) | undefined
}

export interface InterfaceRow {
  readonly uuid: string
  readonly networkUuid: string
  readonly address: string
  readonly mac: string
  readonly model: string
  readonly isFloating: boolean
  /** The operation that plugs it. */
  readonly op: Operations.Op | undefined
  readonly metadata: Record<string, unknown>
}

export interface InstanceRow extends Thing {
  readonly kind: "instance"
  readonly spec: Json
  readonly interfaces: Array<InterfaceRow>
  readonly agentOperations: Array<Json>
}

export interface NetworkRow extends Thing {
  readonly kind: "network"
  readonly spec: Json
  readonly vxlan: number
  readonly isFloating: boolean
  /** The deletion that puts itself off while interfaces are attached. */
  deletion: { readonly op: Operations.Op; readonly askedAt: number } | undefined
}

export interface ArtifactRow extends Thing {
  readonly kind: "artifact"
  readonly url: string
  readonly isShared: boolean
  readonly blob: { readonly uuid: string; readonly fetch: Operations.Op | undefined }
}

export type Row = InstanceRow | NetworkRow | ArtifactRow

export const bare = (uuid: string, name: string, namespace: string, now: number) => ({
  uuid,
  name,
  namespace,
  createdAt: now,
  changes: [],
  metadata: {},
  base: "initial",
  deletedAt: Infinity,
  vanishedAt: Infinity,
  edit: undefined
})

/** A failure is told in two steps: for a second with the state it came from. */
const failing = 1000

export const stateOf = (thing: Thing & { readonly kind: string }, now: number): string => {
  if (now >= thing.deletedAt) return "deleted"
  let state = thing.base
  for (const { done, during, op } of thing.changes) {
    const at = Ops.stateOf(op, now)
    if (at === "executing") state = during ?? state
    else if (at === "complete") state = done
    else if (at === "error") {
      const before = during ?? state
      state = thing.kind === "instance" && now - Ops.changedAt(op, now) < failing ? `${before}-error` : "error"
    }
  }
  return state
}

/** When it became `deleted`, or will: `Infinity` if nothing leads there. */
export const deletedAt = (thing: Thing): number =>
  Math.min(
    thing.deletedAt,
    ...thing.changes
      .filter(({ done, op }) => done === "deleted" && op.timeline.spans.at(-1)!.status === "complete")
      .map(({ op }) => Ops.endOf(op))
  )

export const hardDeleteAfter = 3_600_000

/** Nothing is known of it any more. */
export const isGone = (thing: Thing, now: number): boolean =>
  now >= thing.vanishedAt || now >= deletedAt(thing) + hardDeleteAfter

export const isActive = (thing: Thing & { readonly kind: string }, now: number): boolean =>
  !isGone(thing, now) && !["deleted", "error"].includes(stateOf(thing, now))

export const targetOf = ({ kind, uuid }: { readonly kind: string; readonly uuid: string }): Operations.Target => ({
  type: kind,
  uuid
})
