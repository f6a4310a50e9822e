/**
 * What tells one program of this package from another: its name, the options of all its commands, and what its help
 * says. Everything else (argv, help, output, progress, endings) is one shell.
 *
 * @since 0.1.0
 */
import * as ExitCode from "./ExitCode.ts"
import type { Readings } from "./Failure.ts"
import * as Global from "./flags/Global.ts"
import * as Waiting from "./flags/Waiting.ts"
import type { Option, Spec } from "./Spec.ts"

/**
 * Two columns of a help page.
 *
 * @since 0.1.0
 * @category models
 */
export type Rows = ReadonlyArray<readonly [left: string, right: string]>

/**
 * @since 0.1.0
 * @category models
 */
export interface Program {
  /** As it is called. */
  readonly name: string
  /** What it is for, on the root page. */
  readonly about: string
  /** The options the root page shows. */
  readonly mostUsed: Rows
  /** The options of every command. */
  readonly globals: Readonly<Record<string, Option>>
  /** The same under the headings they have on the page of options. */
  readonly headings: ReadonlyArray<readonly [heading: string, options: Readonly<Record<string, Option>>]>
  /** How the commands that wait do so. */
  readonly pace: Readonly<Record<keyof typeof Waiting.pace, Option>>
  /** Which command lists the names of a kind of resources, and the variable that lets a shell's completion ask for them. */
  readonly names: { readonly variable: string; readonly lists: Readonly<Record<string, ReadonlyArray<string>>> }
  readonly exitCodes: { readonly meanings: Rows; readonly note?: string | undefined }
  /** How errors are taken that mean something else than in `Failure`, or that only this program has. */
  readonly readings?: Readings | undefined
}

const zero = Object.keys(ExitCode.openstackWaits).filter((name) => ExitCode.openstackWaits[name]?.code === 0)

/**
 * @since 0.1.0
 * @category programs
 */
export const manila: Program = {
  name: "manila",
  about:
    "OpenStack Manila, shared file systems: the words and flags of `openstack share …`, with waits that say how they " +
    "ended.",
  mostUsed: [
    ["--os-cloud <name>", "Cloud of clouds.yaml; without it OS_CLOUD or the other OS_* variables"],
    ["-f, --format <formatter>", "table, json, yaml, value, csv (lists), shell (records); -c <column> picks columns"],
    ["-h, --help; --version", "This page, or a command's; the version"]
  ],
  globals: Global.options,
  headings: [
    ["Which cloud, as whom:", Global.cloud],
    ["What to say:", Global.behaviour]
  ],
  pace: Waiting.pace,
  names: {
    variable: "MANILA_COMPLETE_NAMES",
    // A page is enough: nobody reads more on a terminal.
    lists: {
      share: ["share", "list", "--limit", "1000"],
      snapshot: ["share", "snapshot", "list", "--limit", "1000"],
      "share type": ["share", "type", "list"],
      replica: ["share", "replica", "list"],
      backup: ["share", "backup", "list"],
      instance: ["share", "instance", "list"]
    }
  },
  exitCodes: {
    meanings: [
      ["0", "Done"],
      ["1", "Another error, or a request the service refused as it stands"],
      ["2", "The command line can't be understood, or a name stands for several resources; nothing was changed"],
      ["3", "The resource failed"],
      ["4", "Time-out, or the attempts ran out"],
      ["5", "Not found"],
      ["6", "Not authenticated, or not allowed"],
      ["7", "Over quota"],
      ["8", "The resource's state forbids it, or it exists already"],
      ["9", "Several resources, and not all ended alike"],
      ["10", "A request was sent and its outcome is not known"],
      ["11", "The resource waits for you to go on"],
      ["130, 143", "Interrupted by SIGINT or SIGTERM"],
      ["141", "The reader of the output went away"]
    ],
    note:
      "With --exit-codes osc (or MANILA_EXIT_CODES=osc) they are those of `openstack` for the same ending: 0, 1 for any " +
      `error, 2 for the command line. There, these commands end with 0 although --wait saw an error: ${zero.join(", ")}.`
  }
}

/**
 * The program a command belongs to.
 *
 * @since 0.1.0
 */
export const of = (spec: Pick<Spec, "program">): Program => spec.program ?? manila
