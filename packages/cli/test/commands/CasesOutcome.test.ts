/**
 * Which states end a wait: cases that users of other clients ran into, each named by its claim and by a public report,
 * with neighbours (another verb, another resource, another status). The list of all is in `cases.md`.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, fails, ids, json, lines, ok } from "./support/Manila.ts"

const phasesOf = (...statuses: ReadonlyArray<string>) => ({
  phases: phases(
    ...statuses.map((status, at) => (at === statuses.length - 1 ? status : ([status, "3 seconds"] as const)))
  )
})

const later = <A>(seconds: number, effect: Effect.Effect<A>) => Effect.delay(effect, `${seconds} seconds`)

/** The administrator, in the member's project. */
const demo = { OS_PROJECT_NAME: "demo" }

const { a, b, c, rule, snapshot } = ids

const share = { id: a, name: "web" }
const seed = {
  shares: [share],
  snapshots: [{ id: snapshot, name: "nightly", share_id: a }],
  accessRules: [{ id: rule, share_id: a, access_to: "10.0.0.0/24" }]
}

describe("Azure/azure-cli#34004: a wait that ends in an error is an error", () => {
  claim("share create", { lifecycles: { "share.create": phasesOf("creating", "error") } }, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --wait -f json"), 3)
    assert.strictEqual(json(ended).status, "error")
    assert.include(ended.stderr, json(ended).id)
    assert.include(ended.stderr, "status error")
    assert.match(ended.stderr, /create: No storage|No back end|create: /)
    assert.strictEqual(countOf(ended, "GET /shares/"), 2)
  })
  claim(
    "snapshot create",
    { seed, lifecycles: { "snapshot.create": phasesOf("creating", "error") } },
    function* ({ run }) {
      const ended = fails(yield* run("share snapshot create web --wait -f json"), 3)
      assert.strictEqual(json(ended).status, "error")
      assert.include(ended.stderr, `share snapshot ${json(ended).id}`.replace("share ", ""))
    }
  )
  claim("access create", { seed, lifecycles: { "access.create": phasesOf("applying", "error") } }, function* ({ run }) {
    const ended = fails(yield* run("share access create web ip 10.9.0.0/16 --wait -f json"), 3)
    assert.strictEqual(json(ended).state, "error")
    assert.include(ended.stderr, `manila share access delete ${a} ${json(ended).id}`)
  })
  claim(
    "an error without a reason of the service is one too",
    {
      lifecycles: { "share.create": phasesOf("error") },
      faults: [Faults.on({ path: "messages" }, Faults.status(503))]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait -f value -c status"), 3)
      assert.strictEqual(ended.stdout, "error\n")
      assert.strictEqual(countOf(ended, "GET /messages"), 1)
    }
  )
})

describe("osc-lib wait_for_status: every failure status ends a wait on the look that sees it", () => {
  for (const [verb, size, status] of [
    ["extend", 2, "extending_error"],
    ["shrink", 1, "shrinking_error"],
    ["shrink", 1, "shrinking_possible_data_loss_error"]
  ] as const) {
    claim(
      `resize into ${status}`,
      {
        seed: { shares: [{ ...share, size: verb === "extend" ? 1 : 5 }] },
        lifecycles: { [`share.${verb}`]: phasesOf(verb === "extend" ? "extending" : "shrinking", status) }
      },
      function* ({ run }) {
        const ended = fails(yield* run(`share resize ${a} ${size} --wait`), 3)
        assert.include(ended.stderr, `status ${status}`)
        assert.strictEqual(ended.millis, 5000)
        // One to see the size, two looks.
        assert.strictEqual(countOf(ended, `GET /shares/${a}`), 3)
      }
    )
  }
  claim(
    "revert into reverting_error",
    {
      seed,
      lifecycles: { "share.revert": phasesOf("reverting", "reverting_error") }
    },
    function* ({ run }) {
      assert.include(fails(yield* run("share revert nightly --wait"), 3).stderr, "status reverting_error")
    }
  )
  claim(
    "a driver's own error status, by its name",
    {
      seed,
      lifecycles: { "share.extend": phasesOf("extending", "backend_error") }
    },
    function* ({ run }) {
      assert.include(fails(yield* run(`share resize ${a} 2 --wait`), 3).stderr, "status backend_error")
    }
  )
})

