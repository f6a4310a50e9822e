/**
 * The options of every command of `shakenfist-wait`: which cluster, as whom, and how to wait.
 *
 * @since 0.1.0
 */
import * as Global from "../flags/Global.ts"
import * as Waiting from "../flags/Waiting.ts"
import type { Option, OptionValue } from "../Spec.ts"

/**
 * Which cluster, and as whom. A key that comes with a URL is never sent to another one (see core's `Configuration`).
 *
 * @since 0.1.0
 */
export const cluster = {
  apiUrl: {
    flags: ["--apiurl", "--api-url"],
    type: "string",
    metavar: "url",
    help: "URL of the API (SHAKENFIST_API_URL, ~/.shakenfist, /etc/sf/shakenfist.json)"
  },
  authNamespace: {
    flags: ["--auth-namespace"],
    type: "string",
    metavar: "namespace",
    help: "Namespace to log in to (SHAKENFIST_NAMESPACE with its URL, or the file's)"
  },
  key: {
    flags: ["--key"],
    type: "string",
    metavar: "key",
    secret: true,
    help: "Key of that namespace (better in SHAKENFIST_KEY or a file: others can see a command line)"
  },
  cacert: {
    flags: ["--cacert"],
    type: "string",
    metavar: "file",
    help: "Certificate authorities to trust, a PEM file"
  },
  insecure: {
    flags: ["--insecure"],
    type: "flag",
    help: "Don't verify the server's certificate, for this command's requests only"
  }
} as const satisfies Readonly<Record<string, Option>>

/**
 * @since 0.1.0
 */
export const options = { ...cluster, ...Global.talk } as const satisfies Readonly<Record<string, Option>>

/**
 * The global options' values.
 *
 * @since 0.1.0
 * @category types
 */
export type Globals = { readonly [K in keyof typeof options]: OptionValue<(typeof options)[K]> }

/**
 * How to wait, with this cloud's defaults: those of its functional tests and of its Python client.
 *
 * @since 0.1.0
 */
export const pace = {
  timeout: {
    ...Waiting.pace.timeout,
    env: "SHAKENFIST_WAIT_TIMEOUT",
    help: "Limit of the whole command, looks and requests together (default: settle 300 seconds, await 600 seconds)"
  },
  interval: {
    ...Waiting.pace.interval,
    env: "SHAKENFIST_WAIT_INTERVAL",
    help: "Time from one look to the next (default: settle 10 seconds for instances, 5 for networks, 1 for artifacts; await 5 seconds)"
  },
  maxInterval: {
    ...Waiting.pace.maxInterval,
    env: "SHAKENFIST_WAIT_MAX_INTERVAL"
  },
  maxAttempts: { ...Waiting.pace.maxAttempts, env: "SHAKENFIST_WAIT_MAX_ATTEMPTS" },
  tolerate: {
    ...Waiting.pace.tolerate,
    env: "SHAKENFIST_WAIT_TOLERATE",
    help: "Faults in a row (connection lost, 503, …) that a wait survives (default: 0; a lost connection is tried once more in any case)"
  },
  progress: Waiting.pace.progress
} as const satisfies Readonly<Record<keyof typeof Waiting.pace, Option>>

/**
 * For commands that take names.
 *
 * @since 0.1.0
 */
export const lookup = {
  namespace: {
    flags: ["--namespace"],
    type: "string",
    metavar: "namespace",
    help: "Namespace to look names up in (default: one's own)"
  }
} as const satisfies Readonly<Record<string, Option>>
