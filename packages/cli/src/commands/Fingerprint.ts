/**
 * Tells clouds apart without naming them: for resume tokens.
 *
 * @since 0.1.0
 */

/**
 * A few letters that stand for these parts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (parts: ReadonlyArray<unknown>): string => hash(JSON.stringify(parts.map((part) => part ?? null)))

/** 53 bits of the text (cyrb53): enough to tell a handful of clouds apart, and it names none. */
const hash = (text: string): string => {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 2654435761)
    two = Math.imul(two ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36)
}
