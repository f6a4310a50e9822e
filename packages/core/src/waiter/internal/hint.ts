import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"

/** What a probe may tell the running wait beside its result. */
export interface Hint {
  readonly retryAfterMillis?: number | undefined
  readonly progress?: string | undefined
}

export const none: Hint = {}

export const current: FiberRef.FiberRef<Hint> = globalValue("@effect-manila/core/waiter/hint", () =>
  FiberRef.unsafeMake<Hint>(none)
)
