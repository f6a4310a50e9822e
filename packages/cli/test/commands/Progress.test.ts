/**
 * What is on standard error: progress in its manners, `--quiet`, `--timing`, `--debug`, and the events.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { events, fails, ids, lines, ok } from "./support/Manila.ts"

const { a, b, rule, snapshot } = ids
const seed = {
  shares: [
    { id: a, name: "web", size: 1 },
    { id: b, name: "data" }
  ],
  snapshots: [{ id: snapshot, share_id: b }],
  accessRules: [{ id: rule, share_id: a, access_to: "10.0.0.0/24" }]
}

const waiting = [
  "share create NFS 1 --wait",
  `share delete ${a} --wait`,
  `share delete ${a} --soft --wait`,
  `share resize ${a} 2 --wait`,
  `share revert ${snapshot} --wait`,
  `share access create ${a} ip 10.9.0.0/16 --wait`,
  `share access delete ${a} ${rule} --wait`,
  `share snapshot create ${a} --wait`,
  `share snapshot delete ${snapshot} --wait`,
  `wait share ${a} --for available`
]

describe("--progress json", () => {
  for (const line of waiting) {
    claim(`${line}: the id before the first look, then looks, then the ending`, { seed }, function* ({ run }) {
      const all = events(ok(yield* run(`${line} --progress json`)))
      assert.strictEqual(all[0].event, "started")
      assert.match(all[0].id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(all.at(-1).event, "ended")
      assert.strictEqual(all.at(-1).ending, "reached")
      assert.strictEqual(all.at(-1).id, all[0].id)
      assert.isAtLeast(all.filter(({ event }) => event === "status").length, 1)
      for (const { time } of all) assert.match(time, /^2026-03-31T12:\d\d:\d\d\.\d{3}Z$/)
    })
  }
  claim("a failure before the wait is an event as well", { quotas: { shares: 0 } }, function* ({ run }) {
    const all = events(fails(yield* run("share create NFS 1 --wait --progress json"), 7))
    assert.strictEqual(all.length, 1)
    assert.strictEqual(all[0].event, "error")
    assert.strictEqual(all[0].ending, "quota")
  })
  claim(
    "faults are events",
    { faults: [Faults.on({ method: "GET", path: "shares/*", nth: 1 }, Faults.status(503))] },
    function* ({ run }) {
      const fault = events(ok(yield* run("share create NFS 1 --wait --progress json"))).find(
        ({ event }) => event === "fault"
      )
      assert.strictEqual(fault.inARow, 1)
      assert.strictEqual(fault.tolerated, 10)
      assert.include(fault.detail, "503")
    }
  )
  claim("names with line breaks and quotes stay one line each", {}, function* ({ run }) {
    const all = events(
      ok(yield* run(["share", "create", "NFS", "1", "--name", 'a"\nb', "--wait", "--progress", "json"]))
    )
    assert.strictEqual(all[0].name, 'a"\nb')
  })
})

describe("plain", () => {
  claim(
    "one line for what is waited for, one for each new status, one for the end",
    {
      lifecycles: {
        "share.create": {
          phases: phases(["creating", "20 seconds"], ["rebalancing", "20 seconds"], "available")
        }
      }
    },
    function* ({ run }) {
      const said = lines(ok(yield* run("share create NFS 1 --name web --wait -f value -c id")).stderr)
      assert.deepStrictEqual(
        said.map((line) => line.replace(/\([0-9a-f-]{36}\)/, "(id)")),
        [
          "share web (id): create: waiting for available",
          "share web (id): creating, after 0 s, 1 look",
          "share web (id): rebalancing, after 20 s, 5 looks",
          "share web (id): available after 40 s, 9 looks"
        ]
      )
    }
  )
  claim(
    "the service's percentage is shown",
    { seed: { shares: [{ id: a, status: "creating_from_snapshot", progress: "40%" }] } },
    function* ({ run }) {
      assert.include(fails(yield* run(`wait share ${a} --for available --timeout 5`), 4).stderr, "40%")
    }
  )
})

describe("quiet", () => {
  for (const flag of ["-q", "--quiet", "--progress none"]) {
    claim(`${flag}: nothing of what goes well`, {}, function* ({ run }) {
      const ended = ok(yield* run(`share create NFS 1 --wait -f value -c id ${flag}`))
      assert.strictEqual(ended.stderr, "")
    })
    claim(
      `${flag}: errors and how to go on all the same`,
      { lifecycles: { "share.create": { phases: phases("creating") } } },
      function* ({ run }) {
        const ended = fails(yield* run(`share create NFS 1 --wait --timeout 5 ${flag}`), 4)
        const said = lines(ended.stderr)
        assert.strictEqual(said.length, 2)
        assert.match(said[0] ?? "", /^manila: share .* timed out/)
        assert.match(said[1] ?? "", /manila wait --resume mw1\.\S+ --timeout 5$/)
      }
    )
    claim(`${flag} with --no-wait: the token is what was asked for`, {}, function* ({ run }) {
      assert.include(ok(yield* run(`share create NFS 1 --no-wait ${flag}`)).stderr, "--resume mw1.")
    })
  }
})

describe("live, on a terminal", () => {
  const terminal = { stderrTerminal: true, columns: 80, rows: 24 }
  claim(
    "one line that is redrawn, the cursor hidden and shown again",
    { lifecycles: { "share.create": { phases: phases(["creating", "20 seconds"], "available") } } },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --name web --wait -f value -c id", { stdio: terminal }))
      assert.include(ended.stderr, "\u001b[?25l")
      assert.isTrue(ended.stderr.lastIndexOf("\u001b[?25h") > ended.stderr.lastIndexOf("\u001b[?25l"))
      assert.include(ended.stderr, "next look in")
      assert.match(ended.stderr, /share web \([0-9a-f-]{36}\): available after 20 s/)
      assert.match(ended.stdout, /^[0-9a-f-]{36}\n$/)
    }
  )
  claim("NO_COLOR leaves colours out", {}, function* ({ run }) {
    const ended = ok(yield* run("share create NFS 1 --wait", { stdio: terminal, env: { NO_COLOR: "1" } }))
    // eslint-disable-next-line no-control-regex
    assert.notMatch(ended.stderr, /\u001b\[\d*m/)
  })
  claim("a dumb terminal gets plain lines", {}, function* ({ run }) {
    assert.notInclude(
      ok(yield* run("share create NFS 1 --wait", { stdio: terminal, env: { TERM: "dumb" } })).stderr,
      "\u001b"
    )
  })
  claim(
    "an error stands below, on a line of its own",
    { lifecycles: { "share.create": { phases: phases(["creating", "4 seconds"], "error") } } },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait", { stdio: terminal }), 3)
      // eslint-disable-next-line no-control-regex
      assert.match(ended.stderr, /\u001b\[\?25hmanila: share .* failed/)
    }
  )
})

describe("--timing", () => {
  claim(
    "says how long each request took, and nothing else of it",
    { seed, faults: [Faults.on({ path: "shares/*", delay: "2 seconds" }, Faults.pass)] },
    function* ({ cloud, run }) {
      const ended = ok(yield* run(`share show ${a} --timing -f value -c id`))
      assert.strictEqual(ended.stdout, `${a}\n`)
      const said = lines(ended.stderr)
      assert.strictEqual(said.length, ended.sent.length)
      assert.isDefined(said.find((line) => line.includes(`/shares/${a} 200 2000 ms`)))
      assert.notInclude(ended.stderr, cloud.credentials.password)
    }
  )
})

describe("--debug", () => {
  claim("shows requests and answers, also those of a wait", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`share resize ${a} 2 --wait --debug`))
    assert.include(ended.stderr, `> POST http://fake-cloud.test/share/v2/shares/${a}/action`)
    assert.include(ended.stderr, `{"extend":{"new_size":2}}`)
    assert.include(ended.stderr, "< 202")
    assert.include(ended.stderr, "x-auth-token: ***")
    assert.strictEqual(ended.stdout, "")
  })
  claim(
    "an answer that never came is shown too",
    { faults: [Faults.on({ path: "shares/detail" }, Faults.reset)] },
    function* ({ run }) {
      assert.include((yield* run("share list --debug")).stderr, "no answer")
    }
  )
})

describe("a command that ends well says nothing", () => {
  for (const line of [
    "share list",
    `share show ${a}`,
    `share set ${a} --name x`,
    `share delete ${a}`,
    `share access list ${a}`,
    "share type list",
    "share message list"
  ]) {
    claim(line, { seed }, function* ({ run }) {
      assert.strictEqual(ok(yield* run(line)).stderr, "")
    })
  }
})
