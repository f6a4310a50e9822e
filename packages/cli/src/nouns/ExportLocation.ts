/**
 * Where a share can be mounted from: `share export location list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Properties from "../flags/Properties.ts"
import * as Spec from "../Spec.ts"

const share = { type: "string", metavar: "share", help: "Name or id of the share" } as const

const exportLocation = { type: "string", metavar: "export-location", help: "Id of the export location" } as const

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "export", "location", "list"],
  summary: "List a share's export locations",
  args: { share },
  options: { ...Lookup.options },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Path", "path"],
        ["Preferred", "preferred"]
      ]
    }
  },
  since: "2.9"
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "export", "location", "show"],
  summary: "Show one export location",
  args: {
    share,
    exportLocation
  },
  options: { ...Lookup.options },
  output: { kind: "single", fields: { mode: "all", renamed: { metadata: "properties" } } },
  since: "2.9"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "export", "location", "set"],
  summary: "Change an export location's properties",
  args: { share, exportLocation },
  options: {
    property: { ...Properties.added, since: "2.87" },
    ...Lookup.options
  },
  output: { kind: "none" }
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "export", "location", "unset"],
  summary: "Remove an export location's properties",
  args: { share, exportLocation },
  options: {
    property: { ...Properties.removed, since: "2.87" },
    ...Lookup.options
  },
  output: { kind: "none" }
})
