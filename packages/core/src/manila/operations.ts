/**
 * Every operation by its name: for tests that hold for all of them, and for tools that list what there is.
 *
 * Importing it loads every kind; programs import the kinds they use.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Backup from "./Backup.ts"
import * as ExportLocation from "./ExportLocation.ts"
import * as Message from "./Message.ts"
import type { Operation } from "./Operation.ts"
import * as Replica from "./Replica.ts"
import * as Share from "./Share.ts"
import * as ShareAccess from "./ShareAccess.ts"
import * as ShareGroup from "./ShareGroup.ts"
import * as ShareInstance from "./ShareInstance.ts"
import * as ShareManage from "./ShareManage.ts"
import * as ShareNetwork from "./ShareNetwork.ts"
import * as ShareType from "./ShareType.ts"
import * as Snapshot from "./Snapshot.ts"

/**
 * An operation whose input and output are not known.
 *
 * @since 0.1.0
 * @category models
 */
export type AnyOperation = Operation<never, unknown>

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === "function" && Predicate.hasProperty(value, "operation") && Predicate.hasProperty(value, "forms")

/**
 * The modules of all kinds, by name.
 *
 * @since 0.1.0
 */
export const kinds = {
  Share,
  ShareInstance,
  ShareManage,
  ShareAccess,
  ExportLocation,
  Snapshot,
  Replica,
  Backup,
  Message,
  ShareType,
  ShareNetwork,
  ShareGroup
} as const

/**
 * @since 0.1.0
 */
export const operations: ReadonlyMap<string, AnyOperation> = new Map(
  Object.values(kinds)
    .flatMap((kind) => Object.values(kind) as ReadonlyArray<unknown>)
    .filter(isOperation)
    .map((operation) => [operation.operation, operation])
)

/**
 * Every asynchronous verb, by kind and name.
 *
 * @since 0.1.0
 */
export const verbs = {
  Share: Share.verbs,
  ShareInstance: ShareInstance.verbs,
  ShareManage: ShareManage.verbs,
  ShareAccess: ShareAccess.verbs,
  Snapshot: Snapshot.verbs,
  Replica: Replica.verbs,
  Backup: Backup.verbs
} as const
