import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as WaitError from "@effect-manila/core/waiter/WaitError"
import * as Failure from "@effect-manila/cli/Failure"
import * as Share from "@effect-manila/cli/nouns/Share"
import { invoke } from "./support/Invoke.ts"

const report = {
  subject: { kind: "share", id: "36bd", name: "web", verb: "create" },
  wanted: "available",
  status: "error",
  statuses: [],
  looks: 3,
  elapsedMillis: 10_000,
  lastFault: null,
  observed: null
}

const failed = (over: Partial<ConstructorParameters<typeof WaitError.WaitFailed>[0]> = {}) =>
  new WaitError.WaitFailed({ ...report, cause: "status", detail: "status is error", reason: null, ...over })

describe("an error in words", () => {
  it("says what failed, which resource, the service's reason and what to try", () => {
    const silent = Failure.describe(failed(), "share create")
    assert.strictEqual(silent.ending, "failed")
    assert.strictEqual(silent.status, "error")
    assert.strictEqual(silent.id, "36bd")
    assert.match(
      silent.text,
      /^share web \(36bd\): create failed .*\. Messages of the service.* manila share message list --resource-id 36bd$/
    )
    const told = Failure.describe(
      failed({ reason: { message: "No valid host.", detailId: "002", requestId: "req-1" } }),
      "share create"
    )
    assert.match(told.text, /No valid host \(detail 002\) \[req-1\]$/)
    assert.notMatch(told.text, /message list/)
  })

  it.each([
    ["WaitTimedOut", {}, "timedOut"],
    ["WaitNeedsAction", {}, "needsAction"],
    ["WaitFailed", { cause: "goneAfterSeen" }, "failed"],
    ["WaitFailed", { cause: "notFound" }, "notFound"],
    ["NotFound", {}, "notFound"],
    ["Conflict", {}, "conflict"],
    ["AlreadyExists", {}, "exists"],
    ["NameAmbiguous", {}, "ambiguous"],
    ["BadRequest", {}, "badRequest"],
    ["Forbidden", {}, "forbidden"],
    ["Unauthorized", {}, "unauthorized"],
    ["OverQuota", {}, "quota"],
    ["NotSupported", {}, "other"],
    ["OutcomeUnknown", {}, "outcomeUnknown"],
    ["AuthenticationFailed", {}, "unauthorized"],
    ["NotScoped", {}, "unauthorized"],
    ["ConfigError", {}, "other"],
    ["EndpointNotFound", {}, "other"],
    ["IdentityFailed", { status: 403 }, "forbidden"],
    ["IdentityFailed", { status: 503 }, "other"],
    ["TransportFault", {}, "other"],
    ["Refused", {}, "usage"],
    ["UnknownColumn", {}, "usage"],
    ["SomethingNew", {}, "other"]
  ] as const)("%s %o ends as %s", (_tag, fields, ending) => {
    const failure = Failure.describe({ _tag, message: "it went wrong", ...fields }, "share create")
    assert.strictEqual(failure.ending, ending)
    assert.match(failure.text, /^it went wrong\./)
  })

  it("is never empty, and no dump of an object, even for what is no error", () => {
    for (const error of [undefined, null, "text", 7, {}, new Error("boom"), { _tag: "X" }]) {
      const { ending, text } = Failure.describe(error, "share show")
      assert.strictEqual(ending, "other")
      assert.notStrictEqual(text, "")
      assert.notMatch(text, /[{}]/)
    }
  })
})

describe("a command that fails", () => {
  const run = (error: { readonly _tag: string }, ...argv: Array<string>) =>
    invoke(Share.create, () => Effect.fail(error), ["share", "create", "NFS", "1", ...argv])

  it.effect("ends with its error's exit code and says it once on stderr", () =>
    Effect.gen(function* () {
      const ended = yield* run(failed())
      assert.strictEqual(ended.code, 3)
      assert.strictEqual(ended.stdout, "")
      assert.match(ended.stderr, /^manila: share web \(36bd\): .*\n$/)
      assert.strictEqual(ended.stderr.split("\n").length, 2)
    })
  )

  it.effect("ends as openstack's would where that is asked for: share create into error is 0", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run(failed(), "--exit-codes", "osc")).code, 0)
      assert.strictEqual((yield* run(failed({ status: "creating_error" }), "--exit-codes", "osc")).code, 1)
    })
  )

  it.effect("by a defect says so without a stack, which --debug shows", () =>
    Effect.gen(function* () {
      const defect = () => Effect.die(new TypeError("undefined is not a share"))
      const ended = yield* invoke(Share.create, defect, ["share", "create", "NFS", "1"])
      assert.deepStrictEqual([ended.code, ended.stdout], [1, ""])
      assert.strictEqual(ended.stderr, "manila: internal error: undefined is not a share\n")
      const debug = yield* invoke(Share.create, defect, ["share", "create", "NFS", "1", "--debug"])
      assert.match(debug.stderr, /at .*Failure\.test/)
    })
  )

  it.effect("logs to stderr, at the level asked for, and never to stdout", () =>
    Effect.gen(function* () {
      const logging = (...argv: Array<string>) =>
        invoke(
          Share.create,
          () =>
            Effect.zipRight(
              Effect.logDebug("fine"),
              Effect.zipRight(Effect.logInfo("more"), Effect.logWarning("careful"))
            ),
          ["share", "create", "NFS", "1", ...argv]
        )
      assert.deepStrictEqual(yield* logging(), { code: 0, stdout: "", stderr: "warn: careful\n" })
      assert.strictEqual((yield* logging("-v")).stderr, "info: more\nwarn: careful\n")
      assert.strictEqual((yield* logging("--debug")).stderr, "debug: fine\ninfo: more\nwarn: careful\n")
      assert.strictEqual((yield* logging("-q")).stderr, "warn: careful\n")
    })
  )
})

describe("a command with several results", () => {
  const results = (...endings: ReadonlyArray<"ok" | "notFound" | "failed">) =>
    invoke(Share.remove, () => Effect.succeed(endings.map((ending) => ({ ending }))), ["share", "delete", "a", "b"])

  it.effect("ends with their common code, or 9", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* results("ok", "ok")).code, 0)
      assert.strictEqual((yield* results("notFound", "notFound")).code, 5)
      assert.strictEqual((yield* results("ok", "notFound")).code, 9)
    })
  )
})
