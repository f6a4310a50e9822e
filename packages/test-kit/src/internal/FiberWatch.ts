/**
 * Knows the fibers of one run, and what each of them waits for.
 *
 * A fiber that waits for a promise, a socket or any other callback looks as idle as one that sleeps, and virtual time
 * would simply move past it. What tells it apart is how it came to wait: `Effect.async`, `Effect.promise` and
 * `Effect.tryPromise` name nobody they wait for, and run the caller's registration before they suspend; Effect's own
 * primitives (deferreds, queues, semaphores, latches, mailboxes, `never`) register only when they suspend.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as FiberId from "effect/FiberId"
import * as Supervisor from "effect/Supervisor"
import { endlessId, sleepId } from "./VirtualClock.ts"

/** The fields of Effect's instructions this reads; nothing is changed in them. */
interface Instruction {
  readonly _op: string
  readonly effect_instruction_i0?: unknown
  readonly effect_instruction_i1?: unknown
}

export type Waits = "ready" | "clock" | "endless" | "outside" | { readonly on: FiberId.FiberId }

interface Seen {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  waits: Waits
}

const nobody = (id: unknown): boolean => (id as FiberId.FiberId)._tag === "None"

export class FiberWatch extends Supervisor.AbstractSupervisor<void> {
  readonly value = Effect.void
  /** Fibers that have started and not ended, oldest first. */
  readonly alive = new Map<Fiber.RuntimeFiber<unknown, unknown>, Seen>()
  /** Those of them that wait for something nobody in the run can bring about. */
  readonly outside = new Set<Seen>()

  /** The instruction before was a call of a function the program gave: a registration, or the body of a mask. */
  private calls = false
  private callsBefore = false
  /** It started fibers: then it waits for them, which is how `forEach` and `raceAll` are made. */
  private forked = false
  private forkedBefore = false
  private afterCommit = false
  private waits: Waits = "ready"

  override onStart(
    _context: unknown,
    _effect: unknown,
    _parent: unknown,
    fiber: Fiber.RuntimeFiber<unknown, unknown>
  ): void {
    this.alive.set(fiber, { fiber, waits: "ready" })
    this.forked = true
  }

  override onEnd(_exit: unknown, fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    const seen = this.alive.get(fiber)
    if (seen === undefined) return
    this.alive.delete(fiber)
    this.outside.delete(seen)
  }

  override onEffect(_fiber: unknown, effect: Effect.Effect<unknown, unknown, unknown>): void {
    // An Effect is an opaque type; its instruction is what the runtime hands to supervisors.
    const instruction = effect as unknown as Instruction
    switch (instruction._op) {
      case "Commit":
        this.callsBefore = this.calls
        this.forkedBefore = this.forked
        this.calls = typeof instruction.effect_instruction_i0 === "function"
        this.forked = false
        this.afterCommit = true
        return
      case "UpdateRuntimeFlags":
        // That call was the body of a mask (every `onInterrupt` is one), and says nothing.
        if (this.afterCommit) {
          this.calls = this.callsBefore
          this.forked = this.forkedBefore
        }
        break
      case "Async": {
        const on = instruction.effect_instruction_i1 as FiberId.FiberId
        if (on === sleepId) this.waits = "clock"
        else if (on === endlessId) this.waits = "endless"
        else this.waits = nobody(on) && this.calls && !this.forked ? "outside" : { on }
        this.calls = false
      }
    }
    this.afterCommit = false
  }

  override onResume(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    this.calls = false
    this.afterCommit = false
    this.waits = "ready"
    const seen = this.alive.get(fiber)
    if (seen === undefined || seen.waits === "ready") return
    if (seen.waits === "outside") this.outside.delete(seen)
    seen.waits = "ready"
  }

  override onSuspend(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    const waits = this.waits
    this.waits = "ready"
    if (waits === "ready") return
    const seen = this.alive.get(fiber)
    if (seen === undefined) return
    seen.waits = waits
    if (waits === "outside") this.outside.add(seen)
  }
}
