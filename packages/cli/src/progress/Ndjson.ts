/**
 * Progress for programs: one JSON object a line. The last one about a resource is its `ended`.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import type * as ExitCode from "../ExitCode.ts"
import * as Event from "./Event.ts"

/**
 * An event as a line. `time` is milliseconds since the epoch. An ending carries how to go on, where that makes sense.
 *
 * @since 0.1.0
 */
export const event = (event: Event.ProgressEvent, resource: Event.Resource | undefined, time: number): string => {
  const { _tag, ...fields } = event
  const subject = resource === undefined ? {} : { kind: resource.kind, name: resource.name }
  const goesOn = event._tag === "ended" && Event.unfinished.has(event.ending)
  const resume = event._tag === "ended" ? (event.resume ?? resource?.resume) : undefined
  // The token of a wait that has only just begun is of no use yet.
  if (_tag === "started") return line(_tag, time, { ...fields, resume: undefined })
  return line(_tag, time, { ...subject, ...fields, ...(goesOn ? { resume } : {}) })
}

/**
 * A remark, or an error of a command.
 *
 * @since 0.1.0
 */
export const remark = (
  what:
    | { readonly event: "note"; readonly text: string }
    | {
        readonly event: "error"
        readonly text: string
        readonly ending: ExitCode.Ending
        readonly id?: string | undefined
      },
  time: number
): string => {
  const { event, ...fields } = what
  return line(event, time, fields)
}

const line = (name: string, time: number, fields: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ event: name, time: DateTime.formatIso(DateTime.unsafeMake(time)), ...fields })}\n`
