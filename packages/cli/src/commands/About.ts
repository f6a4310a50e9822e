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
  /** `web` */
  readonly name: string
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
 * @since 0.1.0
 * @category models
 */
export interface Subject {
  readonly name: string
  /** `share web` */
  readonly about: string
}

/**
 * The resource that the command line names, if it is one.
 *
 * @since 0.1.0
 */
export const subject = (spec: Spec.Spec, args: Readonly<Record<string, unknown>>): Subject | undefined => {
  for (const key of Object.keys(spec.args)) {
    const name = args[key]
    if (subjects[key] !== undefined && typeof name === "string") return { name, about: `${subjects[key]} ${name}` }
  }
  return undefined
}

/**
 * The error with its resource, where it is an answer of the service.
 *
 * @since 0.1.0
 */
export const about = <E extends { readonly _tag: string }>(subject: Subject | undefined, error: E): E | About =>
  subject !== undefined && answers.has(error._tag) ? new About({ ...subject, error }) : error
