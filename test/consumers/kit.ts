/**
 * A program of someone who tests with `test-kit`: a wait of three quarters of an hour, in no time.
 */
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Script from "@effect-manila/test-kit/Script"
import * as Timeline from "@effect-manila/test-kit/Timeline"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const timeline = Timeline.make([["creating", "45 minutes"], ["available"]])
const reader: StatusGoal.Reader<Script.Observed> = {
  status: ({ status }) => status,
  failures: ["error"],
  leaving: ["deleting"],
  steady: ["available"]
}

const program = Effect.gen(function* () {
  const before = yield* Clock.currentTimeMillis
  const script = yield* Script.fromTimeline(timeline)
  yield* Waiter.until(script.probe, StatusGoal.present(reader, "available"))
  return ((yield* Clock.currentTimeMillis) - before) / 60_000
})

console.log(VirtualTime.runSync(program))
