/**
 * The process as the rest of the program sees it: its streams, its environment, its signals. Only `bin.ts` has the real
 * one, so that everything else runs in a test without a child process.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { showCursor } from "./progress/Live.ts"

/**
 * Standard output could not be written: its reader went away (`EPIPE`), the disk is full (`ENOSPC`), …
 *
 * @since 0.1.0
 * @category errors
 */
export class StdoutFailed extends Data.TaggedError("StdoutFailed")<{ readonly code: string; readonly detail: string }> {
  override get message(): string {
    return `can't write the output: ${this.detail}`
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export type Signal = "SIGINT" | "SIGTERM"

/**
 * @since 0.1.0
 * @category tags
 */
export class Stdio extends Context.Tag("@effect-manila/cli/Stdio")<
  Stdio,
  {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly stdout: {
      readonly isTerminal: boolean
      /** The terminal's width in columns; `undefined` where there is none. It may change while the program runs. */
      readonly columns: () => number | undefined
      /** Ends when the text was taken. */
      readonly write: (text: string) => Effect.Effect<void, StdoutFailed>
    }
    readonly stderr: {
      readonly isTerminal: boolean
      readonly columns: () => number | undefined
      readonly rows: () => number | undefined
      /** Never fails: nobody could be told. */
      readonly write: (text: string) => void
    }
    /** Calls the listener on every signal until the returned function is called. */
    readonly onSignal: (listener: (signal: Signal) => void) => () => void
    /** Ends the process at once. */
    readonly exit: (code: number) => void
  }
>() {}

// ---------------------------------------------------------------------------------------------------------------------
// the real one
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The parts of Node's process that are used; `bin.ts` hands it over.
 *
 * @since 0.1.0
 * @category models
 */
export type Process = Pick<NodeJS.Process, "env" | "stdout" | "stderr" | "on" | "off" | "exit">

/**
 * @since 0.1.0
 * @category constructors
 */
export const fromProcess = (real: Process): Context.Tag.Service<Stdio> => {
  // Without listeners an error of a stream ends the process with a stack trace.
  const ignore = () => undefined
  real.stdout.on("error", ignore)
  real.stderr.on("error", ignore)
  return {
    env: real.env,
    stdout: {
      isTerminal: real.stdout.isTTY === true,
      columns: () => real.stdout.columns,
      write: (text) =>
        Effect.async((resume) => {
          real.stdout.write(text, (error) => resume(error ? Effect.fail(failed(error)) : Effect.void))
        })
    },
    stderr: {
      isTerminal: real.stderr.isTTY === true,
      columns: () => real.stderr.columns,
      rows: () => real.stderr.rows,
      write: (text) => void real.stderr.write(text)
    },
    onSignal: (listener) => {
      real.on("SIGINT", listener)
      real.on("SIGTERM", listener)
      return () => {
        real.off("SIGINT", listener)
        real.off("SIGTERM", listener)
      }
    },
    exit: (code) => {
      if (real.stderr.isTTY) real.stderr.write(showCursor)
      real.exit(code)
    }
  }
}

const failed = (error: NodeJS.ErrnoException): StdoutFailed =>
  new StdoutFailed({ code: error.code ?? "UNKNOWN", detail: error.message })
