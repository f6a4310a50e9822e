/**
 * Artifacts (images, snapshots, labels): model, operations, and waits for their state.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as StatusGoal from "../waiter/StatusGoal.ts"
import type * as Goal from "../waiter/Goal.ts"
import type * as WaitError from "../waiter/WaitError.ts"
import * as Metadata from "./internal/metadata.ts"
import * as Obj from "./internal/object.ts"
import * as Output from "./internal/output.ts"
import * as Operation from "./Operation.ts"
import type { ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"

/**
 * One version of an artifact.
 *
 * @since 0.1.0
 * @category models
 */
export const Blob = Schema.Struct({ uuid: Schema.String, size: Obj.integer, reference_count: Obj.integer })

/**
 * `state`: `initial`, `created`, `deleted`, `error`. `blobs` is by the version's number, as text.
 *
 * @since 0.1.0
 * @category models
 */
export const Artifact = Schema.Struct({
  ...Obj.common,
  artifact_type: Obj.text,
  source_url: Obj.text,
  max_versions: Obj.integer,
  shared: Obj.flag,
  /** The newest version; 0 if there is none. */
  index: Obj.integer,
  blob_uuid: Obj.text,
  blobs: Schema.optional(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Artifact = typeof Artifact.Type

/**
 * By uuid or name. `namespace` is where the name is looked up; the server announces no capability for that, so none is
 * asked of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ref {
  readonly ref: string
  readonly namespace?: string | undefined
}

const path = (ref: string) => `/artifacts/${Http.segment(ref)}`

/**
 * The caller's own active artifacts, and those shared with it.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<{ readonly node?: string | undefined }, ReadonlyArray<Artifact>>({
  name: "artifact.list",
  method: "GET",
  path: () => "/artifacts",
  body: ({ node }) => ({ node }),
  output: Output.list(Artifact)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<Ref, Artifact>({
  name: "artifact.get",
  method: "GET",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Artifact)
})

/**
 * Asks the cluster to fetch an image. Only `system` may share it.
 *
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<
  { readonly url: string; readonly shared?: boolean | undefined; readonly namespace?: string | undefined },
  Artifact
>({
  name: "artifact.create",
  method: "POST",
  path: () => "/artifacts",
  body: ({ namespace, shared, url }) => ({ url, shared: shared ?? false, namespace: namespace ?? null }),
  output: Output.value(Artifact)
})

/**
 * Deletes at once, and gives the last view; `null` if it was deleted already.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<Ref, Artifact | null>({
  name: "artifact.remove",
  method: "DELETE",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Schema.NullOr(Artifact))
})

/**
 * @since 0.1.0
 * @category operations
 */
export const removeAll = Operation.make<{ readonly namespace: string }, ReadonlyArray<string>>({
  name: "artifact.removeAll",
  method: "DELETE",
  path: () => "/artifacts",
  body: ({ namespace }) => ({ confirm: true, namespace }),
  output: Output.list(Schema.String)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, removeMetadata, setMetadata } = Metadata.make("artifact", "artifacts", [
  "artifact-metadata"
])

/**
 * @since 0.1.0
 * @category goals
 */
export const created: Goal.Goal<Artifact> = StatusGoal.present(Obj.reader, "created")

/**
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Artifact> = StatusGoal.absent(Obj.reader)

/**
 * How to wait; the defaults are a look every 5 s, 600 s in all, and no patience with faults.
 *
 * @since 0.1.0
 * @category models
 */
export type Options<R = never> = Obj.Options<R>

/**
 * Waits until an artifact is `created`.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitCreated = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<Artifact, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.map(
    Obj.wait({ kind: "artifact", ref: ref.ref, verb: "create" }, get(ref), created, options),
    // Only an artifact that was seen is created.
    Option.getOrThrow
  )

/**
 * Waits until an artifact is deleted or no longer there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitDeleted = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.asVoid(Obj.wait({ kind: "artifact", ref: ref.ref, verb: "delete" }, get(ref), deleted, options))

/**
 * Asks for an image and waits until it is `created`: a look every second for the async strategy's time.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(
  input: Parameters<typeof create>[0],
  options: Options<R> = {}
): Effect.Effect<Artifact, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Obj.within(options, (within) => Effect.flatMap(create(input), ({ uuid }) => awaitCreated({ ref: uuid }, within)))
