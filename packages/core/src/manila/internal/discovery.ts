/**
 * Where the share service is and which microversion to speak: found out once, on the first operation.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Fault from "../../http/Fault.ts"
import type { Endpoint } from "../../keystone/Catalog.ts"
import { NotSupported, Unexpected } from "../ManilaError.ts"
import type { ManilaError } from "../ManilaError.ts"
import * as Microversion from "../Microversion.ts"
import * as Execute from "./execute.ts"

export interface Service {
  readonly endpoint: string
  readonly version: Microversion.Microversion
}

/** All fibers that come while it is being found out share one discovery; a failed one is forgotten. */
export const shared = (
  sender: Execute.Sender,
  serviceTypes: ReadonlyArray<string>,
  asked: string | undefined
): Effect.Effect<Effect.Effect<Service, ManilaError>> =>
  Effect.map(Ref.make<Deferred.Deferred<Service, ManilaError> | undefined>(undefined), (cell) => {
    const find = discover(sender, serviceTypes, asked)
    const get: Effect.Effect<Service, ManilaError> = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Deferred.make<Service, ManilaError>(), (mine) =>
        Effect.flatMap(
          Ref.modify(cell, (running) => (running === undefined ? [mine, mine] : [running, running])),
          (deferred) => {
            if (deferred !== mine) return restore(Deferred.await(deferred))
            return Effect.flatMap(Effect.exit(restore(find)), (exit) =>
              Exit.isSuccess(exit)
                ? Effect.as(Deferred.succeed(mine, exit.value), exit.value)
                : Effect.zipRight(
                    Ref.set(cell, undefined),
                    // Whoever waited for an interrupted discovery starts one of its own.
                    Effect.zipRight(
                      Exit.isInterrupted(exit)
                        ? Deferred.completeWith(mine, get)
                        : Deferred.failCause(mine, exit.cause),
                      Effect.failCause(exit.cause)
                    )
                  )
            )
          }
        )
      )
    )
    return get
  })

const operation = "versions"

const discover = (
  sender: Execute.Sender,
  serviceTypes: ReadonlyArray<string>,
  asked: string | undefined
): Effect.Effect<Service, ManilaError> =>
  Effect.gen(function* () {
    if (asked !== undefined && !Microversion.isMicroversion(asked)) {
      const detail = `"${asked}" is not a microversion: it is written 2.N, up to ${Microversion.known.max}`
      return yield* new NotSupported({ operation, detail })
    }
    const found = yield* sender.keystone.endpoint(serviceTypes)
    const { base, endpoint } = split(found)
    // Some proxies serve only what is below /v2; there the same document needs a token.
    const below = () => versions(sender, `${base}/v2/`, true)
    const range = yield* Effect.catchTags(versions(sender, `${base}/`, false), {
      NotFound: below,
      Unexpected: below,
      BadRequest: below,
      Forbidden: below,
      Unauthorized: below
    })
    const version = Microversion.negotiate(range, asked)
    if (Either.isLeft(version)) return yield* new NotSupported({ operation, detail: version.left })
    return { endpoint, version: version.right }
  })

/** The part before `/v2`, and the whole with it. An endpoint without a version in its path gets the v2 one. */
const split = ({ url }: Endpoint): { readonly base: string; readonly endpoint: string } => {
  const trimmed = url.replace(/\/+$/, "")
  const match = /^(\w+:\/\/[^/]+.*?)\/v\d+(?:\.\d+)?(?:\/.*)?$/.exec(trimmed)
  return match === null ? { base: trimmed, endpoint: `${trimmed}/v2` } : { base: match[1] ?? "", endpoint: trimmed }
}

const versions = (
  sender: Execute.Sender,
  url: string,
  signed: boolean
): Effect.Effect<Microversion.Range, ManilaError> =>
  Effect.flatMap(Execute.getJson(sender, operation, url, { signed }), ({ json, status }) => {
    const range = rangeOf(json)
    if (range !== undefined) return Effect.succeed(range)
    const detail = `${Fault.printable(url)} is no share service: it lists no v2 with microversions`
    return Effect.fail(new Unexpected({ operation, status, detail }))
  })

/** Older servers list a v1.0 entry with empty version strings beside v2; the CURRENT entry with a version counts. */
const rangeOf = (json: unknown): Microversion.Range | undefined => {
  const list = (json as { versions?: unknown } | null)?.versions
  if (!Array.isArray(list)) return undefined
  for (const entry of list as ReadonlyArray<Record<string, unknown>>) {
    const { id, min_version: min, version: max } = entry
    if (typeof id !== "string" || !id.startsWith("v2")) continue
    if (typeof min !== "string" || typeof max !== "string") continue
    if (Microversion.isMicroversion(min) && Microversion.isMicroversion(max)) return { min, max }
  }
  return undefined
}
