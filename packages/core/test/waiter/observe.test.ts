/** What a wait shows while it runs. */
import * as Script from "@effect-manila/test-kit/Script"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Deadline from "@effect-manila/core/waiter/Deadline"
import type * as Progress from "@effect-manila/core/waiter/Progress"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Waiter from "@effect-manila/core/waiter/Waiter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { assert, describe, it } from "vitest"
import type { Answer } from "./contract/world.ts"
import { fault, quietly, scriptOf } from "./contract/world.ts"
import { reader } from "./support/judge.ts"

const goal = StatusGoal.present(reader, "available")
const subject = { kind: "share", id: "3f2", verb: "create" }

const eventsOf = (answers: ReadonlyArray<Answer>, options: Waiter.Options<unknown> = {}) => {
  const events: Array<Progress.Progress> = []
  VirtualTime.runSync(
    Effect.gen(function* () {
      const script = yield* scriptOf(answers)
      yield* Waiter.outcome(script.probe, goal, {
        subject,
        ...options,
        onProgress: (event) => Effect.sync(() => void events.push(event))
      })
    }).pipe(Effect.provide(quietly))
  )
  return events
}

describe("progress", () => {
  it("54. progress tells the beginning, every look, and the ending", () => {
    assert.deepStrictEqual(eventsOf(["creating", fault("503"), "creating", "available"], { limit: "1 minute" }), [
      { _tag: "Started", subject, wanted: "available", limitMillis: 60_000 },
      {
        _tag: "Looked",
        subject,
        status: "creating",
        changed: true,
        sinceMillis: 0,
        elapsedMillis: 0,
        looks: 1,
        nextMillis: 5000,
        progress: null
      },
      {
        _tag: "Faulted",
        subject,
        fault: "503",
        inARow: 1,
        tolerated: 10,
        elapsedMillis: 5000,
        looks: 2,
        nextMillis: 10_000
      },
      {
        _tag: "Looked",
        subject,
        status: "creating",
        changed: false,
        sinceMillis: 10_000,
        elapsedMillis: 10_000,
        looks: 3,
        nextMillis: 15_000,
        progress: null
      },
      {
        _tag: "Looked",
        subject,
        status: "available",
        changed: true,
        sinceMillis: 0,
        elapsedMillis: 15_000,
        looks: 4,
        nextMillis: null,
        progress: null
      },
      {
        _tag: "Ended",
        subject,
        ending: "reached",
        status: "available",
        elapsedMillis: 15_000,
        looks: 4,
        message: "share 3f2: available"
      }
    ])
  })

  it("54. a wait without a limit says so, and each ending has its word", () => {
    const last = (...args: Parameters<typeof eventsOf>) => eventsOf(...args).at(-1)
    assert.deepInclude(eventsOf(["available"])[0], { limitMillis: null })
    assert.deepInclude(last(["error"]), { _tag: "Ended", ending: "failed", status: "error" })
    assert.deepInclude(last(["creating"], { limit: 0 }), { ending: "timedOut", status: "creating", looks: 1 })
    assert.deepInclude(last([fault("503")], { attempts: 1 }), { ending: "timedOut", status: "" })
    const faulted = last([Script.fail("refused") as Answer])
    assert.deepInclude(faulted, { ending: "faulted", message: "a fault" })
  })

  it("54. times are those of the deadline, if there is one", () => {
    const events: Array<Progress.Progress> = []
    VirtualTime.runSync(
      Effect.gen(function* () {
        const limit = yield* Deadline.start("1 minute")
        yield* Effect.sleep("20 seconds")
        const script = yield* scriptOf(["creating", "available"])
        yield* Waiter.until(script.probe, goal, {
          limit,
          onProgress: (event) => Effect.sync(() => void events.push(event))
        })
      })
    )
    assert.deepInclude(events[0], { limitMillis: 60_000 })
    assert.deepInclude(events[1], { elapsedMillis: 20_000, nextMillis: 25_000, sinceMillis: 0 })
    assert.deepInclude(events[3], { _tag: "Ended", elapsedMillis: 25_000 })
  })

  it("54. the service's own word of its progress is told with its look, and only there", () => {
    const events = eventsOf(["creating"], { attempts: 1 })
    assert.deepInclude(events[1], { progress: null })
    const told: Array<unknown> = []
    const probe = Effect.suspend(() =>
      Effect.as(
        told.length === 1 ? Waiter.hint({ progress: "40%" }) : Effect.void,
        Option.some({ status: told.length === 2 ? "available" : "creating" })
      )
    )
    VirtualTime.runSync(
      Waiter.until(probe, goal, {
        onProgress: (event) => Effect.sync(() => void (event._tag === "Looked" && told.push(event.progress)))
      })
    )
    assert.deepStrictEqual(told, [null, "40%", null])
  })

  it("54. onProgress may need a service", () => {
    class Screen extends Context.Tag("Screen")<Screen, Array<string>>() {}
    const screen: Array<string> = []
    const wait = Waiter.until(Effect.succeedSome({ status: "available" }), goal, {
      onProgress: (event) => Effect.map(Screen, (lines) => void lines.push(event._tag))
    })
    VirtualTime.runSync(Effect.provideService(wait, Screen, screen))
    assert.deepStrictEqual(screen, ["Started", "Looked", "Ended"])
  })

  it("54. a look at the limit is announced for the limit", () => {
    const events = eventsOf(["creating"], { limit: "7 seconds" })
    assert.deepStrictEqual(
      events.flatMap((event) => (event._tag === "Looked" ? [event.nextMillis] : [])),
      [5000, 7000, null]
    )
  })
})

