/**
 * The whole program against a cloud in memory, in virtual time: from argv to exit code, with what was written, what was
 * sent, and how long it took.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as PlatformError from "@effect/platform/Error"
import * as Transport from "@effect-manila/core/http/Transport"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { YieldWrap } from "effect/Utils"
import * as Cli from "@effect-manila/cli/Cli"
import type { AnyRun } from "@effect-manila/cli/Command"
import { all, specs } from "@effect-manila/cli/Commands"
import { decide } from "@effect-manila/cli/Entry"
import type * as Spec from "@effect-manila/cli/Spec"
import * as TestStdio from "../../support/TestStdio.ts"

/** The code of every command: virtual time can't wait for a module to load. */
const runs: ReadonlyMap<Spec.Spec, AnyRun> = new Map(
  await Promise.all(all.map(async ({ load, spec }) => [spec, (await load()).run] as const))
)

/** A request as it was sent; the path is the one below `/v2`. */
export interface Sent {
  readonly service: "identity" | "share"
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds since the command began. */
  readonly at: number
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Virtual milliseconds. */
  readonly millis: number
  /** Everything but the token and the version document: `GET /shares/detail?name=web`. */
  readonly requests: ReadonlyArray<string>
  /** Everything. */
  readonly sent: ReadonlyArray<Sent>
  readonly exits: ReadonlyArray<number>
  readonly stdio: TestStdio.TestStdio
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdio?: Parameters<typeof TestStdio.make>[0]
  readonly as?: "admin" | "other" | "reader"
  /** Runs beside the command. */
  readonly meanwhile?: (stdio: TestStdio.TestStdio) => Effect.Effect<unknown>
  /** Files by path. The parser of YAML is loaded by a promise, so a command that reads one runs by `real`. */
  readonly files?: Readonly<Record<string, string>>
}

export interface World {
  readonly cloud: FakeCloud.FakeCloud["Type"]
  readonly fault: (...faults: ReadonlyArray<Faults.Fault>) => Effect.Effect<void>
  /** A command line, split at blanks: `share show web -f json`. An array keeps blanks. */
  readonly run: (argv: string | ReadonlyArray<string>, options?: RunOptions) => Effect.Effect<Ended>
}

export interface Options extends FakeCloud.Options {
  readonly faults?: ReadonlyArray<Faults.Fault>
}

const start = Date.UTC(2026, 2, 31, 12)

const missing = (path: string) =>
  new PlatformError.SystemError({ reason: "NotFound", module: "FileSystem", method: "read", pathOrDescriptor: path })

const filesOf = (files: Readonly<Record<string, string>>) =>
  FileSystem.layerNoop({
    exists: (path) => Effect.succeed(Object.keys(files).some((file) => file === path || file.startsWith(`${path}/`))),
    readFileString: (path) => (path in files ? Effect.succeed(files[path] ?? "") : Effect.fail(missing(path)))
  })

export const origin = InProcess.defaultOrigin

/** The variables that log in to the cloud. */
export const envOf = (cloud: FakeCloud.FakeCloud["Type"], as: RunOptions["as"]): Record<string, string> => {
  const who = as === undefined ? cloud.credentials : cloud[as]
  return {
    OS_AUTH_URL: `${origin}${who.authPath}`,
    OS_USERNAME: who.username,
    OS_PASSWORD: who.password,
    OS_USER_DOMAIN_NAME: who.domainName,
    OS_PROJECT_NAME: who.projectName,
    OS_PROJECT_DOMAIN_NAME: who.domainName,
    OS_REGION_NAME: who.region
  }
}

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const make = (options: Options): Effect.Effect<World> =>
  Effect.gen(function* () {
    const { faults = [], ...cloudOptions } = options
    const cloud = yield* FakeCloud.make(cloudOptions)
    const faulty = yield* Faults.wrap(cloud, faults)
    let sent: Array<Sent> = []
    let began = 0
    const app: App = (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const [, service] = request.path.split("/", 2)
        sent.push({
          service: service === "identity" ? "identity" : "share",
          method: request.method,
          path: request.path.replace(/^\/(identity\/v3|share\/v2(?:\/[0-9a-f]{32})?|share)(?=\/)/, ""),
          query: Object.fromEntries(request.query),
          body: parse(request.body),
          headers: request.headers,
          at: now - began
        })
        return faulty.app(request)
      })
    const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(app))
    const run = (line: string | ReadonlyArray<string>, runOptions: RunOptions = {}): Effect.Effect<Ended> =>
      Effect.gen(function* () {
        const argv = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line
        const env = { ...envOf(cloud, runOptions.as), ...runOptions.env }
        const stdio = TestStdio.make({ ...runOptions.stdio, env })
        sent = []
        began = yield* Clock.currentTimeMillis
        const decision = decide(argv, env, specs)
        const common = { exits: stdio.exits, stdio }
        if (decision._tag === "Print") {
          const { code, stderr, stdout } = decision
          return { ...common, code, stdout, stderr, millis: 0, requests: [], sent: [] }
        }
        const { meanwhile } = runOptions
        const beside = meanwhile === undefined ? undefined : yield* Effect.fork(meanwhile(stdio))
        const program = Cli.run({ spec: decision.spec, argv: decision.argv, run: runs.get(decision.spec)! }).pipe(
          TestStdio.provide(stdio),
          Effect.provide(Layer.mergeAll(filesOf(runOptions.files ?? {}), Path.layer, transport))
        )
        const code = yield* program
        if (beside !== undefined) yield* Fiber.interrupt(beside)
        return {
          ...common,
          code,
          stdout: stdio.stdout(),
          stderr: stdio.stderr(),
          millis: (yield* Clock.currentTimeMillis) - began,
          requests: sent.filter(({ service, path }) => service === "share" && !/^\/(v2\/)?$/.test(path)).map(textOf),
          sent
        }
      })
    return { cloud, fault: faulty.add, run }
  })

