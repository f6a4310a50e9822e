/**
 * `manila wait`: several resources under one limit, each with its own record and ending.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, events, fails, goOn, ids, json, lines, looksAt, ok, type Steps } from "./support/Manila.ts"

const { a, b, c, none, rule, snapshot } = ids

const becoming = (id: string, name: string, ...steps: Steps) => ({
  id,
  name,
  phases: phases(...steps)
})

describe("several resources", () => {
  const seed = {
    shares: [
      becoming(a, "a", ["creating", "4 seconds"], "available"),
      becoming(b, "b", ["creating", "8 seconds"], "error"),
      becoming(c, "c", "creating")
    ]
  }
  claim("each ends on its own, in one table in the order they were named", { seed }, function* ({ run }) {
    const ended = fails(yield* run("wait share c b a nobody --for available --timeout 30 -f json"), 9)
    assert.deepStrictEqual(json(ended), [
      { Kind: "share", ID: c, Name: "c", Status: "creating", Matched: null },
      { Kind: "share", ID: b, Name: "b", Status: "error", Matched: null },
      { Kind: "share", ID: a, Name: "a", Status: "available", Matched: "available" },
      { Kind: "share", ID: null, Name: "nobody", Status: "", Matched: null }
    ])
    assert.strictEqual(ended.millis, 30_000)
    // Who has ended is looked at no more.
    assert.deepStrictEqual(looksAt(ended, a), [0, 5])
    assert.deepStrictEqual(looksAt(ended, b), [0, 5, 10])
    const errors = lines(ended.stderr).filter((line) => line.startsWith("manila: "))
    assert.strictEqual(errors.length, 3)
  })
  claim("all that end alike give that code", { seed }, function* ({ run }) {
    fails(yield* run(`wait share ${c} --for available --timeout 10`), 4)
    fails(yield* run(`wait share nobody nothing --for available`), 5)
  })
  claim("the same resource under two names is waited for once", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`wait share a ${a} a --for available -f json`))
    assert.strictEqual(json(ended).length, 1)
    assert.deepStrictEqual(looksAt(ended, a), [0, 5])
  })
  claim(
    "a fault of one doesn't touch the others",
    { seed, faults: [Faults.on({ method: "GET", path: `shares/${b}` }, Faults.status(403))] },
    function* ({ run }) {
      const ended = fails(yield* run("wait share a b --for available -f json"), 9)
      assert.deepStrictEqual(
        json(ended).map((one: { Matched: unknown }) => one.Matched),
        ["available", null]
      )
    }
  )
  claim(
    "a hundred at once take no longer than one",
    {
      seed: {
        shares: Array.from({ length: 100 }, (_, n) => ({
          name: `s${n}`,
          phases: phases(["creating", "9 seconds"], "available")
        }))
      }
    },
    function* ({ run }) {
      const names = Array.from({ length: 100 }, (_, n) => `s${n}`).join(" ")
      const ended = ok(yield* run(`wait share ${names} --for available -f value -c Status`))
      assert.strictEqual(ended.millis, 10_000)
      assert.strictEqual(lines(ended.stdout).length, 100)
    }
  )
})

describe("--for deleted", () => {
  claim("something that isn't there is deleted", {}, function* ({ run }) {
    const ended = ok(yield* run(`wait share nobody ${none} --for deleted -f json`))
    assert.deepStrictEqual(json(ended), [
      { Kind: "share", ID: null, Name: "nobody", Status: "deleted", Matched: "deleted" },
      { Kind: "share", ID: none, Name: null, Status: "deleted", Matched: "deleted" }
    ])
  })
  claim(
    "something that nobody deletes is waited for, 300 s long",
    { seed: { shares: [{ id: a }] } },
    function* ({ run }) {
      assert.strictEqual(fails(yield* run(`wait share ${a} --for deleted`), 4).millis, 300_000)
    }
  )
  claim(
    "an error while it is deleted is a failure",
    { seed: { shares: [becoming(a, "a", ["deleting", "8 seconds"], "error_deleting")] } },
    function* ({ run }) {
      assert.strictEqual(fails(yield* run(`wait share ${a} --for deleted`), 3).millis, 10_000)
    }
  )
  claim(
    "an error before it is deleted is not: it can still be deleted",
    { seed: { shares: [becoming(a, "a", ["error", "8 seconds"], ["deleting", "4 seconds"], "gone")] } },
    function* ({ run }) {
      ok(yield* run(`wait share ${a} --for deleted`))
    }
  )
  claim("gone is another word for it, in any case", {}, function* ({ run }) {
    for (const word of ["gone", "DELETED", "Deleted"]) ok(yield* run(`wait share ${none} --for ${word}`))
  })
  claim(
    "snapshots and rules",
    {
      seed: {
        shares: [{ id: a }],
        snapshots: [{ id: snapshot, share_id: a, phases: phases(["deleting", "4 seconds"], "gone") }],
        accessRules: [{ id: rule, share_id: a, phases: phases(["denying", "4 seconds"], "gone") }]
      }
    },
    function* ({ run }) {
      assert.strictEqual(json(ok(yield* run(`wait snapshot ${snapshot} --for deleted -f json`)))[0].Kind, "snapshot")
      assert.strictEqual(json(ok(yield* run(`wait access ${rule} --for deleted -f json`)))[0].Kind, "access")
    }
  )
})

describe("kinds", () => {
  const seed = {
    shares: [{ id: a, name: "web" }],
    snapshots: [{ id: snapshot, name: "nightly", share_id: a, phases: phases(["creating", "4 seconds"], "available") }],
    accessRules: [{ id: rule, share_id: a, phases: phases(["applying", "4 seconds"], "active") }]
  }
  claim("an access rule is judged by its state", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`share access wait ${rule} --for active -f json`))
    assert.deepStrictEqual(json(ended), [{ Kind: "access", ID: rule, Name: null, Status: "active", Matched: "active" }])
  })
  claim("a rule has no name to look up", { seed }, function* ({ run }) {
    const ended = fails(yield* run("wait access alice --for active"), 5)
    assert.deepStrictEqual(ended.requests, [])
  })
  claim("an id of another kind is not found", { seed }, function* ({ run }) {
    fails(yield* run(`wait snapshot ${a} --for available`), 5)
    fails(yield* run(`wait share ${snapshot} --for available`), 5)
  })
  claim("a kind nobody knows is a usage error with those there are", { seed }, function* ({ run }) {
    const ended = fails(yield* run("wait volume x --for available"), 2)
    for (const kind of ["share", "snapshot", "access"]) assert.include(ended.stderr, kind)
  })
  claim(
    "any status can be waited for, driver's own too",
    { seed: { shares: [becoming(a, "a", ["creating", "4 seconds"], "rebalancing")] } },
    function* ({ run }) {
      assert.strictEqual(json(ok(yield* run(`wait share ${a} --for rebalancing -f json`)))[0].Matched, "rebalancing")
    }
  )
  claim(
    "an error can be what is wanted",
    { seed: { shares: [becoming(a, "a", ["creating", "4 seconds"], "error")] } },
    function* ({ run }) {
      ok(yield* run(`wait share ${a} --for error`))
    }
  )
})

describe("--allow-missing", () => {
  claim("an id that is not there yet", {}, function* ({ cloud, run }) {
    const ended = ok(
      yield* run(`wait share ${a} --for available --allow-missing -f json`, {
        meanwhile: () => Effect.delay(cloud.share({ id: a, name: "x" }), "7 seconds")
      })
    )
    assert.deepStrictEqual(looksAt(ended, a), [0, 5, 10])
    assert.strictEqual(json(ended)[0].Name, "x")
  })
  claim("once it was there it may not be missing again", {}, function* ({ cloud, run }) {
    const ended = fails(
      yield* run("wait share new --for available --allow-missing", {
        meanwhile: () =>
          Effect.delay(
            cloud.share({ id: a, name: "new", phases: phases(["creating", "6 seconds"], "gone") }),
            "3 seconds"
          )
      }),
      3
    )
    assert.include(ended.stderr, "it was there and is gone")
  })
  claim("a name that becomes two is ambiguous", {}, function* ({ cloud, run }) {
    fails(
      yield* run("wait share new --for available --allow-missing", {
        meanwhile: () =>
          Effect.delay(Effect.zipRight(cloud.share({ name: "new" }), cloud.share({ name: "new" })), "3 seconds")
      }),
      2
    )
  })
  claim("a time-out says so, and the printed command goes on looking for the name", {}, function* ({ cloud, run }) {
    const first = fails(yield* run("wait share new --for available --allow-missing --timeout 10 -f json"), 4)
    assert.deepStrictEqual(json(first), [{ Kind: "share", ID: null, Name: "new", Status: "missing", Matched: null }])
    const second = ok(
      yield* run([...goOn(first), "-f", "json"], {
        meanwhile: () => Effect.delay(cloud.share({ id: a, name: "new" }), "3 seconds")
      })
    )
    assert.deepStrictEqual(json(second), [
      { Kind: "share", ID: a, Name: "new", Status: "available", Matched: "available" }
    ])
  })
})

describe("an interrupted wait", () => {
  claim(
    "prints a command for each resource that was not done, and no table",
    { seed: { shares: [becoming(a, "a", "creating"), becoming(b, "b", "creating"), { id: c, name: "c" }] } },
    function* ({ run }) {
      const ended = fails(
        yield* run("wait share a b c --for available", {
          meanwhile: (stdio) =>
            Effect.delay(
              Effect.sync(() => stdio.signal("SIGINT")),
              "12 seconds"
            )
        }),
        130
      )
      assert.strictEqual(ended.stdout, "")
      assert.strictEqual(lines(ended.stderr).filter((line) => line.includes("manila wait --resume mw1.")).length, 2)
      assert.strictEqual(ended.millis, 12_000)
    }
  )
  claim("as events too", { seed: { shares: [becoming(a, "a", "creating")] } }, function* ({ run }) {
    const ended = fails(
      yield* run("wait share a --for available --progress json", {
        meanwhile: (stdio) =>
          Effect.delay(
            Effect.sync(() => stdio.signal("SIGINT")),
            "12 seconds"
          )
      }),
      130
    )
    const last = events(ended).at(-1)
    assert.strictEqual(last.ending, "interrupted")
    assert.include(last.resume.command, "manila wait --resume mw1.")
  })
  claim(
    "goes on where it was",
    { seed: { shares: [becoming(a, "a", ["creating", "20 seconds"], "error")] } },
    function* ({ run }) {
      const first = fails(
        yield* run("wait share a --for available --or error --timeout 60", {
          meanwhile: (stdio) =>
            Effect.delay(
              Effect.sync(() => stdio.signal("SIGINT")),
              "12 seconds"
            )
        }),
        130
      )
      const second = ok(yield* run([...goOn(first), "-f", "json"]))
      assert.strictEqual(json(second)[0].Matched, "error")
      assert.strictEqual(countOf(second, "GET /shares/detail"), 0)
    }
  )
})

describe("the reader of stdout goes away", () => {
  for (const line of [
    `share show ${a}`,
    "share list",
    `wait share ${a} --for available`,
    "share create NFS 1 --wait"
  ]) {
    claim(line, { seed: { shares: [{ id: a }] } }, function* ({ run }) {
      const ended = fails(yield* run(line, { stdio: { stdoutFails: "EPIPE" } }), 141)
      assert.notInclude(ended.stderr, "manila:")
    })
  }
  claim("a full disk is an error", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    assert.include(
      fails(yield* run(`share show ${a}`, { stdio: { stdoutFails: "ENOSPC" } }), 1).stderr,
      "can't write the output"
    )
  })
})
