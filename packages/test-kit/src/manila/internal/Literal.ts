/**
 * Dictionaries in query strings: the service reads them as literals of its own language.
 */

export type Literal = string | number | boolean | null | ReadonlyArray<Literal> | { readonly [key: string]: Literal }

class Bad {
  readonly kind: "syntax" | "value"
  constructor(kind: "syntax" | "value") {
    this.kind = kind
  }
}

const names: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null }

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" }

const reader = (text: string) => {
  let at = 0
  const blank = () => {
    while (at < text.length && /\s/.test(text[at] ?? "")) at++
  }
  const take = (symbol: string): boolean => {
    blank()
    if (text[at] !== symbol) return false
    at++
    return true
  }
  const quoted = (quote: string): string => {
    let value = ""
    while (at < text.length) {
      const symbol = text[at++] ?? ""
      if (symbol === quote) return value
      if (symbol === "\\") {
        const next = text[at++] ?? ""
        value += escapes[next] ?? next
      } else value += symbol
    }
    throw new Bad("syntax")
  }
  const list = (end: string): ReadonlyArray<Literal> => {
    const items: Array<Literal> = []
    while (!take(end)) {
      items.push(value())
      if (!take(",")) {
        if (!take(end)) throw new Bad("syntax")
        return items
      }
    }
    return items
  }
  const dict = (): Literal => {
    const entries: Record<string, Literal> = {}
    while (!take("}")) {
      const key = value()
      if (!take(":")) throw new Bad("syntax")
      entries[String(key)] = value()
      if (!take(",")) {
        if (!take("}")) throw new Bad("syntax")
        return entries
      }
    }
    return entries
  }
  const value = (): Literal => {
    blank()
    const symbol = text[at] ?? ""
    if (symbol === "'" || symbol === '"') {
      at++
      return quoted(symbol)
    }
    if (take("{")) return dict()
    if (take("[")) return list("]")
    if (take("(")) return list(")")
    const word = /^[-+\w.]+/.exec(text.slice(at))?.[0]
    if (word === undefined) throw new Bad("syntax")
    at += word.length
    const named = names[word]
    if (named !== undefined) return named
    if (/^[-+]?\d+(\.\d+)?$/.test(word)) return Number(word)
    throw new Bad("value")
  }
  return {
    read: (): Literal => {
      const found = value()
      blank()
      if (at < text.length) throw new Bad("syntax")
      return found
    }
  }
}

/** `"syntax"` and `"value"` are the two ways to be wrong, which the service does not answer alike. */
export const parse = (text: string): { readonly value: Literal } | "syntax" | "value" => {
  try {
    return { value: reader(text).read() }
  } catch (error) {
    if (error instanceof Bad) return error.kind
    throw error
  }
}
