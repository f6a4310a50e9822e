/**
 * A record as assignments a shell can read: `name="value"`, one a line.
 *
 * Unlike `openstack`'s they are safe to `eval`, whoever chose the values: `$`, a backtick and a backslash are escaped too,
 * and names are made of letters, digits and underscores alone. Evaluated, they give the very values.
 *
 * @since 0.1.0
 */
import * as Cell from "../Cell.ts"
import * as Python from "./Python.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Stands before each name. */
  readonly prefix: string
  /** Only these, as they are written in lower case with underscores for spaces; all if there are none. */
  readonly variables: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 */
export const single = (
  fields: ReadonlyArray<readonly [name: string, value: unknown]>,
  { prefix, variables }: Options
): string =>
  fields
    .map(([name, value]) => [name.toLowerCase().replaceAll(" ", "_"), Python.str(Cell.machine(value))] as const)
    .filter(([name]) => variables.length === 0 || variables.includes(name))
    .map(([name, text]) => `${nameOf(`${prefix}${name}`)}="${text.replace(/[\\"$`]/g, "\\$&")}"\n`)
    .join("")

/** No name begins with a digit. */
const nameOf = (text: string): string => text.replace(/[^A-Za-z0-9_]/gu, "_").replace(/^(?=\d|$)/, "_")
