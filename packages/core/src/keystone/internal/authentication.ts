/**
 * The choice of the way to authenticate from a cloud's settings, and what is missing for it.
 *
 * @internal
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Credentials, type DomainRef, Scope, type UserRef } from "../Credentials.ts"
import { ConfigError } from "../KeystoneError.ts"
import type { Level } from "./level.ts"
import type { Setting } from "./setting.ts"

interface Input {
  readonly name: string | undefined
  readonly settings: Level
  readonly given: Level
  readonly authUrl: string | undefined
  readonly endpointOverride: string | undefined
  readonly defaultDomain: Setting | undefined
  readonly hint: string | undefined
}

type Kind = "password" | "token" | "applicationCredential"

const types: Readonly<Record<string, Kind>> = {
  password: "password",
  v3password: "password",
  token: "token",
  v3token: "token",
  v3applicationcredential: "applicationCredential"
}

export const choose = (input: Input): Effect.Effect<Credentials, ConfigError> =>
  Effect.suspend(() => {
    const { settings } = input
    const has = (key: string) => filled(settings, key) !== undefined
    const fail = (detail: string, setting?: string) => {
      const { file, line } = (setting === undefined ? undefined : settings.get(setting)) ?? {}
      return Effect.fail(new ConfigError({ detail, cloud: input.name, setting, file, line }))
    }
    const kind = kindOf(input)
    if (kind === undefined) {
      return fail(
        `the auth_type ${filled(settings, "auth_type")?.text} is not supported; supported are: ${Object.keys(types).join(", ")}`,
        "auth_type"
      )
    }
    for (const key of ["system_scope", "trust_id"]) {
      if (has(key)) return fail(`${key} is not supported: a token is for a project or a domain`, key)
    }

    const missing: Array<string> = []
    const need = (key: string): Setting => {
      const found = filled(settings, key)
      if (found === undefined) missing.push(key)
      return found ?? { text: "", source: "" }
    }
    const domain = (id: string, name: string): DomainRef | undefined => {
      // As openstacksdk has them: each of the two on its own, and the id wins.
      const ref = {
        id: (filled(settings, id) ?? inherited(id))?.text,
        name: (filled(settings, name) ?? inherited(name))?.text
      }
      if (ref.id !== undefined) return { id: ref.id }
      if (ref.name !== undefined) return { name: ref.name }
      return input.defaultDomain === undefined ? undefined : { id: input.defaultDomain.text }
    }
    const isProject = has("project_id") || has("project_name")
    /** `domain_id` beside a project is the domain of both; `default_domain_id` always is. */
    const inherited = (key: string): Setting | undefined => {
      const short = key.endsWith("_id") ? "domain_id" : "domain_name"
      return (isProject ? filled(settings, short) : undefined) ?? filled(settings, `default_${short}`)
    }
    const user = (): UserRef => {
      const id = filled(settings, "user_id")
      if (id !== undefined) return { id: id.text }
      const name = filled(settings, "username")
      if (name === undefined) missing.push("username or user_id")
      const ref = domain("user_domain_id", "user_domain_name")
      if (name !== undefined && ref === undefined) missing.push("user_domain_name or user_domain_id")
      return { name: name?.text ?? "", domain: ref ?? {} }
    }
    const scope = (): Scope => {
      const id = filled(settings, "project_id")?.text
      if (id !== undefined) return Scope.Project({ id })
      const name = filled(settings, "project_name")?.text
      if (name !== undefined) {
        const ref = domain("project_domain_id", "project_domain_name")
        if (ref === undefined) missing.push("project_domain_name or project_domain_id")
        return Scope.Project({ name, domain: ref ?? {} })
      }
      const domainId = filled(settings, "domain_id")?.text
      if (domainId !== undefined) return Scope.Domain({ domain: { id: domainId } })
      const domainName = filled(settings, "domain_name")?.text
      return domainName === undefined ? Scope.Unscoped() : Scope.Domain({ domain: { name: domainName } })
    }
    const secret = (key: string) => Redacted.make(need(key).text)
    const url = () => {
      if (input.authUrl === undefined) missing.push("auth_url")
    }
    const done = (credentials: Credentials) =>
      missing.length === 0
        ? Effect.succeed(credentials)
        : fail(
            `missing: ${missing.join(", ")} (for auth_type ${filled(settings, "auth_type")?.text ?? defaults[kind]})` +
              (input.hint === undefined ? "" : `; ${input.hint}`),
            missing[0]?.split(" ")[0]
          )

    switch (kind) {
      case "password":
        url()
        return done(Credentials.Password({ user: user(), password: secret("password"), scope: scope() }))
      case "token": {
        const wanted = scope()
        // A ready token for a known endpoint asks nothing of identity.
        if (wanted._tag !== "Unscoped" || input.endpointOverride === undefined) url()
        // A line break at its end is common in a file with a token, and no header takes one.
        const token = need("token").text.trim()
        if (/[^\x21-\x7e]/.test(token)) return fail("the token has characters that no token has", "token")
        return done(Credentials.Token({ token: Redacted.make(token), scope: wanted }))
      }
      case "applicationCredential": {
        const extra = ["project_id", "project_name", "domain_id", "domain_name"].filter(has)
        const first = extra[0]
        if (first !== undefined) {
          return fail(
            `an application credential brings its own project and takes no scope: remove ${extra
              .map((key) => `${key} (from ${settings.get(key)?.source})`)
              .join(", ")}`,
            first
          )
        }
        url()
        const id = filled(settings, "application_credential_id")?.text
        const name = filled(settings, "application_credential_name")?.text
        if (id === undefined && name === undefined) {
          missing.push("application_credential_id, or application_credential_name with its user")
        }
        return done(
          Credentials.ApplicationCredential(
            id === undefined && name !== undefined
              ? { name, user: user(), secret: secret("application_credential_secret") }
              : { id, secret: secret("application_credential_secret") }
          )
        )
      }
    }
  })

