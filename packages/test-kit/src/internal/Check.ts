/**
 * Options that would make a check that can't fail, or one that never ends, are refused by name.
 *
 * @since 0.1.0
 */
import { InvalidOption } from "../InvalidOption.ts"

/** A whole number from `least` up; left out is fine. */
export const whole = (option: string, value: number | undefined, least: number): void => {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
    throw new InvalidOption({ option, problem: `must be a whole number from ${least} up, not ${String(value)}` })
}

/** A number above 0, which may be endless; left out is fine. */
export const positive = (option: string, value: number | undefined): void => {
  if (value !== undefined && !(typeof value === "number" && value > 0))
    throw new InvalidOption({ option, problem: `must be above 0, not ${String(value)}` })
}

/** An HTTP status of an answer. */
export const status = (option: string, value: number): void => {
  if (!(Number.isSafeInteger(value) && value >= 200 && value <= 599))
    throw new InvalidOption({ option, problem: `must be an HTTP status from 200 to 599, not ${String(value)}` })
}
