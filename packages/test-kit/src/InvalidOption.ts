/**
 * Options of the fake cloud that make no sense.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * An option, a seed or a lifecycle that can't be: `option` names the place, as in `seed.shares[3].size`. The cloud dies
 * with it, since a test with a wrong plan has nothing to recover.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidOption extends Schema.TaggedError<InvalidOption>("@effect-manila/test-kit/InvalidOption")(
  "InvalidOption",
  { option: Schema.String, problem: Schema.String }
) {
  override get message(): string {
    return `${this.option}: ${this.problem}`
  }
}
