import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Duration from "effect/Duration"
import { assert, describe, it } from "vitest"
import type { Look } from "./support/judge.ts"
import { none, reader, verdict, verdicts } from "./support/judge.ts"

const { absent, present } = StatusGoal

/** A goal, the looks, and what they come to. */
type Row = readonly [looks: ReadonlyArray<Look>, expected: string]

const table = (goal: Parameters<typeof verdict>[0], rows: ReadonlyArray<Row>, every?: number): void => {
  for (const [looks, expected] of rows) {
    assert.strictEqual(verdict(goal, looks, every), expected, JSON.stringify(looks.map(String)))
  }
}

const sized = (size: number) => (status: string) => ({ status, size })
const [one, two] = [sized(1), sized(2)]

describe("statuses", () => {
  it("30. statuses are compared without regard to case, on both sides", () => {
    table(present(reader, "AVAILABLE"), [
      [["Creating", "Available"], "Reached after 2"],
      [["creating", "ERROR"], "Failed status after 2"],
      [["Error_Deleting"], "Failed status after 1"],
      [["DELETING"], "Failed unreachable after 1"]
    ])
    const shouting = { ...reader, failures: ["BROKEN"], leaving: ["LEAVING"], steady: ["IDLE"] }
    table(present(shouting, "available"), [
      [["broken"], "Failed status after 1"],
      [["leaving"], "Failed unreachable after 1"]
    ])
    table(absent(shouting, { from: ["Idle", "Busy"] }), [
      [["idle", "deleting", "IDLE"], "Failed rolledBack after 3"],
      [["busy", "BUSY", none], "Reached after 3"]
    ])
    table(absent(shouting, { from: "any" }), [[["idle", "deleting", "idle"], "Failed rolledBack after 3"]])
    table(absent(reader), [[["DELETED"], "Reached after 1"]])
  })

  it("30. a status that nobody knows is pending, and shown", () => {
    const all = verdicts(present(reader, "available"), ["creating", "Some_New_Status", "available"])
    assert.deepStrictEqual(
      all.map(({ _tag, status }) => [_tag, status]),
      [
        ["Pending", "creating"],
        ["Pending", "some_new_status"],
        ["Reached", "available"]
      ]
    )
  })

  it("30. a status that is null, missing or empty is pending, and shown as such", () => {
    for (const status of [null, undefined, ""]) {
      const [only] = verdicts(present(reader, "available"), [{ status }])
      assert.deepStrictEqual(only, { _tag: "Pending", status: "(no status)" })
      assert.strictEqual(verdict(absent(reader), [{ status }, none]), "Reached after 2")
      assert.strictEqual(
        verdict(absent(reader, { from: ["available"] }), [{ status }, "deleting", none]),
        "Reached after 3"
      )
    }
  })

  it("31. every failure status ends the wait on the look that sees it", () => {
    for (const status of [...reader.failures, "error", "error_new", "migration_error", "x-error"]) {
      table(present(reader, "available"), [
        [[status], "Failed status after 1"],
        [["creating", status, "available"], "Failed status after 2"]
      ])
      table(present(reader, "available", { from: ["available"] }), [
        [["available", "extending", status], "Failed status after 3"]
      ])
      table(absent(reader), [[["deleting", status], "Failed status after 2"]])
    }
  })

  it("31. a status that only looks like a failure is none", () => {
    for (const status of ["errors", "terror", "errored", "no_errors", "error-free"]) {
      table(present(reader, "available"), [[[status, "available"], "Reached after 2"]])
    }
  })

  it("31. a wanted status is no failure, whatever its name", () => {
    table(present(reader, "error"), [[["creating", "error"], "Reached after 2"]])
    table(present(reader, ["available", "error_deleting"]), [[["deleting", "error_deleting"], "Reached after 2"]])
    table(present(reader, "error", { also: ({ size }) => size === 2 }), [
      [[one("error"), two("error")], "Reached after 2"]
    ])
  })

  it("32. a target that can't be reached any more is a failure at once", () => {
    table(present(reader, "available"), [
      [["creating", "deleting"], "Failed unreachable after 2"],
      [["unmanaging"], "Failed unreachable after 1"]
    ])
    const [, last] = verdicts(present(reader, "available"), ["creating", "deleting"])
    assert.deepInclude(last, { status: "deleting", detail: "available can't be reached from deleting" })
  })

  it("32. unless the target is on the way out itself", () => {
    table(present(reader, "deleting"), [[["available", "deleting"], "Reached after 2"]])
    table(present(reader, "error_deleting"), [[["deleting", "error_deleting"], "Reached after 2"]])
    table(present(reader, "deleted"), [[["deleting", "deleted"], "Reached after 2"]])
    table(present(reader, "unmanaging"), [[["deleting", "unmanaging"], "Reached after 2"]])
  })
})

