/**
 * One look of a wait.
 */
import * as Effect from "effect/Effect"
import type { TransportFault } from "../../http/Fault.ts"
import * as Retry from "../../http/Retry.ts"
import type { ShakenFist } from "../ShakenFist.ts"
import type { ShakenFistError } from "../ShakenFistError.ts"

/** Faults of a connection that was there: slowness and unreadable answers say nothing of it. */
const ofAnswer = new Set(["TIMEOUT", "TRUNCATED", "NOT_JSON"])

const lostConnection = (error: ShakenFistError): error is TransportFault =>
  error._tag === "TransportFault" && error.transient && !ofAnswer.has(error.code)

/**
 * The request without the client's own retry, since a fault in a look is the wait's business. Only a connection that
 * failed is tried once more, at once: an idle one that the server has just closed looks no different, and a wait has
 * many idle ones.
 */
export const look = <A>(
  request: Effect.Effect<A, ShakenFistError, ShakenFist>
): Effect.Effect<A, ShakenFistError, ShakenFist> => {
  const once = Retry.once(request)
  return Effect.catchIf(once, lostConnection, () => once)
}
