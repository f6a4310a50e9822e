/**
 * `share instance delete`, `list`, `show`, `set`, `export location list`, `show`.
 *
 * @since 0.1.0
 */
import { ExportLocationId } from "@effect-manila/core/manila/ExportLocation"
import * as Find from "@effect-manila/core/manila/Find"
import * as ShareInstance from "@effect-manila/core/manila/ShareInstance"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Instance.ts"
import * as Cloud from "./Cloud.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

const idOf = (text: string): ShareInstance.ShareInstanceId => ShareInstance.ShareInstanceId.make(text)

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const verb = ShareInstance.verbs.forceDelete
    const limit = yield* Waits.begin(args, verb.pace)
    const goes = { kind: "instance", verb: "forceDelete", for: ["deleted"] }
    return yield* Many.each(args.instances, context, args.ignoreMissing, (text) =>
      Waits.run({ verb, input: { id: idOf(text) }, goes, args, context, limit })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * The service has no filter that goes with a share: its instances are few, and compared here.
 *
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const { exportLocation, share } = args
    const filter: ShareInstance.Filter =
      exportLocation === undefined
        ? {}
        : Find.isId(exportLocation)
          ? { exportLocationId: exportLocation }
          : { exportLocationPath: exportLocation }
    const shareId = share === undefined ? undefined : (yield* Resolve.share(share, args)).id
    const found = yield* shareId === undefined || exportLocation !== undefined
      ? ShareInstance.list(filter)
      : ShareInstance.listOfShare({ shareId })
    yield* Records.list(
      context.spec,
      shareId === undefined ? found : found.filter(({ share_id }) => share_id === shareId)
    )
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const id = idOf(args.instance)
    const instance = yield* ShareInstance.get({ id })
    const locations = ShareInstance.listExportLocations({ id })
    yield* Records.single(context.spec, instance, {
      added: yield* Records.withLocations("2.9", locations, Records.innerLocations)
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) => {
  const { instance, status } = args
  return Parts.all(context, args, [
    status === undefined ? undefined : ShareInstance.resetStatus({ id: idOf(instance), status })
  ]).pipe(Cloud.provide(context, args))
}

/**
 * @since 0.1.0
 */
export const exportLocationList: Run<typeof Noun.exportLocationList> = (args, context) =>
  ShareInstance.listExportLocations({ id: idOf(args.instance) }).pipe(
    Effect.flatMap((locations) => Records.list(context.spec, locations)),
    Cloud.provide(context, args)
  )

/**
 * @since 0.1.0
 */
export const exportLocationShow: Run<typeof Noun.exportLocationShow> = (args, context) =>
  ShareInstance.getExportLocation({
    id: idOf(args.instance),
    exportLocationId: ExportLocationId.make(args.exportLocation)
  }).pipe(
    Effect.flatMap((location) => Records.single(context.spec, location)),
    Cloud.provide(context, args)
  )
