/**
 * What a wait tells while it runs. A progress line, an event of a span and a test's trace are all made from these.
 *
 * @since 0.1.0
 */
import type * as WaitError from "./WaitError.ts"

/**
 * All times are milliseconds since the wait (or its verb's deadline) began.
 *
 * `Looked` comes after every good look, `changed` telling a new status; `nextMillis` is when the next look is due.
 *
 * @since 0.1.0
 * @category models
 */
export type Progress =
  | {
      readonly _tag: "Started"
      readonly subject: WaitError.Subject
      readonly wanted: string
      readonly limitMillis: number | null
    }
  | {
      readonly _tag: "Looked"
      readonly subject: WaitError.Subject
      readonly status: string
      readonly changed: boolean
      readonly sinceMillis: number
      readonly elapsedMillis: number
      readonly looks: number
      readonly nextMillis: number | null
      /** What the service says of its progress (`40%`), if it does. */
      readonly progress: string | null
    }
  | {
      readonly _tag: "Faulted"
      readonly subject: WaitError.Subject
      readonly fault: string
      readonly inARow: number
      readonly tolerated: number
      readonly elapsedMillis: number
      readonly looks: number
      readonly nextMillis: number | null
    }
  | {
      readonly _tag: "Ended"
      readonly subject: WaitError.Subject
      readonly ending: Ending
      readonly status: string
      readonly elapsedMillis: number
      readonly looks: number
      readonly message: string
    }

/**
 * How a wait ended: `faulted` is a permanent fault, or one transient fault too many.
 *
 * @since 0.1.0
 * @category models
 */
export type Ending = "reached" | "failed" | "timedOut" | "needsAction" | "faulted"
