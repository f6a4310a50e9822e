/**
 * Faults while waiting, what an error says, and how a wait is stopped and gone on with: cases that users of other clients
 * ran into, with neighbours.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, events, fails, goOn, ids, json, lines, ok, origin, tokenOf } from "./support/Manila.ts"

const { a, b, rule, snapshot } = ids
const look = { method: "GET", path: "shares/*" } as const
const creating = (seconds: number) => ({
  "share.create": { phases: phases(["creating", `${seconds} seconds`], "available") }
})
const endless = { "share.create": { phases: phases("creating") } }

describe("hashicorp/terraform#3034, terraform-provider-ovh#763: a lost connection does not end a wait", () => {
  claim(
    "cut in the middle of a body, then reset, then good",
    {
      lifecycles: creating(12),
      faults: [Faults.on({ ...look, nth: 2 }, Faults.truncate(20)), Faults.on({ ...look, nth: 3 }, Faults.reset)]
    },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f value -c status"))
      assert.strictEqual(ended.stdout, "available\n")
      assert.strictEqual(lines(ended.stderr).filter((line) => line.includes("warning:")).length, 2)
    }
  )
  for (const [name, outcome] of [
    ["an HTML page of a proxy", Faults.html()],
    ["a body that is not JSON", Faults.malformed],
    ["a 504", Faults.status(504)]
  ] as const) {
    claim(
      `${name} neither`,
      { lifecycles: creating(8), faults: [Faults.on({ ...look, nth: [1, 2] }, outcome)] },
      function* ({ run }) {
        ok(yield* run("share create NFS 1 --wait"))
      }
    )
  }
  claim(
    "nor while a share is deleted",
    {
      seed: { shares: [{ id: a }] },
      faults: [Faults.on({ ...look, method: "GET", nth: [1, 2] }, Faults.reset)]
    },
    function* ({ run }) {
      ok(yield* run(`share delete ${a} --wait`))
    }
  )
})

describe("aws/aws-sdk-js#3181: faults in a row are counted, and only those", () => {
  claim(
    "tolerance 3: 503, 503, good, 503, 503, good",
    {
      lifecycles: creating(20),
      faults: [Faults.on({ ...look, nth: [1, 2, 4, 5] }, Faults.status(503))]
    },
    function* ({ run }) {
      ok(yield* run("share create NFS 1 --wait --tolerate 3"))
    }
  )
  claim(
    "503 four times: the last one and the count, and no time-out",
    {
      lifecycles: creating(20),
      faults: [Faults.on({ ...look, nth: { from: 1 } }, Faults.status(503))]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait --tolerate 3"), 1)
      assert.strictEqual(countOf(ended, "GET /shares/"), 4)
      assert.include(ended.stderr, "503")
      assert.match(ended.stderr, /4 (faults )?in a row|4 of 3/)
      assert.include(ended.stderr, " --tolerate 3")
    }
  )
  claim(
    "--tolerate 0 is what openstack does",
    { lifecycles: creating(20), faults: [Faults.on({ ...look, nth: 1 }, Faults.status(503))] },
    function* ({ run }) {
      assert.strictEqual(countOf(fails(yield* run("share create NFS 1 --wait --tolerate 0"), 1), "GET /shares/"), 1)
    }
  )
})

describe("aws/aws-sdk-js-v3#2091, #3081: a refusal ends a wait on the look that meets it", () => {
  claim(
    "403, with the server's sentence",
    {
      lifecycles: endless,
      faults: [
        Faults.on(look, Faults.status(403, { body: `{"forbidden":{"code":403,"message":"Policy doesn't allow it."}}` }))
      ]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait"), 6)
      assert.include(ended.stderr, "Policy doesn't allow it.")
      assert.strictEqual(countOf(ended, "GET /shares/"), 1)
    }
  )
  claim("400", { lifecycles: endless, faults: [Faults.on(look, Faults.status(400))] }, function* ({ run }) {
    assert.strictEqual(countOf(fails(yield* run("share create NFS 1 --wait"), 1), "GET /shares/"), 1)
  })
  claim(
    "403 on a snapshot",
    { seed: { shares: [{ id: a }] }, faults: [Faults.on({ method: "GET", path: "snapshots/*" }, Faults.status(403))] },
    function* ({ run }) {
      fails(yield* run(`share snapshot create ${a} --wait`), 6)
    }
  )
})

describe("GC#2611, cluster-api-provider-openstack#132: a token that expires in the middle is renewed", () => {
  claim(
    "one new token, which later requests carry",
    {
      tokenLifetimeMillis: 3_600_000,
      lifecycles: creating(20),
      faults: [Faults.on({ ...look, nth: 2 }, Faults.expiredToken)]
    },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait"))
      const tokens = ended.sent.filter(({ path }) => path === "/auth/tokens")
      assert.strictEqual(tokens.length, 2)
      const carried = ended.sent.flatMap(({ headers, service }) =>
        service === "share" ? (headers["x-auth-token"] ?? []) : []
      )
      assert.strictEqual(new Set(carried).size, 2)
    }
  )
  claim(
    "a token for three waits is renewed once",
    {
      seed: {
        shares: ["a", "b", "c"].map((name) => ({ name, phases: phases(["creating", "12 seconds"], "available") }))
      }
    },
    function* ({ cloud, run }) {
      const ended = ok(
        yield* run("wait share a b c --for available", {
          meanwhile: () => Effect.delay(cloud.expireTokens, "7 seconds")
        })
      )
      assert.strictEqual(ended.sent.filter(({ path }) => path === "/auth/tokens").length, 2)
    }
  )
  claim(
    "a token that was given ready-made can't be",
    { seed: { shares: [{ id: a, status: "creating" }] } },
    function* ({ cloud, run }) {
      const env = {
        OS_USERNAME: "",
        OS_PASSWORD: "",
        OS_USER_DOMAIN_NAME: "",
        OS_PROJECT_NAME: "",
        OS_PROJECT_DOMAIN_NAME: "",
        OS_AUTH_TYPE: "token",
        OS_TOKEN: cloud.credentials.token,
        OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE: `${origin}/share/v2`
      }
      const ended = fails(
        yield* run(`wait share ${a} --for available`, {
          env,
          meanwhile: () => Effect.delay(cloud.expireTokens, "7 seconds")
        }),
        6
      )
      assert.match(ended.stderr, /token/i)
      assert.notInclude(ended.stderr, cloud.credentials.token)
    }
  )
})

describe("TPO#596, CPO#704: the service's own explanation is told", () => {
  const lifecycles = {
    "share.create": {
      phases: phases(["creating", "3 seconds"], "error"),
      reason: { detailId: "002", message: "No storage could be allocated" }
    }
  }
  claim("message, detail and request id, in words", { lifecycles }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait"), 3)
    assert.match(ended.stderr, /No storage could be allocated \(detail 002\) \[req-[0-9a-f-]{36}\]/)
  })
  claim("as fields, with the action's id", { lifecycles }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait --progress json"), 3)
    const last = events(ended).at(-1)
    assert.strictEqual(last.event, "ended")
    assert.strictEqual(last.ending, "failed")
    assert.include(last.reason.message, "No storage could be allocated")
    assert.strictEqual(last.reason.detailId, "002")
    assert.match(last.reason.actionId, /^\d{3}$/)
    assert.match(last.reason.requestId, /^req-/)
  })
  claim(
    "the newest message counts",
    {
      lifecycles,
      seed: {
        shares: [{ id: a, phases: phases(["creating", "3 seconds"], "error") }],
        messages: [
          { resource_id: a, user_message: "old", created_at: "2020-01-01T00:00:00.000000" },
          { resource_id: a, user_message: "new", created_at: "2020-01-02T00:00:00.000000" }
        ]
      }
    },
    function* ({ run }) {
      const ended = fails(yield* run(`wait share ${a} --for available`), 3)
      assert.include(ended.stderr, "new")
      assert.strictEqual(countOf(ended, "GET /messages"), 1)
    }
  )
  claim(
    "below 2.37 there are none, and none is asked for",
    { microversion: { max: "2.36" }, lifecycles },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait"), 3)
      assert.strictEqual(countOf(ended, "GET /messages"), 0)
    }
  )
})

describe("kubernetes#10171, velero#7762: a time-out says what, wanted, last status, how long, how often, and the last fault", () => {
  claim(
    "in words",
    { lifecycles: endless, faults: [Faults.on({ ...look, nth: 2 }, Faults.status(503))] },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --name web --wait --timeout 20 -f value -c id"), 4)
      const said = lines(ended.stderr).find((line) => line.startsWith("manila: ")) ?? ""
      for (const part of [
        "share web (",
        ended.stdout.trim(),
        "create timed out after 20 s",
        "last status creating",
        "5 looks",
        "wanted available",
        "503"
      ]) {
        assert.include(said, part)
      }
    }
  )
  claim("as fields", { lifecycles: endless }, function* ({ run }) {
    const last = events(fails(yield* run("share create NFS 1 --name web --wait --timeout 20 --progress json"), 4)).at(
      -1
    )
    assert.strictEqual(last.kind, "share")
    assert.strictEqual(last.name, "web")
    assert.strictEqual(last.ending, "timedOut")
    assert.strictEqual(last.status, "creating")
    assert.strictEqual(last.looks, 5)
    assert.strictEqual(last.elapsedMillis, 20_000)
    assert.include(last.resume.command, "--resume mw1.")
  })
})

describe("aws/aws-sdk-js-v3#2319: an interruption ends a wait at once, and no request follows", () => {
  claim("SIGINT at 3 s of 10", { lifecycles: endless }, function* ({ run }) {
    const ended = fails(
      yield* run("share create NFS 1 --wait --interval 10", {
        meanwhile: (stdio) =>
          Effect.delay(
            Effect.sync(() => stdio.signal("SIGINT")),
            "3 seconds"
          )
      }),
      130
    )
    assert.strictEqual(ended.millis, 3000)
    assert.strictEqual(countOf(ended, "GET /shares/"), 1)
    assert.include(ended.stderr, "interrupted while waiting for available, last creating")
    assert.match(ended.stderr, /manila wait --resume mw1\.\S+ --interval 10/)
    assert.strictEqual(ended.stdout, "")
  })
  claim(
    "SIGTERM while a request is under way",
    { lifecycles: endless, faults: [Faults.on(look, Faults.hang)] },
    function* ({ run }) {
      const ended = fails(
        yield* run("share create NFS 1 --wait", {
          meanwhile: (stdio) =>
            Effect.delay(
              Effect.sync(() => stdio.signal("SIGTERM")),
              "3 seconds"
            )
        }),
        143
      )
      assert.strictEqual(ended.millis, 3000)
    }
  )
  claim("a second Ctrl-C ends the process at once", { lifecycles: endless }, function* ({ run }) {
    const ended = yield* run("share create NFS 1 --wait", {
      meanwhile: (stdio) =>
        Effect.delay(
          Effect.sync(() => {
            stdio.signal("SIGINT")
            stdio.signal("SIGINT")
          }),
          "3 seconds"
        )
    })
    assert.deepStrictEqual(ended.exits, [130])
  })
  claim(
    "during the request that creates, its outcome is not known, and it says so",
    { faults: [Faults.on({ method: "POST", path: "shares" }, Faults.hang)] },
    function* ({ run }) {
      const ended = yield* run("share create NFS 1 --wait", {
        meanwhile: (stdio) =>
          Effect.delay(
            Effect.sync(() => stdio.signal("SIGINT")),
            "3 seconds"
          )
      })
      assert.strictEqual(ended.code, 130)
      assert.include(ended.stderr, "not known whether this took effect")
    }
  )
})

describe("TPO#1011, terraform-provider-stackit#1737: the id is known before the first look, and the wait can be gone on with", () => {
  claim(
    "the id is on stderr before the first look",
    { lifecycles: endless, faults: [Faults.on(look, Faults.hang)] },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait --timeout 5 -f value -c id"), 4)
      assert.include(lines(ended.stderr)[0], ended.stdout.trim())
    }
  )
  claim("after a time-out the printed command goes on to the end", { lifecycles: creating(60) }, function* ({ run }) {
    const first = fails(yield* run("share create NFS 1 --wait --timeout 5 -f value -c id"), 4)
    const command = goOn(first)
    assert.match(command.join(" "), /^wait --resume mw1\.\S+ --timeout 5$/)
    // The whole limit once more.
    const second = fails(yield* run([...command, "-f", "json"]), 4)
    assert.strictEqual(second.millis, 5000)
    const id = first.stdout.trim()
    assert.deepStrictEqual(json(second), [{ Kind: "share", ID: id, Name: null, Status: "creating", Matched: null }])
    const third = ok(yield* run(["wait", "--resume", tokenOf(first), "-f", "json"]))
    assert.strictEqual(json(third)[0].Status, "available")
    assert.deepStrictEqual([...new Set(third.requests)], [`GET /shares/${id}`])
  })
  claim("after an interruption the rest of the limit is left", { lifecycles: endless }, function* ({ run }) {
    const first = fails(
      yield* run("share create NFS 1 --wait --timeout 60", {
        meanwhile: (stdio) =>
          Effect.delay(
            Effect.sync(() => stdio.signal("SIGINT")),
            "22 seconds"
          )
      }),
      130
    )
    assert.strictEqual(fails(yield* run(goOn(first)), 4).millis, 38_000)
  })
  claim(
    "a resize keeps its size and its failures",
    {
      seed: { shares: [{ id: a, size: 1 }] },
      lifecycles: { "share.extend": { phases: phases(["extending", "20 seconds"], "extending_error") } }
    },
    function* ({ run }) {
      const first = fails(yield* run(`share resize ${a} 2 --wait --timeout 5`), 4)
      const second = fails(yield* run(["wait", "--resume", tokenOf(first)]), 3)
      assert.include(second.stderr, "available and 2 GiB")
      assert.include(second.stderr, "extending_error")
    }
  )
  claim(
    "flags that name the cloud are part of the command, secrets are not",
    { lifecycles: creating(20) },
    function* ({ cloud, run }) {
      const first = fails(
        yield* run(
          `share create NFS 1 --wait --timeout 5 --os-region-name RegionOne --os-password ${cloud.credentials.password} --os-share-api-version 2.60`
        ),
        4
      )
      const command = goOn(first)
      assert.include(command.join(" "), "--os-region-name RegionOne")
      assert.include(command.join(" "), "--os-share-api-version 2.60")
      assert.notInclude(first.stderr, cloud.credentials.password)
      const again = yield* run(command)
      assert.strictEqual(
        again.sent.find(({ path }) => path.startsWith("/shares/"))?.headers["x-openstack-manila-api-version"],
        "2.60"
      )
    }
  )
})

describe("Azure/azure-sdk-for-js#6955, Azure/azure-cli#3916: --no-wait gives a token that another process goes on with", () => {
  const verbs: ReadonlyArray<readonly [string, string, number]> = [
    ["share create", "share create NFS 1 --no-wait -f json", 0],
    ["share delete", `share delete ${a} --no-wait`, 0],
    ["share resize", `share resize ${b} 2 --no-wait`, 0],
    ["share revert", `share revert ${snapshot} --no-wait`, 0],
    ["share access create", `share access create ${b} ip 10.9.0.0/16 --no-wait`, 0],
    ["share access delete", `share access delete ${b} ${rule} --no-wait`, 0],
    ["share snapshot create", `share snapshot create ${b} --no-wait`, 0],
    ["share snapshot delete", `share snapshot delete ${snapshot} --no-wait`, 0]
  ]
  const seed = {
    shares: [{ id: a }, { id: b }],
    snapshots: [{ id: snapshot, share_id: b }],
    accessRules: [{ id: rule, share_id: b, access_to: "10.0.0.0/24" }]
  }
  for (const [name, line, code] of verbs) {
    claim(`${name}: to its good end`, { seed }, function* ({ run }) {
      const first = fails(yield* run(line), code)
      assert.notInclude(first.stdout, "mw1.")
      assert.strictEqual(countOf(first, "GET /shares/"), name === "share resize" ? 1 : 0)
      const second = ok(yield* run([...goOn(first), "-f", "json"]))
      assert.isNotNull(json(second)[0].Matched)
    })
  }
  claim("the record has no key more than without", {}, function* ({ run }) {
    const plain = ok(yield* run("share create NFS 1 -f json"))
    const noWait = ok(yield* run("share create NFS 1 --no-wait -f json"))
    assert.deepStrictEqual(Object.keys(json(noWait)), Object.keys(json(plain)))
    assert.strictEqual(plain.stderr, "")
  })
  claim("as an event", {}, function* ({ run }) {
    const ended = ok(yield* run("share create NFS 1 --no-wait --progress json -f value -c id"))
    const [event] = events(ended)
    assert.strictEqual(event.event, "resume")
    assert.strictEqual(event.id, ended.stdout.trim())
    assert.strictEqual(event.resume.command, `manila wait --resume ${event.resume.token}`)
  })
  claim(
    "a limit begins when the request is accepted, and a process that comes too late looks once",
    { lifecycles: endless },
    function* ({ run }) {
      const first = ok(yield* run("share create NFS 1 --no-wait --timeout 60"))
      yield* Effect.sleep("20 seconds")
      assert.strictEqual(fails(yield* run(goOn(first)), 4).millis, 40_000)
      const late = fails(yield* run(goOn(first)), 4)
      assert.strictEqual(late.millis, 0)
      assert.strictEqual(countOf(late, "GET /shares/"), 1)
    }
  )
  claim(
    "a delete's default limit begins with the process that waits",
    { seed, lifecycles: { "share.delete": { phases: phases("deleting") } } },
    function* ({ run }) {
      const first = ok(yield* run(`share delete ${a} --no-wait`))
      yield* Effect.sleep("1 hour")
      assert.strictEqual(fails(yield* run(goOn(first)), 4).millis, 300_000)
    }
  )
  for (const [why, change] of [
    ["cut off", (token: string) => token.slice(0, -3)],
    ["cut in half", (token: string) => token.slice(0, token.length / 2)],
    ["changed", (token: string) => token.replace(/.(.{8})$/, "x$1")],
    ["of a newer version", (token: string) => token.replace("mw1.", "mw2.")],
    ["empty", () => ""]
  ] as const) {
    claim(`a token that is ${why} is a usage error, and nothing is sent`, {}, function* ({ run }) {
      const first = ok(yield* run("share create NFS 1 --no-wait"))
      const ended = fails(yield* run(["wait", `--resume=${change(tokenOf(first))}`]), 2)
      assert.deepStrictEqual(ended.sent, [])
      assert.strictEqual(ended.stdout, "")
    })
  }
  for (const [what, env] of [
    ["region", { OS_REGION_NAME: "RegionTwo" }],
    ["project", { OS_PROJECT_NAME: "other" }],
    ["identity service", { OS_AUTH_URL: "http://elsewhere.test/v3" }]
  ] as const) {
    claim(`a token of another ${what} too: not even a token is asked for`, {}, function* ({ run }) {
      const first = ok(yield* run("share create NFS 1 --no-wait"))
      const ended = fails(yield* run(goOn(first), { env }), 2)
      assert.include(ended.stderr, "another cloud or project")
      assert.deepStrictEqual(ended.sent, [])
    })
  }
})
