/**
 * How commands end, as exit codes: every ending with every command that can meet it, and what `openstack` gives for the
 * same.
 */
import * as Faults from "@effect-manila/test-kit/Faults"
import { phases } from "@effect-manila/test-kit/Lifecycle"
import * as ExitCode from "@effect-manila/cli/ExitCode"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { fails, ids, type Options, once, type RunOptions, type Steps } from "./support/Manila.ts"

const { a, b, none, rule, snapshot } = ids

const seed: NonNullable<Options["seed"]> = {
  shares: [
    { id: a, name: "web", size: 1 },
    { id: b, name: "data" }
  ],
  snapshots: [{ id: snapshot, name: "nightly", share_id: b }],
  accessRules: [{ id: rule, share_id: a, access_to: "10.0.0.0/24" }]
}

/** The action of the fake cloud, a wait that ends badly, and where the request that starts it goes. */
const waits: ReadonlyArray<{
  readonly command: string
  readonly line: string
  readonly action: string
  readonly during: string
  readonly failure: string
  readonly request: { readonly method: string; readonly path: string }
  readonly looked: string
}> = [
  {
    command: "share create",
    line: "share create NFS 1 --wait",
    action: "share.create",
    during: "creating",
    failure: "error",
    request: { method: "POST", path: "shares" },
    looked: "shares/*"
  },
  {
    command: "share delete",
    line: `share delete ${a} --wait`,
    action: "share.delete",
    during: "deleting",
    failure: "error_deleting",
    request: { method: "DELETE", path: "shares/*" },
    looked: "shares/*"
  },
  {
    command: "share resize",
    line: "share resize web 2 --wait",
    action: "share.extend",
    during: "extending",
    failure: "extending_error",
    request: { method: "POST", path: "action" },
    looked: "shares/*"
  },
  {
    command: "share revert",
    line: "share revert nightly --wait",
    action: "share.revert",
    during: "reverting",
    failure: "reverting_error",
    request: { method: "POST", path: "action" },
    looked: "shares/*"
  },
  {
    command: "share access create",
    line: `share access create ${a} ip 10.9.0.0/16 --wait`,
    action: "access.create",
    during: "applying",
    failure: "error",
    request: { method: "POST", path: "action" },
    looked: "share-access-rules/*"
  },
  {
    command: "share access delete",
    line: `share access delete ${a} ${rule} --wait`,
    action: "access.delete",
    during: "denying",
    failure: "error",
    request: { method: "POST", path: "action" },
    looked: "share-access-rules/*"
  },
  {
    command: "share snapshot create",
    line: `share snapshot create ${a} --wait`,
    action: "snapshot.create",
    during: "creating",
    failure: "error",
    request: { method: "POST", path: "snapshots" },
    looked: "snapshots/*"
  },
  {
    command: "share snapshot delete",
    line: `share snapshot delete ${snapshot} --wait`,
    action: "snapshot.delete",
    during: "deleting",
    failure: "error_deleting",
    request: { method: "DELETE", path: "snapshots/*" },
    looked: "snapshots/*"
  }
]

const both = (line: string, options: Options, code: number, osc: number, run: RunOptions = {}) => {
  fails(once(line, { seed, ...options }, run), code)
  fails(once(`${line} --exit-codes osc`, { seed, ...options }, run), osc)
}

/** Endings that don't depend on the command are `openstack`'s 1 alike: one of them is enough for each. */
const ours = (line: string, options: Options, code: number, run: RunOptions = {}) =>
  fails(once(line, { seed, ...options }, run), code)

