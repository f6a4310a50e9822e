/**
 * Shaken Fist's operations: data that can be called.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Http from "../http/Operation.ts"
import { ShakenFist } from "./ShakenFist.ts"
import type { ShakenFistError } from "./ShakenFistError.ts"

/**
 * An operation on the wire, and the capabilities it needs of the server. Parameters go into a JSON body, also on a GET;
 * a member the route does not know is a 400, so nothing is sent that was not asked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface OperationData<in I, out A> extends Http.Operation<I, A> {
  /** Tokens of the root page; raised as `Incapable` before the request is sent. */
  readonly needs: (input: I) => ReadonlyArray<string>
}

/**
 * `Instance.get({ ref })` asks the service; `Instance.get.safe`, `Instance.get.forms`, … say how.
 *
 * @since 0.1.0
 * @category models
 */
export interface Operation<in I, out A> extends OperationData<I, A> {
  (input: I): Effect.Effect<A, ShakenFistError, ShakenFist>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Spec<I, out A> {
  readonly name: string
  /** Default: `true` for GET, `false` for everything else. */
  readonly safe?: boolean | undefined
  readonly needs?: ReadonlyArray<string> | ((input: I) => ReadonlyArray<string>) | undefined
  readonly method: Http.Method
  readonly path: (input: I) => string
  /** Members that are `undefined` are left out; no members, no body. */
  readonly body?: ((input: I) => Readonly<Record<string, unknown>>) | undefined
  readonly output: Http.Output<A>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = <I, A>(spec: Spec<I, A>): Operation<I, A> => {
  const { body, method, name, needs, output, path } = spec
  const data: OperationData<I, A> = {
    operation: name,
    safe: spec.safe ?? method === "GET",
    forms: [{ method, path, body }],
    fieldsSince: {},
    experimental: false,
    output,
    needs: typeof needs === "function" ? needs : () => needs ?? []
  }
  const call = (input: I) => Effect.flatMap(ShakenFist, (service) => service.execute(data, input))
  return Object.assign(call, data)
}
