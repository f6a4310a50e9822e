/**
 * Snapshots of shares: `share snapshot create`, `delete`, `list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Properties from "../flags/Properties.ts"
import * as Spec from "../Spec.ts"

const snapshot = { type: "string", metavar: "snapshot", help: "Name or id of the snapshot" } as const

/**
 * @since 0.1.0
 */
export const create = Spec.make({
  words: ["share", "snapshot", "create"],
  summary: "Take a snapshot of a share",
  args: { share: { type: "string", metavar: "share", help: "Name or id of the share" } },
  options: {
    force: { flags: ["--force"], type: "flag", help: "Also while the share is in use" },
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Name of the snapshot" },
    description: {
      flags: ["--description"],
      type: "string",
      metavar: "description",
      help: "Description of the snapshot"
    },
    property: { ...Properties.given, since: "2.73" },
    ...Lookup.options
  },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  wait: "status"
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "snapshot", "delete"],
  summary: "Delete snapshots",
  args: { snapshots: { type: "string", metavar: "snapshot", many: true, help: "Names or ids of the snapshots" } },
  options: {
    force: { flags: ["--force"], type: "flag", help: "Delete whatever the status is (administrators)" },
    ...Lookup.missing,
    ...Lookup.options
  },
  output: { kind: "none" },
  wait: "deletion"
})

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "snapshot", "list"],
  summary: "List snapshots",
  args: {},
  options: {
    allProjects: { flags: ["--all-projects"], type: "flag", help: "Snapshots of every project (administrators)" },
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Only snapshots of this name" },
    description: {
      flags: ["--description"],
      type: "string",
      metavar: "description",
      since: "2.36",
      help: "Only snapshots of this description"
    },
    status: { flags: ["--status"], type: "string", metavar: "status", help: "Only snapshots in this status" },
    share: { flags: ["--share"], type: "string", metavar: "share", help: "Only snapshots of this share (name or id)" },
    usage: {
      flags: ["--usage"],
      type: "string",
      metavar: "usage",
      choices: ["used", "unused"],
      help: "Only snapshots that shares were made from (used), or none (unused)"
    },
    limit: { flags: ["--limit"], type: "int", metavar: "num-snapshots", min: 0, help: "At most so many snapshots" },
    marker: { flags: ["--marker"], type: "string", metavar: "snapshot", help: "Skip so many snapshots" },
    sort: {
      flags: ["--sort"],
      type: "string",
      metavar: "key[:direction]",
      default: "name:asc",
      help: "Sort by these keys, each with :asc or :desc, separated by commas (default: name:asc)"
    },
    nameLike: {
      flags: ["--name~"],
      type: "string",
      metavar: "name~",
      since: "2.36",
      help: "Only snapshots whose name contains this"
    },
    descriptionLike: {
      flags: ["--description~"],
      type: "string",
      metavar: "description~",
      since: "2.36",
      help: "Only snapshots whose description contains this"
    },
    detail: { flags: ["--detail"], type: "flag", help: "More columns" },
    property: {
      flags: ["--property"],
      type: "keyvalue",
      metavar: "key=value",
      since: "2.73",
      help: "Only snapshots with this property; repeat for more"
    },
    count: {
      flags: ["--count"],
      type: "flag",
      since: "2.79",
      help: "Say how many there are, on stderr"
    }
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Name", "name"]
      ],
      long: {
        option: "detail",
        columns: [
          ["ID", "id"],
          ["Name", "name"],
          ["Status", "status"],
          ["Description", "description"],
          ["Created At", "created_at"],
          ["Size", "size"],
          ["Share ID", "share_id"],
          ["Share Proto", "share_proto"],
          ["Share Size", "share_size"],
          ["User ID", "user_id"]
        ]
      },
      adds: [{ option: "allProjects", columns: [["Project ID", "project_id"]] }]
    }
  }
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "snapshot", "show"],
  summary: "Show a snapshot",
  args: { snapshot },
  options: { ...Lookup.options },
  output: {
    kind: "single",
    fields: { mode: "all", without: ["links"], renamed: { metadata: "properties" }, added: ["export_locations"] }
  }
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "snapshot", "set"],
  summary: "Change a snapshot's name, description, properties or state",
  args: { snapshot },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "New name" },
    description: { flags: ["--description"], type: "string", metavar: "description", help: "New description" },
    status: {
      flags: ["--status"],
      type: "string",
      metavar: "status",
      choices: [
        "available",
        "error",
        "creating",
        "deleting",
        "manage_starting",
        "manage_error",
        "unmanage_starting",
        "unmanage_error",
        "error_deleting"
      ],
      help: "Overwrite the recorded status; nothing else changes (administrators)"
    },
    property: { ...Properties.added, since: "2.73" },
    ...Lookup.options
  },
  output: { kind: "none" }
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "snapshot", "unset"],
  summary: "Clear a snapshot's name, description or properties",
  args: { snapshot },
  options: {
    name: { flags: ["--name"], type: "flag", help: "Clear the name" },
    description: { flags: ["--description"], type: "flag", help: "Clear the description" },
    property: { ...Properties.removed, since: "2.73" },
    ...Lookup.options
  },
  output: { kind: "none" }
})
