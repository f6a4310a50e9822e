/**
 * Tokens: fetched with the first request that needs one, and again when one is refused. They live for minutes, but are
 * never renewed ahead of time: a refused request did nothing, and is repeated.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Retry from "../../http/Retry.ts"
import type { ShakenFistError } from "../ShakenFistError.ts"
import { Malformed, Unauthorized } from "../ShakenFistError.ts"
import * as Answer from "./answer.ts"
import type { Root } from "./discovery.ts"
import type { Sender } from "./send.ts"
import { call, parseJson, request, send } from "./send.ts"

export interface Token {
  readonly value: Redacted.Redacted<string>
}

const operation = "auth.login"

/** Any refusal means that there is no token: the status tells a wrong key (401) from an unknown namespace (404). */
export const login = (
  sender: Sender,
  root: Effect.Effect<Root, ShakenFistError>
): Effect.Effect<Token, ShakenFistError> =>
  Effect.flatMap(root, ({ base }) => {
    const { key, namespace } = sender.config
    const asked = call(operation, "POST", `${base}/auth`, true)
    const body = { namespace, key: Redacted.value(key) }
    const once = Effect.flatMap(
      send(sender, asked, request(asked, body, undefined)),
      (got): Effect.Effect<Token, ShakenFistError> =>
        got.status === 200
          ? Effect.flatMap(parseJson(asked, got.body), (json) => tokenOf(json, got.status))
          : Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const { detail, requestId } = Answer.toError({ ...asked, ...got, now })
              return Effect.fail(new Unauthorized({ operation, status: got.status, detail, requestId }))
            })
    )
    return Retry.safely(once)
  }).pipe(
    Effect.withSpan("shakenfist.login", {
      captureStackTrace: false,
      attributes: { "shakenfist.namespace": sender.config.namespace }
    })
  )

const tokenOf = (json: unknown, status: number): Effect.Effect<Token, Malformed> => {
  const value = (json as { readonly access_token?: unknown } | null)?.access_token
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value)
    ? Effect.succeed({ value: Redacted.make(value) })
    : Effect.fail(new Malformed({ operation, status, detail: "there is no access_token in it" }))
}