describe.each(waits)("$command --wait", ({ action, command, during, failure, line, looked, request }) => {
  const lifecycles = (...steps: Steps) => ({ [action]: { phases: phases(...steps) } })
  const refused = (status: number, body?: string) => ({
    faults: [Faults.on(request, Faults.status(status, body === undefined ? {} : { body }))]
  })

  it("done: 0", () => ours(line, {}, 0))
  it("error, which openstack knows", () =>
    both(line, { lifecycles: lifecycles([during, "3 seconds"], "error") }, 3, ExitCode.openstackWaits[command]!.code))
  it("its own failure status, which openstack waits on", () =>
    both(
      line,
      { lifecycles: lifecycles([during, "3 seconds"], failure) },
      3,
      failure === "error" ? ExitCode.openstackWaits[command]!.code : 1
    ))
  it("time-out: 4 and 1", () => both(`${line} --timeout 10`, { lifecycles: lifecycles(during) }, 4, 1))
  it("too many faults: 1", () =>
    ours(
      `${line} --tolerate 1`,
      {
        lifecycles: lifecycles(during),
        faults: [Faults.on({ method: "GET", path: looked, nth: { from: 2 } }, Faults.status(503))]
      },
      1
    ))
  it("a look that is refused: 6", () =>
    ours(
      line,
      {
        lifecycles: lifecycles(during),
        faults: [
          Faults.on(
            { method: "GET", path: looked, nth: command === "share resize" ? { from: 1 } : { from: 2 } },
            Faults.status(403)
          )
        ]
      },
      6
    ))
  it("refused: 6 and 1", () => both(line, refused(403), 6, 1))
  it("a bad request: 1", () => ours(line, refused(400), 1))
  it("a conflict: 8", () => ours(line, refused(409), 8))
  it("not found: 5", () => ours(line, refused(404), 5))
  it("over quota: 7", () =>
    ours(line, refused(413, `{"overLimit":{"code":413,"message":"Quota exceeded.","retryAfter":"0"}}`), 7))
  it("no longer logged in: 6", () => ours(line, { faults: [Faults.on(request, Faults.expiredToken)] }, 6))
  it("its outcome is not known: 10", () => ours(line, { faults: [Faults.on(request, Faults.reset)] }, 10))
  it("interrupted: 130", () =>
    ours(line, { lifecycles: lifecycles(during) }, 130, {
      meanwhile: (stdio) =>
        Effect.delay(
          Effect.sync(() => stdio.signal("SIGINT")),
          "7 seconds"
        )
    }))
  it("a nonsense flag: 2 with both sets", () => both(`${line} --nonsense`, {}, 2, 2))
})

describe("without a wait", () => {
  it.each([
    ["an unknown name", "share show nobody", {}, 5, 1],
    ["an unknown id", `share show ${none}`, {}, 5, 1],
    ["a name of two", "share show twice", { seed: { shares: [{ name: "twice" }, { name: "twice" }] } }, 2, 1],
    ["a wrong password", "share list", {}, 6, 1],
    ["no such cloud", "share list --os-cloud nowhere", {}, 1, 1],
    ["several, not alike", `share delete ${a} nobody`, {}, 9, 1],
    ["several, all alike", "share delete nobody nothing", {}, 5, 1],
    ["a rule that is there", `share access create ${a} ip 10.0.0.0/24`, {}, 8, 1],
    ["a flag the cloud is too old for", "share list --name~ x", { microversion: { max: "2.7" } }, 1, 1],
    ["a column that isn't there", `share show ${a} -c nonsense`, {}, 2, 2],
    ["a cloud that is down", "share list", { faults: [Faults.on({ path: "shares/detail" }, Faults.reset)] }, 1, 1]
  ] as const)("%s: %s", (what, line, options, code, osc) => {
    both(line, options, code, osc, what === "a wrong password" ? { env: { OS_PASSWORD: "wrong" } } : {})
  })
  it("the set may come from a variable, and a flag wins", () => {
    const env = { MANILA_EXIT_CODES: "osc" }
    fails(once("share show nobody", {}, { env }), 1)
    fails(once("share show nobody --exit-codes manila", {}, { env }), 5)
  })
  it("a set that is none is refused", () => {
    assert.strictEqual(once("share list --exit-codes posix").code, 2)
    assert.strictEqual(once("share list", {}, { env: { MANILA_EXIT_CODES: "posix" } }).code, 2)
  })
})
