/**
 * What a probe may tell the running wait beside its result.
 *
 * A box that the wait owns, not a value in a `FiberRef`: a look that fails, is timed out or forks would lose the value on
 * its way back, and a value set outside of a wait would be there for the next one.
 */
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"

export class Box {
  /** The longest that any answer of this look asked for; 0 for nothing. */
  retryAfterMillis = 0
  progress: string | null = null

  clear(): void {
    this.retryAfterMillis = 0
    this.progress = null
  }
}

/** `null` outside of a wait. */
export const current: FiberRef.FiberRef<Box | null> = globalValue("@effect-manila/core/waiter/hint", () =>
  FiberRef.unsafeMake<Box | null>(null)
)
