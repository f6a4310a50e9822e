/**
 * A Shaken Fist cluster in memory: what an object's or an operation's state is follows from the clock alone.
 *
 * It measures its instances every five minutes and takes finished operations away, as the real one does. Nothing in it
 * sleeps and no fiber runs: what is due by the time of a request is done before it is answered. It is an `App`, so that
 * `InProcess`, `VirtualTime`, `Server` and `Faults` carry it as they carry the other cloud.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Faults from "../Faults.ts"
import * as Ids from "../internal/Ids.ts"
import { InvalidOption } from "../InvalidOption.ts"
import * as Journal from "../Journal.ts"
import type { App, WireAnswer, WireRequest } from "../Wire.ts"
import * as Accounts from "./internal/Accounts.ts"
import * as Capabilities from "./internal/Capabilities.ts"
import type { Json } from "./internal/Objects.ts"
import type * as Operations from "./internal/Operations.ts"
import * as Ops from "./internal/Operations.ts"
import * as Plans from "./internal/Plans.ts"
import { bodyOf } from "./internal/Refusal.ts"
import * as Router from "./internal/Router.ts"
import * as World from "./internal/World.ts"
import type { UpkeepOptions } from "./UpkeepOptions.ts"
import { millis, upkeepOf } from "./UpkeepOptions.ts"

/**
 * States of a cluster operation in order and how long each stands, the last one without a duration:
 * `[["queued", "2 seconds"], ["executing", "5 seconds"], ["queued", "15 seconds"], ["complete"]]`.
 *
 * @since 0.1.0
 * @category models
 */
export type Phases = Plans.Phases

/**
 * What queues an operation. `sweep` is the measuring of one instance, `network.mesh` the first of the two operations of
 * a hot plug, whose second one is `instance.plug`.
 *
 * @since 0.1.0
 * @category models
 */
export type Action = Plans.Action

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Capabilities that the server does not have, by their tokens. */
  readonly without?: ReadonlyArray<string> | undefined
  /** What becomes of operations, by what queues them; a list of lists is used up call by call, the last one stays. */
  readonly lifecycles?: { readonly [A in Action]?: Phases | ReadonlyArray<Phases> } | undefined
  readonly upkeep?: UpkeepOptions | undefined
  /** Default 15 minutes. */
  readonly tokenLife?: Duration.DurationInput | undefined
  /** Where the routes begin: `/api`. Default: at the root. */
  readonly basePath?: string | undefined
  /** A path that redirects (301) to where the routes begin. */
  readonly movedFrom?: string | undefined
  /** Whether the view of an errored operation has an `error_report`. Default `false`. */
  readonly errorReports?: boolean | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Credentials {
  readonly namespace: string
  readonly key: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly type: string
  readonly uuid: string
}

/**
 * An operation that a test queues.
 *
 * @since 0.1.0
 * @category models
 */
export interface OperationSeed {
  readonly targets: ReadonlyArray<Target>
  /** Default `net_op`. */
  readonly type?: string | undefined
  /** Default `["test_task"]`. */
  readonly tasks?: ReadonlyArray<string> | undefined
  /** Default `false`. */
  readonly observational?: boolean | undefined
  /** Default: queued for ever. */
  readonly phases?: Phases | undefined
  readonly dependsOn?: ReadonlyArray<string> | undefined
}

/**
 * An operation as the cluster knows it, whoever may see it.
 *
 * @since 0.1.0
 * @category models
 */
export interface OperationSeen {
  readonly uuid: string
  readonly type: string
  readonly tasks: ReadonlyArray<string>
  readonly state: string
  readonly observational: boolean
}

/**
 * An object that is there from the start, and has nothing pending.
 *
 * @since 0.1.0
 * @category models
 */
export interface Seed {
  readonly name?: string | undefined
  /** Default: the member's. */
  readonly namespace?: string | undefined
}

/**
 * The cluster, its journal, and what a test does behind its back.
 *
 * @since 0.1.0
 * @category tags
 */
