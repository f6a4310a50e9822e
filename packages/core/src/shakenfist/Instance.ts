/**
 * Instances: model, operations, and waits for their state.
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
import * as Metadata from "./internal/metadata.ts"
import * as Obj from "./internal/object.ts"
import * as Output from "./internal/output.ts"
import * as Operation from "./Operation.ts"
import type { ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export const Interface = Schema.Struct({
  uuid: Schema.String,
  state: Schema.optional(Schema.NullOr(Schema.String)),
  network_uuid: Obj.text,
  instance_uuid: Obj.text,
  macaddr: Obj.text,
  ipv4: Obj.text,
  floating: Obj.text,
  order: Obj.integer,
  model: Obj.text
})

/**
 * @since 0.1.0
 * @category models
 */
export type Interface = typeof Interface.Type

/**
 * `state`: `initial`, `preflight`, `creating`, `created`, `delete-wait`, `deleted`, `error`, and `<state>-error` on the
 * way to it.
 *
 * @since 0.1.0
 * @category models
 */
export const Instance = Schema.Struct({
  ...Obj.common,
  name: Obj.text,
  cpus: Obj.integer,
  /** MB. */
  memory: Obj.integer,
  disk_spec: Obj.list,
  power_state: Obj.text,
  agent_state: Obj.text,
  node: Obj.text,
  console_port: Obj.integer,
  vdi_port: Obj.integer,
  /** What it was set up with, which often holds passwords. Base64. */
  user_data: Schema.optional(Schema.NullOr(Schema.Redacted(Schema.String))),
  interfaces: Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown)))
})

/**
 * @since 0.1.0
 * @category models
 */
export type Instance = typeof Instance.Type

/**
 * By uuid, in any state until an hour after it was deleted, or by the name of an active one. Another namespace than the
 * caller's needs the capability `get-instance-namespace`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ref {
  readonly ref: string
  readonly namespace?: string | undefined
}

/**
 * A network for an interface; `network` is a uuid or a name, and must be `created`.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetSpec {
  readonly network: string
  readonly address?: string | undefined
  /** Default: the server's, `virtio`. */
  readonly model?: string | undefined
  readonly float?: boolean | undefined
  readonly macAddress?: string | undefined
}

/**
 * `size` is in GB, null for that of `base`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Disk {
  readonly size: number | null
  readonly base?: string | null | undefined
  readonly bus?: string | null | undefined
  readonly type?: string | null | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  /** A host name: under 64 letters, no dot. */
  readonly name: string
  readonly cpus: number
  /** MB. */
  readonly memory: number
  readonly networks: ReadonlyArray<NetSpec>
  /** At least one. */
  readonly disks: ReadonlyArray<Disk>
  readonly sshKey?: string | undefined
  /** Base64. */
  readonly userData?: string | undefined
  readonly namespace?: string | undefined
  readonly video?: { readonly model: string; readonly memory: number } | undefined
  readonly configDrive?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly sideChannels?: ReadonlyArray<string> | undefined
  readonly uefi?: boolean | undefined
  readonly secureBoot?: boolean | undefined
  readonly nvramTemplate?: string | undefined
  /** A node's name. */
  readonly placedOn?: string | undefined
}

const netspec = ({ address, float, macAddress, model, network }: NetSpec) => ({
  network_uuid: network,
  address,
  model,
  float,
  macaddress: macAddress
})

const needsNamespace = ({ namespace }: { readonly namespace?: string | undefined }): ReadonlyArray<string> =>
  namespace === undefined ? [] : ["get-instance-namespace"]

const path = (ref: string) => `/instances/${Http.segment(ref)}`

