/** A small identity service in memory: tokens that expire by the clock, a catalog, and a journal of what was asked. */
import type { Interface } from "@effect-manila/core/keystone/Catalog"
import * as Transport from "@effect-manila/core/http/Transport"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly at: number
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Options {
  readonly lifetimeMillis?: number
  /** How far the service's clock is ahead of ours. */
  readonly aheadMillis?: number
  readonly delayMillis?: number
  readonly catalog?: unknown
  readonly scoped?: boolean
  /** Answers for the first requests, in their order; `undefined` is a regular one, `"reset"` and `"hang"` are faults. */
  readonly script?: ReadonlyArray<Reply | "reset" | "hang" | undefined>
}

export const endpoint = (url: string, kind: Interface | `${Interface}URL` = "public", region = "RegionOne") => ({
  id: "e",
  url,
  interface: kind,
  region,
  region_id: region
})

export const catalog = [
  { type: "identity", name: "keystone", id: "s1", endpoints: [endpoint("https://id.example/v3")] },
  {
    type: "shared-file-system",
    name: "manila",
    id: "s2",
    endpoints: [endpoint("https://share.example/v2"), endpoint("https://share.internal/v2", "internal")]
  },
  { type: "sharev2", name: "manilav2", id: "s3", endpoints: [endpoint("https://sharev2.example/v2")] },
  { type: "share", name: "manilav1", id: "s4", endpoints: [endpoint("https://sharev1.example/v1/p")] }
]

export const refusal = (status: number, message: string): Reply => ({
  status,
  headers: { "x-openstack-request-id": `req-${status}` },
  body: { error: { code: status, message, title: "Title" } }
})

export const make = (options: Options = {}) => {
  const journal: Array<Asked> = []
  const aborted: Array<number> = []
  let issued = 0

  const tokenBody = (now: number) => {
    const ahead = now + (options.aheadMillis ?? 0)
    const lifetime = options.lifetimeMillis ?? 3_600_000
    return {
      token: {
        methods: ["password"],
        user: { id: "user-id", name: "demo", domain: { id: "default", name: "Default" } },
        issued_at: new Date(ahead).toISOString(),
        expires_at: new Date(ahead + lifetime).toISOString(),
        ...(options.scoped === false
          ? {}
          : {
              project: { id: "project-id", name: "demo", domain: { id: "default", name: "Default" } },
              roles: [{ id: "r", name: "member" }],
              catalog: options.catalog ?? catalog
            })
      }
    }
  }

  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const n = journal.length
      journal.push({
        method: request.method,
        url: url.toString(),
        headers: { ...request.headers },
        body: bodyOf(request),
        at
      })
      const scripted = options.script?.[n]
      if (scripted === "hang") return yield* Effect.never
      if (options.delayMillis !== undefined) yield* Effect.sleep(options.delayMillis)
      if (scripted === "reset") {
        const cause = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })
        return yield* new HttpClientError.RequestError({ request, reason: "Transport", cause })
      }
      const now = yield* Clock.currentTimeMillis
      const reply: Reply = scripted ?? {
        status: request.method === "GET" ? 200 : 201,
        headers: { "x-subject-token": `issued-token-${++issued}`, "x-openstack-request-id": "req-ok" },
        body: tokenBody(now)
      }
      const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body)
      return HttpClientResponse.fromWeb(
        request,
        new Response(text, { status: reply.status, headers: { ...reply.headers } })
      )
    }).pipe(Effect.onInterrupt(() => Effect.sync(() => void aborted.push(journal.length))))
  )

  return {
    journal,
    aborted,
    layer: Layer.succeed(Transport.Transport, Transport.Transport.of({ client: () => Effect.succeed(client) }))
  }
}

const bodyOf = (request: HttpClientRequest.HttpClientRequest): unknown =>
  request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : undefined
