/**
 * Which proxy a request goes through, from the variables that `curl` and most other programs know.
 *
 * `http_proxy` is for `http://` URLs, `https_proxy` for `https://` ones, `all_proxy` for both where there is no other;
 * `no_proxy` lists hosts that are reached directly. Of two spellings the one in lower case wins, and a variable that is
 * set to nothing counts as not set. That is curl's meaning, with two exceptions: `HTTP_PROXY` in upper case is read too,
 * unless `REQUEST_METHOD` is set (curl never reads it, since a web server hands a header of that name to its CGI programs
 * as this variable), and an entry of `no_proxy` may end with a port.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { BlockList, isIP } from "node:net"

/**
 * A proxy, as a variable names it: its URL may hold a user and a password.
 *
 * @since 0.1.0
 * @category models
 */
export interface Proxy {
  readonly url: Redacted.Redacted<string>
  /** The variable it is from. */
  readonly variable: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Proxies {
  readonly http: Proxy | undefined
  readonly https: Proxy | undefined
  /** As written; empty for none. */
  readonly no: string
}

/**
 * The proxies of the environment, through the `ConfigProvider` of the fiber. No variable is needed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEnvironment: Effect.Effect<Proxies> = Effect.gen(function* () {
  const all = yield* first("all_proxy", "ALL_PROXY")
  const isCgi = (yield* first("REQUEST_METHOD")) !== undefined
  const http = yield* isCgi ? first("http_proxy") : first("http_proxy", "HTTP_PROXY")
  const https = yield* first("https_proxy", "HTTPS_PROXY")
  const no = yield* first("no_proxy", "NO_PROXY")
  return { http: http ?? all, https: https ?? all, no: no === undefined ? "" : Redacted.value(no.url) }
})

const first = (...names: ReadonlyArray<string>): Effect.Effect<Proxy | undefined> =>
  Effect.gen(function* () {
    for (const variable of names) {
      const text = yield* Effect.orElseSucceed(Config.string(variable), () => "")
      if (text.trim() !== "") return { variable, url: Redacted.make(text.trim()) }
    }
    return undefined
  })

/**
 * The proxy for a URL, or `undefined` where it is reached directly.
 *
 * @since 0.1.0
 * @category getters
 */
export const forUrl = (proxies: Proxies, url: URL): Proxy | undefined => {
  const proxy = url.protocol === "https:" ? proxies.https : proxies.http
  return proxy === undefined || isDirect(proxies.no, url) ? undefined : proxy
}

/**
 * Whether a `no_proxy` covers a URL's host. Its entries are separated by commas or blanks, and letter case, a dot at the
 * beginning and a dot at the end don't matter:
 *
 * - `*` alone covers every host; as one entry of several it covers none;
 * - a name covers itself and all names below it: `example.com` and `.example.com` cover `a.example.com`, and neither
 *   covers `notexample.com`;
 * - an address covers itself in any spelling, with brackets or without; names are not looked up;
 * - `10.0.0.0/8` and `fd00::/8` cover the addresses of a network;
 * - `host:8786` and `[::1]:8786` cover that port alone, 80 or 443 where the URL has none.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isDirect = (no: string, url: URL): boolean => {
  if (no.trim() === "*") return true
  const host = plain(url.hostname)
  const family = isIP(host)
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port
  return no.split(/[\s,]+/).some((word) => {
    const entry = entryOf(word)
    if (entry === undefined || (entry.port !== undefined && entry.port !== port)) return false
    if (family !== 0) return inNetwork(entry.host, host, family)
    const name = entry.host.replace(/^\./, "")
    return name !== "" && (host === name || host.endsWith(`.${name}`))
  })
}

/** Without brackets, and without the dot of a name that is complete. */
const plain = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase()

const entryOf = (word: string): { readonly host: string; readonly port: string | undefined } | undefined => {
  if (word === "") return undefined
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(word)
  if (bracketed !== null) return { host: plain(bracketed[1] ?? ""), port: bracketed[2] }
  // More than one colon is an IPv6 address.
  const named = /^([^:]*):(\d+)$/.exec(word)
  return named === null ? { host: plain(word), port: undefined } : { host: plain(named[1] ?? ""), port: named[2] }
}

const inNetwork = (entry: string, host: string, family: number): boolean => {
  const [address = "", bits, ...rest] = entry.split("/")
  const longest = family === 4 ? 32 : 128
  if (isIP(address) !== family || rest.length > 0) return false
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return false
  const kind = family === 4 ? "ipv4" : "ipv6"
  const network = new BlockList()
  network.addSubnet(address, bits === undefined ? longest : Number(bits), kind)
  return network.check(host, kind)
}
