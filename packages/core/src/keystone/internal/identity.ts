/**
 * The two requests to identity: a new token, and a look at one that is there.
 *
 * @internal
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ErrorBody from "../../http/ErrorBody.ts"
import * as Fault from "../../http/Fault.ts"
import * as Redact from "../../http/Redact.ts"
import * as Retry from "../../http/Retry.ts"
import * as RetryAfter from "../../http/RetryAfter.ts"
import * as Catalog from "../Catalog.ts"
import type { CloudConfig } from "../CloudConfig.ts"
import type { Credentials, DomainRef, Factor, Scope, UserRef } from "../Credentials.ts"
import type { Token } from "../Keystone.ts"
import { AuthenticationFailed, ConfigError, IdentityFailed, isTransient, type KeystoneError } from "../KeystoneError.ts"

/** A token, and how long it was good for when it was issued (milliseconds; `undefined` if it was issued long ago). */
export interface Issued {
  readonly token: Token
  readonly lifetime: number | undefined
}

/** A token for the credentials: what a configuration stands for. */
export const issue = (client: HttpClient.HttpClient, config: CloudConfig): Effect.Effect<Issued, KeystoneError> => {
  const { credentials } = config
  if (credentials._tag === "NoAuth") {
    const project = credentials.scope._tag === "Project" ? (credentials.scope.id ?? credentials.scope.name) : undefined
    const value = Redacted.make(`${credentials.user}:${project ?? credentials.user}`)
    return Effect.succeed({ token: { ...bare(value), projectId: project }, lifetime: undefined })
  }
  if (credentials._tag === "Token" && credentials.scope._tag === "Unscoped") {
    return config.endpointOverride === undefined
      ? look(client, config, credentials.token)
      : Effect.succeed({ token: bare(credentials.token), lifetime: undefined })
  }
  return Effect.flatMap(authUrl(config), (url) =>
    exchange(
      client,
      config,
      HttpClientRequest.post(`${url}/auth/tokens`, { body: Redact.jsonBody(authBody(credentials)) }),
      url
    )
  )
}

/** What a ready token is for, until when, and its catalog. */
const look = (
  client: HttpClient.HttpClient,
  config: CloudConfig,
  value: Redacted.Redacted<string>
): Effect.Effect<Issued, KeystoneError> =>
  Effect.flatMap(authUrl(config), (url) => {
    const plain = Redacted.value(value)
    return Effect.map(
      exchange(
        client,
        config,
        HttpClientRequest.setHeaders(HttpClientRequest.get(`${url}/auth/tokens`), {
          "x-auth-token": plain,
          "x-subject-token": plain
        }),
        url
      ),
      ({ token }) => ({ token: { ...token, value }, lifetime: undefined })
    )
  })

const bare = (value: Redacted.Redacted<string>): Token => ({
  value,
  expiresAt: undefined,
  projectId: undefined,
  projectName: undefined,
  domainId: undefined,
  userId: undefined,
  userName: undefined,
  roles: [],
  catalog: []
})

const authUrl = (config: CloudConfig): Effect.Effect<string, ConfigError> =>
  config.authUrl === undefined
    ? Effect.fail(new ConfigError({ cloud: config.cloud, setting: "auth_url", detail: "missing: auth_url" }))
    : Effect.succeed(config.authUrl)

const exchange = (
  client: HttpClient.HttpClient,
  config: CloudConfig,
  request: HttpClientRequest.HttpClientRequest,
  url: string
): Effect.Effect<Issued, KeystoneError> =>
  client.execute(HttpClientRequest.acceptJson(request)).pipe(
    Effect.flatMap((response) =>
      Effect.map(response.text, (body) => ({ status: response.status, headers: response.headers, body }))
    ),
    Effect.mapError((error) => Fault.fromClientError(request, error)),
    Effect.timeoutFail({
      duration: config.requestTimeout,
      onTimeout: () => Fault.timeout(request, Duration.toMillis(config.requestTimeout))
    }),
    Effect.flatMap((answer) =>
      answer.status === 200 || answer.status === 201
        ? decode(request, answer)
        : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(refusal(config, request, url, answer, now)))
    ),
    (attempt) => Retry.safely(attempt, isTransient)
  )

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const refusal = (
  config: CloudConfig,
  request: HttpClientRequest.HttpClientRequest,
  url: string,
  { body, headers, status }: Answer,
  now: number
): AuthenticationFailed | IdentityFailed => {
  const { detail } = ErrorBody.parse(status, body)
  const requestId = headers["x-openstack-request-id"]
  const isToken = config.credentials._tag === "Token"
  const hint = moreFactors(headers, body) + once(config.credentials)
  // A token that it can't read is "not found" to keystone.
  if (status === 401 || (isToken && status === 404 && body.trimStart().startsWith("{"))) {
    return new AuthenticationFailed({
      authUrl: url,
      who: who(config.credentials),
      detail: isToken ? `${expired} (${detail})` : withHint(detail, hint),
      requestId
    })
  }
  const location = headers["location"]
  return new IdentityFailed({
    method: request.method,
    url: request.url,
    status,
    detail:
      status >= 300 && status < 400 && location !== undefined
        ? `redirected to ${location}: set auth_url to where identity is`
        : status === 404
          ? `${detail}; is auth_url the URL of the identity service?`
          : detail,
    requestId,
    retryAfterMillis: Option.getOrUndefined(RetryAfter.parse(headers["retry-after"], headers["date"], now))
  })
}

