/**
 * Values as Python prints them, which is how `openstack` puts them into tables and `-f value`: `None`, `True`,
 * `{'a': None}`.
 *
 * @since 0.1.0
 */

/**
 * A value on its own: text as it is, everything else as `repr`.
 *
 * @since 0.1.0
 */
export const str = (value: unknown): string => (typeof value === "string" ? value : repr(value))

/**
 * A value within another: text in quotes.
 *
 * @since 0.1.0
 */
export const repr = (value: unknown): string => {
  if (value === null || value === undefined) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value === "string") return quoted(value)
  if (typeof value === "number") return numeric(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`
  if (typeof value === "object") {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${repr(key)}: ${repr(inner)}`)
      .join(", ")}}`
  }
  return String(value)
}

/** JSON has no sign of whether a number was whole or not, so `1.0` prints as `1`. */
const numeric = (value: number): string => {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value)
  const text = String(value)
  // An exponent has two digits at least.
  return text.replace(/e([+-])(\d)$/, "e$10$2")
}

const named: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const quoted = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\\\n\r\t]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}/gu, (character) => {
    const known = named[character]
    if (known !== undefined) return known
    const code = character.codePointAt(0) ?? 0
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`
  })
  return `${quote}${quote === "'" ? body.replaceAll("'", "\\'") : body}${quote}`
}
