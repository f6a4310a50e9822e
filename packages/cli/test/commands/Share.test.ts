import { assert, describe } from "vitest"
import { claim, ids } from "./support/Manila.ts"

describe("share show", () => {
  claim("an id costs no look-up", { seed: { shares: [{ id: ids.a, name: "web" }] } }, function* ({ run }) {
    const ended = yield* run(`share show ${ids.a}`)
    console.log(ended.stdout, ended.stderr, ended.requests, ended.code)
    const e2 = yield* run(`share create NFS 1 --wait`)
    console.log(e2.stdout, e2.stderr, e2.requests, e2.code, e2.millis)
    assert.deepStrictEqual(ended.code, 0)
  })
})
