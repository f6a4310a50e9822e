/**
 * Ids of every kind, from one seed: the same seed gives the same cloud.
 *
 * Every request takes one, so the numbers come from a xorshift of 32 bits and not from Effect's generator: ids need to
 * differ, not to be unpredictable.
 */

export interface Ids {
  /** Eight hex digits, a dash, …: a version 4 UUID. */
  readonly uuid: () => string
  /** 32 hex digits, as Keystone writes the ids of projects and users. */
  readonly hex: () => string
  readonly requestId: () => string
  /** Letters, digits, dash and underscore. */
  readonly text: (length: number) => string
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

export const make = (seed: number): Ids => {
  // All numbers but 0 come round, and from 0 none would.
  let state = seed | 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const word = (): string => {
    const bits = next()
    return `${bytes[bits >>> 24]}${bytes[(bits >>> 16) & 255]}${bytes[(bits >>> 8) & 255]}${bytes[bits & 255]}`
  }
  const uuid = (): string => {
    const [second, third] = [word(), word()]
    const variant = "89ab"[next() & 3]
    return `${word()}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${word()}`
  }
  return {
    hex: () => word() + word() + word() + word(),
    uuid,
    requestId: () => `req-${uuid()}`,
    text: (length) => {
      let text = ""
      while (text.length < length) text += alphabet[(next() >>> 8) & 63]
      return text
    }
  }
}
