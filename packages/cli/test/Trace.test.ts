import { assert, describe, it } from "@effect/vitest"
import * as Manila from "./commands/support/Manila.ts"

const id = "5ed8c6b2-0000-4000-8000-000000000001"
const world = { seed: { shares: [{ id, name: "web", size: 1 }] } }

describe("requests among progress", () => {
  it("with --progress json each is one event, and every line is one", () => {
    for (const flag of ["--debug", "--timing"]) {
      const ended = Manila.once(`share resize ${id} 2 --wait --progress json ${flag}`, world)
      assert.strictEqual(ended.code, 0)
      const events = Manila.lines(ended.stderr).map((line) => JSON.parse(line) as { event: string; text?: string })
      const notes = events.filter(({ event }) => event === "note").map(({ text = "" }) => text)
      const requests = notes.filter((text) => (flag === "--debug" ? text.startsWith("> ") : / \d+ ms$/.test(text)))
      assert.lengthOf(requests, ended.sent.length)
      assert.isTrue(events.some(({ event }) => event === "ended"))
    }
  })

  it("on a terminal they stand above the live line, which is taken away and drawn again", () => {
    const ended = Manila.once(`share resize ${id} 2 --wait --debug`, world, {
      stdio: { stderrTerminal: true, columns: 80, rows: 24 }
    })
    assert.strictEqual(ended.code, 0)
    const writes = ended.stdio.stderrWrites
    // From the first drawing to the last look.
    const first = writes.findIndex((text) => text.includes("\u001b[?25l"))
    const during = writes.slice(first + 1).filter((text) => text.includes(`> GET`))
    assert.isAbove(first, -1)
    assert.isNotEmpty(during)
    for (const text of during) {
      assert.match(text, /^\r\u001b\[J> GET/)
      assert.match(text, /\nshare [^\n]*$/)
    }
  })

  it("what came from outside can't move the cursor", () => {
    const named = { seed: { shares: [{ id, name: "\u001b[2Jweb", size: 1 }] } }
    const ended = Manila.once(`share show ${id} --debug`, named)
    assert.strictEqual(ended.code, 0)
    assert.notInclude(ended.stderr, "\u001b")
  })
})
