/**
 * Judges a list of looks, as a wait would: each with the goal that the one before gave.
 */
import type * as Goal from "@effect-manila/core/waiter/Goal"
import type * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Option from "effect/Option"

export interface Resource {
  readonly status: string | null | undefined
  readonly size?: number
}

export const reader: StatusGoal.Reader<Resource> = {
  status: ({ status }) => status,
  failures: ["error", "error_deleting", "extending_error", "inactive-broken"],
  leaving: ["deleting", "unmanaging"],
  steady: ["available", "inactive"]
}

/** A status, an absence, or a resource. */
export type Look = string | typeof none | Resource

export const none = Symbol("none")

const seen = (look: Look): Option.Option<Resource> =>
  look === none ? Option.none() : Option.some(typeof look === "string" ? { status: look } : (look as Resource))

/** The verdicts up to the first that ends the wait; looks are `every` seconds apart. */
export const verdicts = (goal: Goal.Goal<Resource>, looks: ReadonlyArray<Look>, every = 5): Array<Goal.Verdict> => {
  const all: Array<Goal.Verdict> = []
  let at = goal
  for (const [index, look] of looks.entries()) {
    const { next, verdict } = at.judge({ seen: seen(look), elapsed: index * every * 1000 })
    all.push(verdict)
    if (verdict._tag !== "Pending") return all
    at = next
  }
  return all
}

/** `Reached`, `Pending`, `NeedsAction`, or `Failed` with its cause: the last look's verdict, and how many it took. */
export const verdict = (goal: Goal.Goal<Resource>, looks: ReadonlyArray<Look>, every = 5): string => {
  const all = verdicts(goal, looks, every)
  const last = all.at(-1)!
  return `${last._tag}${last._tag === "Failed" ? ` ${last.cause}` : ""} after ${all.length}`
}
