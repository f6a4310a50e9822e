/**
 * Where a share can be mounted from: `share export location list`, `show`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

const share = { type: "string", metavar: "share", help: "Name or id of the share" } as const

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
    exportLocation: { type: "string", metavar: "export-location", help: "Id of the export location" }
  },
  options: { ...Lookup.options },
  output: { kind: "single", fields: { mode: "all", renamed: { metadata: "properties" } } },
  since: "2.9"
})
