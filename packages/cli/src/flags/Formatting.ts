/**
 * The options of every command that prints a record or a list.
 *
 * @since 0.1.0
 */
import type { Option } from "../Spec.ts"

/**
 * The formatters there are. A new one joins here and in `Output`'s registry.
 *
 * @since 0.1.0
 */
export const names = ["json", "table", "value"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type Name = (typeof names)[number]

/**
 * For a single record.
 *
 * @since 0.1.0
 */
export const single = {
  format: {
    flags: ["-f", "--format"],
    type: "string",
    metavar: "formatter",
    choices: names,
    default: "table",
    help: `Output format: ${names.join(", ")} (default: table)`
  },
  column: {
    flags: ["-c", "--column"],
    type: "string",
    metavar: "column",
    repeatable: true,
    help: "Show only this column; repeat for more. Upper and lower case are alike"
  },
  noindent: { flags: ["--noindent"], type: "flag", help: "JSON on one line" },
  maxWidth: {
    flags: ["--max-width"],
    type: "int",
    metavar: "columns",
    default: 0,
    env: "CLIFF_MAX_TERM_WIDTH",
    help: "Wrap tables at this width; 0 for the terminal's width on a terminal, else none"
  },
  fitWidth: {
    flags: ["--fit-width"],
    type: "flag",
    env: "CLIFF_FIT_WIDTH",
    help: "Wrap tables at the terminal's width"
  },
  printEmpty: { flags: ["--print-empty"], type: "flag", help: "Print the headers also when there is nothing to show" }
} as const satisfies Readonly<Record<string, Option>>

/**
 * For a list: a single record's, and how to sort.
 *
 * @since 0.1.0
 */
export const options = {
  ...single,
  sortColumn: {
    flags: ["--sort-column"],
    type: "string",
    metavar: "column",
    repeatable: true,
    help: "Sort by this column; repeat for more, the first counts most"
  },
  sortAscending: {
    flags: ["--sort-ascending"],
    type: "flag",
    exclusive: "sort direction",
    help: "Sort upwards (default)"
  },
  sortDescending: { flags: ["--sort-descending"], type: "flag", exclusive: "sort direction", help: "Sort downwards" }
} as const satisfies Readonly<Record<string, Option>>