/** Rows of what is no secret, by the settings' names. */
export const visible = (credentials: Credentials): ReadonlyArray<readonly [string, string | undefined]> => {
  switch (credentials._tag) {
    case "Password":
      return [...userRows(credentials.user), ["password", "***"], ...scopeRows(credentials.scope)]
    case "Token":
      return [["token", "***"], ...scopeRows(credentials.scope)]
    case "ApplicationCredential":
      return [
        ["application_credential_id", credentials.id],
        ["application_credential_name", credentials.name],
        ...userRows(credentials.user),
        ["application_credential_secret", "***"]
      ]
  }
}

const userRows = (ref: UserRef | undefined): ReadonlyArray<readonly [string, string | undefined]> =>
  ref === undefined
    ? []
    : "id" in ref
      ? [["user_id", ref.id]]
      : [
          ["username", ref.name],
          ["user_domain_id", ref.domain.id],
          ["user_domain_name", ref.domain.name]
        ]
const scopeRows = (value: Scope): ReadonlyArray<readonly [string, string | undefined]> => {
  switch (value._tag) {
    case "Project":
      return [
        ["project_id", value.id],
        ["project_name", value.name],
        ["project_domain_id", value.domain?.id],
        ["project_domain_name", value.domain?.name]
      ]
    case "Domain":
      return [
        ["domain_id", value.domain.id],
        ["domain_name", value.domain.name]
      ]
    case "Unscoped":
      return []
  }
}

const defaults: Readonly<Record<Kind, string>> = {
  password: "password",
  token: "token",
  applicationCredential: "v3applicationcredential"
}

const filled = (settings: Level, key: string): Setting | undefined => {
  const found = settings.get(key)
  return found === undefined || found.text === "" ? undefined : found
}

/**
 * What is given decides first, then `auth_type`. Without one it is `password`, as in openstacksdk, unless nothing of a
 * user is there and something else is enough (where openstacksdk would only complain).
 */
const kindOf = ({ given, settings }: Input): Kind | undefined => {
  if (!given.has("auth_type")) {
    if (given.has("password")) return "password"
    if (given.has("token")) return "token"
    if (given.has("application_credential_secret")) return "applicationCredential"
  }
  const said = filled(settings, "auth_type")
  if (said !== undefined) return types[said.text]
  if (filled(settings, "password") !== undefined) return "password"
  if (filled(settings, "application_credential_secret") !== undefined) return "applicationCredential"
  if (filled(settings, "token") !== undefined) return "token"
  return "password"
}
