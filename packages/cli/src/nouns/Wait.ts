/**
 * Waiting for something that is already there, or is to come: `wait`.
 *
 * @since 0.1.0
 */
import * as Lookup from "../flags/Lookup.ts"
import * as Spec from "../Spec.ts"

/**
 * The kinds of resources that can be waited for.
 *
 * @since 0.1.0
 */
export const kinds = ["share", "snapshot", "access", "replica", "backup", "instance"] as const

/**
 * @since 0.1.0
 */
export const wait = Spec.make({
  words: ["wait"],
  aliases: [
    { words: ["share", "wait"], args: ["share"] },
    { words: ["share", "snapshot", "wait"], args: ["snapshot"] },
    { words: ["share", "access", "wait"], args: ["access"] },
    { words: ["share", "replica", "wait"], args: ["replica"] },
    { words: ["share", "backup", "wait"], args: ["backup"] },
    { words: ["share", "instance", "wait"], args: ["instance"] }
  ],
  summary: "Wait until resources reach a status, or are gone",
  details:
    "All resources share one limit and are looked at together. Prints one record for each: kind, id, name, status, " +
    "and which condition matched. Something that is not there counts as deleted.",
  args: {
    kind: {
      type: "string",
      metavar: "kind",
      choices: kinds,
      unless: "resume",
      help: `What to wait for: ${kinds.join(", ")}`
    },
    resources: {
      type: "string",
      metavar: "name-or-id",
      many: true,
      unless: "resume",
      help: "Names or ids of the resources; access rules, replicas and instances by id only"
    }
  },
  options: {
    for: {
      flags: ["--for"],
      type: "string",
      metavar: "status",
      required: true,
      unless: "resume",
      help: "The status to wait for: available, deleted, or any other"
    },
    or: {
      flags: ["--or"],
      type: "string",
      metavar: "status",
      repeatable: true,
      help: "Another status that ends the wait well, error included; repeat for more"
    },
    allowMissing: {
      flags: ["--allow-missing"],
      type: "flag",
      help: "Wait for it to appear too, instead of failing at once"
    },
    resume: {
      flags: ["--resume"],
      type: "token",
      metavar: "token",
      help: "Go on with the wait that this token was printed for: same resource, goal and deadline"
    },
    ...Lookup.options
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["Kind", "kind"],
        ["ID", "id"],
        ["Name", "name"],
        ["Status", "status"],
        ["Matched", "matched"]
      ]
    }
  },
  wait: "always",
  added: true
})
