import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import { assert, describe, it } from "@effect/vitest"
import { innermostCode } from "@effect-manila/core/http/Fault"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import { always, answer, echo } from "./transports.ts"

const get = (path: string, origin = InProcess.defaultOrigin) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.get(`${origin}${path}`))

const slow: App = () => Effect.map(Clock.currentTimeMillis, (now) => ({ ...answer(String(now)), delayMillis: 2_000 }))

const code = (origin: string, options?: InProcess.Options) =>
  Effect.runSync(
    get("/", origin).pipe(
      Effect.map(({ status }) => String(status)),
      Effect.catchTag("RequestError", (error) => Effect.succeed(`${error.reason} ${innermostCode(error.cause)}`)),
      Effect.catchTag("ResponseError", (error) => Effect.succeed(error.message)),
      Effect.provide(InProcess.layer(always(answer("")), options))
    )
  )

const send = (body: HttpBody.HttpBody) =>
  Effect.runSync(
    InProcess.make(echo)
      .execute(HttpClientRequest.post(InProcess.defaultOrigin).pipe(HttpClientRequest.setBody(body)))
      .pipe(
        Effect.flatMap((response) => response.json),
        Effect.map((json) => (json as { body: string }).body),
        Effect.catchAll((error) => Effect.succeed(error.reason))
      )
  )

describe("InProcess", () => {
  it("a request needs no promise: it runs under runSync, body and JSON included", () => {
    const json = Effect.runSync(
      get("/v2/shares?limit=1").pipe(
        Effect.flatMap((response) => response.json),
        Effect.provide(InProcess.layer(echo))
      )
    )
    assert.deepInclude(json, {
      method: "GET",
      path: "/v2/shares",
      query: [["limit", "1"]],
      origin: "http://fake-cloud.test"
    })
  })

  it("the app sees the caller's clock, and a delay passes on it", () => {
    const [body, ended, date] = VirtualTime.runSync(
      Effect.gen(function* () {
        yield* Effect.sleep("1 second")
        const response = yield* get("/")
        return [yield* response.text, yield* Clock.currentTimeMillis, response.headers["date"]]
      }).pipe(Effect.provide(InProcess.layer(slow)))
    )
    assert.deepStrictEqual([body, ended], ["1000", 3_000])
    assert.strictEqual(date, "Thu, 01 Jan 1970 00:00:03 GMT")
  })

  it("a caller that gives up interrupts the request at once", () => {
    let interrupted = 0
    const app: App = () =>
      Effect.never.pipe(Effect.onInterrupt(() => Effect.map(Clock.currentTimeMillis, (now) => (interrupted = now))))
    const run = VirtualTime.runExit(Effect.timeoutOption(get("/"), 500).pipe(Effect.provide(InProcess.layer(app))))
    assert.deepStrictEqual(run.exit, Exit.succeed(Option.none()))
    assert.strictEqual(interrupted, 500)
    assert.deepStrictEqual(run.left, [])
  })

  it("an endless delay is a request without an answer", () => {
    const app = always({ ...answer(""), delayMillis: Infinity })
    const run = VirtualTime.runExit(Effect.timeoutOption(get("/"), "1 day").pipe(Effect.provide(InProcess.layer(app))))
    assert.deepStrictEqual(run.exit, Exit.succeed(Option.none()))
    assert.strictEqual(run.elapsedMillis, 86_400_000)
  })

  it("a fiber ref of the caller reaches the app", () => {
    const ref = FiberRef.unsafeMake("unset")
    const app: App = () => Effect.map(FiberRef.get(ref), (value) => answer(value))
    const text = Effect.runSync(
      get("/").pipe(
        Effect.flatMap((response) => response.text),
        Effect.locally(ref, "set"),
        Effect.provide(InProcess.layer(app))
      )
    )
    assert.strictEqual(text, "set")
  })

  it("other origins can't be reached: an unknown host, or a known one that refuses", () => {
    assert.strictEqual(code("http://elsewhere.test"), "Transport ENOTFOUND")
    assert.strictEqual(code("http://fake-cloud.test:8786"), "Transport ECONNREFUSED")
    assert.strictEqual(code("https://fake-cloud.test"), "Transport ECONNREFUSED")
    const both = { origin: ["https://a.test:5000", "https://a.test:8786"] }
    assert.strictEqual(code("https://a.test:5000", both), "200")
    assert.strictEqual(code("https://a.test:8786", both), "200")
    assert.strictEqual(code("http://fake-cloud.test", both), "Transport ENOTFOUND")
  })

  it("a defect of the app is a defect, not an answer", () => {
    const exit = Effect.runSyncExit(get("/").pipe(Effect.provide(InProcess.layer(() => Effect.dieMessage("bug")))))
    assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die")
  })

  it("a raw body is a text or bytes; form data can't be sent", () => {
    assert.strictEqual(send(HttpBody.raw("text")), "text")
    assert.strictEqual(send(HttpBody.raw(new TextEncoder().encode("bytes"))), "bytes")
    assert.strictEqual(send(HttpBody.raw({})), "Encode")
    assert.strictEqual(send(HttpBody.formData(new FormData())), "Encode")
  })

  it("the most a body may hold is obeyed", () => {
    const read = get("/").pipe(
      Effect.flatMap((response) => response.text),
      Effect.provide(InProcess.layer(always(answer("12345"))))
    )
    assert.strictEqual(Effect.runSync(HttpIncomingMessage.withMaxBodySize(read, Option.some(5))), "12345")
    assert.isTrue(Exit.isFailure(Effect.runSyncExit(HttpIncomingMessage.withMaxBodySize(read, Option.some(4)))))
  })

  it("bytes and cookies are there too", () => {
    const response = Effect.runSync(
      get("/").pipe(Effect.provide(InProcess.layer(always(answer("é", { headers: { "set-cookie": "a=b; Path=/" } })))))
    )
    assert.deepStrictEqual([...new Uint8Array(Effect.runSync(response.arrayBuffer))], [0xc3, 0xa9])
    assert.strictEqual(response.cookies.cookies["a"]?.value, "b")
    assert.deepInclude(response.toJSON() as object, { status: 200 })
  })

  it("a request costs no more of its own than the client around it", () => {
    const app = InProcess.make(always(answer("{}")))
    const response = Effect.runSync(app.get(InProcess.defaultOrigin))
    const nothing = HttpClient.make(() => Effect.succeed(response))
    const millis = (client: HttpClient.HttpClient) => {
      const one = Effect.flatMap(client.get(`${InProcess.defaultOrigin}/v2/shares`), (response) => response.json)
      const start = performance.now()
      Effect.runSync(Effect.repeatN(one, 499))
      return performance.now() - start
    }
    millis(app)
    millis(nothing)
    const rounds = Array.from({ length: 5 }, () => millis(app) / millis(nothing))
    assert.isBelow(Math.min(...rounds), 2)
  })
})
