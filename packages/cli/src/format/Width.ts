/**
 * How many columns a text takes on a terminal, and texts made safe to print there.
 *
 * Graphemes come from `Intl.Segmenter`, emoji from the engine's own Unicode properties; only the wide blocks of East
 * Asian scripts, which no property of the language tells, are a table (Unicode 16, EastAsianWidth W and F).
 *
 * @since 0.1.0
 */

const wide: ReadonlyArray<readonly [number, number]> = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2fb],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd]
]

const plain = /^[\u0020-\u007e]*$/
const zero = /^(?:[\p{Mn}\p{Me}\p{Cf}\p{Cc}]|[\u1160-\u11ff])/u
const emoji = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|.\ufe0f)/u

let segmenter: Intl.Segmenter | undefined

/**
 * The text's graphemes: what a reader takes for one character.
 *
 * @since 0.1.0
 */
export const graphemes = (text: string): ReadonlyArray<string> => {
  if (plain.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

const ofGrapheme = (grapheme: string): number => {
  if (emoji.test(grapheme)) return 2
  if (zero.test(grapheme)) return 0
  const code = grapheme.codePointAt(0) ?? 0
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

/**
 * @since 0.1.0
 */
export const width = (text: string): number =>
  plain.test(text) ? text.length : graphemes(text).reduce((sum, grapheme) => sum + ofGrapheme(grapheme), 0)

/**
 * The beginning that fits into so many columns, and the rest.
 *
 * @since 0.1.0
 */
export const split = (text: string, columns: number): readonly [fits: string, rest: string] => {
  let taken = 0
  let length = 0
  for (const grapheme of graphemes(text)) {
    taken += ofGrapheme(grapheme)
    if (taken > columns) break
    length += grapheme.length
  }
  return [text.slice(0, length), text.slice(length)]
}

/**
 * Cut to so many columns, with an ellipsis if something is missing.
 *
 * @since 0.1.0
 */
export const clip = (text: string, columns: number): string =>
  width(text) <= columns ? text : columns < 1 ? "" : `${split(text, columns - 1)[0]}…`

/** Everything a terminal obeys instead of showing it: C0 and C1 controls, line separators, changes of direction. */
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Control characters as visible escapes (`\x1b`), so that a name made of escape sequences can't move the cursor or
 * colour the screen. Line breaks stay.
 *
 * @since 0.1.0
 */
export const safe = (text: string): string =>
  text.replace(obeyed, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
  })

/**
 * The same on one line.
 *
 * @since 0.1.0
 */
export const safeLine = (text: string): string => safe(text.replace(/\s*\n\s*/g, " "))
