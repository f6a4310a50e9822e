/**
 * A command line as bash has it, up to the cursor: its words without quotes, and how to give back what fits.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category models
 */
export interface Line {
  /** Without the program's own name and what is before it. */
  readonly words: ReadonlyArray<string>
  /** The word the cursor is in, as far as it is typed. */
  readonly current: string
  /** The quote that is open in it. */
  readonly quote: "" | "'" | '"'
  /** How much of it bash takes for words of their own, and keeps. */
  readonly kept: number
}

/**
 * `breaks` are the characters that end a word for bash (`COMP_WORDBREAKS`).
 *
 * @since 0.1.0
 */
export const split = (line: string, breaks: string, program: string): Line => {
  const words: Array<string> = []
  let current: string | undefined
  let quote: Line["quote"] = ""
  let kept = 0
  const characters = [...line]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ""
    if (quote !== "" && character === quote) quote = ""
    else if (character === "\\" && quote !== "'") {
      at++
      current = `${current ?? ""}${characters[at] ?? ""}`
    } else if (quote !== "") current = `${current ?? ""}${character}`
    else if (character === "'" || character === '"') {
      quote = character
      current ??= ""
    } else if (/\s/.test(character)) {
      if (current !== undefined) words.push(current)
      current = undefined
      kept = 0
    } else {
      current = `${current ?? ""}${character}`
      if (breaks.includes(character)) kept = current.length
    }
  }
  // Assignments may come before the program's name.
  const at = words.findIndex((word) => word === program || word.endsWith(`/${program}`))
  return { words: words.slice(at === -1 ? 1 : at + 1), current: current ?? "", quote, kept }
}

/**
 * A candidate as bash puts it into the line: only what is behind the words it keeps, quoted.
 *
 * @since 0.1.0
 */
export const insert = (line: Line, candidate: string): string => {
  const rest = candidate.slice(line.kept)
  if (line.quote === "'") return rest.replaceAll("'", "'\\''")
  if (line.quote === '"') return rest.replace(/[\\"$`]/g, "\\$&")
  return rest.replace(/[^\p{L}\p{N}_./:=@%+,-]/gu, "\\$&")
}
