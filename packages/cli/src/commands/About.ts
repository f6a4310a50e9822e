/**
 * Which resource an error is about: the service's own sentences don't say.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type * as Spec from "../Spec.ts"

/**
 * An error of the service, about the resource that the command line named.
 *
 * @since 0.1.0
 * @category errors
 */
export class About extends Data.TaggedError("About")<{
  /** `share web` */
  readonly about: string
  readonly error: { readonly _tag: string }
}> {}

/** The arguments that name the one resource of a command, and what it is. */
const subjects: Readonly<Record<string, string>> = {
  share: "share",
  snapshot: "snapshot",
  message: "message",
  shareType: "share type",
  accessId: "access rule"
}

const answers = new Set([
  "NotFound",
  "Conflict",
  "Forbidden",
  "BadRequest",
  "OverQuota",
  "Unavailable",
  "OutcomeUnknown",
  "Malformed",
  "Unexpected"
])

/**
 * `share web`, if the command line names one resource.
 *
 * @since 0.1.0
 */
export const subject = (spec: Spec.Spec, args: Readonly<Record<string, unknown>>): string | undefined => {
  const key = Object.keys(spec.args).find((key) => subjects[key] !== undefined && typeof args[key] === "string")
  return key === undefined ? undefined : `${subjects[key]} ${String(args[key])}`
}

/**
 * The error with its resource, where it is an answer of the service.
 *
 * @since 0.1.0
 */
export const about = <E extends { readonly _tag: string }>(subject: string | undefined, error: E): E | About =>
  subject !== undefined && answers.has(error._tag) ? new About({ about: subject, error }) : error
