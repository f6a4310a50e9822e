/**
 * The choice of the way to authenticate from a cloud's settings, and what is missing for it.
 *
 * @internal
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Credentials, type DomainRef, Factor, Scope, type UserRef } from "../Credentials.ts"
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

type Method = "password" | "totp" | "token" | "applicationCredential"
type Kind = Method | "multiFactor" | "adminToken" | "noAuth"

const types: Readonly<Record<string, Kind>> = {
  password: "password",
  v3password: "password",
  token: "token",
  v3token: "token",
  v3applicationcredential: "applicationCredential",
  v3totp: "totp",
  v3multifactor: "multiFactor",
  admin_token: "adminToken",
  token_endpoint: "adminToken",
  none: "noAuth",
  noauth: "noAuth",
  None: "noAuth"
}

/** The methods of `auth_methods`, by keystoneauth's names for them, and by identity's. */
const methods: Readonly<Record<string, Method>> = {
  v3password: "password",
  v3totp: "totp",
  v3token: "token",
  v3applicationcredential: "applicationCredential",
  password: "password",
  totp: "totp",
  token: "token",
  application_credential: "applicationCredential"
}

/** Whether the settings are for a known endpoint, and ask nothing of identity. */
export const hasEndpoint = (input: Pick<Input, "settings" | "given">): boolean => {
  const kind = kindOf(input)
  return kind === "adminToken" || kind === "noAuth"
}

/** Whether a text of `auth_type` alone says who one is: nobody. */
export const isAnonymous = (authType: string): boolean => types[authType] === "noAuth"

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
    const system = filled(settings, "system_scope")
    if (system !== undefined && system.text !== "all") {
      return fail(`the system_scope ${system.text} is not known: the only one is all`, "system_scope")
    }
    const scopes = ["system_scope", "trust_id"].filter(has)
    const said = [
      ...scopes,
      ...["project_id", "project_name", "domain_id", "domain_name"].filter((key) => has(key) && scopes.length > 0)
    ]
    if (said.length > 1 && kind !== "noAuth" && kind !== "adminToken") {
      return fail(
        `a token has one scope, and there are several: ${said
          .map((key) => `${key} (from ${settings.get(key)?.source})`)
          .join(", ")}`,
        scopes[0]
      )
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
      if (system !== undefined) return Scope.System()
      const trust = filled(settings, "trust_id")
      if (trust !== undefined) return Scope.Trust({ id: trust.text })
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
    /** A line break at its end is common in a file with a token, and no header takes one. */
    const tokenText = () => need("token").text.trim()
    const isToken = (text: string) => !/[^\x21-\x7e]/.test(text)
    const notToken = () => fail("the token has characters that no token has", "token")
    const application = () => {
      const id = filled(settings, "application_credential_id")?.text
      const name = filled(settings, "application_credential_name")?.text
      if (id === undefined && name === undefined) {
        missing.push("application_credential_id, or application_credential_name with its user")
      }
      const by = id === undefined && name !== undefined ? { name, user: user() } : { id }
      return { ...by, secret: secret("application_credential_secret") }
    }
    const factor = (method: Method): Factor => {
      switch (method) {
        case "password":
          return Factor.Password({ user: user(), password: secret("password") })
        case "totp":
          return Factor.Totp({ user: user(), passcode: secret("passcode") })
        case "token":
          return Factor.Token({ token: Redacted.make(tokenText()) })
        case "applicationCredential":
          return Factor.ApplicationCredential(application())
      }
    }
    const url = () => {
      if (input.authUrl === undefined) missing.push("auth_url")
    }
    const done = (credentials: Credentials) =>
      missing.length === 0
        ? Effect.succeed(credentials)
        : fail(
            `missing: ${[...new Set(missing)].join(", ")} (for auth_type ${filled(settings, "auth_type")?.text ?? defaults[kind]})` +
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
        const token = tokenText()
        return isToken(token) ? done(Credentials.Token({ token: Redacted.make(token), scope: wanted })) : notToken()
      }
      case "totp":
        url()
        return done(Credentials.Totp({ user: user(), passcode: secret("passcode"), scope: scope() }))
      case "multiFactor": {
        url()
        const list = filled(settings, "auth_methods")
        const both = has("password") && has("passcode") ? ["v3password", "v3totp"] : []
        const names = list === undefined ? both : (list.items ?? list.text.split(",")).map((name) => name.trim())
        if (names.length === 0) missing.push("auth_methods")
        const unknown = names.find((name) => methods[name] === undefined)
        if (unknown !== undefined) {
          return fail(
            `the method ${unknown} of auth_methods is not supported; supported are: ${Object.keys(methods).slice(0, 4).join(", ")}`,
            "auth_methods"
          )
        }
        const factors = [...new Set(names)].flatMap((name) =>
          methods[name] === undefined ? [] : factor(methods[name])
        )
        return done(Credentials.MultiFactor({ factors, scope: scope() }))
      }
      case "adminToken": {
        const token = tokenText()
        if (input.endpointOverride === undefined) missing.push("endpoint")
        return isToken(token)
          ? done(Credentials.Token({ token: Redacted.make(token), scope: Scope.Unscoped() }))
          : notToken()
      }
      case "noAuth": {
        if (input.endpointOverride === undefined) missing.push("endpoint")
        const project = filled(settings, "project_id") ?? filled(settings, "project_name")
        const by = filled(settings, "user_id") ?? filled(settings, "username")
        // What the service takes for granted of a request that names nobody.
        const name = by?.text ?? "admin"
        const token = `${name}:${project?.text ?? name}`
        if (!isToken(token))
          return fail("a user and a project without authentication go into a header: ASCII without blanks")
        return done(Credentials.NoAuth({ user: name, scope: Scope.Project({ id: project?.text ?? name }) }))
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
        return done(Credentials.ApplicationCredential(application()))
      }
    }
  })

