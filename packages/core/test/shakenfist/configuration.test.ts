import * as Transport from "@effect-manila/core/http/Transport"
import * as Configuration from "@effect-manila/core/shakenfist/Configuration"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import * as ShakenFist from "@effect-manila/core/shakenfist/ShakenFist"
import * as Strategy from "@effect-manila/core/shakenfist/Strategy"
import * as FakeShakenFist from "@effect-manila/test-kit/shakenfist/FakeShakenFist"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"

interface Machine {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly forbidden?: ReadonlyArray<string>
}

const platform = ({ files, forbidden }: Machine) =>
  Layer.merge(
    FileSystem.layerNoop({
      readFileString: (path) => {
        const text = files?.[path]
        const reason = forbidden?.includes(path) ? "PermissionDenied" : "NotFound"
        return text === undefined
          ? Effect.fail(
              new PlatformError.SystemError({
                module: "FileSystem",
                method: "readFileString",
                reason,
                pathOrDescriptor: path
              })
            )
          : Effect.succeed(text)
      }
    }),
    Path.layer
  )

const on = <A, E>(machine: Machine, effect: Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>) =>
  effect.pipe(
    Effect.provide(platform(machine)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ HOME: "/home/me", ...machine.env }))))
  )

const load = (machine: Machine, options?: Configuration.LoadOptions) =>
  Effect.runSync(
    Effect.match(on(machine, Configuration.load(options)), {
      onFailure: (error) => error.message,
      onSuccess: ({ key, namespace, source, url }) => [url, namespace, Redacted.value(key), source].join(" ")
    })
  )

const own = "/home/me/.shakenfist"
const everyones = "/etc/sf/shakenfist.json"
const file = (name: string, more = {}) =>
  JSON.stringify({ apiurl: `http://${name}:13000`, namespace: `${name}-ns`, key: `${name}-key`, ...more })

const env = {
  SHAKENFIST_API_URL: "http://env:13000/",
  SHAKENFIST_NAMESPACE: "env-ns",
  SHAKENFIST_KEY: "env-key"
}

const all: Machine = { env, files: { [own]: file("own"), [everyones]: file("etc") } }

describe("the configuration", () => {
  it("is taken from what is given, the variables, the own file, the one for all: the first that has a URL", () => {
    const given = { url: "http://given:1", namespace: "n", key: "k" }
    assert.strictEqual(load(all, given), "http://given:1 n k given")
    assert.strictEqual(load(all), "http://env:13000 env-ns env-key SHAKENFIST_API_URL")
    const { env: _, ...files } = all
    assert.strictEqual(load(files), `http://own:13000 own-ns own-key ${own}`)
    assert.strictEqual(load({ files: { [everyones]: file("etc") } }), `http://etc:13000 etc-ns etc-key ${everyones}`)
    assert.match(load({}), /no URL was given, SHAKENFIST_API_URL is not set, and neither/)
  })

  it("a namespace and a key that are given win over those of variables and files", () => {
    for (const machine of [all, { files: { [own]: file("own") } }, { files: { [everyones]: file("etc") } }]) {
      assert.match(load(machine, { namespace: "n", key: "k" }), / n k /)
      assert.match(load(machine, { namespace: "n" }), / n (env|own|etc)-key /)
    }
  })

  it("what belongs to one URL is not taken for another: places after the one with the URL are not looked at", () => {
    assert.match(load(all, { url: "http://given" }), /the URL is given, but there is no namespace and key with it/)
    const onlyUrl = { ...all, env: { SHAKENFIST_API_URL: "http://env" } }
    assert.match(load(onlyUrl), /from SHAKENFIST_API_URL, but there is no namespace and key/)
    // And variables without a URL count for nothing.
    const noUrl = { ...all, env: { SHAKENFIST_NAMESPACE: "env-ns", SHAKENFIST_KEY: "env-key" } }
    assert.strictEqual(load(noUrl), `http://own:13000 own-ns own-key ${own}`)
  })

  it("an empty variable is not set", () => {
    assert.match(load({ ...all, env: { ...env, SHAKENFIST_API_URL: "" } }), /^http:\/\/own/)
    assert.match(load({ env: { ...env, SHAKENFIST_KEY: "" } }), /no key with it/)
  })

  it("a file needs all three, and says what is missing", () => {
    for (const member of ["apiurl", "namespace", "key"]) {
      const message = load({ files: { [own]: file("own", { [member]: undefined }) } })
      assert.strictEqual(message, `${own}: ${member} must be there, as text`)
      assert.match(load({ files: { [own]: file("own", { [member]: 3 }) } }), new RegExp(member))
    }
    assert.strictEqual(load({ files: { [own]: "apiurl: yaml" } }), `${own}: this is not a JSON object`)
    assert.strictEqual(load({ files: { [own]: "[]" } }), `${own}: this is not a JSON object`)
  })

  it("a file for all that may not be read is passed over, and one's own is not", () => {
    assert.match(load({ forbidden: [everyones] }), /no URL was given/)
    assert.strictEqual(load({ forbidden: [own] }), `${own}: permission denied`)
  })

  it("without looking up, only what is given counts", () => {
    assert.strictEqual(load(all, { lookUp: false }), "no URL was given")
  })

  it("has the defaults of the library: block, 300 s for a request, no second try for want of room", () => {
    const config = Configuration.make({ url: "http://x/api///", namespace: "n", key: "k" })
    assert.deepStrictEqual(
      [config.url, config.strategy, Duration.toSeconds(config.requestTimeout), config.retryTransientCapacity],
      ["http://x/api", "block", 300, false]
    )
    assert.notInclude(JSON.stringify(config), '"k"')
  })

  it("a strategy is one of three names", () => {
    assert.deepStrictEqual(
      ["continue", "pause", "block", "wait", ""].map((name) => Option.isSome(Strategy.parse(name))),
      [true, true, true, false, false]
    )
    const error = Effect.runSync(Effect.flip(Strategy.named("wait")))
    assert.match(error.message, /wait is not an async strategy: continue, pause or block/)
  })

  it("layerConfig makes a client of it", async () => {
    const program = Effect.gen(function* () {
      const { app, cluster, variables } = yield* FakeShakenFist.makeApp()
      const transport = Layer.provide(Transport.layerHttpClient, InProcess.layer(app))
      const client = Layer.provide(ShakenFist.layerConfig(), transport)
      const { uuid } = yield* cluster.instance({ name: "web" })
      const found = yield* on(
        { env: variables(InProcess.defaultOrigin) },
        Effect.provide(Instance.get({ ref: "web" }), client)
      )
      assert.strictEqual(found.uuid, uuid)
    })
    await Effect.runPromise(program)
  })
})
