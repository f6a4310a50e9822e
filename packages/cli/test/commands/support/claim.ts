/**
 * A test whose name is the claim, in virtual time against a cloud of its own.
 */
import { it } from "vitest"
import { type Body, type Options, within } from "./Manila.ts"

export const claim = (name: string, options: Options, body: Body<void>): void => it(name, () => within(options, body))
