/** A fake cluster in virtual time, and raw requests to it: nothing here knows the client of the same project. */
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export type Cluster = Context.Tag.Service<FakeShakenFist.FakeShakenFist>

export const on = <A, E>(
  options: FakeShakenFist.Options,
  program: (cluster: Cluster) => Effect.Effect<A, E>,
  run: VirtualTime.Options = {}
): A => VirtualTime.runSync(Effect.flatMap(FakeShakenFist.make(options), program), { left: "fail", ...run })

export const now: Effect.Effect<number> = Clock.currentTimeMillis

export const until = (time: number): Effect.Effect<void> =>
  Effect.flatMap(now, (at) => (time > at ? Effect.sleep(time - at) : Effect.void))

export interface Request {
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  readonly query?: ReadonlyArray<readonly [string, string]>
  readonly headers?: Readonly<Record<string, string>>
}

export const send = (cluster: Cluster, method: string, path: string, request: Request = {}) =>
  Effect.map(
    cluster.app({
      method,
      origin: "http://cluster.test",
      path,
      query: request.query ?? [],
      headers: request.headers ?? {},
      body: request.text ?? (request.body === undefined ? "" : JSON.stringify(request.body))
    }),
    (reply) => {
      if (reply._tag !== "Answer") throw new Error("there is no answer")
      const { body, headers, status } = reply.answer
      return {
        status,
        headers,
        text: body,
        // Tests read members of what they know to be there.
        json: (headers["content-type"]?.includes("json") === true ? JSON.parse(body) : undefined) as never
      }
    }
  )

export const login = (cluster: Cluster, as: "system" | "demo" | "other" = "demo") =>
  Effect.map(send(cluster, "POST", "/auth", { body: cluster[as] }), ({ json }) => {
    const { access_token } = json as { readonly access_token: string }
    return { authorization: `Bearer ${access_token}`, accept: "*/*" }
  })

/** Requests with one login. */
export const client = (cluster: Cluster, as: "system" | "demo" | "other" = "demo") =>
  Effect.map(
    login(cluster, as),
    (headers) =>
      (method: string, path: string, request: Request = {}) =>
        send(cluster, method, path, { ...request, headers: { ...headers, ...request.headers } })
  )

export const op = (
  cluster: Cluster,
  uuid: string,
  phases: FakeShakenFist.Phases,
  more: Partial<FakeShakenFist.OperationSeed> = {}
) => cluster.enqueue({ targets: [{ type: "instance", uuid }], phases, ...more })

export const isListed = (cluster: Cluster, instance: string, uuid: string) =>
  Effect.map(cluster.operations({ type: "instance", uuid: instance }), (ops) => ops.some((one) => one.uuid === uuid))
