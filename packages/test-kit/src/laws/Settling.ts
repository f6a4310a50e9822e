/**
 * Shaken Fist's waits as scenarios for `Exhaustive`: settling each kind of object, and changes that are settled or waited
 * for afterwards.
 *
 * Its waits end with the first fault unless they are given patience; some of the scenarios give it, and then a fault that
 * passes must not be seen at a look.
 *
 * @since 0.1.0
 */
import * as Transport from "@effect-manila/core/http/Transport"
import * as Configuration from "@effect-manila/core/shakenfist/Configuration"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as Patience from "@effect-manila/core/waiter/Patience"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Exhaustive from "../Exhaustive.ts"
import * as InProcess from "../InProcess.ts"
import * as FakeShakenFist from "../shakenfist/FakeShakenFist.ts"
import type { App } from "../Wire.ts"

/**
 * The kinds of faults as this service words them: its tokens are refused by a 401 of its own, and its 507 is what
 * another's quota is.
 *
 * @since 0.1.0
 * @category data
 */
export const kinds: ReadonlyArray<Exhaustive.Kind> = Exhaustive.kinds.map((kind) => {
  switch (kind.name) {
    case "expired token":
      return { ...kind, outcome: FakeShakenFist.refusal(401, "unauthorized") }
    case "413 over quota":
      return { ...kind, name: "507 no room", outcome: FakeShakenFist.refusal(507, "no room") }
    default:
      return kind
  }
})

type Cluster = Context.Tag.Service<FakeShakenFist.FakeShakenFist>

/** What is settled or changed, and what the cluster must say after a success. */
interface Story {
  readonly program: Effect.Effect<unknown, unknown, ShakenFist.ShakenFist>
  readonly verify: Effect.Effect<string | undefined>
}

const client = (app: App, cluster: Cluster): Layer.Layer<ShakenFist.ShakenFist> =>
  ShakenFist.layer(
    Configuration.make({
      url: `${InProcess.defaultOrigin}${cluster.basePath}`,
      ...cluster.system,
      requestTimeout: "5 seconds"
    })
  ).pipe(
    Layer.provide(Transport.layerHttpClient),
    Layer.provide(InProcess.layer(app)),
    // The address is right.
    Layer.orDie
  )

const userData = "cGxhbnRlZC1zZWNyZXQ="

const scenario = (
  name: string,
  isLook: NonNullable<Exhaustive.Scenario["isLook"]>,
  tell: (cluster: Cluster) => Effect.Effect<Story>
): Exhaustive.Scenario => ({
  name,
  isSafe: ({ method, path }) => method === "GET" || path === "/auth",
  isLook,
  make: Effect.gen(function* () {
    const cluster = yield* FakeShakenFist.make()
    const { program, verify } = yield* tell(cluster)
    return {
      app: cluster.app,
      journal: cluster.journal,
      secrets: [cluster.system.key, userData],
      program: (app) => Effect.provide(program, client(app, cluster)),
      verify
    }
  })
})

const isView: NonNullable<Exhaustive.Scenario["isLook"]> = ({ method, path }) =>
  method === "GET" && /^\/(instances|networks|artifacts)\/[^/]+$/.test(path)

const noLook: NonNullable<Exhaustive.Scenario["isLook"]> = () => false

/** Nothing that changes the object is queued or at work. */
const isIdle = (cluster: Cluster, target: FakeShakenFist.Target): Effect.Effect<string | undefined> =>
  Effect.map(cluster.operations(target), (operations) => {
    const busy = operations.filter(({ observational, state }) => !observational && /^(queued|executing)$/.test(state))
    return busy.length === 0 ? undefined : `the cluster says ${busy[0]?.type} is ${busy[0]?.state}`
  })

const objectOf = (cluster: Cluster, kind: Settle.Kind): Effect.Effect<{ readonly uuid: string }> => cluster[kind]()

/** Something is at work for three looks, and something that only measures for longer. */
const settling = (kind: Settle.Kind, patience: Patience.Patience<unknown>) => (cluster: Cluster) =>
  Effect.gen(function* () {
    const { uuid } = yield* objectOf(cluster, kind)
    const target = { type: kind, uuid }
    yield* cluster.enqueue({ targets: [target], phases: [["queued", 1000], ["executing", 14_000], ["complete"]] })
    yield* cluster.enqueue({ targets: [target], observational: true, phases: [["queued", 60_000], ["complete"]] })
    return {
      program: Settle.settle(kind, uuid, { interval: "5 seconds", patience }),
      verify: isIdle(cluster, target)
    }
  })

const plugging = (cluster: Cluster) =>
  Effect.gen(function* () {
    const first = yield* cluster.network()
    const second = yield* cluster.network()
    const { uuid } = yield* cluster.instance({ networks: [first.uuid] })
    return {
      program: Effect.zipRight(
        Instance.plugInterface({ ref: uuid, network: { network: second.uuid } }),
        Settle.instance(uuid, { patience: Patience.standard })
      ),
      verify: isIdle(cluster, { type: "instance", uuid })
    }
  })

const creating = () =>
  Effect.succeed({
    program: Instance.createAndWait(
      { name: "new", cpus: 1, memory: 1024, networks: [], disks: [{ size: 8 }], userData },
      { patience: Patience.standard }
    ),
    verify: Effect.succeed(undefined)
  })

const deleting = (cluster: Cluster) =>
  Effect.map(cluster.instance(), ({ uuid }) => ({
    program: Instance.deleteAndWait({ ref: uuid }, { patience: Patience.standard }),
    verify: isIdle(cluster, { type: "instance", uuid })
  }))

/**
 * A scenario for each, by what it does: `settle an instance`.
 *
 * @since 0.1.0
 */
export const scenarios: ReadonlyMap<string, Exhaustive.Scenario> = new Map(
  [
    scenario("settle an instance", noLook, settling("instance", Patience.none)),
    scenario("settle a network", noLook, settling("network", Patience.none)),
    scenario("settle an artifact", noLook, settling("artifact", Patience.none)),
    scenario("settle an instance patiently", isView, settling("instance", Patience.standard)),
    scenario("plug an interface and settle", isView, plugging),
    scenario("create an instance", isView, creating),
    scenario("delete an instance", isView, deleting)
  ].map((one) => [one.name, one])
)
