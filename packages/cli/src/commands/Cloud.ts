/**
 * From the global options to the cloud a command speaks to.
 *
 * @since 0.1.0
 */
import type * as PlatformError from "@effect/platform/Error"
import type { TransportError } from "@effect-manila/core/http/Transport"
import type * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import type { ConfigError } from "@effect-manila/core/keystone/KeystoneError"
import * as Manila from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CommandError, Context } from "../Command.ts"
import type { Globals } from "../flags/Global.ts"
import type { Platform } from "../Platform.ts"
import type { Progress } from "../Progress.ts"
import * as About from "./About.ts"
import * as Fingerprint from "./Fingerprint.ts"
import * as Gate from "./Gate.ts"
import * as Trace from "./Trace.ts"

/**
 * The flags as the configuration takes them.
 *
 * @since 0.1.0
 */
export const overrides = (globals: Globals): CloudConfig.Overrides => ({
  authType: globals.osAuthType,
  authUrl: globals.osAuthUrl,
  username: globals.osUsername,
  userId: globals.osUserId,
  userDomainId: globals.osUserDomainId,
  userDomainName: globals.osUserDomainName,
  password: globals.osPassword,
  passcode: globals.osPasscode,
  authMethods: globals.osAuthMethods,
  token: globals.osToken,
  applicationCredentialId: globals.osApplicationCredentialId,
  applicationCredentialName: globals.osApplicationCredentialName,
  applicationCredentialSecret: globals.osApplicationCredentialSecret,
  projectId: globals.osProjectId,
  projectName: globals.osProjectName,
  projectDomainId: globals.osProjectDomainId,
  projectDomainName: globals.osProjectDomainName,
  domainId: globals.osDomainId,
  domainName: globals.osDomainName,
  systemScope: globals.osSystemScope,
  trustId: globals.osTrustId,
  defaultDomain: globals.osDefaultDomain,
  region: globals.osRegionName,
  interface: globals.osInterface,
  endpointOverride: globals.osEndpointOverride,
  microversion: globals.osShareApiVersion,
  verify: globals.insecure ? false : globals.verify ? true : undefined,
  cacert: globals.osCacert,
  cert: globals.osCert,
  key: globals.osKey
})

/**
 * Runs a command's effect on the cloud that flags, variables and files name. Nothing is sent before its first operation,
 * and nothing at all if the command, or a flag that was given, needs a newer microversion (see `Gate`).
 *
 * @since 0.1.0
 */
export const provide =
  ({ globals, spec }: Context, args: Readonly<Record<string, unknown>>) =>
  <A, E extends CommandError, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<
    A,
    | E
    | About.About
    | ManilaError
    | Gate.NotSupported
    | Gate.Empty
    | ConfigError
    | TransportError
    | PlatformError.PlatformError,
    Exclude<R, Manila.Manila | Keystone.Keystone> | Platform | Progress
  > => {
    const subject = About.subject(spec, args)
    const keystone = Keystone.layerCloud(globals.osCloud, { ...overrides(globals), environment: "overrides" })
    const cloud = Layer.provideMerge(Manila.layer(), keystone)
    return Effect.provide(
      Effect.mapError(Effect.zipRight(Gate.check(spec, args), effect), (error) => About.about(subject, error)),
      Layer.provide(cloud, Trace.layer(globals))
    )
  }

/**
 * Tells clouds and projects apart without naming them: for resume tokens. Made from the configuration alone, so that a
 * token of another cloud is refused before anything is sent.
 *
 * @since 0.1.0
 */
export const fingerprint: Effect.Effect<string, never, Keystone.Keystone> = Effect.map(
  Keystone.Keystone,
  ({ config }) => {
    const { credentials } = config
    const who =
      credentials._tag === "ApplicationCredential"
        ? [credentials.id, credentials.name, credentials.user]
        : [credentials.scope]
    return Fingerprint.make([config.authUrl, config.endpointOverride, config.region, ...who])
  }
)
