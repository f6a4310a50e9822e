/** A fake cluster, the client for it, and all the client sent, in virtual time. */
import * as Transport from "@effect-manila/core/http/Transport"
import * as Configuration from "@effect-manila/core/shakenfist/Configuration"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"

export type Cluster = Context.Tag.Service<FakeShakenFist.FakeShakenFist>

/** One request as it reached the server, and what it was answered with; status 0 is no answer. */
export interface Sent {
  readonly time: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

export interface Scene {
  readonly options?: FakeShakenFist.Options
  readonly as?: "system" | "demo" | "other"
  readonly settings?: Configuration.Settings
  /** Instead of those that `as` has. */
  readonly credentials?: { readonly namespace?: string; readonly key?: string }
  readonly faults?: ReadonlyArray<Faults.Fault>
  /** The end of the client's URL. Default: where the cluster's routes begin. */
  readonly path?: string
  /** Passes before every answer. */
  readonly latency?: Duration.DurationInput
}

export interface World {
  readonly cluster: Cluster
  /** Everything sent so far, the root page and logins too. */
  readonly sent: ReadonlyArray<Sent>
  /** What was sent but for the root page and logins. */
  readonly calls: () => ReadonlyArray<Sent>
  /** Adds faults behind those of the scene. */
  readonly fault: (...faults: ReadonlyArray<Faults.Fault>) => Effect.Effect<void>
  /** A second client of the same cluster. */
  readonly client: (
    as: "system" | "demo" | "other",
    settings?: Configuration.Settings
  ) => Layer.Layer<ShakenFist.ShakenFist>
}

const recording =
  (app: App, sent: Array<Sent>): App =>
  (request) =>
    Effect.flatMap(Clock.currentTimeMillis, (time) =>
      Effect.map(app(request), (reply) => {
        sent.push({
          time,
          method: request.method,
          path: request.path,
          query: request.query.map(([name, value]) => `${name}=${value}`).join("&"),
          body: request.body,
          headers: request.headers,
          status: reply._tag === "Answer" ? reply.answer.status : 0
        })
        return reply
      })
    )

const slow =
  (app: App, latency: Duration.DurationInput): App =>
  (request) =>
    Effect.delay(app(request), latency)

export const world = (scene: Scene): Effect.Effect<World & { readonly layer: Layer.Layer<ShakenFist.ShakenFist> }> =>
  Effect.gen(function* () {
    const cluster = yield* FakeShakenFist.make(scene.options)
    const faulty = yield* Faults.wrap(cluster.app, scene.faults ?? [])
    const sent: Array<Sent> = []
    const recorded = recording(faulty.app, sent)
    const app = scene.latency === undefined ? recorded : slow(recorded, scene.latency)
    const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(app))
    const client = (as: "system" | "demo" | "other", settings: Configuration.Settings = {}) =>
      Layer.orDie(
        ShakenFist.layer(
          Configuration.make({
            url: `${InProcess.defaultOrigin}${scene.path ?? cluster.basePath}`,
            ...cluster[as],
            ...scene.credentials,
            ...settings
          })
        )
      ).pipe(Layer.provide(transport))
    return {
      cluster,
      sent,
      calls: () => sent.filter(({ path }) => path !== "/" && path !== "/auth"),
      fault: (...faults) => faulty.add(...faults),
      client,
      layer: client(scene.as ?? "demo", scene.settings)
    }
  })

export const quietly = Logger.minimumLogLevel(LogLevel.None)

export const virtually = <A, E>(program: Effect.Effect<A, E>): A =>
  VirtualTime.runSync(Effect.provide(program, quietly), { left: "fail" })

/** Runs a program as a client of a fake cluster. */
export const on = <A, E>(
  scene: Scene,
  program: (world: World) => Effect.Effect<A, E, ShakenFist.ShakenFist | Scope.Scope>
): A =>
  virtually(Effect.flatMap(world(scene), ({ layer, ...rest }) => Effect.provide(Effect.scoped(program(rest)), layer)))

export const now: Effect.Effect<number> = Clock.currentTimeMillis

/** `GET /instances/…` as `GET /instances/*`. */
export const lines = (sent: ReadonlyArray<Sent>): ReadonlyArray<string> =>
  sent.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "*")}`)

export const times = (sent: ReadonlyArray<Sent>): ReadonlyArray<number> => sent.map(({ time }) => time)

/** An operation that does something to an instance, with the states it goes through. */
export const busy = (
  cluster: Cluster,
  uuid: string,
  phases: FakeShakenFist.Phases = [["queued"]],
  more: Partial<FakeShakenFist.OperationSeed> = {}
) => cluster.enqueue({ targets: [{ type: "instance", uuid }], phases, ...more })
