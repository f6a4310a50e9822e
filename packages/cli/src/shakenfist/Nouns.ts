/**
 * The commands of `shakenfist-wait` as data.
 *
 * @since 0.1.0
 */
import * as Complete from "../nouns/Complete.ts"
import * as Spec from "../Spec.ts"
import * as Flags from "./Flags.ts"
import { program } from "./Program.ts"

/**
 * The kinds of objects that operations are listed and waited for of.
 *
 * @since 0.1.0
 */
export const kinds = ["instance", "network", "artifact"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Kind = (typeof kinds)[number]

const kind = { type: "string", metavar: "kind", choices: kinds, help: `What it is: ${kinds.join(", ")}` } as const

/** Not needed to go on with a wait, whose token names the object. */
const awaited = {
  kind: { ...kind, unless: "resume" },
  refs: {
    type: "string",
    metavar: "ref",
    many: true,
    unless: "resume",
    help: "Uuids or names of the objects"
  }
} as const

const later = (command: string) =>
  ({
    noWait: {
      flags: ["--no-wait"],
      type: "flag",
      help: `Return at once and print a token for \`${command} --resume\``
    },
    resume: {
      flags: ["--resume"],
      type: "token",
      metavar: "token",
      help: "Go on with the wait that this token was printed for: same object, goal and deadline"
    }
  }) as const

/**
 * @since 0.1.0
 */
export const operationsList = Spec.make({
  program,
  added: true,
  words: ["operations", "list"],
  summary: "List the cluster operations of an object",
  details:
    "The newest first. Without --all those that are queued or running; a finished one is listed for half a minute to some " +
    "six minutes, one in error for a week.",
  args: {
    kind,
    ref: { type: "string", metavar: "ref", help: "Uuid or name of the object" }
  },
  options: {
    all: { flags: ["--all"], type: "flag", help: "Finished operations too" },
    ...Flags.lookup
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["UUID", "uuid"],
        ["Type", "operation_type"],
        ["State", "state"],
        ["Tasks", "tasks"],
        ["Observational", "observational"]
      ]
    }
  }
})

/**
 * @since 0.1.0
 */
export const operationsShow = Spec.make({
  program,
  added: true,
  words: ["operations", "show"],
  summary: "Show a cluster operation",
  args: {
    type: { type: "string", metavar: "type", help: "Its type, as the list has it: net_op, node_inst_op, …" },
    uuid: { type: "string", metavar: "uuid", help: "Its uuid" }
  },
  options: {},
  output: { kind: "single", fields: { mode: "all" } }
})

/**
 * @since 0.1.0
 */
export const settle = Spec.make({
  program,
  added: true,
  words: ["settle"],
  summary: "Wait until nothing is pending for objects, and fail if one of their operations did",
  details:
    "Operations that had failed before it began are known, and don't count; nor do those that only measure. All objects " +
    "share one limit and are looked at together. Prints one record for each. Listing what failed needs the system " +
    "namespace, or an object of one's own.",
  args: awaited,
  options: { ...later("shakenfist-wait settle"), ...Flags.lookup },
  output: {
    kind: "table",
    columns: {
      default: [
        ["Kind", "kind"],
        ["UUID", "uuid"],
        ["Name", "name"],
        ["State", "state"],
        ["Failed Operation", "operation"]
      ]
    }
  },
  wait: "always"
})

/**
 * @since 0.1.0
 */
export const awaiting = Spec.make({
  program,
  added: true,
  words: ["await"],
  summary: "Wait until objects are created, or deleted",
  details:
    "A failure state ends the wait on the look that sees it. Something that is not there counts as deleted. All objects " +
    "share one limit and are looked at together. Prints one record for each.",
  args: awaited,
  options: {
    for: {
      flags: ["--for"],
      type: "string",
      metavar: "state",
      choices: ["created", "deleted"],
      required: true,
      unless: "resume",
      help: "The state to wait for"
    },
    ...later("shakenfist-wait await"),
    ...Flags.lookup
  },
  output: {
    kind: "table",
    columns: {
      default: [
        ["Kind", "kind"],
        ["UUID", "uuid"],
        ["Name", "name"],
        ["State", "state"],
        ["Matched", "matched"]
      ]
    }
  },
  wait: "always"
})

/**
 * @since 0.1.0
 */
export const capabilities = Spec.make({
  program,
  added: true,
  words: ["capabilities"],
  summary: "List what the cluster announces, and what these commands need of it",
  details: "Asks without logging in.",
  args: {},
  options: {},
  output: {
    kind: "table",
    columns: {
      default: [
        ["Capability", "capability"],
        ["Family", "family"],
        ["Announced", "announced"],
        ["Needed By", "needed"]
      ]
    }
  }
})

/**
 * What completion asks with; nobody else can.
 *
 * @since 0.1.0
 */
export const objectsList = Spec.make({
  program,
  added: true,
  words: ["objects", "list"],
  summary: "List the names of objects",
  args: { kind },
  options: {},
  output: {
    kind: "table",
    columns: {
      default: [
        ["ID", "uuid"],
        ["Name", "name"]
      ]
    }
  }
})

/**
 * @since 0.1.0
 */
export const complete = Spec.make({
  ...Complete.complete,
  program,
  added: true,
  details:
    "It asks this program at each press of the key, so that it is never out of date. With SHAKENFIST_COMPLETE_NAMES=1 in " +
    "the environment the names of instances, networks and artifacts are asked of the cluster; otherwise nothing is."
})