interface Recorded {
  readonly name: string
  readonly attributes: Map<string, unknown>
  readonly events: Array<{ readonly name: string; readonly at: number; readonly attributes: unknown }>
  readonly parent: string | undefined
  ended: boolean
}

/** A tracer that keeps all spans. */
const recording = () => {
  const spans: Array<Recorded> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const span: Recorded = {
        name,
        attributes: new Map(),
        events: [],
        parent: Option.getOrUndefined(parent)?.spanId,
        ended: false
      }
      spans.push(span)
      return {
        _tag: "Span",
        name,
        spanId: `${name} #${spans.length}`,
        traceId: "trace",
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes: span.attributes,
        links,
        sampled: true,
        kind,
        end: () => {
          span.ended = true
        },
        attribute: (key, value) => {
          span.attributes.set(key, value)
        },
        event: (event, at, attributes) => {
          span.events.push({ name: event, at: Number(at) / 1_000_000, attributes })
        },
        addLinks: () => {}
      }
    },
    context: (f) => f()
  })
  return { spans, tracer }
}

const traced = (answers: ReadonlyArray<Answer>, options: Waiter.Options<unknown> = {}) => {
  const { spans, tracer } = recording()
  VirtualTime.runSync(
    Effect.gen(function* () {
      const script = yield* scriptOf(answers)
      yield* Waiter.outcome(script.probe, goal, { subject, ...options })
    }).pipe(Effect.withTracer(tracer), Effect.provide(quietly))
  )
  return spans
}

describe("spans", () => {
  it("55. a wait is one span, with an event for each change of status and each fault it survived", () => {
    const answers = ["creating", "creating", fault("503"), "creating", "queued", "queued", "available"]
    for (const limit of ["5 minutes", undefined] as const) {
      const [span, ...others] = traced(answers, { limit })
      assert.deepStrictEqual(others, [])
      assert.strictEqual(span!.name, "wait share create")
      assert.isTrue(span!.ended)
      assert.deepStrictEqual(span!.events, [
        { name: "status", at: 0, attributes: { status: "creating", elapsedMillis: 0 } },
        { name: "fault", at: 10_000, attributes: { fault: "503", inARow: 1 } },
        { name: "status", at: 20_000, attributes: { status: "queued", elapsedMillis: 20_000 } },
        { name: "status", at: 30_000, attributes: { status: "available", elapsedMillis: 30_000 } }
      ])
      assert.deepStrictEqual(Object.fromEntries(span!.attributes), {
        "wait.kind": "share",
        "wait.id": "3f2",
        "wait.verb": "create",
        "wait.wanted": "available",
        "wait.ending": "reached",
        "wait.status": "available",
        "wait.looks": 7
      })
    }
  })

  it("55. a look that changes nothing costs no event, though the wait has a listener", () => {
    const [span] = traced(Script.times(200, "creating"), { attempts: 200, onProgress: () => Effect.void })
    assert.strictEqual(span!.events.length, 1)
  })

  it("55. a fault that ends the wait is no event but its ending", () => {
    const [span] = traced([Script.fail("refused") as Answer])
    assert.deepStrictEqual(span!.events, [])
    assert.strictEqual(span!.attributes.get("wait.ending"), "faulted")
  })

  it("55. a look has a span of its own only on request", () => {
    const [wait, ...looks] = traced(["creating", "creating", "available"], { spanPerLook: true })
    assert.strictEqual(looks.length, 3)
    assert.deepStrictEqual(
      looks.map(({ ended, name, parent }) => [name, parent, ended]),
      Array.from({ length: 3 }, () => ["look at share", "wait share create #1", true])
    )
    assert.strictEqual(wait!.events.length, 2)
  })
})

