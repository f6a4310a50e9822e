/**
 * The closing line of the check counts what the tests counted, and a report that is missing or bad is a failure.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../scripts/lib/workspace.mjs"
import { plant } from "./support/temporary.ts"

const check = (...args: ReadonlyArray<string>) => {
  const { status, stdout } = spawnSync(process.execPath, [join(root, "scripts", "check.mjs"), ...args], {
    encoding: "utf8"
  })
  return { status, closing: stdout.trimEnd().split("\n").at(-1) }
}

const withReport = (report: string | undefined) => {
  const { folder, remove } = plant(report === undefined ? {} : { "tests.json": report })
  try {
    return check("tests", "--tests-from", join(folder, "tests.json"))
  } finally {
    remove()
  }
}

const report = (numPassedTests: number, numFailedTests: number, numPendingTests: number, success: boolean) =>
  JSON.stringify({ numPassedTests, numFailedTests, numPendingTests, numTodoTests: 0, success })

describe("check", () => {
  it("good tests are counted", () =>
    assert.deepStrictEqual(withReport(report(7, 0, 0, true)), { status: 0, closing: "7 passed, 0 failed" }))

  it("skipped tests are told", () =>
    assert.deepStrictEqual(withReport(report(7, 0, 2, true)), { status: 0, closing: "7 passed, 0 failed, 2 skipped" }))

  it("a failed test fails the check", () =>
    assert.deepStrictEqual(withReport(report(7, 1, 0, false)), { status: 1, closing: "7 passed, 1 failed" }))

  it("a run that failed outside of its tests fails the check", () =>
    assert.deepStrictEqual(withReport(report(7, 0, 0, false)), { status: 1, closing: "7 passed, 1 failed" }))

  it("a report that is missing or cut short fails the check", () => {
    assert.deepStrictEqual(withReport(undefined), { status: 1, closing: "0 passed, 1 failed" })
    assert.deepStrictEqual(withReport(`{"numPassed`), { status: 1, closing: "0 passed, 1 failed" })
  })

  it("an unknown step is wrong usage", () => assert.strictEqual(check("nonsense").status, 2))
})