export class FakeShakenFist extends Context.Tag("@effect-manila/test-kit/FakeShakenFist")<
  FakeShakenFist,
  {
    readonly app: App
    readonly journal: Journal.Journal
    /** The path the client's URL has to end in; empty for the root. */
    readonly basePath: string
    /** The administrator. */
    readonly system: Credentials
    /** A member. */
    readonly demo: Credentials
    /** Another one. */
    readonly other: Credentials
    readonly instance: (
      seed?: Seed & { readonly networks?: ReadonlyArray<string> | undefined }
    ) => Effect.Effect<{ readonly uuid: string }>
    readonly network: (seed?: Seed) => Effect.Effect<{ readonly uuid: string }>
    readonly artifact: (
      seed?: Seed & { readonly isShared?: boolean | undefined }
    ) => Effect.Effect<{ readonly uuid: string; readonly blob: string }>
    readonly blob: Effect.Effect<{ readonly uuid: string }>
    readonly enqueue: (seed: OperationSeed) => Effect.Effect<{ readonly uuid: string }>
    /** Gives an operation another future, counted from now. */
    readonly script: (operation: string, phases: Phases) => Effect.Effect<void>
    /** Takes an operation away, as the sweep does. */
    readonly forget: (operation: string) => Effect.Effect<void>
    /** Hard deletes an object of any kind. */
    readonly vanish: (object: string) => Effect.Effect<void>
    /** Changes an object's view, or with `undefined` lets it be again. */
    readonly editView: (object: string, edit: ((view: Json) => Json) | undefined) => Effect.Effect<void>
    /** An agent operation that is queued for ever. */
    readonly agentOperation: (instance: string) => Effect.Effect<{ readonly uuid: string }>
    /** Changes what becomes of operations that are queued from now on. */
    readonly lifecycle: (action: Action, phases: Phases | ReadonlyArray<Phases>) => Effect.Effect<void>
    readonly setCapability: (token: string, isOn: boolean) => Effect.Effect<void>
    /** Ends every token issued so far. */
    readonly expireTokens: Effect.Effect<void>
    /** The life of tokens that are issued from now on. */
    readonly setTokenLife: (life: Duration.DurationInput) => Effect.Effect<void>
    /** Lets the creation of instances be refused for want of room (507). `retryAfter` is the header's text. */
    readonly refuseForRoom: (refusals: {
      readonly times: number
      readonly isTransient?: boolean | undefined
      readonly retryAfter?: string | undefined
    }) => Effect.Effect<void>
    /** What is known of an object's operations, the newest first. */
    readonly operations: (target: Target) => Effect.Effect<ReadonlyArray<OperationSeen>>
    /** How many operations are finished for longer than the grace and still there: all, and by type. */
    readonly backlog: Effect.Effect<{
      readonly cluster_deleted_object_backlog: number
      readonly byType: Readonly<Record<string, number>>
    }>
  }
>() {}

/**
 * The tokens a server has unless they are switched off.
 *
 * @since 0.1.0
 * @category data
 */
export const capabilities: ReadonlyArray<string> = Capabilities.all

/**
 * An answer of the service with an error, for `Faults.on`.
 *
 * @since 0.1.0
 * @category faults
 */
export const refusal = (
  status: number,
  error: unknown = "refused",
  headers: Readonly<Record<string, string>> = {}
): Faults.Outcome => ({ _tag: "Status", status, headers, body: bodyOf(status, error) })

/** One list of phases, or several: a phase begins with a text. */
const isOne = (given: Phases | ReadonlyArray<Phases>): given is Phases => typeof given[0]?.[0] === "string"

const plansOf = (given: Phases | ReadonlyArray<Phases>, option: string): Array<Phases> => {
  const list = isOne(given) ? [given] : [...given]
  for (const phases of list) checked(phases, option)
  return list
}

const checked = (phases: Phases, option: string): Phases => {
  try {
    Plans.timeline(phases)
    return phases
  } catch (error) {
    throw new InvalidOption({ option, problem: error instanceof Error ? error.message : String(error) })
  }
}

