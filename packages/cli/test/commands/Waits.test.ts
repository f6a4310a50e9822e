/**
 * The table in `docs/waits.md`: how every wait ends that `openstack` has too, as it is here, beside what is known of the
 * Python client (`osc-lib` and `python-manilaclient`, read and run).
 */
import { readFileSync } from "node:fs"
import * as Status from "@effect-manila/core/manila/Status"
import { type Lifecycle, phases } from "@effect-manila/test-kit/Lifecycle"
import { specs } from "@effect-manila/cli/Commands"
import * as ExitCode from "@effect-manila/cli/ExitCode"
import * as Spec from "@effect-manila/cli/Spec"
import { assert, describe, it } from "vitest"
import { ids, once, type Options } from "./support/Manila.ts"

const { a, b, c, rule, snapshot } = ids

interface Row {
  readonly line: string
  readonly action: string
  readonly during: string
  readonly success: string
  readonly failures: ReadonlyArray<string>
  /** Where it comes back to if it is rolled back; left out where nothing is there before, or nothing tells. */
  readonly from?: string
  readonly seed?: NonNullable<Options["seed"]>
}

const shares = [{ id: a, name: "web", size: 1 }]
const seed: NonNullable<Options["seed"]> = {
  shares,
  accessRules: [{ id: rule, share_id: a, access_to: "10.0.0.0/24" }]
}
const withSnapshot = { shares, snapshots: [{ id: snapshot, share_id: a }] }
const withBackup = { shares, backups: [{ id: b, share_id: a }] }
const withReplica = {
  shareTypes: [{ name: "r", extra_specs: { replication_type: "dr" } }],
  shares: [{ id: a, share_type: "r" }],
  replicas: [{ id: b, share_id: a }]
}

const { accessRule, backup, replica, share, snapshot: ofSnapshot } = Status

const gone = (action: string, during: string, failures: ReadonlyArray<string>, line: string, from = "available") => ({
  line,
  action,
  during,
  success: "gone",
  failures,
  from
})

const there = (action: string, during: string, failures: ReadonlyArray<string>, line: string) => ({
  line,
  action,
  during,
  success: "available",
  failures
})

const rows: Readonly<Record<string, Row>> = {
  "share create": there("share.create", "creating", share.failures, "share create NFS 1"),
  "share delete": gone("share.delete", "deleting", share.failures, `share delete ${a}`),
  "share resize": {
    ...there("share.extend", "extending", share.failures, `share resize ${a} 2`),
    from: "available"
  },
  "share adopt": there(
    "share.manage",
    "manage_starting",
    share.failures,
    "share adopt manila@alpha#pool NFS 10.0.0.9:/x"
  ),
  "share abandon": gone("share.unmanage", "unmanage_starting", share.failures, `share abandon ${a}`),
  "share revert": {
    ...there("share.revert", "reverting", share.failures, `share revert ${snapshot}`),
    seed: withSnapshot
  },
  "share access create": {
    ...there("access.create", "applying", accessRule.failures, `share access create ${a} ip 10.9.0.0/24`),
    success: "active"
  },
  "share access delete": gone(
    "access.delete",
    "denying",
    accessRule.failures,
    `share access delete ${a} ${rule}`,
    "active"
  ),
  "share snapshot create": there("snapshot.create", "creating", ofSnapshot.failures, `share snapshot create ${a}`),
  "share snapshot delete": {
    ...gone("snapshot.delete", "deleting", ofSnapshot.failures, `share snapshot delete ${snapshot}`),
    seed: withSnapshot
  },
  "share snapshot adopt": there(
    "snapshot.manage",
    "manage_starting",
    ofSnapshot.failures,
    `share snapshot adopt ${a} /x`
  ),
  "share snapshot abandon": {
    ...gone("snapshot.unmanage", "unmanage_starting", ofSnapshot.failures, `share snapshot abandon ${snapshot}`),
    seed: withSnapshot
  },
  "share instance delete": {
    ...gone("share_instance.force_delete", "deleting", share.failures, `share instance delete ${c}`),
    seed: { shares: [{ id: a, instance_id: c }] }
  },
  "share replica create": {
    ...there("replica.create", "creating", replica.failures, `share replica create ${a}`),
    seed: withReplica
  },
  "share replica delete": {
    ...gone("replica.delete", "deleting", replica.failures, `share replica delete ${b}`),
    seed: withReplica
  },
  "share replica promote": {
    ...there("replica.promote", "replication_change", replica.failures, `share replica promote ${b}`),
    success: "active",
    from: "in_sync",
    seed: withReplica
  },
  "share backup delete": {
    ...gone("backup.delete", "deleting", backup.failures, `share backup delete ${b}`),
    seed: withBackup
  },
  "share backup restore": {
    ...there("backup.restore", "restoring", ["error", "backup_restoring_error"], `share backup restore ${b}`),
    from: "available",
    seed: withBackup
  }
}

/** A run of the command, as a cell: its exit code, and when. */
const ours = (row: Row, end: string | undefined, more: Partial<Lifecycle> = {}): string => {
  const steps = end === undefined ? phases(row.during) : phases([row.during, "7 seconds"], end)
  const limit = end === undefined ? " --timeout 12" : ""
  const ended = once(
    `${row.line} --wait${limit}`,
    { seed: row.seed ?? seed, lifecycles: { [row.action]: { phases: steps, ...more } } },
    { as: "admin" }
  )
  return `${ended.code} after ${ended.millis / 1000} s`
}

/** It looks at another field than the one that fails. */
const blind = new Set(["share access delete", "share replica promote"])

const forever = "looks for ever"
const late = "1 after 300 s"

const theirs = (
  command: string,
  ending: "done" | "rolled back" | "never done" | { readonly status: string }
): string => {
  const wait = ExitCode.openstackWaits[command]!
  const never = wait.kind === "status" ? forever : late
  if (ending === "done") return "0"
  if (ending === "never done") return never
  // The old status is the wanted one, and nothing else is looked at.
  if (ending === "rolled back") return rows[command]!.success === "available" ? "0, as if done" : never
  if (blind.has(command) || !wait.failures.includes(ending.status)) return never
  return wait.code === 0 ? "0, and a line on stderr" : "1"
}

const linesOf = (command: string, row: Row): ReadonlyArray<string> => {
  const line = (ending: string, mine: string, other: string) => `| \`${command}\` | ${ending} | ${mine} | ${other} |`
  return [
    line("done", ours(row, row.success), theirs(command, "done")),
    ...row.failures.map((status) => line(`\`${status}\``, ours(row, status), theirs(command, { status }))),
    ...(row.from === undefined
      ? []
      : [line("rolled back", ours(row, row.from, { effect: "none" }), theirs(command, "rolled back"))]),
    line("never done", ours(row, undefined), theirs(command, "never done"))
  ]
}

const document = readFileSync(new URL("../../../../docs/waits.md", import.meta.url), "utf8")

const squeezed = (line: string): string => line.replace(/\s+/g, " ").trim()

const documented = document.split("\n").map(squeezed)

describe.each(Object.entries(rows))("%s --wait", (command, row) => {
  it("ends as docs/waits.md says", () => {
    const start = `| \`${command}\` |`
    assert.deepStrictEqual(
      documented.filter((line) => line.startsWith(start)),
      linesOf(command, row)
    )
  })
})

it("every wait of openstack whose command is here is in the table", () => {
  const names = new Set(specs.map(Spec.nameOf))
  assert.sameMembers(
    Object.keys(rows),
    Object.keys(ExitCode.openstackWaits).filter((command) => names.has(command))
  )
})
