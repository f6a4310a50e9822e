/**
 * Backups of shares: `share backup create`, `delete`, `list`, `show`, `restore`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

const backup = { type: "string", metavar: "backup", help: "Name or id of the backup" } as const

/**
 * @since 0.1.0
 */
export const create = Spec.make({
  words: ["share", "backup", "create"],
  summary: "Make a backup of a share",
  args: { share: { type: "string", metavar: "share", help: "Name or id of the share" } },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Name of the backup" },
    description: {
      flags: ["--description"],
      type: "string",
      metavar: "description",
      help: "Description of the backup"
    },
    backupOptions: {
      flags: ["--backup-options"],
      type: "keyvalue",
      metavar: "key=value",
      help: "How to make it, as backup_type=name; repeat for more (default: the data service copies the share)"
    },
    ...Lookup.options
  },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  wait: "status",
  since: "2.80"
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "backup", "delete"],
  summary: "Delete backups",
  args: { backups: { type: "string", metavar: "backup", many: true, help: "Names or ids of the backups" } },
  options: { ...Lookup.missing, ...Lookup.options },
  output: { kind: "none" },
  wait: "deletion",
  since: "2.80"
})

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "backup", "list"],
  summary: "List backups",
  args: {},
  options: {
    share: { flags: ["--share"], type: "string", metavar: "share", help: "Only backups of this share (name or id)" },
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Only backups of this name" },
    description: {
      flags: ["--description"],
      type: "string",
      metavar: "description",
      help: "Only backups of this description"
    },
    nameLike: { flags: ["--name~"], type: "string", metavar: "name~", help: "Only backups whose name contains this" },
    descriptionLike: {
      flags: ["--description~"],
      type: "string",
      metavar: "description~",
      help: "Only backups whose description contains this"
    },
    status: { flags: ["--status"], type: "string", metavar: "status", help: "Only backups in this status" },
    limit: { flags: ["--limit"], type: "int", metavar: "num-backups", min: 0, help: "At most so many backups" },
    offset: { flags: ["--offset"], type: "string", metavar: "offset", help: "Skip so many backups" },
    sortKey: {
      flags: ["--sort-key", "--sort_key"],
      type: "string",
      metavar: "sort_key",
      help: "What the service sorts by (default: created_at); --sort_key is the same"
    },
    sortDir: {
      flags: ["--sort-dir", "--sort_dir"],
      type: "string",
      metavar: "sort_dir",
      help: "asc or desc (default: desc); --sort_dir is the same"
    },
    detail: { flags: ["--detail"], type: "string", metavar: "0|1", bare: null, help: "More columns" },
    ...Lookup.options
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Name", "name"],
        ["Share ID", "share_id"],
        ["Status", "status"]
      ],
      long: {
        option: "detail",
        columns: [
          ["ID", "id"],
          ["Name", "name"],
          ["Share ID", "share_id"],
          ["Status", "status"],
          ["Description", "description"],
          ["Size", "size"],
          ["Created At", "created_at"],
          ["Updated At", "updated_at"],
          ["Availability Zone", "availability_zone"],
          ["Progress", "progress"],
          ["Restore Progress", "restore_progress"],
          ["Host", "host"],
          ["Topic", "topic"]
        ]
      }
    }
  },
  since: "2.80"
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "backup", "show"],
  summary: "Show a backup",
  args: { backup },
  options: { ...Lookup.options },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  since: "2.80"
})

/**
 * @since 0.1.0
 */
export const restore = Spec.make({
  words: ["share", "backup", "restore"],
  summary: "Overwrite a share with a backup",
  details: "With --wait backup and share are looked at, and a failure of either is one.",
  args: { backup },
  options: {
    targetShare: {
      flags: ["--target-share"],
      type: "string",
      metavar: "target-share",
      since: "2.91",
      help: "Name or id of the share to overwrite (default: the one it was made of)"
    },
    ...Lookup.options
  },
  output: { kind: "none" },
  wait: "status",
  since: "2.80"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "backup", "set"],
  summary: "Change a backup's name, description or state",
  args: { backup },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "New name" },
    description: { flags: ["--description"], type: "string", metavar: "description", help: "New description" },
    status: {
      flags: ["--status"],
      type: "string",
      metavar: "status",
      choices: ["available", "error", "creating", "deleting", "restoring"],
      help: "Overwrite the recorded status; nothing else changes (administrators)"
    },
    ...Lookup.options
  },
  output: { kind: "none" },
  since: "2.80"
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "backup", "unset"],
  summary: "Clear a backup's name or description",
  args: { backup },
  options: {
    name: { flags: ["--name"], type: "flag", help: "Clear the name" },
    description: { flags: ["--description"], type: "flag", help: "Clear the description" },
    ...Lookup.options
  },
  output: { kind: "none" },
  since: "2.80"
})
