/**
 * A law: a claim that holds for every scenario, as a function of what is under test.
 *
 * @since 0.1.0
 */
import type * as Property from "./internal/Property.ts"

/**
 * `runs` scenarios (default 200) from `seed` (default: a fixed one). A counterexample tells the seed and path that run it
 * again.
 *
 * @since 0.1.0
 * @category models
 */
export type Options = Property.Options

/**
 * @since 0.1.0
 * @category models
 */
export interface Law<in Subject> {
  /** Short, for a list: `never looks after the end`. */
  readonly name: string
  /** The claim in one sentence. */
  readonly claim: string
  /** Throws an `Error` with the smallest counterexample. */
  readonly check: (subject: Subject, options?: Options) => void
}

/**
 * What registers tests: vitest's own, or anything with the same two functions (`node:test`, Jest, Mocha).
 *
 * @since 0.1.0
 * @category models
 */
export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => void, timeoutMillis?: number) => unknown
}

/**
 * Registers a test for each law.
 *
 * @since 0.1.0
 */
export const suite = <Subject extends { readonly name: string }>(
  runner: Runner,
  laws: ReadonlyArray<Law<Subject>>,
  subject: Subject,
  options?: Options
): void => {
  runner.describe(subject.name, () => {
    for (const law of laws) runner.it(law.name, () => law.check(subject, options), 60_000)
  })
}

/**
 * The laws that a subject breaks, with what they say; none if all is well.
 *
 * @since 0.1.0
 */
export const broken = <Subject>(
  laws: ReadonlyArray<Law<Subject>>,
  subject: Subject,
  options?: Options
): ReadonlyArray<{ readonly law: string; readonly said: string }> =>
  laws.flatMap((law) => {
    try {
      law.check(subject, options)
      return []
    } catch (error) {
      return [{ law: law.name, said: error instanceof Error ? error.message : String(error) }]
    }
  })
