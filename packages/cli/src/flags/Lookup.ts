/**
 * Options that several nouns share.
 *
 * @since 0.1.0
 */
import type { Option } from "../Spec.ts"

/**
 * For commands that find a resource by its name.
 *
 * @since 0.1.0
 */
export const options = {
  allProjects: {
    flags: ["--all-projects"],
    type: "flag",
    added: true,
    help: "Look names up in every project, not only in one's own (administrators)"
  }
} as const satisfies Readonly<Record<string, Option>>

/**
 * For deletes.
 *
 * @since 0.1.0
 */
export const missing = {
  ignoreMissing: {
    flags: ["--ignore-missing"],
    type: "flag",
    added: true,
    help: "Something that isn't there counts as deleted"
  }
} as const satisfies Readonly<Record<string, Option>>