describe("absence", () => {
  it("33. not being there is success, also on the first look", () => {
    table(absent(reader), [
      [[none], "Reached after 1"],
      [["deleting", none], "Reached after 2"]
    ])
    table(absent(reader, { from: ["available"] }), [[[none], "Reached after 1"]])
    assert.deepStrictEqual(verdicts(absent(reader), [none]), [
      { _tag: "Reached", status: "deleted", matched: "deleted" }
    ])
  })

  it("33. so is an object whose status is deleted", () => {
    table(absent(reader), [
      [["deleting", "deleted"], "Reached after 2"],
      [["deleted"], "Reached after 1"]
    ])
  })

  it("34. a status the delete was accepted in is pending until another has been seen", () => {
    table(absent(reader, { from: ["available", "error"] }), [
      [["available", "deleting", none], "Reached after 3"],
      [["error", "error", "deleting", none], "Reached after 4"],
      [["error", none], "Reached after 2"],
      [["error", "deleting", "error"], "Failed status after 3"],
      [["deleting", "error"], "Failed status after 2"],
      [["deleting", "error_deleting"], "Failed status after 2"],
      // A failure the delete isn't accepted in was not the old state.
      [["error_deleting"], "Failed status after 1"]
    ])
    table(absent(reader), [[["error"], "Failed status after 1"]])
  })

  it("34. with force it may have been any that nothing was going on in", () => {
    table(absent(reader, { from: "any" }), [
      [["error_deleting", "deleting", none], "Reached after 3"],
      [["inactive", "deleting", none], "Reached after 3"],
      [["some_error", "deleting", none], "Reached after 3"],
      [["error_deleting", "deleting", "error_deleting"], "Failed status after 3"],
      [["available", "error_deleting"], "Failed status after 2"],
      // A transitional status is never the old state: it is waited on.
      [["creating", "creating", "available"], "Failed rolledBack after 3"],
      [["extending", "deleting", none], "Reached after 3"]
    ])
  })
})

