/**
 * A fake cloud, faults in front of it, and this library's client on both.
 */
import * as Transport from "@effect-manila/core/http/Transport"
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import { Credentials, Scope } from "@effect-manila/core/keystone/Credentials"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Manila from "@effect-manila/core/manila/Manila"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FakeCloud from "../../FakeCloud.ts"
import * as Faults from "../../Faults.ts"
import * as InProcess from "../../InProcess.ts"
import type { App } from "../../Wire.ts"

export interface World {
  readonly cloud: Context.Tag.Service<FakeCloud.FakeCloud>
  readonly credentials: FakeCloud.Credentials
  readonly client: Layer.Layer<Manila.Manila>
}

export interface Setup {
  readonly cloud?: FakeCloud.Options | undefined
  readonly faults?: ReadonlyArray<Faults.Fault> | undefined
  /** Goes around the cloud, behind the faults. */
  readonly around?: ((app: App) => App) | undefined
  readonly microversion?: string | undefined
  readonly requestTimeout?: Duration.DurationInput | undefined
}

/** The administrator's client, so that no operation is refused for who asks. */
export const make = (setup: Setup = {}): Effect.Effect<World> =>
  Effect.gen(function* () {
    const cloud = yield* FakeCloud.make(setup.cloud)
    const app = setup.around === undefined ? cloud.app : setup.around(cloud.app)
    const faulty = yield* Faults.wrap({ app, journal: cloud.journal }, setup.faults ?? [])
    const credentials = cloud.admin
    return { cloud, credentials, client: yield* on(faulty.app, credentials, setup) }
  })

/** The client of whoever has these credentials, on whatever answers in the cloud's place. */
export const on = (
  app: App,
  credentials: FakeCloud.Credentials,
  setup: Pick<Setup, "microversion" | "requestTimeout"> = {}
): Effect.Effect<Layer.Layer<Manila.Manila>> =>
  Effect.sync(() => {
    const config = CloudConfig.make({
      authUrl: `${InProcess.defaultOrigin}${credentials.authPath}`,
      credentials: Credentials.Password({
        user: { id: credentials.userId },
        password: Redacted.make(credentials.password),
        scope: Scope.Project({ id: credentials.projectId })
      }),
      region: credentials.region,
      requestTimeout: setup.requestTimeout
    })
    return Manila.layer({ microversion: setup.microversion }).pipe(
      Layer.provide(Keystone.layer(config)),
      Layer.provide(Transport.layerHttpClient),
      Layer.provide(InProcess.layer(app)),
      // No file is read, and no setting is wrong.
      Layer.orDie
    )
  })

/** Everything of a cloud that a request can change, as the administrator reads it. */
export const dump = ({ cloud, credentials }: World): Effect.Effect<string> =>
  Effect.map(
    Effect.forEach(
      [
        "/shares/detail?all_tenants=1",
        "/snapshots/detail?all_tenants=1",
        "/types?is_public=all",
        "/share-networks/detail?all_tenants=1",
        "/share-groups/detail?all_tenants=1",
        "/messages"
      ],
      (path) => Effect.map(ask(cloud.app, credentials.token, path), (body) => `${path} ${body}`)
    ),
    (bodies) => bodies.join("\n")
  )

const ask = (app: App, token: string, path: string): Effect.Effect<string> => {
  const [name = "", query = ""] = path.split("?", 2)
  return Effect.map(
    app({
      method: "GET",
      origin: InProcess.defaultOrigin,
      path: `/share/v2${name}`,
      query: query === "" ? [] : [query.split("=") as [string, string]],
      headers: {
        "x-auth-token": token,
        "x-openstack-manila-api-version": "2.60",
        "x-openstack-manila-api-experimental": "True"
      },
      body: ""
    }),
    (reply) => (reply._tag === "Answer" ? `${reply.answer.status} ${reply.answer.body}` : "reset")
  )
}
