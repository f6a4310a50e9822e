/** Keys, tokens and what instances are set up with stand in no span, log, error or printed request. */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as Settle from "@effect-manila/core/shakenfist/settle"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import { assert, describe, it } from "vitest"
import { busy, on } from "./support.ts"
import * as Body from "../../src/shakenfist/internal/body.js"

const userData = "cGxhbnRlZC1zZWNyZXQ="

describe("secrets", () => {
  for (const [name, faults] of [
    ["when all goes well", []],
    ["when logins are refused", [Faults.on({ path: "/auth" }, FakeShakenFist.refusal(401, "unauthorized"))]],
    ["when every request is reset", [Faults.on({ path: /instances|clusteroperations/ }, Faults.reset)]],
    ["when answers can't be read", [Faults.on({ path: /auth|instances|clusteroperations/ }, Faults.malformed)]],
    ["when the service fails", [Faults.on({ path: /instances|clusteroperations/ }, FakeShakenFist.refusal(500))]]
  ] as const) {
    it(`are not told ${name}`, () => {
      const told: Array<unknown> = []
      let key = ""
      let tokens: ReadonlyArray<string> = []
      const tracer = Tracer.make({
        span: (name, parent, context, links, startTime, kind, options) => {
          const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
          told.push(name, attributes)
          const span: Tracer.Span = {
            _tag: "Span",
            name,
            spanId: "0000000000000001",
            traceId: "00000000000000000000000000000001",
            parent,
            context,
            status: { _tag: "Started", startTime },
            attributes,
            links,
            sampled: true,
            kind,
            // What tracers keep of an ending: nothing of a success, which is the caller's own, and a failure's texts.
            end: (_, exit) =>
              void (Exit.isFailure(exit) && told.push(Cause.pretty(exit.cause, { renderErrorCause: true }))),
            attribute: (key, value) => void attributes.set(key, value),
            event: (name, _, attributes) => void told.push(name, attributes),
            addLinks: () => {}
          }
          return span
        },
        context: (f) => f()
      })
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ annotations, cause, message }) => void told.push(message, cause, [...annotations]))
      )
      on({ as: "system", faults }, ({ cluster, sent }) =>
        Effect.gen(function* () {
          key = cluster.system.key
          const { uuid } = yield* cluster.instance()
          yield* busy(cluster, uuid, [["queued", 1000], ["error"]])
          const create = Instance.create({
            name: "web",
            cpus: 1,
            memory: 1,
            networks: [],
            disks: [{ size: 1 }],
            userData
          })
          for (const each of [create, Settle.instance(uuid), ClusterOperation.byTarget({ type: "instance", uuid })]) {
            const exit = yield* Effect.exit(
              Effect.asVoid(each as Effect.Effect<unknown, unknown, ShakenFist.ShakenFist>)
            )
            if (Exit.isFailure(exit)) told.push(exit, exit.cause.toString(), JSON.stringify(exit))
          }
          told.push((yield* ShakenFist.ShakenFist).config)
          tokens = sent.flatMap(({ headers }) => headers["authorization"]?.replace("Bearer ", "") ?? [])
        }).pipe(Effect.provide(Layer.merge(logger, Logger.minimumLogLevel(LogLevel.All))), Effect.withTracer(tracer))
      )
      const text = told.map((one) => `${inspect(one, { depth: 12 })} ${JSON.stringify(one)}`).join("\n")
      assert.isAbove(text.length, 1000)
      for (const secret of [key, userData, ...tokens]) assert.notInclude(text, secret)
      // And the search finds what is there to be found.
      assert.include(text, "instance.create")
    })
  }

  it("are not in the printed form of a request", () => {
    const value = { namespace: "demo", key: "planted-key", user_data: userData, network: [{ key: "planted-key" }] }
    const body = Body.make(value)
    if (body === undefined) throw new Error("it has a body")
    const request = HttpClientRequest.setBody(HttpClientRequest.post("http://cluster.test/auth"), body)
    for (const text of [JSON.stringify(request), inspect(request.toJSON(), { depth: 9 }), String(request)]) {
      assert.include(text, "demo")
      assert.notInclude(text, "planted-key")
      assert.notInclude(text, userData)
    }
    // What is sent is whole.
    assert.strictEqual(body._tag, "Uint8Array")
    if (body._tag === "Uint8Array") {
      assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(body.body)) as unknown, value)
    }
  })
})
