/**
 * The whole program against a Shaken Fist cluster in memory, in virtual time: from argv to exit code, with what was
 * written, what was sent, and how long it took.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as PlatformError from "@effect/platform/Error"
import * as Transport from "@effect-manila/core/http/Transport"
import * as Faults from "@effect-manila/test-kit/Faults"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import type { App } from "@effect-manila/test-kit/Wire"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { it } from "vitest"
import * as Cli from "@effect-manila/cli/Cli"
import type { AnyRun } from "@effect-manila/cli/Command"
import { decide } from "@effect-manila/cli/Entry"
import { all, specs } from "@effect-manila/cli/shakenfist/Commands"
import { program } from "@effect-manila/cli/shakenfist/Program"
import type * as Spec from "@effect-manila/cli/Spec"
import * as TestStdio from "../support/TestStdio.ts"

export type Cluster = Context.Tag.Service<FakeShakenFist.FakeShakenFist>

/** The code of every command: virtual time can't wait for a module to load. */
const runs: ReadonlyMap<Spec.Spec, AnyRun> = new Map(
  await Promise.all(all.map(async ({ load, spec }) => [spec, (await load()).run] as const))
)

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string
  /** Milliseconds since the command began. */
  readonly at: number
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Virtual milliseconds. */
  readonly millis: number
  /** Everything but the root page and the login: `GET /instances/web`. */
  readonly requests: ReadonlyArray<string>
  /** Everything. */
  readonly sent: ReadonlyArray<Sent>
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly as?: "system" | "demo" | "other"
  /** Instead of the cluster's variables. */
  readonly bare?: true
  readonly files?: Readonly<Record<string, string>>
  /** Runs beside the command. */
  readonly meanwhile?: (stdio: TestStdio.TestStdio) => Effect.Effect<unknown>
}

export interface World {
  readonly cluster: Cluster
  readonly fault: (...faults: ReadonlyArray<Faults.Fault>) => Effect.Effect<void>
  /** A command line, split at blanks. */
  readonly run: (argv: string, options?: RunOptions) => Effect.Effect<Ended>
}

export const origin = InProcess.defaultOrigin

export const envOf = (cluster: Cluster, as: RunOptions["as"] = "demo"): Record<string, string> => ({
  SHAKENFIST_API_URL: `${origin}${cluster.basePath}`,
  SHAKENFIST_NAMESPACE: cluster[as].namespace,
  SHAKENFIST_KEY: cluster[as].key
})

const missing = (path: string) =>
  new PlatformError.SystemError({ reason: "NotFound", module: "FileSystem", method: "read", pathOrDescriptor: path })

const filesOf = (files: Readonly<Record<string, string>>) =>
  FileSystem.layerNoop({
    readFileString: (path) => {
      const text = files[path]
      return text === undefined ? Effect.fail(missing(path)) : Effect.succeed(text)
    }
  })

const make = (options: FakeShakenFist.Options): Effect.Effect<World> =>
  Effect.gen(function* () {
    const cluster = yield* FakeShakenFist.make(options)
    const faulty = yield* Faults.wrap(cluster, [])
    let sent: Array<Sent> = []
    let began = 0
    const app: App = (request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { body, method, path } = request
        sent.push({ method, path, body, at: now - began })
        return faulty.app(request)
      })
    const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(app))
    const run = (line: string, { as, bare, env = {}, files = {}, meanwhile }: RunOptions = {}): Effect.Effect<Ended> =>
      Effect.gen(function* () {
        const argv = line.split(" ").filter((word) => word !== "")
        const all = bare === true ? env : { ...envOf(cluster, as), ...env }
        const stdio = TestStdio.make({ env: all })
        sent = []
        began = yield* Clock.currentTimeMillis
        const decision = decide(argv, all, specs, program)
        if (decision._tag === "Print") {
          const { code, stderr, stdout } = decision
          return { code, stdout, stderr, millis: 0, requests: [], sent: [] }
        }
        const beside = meanwhile === undefined ? undefined : yield* Effect.fork(meanwhile(stdio))
        const code = yield* Cli.run({ spec: decision.spec, argv: decision.argv, run: runs.get(decision.spec)! }).pipe(
          TestStdio.provide(stdio),
          Effect.provide(Layer.mergeAll(filesOf(files), Path.layer, transport))
        )
        if (beside !== undefined) yield* Fiber.interrupt(beside)
        return {
          code,
          stdout: stdio.stdout(),
          stderr: stdio.stderr(),
          millis: (yield* Clock.currentTimeMillis) - began,
          requests: sent
            .filter(({ path }) => path !== `${cluster.basePath}/` && path !== "/" && path !== "/auth")
            .map(({ method, path }) => `${method} ${path}`),
          sent
        }
      })
    return { cluster, fault: faulty.add, run }
  })

type Body = (world: World) => Effect.Effect<unknown>

/** A test whose name is the claim, in virtual time against a cluster of its own. */
export const claim = (name: string, body: Body, options: FakeShakenFist.Options = {}): void =>
  it(name, () => {
    VirtualTime.runSync(Effect.flatMap(make(options), body), { start: Date.UTC(2026, 2, 31, 12) })
  })

/** An operation on an object, queued for ever unless it is told otherwise. */
export const busy = (
  cluster: Cluster,
  type: "instance" | "network" | "artifact",
  uuid: string,
  phases: FakeShakenFist.Phases = [["queued"]],
  more: Partial<FakeShakenFist.OperationSeed> = {}
) => cluster.enqueue({ targets: [{ type, uuid }], phases, ...more })

/** Rows of the output as JSON; the command line has to say `-f json`. */
export const rows = ({ stdout }: Ended): ReadonlyArray<Readonly<Record<string, unknown>>> => JSON.parse(stdout)

export const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** The events of `--progress json`. Every line must be one. */
export const events = ({ stderr }: Ended): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  lines(stderr).map((line) => JSON.parse(line))

/** The command that goes on, as it was printed, without the program's name. */
export const goOn = ({ stderr }: Ended): string => {
  const found = /shakenfist-wait ((?:settle|await) --resume [^\n]*)/.exec(stderr)?.[1]
  if (found === undefined) throw new Error(`no command to go on with in: ${stderr}`)
  return found
}

/** When an object was looked at, in seconds since the command began. */
export const looksAt = ({ sent }: Ended, uuid: string): ReadonlyArray<number> =>
  sent.filter(({ method, path }) => method === "GET" && path.endsWith(`/${uuid}`)).map(({ at }) => at / 1000)

/** Throws what was said if the command did not end with this code. */
export const fails = (ended: Ended, code: number): Ended => {
  if (ended.code === code) return ended
  throw new Error(`exit code ${ended.code}, not ${code}\n${ended.stdout}${ended.stderr}${ended.requests.join("\n")}`)
}

export const ok = (ended: Ended): Ended => fails(ended, 0)

export const nobody = "00000000-0000-4000-8000-00000000dead"