/** Rows of what is no secret, by the settings' names. */
export const visible = (credentials: Credentials): ReadonlyArray<readonly [string, string | undefined]> => {
  switch (credentials._tag) {
    case "Password":
    case "Totp":
    case "Token":
    case "ApplicationCredential":
      return [...factorRows(credentials), ...("scope" in credentials ? scopeRows(credentials.scope) : [])]
    case "MultiFactor": {
      // Two factors of one user say it once.
      const rows = new Map(credentials.factors.flatMap(factorRows).map((row) => [row[0], row]))
      return [
        ["auth_methods", credentials.factors.map(({ _tag }) => methodNames[_tag]).join(", ")],
        ...rows.values(),
        ...scopeRows(credentials.scope)
      ]
    }
    case "NoAuth":
      return [["auth_type", "none"], ["username", credentials.user], ...scopeRows(credentials.scope)]
  }
}

const methodNames: Readonly<Record<Factor["_tag"], string>> = {
  Password: "v3password",
  Totp: "v3totp",
  Token: "v3token",
  ApplicationCredential: "v3applicationcredential"
}

const factorRows = (factor: Factor): ReadonlyArray<readonly [string, string | undefined]> => {
  switch (factor._tag) {
    case "Password":
      return [...userRows(factor.user), ["password", "***"]]
    case "Totp":
      return [...userRows(factor.user), ["passcode", "***"]]
    case "Token":
      return [["token", "***"]]
    case "ApplicationCredential":
      return [
        ["application_credential_id", factor.id],
        ["application_credential_name", factor.name],
        ...userRows(factor.user),
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
    case "System":
      return [["system_scope", "all"]]
    case "Trust":
      return [["trust_id", value.id]]
    case "Unscoped":
      return []
  }
}

const defaults: Readonly<Record<Kind, string>> = {
  password: "password",
  token: "token",
  applicationCredential: "v3applicationcredential",
  totp: "v3totp",
  multiFactor: "v3multifactor",
  adminToken: "admin_token",
  noAuth: "none"
}

const filled = (settings: Level, key: string): Setting | undefined => {
  const found = settings.get(key)
  return found === undefined || found.text === "" ? undefined : found
}

/**
 * What is given decides first, then `auth_type`. Without one it is `password`, as in openstacksdk, unless nothing of a
 * user is there and something else is enough (where openstacksdk would only complain).
 */
const kindOf = ({ given, settings }: Pick<Input, "settings" | "given">): Kind | undefined => {
  const said = filled(settings, "auth_type")
  const kind = said === undefined ? undefined : types[said.text]
  // A passcode is given anew each time, for a cloud whose file has all the rest.
  if (!given.has("auth_type") && kind !== "multiFactor") {
    if (given.has("passcode")) return given.has("password") ? "multiFactor" : "totp"
    if (given.has("password")) return "password"
    if (given.has("token")) return "token"
    if (given.has("application_credential_secret")) return "applicationCredential"
  }
  if (said !== undefined) return kind
  if (filled(settings, "password") !== undefined) return "password"
  if (filled(settings, "application_credential_secret") !== undefined) return "applicationCredential"
  if (filled(settings, "token") !== undefined) {
    return filled(settings, "endpoint") !== undefined && filled(settings, "auth_url") === undefined
      ? "adminToken"
      : "token"
  }
  return filled(settings, "passcode") === undefined ? "password" : "totp"
}
