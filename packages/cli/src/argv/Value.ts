/**
 * One option's value: is it what its type says? And its canonical text.
 *
 * @since 0.1.0
 */
import * as Durations from "../Durations.ts"
import * as ResumeToken from "../ResumeToken.ts"
import type * as Spec from "../Spec.ts"
import * as Suggest from "./Suggest.ts"

/**
 * What is wrong with a text, as the end of a sentence that begins with the option's name; `undefined` if nothing is.
 *
 * @since 0.1.0
 */
export const complaint = (option: Spec.Option, text: string): string | undefined => {
  switch (option.type) {
    case "flag":
      return /^(1|true|yes|on|0|false|no|off)$/i.test(text) ? undefined : `must be 1 or 0, not ${quote(text)}`
    case "switch":
      return undefined
    case "string":
      return option.choices === undefined || option.choices.includes(text) ? undefined : choice(text, option.choices)
    case "int":
      return integer(text, option.min)
    case "keyvalue": {
      const at = text.indexOf("=")
      return at > 0 && text.slice(0, at).trim() !== "" ? undefined : `wants key=value, not ${quote(text)}`
    }
    case "duration": {
      const limitless = option.limitless === true
      const millis = Durations.parse(text, { limitless })
      if (millis === undefined) return `must be ${Durations.expected(limitless)}, not ${quote(text)}`
      return millis === 0 && !limitless ? `must be more than 0` : undefined
    }
    case "microversion":
      return /^\d+\.\d+$/.test(text) ? undefined : `must be a microversion such as 2.60, not ${quote(text)}`
    case "token": {
      const decoded = ResumeToken.decode(text)
      return decoded._tag === "Token" ? undefined : `is no usable token: ${decoded.why}`
    }
  }
}

/**
 * The same for an argument.
 *
 * @since 0.1.0
 */
export const argumentComplaint = (positional: Spec.Positional, text: string): string | undefined => {
  if (positional.type === "int") return integer(text, positional.min)
  if (positional.choices === undefined || positional.choices.includes(text)) return undefined
  return choice(text, positional.choices)
}

const integer = (text: string, min: number | undefined): string | undefined => {
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
    return `must be a whole number, not ${quote(text)}`
  return min !== undefined && Number(text) < min ? `must be ${min} or more, not ${text}` : undefined
}

const choice = (text: string, choices: ReadonlyArray<string>): string =>
  `must be ${Suggest.either(choices)}, not ${quote(text)}`

/** The text in quotes, on one line, not too long: it comes from outside. */
const quote = (text: string): string => {
  const clipped = text.length > 60 ? `${text.slice(0, 57)}...` : text
  return `'${clipped.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?")}'`
}
