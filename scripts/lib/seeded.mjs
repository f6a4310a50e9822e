/** Bugs that waits have had, written into this one by hand. Each must break a law. */

const transition = "packages/core/src/waiter/internal/transition.ts"
const driver = "packages/core/src/waiter/internal/driver.ts"
const pace = "packages/core/src/waiter/Pace.ts"
const goal = "packages/core/src/waiter/Goal.ts"
const execute = "packages/core/src/manila/internal/execute.ts"
const operation = "packages/core/src/http/Operation.ts"

export const seeded = [
  {
    claim: "the limit is exclusive: no look at it",
    file: transition,
    from: ": { state: after, next: { at: bounds.limit, final: true } }",
    to: `: { state: after, next: timedOut("limit") }`
  },
  {
    claim: "one more look after the end",
    file: driver,
    from: "if (T.lasts(next)) yield* this.sleepUntil(bounds.limit)",
    to: "yield* look"
  },
  {
    claim: "jitter after the cap",
    file: pace,
    from: "attempts: options.attempts, maxGap: cap })",
    to: "attempts: options.attempts })"
  },
  {
    claim: "a 403 is swallowed until the limit",
    file: transition,
    from: "const over = !patience.isTransient(error) || ",
    to: "const over = "
  },
  {
    claim: "a POST is repeated after a 503",
    file: execute,
    from: "(safe ? Retry.safely(tried, isOwn) : tried)",
    to: 'Retry.safely(tried, (error) => error._tag === "OutcomeUnknown" || isOwn(error))'
  },
  {
    claim: "no floor: a busy loop",
    file: transition,
    from: "ended + judged.hold, ended + bounds.floor)",
    to: "ended + judged.hold)"
  },
  {
    claim: "Retry-After is taken for lateness: two looks in a row",
    file: transition,
    from: "const after = at > scheduled ? { ...state, added: state.added + (at - scheduled) } : state",
    to: "const after = state"
  },
  {
    claim: "a good look does not forgive faults",
    file: transition,
    from: "faultsInARow: 0,\n      lastFault: state.lastFault",
    to: "faultsInARow: state.faultsInARow,\n      lastFault: state.lastFault"
  },
  {
    claim: "a look that hangs outlives the limit",
    file: driver,
    from: `if (this.phase !== "looking") yield* this.clock.sleep(finalLook)`,
    to: `if (this.phase === "looking") yield* Effect.never`
  },
  {
    claim: "one transient fault fewer than promised",
    file: transition,
    from: "!(inARow <= patience.tolerate)",
    to: "!(inARow < patience.tolerate)"
  },
  {
    claim: "every look is an entry of the history: memory grows",
    file: transition,
    from: "const changed = last === undefined || last.status !== status",
    to: "const changed = true as boolean"
  },
  {
    claim: "time is read from the system's clock",
    file: driver,
    from: "return Number(this.clock.unsafeCurrentTimeNanos() - this.started) / 1_000_000",
    to: "return this.clock.unsafeCurrentTimeMillis() - Number(this.started) / 1_000_000"
  },
  {
    claim: "a Retry-After stays for every later look",
    file: driver,
    from: "hint.clear()\n        const began",
    to: "const began"
  },
  {
    claim: "a sleep before the first look",
    file: transition,
    from: "({ at: 0, final: bounds.limit <= 0 })",
    to: "({ at: 5000, final: bounds.limit <= 0 })"
  },
  {
    claim: "stableFor counts looks that are not in a row",
    file: goal,
    from: "if (verdict._tag !== tag) return { verdict, next: consecutive(next, n, tag, 0) }",
    to: "if (verdict._tag !== tag) return { verdict, next: consecutive(next, n, tag, count) }"
  },
  {
    claim: "an id is not encoded",
    file: operation,
    from: "encodeURIComponent(text)",
    to: "text"
  },
  {
    claim: "a field is sent to a version that does not have it",
    file: execute,
    from: "given !== undefined && given !== false &&",
    to: "given === null &&"
  }
]