const build = (options: Options, start: number, seed: number): Context.Tag.Service<FakeShakenFist> => {
  const ids = Ids.make(seed)
  const keys = { system: ids.text(24), demo: ids.text(24), other: ids.text(24) }
  for (const token of options.without ?? []) known(token, "without")
  const world = World.make(
    {
      ids,
      accounts: Accounts.make(keys, millis(options.tokenLife, 900_000, "tokenLife", 1)),
      upkeep: upkeepOf(options.upkeep ?? {}),
      off: options.without ?? [],
      errorReports: options.errorReports ?? false
    },
    start
  )
  for (const [action, phases] of Object.entries(options.lifecycles ?? {})) {
    // The keys are the type's own.
    if (phases !== undefined) world.plans.set(action as Action, plansOf(phases, `lifecycles["${action}"]`))
  }
  const place = { basePath: (options.basePath ?? "").replace(/\/+$/, ""), movedFrom: options.movedFrom }
  const { journal, write } = Journal.make()

  const serve = (request: WireRequest, now: number): WireAnswer => {
    World.advance(world, now)
    const answer = Router.handle(world, place, request, now)
    write({
      time: now,
      method: request.method,
      path: request.path,
      query: request.query,
      status: answer.status,
      microversion: undefined,
      requestId: answer.headers["x-request-id"],
      service: "none"
    })
    return answer
  }

  /** What a test does is done at a time too. */
  const at = <A>(f: (now: number) => A): Effect.Effect<A> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      World.advance(world, now)
      return f(now)
    })

  const object = (uuid: string, option: string) => {
    const row = world.objects.get(uuid)
    if (row === undefined) throw new InvalidOption({ option, problem: `nothing there has the uuid ${uuid}` })
    return row
  }

  const operation = (uuid: string, option: string) => {
    const op = world.store.ops.get(uuid)
    if (op === undefined) throw new InvalidOption({ option, problem: `no operation has the uuid ${uuid}` })
    return op
  }

  const seen = (op: Operations.Op, now: number): OperationSeen => ({
    uuid: op.uuid,
    type: op.type,
    tasks: op.tasks,
    state: Ops.stateOf(op, now),
    observational: op.observational
  })

  let named = 0
  const nameOf = (kind: string, { name }: Seed): string => name ?? `${kind}-${++named}`

  return {
    app: (request) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({ _tag: "Answer", answer: serve(request, now) }) as const),
    journal,
    basePath: place.basePath,
    system: { namespace: "system", key: keys.system },
    demo: { namespace: "demo", key: keys.demo },
    other: { namespace: "other", key: keys.other },
    instance: (seed = {}) =>
      at((now) => {
        const networks = (seed.networks ?? []).map((uuid) => {
          const row = object(uuid, "instance.networks")
          if (row.kind !== "network") throw new InvalidOption({ option: "instance.networks", problem: "no network" })
          return { row, spec: { network_uuid: uuid } }
        })
        const name = nameOf("instance", seed)
        const spec = { name, cpus: 1, memory: 1024, disk: [{ size: 8, base: null }] }
        return {
          uuid: World.addInstance(world, { name, namespace: seed.namespace ?? "demo", spec, networks }, now, true).uuid
        }
      }),
    network: (seed = {}) =>
      at((now) => {
        const spec = { netblock: "10.0.0.0/24", dhcp: true, nat: true, dns: false }
        const whose = { name: nameOf("network", seed), namespace: seed.namespace ?? "demo" }
        return { uuid: World.addNetwork(world, { ...spec, ...whose }, now, true).uuid }
      }),
    artifact: (seed = {}) =>
      at((now) => {
        const url = nameOf("https://images.test/image", seed)
        const namespace = seed.namespace ?? "demo"
        const row = World.addArtifact(world, { url, namespace, isShared: seed.isShared ?? false }, now, true)
        return { uuid: row.uuid, blob: row.blob.uuid }
      }),
    blob: Effect.sync(() => {
      const uuid = ids.uuid()
      world.blobs.add(uuid)
      return { uuid }
    }),
    enqueue: (seed) =>
      at((now) => {
        const op = Ops.add(
          world.store,
          {
            uuid: ids.uuid(),
            type: seed.type ?? "net_op",
            tasks: seed.tasks ?? ["test_task"],
            targets: seed.targets,
            extra: { node_uuid: World.node },
            observational: seed.observational ?? false,
            phases: checked(seed.phases ?? [["queued"]], "enqueue.phases"),
            dependsOn: (seed.dependsOn ?? []).map((uuid) => operation(uuid, "enqueue.dependsOn"))
          },
          now
        )
        return { uuid: op.uuid }
      }),
    script: (uuid, phases) => at((now) => Ops.plan(operation(uuid, "script"), checked(phases, "script"), now)),
    forget: (uuid) => at(() => Ops.remove(world.store, operation(uuid, "forget"))),
    vanish: (uuid) =>
      at((now) => {
        object(uuid, "vanish").vanishedAt = now
        World.advance(world, now)
      }),
    editView: (uuid, edit) =>
      at(() => {
        object(uuid, "editView").edit = edit
      }),
    agentOperation: (uuid) =>
      at(() => {
        const row = object(uuid, "agentOperation")
        if (row.kind !== "instance") throw new InvalidOption({ option: "agentOperation", problem: "no instance" })
        const made = ids.uuid()
        row.agentOperations.push({
          uuid: made,
          state: "queued",
          version: 1,
          metadata: {},
          namespace: row.namespace,
          instance_uuid: uuid,
          commands: [{ command: "execute", commandline: "true" }],
          deadline: null,
          progress_timeout: null,
          results: {},
          last_progress: null,
          attempts: 0,
          error_message: null,
          references_to: [],
          references_from: []
        })
        return { uuid: made }
      }),
    lifecycle: (action, phases) =>
      Effect.sync(() => void world.plans.set(action, plansOf(phases, `lifecycle("${action}")`))),
    setCapability: (token, isOn) =>
      Effect.sync(() => {
        known(token, "setCapability")
        if (isOn) world.off.delete(token)
        else world.off.add(token)
      }),
    expireTokens: Effect.sync(() => world.accounts.tokens.clear()),
    setTokenLife: (life) =>
      Effect.sync(() => {
        world.accounts.lifeMillis = millis(life, 0, "setTokenLife", 1)
      }),
    refuseForRoom: ({ isTransient, retryAfter, times }) =>
      Effect.sync(() => {
        world.room = { times, isTransient: isTransient ?? false, retryAfter }
      }),
    operations: (target) => at((now) => Ops.list(world.store, target).map((op) => seen(op, now))),
    backlog: at((now) => {
      const byType = world.upkeep.backlog(now)
      return { cluster_deleted_object_backlog: Object.values(byType).reduce((sum, one) => sum + one, 0), byType }
    })
  }
}

