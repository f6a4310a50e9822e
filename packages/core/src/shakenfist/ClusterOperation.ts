/**
 * Cluster operations: what the cluster does to objects after a request was answered, and what it measures on its own.
 *
 * A finished operation is listed for half a minute to some six minutes, one in error for a week. That one has vanished
 * says nothing; that none is pending says nothing about success.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as Goal from "../waiter/Goal.ts"
import * as Pace from "../waiter/Pace.ts"
import * as Patience from "../waiter/Patience.ts"
import type * as WaitError from "../waiter/WaitError.ts"
import * as Waiter from "../waiter/Waiter.ts"
import type { Options } from "./internal/object.ts"
import { look } from "./internal/look.ts"
import { text } from "./internal/object.ts"
import * as Output from "./internal/output.ts"
import * as Operation from "./Operation.ts"
import { ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"
import * as Strategy from "./Strategy.ts"

/**
 * `operation_type` says who does it (`net_op`, `node_inst_op`, …), `tasks` what is done. More fields by type survive.
 *
 * @since 0.1.0
 * @category models
 */
export const ClusterOperation = Schema.Struct({
  operation_type: Schema.String,
  uuid: Schema.String,
  /** `queued`, `preflight`, `executing`; then for good `complete`, `abort`, `deleted` or `error`. */
  state: Schema.String,
  tasks: Schema.Array(Schema.String),
  /** Measures only. Absent counts as false: see {@link isObservational}. */
  observational: Schema.optional(Schema.NullOr(Schema.Boolean)),
  error_report: Schema.optional(Schema.Unknown),
  instance_uuid: text,
  network_uuid: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type ClusterOperation = typeof ClusterOperation.Type

/**
 * Where an operation is found: what a network's deletion answers with.
 *
 * @since 0.1.0
 * @category models
 */
export const Handle = Schema.Struct({ op_type: Schema.String, op_uuid: Schema.String })

/**
 * @since 0.1.0
 * @category models
 */
export type Handle = typeof Handle.Type

/**
 * Billing and health sweeps, checksums: it changes nothing, and says nothing about what was asked for.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isObservational = (operation: ClusterOperation): boolean => operation.observational === true

const terminal = new Set(["complete", "abort", "deleted", "error"])

/**
 * Whether this is its last state. The others may follow each other in any order: a deferred operation goes from
 * `executing` back to `queued`.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isFinished = ({ state }: { readonly state: string }): boolean => terminal.has(state)

/**
 * A cluster operation ended in error, or was aborted or deleted before it was done.
 *
 * @since 0.1.0
 * @category errors
 */
export class OperationFailed extends Schema.TaggedError<OperationFailed>(
  "@effect-manila/core/shakenfist/OperationFailed"
)("OperationFailed", {
  uuid: Schema.String,
  operationType: Schema.String,
  tasks: Schema.Array(Schema.String),
  /** `error`, `abort` or `deleted`. */
  state: Schema.String,
  /** The object it was for, where that was asked about: `Instance 3f2…`. */
  target: Schema.optional(Schema.String),
  /** The whole view. */
  view: Schema.Unknown
}) {
  override get message(): string {
    const about = this.target === undefined ? "" : `${this.target}: `
    const tasks = this.tasks.length === 0 ? "" : ` (${this.tasks.join(", ")})`
    return `${about}cluster operation ${this.uuid} (${this.operationType})${tasks} is in state ${this.state}`
  }
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const failed = (view: ClusterOperation, target?: string): OperationFailed =>
  new OperationFailed({
    uuid: view.uuid,
    operationType: view.operation_type,
    tasks: view.tasks,
    state: view.state,
    target,
    view
  })

/**
 * An object, by uuid or by name. A uuid finds it in any state until it is hard deleted, an hour after it was deleted; a
 * name finds what is active.
 *
 * @since 0.1.0
 * @category models
 */
export interface OfObject {
  readonly ref: string
  /** Finished ones too. Default `false`, which is sent as well. */
  readonly all?: boolean | undefined
  /** Where to look the name up. Default: the caller's own. */
  readonly namespace?: string | undefined
}

const ofObject = (kind: "instance" | "network" | "artifact") =>
  Operation.make<OfObject, ReadonlyArray<ClusterOperation>>({
    name: `clusterOperation.list.${kind}`,
    needs: [`${kind}-clusteroperations`],
    method: "GET",
    path: ({ ref }) => `/${kind}s/${Http.segment(ref)}/clusteroperations`,
    body: ({ all, namespace }) => ({ all: all ?? false, namespace }),
    output: Output.list(ClusterOperation)
  })

/**
 * The operations that target an instance, the newest first; only outstanding ones unless `all` is set.
 *
 * @since 0.1.0
 * @category operations
 */
export const getInstanceClusterOperations = ofObject("instance")

/**
 * The operations that target a network, as of an instance.
 *
 * @since 0.1.0
 * @category operations
 */
export const getNetworkClusterOperations = ofObject("network")

/**
 * The operations that target an artifact, as of an instance. Whoever may read the artifact may read them.
 *
 * @since 0.1.0
 * @category operations
 */
export const getArtifactClusterOperations = ofObject("artifact")

/**
 * The operations of one object in every state, the newest first. `type` is any kind of object the server has. `NotFound`
 * for an unknown object, `Forbidden` for one of another namespace, `BadRequest` for an unknown kind.
 *
 * @since 0.1.0
 * @category operations
 */
export const byTarget = Operation.make<
  { readonly type: string; readonly uuid: string },
  ReadonlyArray<ClusterOperation>
>({
  name: "clusterOperation.byTarget",
  needs: ["cluster-operations-by-target"],
  method: "GET",
  path: () => "/clusteroperations",
  body: ({ type, uuid }) => ({ target_object_type: type, target_uuid: uuid }),
  output: Output.list(ClusterOperation)
})

/**
 * One operation. `NotFound` once it was swept; `Forbidden` where no object of the caller's is left in it.
 *
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly operationType: string; readonly uuid: string }, ClusterOperation>({
  name: "clusterOperation.get",
  needs: ["get-cluster-operations"],
  method: "GET",
  path: ({ operationType, uuid }) => `/clusteroperations/${Http.segment(operationType)}/${Http.segment(uuid)}`,
  output: Output.value(ClusterOperation)
})

/**
 * The operation and all it depends on, the newest first, at most 256.
 *
 * @since 0.1.0
 * @category operations
 */
export const chain = Operation.make<{ readonly uuid: string }, ReadonlyArray<ClusterOperation>>({
  name: "clusterOperation.chain",
  needs: ["cluster-operation-chain"],
  method: "GET",
  path: ({ uuid }) => `/clusteroperations/${Http.segment(uuid)}/chain`,
  output: Output.list(ClusterOperation)
})

/**
 * Reached at `complete`; any other last state is a failure.
 *
 * @since 0.1.0
 * @category goals
 */
export const completed: Goal.Goal<ClusterOperation> = Goal.make("complete", ({ seen }) =>
  Option.match(seen, {
    onNone: () => Goal.failed("gone", "goneAfterSeen", "it was swept"),
    onSome: ({ state }) => {
      if (state === "complete") return Goal.reached(state, "complete")
      return terminal.has(state) ? Goal.failed(state, "status", `state ${state}`) : Goal.pending(state)
    }
  })
)

/**
 * Waits for one operation, and gives its last view. By default it looks every second for the async strategy's time.
 *
 * With the strategy `continue` and no limit of its own it looks once and gives what it sees, finished or not; that is
 * the one wait that may succeed with an unfinished operation. Fails with `OperationFailed`, with `WaitTimedOut`, or with
 * `NotFound` if the operation was swept between two looks: then nothing is known of how it ended.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitOperation = <R = never>(
  handle: Handle,
  options: Options<R> = {}
): Effect.Effect<
  ClusterOperation,
  ShakenFistError | OperationFailed | WaitError.WaitTimedOut | WaitError.WaitNeedsAction,
  ShakenFist | R
> =>
  Effect.gen(function* () {
    const { config } = yield* ShakenFist
    const request = get({ operationType: handle.op_type, uuid: handle.op_uuid })
    const paced = options.pace !== undefined && Number.isFinite(Pace.fromInput(options.pace).limit)
    if (config.strategy === "continue" && options.limit === undefined && !paced) return yield* request
    const outcome = yield* Waiter.outcome(Effect.asSome(look(request)), completed, {
      ...options,
      pace: options.pace ?? Pace.operations("1 second", Strategy.limit(config.strategy)),
      patience: options.patience ?? Patience.none,
      subject: { kind: "cluster operation", id: handle.op_uuid, name: handle.op_type }
    })
    if (outcome._tag === "Reached" || outcome._tag === "Failed") {
      // The probe never gives an absence: a 404 is its error.
      const view = Option.getOrThrow(outcome.observed)
      return outcome._tag === "Reached" ? view : yield* failed(view)
    }
    return yield* Effect.fail(outcome.error)
  })
