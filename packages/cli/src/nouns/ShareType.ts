/**
 * Share types: `share type list`, `show`.
 *
 * @since 0.1.0
 */
import * as Spec from "../Spec.ts"

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "type", "list"],
  summary: "List share types",
  args: {},
  options: {
    all: { flags: ["--all"], type: "flag", help: "Private types too (administrators)" },
    extraSpecs: {
      flags: ["--extra-specs"],
      type: "keyvalue",
      metavar: "key=value",
      words: true,
      since: "2.43",
      help: "Only types with these extra specs, several after one flag"
    }
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Name", "name"],
        ["Visibility", "visibility"],
        ["Is Default", "is_default"],
        ["Required Extra Specs", "required_extra_specs"],
        ["Optional Extra Specs", "optional_extra_specs"],
        ["Description", "description"]
      ]
    }
  }
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "type", "show"],
  summary: "Show a share type",
  args: { shareType: { type: "string", metavar: "share_type", help: "Name or id of the share type" } },
  options: {},
  output: {
    kind: "single",
    fields: {
      mode: "fixed",
      names: ["id", "name", "visibility", "is_default", "required_extra_specs", "optional_extra_specs", "description"]
    }
  }
})
