/**
 * Replicas of shares: `share replica create`, `delete`, `list`, `show`, `set`, `unset`, `promote`, `resync`, and
 * `share replica export location list`, `show`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Properties from "../flags/Properties.ts"
import * as Spec from "../Spec.ts"

const replica = { type: "string", metavar: "replica", help: "Id of the replica: replicas have no names" } as const

/**
 * @since 0.1.0
 */
export const create = Spec.make({
  words: ["share", "replica", "create"],
  summary: "Make another replica of a share",
  details: "With --wait it is available in the end; its data may take longer: `manila wait replica ID --for in_sync`.",
  args: { share: { type: "string", metavar: "share", help: "Name or id of the share" } },
  options: {
    availabilityZone: {
      flags: ["--availability-zone"],
      type: "string",
      metavar: "availability-zone",
      help: "Zone to make it in"
    },
    schedulerHint: {
      flags: ["--scheduler-hint"],
      type: "keyvalue",
      metavar: "key=value",
      since: "2.67",
      help: "only_host=host@backend#pool"
    },
    shareNetwork: {
      flags: ["--share-network"],
      type: "string",
      metavar: "share-network-name-or-id",
      since: "2.72",
      help: "Name or id of its share network (default: the share's)"
    },
    property: { ...Properties.given, since: "2.95" },
    ...Lookup.options
  },
  output: { kind: "single", fields: { mode: "all" } },
  wait: "status",
  since: "2.11"
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "replica", "delete"],
  summary: "Delete replicas",
  args: { replicas: { type: "string", metavar: "replica", many: true, help: "Ids of the replicas" } },
  options: {
    force: { flags: ["--force"], type: "flag", help: "Delete whatever the back end says (administrators)" },
    ...Lookup.missing
  },
  output: { kind: "none" },
  wait: "deletion",
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "replica", "list"],
  summary: "List replicas",
  args: {},
  options: {
    share: { flags: ["--share"], type: "string", metavar: "share", help: "Only replicas of this share (name or id)" },
    property: {
      flags: ["--property"],
      type: "keyvalue",
      metavar: "key=value",
      since: "2.95",
      help: "Only replicas with this property; repeat for more"
    },
    ...Lookup.options
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Status", "status"],
        ["Replica State", "replica_state"],
        ["Share ID", "share_id"],
        ["Host", "host"],
        ["Availability Zone", "availability_zone"],
        ["Updated At", "updated_at"],
        ["Properties", "metadata", "2.95"]
      ]
    }
  },
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "replica", "show"],
  summary: "Show a replica",
  args: { replica },
  options: {},
  output: {
    kind: "single",
    fields: { mode: "all", without: ["links"], renamed: { metadata: "properties" }, added: ["export_locations"] }
  },
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "replica", "set"],
  summary: "Change a replica's properties or states",
  args: { replica },
  options: {
    replicaState: {
      flags: ["--replica-state"],
      type: "string",
      metavar: "replica-state",
      choices: ["in_sync", "out_of_sync", "active", "error"],
      help: "Overwrite the recorded state of its data; nothing else changes (administrators)"
    },
    status: {
      flags: ["--status"],
      type: "string",
      metavar: "status",
      choices: ["available", "error", "creating", "deleting", "error_deleting"],
      help: "Overwrite the recorded status; nothing else changes (administrators)"
    },
    property: { ...Properties.added, since: "2.95" }
  },
  output: { kind: "none" },
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "replica", "unset"],
  summary: "Remove a replica's properties",
  args: { replica },
  options: {
    property: Properties.removed
  },
  output: { kind: "none" },
  since: "2.95"
})

/**
 * @since 0.1.0
 */
export const promote = Spec.make({
  words: ["share", "replica", "promote"],
  summary: "Make a replica the active one",
  args: { replica },
  options: {
    quiesceWaitTime: {
      flags: ["--quiesce-wait-time"],
      type: "string",
      metavar: "quiesce-wait-time",
      since: "2.75",
      help: "Seconds to let writing come to rest before"
    }
  },
  output: { kind: "none" },
  wait: "status",
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const resync = Spec.make({
  words: ["share", "replica", "resync"],
  summary: "Bring a replica up to date (administrators)",
  args: { replica },
  options: {},
  output: { kind: "none" },
  wait: "status",
  since: "2.11"
})

/**
 * @since 0.1.0
 */
export const exportLocationList = Spec.make({
  words: ["share", "replica", "export", "location", "list"],
  summary: "List a replica's export locations",
  args: { replica },
  options: {},
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Availability Zone", "availability_zone"],
        ["Replica State", "replica_state"],
        ["Preferred", "preferred"],
        ["Path", "path"]
      ]
    }
  },
  since: "2.47"
})

/**
 * @since 0.1.0
 */
export const exportLocationShow = Spec.make({
  words: ["share", "replica", "export", "location", "show"],
  summary: "Show one export location of a replica",
  args: {
    replica,
    exportLocation: { type: "string", metavar: "export-location", help: "Id of the export location" }
  },
  options: {},
  output: { kind: "single", fields: { mode: "all" } },
  since: "2.47"
})