describe("velero-plugin-for-openstack#90: a delete that ends in error_deleting is noticed at once, with the reason", () => {
  claim(
    "share",
    {
      seed,
      lifecycles: {
        "share.delete": {
          phases: phases(["deleting", "3 seconds"], "error_deleting"),
          reason: { detailId: "008", message: "the driver refused" }
        }
      }
    },
    function* ({ cloud, run }) {
      const other = yield* cloud.share({ name: "plain" })
      const ended = fails(yield* run(`share delete ${other.id} --wait`), 3)
      assert.strictEqual(ended.millis, 5000)
      assert.include(ended.stderr, "error_deleting")
      assert.include(ended.stderr, "the driver refused (detail 008)")
    }
  )
  claim(
    "snapshot",
    { seed, lifecycles: { "snapshot.delete": phasesOf("deleting", "error_deleting") } },
    function* ({ run }) {
      const ended = fails(yield* run("share snapshot delete nightly --wait"), 3)
      assert.strictEqual(ended.millis, 5000)
    }
  )
  claim(
    "force delete",
    { seed: { shares: [share] }, lifecycles: { "share.force_delete": phasesOf("deleting", "error_deleting") } },
    function* ({ run }) {
      const ended = fails(yield* run("share delete web --force --wait", { as: "admin", env: demo }), 3)
      assert.strictEqual(ended.millis, 5000)
    }
  )
  claim(
    "access rule, which has a state and no status",
    { seed, lifecycles: { "access.delete": phasesOf("denying", "error") } },
    function* ({ run }) {
      const ended = fails(yield* run(`share access delete web ${rule} --wait`), 3)
      assert.strictEqual(ended.millis, 5000)
    }
  )
})

describe("TPO#582, TPO#580: the old state seen straight after an accepted request is no verdict", () => {
  claim(
    "share delete: available, deleting, gone",
    {
      seed: { shares: [share] },
      lifecycles: { "share.delete": { phases: phases(["available", "4 seconds"], ["deleting", "4 seconds"], "gone") } }
    },
    function* ({ run }) {
      const ended = ok(yield* run(`share delete ${a} --wait`))
      assert.strictEqual(countOf(ended, `GET /shares/${a}`), 3)
    }
  )
  claim(
    "access delete: active, queued_to_deny, denying, gone",
    {
      seed,
      lifecycles: {
        "access.delete": {
          phases: phases(["active", "4 seconds"], ["queued_to_deny", "4 seconds"], ["denying", "4 seconds"], "gone")
        }
      }
    },
    function* ({ run }) {
      const ended = ok(yield* run(`share access delete ${a} ${rule} --wait`))
      assert.strictEqual(countOf(ended, "GET /share-access-rules/"), 4)
    }
  )
  claim(
    "snapshot delete: available, deleting, gone",
    {
      seed,
      lifecycles: {
        "snapshot.delete": { phases: phases(["available", "4 seconds"], ["deleting", "4 seconds"], "gone") }
      }
    },
    function* ({ run }) {
      ok(yield* run(`share snapshot delete ${snapshot} --wait`))
    }
  )
  claim(
    "delete of a share in error: error first is the old state",
    {
      seed: { shares: [{ ...share, status: "error" }] },
      lifecycles: { "share.delete": { phases: phases(["error", "4 seconds"], ["deleting", "4 seconds"], "gone") } }
    },
    function* ({ run }) {
      ok(yield* run("share delete web --wait"))
    }
  )
  claim(
    "back at available after deleting is a delete that was undone",
    {
      seed: { shares: [share] },
      lifecycles: { "share.delete": { phases: phases(["deleting", "4 seconds"], "available") } }
    },
    function* ({ run }) {
      assert.include(fails(yield* run("share delete web --wait"), 3).stderr, "back at available")
    }
  )
})

describe("hashicorp/terraform#3045: a status nobody knows is shown and does not end a wait", () => {
  claim(
    "share create",
    {
      lifecycles: {
        "share.create": { phases: phases(["creating", "4 seconds"], ["some_new_status", "4 seconds"], "available") }
      }
    },
    function* ({ run }) {
      const ended = ok(yield* run("share create NFS 1 --wait -f value -c status"))
      assert.strictEqual(ended.stdout, "available\n")
      assert.include(ended.stderr, "some_new_status")
    }
  )
  claim(
    "share resize",
    {
      seed,
      lifecycles: {
        "share.extend": { phases: phases(["extending", "4 seconds"], ["rebalancing", "4 seconds"], "available") }
      }
    },
    function* ({ run }) {
      assert.include(ok(yield* run(`share resize ${a} 2 --wait`)).stderr, "rebalancing")
    }
  )
})