const known = (token: string, option: string): void => {
  if (!Capabilities.all.includes(token)) throw new InvalidOption({ option, problem: `no capability is ${token}` })
}

/**
 * A cluster whose time begins now. Its uuids, keys and tokens come from `Random`, so a seeded one makes the same cluster
 * again. Options that make no sense are a defect, an `InvalidOption` that names them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Context.Tag.Service<FakeShakenFist>> =>
  Effect.zipWith(Clock.currentTimeMillis, Random.nextInt, (now, seed) => build(options, now, seed))

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<FakeShakenFist> => Layer.effect(FakeShakenFist, make(options))

/**
 * The cluster as a program serves it: the app, and the variables a client needs to find it at an origin.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeApp = (
  options: Options = {}
): Effect.Effect<{
  readonly app: App
  readonly cluster: Context.Tag.Service<FakeShakenFist>
  readonly variables: (origin: string) => Readonly<Record<string, string>>
}> =>
  Effect.map(make(options), (cluster) => ({
    app: cluster.app,
    cluster,
    variables: (origin) => ({
      SHAKENFIST_API_URL: `${origin}${cluster.basePath}`,
      SHAKENFIST_NAMESPACE: cluster.system.namespace,
      SHAKENFIST_KEY: cluster.system.key
    })
  }))
