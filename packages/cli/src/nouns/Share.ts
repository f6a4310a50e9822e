/**
 * Shares: `share create`, `list`, `show`, `delete`, `set`, `unset`, `resize`, `revert`, `restore`, `properties show`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Properties from "../flags/Properties.ts"
import * as Spec from "../Spec.ts"

const share = { type: "string", metavar: "share", help: "Name or id of the share" } as const

/**
 * @since 0.1.0
 */
export const create = Spec.make({
  words: ["share", "create"],
  summary: "Create a share",
  args: {
    shareProto: { type: "string", metavar: "share_protocol", help: "NFS, CIFS, CephFS, GlusterFS, HDFS or MAPRFS" },
    size: { type: "int", metavar: "size", help: "Size in GiB" }
  },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Name of the share" },
    snapshotId: {
      flags: ["--snapshot-id"],
      type: "string",
      metavar: "snapshot-id",
      help: "Start with the contents of this snapshot (name or id); the size is then at least the snapshot's"
    },
    property: Properties.given,
    shareNetwork: {
      flags: ["--share-network"],
      type: "string",
      metavar: "network-info",
      help: "Share network (name or id), for share types whose driver makes share servers"
    },
    description: { flags: ["--description"], type: "string", metavar: "description", help: "Description of the share" },
    public: {
      flags: ["--public"],
      type: "string",
      metavar: "public",
      help: "true: every project can see the share (default: false)"
    },
    shareType: {
      flags: ["--share-type"],
      type: "string",
      metavar: "share-type",
      help: "Share type, by name or id (default: the cloud's default type, or the snapshot's)"
    },
    availabilityZone: {
      flags: ["--availability-zone"],
      type: "string",
      metavar: "availability-zone",
      help: "Availability zone to create the share in"
    },
    shareGroup: {
      flags: ["--share-group"],
      type: "string",
      metavar: "share-group",
      since: "2.31",
      help: "Share group to create the share in, by name or id"
    },
    schedulerHint: {
      flags: ["--scheduler-hint"],
      type: "keyvalue",
      metavar: "key=value",
      since: "2.65",
      help: "Hint for placing the share, such as same_host=SHARE,SHARE or different_host=SHARE; repeat for more"
    },
    mountPointName: {
      flags: ["--mount-point-name"],
      type: "string",
      metavar: "mount_point_name",
      since: "2.84",
      help: "Name that the export path ends in"
    },
    encryptionKeyRef: {
      flags: ["--encryption-key-ref"],
      type: "string",
      metavar: "encryption_key_ref",
      since: "2.90",
      help: "Id of the key to encrypt with, in the key manager"
    },
    requireExports: {
      flags: ["--require-exports"],
      type: "flag",
      added: true,
      help: "With --wait: wait for export locations too, 60 seconds if no limit is given"
    }
  },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  wait: "status"
})

/**
 * @since 0.1.0
 */
