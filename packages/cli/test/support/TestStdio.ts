/**
 * A process that tests can look at and poke: what was written, with what terminal, and which signals come.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Signal, Stdio, StdoutFailed } from "@effect-manila/cli/Stdio"

export interface TestStdio {
  readonly service: Context.Tag.Service<Stdio>
  readonly stdout: () => string
  readonly stderr: () => string
  readonly stderrWrites: ReadonlyArray<string>
  readonly exits: ReadonlyArray<number>
  readonly listeners: () => number
  readonly signal: (signal: Signal) => void
  size: { columns: number | undefined; rows: number | undefined }
}

export const make = (
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly stdoutTerminal?: boolean
    readonly stderrTerminal?: boolean
    readonly columns?: number
    readonly rows?: number
    /** The code stdout fails with. */
    readonly stdoutFails?: string
  } = {}
): TestStdio => {
  const out: Array<string> = []
  const err: Array<string> = []
  const exits: Array<number> = []
  const listeners = new Set<(signal: Signal) => void>()
  const self: TestStdio = {
    size: { columns: options.columns, rows: options.rows },
    stdout: () => out.join(""),
    stderr: () => err.join(""),
    stderrWrites: err,
    exits,
    listeners: () => listeners.size,
    signal: (signal) => {
      for (const listener of listeners) listener(signal)
    },
    service: {
      env: options.env ?? {},
      stdout: {
        isTerminal: options.stdoutTerminal === true,
        columns: () => self.size.columns,
        write: (text) =>
          options.stdoutFails === undefined
            ? Effect.sync(() => void out.push(text))
            : Effect.fail(new StdoutFailed({ code: options.stdoutFails, detail: "test" }))
      },
      stderr: {
        isTerminal: options.stderrTerminal === true,
        columns: () => self.size.columns,
        rows: () => self.size.rows,
        write: (text) => void err.push(text)
      },
      onSignal: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      exit: (code) => void exits.push(code)
    }
  }
  return self
}

export const provide =
  (stdio: TestStdio) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Stdio>> =>
    Effect.provideService(effect, Stdio, stdio.service)
