/**
 * Passcodes of a device: RFC 6238 with SHA-1, 30 seconds and six digits, as Keystone has them.
 */
import { Buffer } from "node:buffer"
import { createHmac } from "node:crypto"

const stepMillis = 30_000

/** The passcode that a device with the secret shows at a time, in milliseconds since the epoch. */
export const passcode = (secret: string, at: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(at / stepMillis))))
  const digest = createHmac("sha1", secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

/** Whether the passcode is good: the one of now, or the one before it. */
export const accepts = (secret: string, given: unknown, now: number): boolean =>
  [now, now - stepMillis].some((at) => passcode(secret, at) === given)
