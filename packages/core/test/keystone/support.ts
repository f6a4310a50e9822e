/** A machine made of a few files and variables, and what a configuration came to, as openstacksdk would name it. */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import type { DomainRef, Factor, UserRef } from "@effect-manila/core/keystone/Credentials"
import type { ConfigError } from "@effect-manila/core/keystone/KeystoneError"
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

export interface Machine {
  readonly files?: Readonly<Record<string, string>>
  /** Paths that are there and can't be read. */
  readonly forbidden?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

export const cwd = "/machine/cwd"
export const home = "/machine/home"

const systemError = (reason: PlatformError.SystemErrorReason, path: string) =>
  new PlatformError.SystemError({ module: "FileSystem", method: "readFileString", reason, pathOrDescriptor: path })

export const filesLayer = (machine: Machine) =>
  Layer.merge(
    FileSystem.layerNoop({
      exists: (path) => {
        const paths = [...Object.keys(machine.files ?? {}), ...(machine.forbidden ?? [])]
        return Effect.succeed(paths.some((one) => one === path || one.startsWith(`${path}/`)))
      },
      readFileString: (path) => {
        if (machine.forbidden?.includes(path)) return Effect.fail(systemError("PermissionDenied", path))
        const text = machine.files?.[path]
        return text === undefined ? Effect.fail(systemError("NotFound", path)) : Effect.succeed(text)
      }
    }),
    Layer.effect(
      Path.Path,
      Effect.map(Path.Path, (path) =>
        Path.Path.of({
          ...path,
          resolve: (...segments) => (segments.join("/") === "." ? cwd : path.resolve(...segments))
        })
      )
    ).pipe(Layer.provide(Path.layer))
  )

export const on =
  (machine: Machine) =>
  <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>): Effect.Effect<A, E> =>
    effect.pipe(
      Effect.provide(filesLayer(machine)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ HOME: home, ...machine.env }))))
    )

export const load = (
  machine: Machine,
  options?: CloudConfig.LoadOptions
): Effect.Effect<CloudConfig.CloudConfig, ConfigError> => on(machine)(CloudConfig.load(options))

/** The settings of a configuration by openstacksdk's names. What is not set is not there. */
export const settingsOf = (config: CloudConfig.CloudConfig): Record<string, string> => {
  const { credentials } = config
  const domain = (prefix: string, ref: DomainRef | undefined) => ({
    [`${prefix}_id`]: ref?.id,
    [`${prefix}_name`]: ref?.name
  })
  const user = (ref: UserRef | undefined) =>
    ref === undefined
      ? {}
      : "id" in ref
        ? { user_id: ref.id }
        : { username: ref.name, ...domain("user_domain", ref.domain) }
  const scope = () => {
    if (credentials._tag === "ApplicationCredential") return {}
    switch (credentials.scope._tag) {
      case "Project":
        return {
          project_id: credentials.scope.id,
          project_name: credentials.scope.name,
          ...domain("project_domain", credentials.scope.domain)
        }
      case "Domain":
        return domain("domain", credentials.scope.domain)
      case "System":
        return { system_scope: "all" }
      case "Trust":
        return { trust_id: credentials.scope.id }
      case "Unscoped":
        return {}
    }
  }
  const proof = (factor: Factor) => {
    switch (factor._tag) {
      case "Password":
        return { ...user(factor.user), password: Redacted.value(factor.password) }
      case "Totp":
        return { ...user(factor.user), passcode: Redacted.value(factor.passcode) }
      case "Token":
        return { token: Redacted.value(factor.token) }
      case "ApplicationCredential":
        return {
          ...user(factor.user),
          application_credential_id: factor.id,
          application_credential_name: factor.name,
          application_credential_secret: Redacted.value(factor.secret)
        }
    }
  }
  const secrets = () => {
    switch (credentials._tag) {
      case "NoAuth":
        return { username: credentials.user }
      case "MultiFactor":
        return Object.assign({}, ...credentials.factors.map(proof)) as Record<string, string | undefined>
      default:
        return proof(credentials)
    }
  }
  const all: Record<string, string | undefined> = {
    auth_url: config.authUrl,
    ...secrets(),
    ...scope(),
    region_name: config.region,
    interface: config.interfaces.join(","),
    cacert: config.transport.cacert,
    cert: config.transport.cert,
    key: config.transport.key,
    endpoint_override: config.endpointOverride,
    microversion: config.microversion
  }
  const set: Record<string, string> = {}
  for (const [key, value] of Object.entries(all)) {
    if (value !== undefined) set[key] = value
  }
  return set
}
