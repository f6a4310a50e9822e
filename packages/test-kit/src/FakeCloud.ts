/**
 * A cloud in memory: Keystone under `/identity`, Manila under `/share`, one function from request to answer.
 *
 * What an object's status is follows from the clock alone, so a test that holds the clock holds the cloud. Bodies are
 * built from what a real server was seen to answer, never from this project's own schemas.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Journal from "./Journal.ts"
import type * as Lifecycle_ from "./Lifecycle.ts"
import type { App } from "./Wire.ts"

/** @since 0.1.0 @category models */
export type Phase = Lifecycle_.Phase
/** @since 0.1.0 @category models */
export type Reason = Lifecycle_.Reason
/** @since 0.1.0 @category models */
export type Lifecycle = Lifecycle_.Lifecycle
/** @since 0.1.0 @category models */
export type Action = Lifecycle_.Action
export { actions } from "./Lifecycle.ts"

/** @since 0.1.0 @category models */
export interface ShareSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly size?: number
  readonly share_proto?: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly project_id?: string
  readonly user_id?: string
  readonly is_public?: boolean
  readonly is_soft_deleted?: boolean
  readonly metadata?: Readonly<Record<string, string>>
  /** Id or name. */
  readonly share_type?: string
  readonly share_network_id?: string | null
  readonly share_group_id?: string | null
  readonly snapshot_id?: string | null
  readonly availability_zone?: string | null
  readonly host?: string
  readonly task_state?: string | null
  readonly progress?: string | null
  /** ISO 8601 without zone, as the server writes it. */
  readonly created_at?: string
}

/** @since 0.1.0 @category models */
export interface SnapshotSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly share_id: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly project_id?: string
  readonly user_id?: string
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_at?: string
}

/** @since 0.1.0 @category models */
export interface AccessRuleSeed {
  readonly id?: string
  readonly share_id: string
  readonly access_type?: string
  readonly access_to?: string
  readonly access_level?: string
  readonly access_key?: string | null
  readonly state?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly reason?: Reason
  readonly metadata?: Readonly<Record<string, string>>
  readonly created_at?: string
}

/** @since 0.1.0 @category models */
export interface ShareTypeSeed {
  readonly id?: string
  readonly name: string
  readonly description?: string | null
  readonly is_public?: boolean
  readonly is_default?: boolean
  readonly extra_specs?: Readonly<Record<string, string>>
  /** Projects that may use a type that is not public. */
  readonly projects?: ReadonlyArray<string>
}

/** @since 0.1.0 @category models */
export interface ShareNetworkSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly project_id?: string
  readonly status?: string
  readonly created_at?: string
}

/** @since 0.1.0 @category models */
export interface ShareGroupSeed {
  readonly id?: string
  readonly name?: string | null
  readonly description?: string | null
  readonly project_id?: string
  readonly status?: string
  readonly phases?: ReadonlyArray<Phase>
  readonly created_at?: string
}

/** @since 0.1.0 @category models */
export interface MessageSeed {
  readonly id?: string
  readonly project_id?: string
  readonly resource_type?: string
  readonly resource_id?: string | null
  readonly action_id?: string
  readonly detail_id?: string
  readonly message_level?: string
  readonly user_message?: string
  readonly request_id?: string
  readonly created_at?: string
}

/**
 * Objects there from the start: partial bodies in the service's own words, the rest has defaults. An object may bring
 * phases of its own, counted from the moment the cloud is made.
 *
 * @since 0.1.0
 * @category models
 */
export interface Seed {
  readonly shares?: ReadonlyArray<ShareSeed>
  readonly snapshots?: ReadonlyArray<SnapshotSeed>
  readonly accessRules?: ReadonlyArray<AccessRuleSeed>
  readonly shareTypes?: ReadonlyArray<ShareTypeSeed>
  readonly shareNetworks?: ReadonlyArray<ShareNetworkSeed>
  readonly messages?: ReadonlyArray<MessageSeed>
  readonly shareGroups?: ReadonlyArray<ShareGroupSeed>
}

/**
 * Limits of each project; -1 is no limit. Defaults are the server's: 50 shares, 1000 GiB, 50 snapshots, 1000 GiB of
 * snapshots, no limit per share.
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
}

/** @since 0.1.0 @category models */
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

/** @since 0.1.0 @category models */
export interface Options {
  /** What happens after an action; an array is used one per call in order, and its last one repeats. */
  readonly lifecycles?: { readonly [A in Action]?: Lifecycle | ReadonlyArray<Lifecycle> }
  readonly seed?: Seed
  /** Default 2.0 to 2.99. */
  readonly microversion?: { readonly min?: string; readonly max?: string }
  /** Default one hour. */
  readonly tokenLifetimeMillis?: number
  /** The most a capped list gives in one page (`osapi_max_limit`). Default 1000. */
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
    /** A member of another project. */
    readonly other: Credentials
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

/**
 * A cloud whose time begins now. Options that make no sense are a defect that names the option.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (_options: Options = {}): Effect.Effect<Context.Tag.Service<FakeCloud>> =>
  Effect.dieMessage("not yet")

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: Options): Layer.Layer<FakeCloud> => Layer.effect(FakeCloud, make(options))
