/**
 * One Shaken Fist cluster, asked as one namespace: what it can do, and the one way every operation is sent.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { Transport, type TransportError } from "../http/Transport.ts"
import type * as Deadline from "../waiter/Deadline.ts"
import * as Configuration from "./Configuration.ts"
import * as CallDeadline from "./internal/deadline.ts"
import * as Discovery from "./internal/discovery.ts"
import * as Execute from "./internal/execute.ts"
import * as Login from "./internal/login.ts"
import * as Shared from "./internal/shared.ts"
import type { OperationData } from "./Operation.ts"
import type { ShakenFistError, Unconfigured } from "./ShakenFistError.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class ShakenFist extends Context.Tag("@effect-manila/core/ShakenFist")<
  ShakenFist,
  {
    readonly config: Configuration.Configuration
    /** Where the routes begin, after a redirect of the configured URL if there is one. Found out once. */
    readonly base: Effect.Effect<string, ShakenFistError>
    /** The text of the root page, read once: a server that is upgraded underneath is not noticed. */
    readonly page: Effect.Effect<string, ShakenFistError>
    /** Whether the token stands anywhere on the root page. */
    readonly has: (capability: string) => Effect.Effect<boolean, ShakenFistError>
    readonly execute: <I, A>(operation: OperationData<I, A>, input: I) => Effect.Effect<A, ShakenFistError>
  }
>() {}

/**
 * Nothing is sent before the first operation, which reads the root page and logs in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: Configuration.Configuration
): Effect.Effect<
  Context.Tag.Service<ShakenFist>,
  TransportError | PlatformError.PlatformError,
  Transport | Scope.Scope
> =>
  Effect.gen(function* () {
    const transport = yield* Transport
    const client = yield* transport.client(config.transport)
    const sender = { client, config }
    const root = yield* Shared.make(Discovery.discover(sender))
    const tokens = yield* Shared.make(Login.login(sender, root.get))
    const session: Execute.Session = { sender, root, tokens }
    return ShakenFist.of({
      config,
      base: Effect.map(root.get, ({ base }) => base),
      page: Effect.map(root.get, ({ page }) => page),
      has: (capability) => Effect.map(root.get, ({ page }) => page.includes(capability)),
      execute: (operation, input) => Execute.execute(session, operation, input)
    })
  })

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  config: Configuration.Configuration
): Layer.Layer<ShakenFist, TransportError | PlatformError.PlatformError, Transport> =>
  Layer.scoped(ShakenFist, make(config))

/**
 * The cluster that the given values, the variables or the two files name; see `Configuration` for which of them wins.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  options: Configuration.LoadOptions = {}
): Layer.Layer<
  ShakenFist,
  Unconfigured | TransportError | PlatformError.PlatformError,
  Transport | FileSystem.FileSystem | Path.Path
> => Layer.unwrapEffect(Effect.map(Configuration.load(options), layer))

/**
 * Fails with `Incapable` unless the server announces the capability. Sends nothing but, once, the request for the root
 * page.
 *
 * @since 0.1.0
 * @category capabilities
 */
export const need = (operation: string, capability: string): Effect.Effect<void, ShakenFistError, ShakenFist> =>
  Effect.flatMap(ShakenFist, (service) =>
    Effect.flatMap(service.has(capability), (has) =>
      has ? Effect.void : Effect.fail(Execute.incapable(operation, capability))
    )
  )

/**
 * Until when requests inside may be repeated that the service refused as "not yet" (406, 507), instead of the async
 * strategy's time from each request.
 *
 * @since 0.1.0
 * @category limits
 */
export const withDeadline = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  deadline: Deadline.Deadline
): Effect.Effect<A, E, R> => Effect.locally(effect, CallDeadline.current, deadline)
