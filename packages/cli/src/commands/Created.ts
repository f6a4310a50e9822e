/**
 * Verbs that make a resource: the record is printed whatever the ending, since the resource is there.
 *
 * @since 0.1.0
 */
import type { Manila } from "@effect-manila/core/manila/Manila"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Many from "./Many.ts"
import * as Records from "./Records.ts"
import * as Waits from "./Waits.ts"

/**
 * Runs the verb, prints what was seen last (without a wait: the answer itself), then fails if the wait did.
 *
 * @since 0.1.0
 */
export const run = <
  I,
  Target extends { readonly id: string },
  A extends { readonly id: Target["id"]; readonly name?: string | null | undefined }
>(
  options: Waits.RunOptions<I, Target, A> & {
    readonly create: (input: I) => Effect.Effect<A, ManilaError, Manila>
    readonly target: (created: A) => Target
    readonly print?: Parameters<typeof Records.single>[2]
  }
) =>
  Effect.gen(function* () {
    let answer: A | undefined
    // A verb's request keeps only what a wait needs; the record to print without a wait is the answer itself.
    const request = (input: I) =>
      Effect.map(options.create(input), (created) => {
        answer = created
        return { target: options.target(created), name: created.name }
      })
    const { outcome } = yield* Waits.runWith({ ...options, request })
    const seen = outcome === undefined ? Option.none<A>() : outcome.observed
    yield* Records.single(
      options.context.spec,
      Option.getOrElse(seen, () => answer ?? {}),
      options.print
    )
    yield* Many.orFail(outcome)
  })
