/**
 * Every operation there is keeps the laws of operations; one that is added tomorrow is among them.
 */
import { operations } from "@effect-manila/core/manila/operations"
import type { AnyOperation } from "@effect-manila/core/manila/operations"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as OperationLaws from "@effect-manila/test-kit/laws/Operation"
import { assert, describe, it } from "vitest"

const all: OperationLaws.Subject = { name: "every operation", operations: [...operations.values()] }

OperationLaws.suite({ describe, it }, all)

describe("the laws say something", () => {
  it("of every safe operation, on a cloud that has an object of each kind", () => {
    const safe = all.operations.filter(({ safe }) => safe).map(({ operation }) => operation)
    const answered = new Set(OperationLaws.answered(all))
    const silent = safe.filter((name) => !answered.has(name))
    // The ids of export locations are the cloud's own, and different each time.
    assert.deepStrictEqual(silent, [
      "shareInstance.getExportLocation",
      "exportLocation.get",
      "replica.getExportLocation"
    ])
  })
})

describe("the laws find", () => {
  const get = operations.get("share.get")!
  const remove = operations.get("snapshot.delete")!
  const broken = (operation: AnyOperation) =>
    Law.broken(OperationLaws.laws, { name: "planted", operations: [operation] }).map(({ law }) => law)
  /** The form's own functions, with one part replaced. */
  const changed = (operation: AnyOperation, change: object): AnyOperation =>
    Object.assign((input: never) => operation(input), operation, change)

  it("an id that is not encoded", () => {
    const forms = [{ ...get.forms[0], path: ({ id }: { readonly id: string }) => `/shares/${id}` }]
    assert.include(broken(changed(get, { forms })), "ids stay in their segment")
  })

  it("a delete that is said to be safe", () => {
    const found = broken(changed(remove, { safe: true }))
    assert.include(found, "safe changes nothing")
  })

  it("a read that is said to change something", () =>
    assert.include(broken(changed(get, { safe: false })), "safe changes nothing"))

  it("two spellings at one version, and none", () => {
    const [form] = get.forms
    const twice = [
      { ...form, since: "2.7" },
      { ...form, until: "2.7" }
    ]
    const gap = [
      { ...form, since: "2.7" },
      { ...form, until: "2.5" }
    ]
    assert.include(broken(changed(get, { forms: twice })), "one spelling a version")
    assert.include(broken(changed(get, { forms: gap })), "one spelling a version")
  })
})
