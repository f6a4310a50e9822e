/**
 * Access rules of a share: `share access create`, `delete`, `list`, `show`, `set`, `unset`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Properties from "../flags/Properties.ts"
import * as Spec from "../Spec.ts"

const share = { type: "string", metavar: "share", help: "Name or id of the share" } as const

const rule = { type: "string", metavar: "access_id", help: "Id of the rule" } as const

const fields = [
  "id",
  "share_id",
  "access_level",
  "access_to",
  "access_type",
  "state",
  "access_key",
  "created_at",
  "updated_at",
  "properties"
] as const

/**
 * @since 0.1.0
 */
export const create = Spec.make({
  words: ["share", "access", "create"],
  summary: "Give access to a share",
  args: {
    share,
    accessType: { type: "string", metavar: "access_type", help: "ip, user, cert or cephx" },
    accessTo: {
      type: "string",
      metavar: "access_to",
      help: "Who gets it: an address or network, a user or group, a certificate's common name, a Ceph user"
    }
  },
  options: {
    properties: {
      flags: ["--properties"],
      type: "keyvalue",
      metavar: "key=value",
      words: true,
      since: "2.45",
      help: "Properties of the rule, several after one flag"
    },
    accessLevel: {
      flags: ["--access-level"],
      type: "string",
      metavar: "access_level",
      choices: ["rw", "ro"],
      help: "rw or ro (default: rw)"
    },
    lockVisibility: {
      flags: ["--lock-visibility"],
      type: "flag",
      since: "2.82",
      help: "Hide who has access, and the key, from other users"
    },
    lockDeletion: {
      flags: ["--lock-deletion"],
      type: "flag",
      since: "2.82",
      help: "Refuse to delete the rule while the lock is there"
    },
    lockReason: {
      flags: ["--lock-reason"],
      type: "string",
      metavar: "lock_reason",
      needs: ["lockVisibility", "lockDeletion"],
      since: "2.82",
      help: "Why it is locked; with one of the two locks"
    },
    ignoreExisting: {
      flags: ["--ignore-existing"],
      type: "flag",
      added: true,
      help: "If the very same rule is there, print that one; another level is still an error"
    },
    ...Lookup.options
  },
  output: { kind: "single", fields: { mode: "fixed", names: fields } },
  wait: "status"
})

/**
 * Named `remove` because `delete` is a word of the language.
 *
 * @since 0.1.0
 */
export const remove = Spec.make({
  words: ["share", "access", "delete"],
  summary: "Take access away",
  args: { share, id: { type: "string", metavar: "id", help: "Id of the rule" } },
  options: {
    unrestrict: {
      flags: ["--unrestrict"],
      type: "flag",
      since: "2.82",
      help: "Remove the rule's locks first"
    },
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
  words: ["share", "access", "list"],
  summary: "List who has access to a share",
  args: { share },
  options: {
    properties: {
      flags: ["--properties"],
      type: "keyvalue",
      metavar: "key=value",
      words: true,
      since: "2.45",
      help: "Only rules with these properties, several after one flag"
    },
    accessType: {
      flags: ["--access-type"],
      type: "string",
      metavar: "access_type",
      since: "2.82",
      help: "Only rules of this type"
    },
    accessKey: {
      flags: ["--access-key"],
      type: "string",
      metavar: "access_key",
      since: "2.82",
      help: "Only the rule with this key"
    },
    accessTo: {
      flags: ["--access-to"],
      type: "string",
      metavar: "access_to",
      since: "2.82",
      help: "Only the rule for this client"
    },
    accessLevel: {
      flags: ["--access-level"],
      type: "string",
      metavar: "access_level",
      since: "2.82",
      help: "Only rules of this level"
    },
    ...Lookup.options
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "id"],
        ["Access Type", "access_type"],
        ["Access To", "access_to"],
        ["Access Level", "access_level"],
        ["State", "state"],
        ["Access Key", "access_key", "2.21"],
        ["Created At", "created_at", "2.33"],
        ["Updated At", "updated_at", "2.33"]
      ]
    }
  }
})

/**
 * @since 0.1.0
 */
export const show = Spec.make({
  words: ["share", "access", "show"],
  summary: "Show an access rule",
  args: { accessId: rule },
  options: {},
  output: { kind: "single", fields: { mode: "fixed", names: fields } },
  since: "2.45"
})

/**
 * @since 0.1.0
 */
export const set = Spec.make({
  words: ["share", "access", "set"],
  summary: "Change an access rule's properties or level",
  args: { accessId: rule },
  options: {
    property: Properties.added,
    accessLevel: {
      flags: ["--access-level"],
      type: "string",
      metavar: "access_level",
      choices: ["rw", "ro"],
      since: "2.88",
      help: "New level: rw or ro"
    }
  },
  output: { kind: "none" },
  since: "2.45"
})

/**
 * @since 0.1.0
 */
export const unset = Spec.make({
  words: ["share", "access", "unset"],
  summary: "Remove properties of an access rule",
  args: { accessId: rule },
  options: {
    property: { ...Properties.removed, required: true }
  },
  output: { kind: "none" },
  since: "2.45"
})
