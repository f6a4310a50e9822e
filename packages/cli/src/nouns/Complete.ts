/**
 * Completion of command lines in a shell: `complete`.
 *
 * @since 0.1.0
 */
import * as Spec from "../Spec.ts"

/**
 * The shells there is a script for.
 *
 * @since 0.1.0
 */
export const shells = ["bash", "zsh", "fish"] as const

/**
 * @since 0.1.0
 */
export const complete = Spec.make({
  words: ["complete"],
  summary: "Print a script that completes command lines in a shell",
  details:
    "It asks this program at each press of the key, so that it is never out of date. With MANILA_COMPLETE_NAMES=1 in the " +
    "environment the names of shares, snapshots and the like are asked of the cloud; otherwise nothing is.",
  args: {},
  options: {
    shell: {
      flags: ["--shell"],
      type: "string",
      metavar: "shell",
      choices: shells,
      default: "bash",
      help: "The shell the script is for (default: bash)"
    }
  },
  output: { kind: "none" }
})