export const list = Spec.make({
  words: ["share", "list"],
  summary: "List shares",
  args: {},
  options: {
    name: { flags: ["--name"], type: "string", metavar: "share-name", help: "Only shares of this name" },
    status: { flags: ["--status"], type: "string", metavar: "share-status", help: "Only shares in this status" },
    snapshot: {
      flags: ["--snapshot"],
      type: "string",
      metavar: "snapshot",
      help: "Only shares made from this snapshot (name or id)"
    },
    exportLocation: {
      flags: ["--export-location"],
      type: "string",
      metavar: "export-location",
      since: "2.35",
      help: "Only the share with this export location (id or path)"
    },
    softDeleted: {
      flags: ["--soft-deleted"],
      type: "flag",
      since: "2.69",
      help: "Only shares in the recycle bin"
    },
    public: { flags: ["--public"], type: "flag", help: "Other projects' public shares too" },
    shareNetwork: {
      flags: ["--share-network"],
      type: "string",
      metavar: "share-network-name-or-id",
      help: "Only shares on this share network"
    },
    shareType: {
      flags: ["--share-type"],
      type: "string",
      metavar: "share-type-name-or-id",
      help: "Only shares of this type"
    },
    shareGroup: {
      flags: ["--share-group"],
      type: "string",
      metavar: "share-group-name-or-id",
      since: "2.31",
      help: "Only shares of this group"
    },
    host: { flags: ["--host"], type: "string", metavar: "share-host", help: "Only shares on this host" },
    shareServer: {
      flags: ["--share-server"],
      type: "string",
      metavar: "share-server-id",
      help: "Only shares on this share server"
    },
    project: {
      flags: ["--project"],
      type: "string",
      metavar: "project",
      help: "Only shares of this project, by name or id (administrators)"
    },
    projectDomain: {
      flags: ["--project-domain"],
      type: "string",
      metavar: "project-domain",
      help: "Domain of that project, by name or id"
    },
    user: { flags: ["--user"], type: "string", metavar: "user", help: "Only shares of this user, by name or id" },
    userDomain: {
      flags: ["--user-domain"],
      type: "string",
      metavar: "user-domain",
      help: "Domain of that user, by name or id"
    },
    allProjects: { flags: ["--all-projects"], type: "flag", help: "Shares of every project (administrators)" },
    property: {
      flags: ["--property"],
      type: "keyvalue",
      metavar: "key=value",
      help: "Only shares with this property; repeat for more"
    },
    extraSpec: {
      flags: ["--extra-spec"],
      type: "keyvalue",
      metavar: "key=value",
      help: "Only shares whose type has this extra spec; repeat for more"
    },
    long: { flags: ["--long"], type: "flag", help: "More columns" },
    sort: {
      flags: ["--sort"],
      type: "string",
      metavar: "key[:direction]",
      default: "name:asc",
      help: "Sort by these keys, each with :asc or :desc, separated by commas (default: name:asc)"
    },
    limit: { flags: ["--limit"], type: "int", metavar: "num-shares", min: 0, help: "At most so many shares" },
    marker: { flags: ["--marker"], type: "string", metavar: "share", help: "Skip so many shares" },
    nameLike: {
      flags: ["--name~"],
      type: "string",
      metavar: "name~",
      since: "2.36",
      help: "Only shares whose name contains this"
    },
    descriptionLike: {
      flags: ["--description~"],
      type: "string",
      metavar: "description~",
      since: "2.36",
      help: "Only shares whose description contains this"
    },
    encryptionKeyRef: {
      flags: ["--encryption-key-ref"],
      type: "string",
      metavar: "encryption_key_ref",
      since: "2.90",
      help: "Only shares encrypted with this key"
    }
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Name", "name"],
        ["Size", "size"],
        ["Share Proto", "share_proto"],
        ["Status", "status"],
        ["Is Public", "is_public"],
        ["Share Type Name", "share_type_name"],
        ["Host", "host"],
        ["Availability Zone", "availability_zone"]
      ],
      long: {
        option: "long",
        columns: [
          ["ID", "id"],
          ["Name", "name"],
          ["Size", "size"],
          ["Share Protocol", "share_proto"],
          ["Status", "status"],
          ["Is Public", "is_public"],
          ["Share Type Name", "share_type_name"],
          ["Availability Zone", "availability_zone"],
          ["Description", "description"],
          ["Share Network ID", "share_network_id"],
          ["Share Server ID", "share_server_id"],
          ["Share Type", "share_type"],
          ["Share Group ID", "share_group_id"],
          ["Host", "host"],
          ["User ID", "user_id"],
          ["Project ID", "project_id"],
          ["Access Rules Status", "access_rules_status"],
          ["Source Snapshot ID", "snapshot_id"],
          ["Supports Creating Snapshots", "snapshot_support"],
          ["Supports Cloning Snapshots", "create_share_from_snapshot_support"],
          ["Supports Mounting snapshots", "mount_snapshot_support"],
          ["Supports Reverting to Snapshot", "revert_to_snapshot_support"],
          ["Migration Task Status", "task_state"],
          ["Source Share Group Snapshot Member ID", "source_share_group_snapshot_member_id"],
          ["Replication Type", "replication_type"],
          ["Has Replicas", "has_replicas"],
          ["Created At", "created_at"],
          ["Properties", "metadata"],
          ["Encryption Key Ref", "encryption_key_ref"]
        ]
      }
    }
  }
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "show"],
  summary: "Show a share",
  args: { share },
  options: { ...Lookup.options },
  output: {
    kind: "single",
    fields: {
      mode: "all",
      without: ["links"],
      renamed: { metadata: "properties" },
      added: ["export_locations"]
    }
  }
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "delete"],
  summary: "Delete shares",
  args: { shares: { type: "string", metavar: "share", many: true, help: "Names or ids of the shares" } },
  options: {
    shareGroup: {
      flags: ["--share-group"],
      type: "string",
      metavar: "share-group",
      since: "2.31",
      help: "The group the shares are in, by name or id"
    },
    force: { flags: ["--force"], type: "flag", help: "Delete whatever the status is (administrators)" },
    soft: { flags: ["--soft"], type: "flag", since: "2.69", help: "Move to the recycle bin instead" },
    ...Lookup.missing,
    ...Lookup.options
  },
  output: { kind: "none" },
  wait: "deletion"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "set"],
  summary: "Change a share's name, description, visibility, properties or state",
  args: { share },
  options: {
    property: Properties.added,
    name: { flags: ["--name"], type: "string", metavar: "name", help: "New name" },
    description: { flags: ["--description"], type: "string", metavar: "description", help: "New description" },
    public: { flags: ["--public"], type: "string", metavar: "public", help: "true or false: may every project see it" },
    status: {
      flags: ["--status"],
      type: "string",
      metavar: "status",
      help: "Overwrite the recorded status; nothing else changes (administrators)"
    },
    taskState: {
      flags: ["--task-state"],
      type: "string",
      metavar: "task-state",
      bare: null,
      since: "2.22",
      help: "Overwrite the recorded migration state; without a value, or with none, clear it (administrators)"
    },
    ...Lookup.options
  },
  output: { kind: "none" }
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "unset"],
  summary: "Clear a share's name, description or properties",
  args: { share },
  options: {
    property: Properties.removed,
    name: { flags: ["--name"], type: "flag", help: "Clear the name" },
    description: { flags: ["--description"], type: "flag", help: "Clear the description" },
    ...Lookup.options
  },
  output: { kind: "none" }
})
