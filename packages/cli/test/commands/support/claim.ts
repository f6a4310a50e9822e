/**
 * A test whose name is the claim, in virtual time against a cloud of its own.
 */
import { it } from "vitest"
import { type Options, within, type World } from "./Manila.ts"

export const claim = (name: string, options: Options, body: (world: World) => Generator<any, void, any>): void =>
  it(name, () => within(options, body))
