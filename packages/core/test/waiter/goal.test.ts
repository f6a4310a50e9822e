import * as Goal from "@effect-manila/core/waiter/Goal"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as FastCheck from "effect/FastCheck"
import { pipe } from "effect/Function"
import * as Option from "effect/Option"
import { assert, describe, it } from "vitest"
import type { Look, Resource } from "./support/judge.ts"
import { none, reader, verdict, verdicts } from "./support/judge.ts"

const is = (status: string) => StatusGoal.present(reader, status, { missing: "allow" })
const gone = StatusGoal.absent(reader)
const action = Goal.make<Resource>("migrated", ({ seen }) =>
  Option.isSome(seen) && seen.value.status === "phase1_done"
    ? Goal.needsAction("phase1_done", "migration complete")
    : Goal.pending("migrating")
)

describe("both and either", () => {
  it("38. both is reached on a look that satisfies both", () => {
    const big = Goal.make<Resource>("5 GiB", ({ seen }) =>
      Option.isSome(seen) && seen.value.size === 5 ? Goal.reached("5 GiB", "5 GiB") : Goal.pending("small")
    )
    const goal = Goal.both(is("available"), big)
    const looks = [
      { status: "available", size: 1 },
      { status: "extending", size: 5 },
      { status: "available", size: 5 }
    ]
    assert.strictEqual(verdict(goal, looks), "Reached after 3")
    assert.deepStrictEqual(verdicts(goal, looks).at(-1), {
      _tag: "Reached",
      status: "available, 5 GiB",
      matched: "available and 5 GiB"
    })
    assert.strictEqual(verdict(pipe(is("available"), Goal.both(big)), looks), "Reached after 3")
  })

  it("38. both fails as soon as either fails, and a failure goes before an action", () => {
    assert.strictEqual(verdict(Goal.both(is("available"), gone), ["creating", "error"]), "Failed status after 2")
    assert.strictEqual(
      verdict(Goal.both(gone, is("available")), ["creating", "deleting"]),
      "Failed unreachable after 2"
    )
    assert.strictEqual(verdict(Goal.both(action, is("x")), ["phase1_done"]), "NeedsAction after 1")
    const failing = Goal.make<Resource>("never", () => Goal.failed("x", "status", "x"))
    for (const goal of [Goal.both(action, failing), Goal.both(failing, action)]) {
      assert.strictEqual(verdict(goal, ["phase1_done"]), "Failed status after 1")
    }
  })

  it("38. either says which was reached, the left one if both are", () => {
    const goal = Goal.either(is("available"), is("error"))
    assert.deepInclude(verdicts(goal, ["creating", "error"]).at(-1), { _tag: "Reached", matched: "error" })
    assert.deepInclude(verdicts(goal, ["creating", "available"]).at(-1), { _tag: "Reached", matched: "available" })
    assert.strictEqual(goal.description, "available or error")
    const twice = Goal.either(Goal.describe(is("available"), "left"), Goal.describe(is("available"), "right"))
    assert.deepInclude(verdicts(twice, ["available"]).at(-1), { matched: "available" })
  })

  it("38. either goes on with the other once one has failed, and fails with both", () => {
    const goal = Goal.either(is("available"), gone)
    assert.strictEqual(verdict(goal, ["creating", "deleting", none]), "Reached after 3")
    assert.strictEqual(verdict(goal, ["creating", "deleting", "error_deleting"]), "Failed status after 3")
    // What has failed does not come back.
    assert.strictEqual(verdict(goal, ["creating", "deleting", "available", none]), "Reached after 4")
    assert.strictEqual(verdict(Goal.either(gone, is("available")), ["error"]), "Failed status after 1")
    assert.strictEqual(verdict(Goal.either(action, is("x")), ["phase1_done"]), "NeedsAction after 1")
  })

  it("38. an either that goes on with one keeps its words", () => {
    const { next } = Goal.either(is("available"), gone).judge({ seen: Option.some({ status: "deleting" }), elapsed: 0 })
    assert.strictEqual(next.description, "available or deleted")
  })
})

