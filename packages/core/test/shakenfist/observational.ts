/**
 * The upstream suite's test of its sweeps, as a program: wait for one, and look that it is seen by nobody who must not
 * see it.
 */
import * as ClusterOperation from "@effect-manila/core/shakenfist/ClusterOperation"
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import type { ShakenFist } from "@effect-manila/core/shakenfist/ShakenFist"
import type { ShakenFistError } from "@effect-manila/core/shakenfist/ShakenFistError"
import * as Pace from "@effect-manila/core/waiter/Pace"
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export class SweepWrong extends Data.TaggedError("SweepWrong")<{ readonly message: string }> {}

const tasks = ["collect_billing_statistics", "health_check_kvm_process"]

/** By what it does: its type is that of other work too. */
const isSweep = (one: ClusterOperation.ClusterOperation) => tasks.every((task) => one.tasks.includes(task))

const wrong = (message: string) => new SweepWrong({ message })

interface Round {
  readonly listed: ReadonlyArray<ClusterOperation.ClusterOperation>
  readonly view: Instance.Instance
}

/** The listing first: an operation that finishes in between is then pending in both, or in the older answer only. */
const round = (uuid: string): Effect.Effect<Round, ShakenFistError | SweepWrong, ShakenFist> =>
  Effect.gen(function* () {
    const listed = yield* ClusterOperation.byTarget({ type: "instance", uuid })
    const view = yield* Instance.get({ ref: uuid })
    const pointer = view.last_cluster_operation?.op_uuid
    const named = listed.find((one) => one.uuid === pointer)
    if (named !== undefined && ClusterOperation.isObservational(named)) {
      return yield* wrong(`the pointer names the observational operation ${named.uuid}`)
    }
    const atWork = listed.filter((one) => !ClusterOperation.isFinished(one))
    if (atWork.every(ClusterOperation.isObservational) && view.has_pending_operations !== false) {
      return yield* wrong("pending, while only observational operations are at work")
    }
    return { listed, view }
  })

const found = Goal.make<Round>("a sweep", ({ seen }) =>
  Option.exists(seen, ({ listed }) => listed.some(isSweep))
    ? Goal.reached("found", "a sweep")
    : Goal.pending("no sweep")
)

/** Finds a sweep within 480 s, sees it end or vanish within 60 s, and gives the seconds it took to find it. */
export const observationalSweeps = (uuid: string) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const seen = yield* Waiter.until(Effect.asSome(round(uuid)), found, {
      pace: Pace.every("10 seconds", { limit: "480 seconds" })
    }).pipe(
      Effect.catchTag("WaitTimedOut", () =>
        Effect.fail(wrong("no sweep of the instance was seen within 480 s: there is nothing to test"))
      )
    )
    const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
    const sweep = Option.getOrUndefined(seen)?.listed.find(isSweep)
    if (sweep === undefined) return yield* Effect.dieMessage("a goal that was reached saw it")
    if (!ClusterOperation.isObservational(sweep)) return yield* wrong(`the sweep ${sweep.uuid} is not observational`)
    const ended = Goal.make<ClusterOperation.ClusterOperation>("terminal or gone", ({ seen }) =>
      Option.match(seen, {
        onNone: () => Goal.reached("gone", "gone"),
        onSome: (one) => (ClusterOperation.isFinished(one) ? Goal.reached(one.state, "ended") : Goal.pending(one.state))
      })
    )
    const look = ClusterOperation.byTarget({ type: "instance", uuid }).pipe(
      Effect.map((listed) => Option.fromNullable(listed.find((one) => one.uuid === sweep.uuid)))
    )
    yield* Waiter.until(look, ended, { pace: Pace.every("5 seconds", { limit: "60 seconds" }) }).pipe(
      Effect.catchTag("WaitTimedOut", ({ status }) => Effect.fail(wrong(`the sweep is still ${status} after 60 s`)))
    )
    const after = yield* Instance.get({ ref: uuid })
    if (after.last_cluster_operation?.op_uuid === sweep.uuid) return yield* wrong("the pointer names the sweep")
    if (after.has_pending_operations !== false) return yield* wrong("pending after the sweep")
    return seconds
  })