describe("LP 1528996: what is gone, or says that it is deleted, is deleted", () => {
  const told = (stderr: string) => lines(stderr).filter((line) => /: deleted after/.test(line))
  claim(
    "a share that stays readable as deleted",
    {
      seed: { shares: [share] },
      lifecycles: { "share.delete": { phases: phases(["deleting", "4 seconds"], "deleted") } }
    },
    function* ({ run }) {
      const ended = ok(yield* run(`share delete ${a} --wait`))
      assert.strictEqual(told(ended.stderr).length, 1)
      assert.strictEqual(
        lines(ended.stderr).filter((line) => /\bdeleted\b/.test(line) && !/waiting for/.test(line)).length,
        1
      )
    }
  )
  claim(
    "404 on the very first look",
    {
      seed: { shares: [share] },
      lifecycles: { "share.delete": { phases: phases("gone") } }
    },
    function* ({ run }) {
      const ended = ok(yield* run(`share delete ${a} --wait`))
      assert.strictEqual(told(ended.stderr).length, 1)
      assert.strictEqual(ended.millis, 0)
    }
  )
  claim(
    "410 is not taken for 404: it is an answer nobody expects",
    {
      seed: { shares: [share] },
      faults: [Faults.on({ method: "GET", path: "shares/*" }, Faults.status(410, { body: "gone" }))]
    },
    function* ({ run }) {
      fails(yield* run(`share delete ${a} --wait`), 1)
    }
  )
})

describe("aws/aws-cli#2849, aws/aws-sdk-ruby#2586: a target that can't be reached any more ends a wait", () => {
  claim(
    "creating, then deleting",
    { seed: { shares: [{ ...share, phases: phases(["creating", "4 seconds"], ["deleting", "1 hour"], "gone") }] } },
    function* ({ run }) {
      const ended = fails(yield* run(`wait share ${a} --for available`), 3)
      assert.include(ended.stderr, "available can't be reached from deleting")
      assert.strictEqual(ended.millis, 5000)
    }
  )
  claim(
    "creating, then gone",
    { seed: { shares: [{ ...share, phases: phases(["creating", "4 seconds"], "gone") }] } },
    function* ({ run }) {
      const ended = fails(yield* run(`wait share ${a} --for available`), 3)
      assert.include(ended.stderr, "it was there and is gone")
    }
  )
  claim(
    "a create whose share is deleted by somebody else",
    {
      lifecycles: { "share.create": { phases: phases(["creating", "4 seconds"], ["deleting", "4 seconds"], "gone") } }
    },
    function* ({ run }) {
      const ended = fails(yield* run("share create NFS 1 --wait -f value -c status"), 3)
      assert.strictEqual(ended.stdout, "deleting\n")
    }
  )
  claim(
    "an access rule that is being denied",
    {
      seed,
      lifecycles: { "access.create": { phases: phases(["applying", "4 seconds"], ["denying", "1 hour"], "gone") } }
    },
    function* ({ run }) {
      assert.include(fails(yield* run("share access create web ip 10.9.0.0/16 --wait"), 3).stderr, "denying")
    }
  )
})

describe("Azure/azure-cli#32961: the old steady state is not taken for the new one", () => {
  claim(
    "a resize is done at available and the new size",
    {
      seed,
      // The first look after the request still shows the share as it was.
      faults: [
        Faults.on(
          { method: "GET", path: "shares/*", nth: 2 },
          Faults.status(200, { body: JSON.stringify({ share: { ...share, status: "available", size: 1 } }) })
        )
      ],
      lifecycles: { "share.extend": { phases: phases(["extending", "8 seconds"], "available") } }
    },
    function* ({ run }) {
      const ended = ok(yield* run(`share resize ${a} 2 --wait`))
      assert.strictEqual(ended.millis, 10_000)
      assert.strictEqual(countOf(ended, `GET /shares/${a}`), 4)
    }
  )
  claim(
    "a revert is done once it has begun",
    {
      seed,
      lifecycles: {
        "share.revert": { phases: phases(["available", "4 seconds"], ["reverting", "4 seconds"], "available") }
      }
    },
    function* ({ run }) {
      assert.strictEqual(ok(yield* run(`share revert ${snapshot} --wait`)).millis, 10_000)
    }
  )
  claim(
    "a resize that changes nothing is told after a minute",
    {
      seed,
      lifecycles: { "share.extend": { phases: phases("available"), effect: "none" } }
    },
    function* ({ run }) {
      const ended = fails(yield* run(`share resize ${a} 2 --wait`), 3)
      assert.include(ended.stderr, "did not take effect")
      assert.strictEqual(ended.millis, 60_000)
    }
  )
  claim(
    "a resize that is rolled back is told",
    {
      seed,
      lifecycles: { "share.extend": { phases: phases(["extending", "4 seconds"], "available"), effect: "none" } }
    },
    function* ({ run }) {
      assert.include(fails(yield* run(`share resize ${a} 2 --wait`), 3).stderr, "back at available")
    }
  )
})

