/**
 * Looking things up at the identity service: projects, users and domains by their names.
 *
 * @since 0.1.0
 */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ErrorBody from "../http/ErrorBody.ts"
import * as Fault from "../http/Fault.ts"
import * as Retry from "../http/Retry.ts"
import * as RetryAfter from "../http/RetryAfter.ts"
import { Keystone } from "./Keystone.ts"
import type { Token } from "./Keystone.ts"
import { ConfigError, IdentityFailed } from "./KeystoneError.ts"
import type { KeystoneError } from "./KeystoneError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Collection = "projects" | "users" | "domains"

/** Ids are 32 hexadecimal digits, those of users from other directories 64; a domain may be called `default`. */
const isId = (text: string): boolean =>
  /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text)

/**
 * The id of a project, user or domain. An id costs no request, a name one; a domain given by its name one more. Where
 * listing them is forbidden, the text itself is taken as the id.
 *
 * Fails with `ConfigError` if nothing, or more than one thing, has the name.
 *
 * @since 0.1.0
 */
export const findId = (
  collection: Collection,
  text: string,
  domain?: string
): Effect.Effect<string, KeystoneError, Keystone> =>
  isId(text) || (collection === "domains" && text === "default")
    ? Effect.succeed(text)
    : Effect.gen(function* () {
        const domainId = domain === undefined ? undefined : yield* findId("domains", domain)
        const query = new URLSearchParams({ name: text, ...(domainId === undefined ? {} : { domain_id: domainId }) })
        const found = yield* list(`/${collection}?${query}`, collection).pipe(
          Effect.catchIf(
            (error) => error._tag === "IdentityFailed" && error.status === 403,
            () => Effect.succeed([text])
          )
        )
        const [id, ...others] = found
        const kind = collection.slice(0, -1)
        if (id === undefined) return yield* new ConfigError({ detail: `no ${kind} is named ${text}` })
        if (others.length === 0) return id
        return yield* new ConfigError({
          detail: `${found.length} ${kind}s are named ${text}; use an id: ${found.join(", ")}`
        })
      })

const list = (path: string, collection: Collection): Effect.Effect<ReadonlyArray<string>, KeystoneError, Keystone> =>
  Effect.gen(function* () {
    const keystone = yield* Keystone
    const { authUrl } = keystone.config
    if (authUrl === undefined) {
      return yield* new ConfigError({ setting: "auth_url", detail: `auth_url is needed to look up ${collection}` })
    }
    const url = `${authUrl}${path}`
    const attempt = (token: Token) => {
      const request = HttpClientRequest.get(url, {
        headers: { accept: "application/json", "x-auth-token": Redacted.value(token.value) }
      })
      return keystone.client.execute(request).pipe(
        Effect.flatMap((response) =>
          Effect.map(response.text, (body) => ({ status: response.status, headers: response.headers, body }))
        ),
        Effect.mapError((error) => Fault.fromClientError(request, error)),
        Effect.timeoutFail({
          duration: keystone.config.requestTimeout,
          onTimeout: () => Fault.make(request, "TIMEOUT", "no answer in time")
        })
      )
    }
    const answered = Effect.flatMap(keystone.token, (token) =>
      Effect.flatMap(attempt(token), (got) =>
        got.status === 401 ? Effect.flatMap(keystone.renew(token), attempt) : Effect.succeed(got)
      )
    )
    const { body, headers, status } = yield* Retry.safely(answered)
    if (status !== 200) {
      const now = yield* Clock.currentTimeMillis
      const requestId = headers["x-openstack-request-id"]
      const retryAfter = Option.getOrUndefined(RetryAfter.parse(headers["retry-after"], headers["date"], now))
      return yield* new IdentityFailed({
        method: "GET",
        url: `${authUrl}/${collection}`,
        status,
        detail: ErrorBody.parse(status, body).detail,
        ...(requestId === undefined ? {} : { requestId }),
        ...(retryAfter === undefined ? {} : { retryAfterMillis: retryAfter })
      })
    }
    return yield* idsOf({ method: "GET", url }, body, collection)
  })

const idsOf = (
  request: { readonly method: string; readonly url: string },
  body: string,
  collection: Collection
): Effect.Effect<ReadonlyArray<string>, Fault.TransportFault> =>
  Effect.suspend(() => {
    const unreadable = Fault.make(request, "NOT_JSON", `the answer is no list of ${collection}`)
    try {
      const items = (JSON.parse(body) as Record<string, unknown>)[collection]
      return Array.isArray(items)
        ? Effect.succeed(
            items.flatMap((item: { id?: unknown } | null) => (typeof item?.id === "string" ? [item.id] : []))
          )
        : Effect.fail(unreadable)
    } catch {
      return Effect.fail(unreadable)
    }
  })
