/**
 * Until when a request may be repeated that was definitely not carried out (406, 507).
 */
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import type * as Deadline from "../../waiter/Deadline.ts"

/** `undefined`: the async strategy's time from when the request is first sent. */
export const current: FiberRef.FiberRef<Deadline.Deadline | undefined> = globalValue(
  "@effect-manila/core/shakenfist/deadline",
  () => FiberRef.unsafeMake<Deadline.Deadline | undefined>(undefined)
)
