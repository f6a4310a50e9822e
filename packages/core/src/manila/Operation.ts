/**
 * Manila's operations: data that can be called.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Http from "../http/Operation.ts"
import { Manila } from "./Manila.ts"
import type { ManilaError } from "./ManilaError.ts"

/**
 * `Share.get({ id })` asks the service; `Share.get.safe`, `Share.get.forms`, … say how.
 *
 * @since 0.1.0
 * @category models
 */
export interface Operation<in I, out A> extends Http.Operation<I, A> {
  (input: I): Effect.Effect<A, ManilaError, Manila>
}

/**
 * What an operation is made from: one form, or several spellings of it, the newest first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Spec<I, out A> {
  readonly name: string
  /** Default: `true` for GET, `false` for everything else. */
  readonly safe?: boolean | undefined
  readonly fieldsSince?: { readonly [K in keyof I]?: string } | undefined
  readonly experimental?: boolean | undefined
  readonly output: Http.Output<A>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = <I, A>(
  spec: Spec<I, A>,
  ...forms: readonly [Http.Form<I>, ...ReadonlyArray<Http.Form<I>>]
): Operation<I, A> => {
  const data: Http.Operation<I, A> = {
    operation: spec.name,
    safe: spec.safe ?? forms[0].method === "GET",
    forms,
    fieldsSince: (spec.fieldsSince ?? {}) as Readonly<Record<string, string>>,
    experimental: spec.experimental ?? false,
    output: spec.output
  }
  const call = (input: I) => Effect.flatMap(Manila, (manila) => manila.execute(data, input))
  return Object.assign(call, data)
}

/**
 * The two spellings of an action: up to 2.6 their keys have an `os-` prefix.
 *
 * @since 0.1.0
 * @category constructors
 */
export const action = <I extends { readonly id: string }, A>(
  spec: Spec<I, A> & {
    /** `shares`, `snapshots`. */
    readonly collection: string
    /** The key of the body's only member. */
    readonly key: string
    /** Its value. Default: `null`. */
    readonly arguments?: ((input: I) => unknown) | undefined
    /** The lowest version of the plain spelling, if there is no older one. */
    readonly since?: string | undefined
    readonly until?: string | undefined
    /** The lowest version of the older spelling. Default: the lowest there is. */
    readonly oldSince?: string | undefined
    /** The older spelling leaves out fields it does not know. Default: as the newer. */
    readonly oldArguments?: ((input: I) => unknown) | undefined
  }
): Operation<I, A> => {
  const form = (key: string, range: Pick<Http.Form<I>, "since" | "until">, argument: (input: I) => unknown) => ({
    ...range,
    method: "POST" as const,
    path: ({ id }: I) => `/${spec.collection}/${Http.segment(id)}/action`,
    body: (input: I) => ({ [key]: argument(input) })
  })
  const argument = spec.arguments ?? (() => null)
  return spec.since === undefined
    ? make(
        spec,
        form(spec.key, { since: "2.7", until: spec.until }, argument),
        form(`os-${spec.key}`, { since: spec.oldSince, until: "2.6" }, spec.oldArguments ?? argument)
      )
    : make(spec, form(spec.key, { since: spec.since, until: spec.until }, argument))
}
