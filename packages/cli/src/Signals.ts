/**
 * Runs a program so that the first SIGINT or SIGTERM interrupts it, with all its finalizers, and a second one ends the
 * process at once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as ExitCode from "./ExitCode.ts"
import { type Signal, Stdio } from "./Stdio.ts"

/**
 * How a program ended, and the signal that interrupted it, if one did.
 *
 * @since 0.1.0
 * @category models
 */
export interface Ended<A, E> {
  readonly exit: Exit.Exit<A, E>
  readonly signal: Signal | undefined
}

/**
 * The ending a signal stands for.
 *
 * @since 0.1.0
 */
export const endingOf = (signal: Signal): "interrupted" | "terminated" =>
  signal === "SIGINT" ? "interrupted" : "terminated"

/**
 * Never fails: the program's exit is the result. The listener is there before the program starts and gone when it has
 * ended.
 *
 * @since 0.1.0
 */
export const run = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<Ended<A, E>, never, R | Stdio> =>
  Effect.gen(function* () {
    const stdio = yield* Stdio
    let received: Signal | undefined
    let interrupt: (() => void) | undefined
    const off = stdio.onSignal((signal) => {
      if (received !== undefined) return stdio.exit(ExitCode.codes[endingOf(received)])
      received = signal
      interrupt?.()
    })
    const fiber = yield* Effect.fork(Effect.interruptible(program))
    interrupt = () => fiber.unsafeInterruptAsFork(FiberId.none)
    if (received !== undefined) interrupt()
    const exit = yield* Effect.ensuring(Fiber.await(fiber), Effect.sync(off))
    return { exit, signal: received }
  })
