/**
 * What a cloud takes from the profile it names.
 *
 * @internal
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fault from "../../http/Fault.ts"
import { Transport } from "../../http/Transport.ts"
import * as CloudsYaml from "../CloudsYaml.ts"
import { ConfigError } from "../KeystoneError.ts"
import * as Level from "./level.ts"
import * as Resolve from "./resolve.ts"
import type { Setting } from "./setting.ts"

export interface Profiled {
  readonly entry: CloudsYaml.Entry
  /** Said behind an error about what is missing, where a profile was named and not found. */
  readonly unknown: string | undefined
}

/** The entry over its profile, key by key. */
export const of = (
  entry: CloudsYaml.Entry,
  given: Level.Level,
  ownName: string
): Effect.Effect<Profiled, ConfigError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    // `cloud` is what files of old call it; the name of the variables' own cloud is no profile.
    const asked = given.get("profile") ?? entry.top.get("profile") ?? entry.top.get("cloud")
    if (asked === undefined || asked.text === "" || asked.text === ownName) return { entry, unknown: undefined }
    const file = Option.getOrUndefined(yield* CloudsYaml.find("clouds-public"))
    const found = file?.clouds.get(asked.text) ?? (yield* published(asked, entry, given))
    if (found !== undefined) return { entry: over(entry, found), unknown: undefined }
    const where = file === undefined ? "there is no clouds-public.yaml" : `${file.path} does not have it`
    return {
      entry,
      unknown:
        `its profile ${asked.text} (from ${asked.source}) is not known: ${where}, and those that come with ` +
        "openstacksdk are not read (describe it in clouds-public.yaml, or give the vendor's URL as profile)"
    }
  })

const over = (entry: CloudsYaml.Entry, profile: CloudsYaml.Entry): CloudsYaml.Entry => ({
  top: new Map([...profile.top, ...entry.top]),
  auth: new Map([...profile.auth, ...entry.auth]),
  // A cloud that says its regions in one way or the other has those.
  regions: entry.regions ?? (entry.top.has("region_name") ? undefined : profile.regions)
})

const Published = Schema.Struct({
  profile: Schema.Struct(
    { status: Schema.optional(Schema.String), message: Schema.optional(Schema.String) },
    { key: Schema.String, value: Schema.Unknown }
  )
})

/** As the vendor's URL has it; `undefined` for what is no URL. */
const published = (
  asked: Setting,
  entry: CloudsYaml.Entry,
  given: Level.Level
): Effect.Effect<CloudsYaml.Entry | undefined, ConfigError> =>
  Effect.gen(function* () {
    const url = Either.getOrUndefined(Either.try(() => new URL(asked.text)))
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
    const fail = (detail: string) => new ConfigError({ detail, file: asked.file, line: asked.line, setting: "profile" })
    const place = `${url.origin}/.well-known/openstack/api`
    const transport = yield* Effect.serviceOption(Transport)
    if (Option.isNone(transport))
      return yield* fail(`the profile ${url.origin} is a URL, and nothing is there to fetch it`)
    const settings = Level.over(given, Level.fold(entry, false))
    const { cacert, verify } = Resolve.verification(settings)
    const request = HttpClientRequest.acceptJson(HttpClientRequest.get(place))
    const answer = yield* Effect.scoped(
      Effect.flatMap(transport.value.client({ verify, cacert: settings.get("cacert")?.text ?? cacert }), (client) =>
        client
          .pipe(HttpClient.withTracerPropagation(false), HttpClient.followRedirects(5))
          .execute(request)
          .pipe(
            Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
            Effect.mapError((error) => Fault.fromClientError(request, error)),
            Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => Fault.timeout(request, 10_000) })
          )
      )
    ).pipe(Effect.mapError((error) => fail(`the profile could not be fetched: ${error.message}`)))
    if (answer.status >= 400)
      return yield* fail(`the profile could not be fetched: GET ${place} answered ${answer.status}`)
    const decoded = Either.try(() => JSON.parse(answer.body) as unknown).pipe(
      Either.getRight,
      Option.flatMap(Schema.decodeUnknownOption(Published))
    )
    if (Option.isNone(decoded)) return yield* fail(`${place} has no profile of a cloud`)
    const { message, status, ...rest } = decoded.value.profile
    if (status === "shutdown") return yield* fail(`the cloud of the profile ${url.origin} is no more: ${message ?? ""}`)
    const text = JSON.stringify({ "public-clouds": { [asked.text]: rest } })
    return (yield* CloudsYaml.parse(text, place, "public-clouds")).clouds.get(asked.text)
  })
