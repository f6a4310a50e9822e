/**
 * A cloud in memory: Keystone under `/identity`, Manila under `/share`, one function from request to answer.
 *
 * What an object's status is follows from the clock alone, so a test that holds the clock holds the cloud. Bodies are
 * built from what a real server was seen to answer, never from this project's own schemas.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Ids from "./internal/Ids.ts"
import { InvalidOption } from "./InvalidOption.ts"
import * as Journal from "./Journal.ts"
import * as FakeKeystone from "./keystone/FakeKeystone.ts"
import * as Catalog from "./keystone/internal/Catalog.ts"
import type * as Lifecycle_ from "./Lifecycle.ts"
import * as FakeManila from "./manila/FakeManila.ts"
import * as Microversion from "./manila/internal/Microversion.ts"
import * as Seeds from "./manila/internal/Seeds.ts"
import * as World from "./manila/internal/World.ts"
import type { AccessRuleSeed, MessageSeed, Seed, ShareSeed, ShareTypeSeed, SnapshotSeed } from "./Seed.ts"
import type { App, WireAnswer, WireRequest } from "./Wire.ts"

/**
 * One status and how long it stands.
 *
 * @since 0.1.0
 * @category models
 */
export type Phase = Lifecycle_.Phase

/**
 * The user message that appears when a failure status is reached.
 *
 * @since 0.1.0
 * @category models
 */
export type Reason = Lifecycle_.Reason

/**
 * Statuses in order, and what a failure says.
 *
 * @since 0.1.0
 * @category models
 */
export type Lifecycle = Lifecycle_.Lifecycle

/**
 * The name of an action that ends later than its answer.
 *
 * @since 0.1.0
 * @category models
 */
export type Action = Lifecycle_.Action

export {
  /**
   * Every action that has a lifecycle, by name.
   *
   * @since 0.1.0
   * @category data
   */
  actions
} from "./Lifecycle.ts"

export type {
  AccessRuleSeed,
  BackupSeed,
  MessageSeed,
  ReplicaSeed,
  Seed,
  ShareGroupSeed,
  ShareNetworkSeed,
  ShareSeed,
  ShareTypeSeed,
  SnapshotSeed
} from "./Seed.ts"

/**
 * Limits of each project; -1 is no limit, and the default of all of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Quotas {
  readonly shares?: number
  readonly gigabytes?: number
  readonly snapshots?: number
  readonly snapshot_gigabytes?: number
  readonly per_share_gigabytes?: number
  /** A share of a type with `replication_type` counts as a replica itself. */
  readonly share_replicas?: number
  readonly replica_gigabytes?: number
  readonly backups?: number
  readonly backup_gigabytes?: number
}

/**
 * A service in the catalog: one endpoint for each of its regions and interfaces.
 *
 * @since 0.1.0
 * @category models
 */
export interface CatalogService {
  /** `shared-file-system`, `sharev2`, `share`, … */
  readonly type: string
  readonly name?: string
  /** Default `["RegionOne"]`. */
  readonly regions?: ReadonlyArray<string>
  /** Default all three. */
  readonly interfaces?: ReadonlyArray<"public" | "internal" | "admin">
  /** Path under the cloud's origin, or a whole URL; `{project_id}` is replaced. Default `/share/v2`. */
  readonly path?: string
}

/**
 * How this cloud differs from a healthy one of today with nothing in it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What happens after an action; an array is used one per call in order, and its last one repeats. */
  readonly lifecycles?: { readonly [A in Action]?: Lifecycle | ReadonlyArray<Lifecycle> }
  readonly seed?: Seed
  /** Default 2.0 to 2.99. */
  readonly microversion?: { readonly min?: string; readonly max?: string }
  /** Default one hour. */
  readonly tokenLifetimeMillis?: number
  /**
   * The most a list gives in one page (`osapi_max_limit`). Default 1000, for the lists that servers of today cap; one
   * that is given holds for shares too, as it did on older servers.
   */
  readonly pageCap?: number
  readonly quotas?: Quotas
  /** Default: Keystone itself, `shared-file-system`, `sharev2` and `share` (v1) in RegionOne, three interfaces each. */
  readonly catalog?: ReadonlyArray<CatalogService>
}

