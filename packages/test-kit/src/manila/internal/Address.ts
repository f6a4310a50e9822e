/**
 * Access targets: what the service takes for each type.
 */
import { refuse } from "./Refusal.ts"

const octets = (text: string): ReadonlyArray<number> | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4) return undefined
  if (!parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return undefined
  return parts.map(Number)
}

/** Sixteen bytes of an IPv6 address. */
const bytes = (text: string): ReadonlyArray<number> | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const words = (half: string): Array<number> | undefined => {
    if (half === "") return []
    const found: Array<number> = []
    const parts = half.split(":")
    for (const [index, part] of parts.entries()) {
      const embedded = index === parts.length - 1 && part.includes(".") ? octets(part) : undefined
      if (embedded !== undefined) found.push(...embedded)
      else if (/^[\da-fA-F]{1,4}$/.test(part))
        found.push(Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255)
      else return undefined
    }
    return found
  }
  const head = words(halves[0] ?? "")
  const tail = halves.length === 2 ? words(halves[1] ?? "") : []
  if (head === undefined || tail === undefined) return undefined
  const gap = 16 - head.length - tail.length
  if (halves.length === 2 ? gap < 2 : gap !== 0) return undefined
  return [...head, ...Array<number>(gap).fill(0), ...tail]
}

const dottedMask = (text: string): number | undefined => {
  const mask = octets(text)
  if (mask === undefined) return undefined
  const bits = mask.map((octet) => octet.toString(2).padStart(8, "0")).join("")
  return /^1*0*$/.test(bits) ? bits.replaceAll("0", "").length : undefined
}

interface Network {
  readonly bytes: ReadonlyArray<number>
  readonly prefix: number
}

const network = (text: string, family: 4 | 6): Network | undefined => {
  const [address = "", mask, ...rest] = text.split("/")
  const found = family === 4 ? octets(address) : bytes(address)
  if (found === undefined || rest.length > 0) return undefined
  const widest = family === 4 ? 32 : 128
  if (mask === undefined) return { bytes: found, prefix: widest }
  const prefix = /^\d{1,3}$/.test(mask) ? Number(mask) : family === 4 ? dottedMask(mask) : undefined
  return prefix === undefined || prefix > widest ? undefined : { bytes: found, prefix }
}

const hasHostBits = ({ bytes, prefix }: Network): boolean =>
  bytes.some((byte, index) => (byte & (255 >> Math.min(8, Math.max(0, prefix - index * 8))) & 255) !== 0)

/** One text for one network: two rules for the same one are the same rule. */
export const canonical = (type: string, to: string): string => {
  if (type !== "ip") return to
  const found = network(to, 4) ?? network(to, 6)
  return found === undefined ? to : `${found.bytes.join(".")}/${found.prefix}`
}

const checkIp = (to: string, takesV6: boolean): void => {
  const v4 = network(to, 4)
  const found = v4 ?? (takesV6 ? network(to, 6) : undefined)
  if (found === undefined) {
    if (takesV6) throw refuse(400, `'${to}' does not appear to be an IPv4 or IPv6 network`)
    const parts = (to.split("/")[0] ?? "").split(".")
    throw refuse(400, parts.length === 4 ? `'${to}' is not an IPv4 network` : `Expected 4 octets in '${to}'`)
  }
  if (hasHostBits(found)) throw refuse(400, `${to} has host bits set`)
}

const checkUser = (to: string): void => {
  if (/^[\s|.]+$/.test(to)) throw refuse(400, "Invalid user or group name: only periods or spaces.")
  if (!/^.[^"/\\[\]:;|=,+*?<>]{3,254}$/.test(to))
    throw refuse(400, `Invalid user or group name: 4 to 255 characters without "/\\[]:;|=,+*?<>.`)
}

const checkCephx = (to: string): void => {
  if (to === "") throw refuse(400, "Ceph IDs may not be empty.")
  if (!/^[\x09-\x0d\x20-\x7e]*$/.test(to)) throw refuse(400, "Ceph IDs must consist of ASCII printable characters.")
  if (to.includes(".")) throw refuse(400, "Ceph IDs may not contain periods.")
}

export const check = (type: string, to: string, takes: { readonly v6: boolean; readonly cephx: boolean }): void => {
  if (type === "ip") checkIp(to, takes.v6)
  else if (type === "user") checkUser(to)
  else if (type === "cert") {
    const length = to.trim().length
    if (length < 1 || length > 64) throw refuse(400, "Invalid CN (common name). Must be 1-64 chars long.")
  } else if (type === "cephx" && takes.cephx) checkCephx(to)
  else
    throw refuse(
      400,
      takes.cephx
        ? "Only 'ip', 'user', 'cert' or 'cephx' access types are supported."
        : "Only 'ip', 'user' or 'cert' access types are supported."
    )
}
