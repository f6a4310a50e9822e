/**
 * The laws of goals hold for those of every kind, and for combinations of them.
 */
import * as Share from "@effect-manila/core/manila/Share"
import * as ShareAccess from "@effect-manila/core/manila/ShareAccess"
import * as Snapshot from "@effect-manila/core/manila/Snapshot"
import * as Status from "@effect-manila/core/manila/Status"
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as GoalLaws from "@effect-manila/test-kit/laws/Goal"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"

const share = (status: string, size = 1) => ({ id: Share.ShareId.make("s"), status, size })
const snapshot = (status: string) => ({ id: Snapshot.SnapshotId.make("s"), status }) as Snapshot.Snapshot
const rule = (state: string) => ({ id: ShareAccess.AccessRuleId.make("a"), state }) as ShareAccess.AccessRule

const shares = ["creating", "available", "AVAILABLE", "error", "deleting", "extending", "extending_error", "x", ""].map(
  (status) => share(status)
)

const runner = { describe, it }
const options = { runs: 100 }

GoalLaws.suite(runner, { name: "a share that is available", goal: Share.available, resources: shares }, options)
GoalLaws.suite(runner, { name: "a share that is deleted", goal: Share.deleted, resources: shares }, options)
GoalLaws.suite(
  runner,
  { name: "a share that is resized", goal: Share.resized(2), resources: [...shares, share("available", 2)] },
  options
)
GoalLaws.suite(runner, { name: "a share that is reverted", goal: Share.reverted(), resources: shares }, options)
GoalLaws.suite(
  runner,
  {
    name: "a composed goal",
    goal: Goal.both(Goal.either(Share.available, Share.gone), Goal.stuckFor(Share.available, "1 minute")),
    resources: shares
  },
  options
)

const tables = {
  share: { name: "share", resource: (status: string) => share(status), ...Status.share },
  snapshot: { name: "snapshot", resource: snapshot, ...Status.snapshot },
  "access rule": { name: "access rule", resource: rule, ...Status.accessRule }
}

describe("tables of statuses", () => {
  it("presence and absence of each kind", () => {
    const presence = (wanted: ReadonlyArray<string>) => ({ wanted, wants: "presence" }) as const
    const absence = { wanted: ["deleted"], wants: "absence" } as const
    assert.deepStrictEqual(
      [
        ...GoalLaws.tableHolds(tables.share, Share.available, presence(["available"])),
        ...GoalLaws.tableHolds(tables.share, Share.gone, absence),
        ...GoalLaws.tableHolds(tables.snapshot, Snapshot.available, presence(["available"])),
        ...GoalLaws.tableHolds(tables.snapshot, Snapshot.gone, absence),
        ...GoalLaws.tableHolds(tables["access rule"], ShareAccess.active, presence(["active"])),
        ...GoalLaws.tableHolds(tables["access rule"], ShareAccess.gone, absence)
      ],
      []
    )
  })

  it("a table that forgets a failure is told", () => {
    const forgetful = Goal.make<Share.Share>("available", ({ seen }) =>
      Option.isSome(seen) && seen.value.status.toLowerCase() === "available"
        ? Goal.reached("available", "available")
        : Goal.pending("?")
    )
    const wrong = GoalLaws.tableHolds(tables.share, forgetful, { wanted: ["available"], wants: "presence" })
    assert.include(wrong, "extending_error is Pending, and Failed is due")
    assert.include(wrong, "deleting is Pending, and Failed is due")
  })
})

describe("the laws find", () => {
  const broken = (goal: Goal.Goal<Share.Share>) =>
    Law.broken(GoalLaws.laws, { name: "planted", goal, resources: shares } as unknown as GoalLaws.Subject<never>).map(
      ({ law }) => law
    )

  it("a goal that counts outside of itself", () => {
    let looks = 0
    const goal = Goal.make<Share.Share>("three looks", () =>
      ++looks % 3 === 0 ? Goal.reached("x", "x") : Goal.pending("x")
    )
    assert.include(broken(goal), "judging is pure")
  })

  it("a goal that doesn't say what it saw", () =>
    assert.include(broken(Goal.make("mute", () => Goal.pending(""))), "verdicts say what they saw"))
})
