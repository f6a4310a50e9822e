/**
 * `operations list` and `operations show`, and the list of objects' names.
 *
 * @since 0.1.0
 */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import * as About from "../commands/About.ts"
import * as Cluster from "./Cluster.ts"
import type { Globals } from "./Flags.ts"
import type * as Nouns from "./Nouns.ts"
import * as Objects from "./Objects.ts"
import * as Records from "./Records.ts"

/**
 * @since 0.1.0
 */
export const list: Run<typeof Nouns.operationsList, Globals> = ({ all, kind, namespace, ref }, context) =>
  Objects.calls[kind].operations({ ref, all, namespace }).pipe(
    Effect.mapError((error) => About.about(Objects.subject(kind, ref), error)),
    Effect.flatMap((operations) => Records.list(context.spec, operations)),
    Cluster.provide(context)
  )

/**
 * @since 0.1.0
 */
export const objects: Run<typeof Nouns.objectsList, Globals> = ({ kind }, context) =>
  Objects.calls[kind].list({}).pipe(
    Effect.flatMap((found) => Records.list(context.spec, found)),
    Cluster.provide(context)
  )

/**
 * @since 0.1.0
 */
export const show: Run<typeof Nouns.operationsShow, Globals> = ({ type, uuid }, context) =>
  ClusterOperation.get({ operationType: type, uuid }).pipe(
    Effect.mapError((error) => About.about(Objects.subject("cluster operation", uuid), error)),
    Effect.flatMap((operation) => Records.single(context.spec, operation)),
    Cluster.provide(context)
  )
