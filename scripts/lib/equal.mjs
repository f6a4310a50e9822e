/**
 * Small wrongs that are none: the program does the same with them, so that no test can notice. `near` is text around the
 * place, as `mutate` prints it, that tells it from others; an entry that fits no place any more is an error.
 *
 * @typedef {{ file: string, what: string, near: string, why: string }} Equal
 */

/** @type {ReadonlyArray<Equal>} */
export const equal = [
  {
    file: "internal/transition.ts",
    what: "> is >=",
    near: "at > scheduled ? { ...state",
    why: "nothing is added where both are the same; the test only spares a copy of the state at every look"
  },
  {
    file: "internal/transition.ts",
    what: "always the first",
    near: "at > scheduled ? { ...state",
    why: "it is never before the schedule's time, and adding nothing is the same state; the test only spares a copy"
  },
  {
    file: "Goal.ts",
    what: "1 is 2: 1",
    near: "tag, count + 1) } : {",
    why: "once there were enough of them, how many more is not asked"
  },
  {
    file: "Goal.ts",
    what: "0 is 1: 0",
    near: "at(self, void 0, 0)",
    why: "the time since which nothing has been seen; the first status brings its own"
  },
  {
    file: "StatusGoal.ts",
    what: "false is true: false",
    near: "left: false }; const remember",
    why: "the first status sets it anew, and before it nobody asks"
  },
  {
    file: "Waiter.ts",
    what: "always the second: signal ===",
    near: "signal === void 0 ? void 0 : { signal }",
    why: "options without a signal are no options; only the types ask for the difference"
  },
  {
    file: "internal/hint.ts",
    what: "0 is 1: 0",
    near: "retryAfterMillis = 0; progress = null;",
    why: "the box is cleared before every look, the first one too"
  },
  {
    file: "internal/run.ts",
    what: "true is false: true",
    near: "disableValidation: true",
    why: "what is made there is valid by its types; checking it again would only take time"
  },
  {
    file: "internal/observe.ts",
    what: "never: known !== void 0",
    near: "if (known !== void 0) return known",
    why: "a metric made again is the same one of the registry; it only takes longer to find"
  },
  {
    file: "internal/observe.ts",
    what: "left out: made.set(tag, metric)",
    near: "made.set(tag, metric)",
    why: "as above: it is found again in the registry"
  },
  {
    file: "internal/driver.ts",
    what: `left out: this.phase = "between"`,
    near: "looked = toLooked(yield* look); this.phase",
    why: "at the limit the looks have either begun the last one or ended before the sleep of no time is over"
  },
  {
    file: "internal/driver.ts",
    what: "always: this.phase ===",
    near: `if (this.phase === "looking") yield* this.clock.sleep(Duration.zero)`,
    why: "a sleep of no time more before the five seconds of a last look, which then begin at the same instant"
  }
]
