/**
 * `shakenfist-wait` as a program of the same shell as `manila`.
 *
 * @since 0.1.0
 */
import type { Readings } from "../Failure.ts"
import type * as Shell from "../Program.ts"
import * as Global from "../flags/Global.ts"
import * as Flags from "./Flags.ts"

/**
 * What the errors of this cloud mean for an exit code. Some have the names of Manila's and another hint, or none.
 *
 * @since 0.1.0
 */
export const readings: Readings = {
  Incapable: {
    ending: "incapable",
    hint: () => "What it announces is listed by: shakenfist-wait capabilities"
  },
  Unconfigured: { ending: "other" },
  InvalidArgument: { ending: "usage" },
  OperationFailed: { ending: "failed" },
  SettleTimedOut: { ending: "timedOut" },
  Gone: { ending: "notFound" },
  NotThere: { ending: "notFound" },
  WaitFailed: { ending: (error) => (error["cause"] === "notFound" ? "notFound" : "failed") },
  BadRequest: { ending: "badRequest" },
  Unauthorized: {
    ending: (error) => (error["transient"] === true ? "other" : "unauthorized"),
    hint: (error) => (error["transient"] === true ? undefined : "Namespace and key must be those of the URL.")
  },
  NotReady: { ending: "conflict" },
  InsufficientResources: { ending: "quota" }
}

/**
 * @since 0.1.0
 * @category programs
 */
export const program: Shell.Program = {
  name: "shakenfist-wait",
  about:
    "Shaken Fist: waits until a cluster has done what was asked of an instance, a network or an artifact, and says how it " +
    "ended.",
  mostUsed: [
    ["--apiurl <url>", "The cluster; without it SHAKENFIST_API_URL, ~/.shakenfist or /etc/sf/shakenfist.json"],
    ["-f, --format <formatter>", "table, json, yaml, value, csv (lists), shell (records); -c <column> picks columns"],
    ["-h, --help; --version", "This page, or a command's; the version"]
  ],
  globals: Flags.options,
  headings: [
    ["Which cluster, as whom:", Flags.cluster],
    ["What to say:", Global.talk]
  ],
  pace: Flags.pace,
  names: {
    variable: "SHAKENFIST_COMPLETE_NAMES",
    lists: {
      instance: ["objects", "list", "instance"],
      network: ["objects", "list", "network"],
      artifact: ["objects", "list", "artifact"]
    }
  },
  readings,
  exitCodes: {
    meanings: [
      ["0", "Done"],
      ["1", "Another error, or a request the cluster refused as it stands"],
      ["2", "The command line can't be understood, or the resume token is not for this cluster; nothing was sent"],
      ["3", "A cluster operation failed, or the object did"],
      ["4", "Time-out, or the attempts ran out"],
      ["5", "Not found, or gone while it was waited for"],
      ["6", "Not authenticated, or not allowed"],
      ["7", "The cluster has no room"],
      ["8", "The object's state forbids it"],
      ["9", "Several objects, and not all ended alike"],
      ["12", "The cluster can't say: it does not announce the capability that is needed, or breaks its word"],
      ["130, 143", "Interrupted by SIGINT or SIGTERM"],
      ["141", "The reader of the output went away"]
    ]
  }
}