/**
 * What a caller needs to log in. Paths are relative to the origin the cloud is reached at.
 *
 * @since 0.1.0
 * @category models
 */
export interface Credentials {
  /** `/identity/v3` */
  readonly authPath: string
  readonly username: string
  readonly userId: string
  readonly password: string
  readonly domainName: string
  readonly domainId: string
  readonly projectName: string
  readonly projectId: string
  readonly applicationCredentialId: string
  readonly applicationCredentialName: string
  readonly applicationCredentialSecret: string
  readonly region: string
  /** Issued when the cloud was made; it ends after the token lifetime. */
  readonly token: string
}

/**
 * The cloud, its journal, and what a test does behind its back.
 *
 * @since 0.1.0
 * @category tags
 */
export class FakeCloud extends Context.Tag("@effect-manila/test-kit/FakeCloud")<
  FakeCloud,
  {
    readonly app: App
    readonly journal: Journal.Journal
    /** A member of the project `demo`. */
    readonly credentials: Credentials
    /** The administrator. */
    readonly admin: Credentials
    /** A member of the project `other`. */
    readonly other: Credentials
    /** May look at what the project `demo` has, and change nothing. */
    readonly reader: Credentials
    /** Puts an object there; what can't be is a defect that names the field. */
    readonly share: (seed?: ShareSeed) => Effect.Effect<{ readonly id: string; readonly name: string | null }>
    readonly snapshot: (seed: SnapshotSeed) => Effect.Effect<{ readonly id: string; readonly name: string | null }>
    readonly accessRule: (seed: AccessRuleSeed) => Effect.Effect<{ readonly id: string }>
    readonly shareType: (seed: ShareTypeSeed) => Effect.Effect<{ readonly id: string; readonly name: string }>
    readonly message: (seed: MessageSeed) => Effect.Effect<{ readonly id: string }>
    /** Gives an object of any kind another future, counted from now. A defect if no object has that id. */
    readonly script: (id: string, lifecycle: Lifecycle | ReadonlyArray<Phase>) => Effect.Effect<void>
    /** Changes what an action does from its next call on. */
    readonly lifecycle: (action: Action, lifecycle: Lifecycle | ReadonlyArray<Lifecycle>) => Effect.Effect<void>
    /** Ends every token issued so far: the next request with one is answered 401. */
    readonly expireTokens: Effect.Effect<void>
    /** Changes limits of one project (default: the member's). */
    readonly setQuota: (quotas: Quotas, projectId?: string) => Effect.Effect<void>
  }
>() {}

const positive = (value: number | undefined, fallback: number, option: string): number => {
  if (value === undefined) return fallback
  if (typeof value !== "number" || !(value > 0))
    throw new InvalidOption({ option, problem: `must be above 0, not ${value}` })
  return value
}

const quotasOf = (quotas: Quotas, option: string): Quotas => {
  for (const [key, value] of Object.entries(quotas)) {
    if (!(key in World.unlimited))
      throw new InvalidOption({
        option: `${option}.${key}`,
        problem: `is none of ${Object.keys(World.unlimited).join(", ")}`
      })
    if (!Number.isInteger(value) || value < -1)
      throw new InvalidOption({
        option: `${option}.${key}`,
        problem: `must be a whole number from -1 up, not ${value}`
      })
  }
  return quotas
}