/** The metrics of a kind that no other test uses. */
const metricsOf = (kind: string) => {
  const tags = Metric.unsafeSnapshot().flatMap(({ metricKey, metricState }) => {
    const labels = Object.fromEntries(metricKey.tags.map(({ key, value }) => [key, value]))
    return labels["kind"] === kind ? [{ name: metricKey.name, ending: labels["ending"], state: metricState }] : []
  })
  const counters = tags.flatMap(({ ending, name, state }) =>
    MetricState.isCounterState(state)
      ? [[`${name}${ending === undefined ? "" : ` ${ending}`}`, state.count] as const]
      : []
  )
  const histogram = tags.find(({ state }) => MetricState.isHistogramState(state))?.state
  return {
    counters: Object.fromEntries(counters),
    durations:
      histogram !== undefined && MetricState.isHistogramState(histogram) ? [histogram.count, histogram.sum] : undefined
  }
}

describe("metrics", () => {
  it("56. looks and waits are counted by kind and ending, and durations are in seconds", () => {
    const kind = { kind: "metered" }
    const wait = (answers: ReadonlyArray<Answer>, options: Waiter.Options<unknown> = {}) =>
      eventsOf(answers, { ...options, subject: kind })
    wait(["creating", "available"])
    wait(["creating", "creating", "available"])
    wait(["error"])
    wait(["creating"], { limit: "5 seconds" })
    wait([Script.fail("refused") as Answer])
    assert.deepStrictEqual(metricsOf("metered"), {
      counters: {
        waiter_looks_total: 9,
        "waiter_waits_total reached": 2,
        "waiter_waits_total failed": 1,
        "waiter_waits_total timedOut": 1,
        "waiter_waits_total faulted": 1
      },
      durations: [5, 20]
    })
  })

  it("56. an interrupted wait is counted as such, once", () => {
    for (const [kind, options] of [
      ["stopped", {}],
      ["stopped in time", { limit: "1 minute" }]
    ] as const) {
      const exit = VirtualTime.runSync(
        Effect.gen(function* () {
          const script = yield* scriptOf(["creating"])
          const waiting = yield* Effect.fork(Waiter.until(script.probe, goal, { ...options, subject: { kind } }))
          yield* Effect.sleep("7 seconds")
          return yield* Fiber.interrupt(waiting)
        })
      )
      assert.isTrue(Exit.isInterrupted(exit))
      assert.deepStrictEqual(metricsOf(kind), {
        counters: { waiter_looks_total: 2, "waiter_waits_total interrupted": 1 },
        durations: undefined
      })
    }
  })

  it("56. looks are counted as they come, not at the end", () => {
    VirtualTime.runSync(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating"])
        const waiting = yield* Effect.fork(Waiter.until(script.probe, goal, { subject: { kind: "running" } }))
        yield* Effect.sleep("7 seconds")
        assert.deepStrictEqual(metricsOf("running").counters, { waiter_looks_total: 2 })
        yield* Fiber.interrupt(waiting)
      })
    )
  })
})

describe("logs", () => {
  it("57. a change of status is a debug line and a survived fault a warning, both structured", () => {
    const lines: Array<readonly [string, string, unknown]> = []
    const logger = Logger.make(({ annotations, logLevel, message }) => {
      lines.push([logLevel.label, String(message), Object.fromEntries(HashMap.toEntries(annotations))])
    })
    VirtualTime.runSync(
      Effect.gen(function* () {
        const script = yield* scriptOf(["creating", "creating", fault("503"), "available"])
        yield* Waiter.until(script.probe, goal, { subject })
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)), Logger.withMinimumLogLevel(LogLevel.Debug))
    )
    const about = { kind: "share", id: "3f2" }
    assert.deepStrictEqual(lines, [
      ["DEBUG", "share 3f2: status changed", { ...about, status: "creating", elapsedMillis: 0 }],
      ["WARN", "share 3f2: a look failed and will be repeated", { ...about, fault: "503", inARow: 1 }],
      ["DEBUG", "share 3f2: status changed", { ...about, status: "available", elapsedMillis: 15_000 }]
    ])
  })
})
