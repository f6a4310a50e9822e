/**
 * The sentences that progress is told in, on a terminal or not.
 *
 * @since 0.1.0
 */
import * as Durations from "../Durations.ts"
import * as Width from "../format/Width.ts"
import * as Event from "./Event.ts"

/**
 * Says the id before the first look.
 *
 * @since 0.1.0
 */
export const started = (event: Extract<Event.ProgressEvent, { readonly _tag: "started" }>): string => {
  const verb = event.verb === undefined ? "" : `${event.verb}: `
  const limit = event.limitMillis === null || event.limitMillis === undefined ? undefined : event.limitMillis
  const most = limit === undefined || !Number.isFinite(limit) ? "" : `, ${Durations.format(limit)} at most`
  return `${Event.titleOf(event)}: ${verb}waiting for ${Width.safeLine(event.wanted)}${most}`
}

/**
 * A status that is new.
 *
 * @since 0.1.0
 */
export const changed = (resource: Event.Resource, now: number): string =>
  `${Event.titleOf(resource)}: ${statusOf(resource)}, ${Event.spent(now - resource.startedAt, resource.looks)}`

/**
 * A status that still stands, so that a log is seen to live.
 *
 * @since 0.1.0
 */
export const standing = (resource: Event.Resource, now: number): string =>
  `${Event.titleOf(resource)}: still ${statusOf(resource)}, ${Event.spent(now - resource.startedAt, resource.looks)}`

/**
 * @since 0.1.0
 */
export const faulted = (resource: Event.Resource): string =>
  `${Event.titleOf(resource)}: warning: ${Width.safeLine(resource.fault ?? "")}`

/**
 * Only the good ending has a line of its own; the others are errors, and told as such.
 *
 * @since 0.1.0
 */
export const reached = (
  resource: Event.Resource,
  event: Extract<Event.ProgressEvent, { readonly _tag: "ended" }>,
  now: number
): string => {
  const elapsed = event.elapsedMillis ?? now - resource.startedAt
  const status = event.status === undefined || event.status === "" ? resource.wanted : event.status
  return `${Event.titleOf(resource)}: ${Width.safeLine(status)} ${Event.spent(elapsed, event.looks ?? resource.looks)}`
}

/**
 * @since 0.1.0
 */
export const interrupted = (resource: Event.Resource, now: number): string =>
  `${Event.titleOf(resource)}: interrupted while waiting for ${Width.safeLine(resource.wanted)}, last ${statusOf(resource)}, ${Event.spent(now - resource.startedAt, resource.looks)}`

/**
 * @since 0.1.0
 */
export const goOn = (resume: Event.Resume): string => `Go on waiting with: ${Width.safeLine(resume.command)}`

/**
 * @since 0.1.0
 */
export const later = (event: Extract<Event.ProgressEvent, { readonly _tag: "resume" }>): string =>
  `${Event.titleOf(event)}: not waited for. Wait with: ${Width.safeLine(event.resume.command)}`

/**
 * @since 0.1.0
 */
export const statusOf = (resource: Event.Resource): string => {
  const status = resource.status === undefined || resource.status === "" ? "not seen yet" : resource.status
  return Width.safeLine(resource.progress === undefined ? status : `${status} ${resource.progress}`)
}
