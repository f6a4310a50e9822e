/**
 * Where a Shaken Fist cluster is and who asks.
 *
 * The URL is taken from the first place that has one:
 *
 * 1. the values given by the program;
 * 2. `SHAKENFIST_API_URL`, with `SHAKENFIST_NAMESPACE` and `SHAKENFIST_KEY` for what was not given;
 * 3. `~/.shakenfist`;
 * 4. `/etc/sf/shakenfist.json`.
 *
 * The places after it are not looked at, not even for a namespace or a key: those of another cluster would be sent
 * there. Both files are JSON objects with `apiurl`, `namespace` and `key`, and need all three; a namespace or a key that
 * was given wins over a file's. An empty variable counts as not set.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { TransportSettings } from "../http/Transport.ts"
import { Unconfigured } from "./ShakenFistError.ts"
import type { Strategy } from "./Strategy.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Configuration {
  /** The base of all routes, without a trailing slash. It may have a path: `https://host/api`. */
  readonly url: string
  /** `system` is the administrator's, and sees everything. */
  readonly namespace: string
  readonly key: Redacted.Redacted<string>
  readonly strategy: Strategy
  /** The limit of each single request. */
  readonly requestTimeout: Duration.Duration
  /** Ask again after a 507 that the server calls transient. */
  readonly retryTransientCapacity: boolean
  readonly transport: TransportSettings
  /** Where the URL came from: `given`, `SHAKENFIST_API_URL`, or a file's path. */
  readonly source: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** Default `block`. The variable `SHAKENFIST_ASYNC` is the command line's, and not read here. */
  readonly strategy?: Strategy | undefined
  /** Default 300 s. */
  readonly requestTimeout?: Duration.DurationInput | undefined
  /** Default `false`. */
  readonly retryTransientCapacity?: boolean | undefined
  readonly transport?: Partial<TransportSettings> | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface LoadOptions extends Settings {
  readonly url?: string | undefined
  readonly namespace?: string | undefined
  readonly key?: string | Redacted.Redacted<string> | undefined
  /** `false` looks neither at variables nor at files. Default `true`. */
  readonly lookUp?: boolean | undefined
}

/**
 * A configuration made by hand.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Settings & {
    readonly url: string
    readonly namespace: string
    readonly key: string | Redacted.Redacted<string>
    readonly source?: string | undefined
  }
): Configuration => ({
  url: trim(options.url),
  namespace: options.namespace,
  key: Redacted.isRedacted(options.key) ? options.key : Redacted.make(options.key),
  strategy: options.strategy ?? "block",
  requestTimeout: Duration.decode(options.requestTimeout ?? "300 seconds"),
  retryTransientCapacity: options.retryTransientCapacity ?? false,
  transport: { verify: true, ...options.transport },
  source: options.source ?? "given"
})

/** Routes begin with a slash, so that one at the end of the base would double. */
const trim = (url: string): string => url.replace(/\/+$/, "")

interface Found {
  readonly url: string
  readonly namespace?: string | undefined
  readonly key?: string | undefined
  readonly source: string
}

/**
 * Looks the configuration up; see the module for where. Fails with `Unconfigured` if there is no URL, no namespace or
 * no key for it, or a file that can't be used. Nothing is sent.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (
  options: LoadOptions = {}
): Effect.Effect<Configuration, Unconfigured, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const found = yield* look(options)
    if (found === undefined) {
      const detail =
        options.lookUp === false
          ? "no URL was given"
          : "no URL was given, SHAKENFIST_API_URL is not set, and neither ~/.shakenfist nor /etc/sf/shakenfist.json exists"
      return yield* new Unconfigured({ detail })
    }
    const namespace = filled(options.namespace) ?? filled(found.namespace)
    const given = Redacted.isRedacted(options.key) ? Redacted.value(options.key) : options.key
    const key = filled(given) ?? filled(found.key)
    if (namespace === undefined || key === undefined) {
      const missing = namespace === undefined ? (key === undefined ? "namespace and key" : "namespace") : "key"
      const detail = `the URL is ${found.source === "given" ? "given" : `from ${found.source}`}, but there is no ${missing} with it`
      return yield* new Unconfigured({ detail })
    }
    return make({ ...options, url: found.url, namespace, key, source: found.source })
  })

const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const variable = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.orElseSucceed(Config.string(name), () => undefined),
    filled
  )

const look = (
  options: LoadOptions
): Effect.Effect<Found | undefined, Unconfigured, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const given = filled(options.url)
    if (given !== undefined) return { url: given, source: "given" }
    if (options.lookUp === false) return undefined
    const url = yield* variable("SHAKENFIST_API_URL")
    if (url !== undefined) {
      const namespace = yield* variable("SHAKENFIST_NAMESPACE")
      const key = yield* variable("SHAKENFIST_KEY")
      return { url, namespace, key, source: "SHAKENFIST_API_URL" }
    }
    const path = yield* Path.Path
    const home = (yield* variable("HOME")) ?? (yield* variable("USERPROFILE"))
    const own = home === undefined ? undefined : yield* file(path.join(home, ".shakenfist"), false)
    return own ?? (yield* file("/etc/sf/shakenfist.json", true))
  })

/** `lenient`: a file that may not be read counts as none, as the one for all users may be root's alone. */
const file = (name: string, lenient: boolean): Effect.Effect<Found | undefined, Unconfigured, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(name)).pipe(
    Effect.catchAll((error) => {
      const reason = error._tag === "SystemError" ? error.reason : undefined
      if (reason === "NotFound" || (lenient && reason === "PermissionDenied")) return Effect.succeed(undefined)
      const why = reason === "PermissionDenied" ? "permission denied" : "the file can't be read"
      return Effect.fail(new Unconfigured({ file: name, detail: why }))
    }),
    Effect.flatMap((text) => (text === undefined ? Effect.succeed(undefined) : read(name, text)))
  )

const read = (name: string, text: string): Effect.Effect<Found, Unconfigured> =>
  Effect.suspend(() => {
    const fail = (detail: string) => Effect.fail(new Unconfigured({ file: name, detail }))
    const json = parsed(text)
    if (typeof json !== "object" || json === null || Array.isArray(json)) return fail("this is not a JSON object")
    // It is an object, whose members are still to be looked at.
    const { apiurl, key, namespace } = json as Readonly<Record<string, unknown>>
    const missing = Object.entries({ apiurl, namespace, key }).filter(([, value]) => typeof value !== "string")
    return typeof apiurl !== "string" || typeof key !== "string" || typeof namespace !== "string"
      ? fail(`${missing.map(([member]) => member).join(" and ")} must be there, as text`)
      : Effect.succeed({ url: apiurl, namespace, key, source: name })
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
