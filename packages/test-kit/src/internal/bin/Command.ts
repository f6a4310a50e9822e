/**
 * A command that runs as if `fake-cloud` were not there: its terminal, its signals, its exit code.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import * as Effect from "effect/Effect"

/** The signals that end a program from outside. */
export const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const
export type Signal = (typeof signals)[number]

/** The part of `process` that sends signals here. */
export interface Source {
  readonly on: (signal: Signal, listener: () => void) => unknown
  readonly off: (signal: Signal, listener: () => void) => unknown
}

export const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

export interface Options {
  readonly command: ReadonlyArray<string>
  readonly env: Record<string, string>
  readonly source: Source
  /**
   * There is a terminal. It sends its signals (Ctrl-C, Ctrl-\) to the command by itself, and a second one from here
   * would look like a second Ctrl-C.
   */
  readonly terminal: boolean
}

/**
 * Runs the command to its end and gives the exit code: its own, 128 + n if signal n ended it, 127 if there is no such
 * program, 126 if it can't be run. `complain` gets the sentence for the latter two.
 */
export const run = (options: Options, complain: (sentence: string) => void): Effect.Effect<number> =>
  Effect.async<number>((resume) => {
    const [program = "", ...args] = options.command
    const child = spawn(program, args, { stdio: "inherit", env: options.env })
    const listeners = signals.map((signal) => {
      const listener = () => {
        if (!(options.terminal && (signal === "SIGINT" || signal === "SIGQUIT"))) child.kill(signal)
      }
      options.source.on(signal, listener)
      return [signal, listener] as const
    })
    const end = (code: number) => {
      for (const [signal, listener] of listeners) options.source.off(signal, listener)
      resume(Effect.succeed(code))
    }
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return
      complain(`can't run ${program}: ${error.code === "ENOENT" ? "there is no such program" : error.message}`)
      end(error.code === "ENOENT" ? 127 : 126)
    })
    child.on("exit", (code, signal) => end(signal === null ? (code ?? 1) : codeOf(signal)))
  })

/** Waits for a signal and gives its exit code. */
export const untilSignal = (source: Source): Effect.Effect<number> =>
  Effect.async<number>((resume) => {
    const listeners = signals.map((signal) => {
      const listener = () => {
        for (const [signal, listener] of listeners) source.off(signal, listener)
        resume(Effect.succeed(codeOf(signal)))
      }
      source.on(signal, listener)
      return [signal, listener] as const
    })
  })
