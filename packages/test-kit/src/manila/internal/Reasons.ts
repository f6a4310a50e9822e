/**
 * User messages: the words of their numbers, and which ones an action leaves.
 */
import type { Action, Reason } from "../../Lifecycle.ts"

const actionWords: Readonly<Record<string, string>> = {
  "001": "allocate host",
  "002": "create",
  "003": "delete access rules",
  "004": "promote",
  "005": "update",
  "006": "revert to snapshot",
  "007": "delete",
  "008": "extend",
  "009": "shrink",
  "010": "update access rules",
  "011": "add or update security service",
  "026": "transfer accept",
  "027": "update_metadata",
  "028": "restore share backup"
}

const filtered = (filter: string) => `No back end was left for this share after the ${filter} filter.`

/** Our words for the numbers; a script should look at the number. */
const detailWords: Readonly<Record<string, string>> = {
  "001": "Something unknown went wrong.",
  "002": "No back end can hold this share. Another size or share type may do.",
  "003": "The back end takes no share network.",
  "004": "No share server could be found or made on the share network.",
  "005": "A new replica needs an active replica that is available.",
  "006": "The share has no active replica.",
  "007": filtered("availability zone"),
  "008": filtered("capabilities"),
  "009": filtered("capacity"),
  "010": filtered("driver"),
  "011": filtered("attempted hosts"),
  "012": filtered("JSON"),
  "013": filtered("retry"),
  "014": filtered("replication"),
  "015": "The driver failed to extend the share. An administrator has to look at it before the next try.",
  "016": filtered("create from snapshot"),
  "017": "The driver failed to create the share from the snapshot.",
  "018": "The driver refused to shrink the share below the space that is used. Its size is unchanged.",
  "019": "The driver can't shrink shares.",
  "020": "Access was not granted: this client may be forbidden.",
  "021": "Access was not granted: level or type may not be supported.",
  "022": "The driver could not set up a security service of the share network.",
  "023": "A security service refused the credentials it was given.",
  "024": "There is no default share type: name one.",
  "025": "The share network has no security service, and the driver needs one.",
  "026": "The share can't change hands while it has access rules.",
  "027": "The port quota of the share network's subnet is used up.",
  "028": "The back ends are not ready yet.",
  "029": "The driver has acted on the metadata.",
  "030": "The driver could not act on the metadata.",
  "031": "The driver was not told of deleted metadata.",
  "032": "The driver can't restore a backup to another share.",
  "033": "The subnet has no free address left.",
  "034": "The driver can't make a replica with these options.",
  "035": "The driver failed to revert the share to the snapshot."
}

/** Details that the scheduler leaves: no host was ever chosen. */
const ofScheduler = new Set(["002", "007", "008", "009", "010", "011", "012", "013", "014", "016", "028"])

const kinds: Readonly<Record<Action, { readonly action: string; readonly detail: string; readonly type: string }>> = {
  "share.create": { action: "002", detail: "002", type: "SHARE" },
  "share.create_from_snapshot": { action: "002", detail: "017", type: "SHARE" },
  "share.manage": { action: "002", detail: "001", type: "SHARE" },
  "share.unmanage": { action: "007", detail: "001", type: "SHARE" },
  "share.delete": { action: "007", detail: "001", type: "SHARE" },
  "share.force_delete": { action: "007", detail: "001", type: "SHARE" },
  "share_instance.force_delete": { action: "007", detail: "001", type: "SHARE" },
  "share.extend": { action: "008", detail: "015", type: "SHARE" },
  "share.shrink": { action: "009", detail: "019", type: "SHARE" },
  "share.revert": { action: "006", detail: "035", type: "SHARE" },
  "snapshot.create": { action: "002", detail: "001", type: "SHARE_SNAPSHOT" },
  "snapshot.manage": { action: "002", detail: "001", type: "SHARE_SNAPSHOT" },
  "snapshot.unmanage": { action: "007", detail: "001", type: "SHARE_SNAPSHOT" },
  "snapshot.delete": { action: "007", detail: "001", type: "SHARE_SNAPSHOT" },
  "snapshot.force_delete": { action: "007", detail: "001", type: "SHARE_SNAPSHOT" },
  "replica.create": { action: "002", detail: "001", type: "SHARE_REPLICA" },
  "replica.delete": { action: "007", detail: "001", type: "SHARE_REPLICA" },
  "replica.force_delete": { action: "007", detail: "001", type: "SHARE_REPLICA" },
  "replica.promote": { action: "004", detail: "001", type: "SHARE_REPLICA" },
  "replica.resync": { action: "005", detail: "001", type: "SHARE_REPLICA" },
  "backup.create": { action: "002", detail: "001", type: "SHARE" },
  "backup.delete": { action: "007", detail: "001", type: "SHARE" },
  "backup.restore": { action: "028", detail: "032", type: "SHARE" },
  "access.create": { action: "010", detail: "021", type: "SHARE" },
  "access.update": { action: "010", detail: "021", type: "SHARE" },
  "access.delete": { action: "010", detail: "001", type: "SHARE" },
  "snapshot_access.create": { action: "010", detail: "021", type: "SHARE_SNAPSHOT" },
  "snapshot_access.delete": { action: "010", detail: "001", type: "SHARE_SNAPSHOT" }
}

export interface Words {
  readonly actionId: string
  readonly detailId: string
  readonly level: string
  readonly resourceType: string
  readonly text: string
}

export const detailOf = (action: Action, reason: Reason | undefined): string => reason?.detailId ?? kinds[action].detail

/** A share whose creation ended here was never placed on a back end. */
export const isUnplaced = (action: Action, reason: Reason | undefined): boolean =>
  action === "share.create" && ofScheduler.has(detailOf(action, reason))

export const sentence = (actionId: string, detailId: string, message?: string): string =>
  `${actionWords[actionId] ?? "unknown action"}: ${message ?? detailWords[detailId] ?? detailWords["001"]}`

export const wordsOf = (action: Action, reason: Reason): Words => {
  const { action: usual, type } = kinds[action]
  const detailId = detailOf(action, reason)
  const actionId = ofScheduler.has(detailId) && usual === "002" ? "001" : usual
  return {
    actionId,
    detailId,
    level: reason.level ?? "ERROR",
    resourceType: type,
    text: sentence(actionId, detailId, reason.message)
  }
}
