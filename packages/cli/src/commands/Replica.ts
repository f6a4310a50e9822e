/**
 * `share replica create`, `delete`, `list`, `show`, `set`, `unset`, `promote`, `resync`, `export location list`, `show`.
 *
 * @since 0.1.0
 */
import * as Find from "@effect-manila/core/manila/Find"
import * as Replica from "@effect-manila/core/manila/Replica"
import * as ShareNetwork from "@effect-manila/core/manila/ShareNetwork"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Cell from "../Cell.ts"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Replica.ts"
import * as Cloud from "./Cloud.ts"
import * as Created from "./Created.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

const idOf = (text: string): Replica.ReplicaId => Replica.ReplicaId.make(text)

/**
 * @since 0.1.0
 */
export const create: Run<typeof Noun.create> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
    const network = args.shareNetwork
    const shareNetworkId =
      network === undefined || Find.isId(network)
        ? network
        : (yield* Waits.within(limit, { kind: "share network", name: network })(ShareNetwork.findByName(network))).id
    yield* Created.run({
      verb: Replica.verbs.create,
      create: Replica.create,
      target: ({ id }) => ({ id }),
      input: {
        shareId: share.id,
        availabilityZone: args.availabilityZone,
        schedulerHints: Parts.given(args.schedulerHint),
        shareNetworkId,
        metadata: Parts.given(args.property)
      },
      goes: { kind: "replica", verb: "create", for: ["available"] },
      args,
      context,
      limit
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const [name, verb] = args.force
      ? (["forceDelete", Replica.verbs.forceDelete] as const)
      : (["delete", Replica.verbs.delete] as const)
    const limit = yield* Waits.begin(args, verb.pace)
    const goes = { kind: "replica", verb: name, for: ["deleted"] }
    return yield* Many.each(args.replicas, context, args.ignoreMissing, (text) =>
      Waits.run({ verb, input: { id: idOf(text) }, goes, args, context, limit })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * The service has no filter for properties: they are compared here.
 *
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const shareId = args.share === undefined ? undefined : (yield* Resolve.share(args.share, args)).id
    const found = yield* Stream.runCollect(Replica.list({ shareId }))
    const wanted = Object.entries(args.property)
    yield* Records.list(
      context.spec,
      Chunk.toReadonlyArray(found).filter(({ metadata }) => wanted.every(([key, value]) => metadata?.[key] === value)),
      { cells: { metadata: (value) => Cell.dictionary(value) } }
    )
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const id = idOf(args.replica)
    const replica = yield* Replica.get({ id })
    const locations = Replica.listExportLocations({ id })
    yield* Records.single(context.spec, replica, {
      cells: Records.properties,
      added: yield* Records.withLocations("2.47", locations, Records.innerLocations)
    })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) => {
  const id = idOf(args.replica)
  const { property, replicaState, status } = args
  return Parts.all(context, args, [
    status !== undefined ? Replica.resetStatus({ id, status }) : undefined,
    replicaState !== undefined ? Replica.resetState({ id, replicaState }) : undefined,
    Object.keys(property).length > 0 ? Replica.setMetadata({ id, metadata: property }) : undefined
  ]).pipe(Cloud.provide(context, args))
}

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Parts.all(
    context,
    args,
    args.property.map((key) => Replica.removeMetadata({ id: idOf(args.replica), key }))
  ).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const promote: Run<typeof Noun.promote> = (args, context) =>
  Effect.gen(function* () {
    const seconds = args.quiesceWaitTime
    if (seconds !== undefined && !/^[1-9]\d*$/.test(seconds))
      return yield* new Parts.BadValue({ flag: "--quiesce-wait-time", value: seconds, expected: "a number of seconds" })
    const verb = Replica.verbs.promote
    const limit = yield* Waits.begin(args, verb.pace)
    const goes = { kind: "replica", verb: "promote", for: ["active"] }
    const input = { id: idOf(args.replica), quiesceWaitTime: seconds === undefined ? undefined : Number(seconds) }
    const { outcome } = yield* Waits.run({ verb, input, goes, args, context, limit })
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const resync: Run<typeof Noun.resync> = (args, context) =>
  Effect.gen(function* () {
    const verb = Replica.verbs.resync
    const limit = yield* Waits.begin(args, verb.pace)
    const goes = { kind: "replica", verb: "resync", for: ["in_sync"] }
    const { outcome } = yield* Waits.run({ verb, input: { id: idOf(args.replica) }, goes, args, context, limit })
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const exportLocationList: Run<typeof Noun.exportLocationList> = (args, context) =>
  Replica.listExportLocations({ id: idOf(args.replica) }).pipe(
    Effect.flatMap((locations) => Records.list(context.spec, locations)),
    Cloud.provide(context, args)
  )

/**
 * @since 0.1.0
 */
export const exportLocationShow: Run<typeof Noun.exportLocationShow> = (args, context) =>
  Replica.getExportLocation({ id: idOf(args.replica), exportLocationId: args.exportLocation }).pipe(
    Effect.flatMap((location) => Records.single(context.spec, location)),
    Cloud.provide(context, args)
  )
