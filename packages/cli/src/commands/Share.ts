/**
 * `share create`, `list`, `show`, `set`, `unset`, `properties show`.
 *
 * @since 0.1.0
 */
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import * as Find from "@effect-manila/core/manila/Find"
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareGroup from "@effect-manila/core/manila/ShareGroup"
import * as ShareNetwork from "@effect-manila/core/manila/ShareNetwork"
import * as ShareType from "@effect-manila/core/manila/ShareType"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Share.ts"
import type * as ActionNoun from "../nouns/ShareAction.ts"
import * as Cloud from "./Cloud.ts"
import * as Identity from "./Identity.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (given, context) =>
  Effect.gen(function* () {
    const args = Parts.filter(given)
    const offset = yield* Parts.offset("--marker", args.marker)
    const project = args.project === undefined ? undefined : yield* Identity.project(args.project, args.projectDomain)
    const user = args.user === undefined ? undefined : yield* Identity.user(args.user, args.userDomain)
    const isLocation = args.exportLocation !== undefined && Find.isId(args.exportLocation)
    const filter: Share.Filter = {
      name: args.name,
      nameLike: args.nameLike,
      descriptionLike: args.descriptionLike,
      status: args.status,
      snapshotId: args.snapshot === undefined ? undefined : (yield* Resolve.snapshot(args.snapshot)).id,
      exportLocationId: isLocation ? args.exportLocation : undefined,
      exportLocationPath: isLocation ? undefined : args.exportLocation,
      isSoftDeleted: args.softDeleted ? true : undefined,
      isPublic: args.public ? true : undefined,
      shareNetworkId: yield* idOf(args.shareNetwork, ShareNetwork.findByName),
      shareTypeId: yield* idOf(args.shareType, ShareType.findByName),
      shareGroupId: yield* idOf(args.shareGroup, ShareGroup.findByName),
      shareServerId: args.shareServer,
      host: args.host,
      projectId: project,
      userId: user,
      allProjects: args.allProjects || project !== undefined ? true : undefined,
      metadata: Parts.given(args.property),
      extraSpecs: Parts.given(args.extraSpec),
      encryptionKeyRef: args.encryptionKeyRef
    }
    const shares = Chunk.toReadonlyArray(
      yield* Stream.runCollect(Share.list(filter, { total: Parts.total(args.limit), offset }))
    )
    yield* Records.list(context.spec, Records.sorted(shares, args.sort), {
      given: (option) => option === "long" && args.long
    })
  }).pipe(Cloud.provide(context, given))

/** A name costs one look-up, an id none. */
const idOf = <A extends { readonly id: string }, E, R>(
  text: string | undefined,
  find: (name: string) => Effect.Effect<A, E, R>
): Effect.Effect<string | undefined, E, R> =>
  text === undefined || Find.isId(text) ? Effect.succeed(text) : Effect.map(find(text), ({ id }) => id)

/**
 * One look-up for a name, one request for the share, one for its export locations.
 *
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.share(args.share, args)
    const share = yield* Share.get({ id })
    yield* Records.single(context.spec, share, {
      cells: Records.properties,
      added: yield* Records.withLocations("2.9", ExportLocation.list({ shareId: id }), Records.locationsText)
    })
  }).pipe(Cloud.provide(context, args))

/**
 * Each part that was asked for is one request; a part that fails does not keep the others from being tried.
 *
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) =>
  Effect.gen(function* () {
    const isPublic = yield* Parts.truth("--public", args.public)
    const { id } = yield* Resolve.share(args.share, args)
    const { description, name, property, status, taskState } = args
    const changed = name !== undefined || description !== undefined || isPublic !== undefined
    return yield* Parts.all(context, args, [
      Object.keys(property).length > 0 ? Share.setMetadata({ id, metadata: property }) : undefined,
      changed ? Share.update({ id, name, description, isPublic }) : undefined,
      status !== undefined ? Share.resetStatus({ id, status }) : undefined,
      taskState !== undefined
        ? Share.resetTaskState({ id, taskState: taskState?.toLowerCase() === "none" ? null : taskState })
        : undefined
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.share(args.share, args)
    const name = args.name ? null : undefined
    const description = args.description ? null : undefined
    return yield* Parts.all(context, args, [
      args.name || args.description ? Share.update({ id, name, description }) : undefined,
      ...args.property.map((key) => Share.removeMetadata({ id, key }))
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const propertiesShow: Run<typeof ActionNoun.propertiesShow> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.share(args.share, args)
    yield* Records.single(context.spec, yield* Share.getMetadata({ id }))
  }).pipe(Cloud.provide(context, args))