describe("verbs", () => {
  const extend = present(reader, "available", {
    from: ["available"],
    also: ({ size }) => size === 2,
    alsoDescription: "2 GiB"
  })
  const revert = present(reader, "available", { from: ["available"] })
  const remove = absent(reader, { from: ["available", "error"] })

  it("35. the old state seen again after another one is a roll-back", () => {
    table(extend, [[[one("available"), one("extending"), one("available")], "Failed rolledBack after 3"]])
    table(extend, [[[one("extending"), one("available")], "Failed rolledBack after 2"]])
    table(remove, [
      [["available", "deleting", "available"], "Failed rolledBack after 3"],
      [["deleting", "available"], "Failed rolledBack after 2"]
    ])
    table(present(reader, "active", { from: ["in_sync", "out_of_sync"] }), [
      [["out_of_sync", "replication_change", "out_of_sync"], "Failed rolledBack after 3"]
    ])
    assert.deepInclude(verdicts(remove, ["deleting", "available"]).at(-1), {
      status: "available",
      detail: "back at available"
    })
  })

  it("35. also many looks later: a goal does not forget", () => {
    const looks = [
      one("available"),
      one("available"),
      ...Array.from({ length: 50 }, () => one("extending")),
      one("available")
    ]
    table(extend, [[looks, "Failed rolledBack after 53"]])
    table(remove, [[["available", "deleting", "deleting", "deleting", "available"], "Failed rolledBack after 5"]])
  })

  it("35. without a verb there is no old state and no roll-back", () => {
    table(present(reader, "active"), [[["available", "extending", "available", "extending"], "Pending after 4"]])
    table(absent(reader), [[["available", "deleting", "available", none], "Reached after 4"]])
  })

  it("35. the target that is the old state too is reached once another has been seen", () => {
    table(revert, [
      [["available", "available", "reverting", "available"], "Reached after 4"],
      [["reverting", "available"], "Reached after 2"],
      [["available", "reverting", "reverting_error"], "Failed status after 3"]
    ])
  })

  it("36. the old state that stands for 60 s means that the verb did not take effect", () => {
    const stood = (status: string | typeof none, looks: number) => Array.from({ length: looks }, () => status)
    table(remove, [
      [stood("available", 12), "Pending after 12"],
      [stood("available", 20), "Failed noEffect after 13"],
      [stood("error", 20), "Failed noEffect after 13"],
      [[...stood("available", 12), none], "Reached after 13"],
      [stood("deleting", 100), "Pending after 100"],
      [stood("some_new_status", 100), "Pending after 100"]
    ])
    table(revert, [[stood("available", 20), "Failed noEffect after 13"]])
    assert.deepInclude(verdicts(remove, stood("available", 13)).at(-1), {
      status: "available",
      detail: "still available after 60 s: the request did not take effect"
    })
  })

  it("36. the time counts from the wait's begin to the begin of the look", () => {
    table(remove, [[["available", "available"], "Failed noEffect after 2"]], 60)
    table(remove, [[["available", "available"], "Pending after 2"]], 59.999)
  })

  it("36. once another status has been seen, only a roll-back ends it", () => {
    table(remove, [[["available", "deleting", ...Array.from({ length: 40 }, () => "deleting")], "Pending after 42"]])
  })

  it("36. it is settable, and nothing of a plain wait for a status", () => {
    const available = ["available", "available", "available", "available"]
    table(absent(reader, { from: ["available"], noEffectAfter: "10 seconds" }), [
      [available, "Failed noEffect after 3"]
    ])
    table(absent(reader, { from: ["available"], noEffectAfter: 0 }), [[available, "Failed noEffect after 1"]])
    const patient = absent(reader, { from: ["available"], noEffectAfter: Duration.infinity })
    table(patient, [[available, "Pending after 4"]], 86_400)
    table(present(reader, "active"), [[available, "Pending after 4"]], 86_400)
    table(absent(reader), [[available, "Pending after 4"]], 86_400)
  })

  it("39. readiness may span fields: a resize is done at its status and its size", () => {
    table(extend, [
      [[one("available"), one("extending"), two("available")], "Reached after 3"],
      [[one("available"), two("available")], "Reached after 2"],
      [[two("available")], "Reached after 1"],
      [[one("available"), two("extending"), two("available")], "Reached after 3"],
      [[one("available"), one("extending"), two("extending_error")], "Failed status after 3"]
    ])
    assert.strictEqual(extend.description, "available and 2 GiB")
    assert.deepInclude(verdicts(extend, [two("available")])[0], { matched: "available and 2 GiB" })
  })

  it("39. a plain wait for a status and a field waits for both", () => {
    table(present(reader, "available", { also: ({ size }) => size === 2 }), [
      [[one("available"), two("creating"), one("available"), two("available")], "Reached after 4"]
    ])
  })
})

describe("presence", () => {
  it("37. not being there at the first look is not-found, and later it is gone", () => {
    table(present(reader, "available"), [
      [[none], "Failed notFound after 1"],
      [["creating", none], "Failed goneAfterSeen after 2"],
      [["creating", "creating", "creating", none], "Failed goneAfterSeen after 4"]
    ])
    table(present(reader, "available", { from: ["available"] }), [
      [["available", none], "Failed goneAfterSeen after 2"],
      [["available", "reverting", "reverting", none], "Failed goneAfterSeen after 4"]
    ])
  })

  it("37. where missing is allowed it is waited for until first seen", () => {
    table(present(reader, "available", { missing: "allow" }), [
      [[none, none, "creating", "available"], "Reached after 4"],
      [[none, "creating", none], "Failed goneAfterSeen after 3"],
      [[none, none], "Pending after 2"]
    ])
    const [first] = verdicts(present(reader, "available", { missing: "allow" }), [none])
    assert.deepStrictEqual(first, { _tag: "Pending", status: "missing" })
  })

  it("37. one of several targets is enough", () => {
    const goal = present(reader, ["available", "inactive"])
    table(goal, [
      [["creating", "inactive"], "Reached after 2"],
      [["creating", "available"], "Reached after 2"]
    ])
    assert.strictEqual(goal.description, "available or inactive")
  })
})
