/**
 * Shares that were there before the service: adopting one takes it over, abandoning one leaves it on its back end and
 * makes the service forget it. Both need an administrator.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Http from "../http/Operation.ts"
import type * as Goal from "../waiter/Goal.ts"
import * as Pace from "../waiter/Pace.ts"
import * as StatusGoal from "../waiter/StatusGoal.ts"
import type { WaitError } from "../waiter/WaitError.ts"
import * as Goals from "./internal/share/goals.ts"
import { Share, type ShareId } from "./internal/share/model.ts"
import type { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"
import * as Operation from "./Operation.ts"
import * as Verb from "./Verb.ts"

/**
 * What the service has to know of a share it takes over.
 *
 * @since 0.1.0
 * @category models
 */
export interface Adopt {
  /** `host@backend#pool`. */
  readonly serviceHost: string
  /** `NFS`, `CIFS`, … */
  readonly protocol: string
  /** Where it is exported now: `10.0.0.1:/data`. */
  readonly exportPath: string
  /** Name or id. */
  readonly shareType?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly driverOptions?: Readonly<Record<string, string>> | undefined
  /** Since 2.8. */
  readonly isPublic?: boolean | undefined
  /** Since 2.49, for types whose driver handles share servers. */
  readonly shareServerId?: string | undefined
  /** Since 2.92. */
  readonly mountPointName?: string | undefined
}

const body = (input: Adopt) => ({
  share: {
    service_host: input.serviceHost,
    protocol: input.protocol,
    export_path: input.exportPath,
    share_type: input.shareType,
    name: input.name,
    description: input.description,
    driver_options: input.driverOptions,
    is_public: input.isPublic,
    share_server_id: input.shareServerId,
    mount_point_name: input.mountPointName
  }
})

/**
 * Takes a share over. It is `manage_starting` until the driver has found it and told its size, which is null until then;
 * 409 for an export path that is known already.
 *
 * @since 0.1.0
 * @category operations
 */
export const adopt = Operation.make<Adopt, Share>(
  {
    name: "share.adopt",
    fieldsSince: { isPublic: "2.8", shareServerId: "2.49", mountPointName: "2.92" },
    output: Http.key("share", Share)
  },
  { since: "2.7", method: "POST", path: () => "/shares/manage", body },
  { until: "2.6", method: "POST", path: () => "/os-share-manage", body }
)

/**
 * Makes the service forget a share; the data stay. Refused (403) in a transitional status and while there are
 * snapshots.
 *
 * @since 0.1.0
 * @category operations
 */
export const abandon = Operation.make<{ readonly id: ShareId }, void>(
  { name: "share.abandon", output: Http.empty },
  {
    since: "2.7",
    method: "POST",
    path: ({ id }) => `/shares/${Http.segment(id)}/action`,
    body: () => ({ unmanage: null })
  },
  { until: "2.6", method: "POST", path: ({ id }) => `/os-share-unmanage/${Http.segment(id)}/unmanage` }
)

/**
 * Abandoned by a request that was accepted: every status at rest was allowed, failures included.
 *
 * @since 0.1.0
 * @category goals
 */
export const abandoned: Goal.Goal<Share> = StatusGoal.absent(Goals.reader, { from: "any" })

/**
 * @since 0.1.0
 * @category models
 */
export interface Target {
  readonly id: ShareId
}

const shared = { kind: "share", probe: ({ id }: Target) => Goals.probe(id) }

/**
 * @since 0.1.0
 * @category verbs
 */
export const verbs = {
  adopt: Verb.make<Adopt, Target, Share>({
    ...shared,
    verb: "adopt",
    request: (input) => Effect.map(adopt(input), ({ id, name }) => ({ target: { id }, name })),
    goal: () => Goals.available,
    pace: Pace.status
  }),
  abandon: Verb.make<Target, Target, Share>({
    ...shared,
    verb: "abandon",
    request: ({ id }) => Effect.as(abandon({ id }), { target: { id } }),
    goal: () => abandoned,
    pace: Pace.deletion
  })
}

type Ended<A, R> = Effect.Effect<A, ManilaError | WaitError, Manila | R>

/**
 * Takes a share over and waits until it is available. A share that ends in `manage_error` is still there: abandon it
 * before the next try.
 *
 * @since 0.1.0
 * @category waiting
 */
export const adoptAndWait = <R = never>(input: Adopt, options?: Verb.Options<R>): Ended<Share, R> =>
  Effect.map(Verb.run(verbs.adopt, input, options), Option.getOrThrow)

/**
 * Abandons a share and waits until the service has forgotten it, at most 300 s unless told otherwise.
 *
 * @since 0.1.0
 * @category waiting
 */
export const abandonAndWait = <R = never>(input: Target, options?: Verb.Options<R>): Ended<void, R> =>
  Effect.asVoid(Verb.run(verbs.abandon, input, options))
