/**
 * Checks a claim over many scenarios, and tells a counterexample so that a person can read it.
 */
import * as FastCheck from "effect/FastCheck"
import * as Check from "../../internal/Check.ts"

export interface Options {
  /** How many scenarios. Default 200. */
  readonly runs?: number | undefined
  /** Default: a fixed one, so that a suite is the same every time. */
  readonly seed?: number | undefined
  /** As a counterexample said it: only that one is run. */
  readonly path?: string | undefined
}

export const defaultRuns = 200
export const defaultSeed = 20_240_229

/** No scenarios would break no law. */
const checked = ({ runs, seed }: Options): { readonly numRuns: number; readonly seed: number } => {
  Check.whole("runs", runs, 1)
  Check.whole("seed", seed, Number.MIN_SAFE_INTEGER)
  return { numRuns: runs ?? defaultRuns, seed: seed ?? defaultSeed }
}

/** The values that `check` would look at. */
export const sample = <A>(arbitrary: FastCheck.Arbitrary<A>, options: Options): ReadonlyArray<A> =>
  FastCheck.sample(arbitrary, checked(options))

/** Throws what `complaint` says of the smallest value it complains about. */
export const check = <A>(
  title: string,
  arbitrary: FastCheck.Arbitrary<A>,
  complaint: (value: A) => string | undefined,
  print: (value: A) => string,
  options: Options = {}
): void => {
  const { numRuns, seed } = checked(options)
  const result = FastCheck.check(
    FastCheck.property(arbitrary, (value) => complaint(value) === undefined),
    {
      numRuns,
      seed,
      ...(options.path === undefined ? {} : { path: options.path }),
      endOnFailure: false
    }
  )
  if (!result.failed) return
  const value = result.counterexample?.[0]
  if (value === undefined) throw new Error(`${title}: no scenario could be made`, { cause: result.errorInstance })
  throw new Error(
    [
      title,
      "",
      complaint(value) ?? "(it holds the second time: the wait is not the same for the same seed)",
      "",
      print(value),
      "",
      `found in ${result.numRuns} runs, shrunk ${result.numShrinks} times; again with { seed: ${seed}, path: "${result.counterexamplePath}" }`
    ].join("\n")
  )
}
