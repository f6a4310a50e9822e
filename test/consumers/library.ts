/**
 * A program of someone who installed `core` and nothing of ours beside it: packed, installed and run by `npm run check`.
 */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

interface Thing {
  readonly status: string
}

const statuses = ["creating", "creating", "available"]
const probe = Effect.sync(() => Option.some<Thing>({ status: statuses.shift() ?? "available" }))

const available = Goal.make<Thing>("available", ({ seen }) =>
  Option.match(seen, {
    onNone: () => Goal.failed("gone", "goneAfterSeen", "it is gone"),
    onSome: ({ status }) => (status === "available" ? Goal.reached(status, status) : Goal.pending(status))
  })
)

const program = Waiter.until(probe, available, { pace: Pace.every("100 millis") }).pipe(
  Effect.map(Option.getOrThrow),
  Effect.flatMap(({ status }) => Console.log(status))
)

await Effect.runPromise(program)
