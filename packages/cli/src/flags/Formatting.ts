/**
 * The options of every command that prints a record or a list.
 *
 * @since 0.1.0
 */
import type { Option } from "../Spec.ts"

/**
 * The formatters of lists. A new one joins here (or below) and in `Output`'s registry.
 *
 * @since 0.1.0
 */
export const listNames = ["csv", "json", "table", "value", "yaml"] as const

/**
 * The formatters of single records.
 *
 * @since 0.1.0
 */
export const singleNames = ["json", "shell", "table", "value", "yaml"] as const

/**
 * @since 0.1.0
 * @category models
 */
export type ListName = (typeof listNames)[number]

/**
 * @since 0.1.0
 * @category models
 */
export type SingleName = (typeof singleNames)[number]

/**
 * @since 0.1.0
 * @category models
 */
export type Name = ListName | SingleName

const format = <const Names extends ReadonlyArray<string>>(names: Names) =>
  ({
    flags: ["-f", "--format"],
    type: "string",
    metavar: "formatter",
    choices: names,
    default: "table",
    help: `Output format: ${names.join(", ")} (default: table)`
  }) as const

const common = {
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
 * For a single record.
 *
 * @since 0.1.0
 */
export const single = {
  format: format(singleNames),
  ...common,
  prefix: {
    flags: ["--prefix"],
    type: "string",
    metavar: "prefix",
    default: "",
    help: "Shell: put this before each variable's name"
  },
  variable: {
    flags: ["--variable"],
    type: "string",
    metavar: "variable",
    repeatable: true,
    help: "Shell: only this variable; repeat for more"
  }
} as const satisfies Readonly<Record<string, Option>>

/**
 * For a list.
 *
 * @since 0.1.0
 */
export const options = {
  format: format(listNames),
  ...common,
  quote: {
    flags: ["--quote"],
    type: "string",
    metavar: "what",
    choices: ["all", "minimal", "none", "nonnumeric"],
    default: "nonnumeric",
    help: "CSV: what to put in quotes (default: nonnumeric)"
  },
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

/**
 * A list's and a single record's.
 *
 * @since 0.1.0
 */
export const every = { ...single, ...options } as const satisfies Readonly<Record<string, Option>>