const withHint = (detail: string, hint: string): string => (hint === "" ? detail : detail.replace(/\.$/, "") + hint)

/** A receipt says that what was sent is right, and not enough. */
const moreFactors = (headers: Answer["headers"], body: string): string => {
  if (headers["openstack-auth-receipt"] === undefined) return ""
  const json = Either.getOrUndefined(Either.try(() => JSON.parse(body) as unknown))
  const rules = Schema.decodeUnknownOption(Receipt)(json).pipe(
    Option.map(({ required_auth_methods }) => required_auth_methods.map((rule) => rule.join(" with ")).join(", or ")),
    Option.getOrElse(() => "")
  )
  return `; this user needs ${rules === "" ? "more than one proof" : rules}: use the auth_type v3multifactor with auth_methods`
}

const Receipt = Schema.Struct({ required_auth_methods: Schema.Array(Schema.Array(Schema.String)) })

/** Whether a passcode is among the proofs: another token needs another passcode. */
export const isForOnce = (credentials: Credentials): boolean =>
  credentials._tag === "Totp" ||
  (credentials._tag === "MultiFactor" && credentials.factors.some(({ _tag }) => _tag === "Totp" || _tag === "Token"))

const once = (credentials: Credentials): string =>
  isForOnce(credentials) && credentials._tag !== "Token"
    ? "; a passcode is good for one login and less than a minute: give a new one"
    : ""

const expired = "the token is not valid or has expired, and can't be renewed from itself: get a new one"

/** The end of a token that was given, for a service that no longer takes it. */
export const rejected = (config: CloudConfig): AuthenticationFailed =>
  config.credentials._tag === "NoAuth"
    ? new AuthenticationFailed({
        authUrl: config.endpointOverride ?? "",
        who: who(config.credentials),
        detail: "the service rejected it; it wants a token of identity, so that auth_type none is not for it"
      })
    : new AuthenticationFailed({
        authUrl: config.authUrl ?? config.endpointOverride ?? "",
        who: who(config.credentials),
        detail: `the service rejected it; ${expired}`
      })

const Named = Schema.Struct({ id: Schema.String, name: Schema.optional(Schema.NullOr(Schema.String)) })

const TokenJson = Schema.Struct({
  token: Schema.Struct({
    expires_at: Schema.String,
    issued_at: Schema.optional(Schema.String),
    project: Schema.optional(Schema.NullOr(Named)),
    domain: Schema.optional(Schema.NullOr(Named)),
    user: Schema.optional(Named),
    roles: Schema.optional(Schema.Array(Named)),
    catalog: Schema.optional(Schema.Unknown)
  })
})

