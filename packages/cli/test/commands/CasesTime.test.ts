/**
 * Limits, paces and the server's own wishes: cases that users of other clients ran into, with neighbours.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, fails, ids, json, lines, looksAt, ok } from "./support/Manila.ts"

const { a, b, c } = ids
const endless = { "share.create": { phases: phases("creating") }, "share.delete": { phases: phases("deleting") } }
const look = { method: "GET", path: "shares/*" } as const

describe("kubectl#754, kubectl#1219: several resources share one limit", () => {
  const seed = {
    shares: [
      { id: a, name: "a" },
      { id: b, name: "b" },
      { id: c, name: "c" }
    ]
  }
  claim("share delete a b c --timeout 30", { seed, lifecycles: endless }, function* ({ run }) {
    const ended = fails(yield* run("share delete a b c --wait --timeout 30"), 4)
    assert.strictEqual(ended.millis, 30_000)
    for (const name of ["a", "b", "c"]) assert.match(ended.stderr, new RegExp(`share ${name} .*timed out after 30 s`))
    // Not one after the other: each tick looks at all of them.
    assert.deepStrictEqual(looksAt(ended, a), looksAt(ended, c))
    assert.deepStrictEqual(looksAt(ended, a), [0, 5, 10, 15, 20, 25, 30])
  })
  claim(
    "wait for three",
    { seed: { shares: seed.shares.map((share) => ({ ...share, status: "creating" })) } },
    function* ({ run }) {
      const ended = fails(yield* run("wait share a b c --for available --timeout 30 -f json"), 4)
      assert.strictEqual(ended.millis, 30_000)
      assert.deepStrictEqual(
        json(ended).map((one: { Status: string }) => one.Status),
        ["creating", "creating", "creating"]
      )
    }
  )
  claim(
    "those that end in time have ended",
    {
      seed,
      lifecycles: {
        "share.delete": [{ phases: phases(["deleting", "4 seconds"], "gone") }, { phases: phases("deleting") }]
      }
    },
    function* ({ run }) {
      const ended = fails(yield* run(`share delete ${a} ${b} --wait --timeout 30`), 9)
      assert.include(ended.stderr, `share ${a}: deleted after 5 s`)
    }
  )
})

describe("aws/aws-sdk-go-v2#2551: a limit shorter than the interval still has a last look", () => {
  claim(
    "share create --timeout 3 --interval 10",
    { lifecycles: { "share.create": { phases: phases(["creating", "3 seconds"], "available") } } },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait --timeout 3 --interval 10 -f json"))
      assert.strictEqual(ended.millis, 3000)
      assert.strictEqual(json(ended).status, "available")
    }
  )
  claim("--timeout 0 looks once", { lifecycles: endless }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait --timeout 0"), 4)
    assert.strictEqual(countOf(ended, "GET /shares/"), 1)
  })
})

describe("aws/aws-sdk-js-v3#5602: --interval alone is the gap, never a hidden maximum", () => {
  claim("200 looks", { seed: { shares: [{ id: a, status: "creating" }] } }, function* ({ run }) {
    const ended = fails(yield* run(`wait share ${a} --for available --interval 5 --max-attempts 200`), 4)
    const times = looksAt(ended, a)
    assert.strictEqual(times.length, 200)
    times.slice(1).forEach((time, at) => assert.strictEqual(time - times[at]!, 5))
  })
})

describe("shakenfist#3846: one limit over look-ups, request and waits", () => {
  claim(
    "a POST that takes 50 s of 60 leaves 10 for the wait",
    {
      lifecycles: endless,
      seed: { shareNetworks: [{ id: ids.network, name: "net" }] },
      faults: [Faults.on({ method: "POST", path: "shares", delay: "50 seconds" }, Faults.pass)]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --share-network net --wait --timeout 60"), 4)
      assert.strictEqual(ended.millis, 60_000)
      assert.strictEqual(countOf(ended, "GET /shares/"), 3)
      assert.include(ended.stderr, "timed out after 60 s")
    }
  )
  claim(
    "export locations are waited for within the same limit",
    {
      lifecycles: { "share.create": { phases: phases(["creating", "30 seconds"], "available") } },
      faults: [
        Faults.on({ method: "GET", path: "export_locations" }, Faults.status(200, { body: `{"export_locations":[]}` }))
      ]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait --timeout 60 --require-exports"), 4)
      assert.strictEqual(ended.millis, 60_000)
    }
  )
  claim(
    "a look-up that hangs counts, and nothing is changed",
    {
      seed: { shares: [{ id: a, name: "a" }] },
      faults: [Faults.on({ method: "GET", path: "shares/detail", delay: "1 hour" }, Faults.pass)]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share delete a --wait --timeout 20"), 4)
      assert.strictEqual(ended.millis, 20_000)
      assert.strictEqual(countOf(ended, "DELETE"), 0)
    }
  )
})

describe("CPO#1714, aws/aws-cli#1295: limit, interval and attempts by flag and by variable, and the flag wins", () => {
  const commands = [
    ["share create", "share create NFS 1 --wait"],
    ["share delete", `share delete ${a} --wait`],
    ["share resize", `share resize ${a} 2 --wait`],
    ["share revert", `share revert ${ids.snapshot} --wait`],
    ["share access create", `share access create ${a} ip 10.9.0.0/16 --wait`],
    ["share access delete", `share access delete ${a} ${ids.rule} --wait`],
    ["share snapshot create", `share snapshot create ${a} --wait`],
    ["share snapshot delete", `share snapshot delete ${ids.snapshot} --wait`],
    ["wait", `wait share ${b} --for available`]
  ] as const
  for (const [name, line] of commands) {
    const options = () => ({
      seed: {
        shares: [
          { id: a, name: "a" },
          { id: b, name: "b", status: "creating" }
        ],
        snapshots: line.includes("share delete") ? [] : [{ id: ids.snapshot, share_id: a }],
        accessRules: [{ id: ids.rule, share_id: a, access_to: "10.0.0.0/24" }]
      },
      lifecycles: {
        ...endless,
        "share.extend": { phases: phases("extending") },
        "share.revert": { phases: phases("reverting") },
        "access.create": { phases: phases("applying") },
        "access.delete": { phases: phases("denying") },
        "snapshot.create": { phases: phases("creating") },
        "snapshot.delete": { phases: phases("deleting") }
      }
    })
    claim(`${name} --max-attempts 3 --interval 7`, options(), function* ({ run }) {
      const ended = fails(yield* run(`${line} --max-attempts 3 --interval 7`), 4)
      assert.strictEqual(ended.millis, 14_000)
      assert.include(ended.stderr, "gave up after 3 looks in 14 s, the attempts ran out")
    })
    claim(`${name} by variables`, options(), function* ({ run }) {
      const env = {
        MANILA_WAIT_TIMEOUT: "1 minute",
        MANILA_WAIT_INTERVAL: "10",
        MANILA_WAIT_MAX_INTERVAL: "20",
        MANILA_WAIT_TOLERATE: "0"
      }
      const ended = fails(yield* run(line, { env }), 4)
      assert.strictEqual(ended.millis, 60_000)
      const looks = ended.sent
        .filter(({ method, path }) => method === "GET" && !/^\/(v2\/)?$/.test(path))
        .map(({ at }) => at / 1000)
      assert.deepStrictEqual([...new Set(looks)], [0, 10, 30, 50, 60])
    })
    claim(`${name}: a flag wins over its variable`, options(), function* ({ run }) {
      const env = { MANILA_WAIT_TIMEOUT: "1 hour", MANILA_WAIT_MAX_ATTEMPTS: "1" }
      assert.strictEqual(fails(yield* run(`${line} --timeout 20 --max-attempts 99`, { env }), 4).millis, 20_000)
    })
  }
  claim("nonsense in a variable is a usage error before anything is sent", {}, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait", { env: { MANILA_WAIT_TIMEOUT: "soon" } }), 2)
    assert.include(ended.stderr, "MANILA_WAIT_TIMEOUT")
    assert.deepStrictEqual(ended.sent, [])
  })
  claim(
    "by default a delete has 300 s and 61 looks, a create no limit",
    {
      seed: { shares: [{ id: a }] },
      lifecycles: { ...endless, "share.create": { phases: phases(["creating", "2 days"], "available") } }
    },
    function* ({ run }) {
      const deleted = fails(yield* run(`share delete ${a} --wait`), 4)
      assert.strictEqual(deleted.millis, 300_000)
      assert.strictEqual(looksAt(deleted, a).length, 61)
      assert.strictEqual(
        ok(yield* run("share create NFS 1 --wait --interval 600 -f value -c id")).millis,
        2 * 86_400_000
      )
    }
  )
  claim(
    "--timeout none takes a delete's limit away",
    {
      seed: { shares: [{ id: a }] },
      lifecycles: { "share.delete": { phases: phases(["deleting", "10 minutes"], "gone") } }
    },
    function* ({ run }) {
      assert.strictEqual(ok(yield* run(`share delete ${a} --wait --timeout none`)).millis, 600_000)
    }
  )
})

describe("Azure/autorest.typescript#1034, go-autorest#58: the server's Retry-After holds once, and only once", () => {
  claim(
    "7 s, then the own pace, then the larger of pace and 1 s",
    {
      seed: { shares: [{ id: a, phases: phases(["creating", "10 seconds"], "available") }] },
      faults: [1, 3].map((nth) =>
        Faults.on(
          { ...look, nth },
          Faults.status(200, {
            headers: { "retry-after": nth === 1 ? "7" : "1", "content-type": "application/json" },
            body: JSON.stringify({ share: { id: a, status: "creating" } })
          })
        )
      )
    },
    function* ({ run }) {
      const ended = ok(yield* run(`wait share ${a} --for available --interval 2`))
      assert.deepStrictEqual(looksAt(ended, a), [0, 7, 9, 11])
    }
  )
})

describe("kubernetes#131122: at its cap a back-off goes on", () => {
  claim(
    "1, 2, 4, 8, 8, 8 …",
    { seed: { shares: [{ id: a, phases: phases(["creating", "9 minutes"], "available") }] } },
    function* ({ run }) {
      const ended = ok(
        yield* run([
          "wait",
          "share",
          a,
          "--for=available",
          "--interval=1",
          "--max-interval=8",
          "--timeout",
          "10 minutes"
        ])
      )
      const times = looksAt(ended, a)
      assert.deepStrictEqual(times.slice(0, 7), [0, 1, 3, 7, 15, 23, 31])
      times.slice(4).forEach((time, at, rest) => at > 0 && assert.strictEqual(time - rest[at - 1]!, 8))
      assert.isAtLeast(times.at(-1)!, 540)
    }
  )
})

describe("GC#2096, TPO#1156: 429 with Retry-After", () => {
  claim(
    "is waited out",
    {
      lifecycles: { "share.create": { phases: phases(["creating", "8 seconds"], "available") } },
      faults: [Faults.on({ ...look, nth: 1 }, Faults.status(429, { headers: { "Retry-After": "7" } }))]
    },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f json"))
      assert.deepStrictEqual(looksAt(ended, json(ended).id).slice(0, 2), [0, 7])
      assert.include(ended.stderr, "429")
    }
  )
  claim(
    "ends a wait that has no time left for it, saying so",
    {
      lifecycles: endless,
      faults: [Faults.on({ ...look, nth: 1 }, Faults.status(429, { headers: { "Retry-After": "7" } }))]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait --timeout 5"), 4)
      assert.include(ended.stderr, "the server asked to wait 7 s")
      assert.strictEqual(countOf(ended, "GET /shares/"), 1)
    }
  )
  claim(
    "on a request that changes something is not repeated",
    {
      faults: [Faults.on({ method: "POST", path: "shares" }, Faults.status(429, { headers: { "Retry-After": "1" } }))]
    },
    function* ({ run }) {
      const ended = yield* run("share create NFS 1 --wait")
      assert.notStrictEqual(ended.code, 0)
      assert.strictEqual(countOf(ended, "POST /shares"), 1)
    }
  )
})

describe("one plain line a minute says that a wait is alive", () => {
  claim(
    "share create",
    { lifecycles: { "share.create": { phases: phases(["creating", "10 minutes"], "available") } } },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f value -c id"))
      const still = lines(ended.stderr).filter((line) => line.includes("still creating"))
      assert.isAtLeast(still.length, 9)
      assert.isAtMost(still.length, 10)
      assert.strictEqual(lines(ended.stderr).length, still.length + 3)
    }
  )
})
