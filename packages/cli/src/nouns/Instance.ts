/**
 * What shares are on their back ends: `share instance delete`, `list`, `show`, `set`, and `share instance export location
 * list`, `show`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

const instance = { type: "string", metavar: "instance", help: "Id of the instance: instances have no names" } as const

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "instance", "delete"],
  summary: "Delete instances of shares, whatever their status is (administrators)",
  details: "With the last instance of a share goes the share.",
  args: { instances: { type: "string", metavar: "instance", many: true, help: "Ids of the instances" } },
  options: { ...Lookup.missing },
  output: { kind: "none" },
  wait: "deletion",
  since: "2.3"
})

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "instance", "list"],
  summary: "List instances of shares (administrators)",
  args: {},
  options: {
    share: { flags: ["--share"], type: "string", metavar: "share", help: "Only instances of this share (name or id)" },
    exportLocation: {
      flags: ["--export-location"],
      type: "string",
      metavar: "export-location",
      since: "2.35",
      help: "Only the instance with this export location (path or id)"
    },
    ...Lookup.options
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Share ID", "share_id"],
        ["Host", "host"],
        ["Status", "status"],
        ["Availability Zone", "availability_zone"],
        ["Share Network ID", "share_network_id"],
        ["Share Server ID", "share_server_id"],
        ["Share Type ID", "share_type_id"]
      ]
    }
  },
  since: "2.3"
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "instance", "show"],
  summary: "Show an instance of a share (administrators)",
  args: { instance },
  options: {},
  output: { kind: "single", fields: { mode: "all", without: ["links"], added: ["export_locations"] } },
  since: "2.3"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "instance", "set"],
  summary: "Overwrite the recorded status of an instance (administrators)",
  details: "Nothing else changes, and the share shows it too.",
  args: { instance },
  options: {
    status: {
      flags: ["--status"],
      type: "string",
      metavar: "status",
      help: "available, creating, deleting, error, error_deleting, migrating, migrating_to or server_migrating"
    }
  },
  output: { kind: "none" },
  since: "2.3"
})

/**
 * @since 0.1.0
 */
export const exportLocationList = Spec.make({
  words: ["share", "instance", "export", "location", "list"],
  summary: "List an instance's export locations (administrators)",
  args: { instance },
  options: {},
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Path", "path"],
        ["Is Admin Only", "is_admin_only"],
        ["Preferred", "preferred"]
      ]
    }
  },
  since: "2.9"
})

/**
 * @since 0.1.0
 */
export const exportLocationShow = Spec.make({
  words: ["share", "instance", "export", "location", "show"],
  summary: "Show one export location of an instance (administrators)",
  args: {
    instance,
    exportLocation: { type: "string", metavar: "export_location", help: "Id of the export location" }
  },
  options: {},
  output: { kind: "single", fields: { mode: "all" } },
  since: "2.9"
})
