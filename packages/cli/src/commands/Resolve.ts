/**
 * From what people write to what the service knows: an id as it stands, a name by one filtered list request.
 *
 * @since 0.1.0
 */
import * as Find from "@effect-manila/core/manila/Find"
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Share from "@effect-manila/core/manila/Share"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Effect from "effect/Effect"

/**
 * @since 0.1.0
 * @category models
 */
export interface Ref<Id extends string> {
  readonly id: Id
  /** Known where a name was looked up. */
  readonly name?: string | null | undefined
}

type Found<Id extends string> = Effect.Effect<Ref<Id>, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila>

/**
 * Where names are looked up.
 *
 * @since 0.1.0
 * @category models
 */
export interface Scope {
  readonly allProjects?: boolean | undefined
  /** Only in the recycle bin. */
  readonly softDeleted?: boolean | undefined
}

/**
 * @since 0.1.0
 */
export const share = (text: string, scope: Scope = {}): Found<Share.ShareId> =>
  Find.isId(text)
    ? Effect.succeed({ id: Share.ShareId.make(text) })
    : Share.findByName(text, {
        allProjects: scope.allProjects === true ? true : undefined,
        isSoftDeleted: scope.softDeleted === true ? true : undefined
      })

/**
 * @since 0.1.0
 */
export const snapshot = (text: string, scope: Scope = {}): Found<Snapshot.SnapshotId> =>
  Find.isId(text)
    ? Effect.succeed({ id: Snapshot.SnapshotId.make(text) })
    : Snapshot.findByName(text, { allProjects: scope.allProjects === true ? true : undefined })
