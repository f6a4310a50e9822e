/**
 * A cloud in memory, the client on it, and everything that went between them, in virtual time.
 */
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import { Credentials, Scope } from "@effect-manila/core/keystone/Credentials"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Transport from "@effect-manila/core/http/Transport"
import * as Manila from "@effect-manila/core/manila/Manila"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App, WireRequest } from "@effect-manila/test-kit/Wire"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"

export interface Sent {
  /** Milliseconds since the start. */
  readonly at: number
  readonly method: string
  /** Without the endpoint's own part: `/shares/1`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface World {
  readonly cloud: Context.Tag.Service<FakeCloud.FakeCloud>
  readonly faulty: Faults.Faulty
  /** What the share service was asked, the version documents left out. */
  readonly sent: () => ReadonlyArray<Sent>
  /** `GET /` and the like: `GET /share/`. */
  readonly discovered: () => ReadonlyArray<string>
  /** Requests to identity: `POST /identity/v3/auth/tokens`. */
  readonly identity: () => ReadonlyArray<string>
  /** Forgets what was sent. */
  readonly clear: Effect.Effect<void>
}

export interface Setup {
  readonly cloud?: FakeCloud.Options
  readonly faults?: ReadonlyArray<Faults.Fault>
  /** Goes around the cloud, inside of the faults. */
  readonly wrap?: (app: App) => App
  /** Goes around the client that reaches the cloud. */
  readonly client?: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  readonly as?: "admin" | "other" | "reader"
  readonly credentials?: (given: FakeCloud.Credentials) => Credentials
  readonly endpoint?: string
  /** Where the cloud is found, beside its default origin. */
  readonly origins?: ReadonlyArray<string>
  readonly options?: Manila.Options
  readonly requestTimeout?: Duration.DurationInput
}

export const origin = InProcess.defaultOrigin

export const password = (given: FakeCloud.Credentials): Credentials =>
  Credentials.Password({
    user: { id: given.userId },
    password: Redacted.make(given.password),
    scope: Scope.Project({ id: given.projectId })
  })

/** A token that was given, and can't be renewed. */
export const preIssued = (given: FakeCloud.Credentials): Credentials =>
  Credentials.Token({ token: Redacted.make(given.token), scope: Scope.Unscoped() })

const parsed = (body: string): unknown => (body === "" ? undefined : JSON.parse(body))

interface Recorded {
  readonly at: number
  readonly request: WireRequest
}

const isDocument = ({ path }: WireRequest) => /^\/share\/?(v2\/?)?$/.test(path)

const toSent = ({ at, request }: Recorded): Sent => ({
  at,
  method: request.method,
  path: request.path.replace(/^\/share\/v2/, ""),
  query: Object.fromEntries(request.query),
  headers: request.headers,
  body: parsed(request.body)
})

/** The client on a cloud made for it, and the program on both. */
export const withCloud = <A, E>(
  setup: Setup,
  program: (world: World) => Effect.Effect<A, E, Manila.Manila>
): Effect.Effect<A, E | unknown> =>
  Effect.gen(function* () {
    const cloud = yield* FakeCloud.make(setup.cloud)
    const recorded: Array<Recorded> = []
    const inner: App = (request) => (setup.wrap?.(cloud.app) ?? cloud.app)(request)
    const faulty = yield* Faults.wrap({ app: inner, journal: cloud.journal }, setup.faults ?? [])
    const app: App = (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        recorded.push({ at, request })
        return faulty.app(request)
      })
    const ofKind = (is: (request: WireRequest) => boolean) => recorded.filter(({ request }) => is(request))
    const lines = (some: ReadonlyArray<Recorded>) => some.map(({ request }) => `${request.method} ${request.path}`)
    const isIdentity = ({ path }: WireRequest) => path.startsWith("/identity")
    const world: World = {
      cloud,
      faulty,
      sent: () => ofKind((request) => !isIdentity(request) && !isDocument(request)).map(toSent),
      discovered: () => lines(ofKind(isDocument)),
      identity: () => lines(ofKind(isIdentity)),
      clear: Effect.sync(() => void recorded.splice(0))
    }
    const given = setup.as === undefined ? cloud.credentials : cloud[setup.as]
    const config = CloudConfig.make({
      authUrl: `${origin}${given.authPath}`,
      credentials: (setup.credentials ?? password)(given),
      region: given.region,
      endpointOverride: setup.endpoint,
      requestTimeout: setup.requestTimeout
    })
    const layer = Manila.layer(setup.options).pipe(
      Layer.provide(Keystone.layer(config)),
      Layer.provide(Transport.layerHttpClient),
      Layer.provide(
        Layer.succeed(
          HttpClient.HttpClient,
          (setup.client ?? identity)(InProcess.make(app, { origin: [origin, ...(setup.origins ?? [])] }))
        )
      )
    )
    return yield* Effect.provide(program(world), layer)
  })

const quiet = Logger.withMinimumLogLevel(LogLevel.None)

/** Runs it in virtual time; what it fails with is thrown. */
export const run = <A, E>(
  setup: Setup,
  program: (world: World) => Effect.Effect<A, E, Manila.Manila>,
  options?: VirtualTime.Options
): A => VirtualTime.runSync(quiet(withCloud(setup, program)), options)

/** As `run`, with the exit and the virtual time it took. */
export const runExit = <A, E>(
  setup: Setup,
  program: (world: World) => Effect.Effect<A, E, Manila.Manila>,
  options?: VirtualTime.Options
): VirtualTime.Run<A, unknown> => VirtualTime.runExit(quiet(withCloud(setup, program)), options)

/** For `Setup.wrap`: more headers on the answers to some requests. */
export const answering =
  (which: (request: WireRequest) => boolean, headers: Readonly<Record<string, string>>) =>
  (app: App): App =>
  (request) =>
    Effect.map(app(request), (reply) =>
      reply._tag === "Answer" && which(request)
        ? { ...reply, answer: { ...reply.answer, headers: { ...reply.answer.headers, ...headers } } }
        : reply
    )
