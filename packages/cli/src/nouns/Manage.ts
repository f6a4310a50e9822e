/**
 * What was there before the service, and what it is to forget: `share adopt`, `abandon`, `share snapshot adopt`,
 * `abandon`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

/**
 * @since 0.1.0
 */
export const adopt = Spec.make({
  words: ["share", "adopt"],
  summary: "Take over a share that is on a back end already (administrators)",
  args: {
    serviceHost: { type: "string", metavar: "service-host", help: "Where it is: host@backend#pool" },
    protocol: { type: "string", metavar: "protocol", help: "How it is exported: NFS, CIFS, …" },
    exportPath: { type: "string", metavar: "export-path", help: "Where it is exported now, as 10.0.0.1:/data" }
  },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Name of the share" },
    description: { flags: ["--description"], type: "string", metavar: "description", help: "Description of the share" },
    shareType: {
      flags: ["--share-type"],
      type: "string",
      metavar: "share-type",
      help: "Name or id of its share type (default: the service's)"
    },
    driverOptions: {
      flags: ["--driver-options"],
      type: "keyvalue",
      metavar: "key=value",
      words: true,
      help: "What the driver wants to know; takes several"
    },
    public: { flags: ["--public"], type: "flag", since: "2.8", help: "Let every project see it" },
    shareServerId: {
      flags: ["--share-server-id"],
      type: "string",
      metavar: "share-server-id",
      since: "2.49",
      help: "Id of the share server it is on"
    },
    mountPointName: {
      flags: ["--mount-point-name"],
      type: "string",
      metavar: "mount_point_name",
      since: "2.92",
      help: "Name at the end of its export path"
    }
  },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  wait: "status"
})

/**
 * @since 0.1.0
 */
export const abandon = Spec.make({
  words: ["share", "abandon"],
  summary: "Make the service forget shares; they stay on their back ends (administrators)",
  args: { shares: { type: "string", metavar: "share", many: true, help: "Names or ids of the shares" } },
  options: { ...Lookup.missing, ...Lookup.options },
  output: { kind: "none" },
  wait: "deletion"
})

/**
 * @since 0.1.0
 */
export const snapshotAdopt = Spec.make({
  words: ["share", "snapshot", "adopt"],
  summary: "Take over a snapshot that is on a back end already (administrators)",
  args: {
    share: { type: "string", metavar: "share", help: "Name or id of the snapshot's share" },
    providerLocation: { type: "string", metavar: "provider-location", help: "What the back end calls the snapshot" }
  },
  options: {
    name: { flags: ["--name"], type: "string", metavar: "name", help: "Name of the snapshot" },
    description: {
      flags: ["--description"],
      type: "string",
      metavar: "description",
      help: "Description of the snapshot"
    },
    driverOption: {
      flags: ["--driver-option"],
      type: "keyvalue",
      metavar: "key=value",
      help: "What the driver wants to know; repeat for more"
    },
    ...Lookup.options
  },
  output: { kind: "single", fields: { mode: "all", without: ["links"] } },
  wait: "status",
  since: "2.12"
})

/**
 * @since 0.1.0
 */
export const snapshotAbandon = Spec.make({
  words: ["share", "snapshot", "abandon"],
  summary: "Make the service forget snapshots; they stay on their back ends (administrators)",
  args: { snapshots: { type: "string", metavar: "snapshot", many: true, help: "Names or ids of the snapshots" } },
  options: { ...Lookup.missing, ...Lookup.options },
  output: { kind: "none" },
  wait: "deletion",
  since: "2.12"
})
