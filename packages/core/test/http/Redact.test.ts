/** What is printed of bodies, headers and queries with secrets in them. */
import * as Redact from "@effect-manila/core/http/Redact"
import * as Headers from "@effect/platform/Headers"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Inspectable from "effect/Inspectable"
import { assert, describe, it } from "vitest"

describe("a body", () => {
  it("has stars for its secrets, at any depth and in lists, and everything else as it was", () => {
    const shown = Redact.json({
      security_service: { name: "s", password: "planted", user: "u" },
      list: [{ access_key: "planted" }, { access_key: null }],
      credential: { secret: "planted" },
      PassWord: "planted",
      auth_key: 7
    })
    assert.deepStrictEqual(shown, {
      security_service: { name: "s", password: "***", user: "u" },
      list: [{ access_key: "***" }, { access_key: null }],
      credential: { secret: "***" },
      PassWord: "***",
      auth_key: "***"
    })
  })

  it("of identity has no token's id, and what surrounds it", () => {
    const login = { auth: { identity: { methods: ["token"], token: { id: "planted" } } } }
    assert.deepStrictEqual(Redact.json(login), { auth: { identity: { methods: ["token"], token: { id: "***" } } } })
    const answer = { token: { id: "planted", user: { name: "u" } } }
    assert.deepStrictEqual(Redact.json(answer), { token: { id: "***", user: { name: "u" } } })
  })

  it("that is no JSON is shown by its length only", () => {
    assert.strictEqual(Redact.body("password=planted"), "<16 characters>")
    assert.strictEqual(Redact.body("  "), "")
    assert.strictEqual(Redact.body('{"a":1,"password":"planted"}'), '{"a":1,"password":"***"}')
  })

  it("of a request is sent as it is and printed without its secrets", () => {
    const body = Redact.jsonBody({ password: "planted", name: "n" })
    assert.strictEqual(
      body._tag === "Uint8Array" && new TextDecoder().decode(body.body),
      '{"password":"planted","name":"n"}'
    )
    const request = HttpClientRequest.post("http://x.test").pipe(HttpClientRequest.setBody(body))
    assert.notInclude(JSON.stringify(request) + Inspectable.toStringUnknown(request), "planted")
    assert.include(JSON.stringify(request), '"name":"n"')
  })
})

describe("headers", () => {
  it("with tokens are redacted beside those that already were", () => {
    const names = Effect.runSync(
      Redact.withRedactedHeaders(
        Effect.locallyWith(FiberRef.get(Headers.currentRedactedNames), Headers.currentRedactedNames, (names) => [
          ...names,
          "x-own"
        ])
      )
    )
    assert.includeMembers([...names], ["authorization", "x-own", "x-auth-token", "x-subject-token", "x-service-token"])
  })
})

describe("a query", () => {
  it("is told to have a secret by its keys", () => {
    const has = (query: Record<string, string>) =>
      Redact.inQuery(HttpClientRequest.get("http://x.test", { urlParams: query }))
    assert.deepStrictEqual([has({ access_key: "x" }), has({ name: "access_key" }), has({})], [true, false, false])
  })
})