describe("in a row", () => {
  it("38. what is pending is told in the words of both, in one word if they say the same", () => {
    const says = (verdict: Goal.Verdict) => Goal.make<Resource>("x", () => verdict)
    const judged = (goal: Goal.Goal<Resource>) => verdicts(goal, ["creating"])[0]
    const [one, two] = [says(Goal.pending("creating")), says(Goal.pending("small"))]
    for (const combine of [Goal.both, Goal.either]) {
      assert.deepStrictEqual(judged(combine(one, two)), Goal.pending("creating, small"))
      assert.deepStrictEqual(judged(combine(one, one)), Goal.pending("creating"))
    }
    const failed = says(Goal.failed("error", "status", "no room"))
    const other = says(Goal.failed("gone", "goneAfterSeen", "it is gone"))
    // An either tells only of the one that can still be reached, and in the end of the first that failed.
    assert.deepStrictEqual(judged(Goal.either(failed, two)), Goal.pending("small"))
    assert.deepStrictEqual(judged(Goal.either(one, failed)), Goal.pending("creating"))
    assert.deepStrictEqual(judged(Goal.either(failed, other)), Goal.failed("error", "status", "no room"))
    assert.deepStrictEqual(judged(Goal.either(other, failed)), Goal.failed("gone", "goneAfterSeen", "it is gone"))
  })

  it("38. stableFor counts looks in a row", () => {
    const goal = Goal.stableFor(is("available"), 3)
    assert.strictEqual(verdict(goal, ["available", "available", "available"]), "Reached after 3")
    const flapping = ["available", "available", "creating", "available", "available", "available"]
    assert.strictEqual(verdict(goal, flapping), "Reached after 6")
    assert.strictEqual(verdict(goal, ["available", "available", "error"]), "Failed status after 3")
    assert.deepStrictEqual(verdicts(goal, ["available"]), [{ _tag: "Pending", status: "available" }])
    for (const looks of [1, 0, -1]) {
      assert.strictEqual(verdict(pipe(is("available"), Goal.stableFor(looks)), ["available"]), "Reached after 1")
    }
  })

  it("what has stood long enough stays reached while the other half of both is waited for", () => {
    const big = Goal.make<Resource>("5 GiB", ({ seen }) =>
      Option.isSome(seen) && seen.value.size === 5 ? Goal.reached("5 GiB", "5 GiB") : Goal.pending("small")
    )
    const looks = [1, 1, 5].map((size) => ({ status: "available", size }))
    assert.strictEqual(verdict(Goal.both(Goal.stableFor(is("available"), 2), big), looks), "Reached after 3")
  })

  it("38. failingFor lets a service take a failure back", () => {
    const goal = Goal.failingFor(is("available"), 3)
    assert.strictEqual(verdict(goal, ["error", "error", "available"]), "Reached after 3")
    assert.strictEqual(
      verdict(goal, ["error", "error", "creating", "error", "error", "error"]),
      "Failed status after 6"
    )
    assert.strictEqual(verdict(goal, ["creating", none, none, "available"]), "Reached after 4")
    assert.deepStrictEqual(verdicts(goal, ["error"]), [{ _tag: "Pending", status: "error" }])
  })

  it("38. stuckFor fails once one status has stood too long", () => {
    const goal = Goal.stuckFor(is("available"), "10 seconds")
    assert.strictEqual(verdict(goal, ["creating", "creating", "creating"]), "Failed stuck after 3")
    assert.strictEqual(verdict(goal, ["creating", "queued", "creating", "queued", "available"]), "Reached after 5")
    assert.strictEqual(verdict(goal, ["creating", "creating", "available"]), "Reached after 3")
    assert.deepInclude(verdicts(goal, ["creating", "creating", "creating"]).at(-1), {
      detail: "still creating after 10 s",
      status: "creating"
    })
  })
})

