/**
 * What people, other people's programs and other people's servers do.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as Effect from "effect/Effect"
import { assert, describe } from "vitest"
import { claim } from "./support/claim.ts"
import { countOf, fails, ids, json, lastBody, lines, ok } from "./support/Manila.ts"

const { a, b, none, rule, snapshot } = ids

describe("names", () => {
  const names = [
    "--force",
    "--",
    "a b",
    "データ",
    "👩‍👩‍👧",
    'say "x"',
    "a&b=c?d#e/f%2F",
    "..",
    "null",
    "  padded  ",
    "deadbeef"
  ]
  claim(
    "of any kind are found, shown and deleted",
    { seed: { shares: names.map((name) => ({ name })) } },
    function* ({ run }) {
      for (const name of names) {
        const shown = ok(yield* run(["share", "show", "-f", "json", "--", name]))
        assert.strictEqual(json(shown).name, name)
        assert.strictEqual(shown.sent.find(({ path }) => path === "/shares/detail")?.query["name"], name)
        assert.strictEqual(countOf(ok(yield* run(["share", "delete", "--", name])), "DELETE"), 1)
      }
    }
  )
  claim("of any kind are made", {}, function* ({ run }) {
    for (const name of names) {
      const ended = ok(yield* run(["share", "create", `--name=${name}`, "NFS", "1", "--wait", "-f", "json"]))
      assert.strictEqual(json(ended).name, name)
    }
  })
  claim("a name that looks like a flag is asked to be written with =", {}, function* ({ run }) {
    const ended = fails(yield* run("share create NFS 1 --name --force"), 2)
    assert.include(ended.stderr, "--name=--force")
  })
  claim(
    "escape sequences in a name do nothing on a terminal",
    { seed: { shares: [{ id: a, name: "\u001b[31mred\u0007\n\u001b]0;x\u0007", status: "creating" }] } },
    function* ({ run }) {
      for (const line of [`share show ${a}`, "share list", `wait share ${a} --for available --timeout 5`]) {
        const ended = yield* run(line)
        // eslint-disable-next-line no-control-regex
        assert.notMatch(ended.stdout + ended.stderr, /[\u0000-\u0009\u000b-\u001f\u007f]/, line)
      }
    }
  )
  claim("an id in capitals, or without dashes, is an id", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    for (const id of [a.toUpperCase(), a.replaceAll("-", "")]) {
      assert.strictEqual(countOf(yield* run(["share", "show", id]), "GET /shares/detail"), 0)
    }
  })
  claim(
    "an empty argument is a usage error, whatever is named so",
    { seed: { shares: [{ id: a, name: "" }, { id: b }] } },
    function* ({ run }) {
      for (const words of [
        ["share", "delete", ""],
        ["share", "delete", b, ""],
        ["share", "show", ""],
        ["share", "access", "show", ""],
        ["share", "message", "delete", ""],
        ["wait", "share", "", "--for", "deleted"]
      ]) {
        const ended = fails(yield* run(words), 2)
        assert.deepStrictEqual(ended.sent, [])
      }
    }
  )
  claim(
    "an empty option is one that isn't given",
    { seed: { shares: [{ id: a }], shareNetworks: [{ name: "" }] } },
    function* ({ run }) {
      const made = ok(
        yield* run(["share", "create", "NFS", "1", "--share-network", "", "--share-type", "", "--snapshot-id", ""])
      )
      assert.deepStrictEqual(made.requests, ["POST /shares"])
      assert.deepStrictEqual(lastBody(made), { share: { share_proto: "NFS", size: 1 } })
      assert.strictEqual(
        ok(yield* run(["share", "list", "--share-network", "", "--name", ""])).requests[0],
        "GET /shares/detail?with_count=true&limit=1000"
      )
    }
  )
  claim(
    "a server that ignores the name filter does not make us take the wrong one",
    {
      seed: { shares: [{ id: a, name: "web" }] },
      faults: [
        Faults.on(
          { path: "shares/detail" },
          Faults.status(200, { body: JSON.stringify({ shares: [{ id: b, name: "other", status: "available" }] }) })
        )
      ]
    },
    function* ({ run }) {
      const ended = fails(yield* run("share delete web"), 5)
      assert.strictEqual(countOf(ended, "DELETE"), 0)
    }
  )
})

describe("ids of other kinds", () => {
  claim(
    "are not found",
    {
      seed: {
        shares: [{ id: a }],
        snapshots: [{ id: snapshot, share_id: a }],
        accessRules: [{ id: rule, share_id: a }]
      }
    },
    function* ({ run }) {
      for (const line of [
        `share show ${snapshot}`,
        `share snapshot show ${a}`,
        `share access show ${a}`,
        `share message show ${a}`,
        `share type show ${a}`,
        `share resize ${snapshot} 5`,
        `share revert ${a}`,
        `share delete ${rule}`,
        `share properties show ${snapshot}`,
        `share export location list ${snapshot}`
      ]) {
        const ended = fails(yield* run(line), 5)
        assert.include(
          ended.stderr,
          line.split(" ").find((word) => /^[0-9a-f]{8}-/.test(word))!,
          line
        )
      }
    }
  )
})

describe("a server that is none, or not well", () => {
  for (const [what, outcome] of [
    [
      "HTML with 200",
      Faults.status(200, { headers: { "content-type": "text/html" }, body: "<html><h1>Welcome</h1></html>" })
    ],
    ["HTML with 502", Faults.html()],
    ["an empty body", Faults.status(200, { body: "" })],
    ["a list where a record should be", Faults.status(200, { body: `{"share":[]}` })],
    ["JSON of something else", Faults.status(200, { body: `{"hello":"world"}` })],
    ["null", Faults.status(200, { body: "null" })]
  ] as const) {
    claim(
      `${what} is an error in a sentence or two`,
      { seed: { shares: [{ id: a }] }, faults: [Faults.on({ method: "GET", path: "shares/*" }, outcome)] },
      function* ({ run }) {
        const ended = fails(yield* run(`share show ${a}`), 1)
        assert.strictEqual(lines(ended.stderr).length, 1)
        assert.isBelow(ended.stderr.length, 400)
        assert.notInclude(ended.stderr, "<h1>")
        assert.notMatch(ended.stderr, /internal error|\bat .*:\d+|ParseError/)
        assert.strictEqual(ended.stdout, "")
      }
    )
  }
  claim(
    "a look with HTML is borne, ten times in a row",
    {
      seed: { shares: [{ id: a }] },
      faults: [Faults.on({ method: "GET", path: "shares/*", nth: { from: 1, to: 10 } }, Faults.html(200))]
    },
    function* ({ run }) {
      ok(yield* run(`wait share ${a} --for available`))
    }
  )
  claim(
    "a redirect is an error, not followed with our token",
    {
      faults: [
        Faults.on({ path: "shares/detail" }, Faults.status(302, { headers: { location: "http://elsewhere.test/" } }))
      ]
    },
    function* ({ run }) {
      const ended = yield* run("share list")
      assert.notStrictEqual(ended.code, 0)
      assert.strictEqual(lines(ended.stderr).length, 1)
    }
  )
  claim(
    "an identity service that answers with HTML",
    { faults: [Faults.on({ service: "identity" }, Faults.html(200))] },
    function* ({ run }) {
      const ended = yield* run("share list")
      assert.notStrictEqual(ended.code, 0)
      assert.strictEqual(lines(ended.stderr).length, 1)
      assert.notMatch(ended.stderr, /internal error/)
    }
  )
  claim(
    "fields nobody knows are shown",
    {
      seed: { shares: [{ id: a }] },
      faults: [
        Faults.on(
          { method: "GET", path: `shares/${a}` },
          Faults.status(200, {
            body: JSON.stringify({ share: { id: a, status: "available", zz_new: { deep: [1, null] } } })
          })
        )
      ]
    },
    function* ({ run }) {
      assert.deepStrictEqual(json(ok(yield* run(`share show ${a} -f json`))).zz_new, { deep: [1, null] })
      ok(yield* run(`share show ${a}`))
    }
  )
})

describe("lists", () => {
  claim("that are empty print a blank line as a table, [] as JSON, nothing as values", {}, function* ({ run }) {
    for (const line of ["share list", "share list --long", "share snapshot list", "share message list"]) {
      assert.strictEqual(ok(yield* run(line)).stdout, "\n")
      assert.strictEqual(ok(yield* run(`${line} -f json`)).stdout, "[]\n")
      assert.strictEqual(ok(yield* run(`${line} -f value`)).stdout, "")
      assert.include(ok(yield* run(`${line} --print-empty`)).stdout, "| ID ")
    }
  })
  claim(
    "are sorted by the columns asked for, in either direction",
    { seed: { shares: [3, 20, 1].map((size) => ({ name: `s${size}`, size })) } },
    function* ({ run }) {
      const sizes = (text: string) => lines(text).map(Number)
      assert.deepStrictEqual(sizes(ok(yield* run("share list -f value -c Size --sort-column Size")).stdout), [1, 3, 20])
      assert.deepStrictEqual(
        sizes(ok(yield* run("share list -f value -c Size --sort-column Size --sort-descending")).stdout),
        [20, 3, 1]
      )
      assert.deepStrictEqual(lines(ok(yield* run("share list -f value -c Name --sort name:desc")).stdout), [
        "s3",
        "s20",
        "s1"
      ])
    }
  )
  claim("a --marker that is no number is refused before anything is sent", {}, function* ({ run }) {
    for (const line of [`share list --marker ${a}`, `share snapshot list --marker ${a}`]) {
      const ended = fails(yield* run(line), 2)
      assert.include(ended.stderr, "--marker")
      assert.deepStrictEqual(ended.requests, [])
    }
  })
})

describe("changes", () => {
  claim(
    "to the size it has: nothing to do, and nothing sent",
    { seed: { shares: [{ id: a, size: 5 }] } },
    function* ({ run }) {
      const ended = yield* run(`share resize ${a} 5 --wait`)
      assert.notStrictEqual(ended.code, 0)
      assert.include(ended.stderr, "5 GiB already")
      assert.strictEqual(countOf(ended, "POST"), 0)
    }
  )
  claim("to sizes that are none", { seed: { shares: [{ id: a, size: 5 }] } }, function* ({ run }) {
    for (const size of ["0", "-1", "1.5", "x", "1e3", "99999999999999999999"]) {
      const ended = yield* run(["share", "resize", a, "--", size])
      assert.notStrictEqual(ended.code, 0, size)
      assert.strictEqual(lines(ended.stderr).length <= 2, true)
    }
  })
  claim(
    "a share that somebody else deletes in the middle of a resize",
    { seed: { shares: [{ id: a }] }, lifecycles: { "share.extend": { phases: phases("extending") } } },
    function* ({ cloud, run }) {
      const ended = fails(
        yield* run(`share resize ${a} 5 --wait`, {
          meanwhile: () => Effect.delay(cloud.script(a, phases(["deleting", "1 second"], "gone")), "7 seconds")
        }),
        3
      )
      assert.match(ended.stderr, /gone|deleting/)
    }
  )
  claim(
    "a share that is gone between look-up and delete",
    { seed: { shares: [{ id: a, name: "web" }] }, faults: [Faults.on({ method: "DELETE" }, Faults.status(404))] },
    function* ({ run }) {
      assert.include(fails(yield* run("share delete web --wait"), 5).stderr, "web")
      ok(yield* run("share delete web --wait --ignore-missing"))
    }
  )
  claim(
    "parts that fail don't keep the others from being tried",
    { seed: { shares: [{ id: a, name: "web" }] } },
    function* ({ run }) {
      const ended = fails(yield* run(`share set ${a} --name new --status error`), 9)
      assert.deepStrictEqual(ended.requests, [`PUT /shares/${a}`, `POST /shares/${a}/action`])
      assert.include(ended.stderr, a)
      assert.strictEqual(json(ok(yield* run(`share show ${a} -f json`))).name, "new")
    }
  )
  claim("property keys and values of any kind", { seed: { shares: [{ id: a }] } }, function* ({ run }) {
    ok(yield* run(["share", "set", a, "--property", "k=a=b", "--property", "ü=日本", "--property", "e=-"]))
    assert.deepStrictEqual(json(ok(yield* run(`share properties show ${a} -f json`))), { k: "a=b", ü: "日本", e: "-" })
    ok(yield* run(["share", "unset", a, "--property", "ü"]))
    assert.deepStrictEqual(json(ok(yield* run(`share properties show ${a} -f json`))), { k: "a=b", e: "-" })
    assert.strictEqual(ok(yield* run(["share", "properties", "show", a, "-f", "value", "-c", "k"])).stdout, "a=b\n")
  })
  claim(
    "a create from a snapshot is at least as large as it",
    { seed: { shares: [{ id: a, size: 7 }], snapshots: [{ id: snapshot, share_id: a }] } },
    function* ({ run }) {
      const ended = ok(yield* run(`share create NFS 1 --snapshot-id ${snapshot}`))
      assert.strictEqual(lastBody(ended).share.size, 7)
    }
  )
  claim(
    "--public that is neither true nor false is refused before anything is sent",
    { seed: { shares: [{ id: a }] } },
    function* ({ run }) {
      for (const line of ["share create NFS 1 --public maybe", `share set ${a} --public maybe`]) {
        const ended = fails(yield* run(line), 2)
        assert.deepStrictEqual(ended.requests, [])
      }
    }
  )
  claim(
    "a rule of another share is not denied",
    { seed: { shares: [{ id: a }, { id: b }], accessRules: [{ id: rule, share_id: b }] } },
    function* ({ run }) {
      const ended = yield* run(`share access delete ${a} ${rule} --wait`)
      assert.notStrictEqual(ended.code, 0)
    }
  )
})

describe("connections", () => {
  claim("a host nobody knows is named, once", {}, function* ({ run }) {
    const ended = fails(yield* run("share list", { env: { OS_AUTH_URL: "http://nowhere.test/v3" } }), 1)
    assert.include(ended.stderr, "nowhere.test")
    assert.strictEqual(lines(ended.stderr).length, 1)
  })
  claim("a region nobody has is answered with those there are", {}, function* ({ run }) {
    const ended = fails(yield* run("share list --os-region-name Mars"), 1)
    assert.include(ended.stderr, "RegionOne")
  })
  claim(
    "a read is repeated, three times in all",
    { faults: [Faults.on({ path: "shares/detail" }, Faults.status(503))] },
    function* ({ run }) {
      const ended = fails(yield* run("share list"), 1)
      assert.strictEqual(countOf(ended, "GET /shares/detail"), 3)
      assert.include(ended.stderr, "503")
    }
  )
  claim("no configuration at all says what is missing", {}, function* ({ run }) {
    const nothing = Object.fromEntries(
      [
        "AUTH_URL",
        "USERNAME",
        "PASSWORD",
        "USER_DOMAIN_NAME",
        "PROJECT_NAME",
        "PROJECT_DOMAIN_NAME",
        "REGION_NAME"
      ].map((name) => [`OS_${name}`, ""])
    )
    const ended = fails(yield* run("share list", { env: nothing }), 1)
    assert.include(ended.stderr, "clouds.yaml")
    assert.deepStrictEqual(ended.sent, [])
  })
  claim("a wait on an id that is none of ours ends at once", {}, function* ({ run }) {
    assert.strictEqual(fails(yield* run(`wait share ${none} --for available`), 5).millis, 0)
  })
})
