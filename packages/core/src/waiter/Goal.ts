/**
 * What a wait is for: a pure judge of one look, and of what was seen before.
 *
 * A goal knows nothing of time-outs, HTTP or clouds. Judging a look gives a verdict and the goal to judge the next look
 * with, so that memory (was another status seen? how many looks in a row?) stays inside the goal and is never shared.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { dual } from "effect/Function"
import * as Option from "effect/Option"

/**
 * One look: the resource, or `None` where it is not there. `elapsed` is in milliseconds since the wait began.
 *
 * @since 0.1.0
 * @category models
 */
export interface Look<out A> {
  readonly seen: Option.Option<A>
  readonly elapsed: number
}

/**
 * Why a wait can't succeed any more.
 *
 * `status`: a failure status. `unreachable`: a status that can't lead to the target. `rolledBack`: the old state came
 * back. `noEffect`: the old state never went away. `notFound`: never seen. `goneAfterSeen`: seen, then gone. `stuck`:
 * one status for too long.
 *
 * @since 0.1.0
 * @category models
 */
export type FailureCause = "status" | "unreachable" | "rolledBack" | "noEffect" | "notFound" | "goneAfterSeen" | "stuck"

/**
 * @since 0.1.0
 * @category models
 */
export type Verdict =
  | { readonly _tag: "Pending"; readonly status: string }
  | { readonly _tag: "Reached"; readonly status: string; readonly matched: string }
  | { readonly _tag: "Failed"; readonly status: string; readonly cause: FailureCause; readonly detail: string }
  | { readonly _tag: "NeedsAction"; readonly status: string; readonly next: string }

/**
 * @since 0.1.0
 * @category models
 */
