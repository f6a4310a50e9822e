/** The pure transition, as a driver other than that of a single wait sees it. */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Patience from "@effect-manila/core/waiter/Patience"
import * as Option from "effect/Option"
import { assert, it } from "vitest"
import * as T from "../../src/waiter/internal/transition.js"

const goal = Goal.make<string>("never", () => Goal.pending("working"))
const bounds: T.Bounds = { limit: 10_000, attempts: Infinity, floor: 100, maxGap: Infinity, maxRetryAfter: 600_000 }

/** What comes after one good look that ended at `ended`, if the schedule's next tick is `tick`. */
const after = (ended: number, tick: number, given: Partial<T.Bounds> = {}, hinted = 0) => {
  const at = { began: ended, ended, hinted }
  const judged = T.look(T.begin(goal), { _tag: "Seen", seen: Option.some("x") }, at, Patience.standard)
  return T.plan(judged, ended, false, tick, { ...bounds, ...given }).next
}

it("13. a look planned for the limit is the last one, for whoever drives", () => {
  assert.deepStrictEqual(after(5000, 9999), { at: 9999, final: false })
  assert.deepStrictEqual(after(5000, 10_000), { at: 10_000, final: true })
  assert.deepStrictEqual(after(5000, 10_001), { at: 10_000, final: true })
  assert.deepStrictEqual(T.first(bounds), { at: 0, final: false })
  assert.deepStrictEqual(T.first({ ...bounds, limit: 0 }), { at: 0, final: true })
  assert.deepStrictEqual(T.first({ ...bounds, limit: 1 }), { at: 0, final: false })
})

it("a good look holds nothing back of itself: the schedule and the floor say when the next one is", () => {
  assert.deepStrictEqual(after(5000, 5000, { floor: 0 }), { at: 5000, final: false })
  assert.deepStrictEqual(after(5000, 5000), { at: 5100, final: false })
})

it("a Retry-After past the limit ends the wait, be it by a fraction of a millisecond", () => {
  assert.deepStrictEqual(after(9999, 9999, { floor: 0 }, 1), { at: 10_000, final: true })
  const out = after(9999.5, 9999.5, { floor: 0 }, 1)
  assert.deepStrictEqual(out, { _tag: "TimedOut", cause: "limit", retryAfter: 1 })
})

it("18. a look that the floor would push past the limit is not planned, for whoever drives", () => {
  assert.deepStrictEqual(after(9900, 9900), { at: 10_000, final: true })
  const out = after(9901, 9901)
  assert.isFalse(T.isPlan(out))
  assert.isTrue(!T.isPlan(out) && T.lasts(out))
})

it("41. a transition changes nothing it was given", () => {
  const state = T.begin(goal)
  const before = { ...state }
  const at = { began: 0, ended: 0, hinted: 7000 }
  const judged = T.look(state, { _tag: "Seen", seen: Option.some("x") }, at, Patience.standard)
  assert.deepStrictEqual({ ...state }, before)
  const inner = { ...judged.state }
  T.plan(judged, 0, false, 5000, bounds)
  T.look(judged.state, { _tag: "Fault", error: "x" }, at, Patience.standard)
  assert.deepStrictEqual({ ...judged.state }, inner)
})

it("36. a look is judged by when it began, however long it took", () => {
  const elapsed = Goal.make<string>("the time", (look) => Goal.pending(String(look.elapsed)))
  const at = { began: 58_000, ended: 61_000, hinted: 0 }
  const { state } = T.look(T.begin(elapsed), { _tag: "Seen", seen: Option.some("x") }, at, Patience.standard)
  assert.deepStrictEqual(state.last, { status: "58000", firstSeen: 61_000, lastSeen: 61_000, looks: 1 })
})
