import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as ExitCode from "@effect-manila/cli/ExitCode"

const waits = JSON.parse(
  readFileSync(new URL("fixtures/openstack-waits.json", import.meta.url), "utf8")
) as ReadonlyArray<{
  readonly command: string
  readonly kind: "status" | "deletion"
  readonly failures: ReadonlyArray<string>
  readonly code: 0 | 1
}>

const combine = (endings: ReadonlyArray<ExitCode.Ending>, set: ExitCode.CodeSet = "manila") =>
  ExitCode.combine(
    endings.map((ending) => ({ ending })),
    { set, command: "share delete" }
  )

describe("our own exit codes", () => {
  it.each([
    ["ok", 0],
    ["other", 1],
    ["badRequest", 1],
    ["usage", 2],
    ["ambiguous", 2],
    ["failed", 3],
    ["timedOut", 4],
    ["notFound", 5],
    ["unauthorized", 6],
    ["forbidden", 6],
    ["quota", 7],
    ["conflict", 8],
    ["exists", 8],
    ["partial", 9],
    ["outcomeUnknown", 10],
    ["needsAction", 11],
    ["incapable", 12],
    ["interrupted", 130],
    ["brokenPipe", 141],
    ["terminated", 143]
  ] as const)("%s is %i, alone and of several alike", (ending, code) => {
    assert.strictEqual(combine([ending]), code)
    assert.strictEqual(combine([ending, ending, ending]), code)
  })

  it("cover every ending", () => {
    assert.strictEqual(Object.keys(ExitCode.codes).length, 20)
  })

  it("of no resources at all are 0", () => {
    assert.strictEqual(combine([]), 0)
  })

  it("of several that did not end alike are 9", () => {
    assert.strictEqual(combine(["ok", "notFound", "ok"]), 9)
    assert.strictEqual(combine(["failed", "timedOut"]), 9)
    assert.strictEqual(combine(["ok", "timedOut"]), 9)
  })

  it("that are one code are that code, also for two names of it", () => {
    assert.strictEqual(combine(["conflict", "exists"]), 8)
  })

  it("of an interruption win over everything", () => {
    assert.strictEqual(combine(["ok", "interrupted", "failed"]), 130)
    assert.strictEqual(combine(["terminated", "ok"], "osc"), 143)
  })
})

describe("openstack's exit codes", () => {
  it("are known for every command of openstack that waits", () => {
    assert.deepStrictEqual(
      Object.entries(ExitCode.openstackWaits).map(([command, wait]) => ({ command, ...wait })),
      waits.map(({ code, command, failures, kind }) => ({ command, kind, failures, code }))
    )
  })

  it.each(waits.flatMap((wait) => wait.failures.map((status) => [wait.command, status, wait.code] as const)))(
    "%s that sees %s ends with %i",
    (command, status, code) => {
      assert.strictEqual(ExitCode.openstack(command, { ending: "failed", status }), code)
      assert.strictEqual(ExitCode.openstack(command, { ending: "failed", status: status.toUpperCase() }), code)
    }
  )

  it.each(waits.map(({ command }) => [command] as const))(
    "%s ends with 1 on a failure it would not notice",
    (command) => {
      for (const status of ["error_deleting", "extending_error", "reverting_error", "deleting", ""]) {
        assert.strictEqual(ExitCode.openstack(command, { ending: "failed", status }), 1)
      }
      assert.strictEqual(ExitCode.openstack(command, { ending: "failed" }), 1)
    }
  )

  it.each([
    ["ok", 0],
    ["usage", 2],
    ["interrupted", 130],
    ["terminated", 143],
    ["brokenPipe", 141],
    ["ambiguous", 1],
    ["timedOut", 1],
    ["notFound", 1],
    ["unauthorized", 1],
    ["forbidden", 1],
    ["quota", 1],
    ["conflict", 1],
    ["exists", 1],
    ["badRequest", 1],
    ["other", 1],
    ["partial", 1],
    ["outcomeUnknown", 1],
    ["needsAction", 1]
  ] as const)("%s is %i whatever the command", (ending, code) => {
    for (const command of ["share create", "share delete", "share show", "wait"]) {
      assert.strictEqual(ExitCode.openstack(command, { ending }), code, command)
    }
  })

  it("a command that isn't openstack's knows no failure that ends with 0", () => {
    assert.strictEqual(ExitCode.openstack("wait", { ending: "failed", status: "error" }), 1)
  })

  it("a refused share backup unset ends with 0, as it does there", () => {
    assert.strictEqual(ExitCode.openstack("share backup unset", { ending: "notFound" }), 0)
  })

  it("of several, one failure among successes is 1 and not 9", () => {
    assert.strictEqual(combine(["ok", "notFound"], "osc"), 1)
    assert.strictEqual(combine(["failed", "timedOut"], "osc"), 1)
    assert.strictEqual(combine(["ok", "ok"], "osc"), 0)
  })
})
