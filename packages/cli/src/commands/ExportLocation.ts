/**
 * `share export location list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as ExportLocation from "@effect-manila/core/manila/ExportLocation"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/ExportLocation.ts"
import * as Cloud from "./Cloud.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.share(args.share, args)
    yield* Records.list(context.spec, yield* ExportLocation.list({ shareId: id }))
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const share = yield* Resolve.share(args.share, args)
    const id = ExportLocation.ExportLocationId.make(args.exportLocation)
    const location = yield* ExportLocation.get({ shareId: share.id, id })
    yield* Records.single(context.spec, location, { cells: Records.properties })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) =>
  Effect.gen(function* () {
    const { id: shareId } = yield* Resolve.share(args.share, args)
    const id = ExportLocation.ExportLocationId.make(args.exportLocation)
    const metadata = Parts.given(args.property)
    return yield* Parts.all(context, args, [
      metadata === undefined ? undefined : ExportLocation.setMetadata({ shareId, id, metadata })
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Effect.gen(function* () {
    const { id: shareId } = yield* Resolve.share(args.share, args)
    const id = ExportLocation.ExportLocationId.make(args.exportLocation)
    return yield* Parts.all(
      context,
      args,
      args.property.map((key) => ExportLocation.removeMetadata({ shareId, id, key }))
    )
  }).pipe(Cloud.provide(context, args))
