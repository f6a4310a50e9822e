/** Planted secrets are searched for in everything a program can see: spans, logs, errors, printed values. */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import { Credentials, Factor, Scope } from "@effect-manila/core/keystone/Credentials"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Redact from "@effect-manila/core/http/Redact"
import { assert, describe, it } from "@effect/vitest"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Tracer from "effect/Tracer"
import * as Identity from "./identity.ts"

const planted = "planted-secret"
const scope = Scope.Project({ id: "p" })
const credentials: ReadonlyArray<Credentials> = [
  Credentials.Password({ user: { id: "u" }, password: Redacted.make(`${planted}-password`), scope }),
  Credentials.Token({ token: Redacted.make(`${planted}-token`), scope }),
  Credentials.Token({ token: Redacted.make(`${planted}-bare`), scope: Scope.Unscoped() }),
  Credentials.ApplicationCredential({ id: "a", secret: Redacted.make(`${planted}-app`) }),
  Credentials.Totp({ user: { id: "u" }, passcode: Redacted.make(`${planted}-code`), scope }),
  Credentials.MultiFactor({
    factors: [
      Factor.Password({ user: { id: "u" }, password: Redacted.make(`${planted}-password`) }),
      Factor.Totp({ user: { id: "u" }, passcode: Redacted.make(`${planted}-code`) })
    ],
    scope
  })
]

const recorder = () => {
  const seen: Array<string> = []
  const see = (...values: ReadonlyArray<unknown>) => {
    for (const value of values)
      seen.push(Inspectable.toStringUnknown(value), String(value), JSON.stringify(value) ?? "")
  }
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      see(name)
      return {
        _tag: "Span",
        name,
        spanId: "s",
        traceId: "t",
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes,
        links,
        sampled: true,
        kind,
        attribute: (key, value) => {
          attributes.set(key, value)
          see(key, value)
        },
        event: (event, _, attributes) => see(event, attributes),
        addLinks: () => undefined,
        // What tracers keep of an ending: nothing of a success, and the texts of a failure.
        end: (_, exit) => {
          if (exit._tag === "Failure") see(Cause.pretty(exit.cause, { renderErrorCause: true }))
        }
      }
    },
    context: (f) => f()
  })
  const logger = Logger.make(({ annotations, cause, message }) => see(message, Cause.pretty(cause), [...annotations]))
  return {
    seen,
    see,
    layer: Layer.mergeAll(
      Layer.setTracer(tracer),
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.All)
    )
  }
}

const outcomes: ReadonlyArray<readonly [string, Identity.Options]> = [
  ["a token is issued", {}],
  ["it is refused", { script: [Identity.refusal(401, "no")] }],
  ["the service fails", { script: Array(3).fill(Identity.refusal(503, "no")) }],
  ["the connection is reset", { script: ["reset", "reset", "reset"] }],
  ["the answer never comes", { script: ["hang", "hang", "hang"] }],
  ["the answer is HTML", { script: Array.from({ length: 3 }, () => ({ status: 200, body: "<html></html>" })) }]
]

describe("no secret is in spans, logs, errors or printed values", () => {
  for (const one of credentials) {
    const kind = one._tag === "Token" ? `${one._tag} ${one.scope._tag}` : one._tag
    for (const [what, options] of outcomes) {
      it.effect(`of ${kind} when ${what}`, () => {
        const recorded = recorder()
        const identity = Identity.make(options)
        const config = CloudConfig.make({ authUrl: "https://id.example", credentials: one })
        const program = Effect.scoped(
          Effect.gen(function* () {
            const keystone = yield* Effect.provide(Keystone.make(config), identity.layer)
            recorded.see(config, one, CloudConfig.describe(config), keystone)
            const token = yield* keystone.token
            recorded.see(token)
            yield* keystone.client.execute(
              HttpClientRequest.get("https://share.example/v2/shares").pipe(
                HttpClientRequest.setHeader("x-auth-token", Redacted.value(token.value))
              )
            )
            recorded.see(yield* keystone.renew(token))
            // The printed form of a request's body, which is in every response and error of the client.
            recorded.see(Redact.jsonBody(identity.journal[0]?.body))
          })
        ).pipe(
          Effect.withSpan("program"),
          Effect.tapErrorCause((cause) => Effect.logError("failed", cause)),
          Effect.sandbox,
          Effect.option,
          Effect.provide(recorded.layer)
        )
        return Effect.gen(function* () {
          const fiber = yield* Effect.fork(program)
          yield* TestClock.adjust("10 minutes")
          recorded.see(Option.getOrUndefined(yield* Fiber.join(fiber)))
          // The requests were made, with the secrets in them, and there was something to search in.
          assert.include(JSON.stringify(identity.journal), planted)
          assert.isAbove(recorded.seen.length, 50)
          assert.include(recorded.seen.join("\n"), "https://id.example/v3/auth/tokens")
          for (const secret of [planted, "issued-token"]) {
            assert.deepStrictEqual(
              recorded.seen.filter((text) => text.includes(secret)),
              []
            )
          }
        })
      })
    }
  }
})
