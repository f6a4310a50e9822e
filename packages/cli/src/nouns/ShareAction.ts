/**
 * What is done with a share that is there: `share resize`, `revert`, `restore`, `properties show`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

const share = { type: "string", metavar: "share", help: "Name or id of the share" } as const

/**
 * @since 0.1.0
 */
export const resize = Spec.make({
  words: ["share", "resize"],
  summary: "Grow or shrink a share",
  details: "The direction follows from the size the share has. With --wait the new size must be there too.",
  args: { share, newSize: { type: "int", metavar: "new-size", help: "New size in GiB" } },
  options: {
    force: {
      flags: ["--force"],
      type: "flag",
      since: "2.64",
      help: "Grow without asking the scheduler; no effect when shrinking (administrators)"
    },
    ...Lookup.options
  },
  output: { kind: "none" },
  wait: "status"
})

/**
 * @since 0.1.0
 */
export const revert = Spec.make({
  words: ["share", "revert"],
  summary: "Put a share back to its newest snapshot",
  args: { snapshot: { type: "string", metavar: "snapshot", help: "Name or id of the share's newest snapshot" } },
  options: { ...Lookup.options },
  output: { kind: "none" },
  wait: "status",
  since: "2.27"
})

/**
 * @since 0.1.0
 */
export const restore = Spec.make({
  words: ["share", "restore"],
  summary: "Take shares out of the recycle bin",
  args: { shares: { type: "string", metavar: "share", many: true, help: "Names or ids of the shares" } },
  options: { ...Lookup.options },
  output: { kind: "none" },
  wait: "status",
  since: "2.69"
})

/**
 * @since 0.1.0
 */
export const propertiesShow = Spec.make({
  words: ["share", "properties", "show"],
  summary: "Show a share's properties",
  args: { share },
  options: { ...Lookup.options },
  output: { kind: "single", fields: { mode: "all" } }
})
