/**
 * Networks: model, operations, and waits for their state.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Http from "../http/Operation.ts"
import * as StatusGoal from "../waiter/StatusGoal.ts"
import type * as Goal from "../waiter/Goal.ts"
import type * as WaitError from "../waiter/WaitError.ts"
import * as ClusterOperation from "./ClusterOperation.ts"
import * as Metadata from "./internal/metadata.ts"
import * as Obj from "./internal/object.ts"
import * as Output from "./internal/output.ts"
import * as Operation from "./Operation.ts"
import { ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"

/**
 * `state`: `initial`, `created`, `delete-wait` (interfaces are still attached), `deleted`, `error`.
 *
 * @since 0.1.0
 * @category models
 */
export const Network = Schema.Struct({
  ...Obj.common,
  name: Obj.text,
  netblock: Obj.text,
  provide_dhcp: Obj.flag,
  provide_nat: Obj.flag,
  provide_dns: Obj.flag,
  floating_gateway: Obj.text,
  vxlan_id: Obj.integer
})

/**
 * @since 0.1.0
 * @category models
 */
export type Network = typeof Network.Type

/**
 * By uuid, in any state until an hour after it was deleted, or by the name of an active one. Another namespace than the
 * caller's needs the capability `get-network-namespace`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ref {
  readonly ref: string
  readonly namespace?: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  readonly name: string
  /** `10.0.0.0/24`; not smaller than a /29. */
  readonly netblock: string
  /** Default `true`. */
  readonly provideDhcp?: boolean | undefined
  /** Default `true`. */
  readonly provideNat?: boolean | undefined
  /** Default `false`; needs the capability `provide-dns`. */
  readonly provideDns?: boolean | undefined
  readonly namespace?: string | undefined
}

const needsNamespace = ({ namespace }: { readonly namespace?: string | undefined }): ReadonlyArray<string> =>
  namespace === undefined ? [] : ["get-network-namespace"]

const path = (ref: string) => `/networks/${Http.segment(ref)}`

/**
 * The active networks of the caller; with `all`, deleted ones that still are there too.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<{ readonly all?: boolean | undefined }, ReadonlyArray<Network>>({
  name: "network.list",
  method: "GET",
  path: () => "/networks",
  body: ({ all }) => ({ all: all ?? false }),
  output: Output.list(Network)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<Ref, Network>({
  name: "network.get",
  needs: needsNamespace,
  method: "GET",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Network)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Network>({
  name: "network.create",
  needs: ({ provideDns }) => (provideDns === true ? ["provide-dns"] : []),
  method: "POST",
  path: () => "/networks",
  body: ({ name, namespace, netblock, provideDhcp, provideDns, provideNat }) => ({
    name,
    netblock,
    provide_dhcp: provideDhcp ?? true,
    provide_nat: provideNat ?? true,
    namespace: namespace ?? null,
    provide_dns: provideDns === true ? true : undefined
  }),
  output: Output.value(Network)
})

/**
 * What the deletion of a network answers with: the operation that does it, or from a server without the capability
 * `network-delete-async` the network itself.
 *
 * @since 0.1.0
 * @category models
 */
export type Removal = ClusterOperation.Handle | Network

/**
 * Asks for the deletion. While interfaces are attached the network is in `delete-wait`, and its operation puts itself
 * off for some nine minutes before it fails.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<Ref, Removal>({
  name: "network.remove",
  needs: needsNamespace,
  method: "DELETE",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Schema.Union(ClusterOperation.Handle, Network))
})

/**
 * @since 0.1.0
 * @category operations
 */
export const removeAll = Operation.make<
  { readonly namespace: string; readonly cleanWait?: boolean | undefined },
  ReadonlyArray<{ readonly network_uuid: string; readonly op_type: string; readonly op_uuid: string }>
>({
  name: "network.removeAll",
  needs: ["network-delete-async"],
  method: "DELETE",
  path: () => "/networks",
  body: ({ cleanWait, namespace }) => ({ confirm: true, namespace, clean_wait: cleanWait }),
  output: Output.list(Schema.Struct({ network_uuid: Schema.String, op_type: Schema.String, op_uuid: Schema.String }))
})

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, removeMetadata, setMetadata } = Metadata.make("network", "networks")

/**
 * @since 0.1.0
 * @category goals
 */
export const created: Goal.Goal<Network> = StatusGoal.present(Obj.reader, "created")

/**
 * `deleted`, or no longer there.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Network> = StatusGoal.absent(Obj.reader, {
  from: "any",
  noEffectAfter: Duration.infinity
})

/**
 * How to wait; the defaults are a look every 5 s, 600 s in all, and no patience with faults.
 *
 * @since 0.1.0
 * @category models
 */
export type Options<R = never> = Obj.Options<R>

/**
 * Waits until a network is `created`.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitCreated = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<Network, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.map(
    Obj.wait({ kind: "network", ref: ref.ref, verb: "create" }, get(ref), created, options),
    // Only a network that was seen is created.
    Option.getOrThrow
  )

/**
 * Waits until a network is deleted or no longer there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitDeleted = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.asVoid(Obj.wait({ kind: "network", ref: ref.ref, verb: "delete" }, get(ref), deleted, options))

/**
 * Asks for a network and waits until it is `created`: a look every second for the async strategy's time.
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(
  input: Create,
  options: Options<R> = {}
): Effect.Effect<Network, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Obj.within(options, (within) => Effect.flatMap(create(input), ({ uuid }) => awaitCreated({ ref: uuid }, within)))

/**
 * Asks for the deletion and waits for the operation that does it, which fails with `OperationFailed` and with `NotFound`
 * if it was swept before the first look; from a server without `network-delete-async`, for the network to be gone.
 *
 * @since 0.1.0
 * @category waiting
 */
export const deleteAndWait = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | ClusterOperation.OperationFailed | WaitError.WaitError, ShakenFist | R> =>
  Obj.within(options, (within) =>
    Effect.gen(function* () {
      const service = yield* ShakenFist
      const removal = yield* remove(ref)
      const isHandle = yield* service.has("network-delete-async")
      if (isHandle && "op_uuid" in removal) yield* ClusterOperation.awaitOperation(removal, within)
      else yield* awaitDeleted({ ref: "uuid" in removal ? removal.uuid : ref.ref, namespace: ref.namespace }, within)
    })
  )
