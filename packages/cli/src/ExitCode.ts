/**
 * How a command can end, as names, and the exit code of each: our own, or the one `openstack` gives.
 *
 * @since 0.1.0
 */

/**
 * Our exit codes, by ending.
 *
 * @since 0.1.0
 */
export const codes = {
  ok: 0,
  /** Anything that has no name of its own. */
  other: 1,
  /** The service refused the request as it stands (400). */
  badRequest: 1,
  /** The command line can't be understood; nothing was sent. */
  usage: 2,
  /** A name stands for several resources; nothing was changed. */
  ambiguous: 2,
  /** The resource failed: a failure status, a target out of reach, rolled back. */
  failed: 3,
  timedOut: 4,
  notFound: 5,
  unauthorized: 6,
  forbidden: 6,
  quota: 7,
  /** The resource is in a state that forbids the operation. */
  conflict: 8,
  exists: 8,
  /** Of several resources, some ended in one way and some in another. */
  partial: 9,
  /** A request was sent and its outcome can't be known. */
  outcomeUnknown: 10,
  /** The resource waits for a person to go on. */
  needsAction: 11,
  /** The service can't answer what was asked: it is too old, or says that it lacks what is needed. */
  incapable: 12,
  /** SIGINT. */
  interrupted: 130,
  /** The reader of stdout went away. */
  brokenPipe: 141,
  /** SIGTERM. */
  terminated: 143
} as const

/**
 * @since 0.1.0
 * @category models
 */
export type Ending = keyof typeof codes

/**
 * One resource's ending. `status` is the one that was seen last, if the ending came from looking at the resource
 * (and not from the request that was to change it).
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  readonly ending: Ending
  readonly status?: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export type CodeSet = "manila" | "osc"

const interruptions: ReadonlyArray<Ending> = ["interrupted", "terminated", "brokenPipe"]

/**
 * The exit code of a command that dealt with several resources: an interruption's, or the one all endings share,
 * otherwise 9. Of none it is 0.
 *
 * @since 0.1.0
 */
export const combine = (results: ReadonlyArray<Result>, options: { set: CodeSet; command: string }): number => {
  const interrupted = interruptions.find((ending) => results.some((result) => result.ending === ending))
  if (interrupted !== undefined) return codes[interrupted]
  const all = results.map((result) =>
    options.set === "osc" ? openstack(options.command, result) : codes[result.ending]
  )
  const first = all[0] ?? codes.ok
  if (all.every((code) => code === first)) return first
  // `openstack` counts failures and ends with 1 whatever their number.
  return options.set === "osc" ? 1 : codes.partial
}

// ---------------------------------------------------------------------------------------------------------------------
// what `openstack` does
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The waits of `openstack share …`: what they wait for, the failure statuses they know, and their exit code on one.
 *
 * @since 0.1.0
 */
export const openstackWaits: Readonly<
  Record<
    string,
    { readonly kind: "status" | "deletion"; readonly failures: ReadonlyArray<string>; readonly code: 0 | 1 }
  >
> = {
  "share create": { kind: "status", failures: ["error"], code: 0 },
  "share delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share resize": { kind: "status", failures: ["error"], code: 1 },
  "share adopt": { kind: "status", failures: ["manage_error", "error"], code: 0 },
  "share abandon": { kind: "deletion", failures: ["error"], code: 1 },
  "share revert": { kind: "status", failures: ["error"], code: 1 },
  "share access create": { kind: "status", failures: ["error"], code: 0 },
  "share access delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share backup delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share backup restore": { kind: "status", failures: ["error", "backup_restoring_error"], code: 0 },
  "share snapshot create": { kind: "status", failures: ["error"], code: 0 },
  "share snapshot delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share snapshot adopt": { kind: "status", failures: ["manage_error", "error"], code: 0 },
  "share snapshot abandon": { kind: "deletion", failures: ["error"], code: 1 },
  "share replica create": { kind: "status", failures: ["error"], code: 0 },
  "share replica delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share replica promote": { kind: "status", failures: ["error"], code: 0 },
  "share instance delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share network delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share group create": { kind: "status", failures: ["error"], code: 0 },
  "share group delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share group snapshot create": { kind: "status", failures: ["error"], code: 0 },
  "share group snapshot delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share server delete": { kind: "deletion", failures: ["error"], code: 1 },
  "share server adopt": { kind: "status", failures: ["manage_error", "error"], code: 0 },
  "share server abandon": { kind: "deletion", failures: ["error"], code: 1 }
}

/** Commands of `openstack` that log a refusal of the service and end with 0 all the same. */
const silent: ReadonlySet<string> = new Set(["share backup unset"])

/**
 * The exit code `openstack` gives for the same ending of the same command.
 *
 * A failure status it doesn't know makes it look for ever (status) or for 300 s (deletion): the first can't be given,
 * so both are 1. `needsAction`, an unknown outcome and a time-out of a wait for a status have no counterpart: 1 too.
 *
 * @since 0.1.0
 */
export const openstack = (command: string, result: Result): number => {
  switch (result.ending) {
    case "ok":
      return 0
    case "usage":
      return 2
    case "interrupted":
    case "terminated":
    case "brokenPipe":
      return codes[result.ending]
    case "failed": {
      const wait = openstackWaits[command]
      const known = wait !== undefined && wait.failures.includes((result.status ?? "").toLowerCase())
      return known ? wait.code : 1
    }
    default:
      return silent.has(command) ? 0 : 1
  }
}