const decode = (
  request: HttpClientRequest.HttpClientRequest,
  { body, headers, status }: Answer
): Effect.Effect<Issued, KeystoneError> => {
  const strange = (detail: string) =>
    new IdentityFailed({
      method: request.method,
      url: request.url,
      status,
      detail,
      requestId: headers["x-openstack-request-id"]
    })
  const json = Either.try(() => JSON.parse(body) as unknown)
  if (Either.isLeft(json)) return Effect.fail(Fault.make(request, "NOT_JSON", "the answer is not JSON"))
  const decoded = Schema.decodeUnknownOption(TokenJson)(json.right)
  if (Option.isNone(decoded)) return Effect.fail(strange("the answer is no token: is auth_url the identity service's?"))
  const value = headers["x-subject-token"]
  const { token } = decoded.value
  const expiresAt = Date.parse(token.expires_at)
  if (value === undefined || value === "") return Effect.fail(strange("the answer has no X-Subject-Token"))
  if (Number.isNaN(expiresAt)) return Effect.fail(strange("the answer's expires_at is not a time"))
  const issuedAt = token.issued_at === undefined ? Number.NaN : Date.parse(token.issued_at)
  return Effect.succeed({
    token: {
      value: Redacted.make(value),
      expiresAt,
      projectId: token.project?.id,
      projectName: token.project?.name ?? undefined,
      domainId: token.domain?.id,
      userId: token.user?.id,
      userName: token.user?.name ?? undefined,
      roles: (token.roles ?? []).map((role) => role.name ?? role.id),
      catalog: Catalog.fromJson(token.catalog)
    },
    lifetime: Number.isNaN(issuedAt) ? undefined : expiresAt - issuedAt
  })
}

type Json = { readonly [key: string]: unknown }

const domainJson = (domain: DomainRef): Json => (domain.id === undefined ? { name: domain.name } : { id: domain.id })

const userJson = (user: UserRef): Json =>
  "id" in user ? { id: user.id } : { name: user.name, domain: domainJson(user.domain) }

const scopeJson = (scope: Scope): Json => {
  switch (scope._tag) {
    case "Project":
      return {
        scope: {
          project:
            scope.id === undefined ? { name: scope.name, domain: domainJson(scope.domain ?? {}) } : { id: scope.id }
        }
      }
    case "Domain":
      return { scope: { domain: domainJson(scope.domain) } }
    case "System":
      return { scope: { system: { all: true } } }
    case "Trust":
      return { scope: { "OS-TRUST:trust": { id: scope.id } } }
    case "Unscoped":
      return {}
  }
}

const authBody = (credentials: Exclude<Credentials, { readonly _tag: "NoAuth" }>): Json => {
  const methods = credentials._tag === "MultiFactor" ? credentials.factors.map(methodJson) : [methodJson(credentials)]
  return {
    auth: {
      identity: { methods: methods.map(([name]) => name), ...Object.fromEntries(methods) },
      ...(credentials._tag === "ApplicationCredential" ? {} : scopeJson(credentials.scope))
    }
  }
}

const methodJson = (factor: Factor): readonly [string, Json] => {
  switch (factor._tag) {
    case "Password":
      return ["password", { user: { ...userJson(factor.user), password: Redacted.value(factor.password) } }]
    case "Totp":
      return ["totp", { user: { ...userJson(factor.user), passcode: Redacted.value(factor.passcode) } }]
    case "Token":
      return ["token", { id: Redacted.value(factor.token) }]
    case "ApplicationCredential": {
      const by =
        factor.id === undefined
          ? { name: factor.name, ...(factor.user === undefined ? {} : { user: userJson(factor.user) }) }
          : { id: factor.id }
      return ["application_credential", { ...by, secret: Redacted.value(factor.secret) }]
    }
  }
}

/** Who asks and for what, for a person. */
const who = (credentials: Credentials): string => {
  switch (credentials._tag) {
    case "Password":
    case "Totp":
      return `user ${userText(credentials.user)}${scopeText(credentials.scope)}`
    case "MultiFactor": {
      const factor = credentials.factors.find((one) => "user" in one && one.user !== undefined)
      const user = factor !== undefined && "user" in factor ? factor.user : undefined
      return `${user === undefined ? "the proofs" : `user ${userText(user)}`}${scopeText(credentials.scope)}`
    }
    case "NoAuth":
      return `${credentials.user} without authentication`
    case "Token":
      return `the token${scopeText(credentials.scope)}`
    case "ApplicationCredential":
      return credentials.id === undefined
        ? `application credential ${credentials.name}${credentials.user === undefined ? "" : ` of user ${userText(credentials.user)}`}`
        : `application credential ${credentials.id}`
  }
}

const userText = (user: UserRef): string =>
  "id" in user ? user.id : `${user.name} (domain ${user.domain.id ?? user.domain.name ?? "none"})`

const scopeText = (scope: Scope): string => {
  switch (scope._tag) {
    case "Project":
      return ` for project ${scope.name ?? scope.id}`
    case "Domain":
      return ` for domain ${scope.domain.name ?? scope.domain.id}`
    case "System":
      return " for the system"
    case "Trust":
      return ` for trust ${scope.id}`
    case "Unscoped":
      return ""
  }
}
