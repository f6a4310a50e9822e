/**
 * `share adopt`, `abandon`, `share snapshot adopt`, `abandon`.
 *
 * @since 0.1.0
 */
import * as ShareManage from "@effect-manila/core/manila/ShareManage"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Manage.ts"
import * as Cloud from "./Cloud.ts"
import * as Created from "./Created.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

/**
 * @since 0.1.0
 */
export const adopt: Run<typeof Noun.adopt> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    yield* Created.run({
      verb: ShareManage.verbs.adopt,
      create: ShareManage.adopt,
      target: ({ id }) => ({ id }),
      input: {
        serviceHost: args.serviceHost,
        protocol: args.protocol,
        exportPath: args.exportPath,
        shareType: args.shareType,
        name: args.name,
        description: args.description,
        driverOptions: Parts.given(args.driverOptions),
        isPublic: args.public ? true : undefined,
        shareServerId: args.shareServerId,
        mountPointName: args.mountPointName
      },
      name: args.name,
      goes: { kind: "share", verb: "adopt", for: ["available"] },
      args,
      context,
      limit
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const abandon: Run<typeof Noun.abandon> = (args, context) =>
  Effect.gen(function* () {
    const verb = ShareManage.verbs.abandon
    const limit = yield* Waits.begin(args, verb.pace)
    return yield* Many.each(args.shares, context, args.ignoreMissing, (text, isNew) =>
      Effect.gen(function* () {
        const subject = { kind: "share", name: text, verb: verb.verb }
        const { id, name } = yield* Waits.within(limit, subject)(Resolve.share(text, args))
        if (!isNew(id)) return Many.done
        const goes = { kind: "share", verb: "abandon", for: ["deleted"] }
        return yield* Waits.run({ verb, input: { id }, name, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const snapshotAdopt: Run<typeof Noun.snapshotAdopt> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
    yield* Created.run({
      verb: Snapshot.verbs.adopt,
      create: Snapshot.adopt,
      target: ({ id }) => ({ id }),
      input: {
        shareId: share.id,
        providerLocation: args.providerLocation,
        name: args.name,
        description: args.description,
        driverOptions: Parts.given(args.driverOption)
      },
      name: args.name,
      goes: { kind: "snapshot", verb: "adopt", for: ["available"] },
      args,
      context,
      limit
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const snapshotAbandon: Run<typeof Noun.snapshotAbandon> = (args, context) =>
  Effect.gen(function* () {
    const verb = Snapshot.verbs.abandon
    const limit = yield* Waits.begin(args, verb.pace)
    return yield* Many.each(args.snapshots, context, args.ignoreMissing, (text, isNew) =>
      Effect.gen(function* () {
        const subject = { kind: "snapshot", name: text, verb: verb.verb }
        const { id, name } = yield* Waits.within(limit, subject)(Resolve.snapshot(text, args))
        if (!isNew(id)) return Many.done
        const goes = { kind: "snapshot", verb: "abandon", for: ["deleted"] }
        return yield* Waits.run({ verb, input: { id }, name, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))