const textOf = ({ method, path, query }: Sent): string => {
  const text = Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join("&")
  return `${method} ${path}${text === "" ? "" : `?${text}`}`
}

/** A program as `Effect.gen` takes it. */
export type Body<A> = (world: World) => Generator<YieldWrap<Effect.Effect<unknown, unknown>>, A, never>

/** Runs a program in virtual time against a cloud of its own. */
export const within = <A>(options: Options, body: Body<A>): A =>
  VirtualTime.runSync(
    Effect.flatMap(make(options), (world) => Effect.gen(() => body(world))),
    { start }
  )

/** One command in real time, for what virtual time can't wait for. */
export const real = (line: string | ReadonlyArray<string>, options: RunOptions = {}): Promise<Ended> =>
  Effect.runPromise(Effect.flatMap(make({}), ({ run }) => run(line, options)))

/** One command against a cloud of its own. */
export const once = (argv: string | ReadonlyArray<string>, options: Options = {}, runOptions: RunOptions = {}): Ended =>
  VirtualTime.runSync(
    Effect.flatMap(make(options), ({ run }) => run(argv, runOptions)),
    { start }
  )

// Tests read what they expect to be there, and fail otherwise.
// oxlint-disable-next-line typescript/no-explicit-any
type Parsed = any

export const json = (ended: Ended): Parsed => JSON.parse(ended.stdout)

export const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** How many requests begin with this text. */
export const countOf = ({ requests }: Ended, start: string): number =>
  requests.filter((request) => request.startsWith(start)).length

/** When a share was looked at, in seconds since the command began. */
export const looksAt = ({ sent }: Ended, id: string): ReadonlyArray<number> =>
  sent.filter(({ method, path }) => method === "GET" && path === `/shares/${id}`).map(({ at }) => at / 1000)

/** The body of the last request. */
export const lastBody = ({ sent }: Ended): Parsed => sent[sent.length - 1]?.body

/** The events of `--progress json`. Every line must be one. */
export const events = ({ stderr }: Ended): ReadonlyArray<Parsed> => lines(stderr).map((line) => JSON.parse(line))

/** The command that goes on, as it was printed, without the program's name. */
export const goOn = ({ stderr }: Ended): ReadonlyArray<string> => {
  const found = /manila (wait --resume .*)/.exec(stderr)?.[1]
  if (found === undefined) throw new Error(`no command to go on with in: ${stderr}`)
  return found.split(" ")
}

/** The token alone. */
export const tokenOf = (ended: Ended): string => goOn(ended)[2] ?? ""

/** Throws what was said if the command did not end with this code. */
export const fails = (ended: Ended, code: number): Ended => {
  if (ended.code === code) return ended
  throw new Error(`exit code ${ended.code}, not ${code}\n${ended.stdout}${ended.stderr}${ended.requests.join("\n")}`)
}

export const ok = (ended: Ended): Ended => fails(ended, 0)

/** What `phases` takes. */
export type Steps = ReadonlyArray<string | readonly [status: string, stands: Duration.DurationInput]>

/** Ids that tests recognise. */
export const ids = {
  a: "aaaaaaaa-0000-4000-8000-000000000001",
  b: "bbbbbbbb-0000-4000-8000-000000000002",
  c: "cccccccc-0000-4000-8000-000000000003",
  snapshot: "55555555-0000-4000-8000-000000000001",
  rule: "77777777-0000-4000-8000-000000000001",
  network: "99999999-0000-4000-8000-000000000001",
  group: "66666666-0000-4000-8000-000000000001",
  none: "00000000-0000-4000-8000-00000000dead"
}
