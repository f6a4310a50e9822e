/**
 * Ids of every kind, from one seed: the same seed gives the same cloud.
 */
import * as Utils from "effect/Utils"

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

export const make = (seed: number): Ids => {
  const random = new Utils.PCGRandom(seed)
  const word = () => random.integer(0x1_0000_0000).toString(16).padStart(8, "0")
  const hex = () => word() + word() + word() + word()
  const uuid = () => {
    const digits = hex()
    const variant = "89ab"[random.integer(4)]
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
  }
  return {
    hex,
    uuid,
    requestId: () => `req-${uuid()}`,
    text: (length) => {
      let text = ""
      while (text.length < length) text += alphabet[random.integer(64)]
      return text
    }
  }
}
