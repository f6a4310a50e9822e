/**
 * What went wrong on the way is told by its innermost code, and never with the request.
 */
import * as Fault from "@effect-manila/core/http/Fault"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "vitest"

const request = HttpClientRequest.get("https://user:planted@host.test/v2/shares?key=planted").pipe(
  HttpClientRequest.setHeader("x-auth-token", "planted")
)

const coded = (code: string, message = "x"): Error => Object.assign(new Error(message), { code })

const ofRequest = (cause: unknown) =>
  Fault.fromClientError(request, new HttpClientError.RequestError({ request, reason: "Transport", cause }))

const ofResponse = (cause: unknown) =>
  Fault.fromClientError(
    request,
    new HttpClientError.ResponseError({
      request,
      response: HttpClientResponse.fromWeb(request, new Response("")),
      reason: "Decode",
      cause
    })
  )

describe("a fault of the transport", () => {
  for (const [code, transient, sent] of [
    ["ECONNREFUSED", true, false],
    ["ECONNRESET", true, true],
    ["EPIPE", true, true],
    ["ETIMEDOUT", true, true],
    ["EAI_AGAIN", true, false],
    ["EHOSTUNREACH", true, false],
    ["ENETUNREACH", true, false],
    ["ENOTFOUND", false, false],
    ["EAI_NONAME", false, false],
    ["EPROTO", false, false],
    ["CERT_HAS_EXPIRED", false, false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", false, false],
    ["ERR_SSL_WRONG_VERSION_NUMBER", false, false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false, false],
    ["SELF_SIGNED_CERT_IN_CHAIN", false, false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", false, false],
    ["HPE_INVALID_CONSTANT", false, true],
    ["SOMETHING_NEW", true, true]
  ] as const) {
    it(`of ${code} is ${transient ? "transient" : "permanent"}, and the request ${sent ? "may have been" : "was not"} sent`, () => {
      const fault = ofRequest(coded(code))
      assert.deepStrictEqual([fault.code, fault.transient, fault.sent], [code, transient, sent])
    })
  }

  it("is told by the innermost code, through causes and through several addresses tried together", () => {
    assert.strictEqual(ofRequest(new Error("a", { cause: coded("ECONNREFUSED") })).code, "ECONNREFUSED")
    const several = new AggregateError([coded("ECONNREFUSED"), coded("EHOSTUNREACH")])
    assert.strictEqual(ofRequest(several).code, "ECONNREFUSED")
    assert.strictEqual(
      ofRequest(Object.assign(coded("OUTER"), { cause: coded("CERT_HAS_EXPIRED") })).code,
      "CERT_HAS_EXPIRED"
    )
  })

  it("without any code is unknown, transient, and the request may have been sent", () => {
    for (const cause of [undefined, null, "text", new Error("x"), {}, { code: 7 }]) {
      const { code, sent, transient } = ofRequest(cause)
      assert.deepStrictEqual([code, transient, sent], ["UNKNOWN", true, true])
    }
  })

  it("does not hang on causes that go round in a circle", () => {
    const circle: { cause?: unknown; code?: string } = { code: "EPIPE" }
    circle.cause = circle
    assert.strictEqual(ofRequest(circle).code, "EPIPE")
  })

  it("of a URL that is none is permanent, and nothing was sent", () => {
    const fault = Fault.fromClientError(request, new HttpClientError.RequestError({ request, reason: "InvalidUrl" }))
    assert.deepStrictEqual([fault.code, fault.transient, fault.sent], ["INVALID_URL", false, false])
  })

  it("of a body that was cut short is TRUNCATED, whatever cut it", () => {
    for (const cause of [coded("ECONNRESET"), coded("ABORT_ERR"), new SyntaxError("JSON"), undefined]) {
      const { code, sent, transient } = ofResponse(cause)
      assert.deepStrictEqual([code, transient, sent], ["TRUNCATED", true, true])
    }
    assert.strictEqual(ofResponse(coded("HPE_INVALID_CHUNK_SIZE")).code, "HPE_INVALID_CHUNK_SIZE")
  })

  it("of a time-out says how long was waited", () => {
    const { message, sent, transient } = Fault.timeout(request, 2500)
    assert.include(message, "no answer within 2.5 s")
    assert.deepStrictEqual([transient, sent], [true, true])
  })

  it("holds no query, no user, no header and no request", () => {
    for (const fault of [ofRequest(coded("EPIPE")), ofResponse(undefined), Fault.timeout(request, 1)]) {
      assert.notInclude(JSON.stringify(fault) + String(fault) + fault.message, "planted")
      assert.include(fault.message, "GET https://host.test/v2/shares")
      assert.isUndefined(fault.cause)
    }
  })
})
