/**
 * Near misses: what somebody may have meant.
 *
 * @since 0.1.0
 */

/** Edits (insert, drop, replace, swap of neighbours) from one text to the other. */
const distance = (from: string, to: string): number => {
  let before: Array<number> = []
  let previous = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let best = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      }
      row.push(best)
    }
    before = previous
    previous = row
  }
  return previous[to.length] ?? 0
}

/**
 * At most three of the candidates: those that begin with the text, else those a third of it or less away, nearest
 * first.
 *
 * @since 0.1.0
 */
export const near = (text: string, candidates: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = text.toLowerCase()
  const unique = [...new Set(candidates)]
  const begun = unique.filter((candidate) => candidate.startsWith(wanted))
  if (wanted.length > 2 && begun.length > 0) return begun.slice(0, 3)
  const most = Math.max(1, Math.ceil(wanted.replace(/^-+/, "").length / 3))
  return unique
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= most)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/**
 * `a`, `a or b`, `a, b or c`.
 *
 * @since 0.1.0
 */
export const either = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} or ${texts[texts.length - 1]}`

/**
 * A question to put behind an error, or nothing.
 *
 * @since 0.1.0
 */
export const didYouMean = (text: string, candidates: ReadonlyArray<string>): string => {
  const found = near(text, candidates)
  return found.length === 0 ? "" : ` Did you mean ${either(found)}?`
}
