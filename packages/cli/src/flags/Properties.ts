/**
 * The option `--property` of the kinds that have properties. A command adds what is its own: since when, or that it must
 * be there.
 *
 * @since 0.1.0
 */
import type { Option } from "../Spec.ts"

const pair = { flags: ["--property"], type: "keyvalue", metavar: "key=value" } as const satisfies Partial<Option>

/**
 * Of what is made.
 *
 * @since 0.1.0
 */
export const given = { ...pair, help: "Property to set; repeat for more" } as const satisfies Option

/**
 * Of what is there already.
 *
 * @since 0.1.0
 */
export const added = {
  ...pair,
  help: "Property to set, beside those already there; repeat for more"
} as const satisfies Option

/**
 * By its key.
 *
 * @since 0.1.0
 */
export const removed = {
  flags: ["--property"],
  type: "string",
  metavar: "key",
  repeatable: true,
  help: "Property to remove; repeat for more"
} as const satisfies Option
