/**
 * The options of every command that waits.
 *
 * @since 0.1.0
 */
import type { Option } from "../Spec.ts"

/**
 * Whether to wait at all. Commands wait only when asked to, as `openstack` does.
 *
 * @since 0.1.0
 */
export const options = {
  wait: {
    flags: ["--wait"],
    off: ["--no-wait"],
    type: "switch",
    help: "Wait until the work is done; with --no-wait return at once and print a token for `manila wait --resume`"
  }
} as const satisfies Readonly<Record<string, Option>>

/**
 * How to wait. A flag wins over its variable.
 *
 * @since 0.1.0
 */
export const pace = {
  timeout: {
    flags: ["--timeout"],
    type: "duration",
    metavar: "duration",
    limitless: true,
    env: "MANILA_WAIT_TIMEOUT",
    added: true,
    help: "Limit of the whole command, looks and requests together (default: none; 300 seconds where something goes away)"
  },
  interval: {
    flags: ["--interval"],
    type: "duration",
    metavar: "duration",
    env: "MANILA_WAIT_INTERVAL",
    added: true,
    help: "Time from one look to the next (default: 5 seconds)"
  },
  maxInterval: {
    flags: ["--max-interval"],
    type: "duration",
    metavar: "duration",
    env: "MANILA_WAIT_MAX_INTERVAL",
    added: true,
    help: "Longest pause between two looks (default: the interval; up to 30 seconds after faults, 10 minutes if the service asks)"
  },
  maxAttempts: {
    flags: ["--max-attempts"],
    type: "int",
    metavar: "n",
    min: 1,
    env: "MANILA_WAIT_MAX_ATTEMPTS",
    added: true,
    help: "Give up after so many looks (default: no such limit)"
  },
  tolerate: {
    flags: ["--tolerate"],
    type: "int",
    metavar: "n",
    min: 0,
    env: "MANILA_WAIT_TOLERATE",
    added: true,
    help: "Faults in a row (connection lost, 503, …) that a wait survives (default: 10)"
  },
  progress: {
    flags: ["--progress"],
    type: "string",
    metavar: "how",
    choices: ["auto", "plain", "json", "none"],
    default: "auto",
    added: true,
    help: "Progress on stderr: a live line on a terminal, plain lines, JSON events, or none (default: auto)"
  }
} as const satisfies Readonly<Record<string, Option>>