/**
 * The active instances of the caller; with `all`, deleted ones that still are there too. A view in a list need not say
 * whether operations are pending.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<{ readonly all?: boolean | undefined }, ReadonlyArray<Instance>>({
  name: "instance.list",
  method: "GET",
  path: () => "/instances",
  body: ({ all }) => ({ all: all ?? false }),
  output: Output.list(Instance)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<Ref, Instance>({
  name: "instance.get",
  needs: needsNamespace,
  method: "GET",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Instance)
})

/**
 * Asks for an instance; it is there at once, and usable once its state is `created`. A network that isn't `created` yet
 * (406) is waited for, within the async strategy's time.
 *
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Instance>({
  name: "instance.create",
  method: "POST",
  path: () => "/instances",
  // As the Python client has it: what was not given is null, and only `placed_on` is left out.
  body: (input) => ({
    name: input.name,
    cpus: input.cpus,
    memory: input.memory,
    network: input.networks.map(netspec),
    disk: input.disks.map(({ base, bus, size, type }) => ({
      size,
      base: base ?? null,
      bus: bus ?? null,
      type: type ?? "disk"
    })),
    ssh_key: input.sshKey ?? null,
    user_data: input.userData ?? null,
    namespace: input.namespace ?? null,
    video: input.video ?? null,
    configdrive: input.configDrive ?? null,
    metadata: input.metadata ?? null,
    side_channels: input.sideChannels ?? null,
    uefi: input.uefi ?? false,
    secure_boot: input.secureBoot ?? false,
    nvram_template: input.nvramTemplate ?? null,
    placed_on: input.placedOn
  }),
  output: Output.value(Instance)
})

/**
 * Asks for the deletion. The view it gives is not `deleted` yet; `NotFound` if it is deleted already.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<Ref, Instance>({
  name: "instance.remove",
  needs: needsNamespace,
  method: "DELETE",
  path: ({ ref }) => path(ref),
  body: ({ namespace }) => ({ namespace }),
  output: Output.value(Instance)
})

/**
 * Asks for the deletion of all instances of a namespace, and gives their uuids.
 *
 * @since 0.1.0
 * @category operations
 */
export const removeAll = Operation.make<{ readonly namespace: string }, ReadonlyArray<string>>({
  name: "instance.removeAll",
  method: "DELETE",
  path: () => "/instances",
  body: ({ namespace }) => ({ confirm: true, namespace }),
  output: Output.list(Schema.String)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const interfaces = Operation.make<{ readonly ref: string }, ReadonlyArray<Interface>>({
  name: "instance.interfaces",
  method: "GET",
  path: ({ ref }) => `${path(ref)}/interfaces`,
  output: Output.list(Interface)
})

/**
 * Adds an interface to a running instance. It is answered at once, while two operations that do it are queued: settle
 * the instance before using it. An instance or a network that isn't ready (406) is waited for.
 *
 * @since 0.1.0
 * @category operations
 */
export const plugInterface = Operation.make<{ readonly ref: string; readonly network: NetSpec }, Interface>({
  name: "instance.plugInterface",
  needs: ["hot-plug-interface"],
  method: "POST",
  path: ({ ref }) => `${path(ref)}/interfaces`,
  body: ({ network }) => ({ network: netspec(network) }),
  output: Output.value(Interface)
})

/**
 * @since 0.1.0
 * @category operations
 */
export const { getMetadata, removeMetadata, setMetadata } = Metadata.make("instance", "instances")

/**
 * @since 0.1.0
 * @category goals
 */
export const created: Goal.Goal<Instance> = StatusGoal.present(Obj.reader, "created")

/**
 * `deleted`, or no longer there. Its old state stands until its operation's turn, however long that takes.
 *
 * @since 0.1.0
 * @category goals
 */
export const deleted: Goal.Goal<Instance> = StatusGoal.absent(Obj.reader, {
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
 * Waits until an instance is `created`. `error` and every `…-error` end the wait as failed, on the look that sees them.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitCreated = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<Instance, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.map(
    Obj.wait({ kind: "instance", ref: ref.ref, verb: "create" }, get(ref), created, options),
    // Only an instance that was seen is created.
    Option.getOrThrow
  )

/**
 * Waits until an instance is deleted or no longer there.
 *
 * @since 0.1.0
 * @category waiting
 */
export const awaitDeleted = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Effect.asVoid(Obj.wait({ kind: "instance", ref: ref.ref, verb: "delete" }, get(ref), deleted, options))

/**
 * Asks for an instance and waits until it is `created`: a look every second for the async strategy's time, in which a
 * 406 is waited out too. An unfinished instance is never given as if it were done: that is a `WaitTimedOut` with its
 * uuid, also for the strategy `continue` ({@link create} is what does not wait).
 *
 * @since 0.1.0
 * @category waiting
 */
export const createAndWait = <R = never>(
  input: Create,
  options: Options<R> = {}
): Effect.Effect<Instance, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Obj.within(options, (within) => Effect.flatMap(create(input), ({ uuid }) => awaitCreated({ ref: uuid }, within)))

/**
 * Asks for the deletion and waits for it: a look every second for the async strategy's time. It is looked for by uuid,
 * so that another instance of the same name is never met.
 *
 * @since 0.1.0
 * @category waiting
 */
export const deleteAndWait = <R = never>(
  ref: Ref,
  options: Options<R> = {}
): Effect.Effect<void, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Obj.within(options, (within) => Effect.flatMap(remove(ref), ({ uuid }) => awaitDeleted({ ref: uuid }, within)))
