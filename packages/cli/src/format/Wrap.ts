/**
 * Breaks a line at a width the way tables of `openstack` do: at white space, after a hyphen between letters, and within
 * a word only where it fits on no line.
 *
 * @since 0.1.0
 */
import * as Width from "./Width.ts"

const letter = "\\p{L}_"
const inWord = "[\\p{L}\\p{N}_!\"'&.,?]"

/** After a hyphen of a compound word: two letters (or letter, hyphen, character) before it, letters behind. */
const compound = `(?<=(?:[${letter}]{2}|[${letter}]-${inWord})-)(?=[${letter}]-?[${letter}])`
/** Around a dash of two hyphens or more between words. */
const dash = `(?<=${inWord})(?=-{2,}[\\p{L}\\p{N}_])|(?<=${inWord}-{2,})(?=[\\p{L}\\p{N}_])(?<!-[^-]*-{2,}$)`
const breaks = new RegExp(`${compound}|${dash}`, "u")

/** White space and words by turns, words broken where they may be. */
const chunks = (line: string): Array<string> =>
  line.split(/( +)/).flatMap((part) => (part === "" ? [] : part.startsWith(" ") ? [part] : part.split(breaks)))

/**
 * The lines of one line, none wider than `columns` where graphemes allow it. Spaces at the breaks are dropped.
 *
 * @since 0.1.0
 */
export const wrap = (line: string, columns: number): ReadonlyArray<string> => {
  const left = chunks(line.replace(/\s/g, " ")).toReversed()
  const lines: Array<string> = []
  while (left.length > 0) {
    const current: Array<string> = []
    let used = 0
    if (lines.length > 0 && isSpace(left[left.length - 1])) left.pop()
    for (let next = left[left.length - 1]; next !== undefined; next = left[left.length - 1]) {
      const wide = Width.width(next)
      if (used + wide > columns) break
      current.push(next)
      used += wide
      left.pop()
    }
    const next = left[left.length - 1]
    if (next !== undefined && Width.width(next) > columns) {
      left.pop()
      const [taken, rest] = cut(next, columns - used, current.length === 0)
      if (taken !== "") current.push(taken)
      if (rest !== "") left.push(rest)
    }
    if (isSpace(current[current.length - 1])) current.pop()
    if (current.length > 0) lines.push(current.join("").trimEnd())
  }
  return lines
}

const isSpace = (chunk: string | undefined): boolean => chunk !== undefined && chunk.trim() === ""

/** A piece of a word too long for any line: up to its last hyphen that fits, else as much as fits, one grapheme at least. */
const cut = (word: string, room: number, must: boolean): readonly [string, string] => {
  const [fits] = Width.split(word, room)
  if (fits === "") {
    if (!must) return ["", word]
    const [first = ""] = Width.graphemes(word)
    return [first, word.slice(first.length)]
  }
  const hyphen = fits.lastIndexOf("-")
  const end = hyphen > 0 && /[^-]/.test(fits.slice(0, hyphen)) ? hyphen + 1 : fits.length
  return [word.slice(0, end), word.slice(end)]
}
