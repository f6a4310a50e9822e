/**
 * Standard error while a command runs: how its waits get on, remarks, and errors, in one of four manners.
 *
 * `live` redraws a line for each resource; `plain` prints a line for each change of status and at least one a minute;
 * `json` prints one event a line; `none` prints only errors and how to go on.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as ExitCode from "./ExitCode.ts"
import * as Width from "./format/Width.ts"
import * as Event from "./progress/Event.ts"
import * as Lines from "./progress/Lines.ts"
import * as Live from "./progress/Live.ts"
import * as Ndjson from "./progress/Ndjson.ts"
import { Stdio } from "./Stdio.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type ProgressEvent = Event.ProgressEvent

/**
 * An error as it is told. With the `id` of a wait that has ended, `json` says nothing more: its `ended` said it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Told {
  readonly text: string
  readonly ending: ExitCode.Ending
  readonly id?: string | undefined
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Progress extends Context.Tag("@effect-manila/cli/Progress")<
  Progress,
  {
    readonly emit: (event: ProgressEvent) => Effect.Effect<void>
    readonly note: (text: string) => Effect.Effect<void>
    readonly error: (told: Told) => Effect.Effect<void>
    /** The same as `note`, for loggers, which can't run effects. */
    readonly unsafeNote: (text: string) => void
  }
>() {}

/**
 * @since 0.1.0
 * @category models
 */
export type Manner = "live" | "plain" | "json" | "none"

/**
 * What `--progress` means here: `auto` is live on a terminal that can move its cursor, plain otherwise, and none with
 * `--quiet`.
 *
 * @since 0.1.0
 */
export const mannerOf = (
  progress: "auto" | "plain" | "json" | "none",
  options: { readonly quiet: boolean; readonly isTerminal: boolean; readonly term: string | undefined }
): Manner => {
  if (progress !== "auto") return progress
  if (options.quiet) return "none"
  return options.isTerminal && options.term !== "dumb" ? "live" : "plain"
}

const minute = 60_000

/**
 * Ends with its scope: the cursor is shown again, and waits that were interrupted say how to go on.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: {
  readonly progress: "auto" | "plain" | "json" | "none"
  readonly quiet: boolean
}): Layer.Layer<Progress, never, Stdio> => Layer.scoped(Progress, make(options))

const make = (options: {
  readonly progress: "auto" | "plain" | "json" | "none"
  readonly quiet: boolean
}): Effect.Effect<Context.Tag.Service<Progress>, never, Stdio | Scope.Scope> =>
  Effect.gen(function* () {
    const { env, stderr } = yield* Stdio
    const clock = yield* Effect.clock
    const scope = yield* Effect.scope
    const manner = mannerOf(options.progress, {
      quiet: options.quiet,
      isTerminal: stderr.isTerminal,
      term: env["TERM"]
    })
    const live = manner === "live" ? Live.make(stderr, { colour: (env["NO_COLOR"] ?? "") === "" }) : undefined
    const open = new Map<string, Event.Resource>()
    const ended = new Set<string>()
    /** When a line about a resource was last printed. */
    const told = new Map<string, number>()
    const goOn: Array<Event.Resume> = []
    let ticking = false

    // The monotonic clock: elapsed time must not jump with the wall clock.
    const now = (): number => Number(clock.unsafeCurrentTimeNanos() / 1_000n) / 1_000
    const line = (text: string): void => {
      if (live === undefined) stderr.write(`${text}\n`)
      else live.line(text)
    }
    const progressLine = (id: string, text: string): void => {
      if (manner === "none") return
      told.set(id, now())
      line(text)
    }
    const draw = (): void => live?.draw([...open.values()], now())

    const unsafeNote = (text: string): void => {
      if (manner === "json") {
        stderr.write(Ndjson.remark({ event: "note", text }, clock.unsafeCurrentTimeMillis()))
      } else line(Width.safe(text))
    }

    const apply = (event: ProgressEvent): void => {
      const at = now()
      const before = open.get(event.id)
      if (manner === "json") {
        stderr.write(Ndjson.event(event, before, clock.unsafeCurrentTimeMillis()))
      }
      switch (event._tag) {
        case "started":
          open.set(event.id, Event.resource(event, at))
          if (manner !== "json") progressLine(event.id, Lines.started(event))
          break
        case "resume":
          if (manner !== "json") line(Lines.later(event))
          break
        case "ended":
          open.delete(event.id)
          ended.add(event.id)
          draw()
          if (before === undefined || manner === "json") break
          if (event.ending === "reached") progressLine(event.id, Lines.reached(before, event, at))
          else if (Event.unfinished.has(event.ending)) {
            const resume = event.resume ?? before.resume
            if (resume !== undefined) goOn.push(resume)
          }
          break
        default: {
          if (before === undefined) return
          const after = Event.advance(before, event, at)
          open.set(event.id, after)
          if (event._tag === "fault" && manner !== "json") progressLine(event.id, Lines.faulted(after))
          // A last look's status is told with the ending.
          else if (manner === "plain" && before.status !== after.status && event.nextInMillis !== null)
            progressLine(event.id, Lines.changed(after, at))
        }
      }
      draw()
    }

    /** Milliseconds to the next thing that time alone brings about. */
    const nextTick = (): number => {
      if (manner === "live") return 1_000
      const due = Math.min(...[...open.keys()].map((id) => (told.get(id) ?? now()) + minute))
      return Math.max(1, due - now())
    }
    const tick = (): void => {
      if (manner === "live") return draw()
      for (const resource of open.values()) {
        if (now() - (told.get(resource.id) ?? now()) >= minute)
          progressLine(resource.id, Lines.standing(resource, now()))
      }
    }
    /** Runs only while something is waited for, so that a program at rest has no timer. */
    const ticker: Effect.Effect<void> = Effect.gen(function* () {
      while (open.size > 0) {
        yield* Effect.sleep(nextTick())
        tick()
      }
      ticking = false
    })
    const startTicker = Effect.suspend(() => {
      if (ticking || open.size === 0 || (manner !== "live" && manner !== "plain")) return Effect.void
      ticking = true
      return Effect.asVoid(Effect.forkIn(Effect.interruptible(ticker), scope))
    })

    yield* Effect.addFinalizer((exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit) && Exit.isInterrupted(exit)) {
          for (const resource of open.values()) interrupt(resource)
        }
        open.clear()
        live?.close()
        for (const resume of goOn) stderr.write(`${Lines.goOn(resume)}\n`)
      })
    )
    const interrupt = (resource: Event.Resource): void => {
      const detail = Lines.interrupted(resource, now())
      apply({ _tag: "ended", id: resource.id, ending: "interrupted", status: resource.status, detail })
      if (manner !== "json") line(detail)
    }

    return Progress.of({
      emit: (event) =>
        Effect.zipRight(
          Effect.sync(() => apply(event)),
          startTicker
        ),
      note: (text) => Effect.sync(() => unsafeNote(text)),
      unsafeNote,
      error: ({ ending, id, text }) =>
        Effect.sync(() => {
          if (manner !== "json") return line(Width.safe(text))
          if (id !== undefined && ended.has(id)) return
          stderr.write(Ndjson.remark({ event: "error", text, ending, id }, clock.unsafeCurrentTimeMillis()))
        })
    })
  })
