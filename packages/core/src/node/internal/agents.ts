/**
 * Agents that reach a server through a proxy. The libraries they come from are loaded by the first one made.
 *
 * @internal
 */
import { Buffer } from "node:buffer"
import { once } from "node:events"
import type * as Http from "node:http"
import { isIP } from "node:net"
import { innermostCode, ViaProxy } from "../../http/Fault.ts"
import type { TlsOptions } from "./tls.ts"

export interface ProxyUrl {
  /** Without user and password. */
  readonly url: URL
  /** How it is told in errors. */
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly hasPassword: boolean
}

/** A proxy's URL, or what is wrong with it; `host:port` alone is an http proxy, as for curl. */
export const parse = (text: string): ProxyUrl | { readonly problem: string } => {
  const url = safeUrl(text)
  if (url === undefined) return { problem: "it is not the URL of a proxy" }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { problem: `proxies of the kind ${url.protocol}// are not supported, only http:// and https://` }
  }
  const { password, username } = url
  const hasPassword = username !== "" || password !== ""
  url.username = ""
  url.password = ""
  const basic = `${decode(username)}:${decode(password)}`
  return {
    url,
    text: `${url.protocol}//${url.host}`,
    headers: hasPassword ? { "Proxy-Authorization": `Basic ${Buffer.from(basic).toString("base64")}` } : {},
    hasPassword
  }
}

const safeUrl = (text: string): URL | undefined => {
  try {
    return new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  } catch {
    return undefined
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const isTls = (proxy: ProxyUrl): boolean => proxy.url.protocol === "https:"

/** What `net.connect` or `tls.connect` gets for the proxy itself. */
const toProxy = (proxy: ProxyUrl, options: Http.AgentOptions, tls: TlsOptions) => {
  const host = proxy.url.hostname.replace(/^\[(.*)\]$/, "$1")
  return {
    ...options,
    headers: proxy.headers,
    ...(isTls(proxy) ? { ...tls, ...(isIP(host) === 0 ? { servername: host } : {}) } : {})
  }
}

/** An agent for `http://` servers: the proxy is asked for the whole URL. */
export const forHttp = async (
  proxy: ProxyUrl,
  options: Http.AgentOptions,
  ofProxy: TlsOptions
): Promise<Http.Agent> => {
  const { HttpProxyAgent } = await import("http-proxy-agent")
  class Agent extends HttpProxyAgent<string> {
    override connect(...args: Parameters<InstanceType<typeof HttpProxyAgent>["connect"]>) {
      return connecting(proxy, args[0], this, async (agent) => {
        const socket = await super.connect.apply(agent, args)
        // The library is content with a connection, and the proxy's certificate comes after that.
        if (isTls(proxy)) await once(socket, "secureConnect")
        return socket
      })
    }
  }
  const agent = new Agent(proxy.url.href, toProxy(proxy, options, ofProxy))
  agent.protocol = "http:"
  return agent
}

/** An agent for `https://` servers: through a tunnel, so that the proxy sees no more than host and port. */
export const forHttps = async (
  proxy: ProxyUrl,
  options: Http.AgentOptions,
  ofServer: TlsOptions,
  ofProxy: TlsOptions
): Promise<Http.Agent> => {
  const { HttpsProxyAgent } = await import("https-proxy-agent")
  class Agent extends HttpsProxyAgent<string> {
    override connect(...args: Parameters<InstanceType<typeof HttpsProxyAgent>["connect"]>) {
      const [request, target] = args
      let status = 200
      request.once("proxyConnect", (answer: { readonly statusCode: number }) => (status = answer.statusCode))
      return connecting(proxy, request, this, async (agent) => {
        const socket = await super.connect.apply(agent, args)
        if (status === 200) return socket
        // The library would hand its answer on as if it were the server's.
        socket.destroy()
        throw refusal(proxy, status, `${target.host}:${target.port}`)
      })
    }
  }
  const agent = new Agent(proxy.url.href, toProxy(proxy, options, ofProxy))
  agent.protocol = "https:"
  // After it is made: these are for the server, and not for the proxy's own TLS.
  Object.assign(agent.options, options, ofServer)
  return agent
}

/** The proxy's answer to a CONNECT that is not the one wanted, or 407 to a plain request. */
export const refusal = (proxy: ProxyUrl, status: number, target: string): ViaProxy => {
  const [code, detail] =
    status === 407
      ? [
          "PROXY_AUTH",
          proxy.hasPassword
            ? "it does not accept the user and password of its URL (407)"
            : "it asks for a user and password (407), and its URL has none"
        ]
      : status >= 500
        ? ["PROXY_UNREACHED", `it can't reach ${target} (${status})`]
        : ["PROXY_REFUSED", `it refuses connections to ${target} (${status})`]
  return new ViaProxy({ proxy: proxy.text, atProxy: true, code, detail })
}

/**
 * Whatever fails while connecting is the proxy's fault. The libraries forget about a proxy that is still being spoken to
 * when its request is given up, and would leave that connection open.
 */
const connecting = async <A extends object, B>(
  proxy: ProxyUrl,
  request: Http.ClientRequest,
  agent: A & { readonly connectOpts: object },
  connect: (agent: A) => Promise<B>
): Promise<B> => {
  const gone = new AbortController()
  // A request that has no connection yet emits nothing when it is given up.
  const { destroy } = request
  request.destroy = (error) => {
    gone.abort()
    return destroy.call(request, error)
  }
  try {
    const once = Object.create(agent, {
      connectOpts: { value: { ...agent.connectOpts, signal: gone.signal } }
    }) as A
    return await connect(once)
  } catch (error) {
    throw error instanceof ViaProxy
      ? error
      : new ViaProxy({ proxy: proxy.text, atProxy: true, code: innermostCode(error) })
  } finally {
    request.destroy = destroy
  }
}