const build = (options: Options, now: number, seed: number): Context.Tag.Service<FakeCloud> => {
  const ids = Ids.make(seed)
  const oldest = Microversion.option(options.microversion?.min, 0, "microversion.min")
  const newest = Microversion.option(options.microversion?.max, 99, "microversion.max")
  if (oldest > newest)
    throw new InvalidOption({ option: "microversion.min", problem: `is above the maximum, 2.${newest}` })
  const pageCap = options.pageCap === undefined ? undefined : positive(options.pageCap, 1, "pageCap")
  const keystone = FakeKeystone.make({
    ids,
    tokenLifetimeMillis: positive(options.tokenLifetimeMillis, 3_600_000, "tokenLifetimeMillis"),
    services: options.catalog ?? Catalog.defaults(newest)
  })
  const world = World.make({ ids, oldest, newest, pageCap, quotas: quotasOf(options.quotas ?? {}, "quotas") }, now)
  for (const [action, lifecycle] of Object.entries(options.lifecycles ?? {})) {
    // The keys are the type's own; one that is not is refused by name.
    World.setScript(world, action as Action, lifecycle, `lifecycles["${action}"]`)
  }
  Seeds.all(world, options.seed ?? {}, now)

  const { journal, write } = Journal.make()

  const serve = (request: WireRequest, at: number): WireAnswer => {
    const requestId = ids.requestId()
    const [, root = ""] = request.path.split("/", 2)
    const rest = request.path.slice(root.length + 1)
    const service = root === "identity" || root === "share" ? root : "none"
    const answer =
      service === "identity"
        ? keystone.handle(request, rest, at, requestId)
        : service === "share"
          ? FakeManila.handle(world, keystone, request, rest, at, requestId)
          : { status: 404, headers: { "content-type": "text/plain", "content-length": "0" }, body: "" }
    write({
      time: at,
      method: request.method,
      path: request.path,
      query: request.query,
      status: answer.status,
      microversion: request.headers["x-openstack-manila-api-version"],
      requestId: answer.headers["x-openstack-request-id"],
      service
    })
    return answer
  }

  const withNow = <A>(f: (now: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, f)

  return {
    app: (request) =>
      Effect.map(Clock.currentTimeMillis, (at) => ({ _tag: "Answer", answer: serve(request, at) }) as const),
    journal,
    credentials: keystone.credentials("demo", now),
    admin: keystone.credentials("admin", now),
    other: keystone.credentials("other", now),
    reader: keystone.credentials("reader", now),
    share: (seed = {}) =>
      withNow((at) => {
        const { id, name } = Seeds.share(world, seed, { option: "share", now: at })
        return { id, name }
      }),
    snapshot: (seed) =>
      withNow((at) => {
        const { id, name } = Seeds.snapshot(world, seed, { option: "snapshot", now: at })
        return { id, name }
      }),
    accessRule: (seed) => withNow((at) => ({ id: Seeds.rule(world, seed, { option: "accessRule", now: at }).id })),
    shareType: (seed) =>
      withNow((at) => {
        const { id, name } = Seeds.type(world, seed, { option: "shareType", now: at })
        return { id, name }
      }),
    message: (seed) => withNow((at) => ({ id: Seeds.message(world, seed, { option: "message", now: at }).id })),
    script: (id, lifecycle) =>
      withNow((at) => {
        const given: Lifecycle = "phases" in lifecycle ? lifecycle : { phases: lifecycle }
        if (!Seeds.script(world, id, given, at))
          throw new InvalidOption({ option: "script", problem: `nothing there has the id ${id}` })
      }),
    lifecycle: (action, lifecycle) =>
      Effect.sync(() => World.setScript(world, action, lifecycle, `lifecycle("${action}")`)),
    expireTokens: Effect.sync(keystone.revokeAll),
    setQuota: (quotas, projectId = FakeKeystone.projects.demo.id) =>
      Effect.sync(() => {
        const known = World.quotasFor(world, projectId)
        world.quotasOf.set(projectId, { ...known, ...quotasOf(quotas, "setQuota") })
      })
  }
}

/**
 * A cloud whose time begins now. Its ids come from `Random`, so a seeded one makes the same cloud again. Options that
 * make no sense are a defect, an `InvalidOption` that names them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Context.Tag.Service<FakeCloud>> =>
  Effect.zipWith(Clock.currentTimeMillis, Random.nextInt, (now, seed) => build(options, now, seed))

/**
 * The same as a layer: one cloud for whoever it is provided to.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<FakeCloud> => Layer.effect(FakeCloud, make(options))
