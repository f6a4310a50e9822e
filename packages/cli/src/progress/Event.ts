/**
 * What waits tell the command line, and what it remembers of each resource.
 *
 * @since 0.1.0
 */
import * as Durations from "../Durations.ts"
import * as Width from "../format/Width.ts"

/**
 * How to go on with a wait: its token, and the exact command.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resume {
  readonly token: string
  readonly command: string
}

/**
 * `missing`: it isn't there, or no longer. `faulted`: a permanent fault, or one too many. `incapable`: the service does
 * not say what is waited for.
 *
 * @since 0.1.0
 * @category models
 */
export type Ending =
  | "reached"
  | "failed"
  | "timedOut"
  | "needsAction"
  | "faulted"
  | "missing"
  | "incapable"
  | "interrupted"

/**
 * The service's own explanation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reason {
  readonly message: string
  readonly detailId?: string | null | undefined
  readonly actionId?: string | null | undefined
  readonly requestId?: string | null | undefined
}

/**
 * All times are milliseconds; `elapsedMillis` counts from the start of the wait or its verb, `nextInMillis` from now.
 *
 * @since 0.1.0
 * @category models
 */
export type ProgressEvent =
  | {
      readonly _tag: "started"
      readonly kind: string
      readonly id: string
      readonly name?: string | null | undefined
      /** What was asked for: `create`, `delete`, …; none for a plain wait. */
      readonly verb?: string | undefined
      readonly wanted: string
      readonly limitMillis?: number | null | undefined
      /** Shown if the wait ends without a verdict. */
      readonly resume?: Resume | undefined
    }
  | {
      readonly _tag: "status"
      readonly id: string
      readonly status: string
      /** What the service says of its progress: `40%`. */
      readonly progress?: string | null | undefined
      readonly elapsedMillis: number
      readonly nextInMillis?: number | null | undefined
      readonly looks: number
    }
  | {
      readonly _tag: "fault"
      readonly id: string
      readonly detail: string
      readonly inARow: number
      readonly tolerated: number
      readonly nextInMillis?: number | null | undefined
    }
  | {
      readonly _tag: "ended"
      readonly id: string
      readonly ending: Ending
      readonly status?: string | undefined
      readonly detail: string
      readonly elapsedMillis?: number | undefined
      readonly looks?: number | undefined
      readonly reason?: Reason | null | undefined
      /** How to go on from here, if not as it was said at the start: after a time-out there is no time left. */
      readonly resume?: Resume | undefined
    }
  | {
      /** Nobody waits (`--no-wait`): how to wait for it later. */
      readonly _tag: "resume"
      readonly kind: string
      readonly id: string
      readonly name?: string | null | undefined
      readonly resume: Resume
    }

/**
 * Endings after which going on makes sense.
 *
 * @since 0.1.0
 */
export const unfinished: ReadonlySet<Ending> = new Set<Ending>(["timedOut", "faulted", "interrupted"])

/**
 * One resource that is being waited for. Times are milliseconds on the program's monotonic clock.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resource {
  readonly kind: string
  readonly id: string
  readonly name: string | undefined
  readonly verb: string | undefined
  readonly wanted: string
  readonly resume: Resume | undefined
  readonly startedAt: number
  readonly status: string | undefined
  readonly progress: string | undefined
  readonly looks: number
  readonly nextAt: number | undefined
  readonly fault: string | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const resource = (event: Extract<ProgressEvent, { readonly _tag: "started" }>, now: number): Resource => ({
  kind: event.kind,
  id: event.id,
  name: event.name === null || event.name === "" ? undefined : event.name,
  verb: event.verb,
  wanted: event.wanted,
  resume: event.resume,
  startedAt: now,
  status: undefined,
  progress: undefined,
  looks: 0,
  nextAt: undefined,
  fault: undefined
})

/**
 * The resource after an event.
 *
 * @since 0.1.0
 */
export const advance = (
  self: Resource,
  event: Extract<ProgressEvent, { readonly _tag: "status" | "fault" }>,
  now: number
): Resource => {
  const next = event.nextInMillis
  const nextAt = next === null || next === undefined ? undefined : now + next
  return event._tag === "status"
    ? {
        ...self,
        status: event.status,
        progress: event.progress ?? undefined,
        looks: event.looks,
        startedAt: now - event.elapsedMillis,
        nextAt,
        fault: undefined
      }
    : { ...self, nextAt, fault: `${event.detail} (${event.inARow} of ${event.tolerated} tolerated)` }
}

/**
 * `share web (3f2…)`, `share 3f2…`: safe to print.
 *
 * @since 0.1.0
 */
export const titleOf = (self: Pick<Resource, "kind" | "id"> & { readonly name?: string | null | undefined }): string =>
  Width.safeLine(
    self.name === undefined || self.name === null || self.name === "" || self.name === self.id
      ? `${self.kind} ${self.id}`
      : `${self.kind} ${self.name} (${self.id})`
  )

/**
 * `after 35 s, 8 looks`.
 *
 * @since 0.1.0
 */
export const spent = (millis: number, looks: number): string =>
  `after ${Durations.format(millis)}, ${looks === 1 ? "1 look" : `${looks} looks`}`
