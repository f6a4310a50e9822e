/**
 * Instances, networks and artifacts as the commands take them: by kind, and by uuid or name.
 *
 * @since 0.1.0
 */
import * as Artifact from "@effect-manila/core/shakenfist/Artifact"
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Network from "@effect-manila/core/shakenfist/Network"
import type { ShakenFist } from "@effect-manila/core/shakenfist/ShakenFist"
import type { ShakenFistError } from "@effect-manila/core/shakenfist/ShakenFistError"
import type * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Effect from "effect/Effect"
import * as About from "../commands/About.ts"
import type { Kind } from "./Nouns.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly uuid: string
  /** What it was called on the command line; `null` for a uuid. */
  readonly name: string | null
}

interface Ref {
  readonly ref: string
  readonly namespace?: string | undefined
}

type Waits<A> = (
  ref: Ref,
  options: Instance.Options
) => Effect.Effect<A, ShakenFistError | WaitError.WaitError, ShakenFist>

interface Calls {
  readonly list: (input: {}) => Effect.Effect<ReadonlyArray<object>, ShakenFistError, ShakenFist>
  readonly get: (ref: Ref) => Effect.Effect<{ readonly uuid: string }, ShakenFistError, ShakenFist>
  readonly awaitCreated: Waits<{ readonly state: string | null }>
  readonly awaitDeleted: Waits<void>
  readonly operations: (
    input: ClusterOperation.OfObject
  ) => Effect.Effect<ReadonlyArray<ClusterOperation.ClusterOperation>, ShakenFistError, ShakenFist>
}

/**
 * @since 0.1.0
 */
export const calls: Readonly<Record<Kind, Calls>> = {
  instance: { ...Instance, operations: ClusterOperation.getInstanceClusterOperations },
  network: { ...Network, operations: ClusterOperation.getNetworkClusterOperations },
  artifact: { ...Artifact, operations: ClusterOperation.getArtifactClusterOperations }
}

/**
 * @since 0.1.0
 */
export const subject = (kind: string, name: string): About.Subject => ({ name, about: `${kind} ${name}` })

const isUuid = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/**
 * A uuid stands for itself, and costs no request. A name is looked up once, so that another object of that name is never
 * met later.
 *
 * @since 0.1.0
 */
export const find = (
  kind: Kind,
  ref: string,
  namespace: string | undefined
): Effect.Effect<Found, ShakenFistError | About.About, ShakenFist> =>
  isUuid(ref)
    ? Effect.succeed({ uuid: ref, name: null })
    : calls[kind].get({ ref, namespace }).pipe(
        Effect.map(({ uuid }) => ({ uuid, name: ref })),
        Effect.mapError((error) => About.about(subject(kind, ref), error))
      )
