/**
 * How another process goes on with a wait of `manila`.
 *
 * @since 0.1.0
 */
import type * as Keystone from "@effect-manila/core/keystone/Keystone"
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import * as Effect from "effect/Effect"
import type { Context } from "../Command.ts"
import * as Global from "../flags/Global.ts"
import * as Cloud from "./Cloud.ts"
import * as Going from "./Going.ts"
import type { Args } from "./Looks.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Goes = Going.Goes

/**
 * @since 0.1.0
 * @category models
 */
export type GoOn = Going.GoOn

/**
 * For a wait that begins now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  { globals }: Context,
  goes: Goes,
  id: string,
  args: Args,
  limit: Deadline.Deadline | undefined
): Effect.Effect<GoOn, never, Keystone.Keystone> =>
  Effect.flatMap(Cloud.fingerprint, (cloud) =>
    Going.make({
      command: "manila wait",
      cloud,
      flags: Going.cloudFlags(Global.cloud, globals),
      goes,
      id,
      args,
      limit
    })
  )
