/**
 * From the global options to the cluster a command speaks to.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type { TransportError } from "@effect-manila/core/http/Transport"
import type * as Configuration from "@effect-manila/core/shakenfist/Configuration"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import type { Unconfigured } from "@effect-manila/core/shakenfist/ShakenFistError"
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Context } from "../Command.ts"
import * as Fingerprint from "../commands/Fingerprint.ts"
import * as Going from "../commands/Going.ts"
import type { Args } from "../commands/Looks.ts"
import * as Trace from "../commands/Trace.ts"
import type { Platform } from "../Platform.ts"
import type { Progress } from "../Progress.ts"
import * as Flags from "./Flags.ts"
import * as Secrets from "./Secrets.ts"

/**
 * The flags as the configuration takes them.
 *
 * @since 0.1.0
 */
export const options = (globals: Flags.Globals): Configuration.LoadOptions => ({
  url: globals.apiUrl,
  namespace: globals.authNamespace,
  key: globals.key,
  transport: { cacert: globals.cacert, verify: !globals.insecure }
})

/**
 * Runs a command's effect on the cluster that flags, variables and files name. Nothing is sent before its first operation.
 *
 * @since 0.1.0
 */
export const provide =
  ({ globals }: Context<Flags.Globals>) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<
    A,
    E | Unconfigured | TransportError | PlatformError.PlatformError,
    Exclude<R, ShakenFist.ShakenFist> | Platform | Progress
  > =>
    Effect.provide(effect, Layer.provide(ShakenFist.layerConfig(options(globals)), Trace.layer(globals, Secrets.body)))

/**
 * Tells clusters and namespaces apart, from the configuration alone: a token of another one is refused before anything is
 * sent.
 *
 * @since 0.1.0
 */
export const fingerprint: Effect.Effect<string, never, ShakenFist.ShakenFist> = Effect.map(
  ShakenFist.ShakenFist,
  ({ config }) => Fingerprint.make(["shakenfist", config.url, config.namespace])
)

/** A key is not repeated; where it was a flag, the variable has to have it. */
const keyFlag = (globals: Flags.Globals): ReadonlyArray<string> =>
  globals.key === undefined ? [] : ["--key", `"$SHAKENFIST_KEY"`]

/**
 * How another process goes on with a wait that begins now.
 *
 * @since 0.1.0
 */
export const goOn = (
  { globals }: Context<Flags.Globals>,
  command: "settle" | "await",
  goes: Omit<Going.Goes, "verb">,
  id: string,
  args: Args,
  limit: Deadline.Deadline | undefined
): Effect.Effect<Going.GoOn, never, ShakenFist.ShakenFist> =>
  Effect.flatMap(fingerprint, (cloud) =>
    Going.make({
      command: `shakenfist-wait ${command}`,
      cloud,
      flags: [...Going.cloudFlags(Flags.cluster, globals), ...keyFlag(globals)],
      goes: { ...goes, verb: command },
      id,
      args,
      limit
    })
  )