export interface Judged<in A> {
  readonly verdict: Verdict
  /** Judges the look after this one. */
  readonly next: Goal<A>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Goal<in A> {
  /** What is wanted, for messages: `available`, `available and 5 GiB`, `deleted`. */
  readonly description: string
  readonly judge: (look: Look<A>) => Judged<A>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const pending = (status: string): Verdict => ({ _tag: "Pending", status })

/**
 * @since 0.1.0
 * @category constructors
 */
export const reached = (status: string, matched: string): Verdict => ({ _tag: "Reached", status, matched })

/**
 * @since 0.1.0
 * @category constructors
 */
export const failed = (status: string, cause: FailureCause, detail: string): Verdict => ({
  _tag: "Failed",
  status,
  cause,
  detail
})

/**
 * A person has to go on; `next` names the operation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const needsAction = (status: string, next: string): Verdict => ({ _tag: "NeedsAction", status, next })

/**
 * A goal with a memory of its own: `judge` gets the memory of the look before and gives the one for the next.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fold = <A, S>(
  description: string,
  initial: S,
  judge: (memory: S, look: Look<A>) => readonly [S, Verdict]
): Goal<A> => {
  const at = (memory: S): Goal<A> => {
    const self: Goal<A> = {
      description,
      judge: (look) => {
        const [after, verdict] = judge(memory, look)
        return { verdict, next: after === memory ? self : at(after) }
      }
    }
    return self
  }
  return at(initial)
}

/**
 * A goal without memory.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A>(description: string, judge: (look: Look<A>) => Verdict): Goal<A> =>
  fold(description, undefined, (memory, look) => [memory, judge(look)])

/**
 * Lets a goal serve a resource of another shape, such as one that says `state` instead of `status`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const mapInput: {
  <B, A>(f: (b: B) => A): (self: Goal<A>) => Goal<B>
  <A, B>(self: Goal<A>, f: (b: B) => A): Goal<B>
} = dual(2, <A, B>(self: Goal<A>, f: (b: B) => A): Goal<B> => ({
  description: self.description,
  judge: (look) => {
    const { next, verdict } = self.judge({ seen: Option.map(look.seen, f), elapsed: look.elapsed })
    return { verdict, next: mapInput(next, f) }
  }
}))

/**
 * Replaces the words that say what is wanted.
 *
 * @since 0.1.0
 * @category combinators
 */
export const describe: {
  (description: string): <A>(self: Goal<A>) => Goal<A>
  <A>(self: Goal<A>, description: string): Goal<A>
} = dual(2, <A>(self: Goal<A>, description: string): Goal<A> => ({
  description,
  judge: (look) => {
    const { next, verdict } = self.judge(look)
    return { verdict, next: describe(next, description) }
  }
}))

const joined = (one: string, two: string) => (one === two ? one : `${one}, ${two}`)

/**
 * Reached on the look that satisfies both; failed as soon as either fails.
 *
 * @since 0.1.0
 * @category combinators
 */
export const both: {
  <B>(that: Goal<B>): <A>(self: Goal<A>) => Goal<A & B>
  <A, B>(self: Goal<A>, that: Goal<B>): Goal<A & B>
} = dual(2, <A, B>(self: Goal<A>, that: Goal<B>): Goal<A & B> => {
  const description = `${self.description} and ${that.description}`
  return {
    description,
    judge: (look) => {
      const one = self.judge(look)
      const two = that.judge(look)
      return { verdict: conjunction(one.verdict, two.verdict, description), next: both(one.next, two.next) }
    }
  }
})

const conjunction = (one: Verdict, two: Verdict, description: string): Verdict => {
  for (const tag of ["Failed", "NeedsAction"] as const) {
    if (one._tag === tag) return one
    if (two._tag === tag) return two
  }
  const status = joined(one.status, two.status)
  return one._tag === "Reached" && two._tag === "Reached" ? reached(status, description) : pending(status)
}

/**
 * Reached by whichever is reached first, saying which (the left one, if both are). It fails when neither can be reached
 * any more.
 *
 * @since 0.1.0
 * @category combinators
 */
export const either: {
  <B>(that: Goal<B>): <A>(self: Goal<A>) => Goal<A & B>
  <A, B>(self: Goal<A>, that: Goal<B>): Goal<A & B>
} = dual(2, <A, B>(self: Goal<A>, that: Goal<B>): Goal<A & B> => {
  const description = `${self.description} or ${that.description}`
  return {
    description,
    judge: (look) => {
      const one = self.judge(look)
      const two = that.judge(look)
      // A goal that failed stays failed: only the other one is judged from here.
      const next: Goal<A & B> =
        one.verdict._tag === "Failed"
          ? describe<A & B>(two.next, description)
          : two.verdict._tag === "Failed"
            ? describe<A & B>(one.next, description)
            : either(one.next, two.next)
      return { verdict: disjunction(one.verdict, two.verdict), next }
    }
  }
})

const disjunction = (one: Verdict, two: Verdict): Verdict => {
  for (const tag of ["Reached", "NeedsAction"] as const) {
    if (one._tag === tag) return one
    if (two._tag === tag) return two
  }
  if (one._tag === "Failed" && two._tag === "Failed") return one
  return one._tag === "Failed" ? two : two._tag === "Failed" ? one : pending(joined(one.status, two.status))
}

/** Counts consecutive looks with one kind of verdict and holds it back until there were `n` of them. */
const consecutive = <A>(self: Goal<A>, n: number, tag: "Reached" | "Failed", count: number): Goal<A> => ({
  description: self.description,
  judge: (look) => {
    const { next, verdict } = self.judge(look)
    if (verdict._tag !== tag) return { verdict, next: consecutive(next, n, tag, 0) }
    return count + 1 >= n
      ? { verdict, next: consecutive(next, n, tag, count + 1) }
      : { verdict: pending(verdict.status), next: consecutive(next, n, tag, count + 1) }
  }
})

/**
 * Reached only after `n` looks in a row were each satisfied.
 *
 * @since 0.1.0
 * @category combinators
 */
export const stableFor: {
  (looks: number): <A>(self: Goal<A>) => Goal<A>
  <A>(self: Goal<A>, looks: number): Goal<A>
} = dual(2, <A>(self: Goal<A>, looks: number): Goal<A> => consecutive(self, looks, "Reached", 0))

/**
 * Failed only after `n` looks in a row each failed: for statuses that a service may take back.
 *
 * @since 0.1.0
 * @category combinators
 */
export const failingFor: {
  (looks: number): <A>(self: Goal<A>) => Goal<A>
  <A>(self: Goal<A>, looks: number): Goal<A>
} = dual(2, <A>(self: Goal<A>, looks: number): Goal<A> => consecutive(self, looks, "Failed", 0))

/**
 * Failed as `stuck` once one and the same pending status has been seen for `duration`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const stuckFor: {
  (duration: Duration.DurationInput): <A>(self: Goal<A>) => Goal<A>
  <A>(self: Goal<A>, duration: Duration.DurationInput): Goal<A>
} = dual(2, <A>(self: Goal<A>, duration: Duration.DurationInput): Goal<A> => {
  const limit = Duration.toMillis(duration)
  const at = (inner: Goal<A>, status: string | undefined, since: number): Goal<A> => ({
    description: inner.description,
    judge: (look) => {
      const { next, verdict } = inner.judge(look)
      const start = verdict.status === status ? since : look.elapsed
      return verdict._tag === "Pending" && look.elapsed - start >= limit
        ? {
            verdict: failed(verdict.status, "stuck", `still ${verdict.status} after ${limit / 1000} s`),
            next: at(next, verdict.status, start)
          }
        : { verdict, next: at(next, verdict.status, start) }
    }
  })
  return at(self, undefined, 0)
})