describe("shape and words", () => {
  it("38. mapInput lets a goal serve another shape, memory included", () => {
    const states = Goal.mapInput(is("available"), ({ status }: Resource) => ({ status: String(status).slice(3) }))
    assert.strictEqual(verdict(states, ["vm_creating", "vm_creating", none]), "Failed goneAfterSeen after 3")
    assert.strictEqual(verdict(states, ["vm_creating", "vm_available"]), "Reached after 2")
    assert.strictEqual(states.description, "available")
  })

  it("38. describe replaces the words and nothing else", () => {
    const goal = pipe(is("available"), Goal.describe("usable"))
    assert.strictEqual(goal.description, "usable")
    const { next } = goal.judge({ seen: Option.some({ status: "creating" }), elapsed: 0 })
    assert.strictEqual(next.description, "usable")
    assert.strictEqual(verdict(goal, ["creating", none]), "Failed goneAfterSeen after 2")
  })

  it("40. a goal may stop for a person, and names the next operation", () => {
    assert.deepStrictEqual(verdicts(action, ["migrating", "phase1_done"]).at(-1), {
      _tag: "NeedsAction",
      status: "phase1_done",
      next: "migration complete"
    })
  })

  it("41. a fold's memory passes from look to look, and is no one else's", () => {
    const counting = Goal.fold<Resource, number>("three", 0, (count, look) => [
      count + 1,
      count + 1 === 3 ? Goal.reached("3", "three") : Goal.pending(`${count + 1} ${look.elapsed}`)
    ])
    assert.deepStrictEqual(
      verdicts(counting, ["a", "b", "c"]).map(({ status }) => status),
      ["1 0", "2 5000", "3"]
    )
    // The same goal, judged from its beginning again.
    assert.strictEqual(verdict(counting, ["a", "b", "c"]), "Reached after 3")
  })

  it("41. a memory that has changed once is kept when it does not change again", () => {
    const goal = Goal.fold<Resource, boolean>("x again", false, (before, { seen }) => {
      const isX = Option.isSome(seen) && seen.value.status === "x"
      return [before || isX, before && isX ? Goal.reached("x", "x") : Goal.pending("")]
    })
    assert.strictEqual(verdict(goal, ["x", "y", "y", "y", "x"]), "Reached after 5")
    const first = goal.judge({ seen: Option.some({ status: "x" }), elapsed: 0 }).next
    assert.strictEqual(first.judge({ seen: Option.some({ status: "y" }), elapsed: 0 }).next, first)
  })
})

describe("laws", { timeout: 60_000 }, () => {
  const status = FastCheck.constantFrom("creating", "available", "error", "deleting", "odd")
  const look: FastCheck.Arbitrary<Look> = FastCheck.oneof({ weight: 6, arbitrary: status }, FastCheck.constant(none))
  const looks = FastCheck.array(look, { minLength: 1, maxLength: 12 })
  const simple = FastCheck.constantFrom(
    is("available"),
    is("creating"),
    gone,
    StatusGoal.present(reader, "available", { from: ["available"] }),
    StatusGoal.absent(reader, { from: "any", noEffectAfter: "20 seconds" }),
    Goal.stableFor(is("odd"), 2),
    Goal.failingFor(gone, 2),
    Goal.stuckFor(is("available"), "15 seconds")
  )
  const holds = <T>(name: string, property: FastCheck.IPropertyWithHooks<T>) =>
    it(`38. ${name}`, () => FastCheck.assert(property, { numRuns: 300 }))
  const same = (one: Goal.Goal<Resource>, two: Goal.Goal<Resource>, seen: ReadonlyArray<Look>) => {
    assert.deepStrictEqual(
      verdicts(one, seen).map(({ _tag }) => _tag),
      verdicts(two, seen).map(({ _tag }) => _tag)
    )
  }

  holds(
    "one look in a row is the goal itself",
    FastCheck.property(simple, looks, (goal, seen) => {
      assert.deepStrictEqual(verdicts(Goal.stableFor(goal, 1), seen), verdicts(goal, seen))
      assert.deepStrictEqual(verdicts(Goal.failingFor(goal, 1), seen), verdicts(goal, seen))
    })
  )

  holds(
    "mapInput and describe keep every verdict",
    FastCheck.property(simple, looks, (goal, seen) => {
      const mapped = Goal.describe(
        Goal.mapInput(goal, (resource: Resource) => resource),
        "x"
      )
      assert.deepStrictEqual(verdicts(mapped, seen), verdicts(goal, seen))
    })
  )

  holds(
    "both and either of a goal and itself are that goal",
    FastCheck.property(simple, looks, (goal, seen) => {
      same(Goal.both(goal, goal), goal, seen)
      same(Goal.either(goal, goal), goal, seen)
    })
  )

  holds(
    "both is reached no sooner than either of its goals, and either no later",
    FastCheck.property(simple, simple, looks, (one, two, seen) => {
      const reachedAt = (goal: Goal.Goal<Resource>) => {
        const all = verdicts(goal, seen)
        return all.at(-1)!._tag === "Reached" ? all.length : Infinity
      }
      const [first, second] = [reachedAt(one), reachedAt(two)]
      assert.isAtLeast(
        reachedAt(Goal.both(one, two)),
        Math.max(first === Infinity ? 0 : first, second === Infinity ? 0 : second)
      )
      assert.strictEqual(reachedAt(Goal.either(one, two)), Math.min(first, second))
    })
  )

  holds(
    "judging is pure: the same looks give the same verdicts again",
    FastCheck.property(simple, simple, looks, (one, two, seen) => {
      const goal = Goal.both(Goal.stableFor(one, 2), Goal.either(one, two))
      assert.deepStrictEqual(verdicts(goal, seen), verdicts(goal, seen))
    })
  )
})