describe("kubernetes#65366, kubernetes#42594: an id is fixed by the first look-up", () => {
  claim("a new share of the same name is never met", { seed: { shares: [share] } }, function* ({ cloud, run }) {
    const ended = ok(
      yield* run("share delete web --wait", { meanwhile: () => later(1, cloud.share({ id: b, name: "web" })) })
    )
    assert.strictEqual(countOf(ended, "GET /shares/detail?name=web"), 1)
    assert.strictEqual(countOf(ended, `GET /shares/${b}`), 0)
  })
  claim(
    "nor by a wait for it",
    { seed: { shares: [{ ...share, phases: phases(["deleting", "7 seconds"], "gone") }] } },
    function* ({ cloud, run }) {
      const ended = ok(
        yield* run("wait share web --for deleted", { meanwhile: () => later(1, cloud.share({ id: b, name: "web" })) })
      )
      assert.strictEqual(countOf(ended, "GET /shares/detail?name=web"), 1)
      assert.strictEqual(countOf(ended, `GET /shares/${a}`), 3)
    }
  )
})

describe("kubernetes#100248, kubectl#1629: a wait may end well in one of several states", () => {
  const seed = { shares: [{ ...share, phases: phases(["creating", "4 seconds"], "error") }] }
  claim("--or error, and it is error: 0, and says so", { seed }, function* ({ run }) {
    const ended = ok(yield* run(`wait share ${a} --for available --or error -f json`))
    assert.deepStrictEqual(json(ended), [{ Kind: "share", ID: a, Name: "web", Status: "error", Matched: "error" }])
  })
  claim("the same answers without it are a failure", { seed }, function* ({ run }) {
    const ended = fails(yield* run(`wait share ${a} --for available -f json`), 3)
    assert.strictEqual(json(ended)[0].Matched, null)
  })
  claim("the first one is told as well", { seed: { shares: [share] } }, function* ({ run }) {
    assert.strictEqual(
      json(ok(yield* run(`wait share web --for AVAILABLE --or error -f json`)))[0].Matched,
      "available"
    )
  })
  claim(
    "--for available --or deleted, and it is deleted",
    { seed: { shares: [{ ...share, phases: phases(["deleting", "4 seconds"], "gone") }] } },
    function* ({ run }) {
      const ended = ok(yield* run(`wait share ${a} --for available --or deleted -f json`))
      assert.strictEqual(json(ended)[0].Matched, "deleted")
    }
  )
  claim(
    "snapshots too",
    { seed: { shares: [share], snapshots: [{ id: snapshot, share_id: a, status: "error" }] } },
    function* ({ run }) {
      assert.strictEqual(
        json(ok(yield* run(`share snapshot wait ${snapshot} --for available --or error -f json`)))[0].Matched,
        "error"
      )
    }
  )
})

describe("kubernetes#75227, kubectl#1516: what is not there yet", () => {
  claim(
    "with --allow-missing it is looked up by name until it is seen, then by its id",
    {},
    function* ({ cloud, run }) {
      const ended = ok(
        yield* run("share wait new --for available --allow-missing -f json", {
          meanwhile: () =>
            later(7, cloud.share({ id: b, name: "new", phases: phases(["creating", "6 seconds"], "available") }))
        })
      )
      assert.deepStrictEqual(ended.requests, [
        "GET /shares/detail?name=new&limit=1000",
        "GET /shares/detail?name=new&limit=1000",
        "GET /shares/detail?name=new&limit=1000",
        `GET /shares/${b}`
      ])
      assert.deepStrictEqual(json(ended), [
        { Kind: "share", ID: b, Name: "new", Status: "available", Matched: "available" }
      ])
      assert.include(ended.stderr, `share new is ${b}`)
    }
  )
  claim("without it a name nobody has ends at once", {}, function* ({ run }) {
    const ended = fails(yield* run("share wait new --for available"), 5)
    assert.deepStrictEqual(ended.requests, ["GET /shares/detail?name=new&limit=1000"])
    assert.strictEqual(ended.millis, 0)
  })
  claim("and so does an id", {}, function* ({ run }) {
    const ended = fails(yield* run(`share wait ${c} --for available`), 5)
    assert.strictEqual(ended.millis, 0)
  })
})
