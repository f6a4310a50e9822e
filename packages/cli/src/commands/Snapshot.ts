/**
 * `share snapshot create`, `delete`, `list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Cell from "../Cell.ts"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/Snapshot.ts"
import { Progress } from "../Progress.ts"
import * as Cloud from "./Cloud.ts"
import * as Many from "./Many.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"
import * as Resolve from "./Resolve.ts"
import * as Waits from "./Waits.ts"

/**
 * @since 0.1.0
 */
export const create: Run<typeof Noun.create> = (args, context) =>
  Effect.gen(function* () {
    const limit = yield* Waits.begin(args, Pace.status)
    const share = yield* Waits.within(limit, { kind: "share", name: args.share })(Resolve.share(args.share, args))
    let answer: Snapshot.Snapshot | undefined
    const taken = (input: Snapshot.Create) =>
      Effect.map(Snapshot.create(input), (snapshot) => {
        answer = snapshot
        return { target: { id: snapshot.id }, name: snapshot.name }
      })
    const { outcome } = yield* Waits.runWith({
      verb: Snapshot.verbs.create,
      request: taken,
      input: {
        shareId: share.id,
        name: args.name,
        description: args.description,
        force: args.force ? true : undefined,
        metadata: Parts.given(args.property)
      },
      name: args.name,
      goes: { kind: "snapshot", verb: "create", for: ["available"] },
      args,
      context,
      limit
    })
    const seen = outcome === undefined ? Option.none<Snapshot.Snapshot>() : outcome.observed
    yield* Records.single(
      context.spec,
      Option.getOrElse(seen, () => answer ?? {})
    )
    yield* Many.orFail(outcome)
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const remove: Run<typeof Noun.remove> = (args, context) =>
  Effect.gen(function* () {
    const [name, verb] = args.force
      ? (["forceDelete", Snapshot.verbs.forceDelete] as const)
      : (["delete", Snapshot.verbs.delete] as const)
    const limit = yield* Waits.begin(args, verb.pace)
    return yield* Many.each(args.snapshots, context, args.ignoreMissing, (text, isNew) =>
      Effect.gen(function* () {
        const subject = { kind: "snapshot", name: text, verb: verb.verb }
        const found = yield* Waits.within(limit, subject)(Resolve.snapshot(text, args))
        if (!isNew(found.id)) return Many.done
        const goes = { kind: "snapshot", verb: name, for: ["deleted"] }
        return yield* Waits.run({ verb, input: { id: found.id }, name: found.name, goes, args, context, limit })
      })
    )
  }).pipe(Cloud.provide(context, args))

/**
 * `--count` tells how many there are on stderr, where it is not taken for a row.
 *
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (given, context) =>
  Effect.gen(function* () {
    const args = Parts.filter(given)
    const offset = yield* Parts.offset("--marker", args.marker)
    const filter: Snapshot.Filter = {
      name: args.name,
      nameLike: args.nameLike,
      description: args.description,
      descriptionLike: args.descriptionLike,
      status: args.status,
      shareId: args.share === undefined ? undefined : (yield* Resolve.share(args.share)).id,
      usage: args.usage,
      metadata: Parts.given(args.property),
      allProjects: args.allProjects ? true : undefined
    }
    if (args.count) {
      const { count } = yield* Snapshot.page({ ...filter, limit: 1, withCount: true })
      const { note } = yield* Progress
      yield* note(`Total number of snapshots: ${count ?? "unknown"}`)
    }
    const found = yield* Stream.runCollect(Snapshot.list(filter, { total: Parts.total(args.limit), offset }))
    yield* Records.list(context.spec, Records.sorted(Chunk.toReadonlyArray(found), args.sort), {
      given: (option) => (option === "detail" && args.detail) || (option === "allProjects" && args.allProjects)
    })
  }).pipe(Cloud.provide(context, given))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.snapshot(args.snapshot, args)
    const snapshot = yield* Snapshot.get({ id })
    const locations = Effect.map(Snapshot.listExportLocations({ id }), (all) => all.map(withoutLinks))
    yield* Records.single(context.spec, snapshot, {
      cells: Records.properties,
      added: yield* Records.withLocations("2.32", locations, (all) => Cell.formatted(Records.locationsText(all), all))
    })
  }).pipe(Cloud.provide(context, args))

const withoutLinks = (location: object): object => {
  const { links: _, ...rest } = location as { readonly links?: unknown }
  return rest
}

/**
 * @since 0.1.0
 */
export const set: Run<typeof Noun.set> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.snapshot(args.snapshot, args)
    const { description, name, property, status } = args
    return yield* Parts.all(context, args, [
      name !== undefined || description !== undefined ? Snapshot.update({ id, name, description }) : undefined,
      status !== undefined ? Snapshot.resetStatus({ id, status }) : undefined,
      Object.keys(property).length > 0 ? Snapshot.setMetadata({ id, metadata: property }) : undefined
    ])
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const unset: Run<typeof Noun.unset> = (args, context) =>
  Effect.gen(function* () {
    const { id } = yield* Resolve.snapshot(args.snapshot, args)
    const name = args.name ? null : undefined
    const description = args.description ? null : undefined
    return yield* Parts.all(context, args, [
      args.name || args.description ? Snapshot.update({ id, name, description }) : undefined,
      ...args.property.map((key) => Snapshot.removeMetadata({ id, key }))
    ])
  }).pipe(Cloud.provide(context, args))
