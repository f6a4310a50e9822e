/**
 * Every asynchronous verb of Manila as a scenario for `Exhaustive`: the request, and the wait that ends it.
 *
 * @since 0.1.0
 */
import { verbs } from "@effect-manila/core/manila/operations"
import * as Verb from "@effect-manila/core/manila/Verb"
import * as Effect from "effect/Effect"
import type * as Exhaustive from "../Exhaustive.ts"
import type * as FakeCloud from "../FakeCloud.ts"
import * as Client from "./internal/Client.ts"

const uuid = (n: number): string => `0b0b0b0b-0000-4000-8000-${String(n).padStart(12, "0")}`

const ids = {
  share: uuid(1),
  snapshot: uuid(2),
  rule: uuid(3),
  lone: uuid(4),
  binned: uuid(5),
  copied: uuid(6),
  replica: uuid(7),
  backup: uuid(8),
  kept: uuid(9),
  instance: uuid(10)
}

const key = "AQDa1V9kcephxkeyofalice=="

const cloud: FakeCloud.Options = {
  // Longer than two looks are apart: a revert whose every look failed can't be told from one that had no effect.
  lifecycles: { "share.revert": { phases: [{ status: "reverting", millis: 25_000 }, { status: "available" }] } },
  seed: {
    shareTypes: [
      {
        name: "all",
        is_default: true,
        extra_specs: {
          driver_handles_share_servers: "False",
          snapshot_support: "True",
          create_share_from_snapshot_support: "True",
          revert_to_snapshot_support: "True"
        }
      },
      {
        name: "copied",
        extra_specs: { driver_handles_share_servers: "False", replication_type: "readable" }
      }
    ],
    shares: [
      { id: ids.share, name: "data", size: 2, share_type: "all" },
      { id: ids.lone, instance_id: ids.instance, name: "lone", size: 2, share_type: "all" },
      { id: ids.kept, name: "kept", share_type: "all" },
      { id: ids.copied, name: "copied", share_type: "copied" },
      { id: ids.binned, name: "binned", is_soft_deleted: true, share_type: "all" }
    ],
    snapshots: [{ id: ids.snapshot, share_id: ids.share }],
    replicas: [{ id: ids.replica, share_id: ids.copied, replica_state: "in_sync" }],
    backups: [{ id: ids.backup, share_id: ids.kept }],
    accessRules: [{ id: ids.rule, share_id: ids.share, access_type: "cephx", access_to: "alice", access_key: key }]
  }
}

/** A verb whose types nobody knows. */
type AnyVerb = Verb.Verb<never, { readonly id: string }, unknown>

/**
 * What each verb is asked for on the seeded cloud, by kind and name. One that is added later has no input here, and is
 * named by {@link missing}.
 */
const inputs: Readonly<Record<string, unknown>> = {
  "Share.create": { shareProto: "NFS", size: 1, name: "new" },
  "Share.delete": { id: ids.lone },
  "Share.forceDelete": { id: ids.lone },
  "Share.softDelete": { id: ids.lone },
  "Share.restore": { id: ids.binned },
  "Share.extend": { id: ids.lone, newSize: 3 },
  "Share.shrink": { id: ids.lone, newSize: 1 },
  "Share.revert": { id: ids.share, snapshotId: ids.snapshot },
  "ShareAccess.allow": { shareId: ids.share, accessType: "ip", accessTo: "10.0.0.0/24" },
  "ShareAccess.deny": { id: ids.rule, shareId: ids.share },
  "ShareAccess.update": { id: ids.rule, shareId: ids.share, accessLevel: "ro" },
  "Snapshot.create": { shareId: ids.share, name: "new" },
  "Snapshot.delete": { id: ids.snapshot },
  "Snapshot.forceDelete": { id: ids.snapshot },
  "Snapshot.adopt": { shareId: ids.share, providerLocation: "/snapshots/old" },
  "Snapshot.abandon": { id: ids.snapshot },
  "ShareInstance.forceDelete": { id: ids.instance },
  "ShareManage.adopt": { serviceHost: "manila@alpha#pool", protocol: "NFS", exportPath: "10.0.0.1:/old" },
  "ShareManage.abandon": { id: ids.lone },
  "Replica.create": { shareId: ids.copied },
  "Replica.delete": { id: ids.replica },
  "Replica.forceDelete": { id: ids.replica },
  "Replica.promote": { id: ids.replica },
  "Replica.resync": { id: ids.replica },
  "Backup.create": { shareId: ids.lone, name: "new" },
  "Backup.delete": { id: ids.backup },
  // Where it is restored to is looked at too.
  "Backup.restore": { id: ids.backup, shareId: ids.kept }
}

const all: ReadonlyArray<readonly [string, AnyVerb]> = Object.entries(verbs).flatMap(([kind, ofKind]) =>
  Object.entries(ofKind).map(([name, verb]) => [`${kind}.${name}`, verb as unknown as AnyVerb] as const)
)

/**
 * Verbs that have no scenario yet.
 *
 * @since 0.1.0
 */
export const missing: ReadonlyArray<string> = all.map(([name]) => name).filter((name) => !(name in inputs))

const scenarioOf = (name: string, verb: AnyVerb, input: unknown): Exhaustive.Scenario => ({
  name,
  make: Effect.map(Client.make({ cloud, requestTimeout: "5 seconds" }), (world): Exhaustive.Prepared => {
    let target: { readonly id: string } | undefined
    const secrets = [world.credentials.password, world.credentials.token, key]
    return {
      app: world.cloud.app,
      journal: world.cloud.journal,
      secrets,
      program: (app) =>
        Effect.flatMap(Client.on(app, world.credentials, { requestTimeout: "5 seconds" }), (client) =>
          Verb.run(verb, input as never, {
            onAccepted: ({ id }) =>
              Effect.sync(() => {
                target = id === undefined ? undefined : { id, ...(input as object) }
              })
          }).pipe(Effect.provide(client))
        ),
      // The same look, on the cloud itself: the wait must have ended on what is there.
      verify: Effect.suspend(() => {
        if (target === undefined) return Effect.succeed("nothing had been accepted")
        return Effect.flatMap(verb.probe({ ...(input as object), ...target }), (seen) => {
          const { verdict } = verb.goal(input as never, true).judge({ seen, elapsed: 0 })
          return Effect.succeed(verdict._tag === "Reached" ? undefined : `the cloud says ${verdict.status}`)
        }).pipe(
          Effect.catchAll((error) => Effect.succeed(`the cloud says ${error.message}`)),
          Effect.provide(world.client)
        )
      })
    }
  })
})

/**
 * A scenario for each verb, by its kind and name: `Share.extend`.
 *
 * @since 0.1.0
 */
export const scenarios: ReadonlyMap<string, Exhaustive.Scenario> = new Map(
  all.filter(([name]) => name in inputs).map(([name, verb]) => [name, scenarioOf(name, verb, inputs[name])])
)
