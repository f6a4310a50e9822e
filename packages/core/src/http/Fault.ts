/**
 * What can go wrong between sending a request and having a whole answer, told by its code.
 *
 * @since 0.1.0
 */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as Schema from "effect/Schema"

/**
 * No usable answer: the connection was refused or reset, the name unknown, the certificate not trusted, the time for
 * one request over, the body cut short or not JSON.
 *
 * `code` is the innermost code of the cause (`ECONNREFUSED`, `ECONNRESET`, …), or one of ours: `TIMEOUT`, `TRUNCATED`,
 * `NOT_JSON`, `UNKNOWN`, and of a proxy `PROXY_AUTH`, `PROXY_REFUSED`, `PROXY_UNREACHED`, `PROXY_ANSWER`,
 * `PROXY_INVALID`. `transient` says whether another try may go better. `sent` is false only where it is certain that the
 * service never saw the request. `proxy` is the proxy the request went through, without its user and password. It
 * carries no request and no cause, since those hold headers and bodies.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportFault extends Schema.TaggedError<TransportFault>("@effect-manila/core/TransportFault")(
  "TransportFault",
  {
    method: Schema.String,
    url: Schema.String,
    code: Schema.String,
    detail: Schema.String,
    transient: Schema.Boolean,
    sent: Schema.Boolean,
    proxy: Schema.optional(Schema.String)
  }
) {
  override get message(): string {
    return `${this.method} ${this.url}: ${this.detail}`
  }
}

/** Codes after which the service can't have seen the request. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_NONAME",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "INVALID_URL",
  "EPROTO",
  "PROXY_AUTH",
  "PROXY_REFUSED",
  "PROXY_UNREACHED",
  "PROXY_ANSWER",
  "PROXY_INVALID"
])

/** Codes that name something another try can't change. */
const permanent = new Set([
  "ENOTFOUND",
  "EAI_NONAME",
  "EAI_FAIL",
  "INVALID_URL",
  "EACCES",
  "EPROTO",
  "PROXY_AUTH",
  "PROXY_REFUSED",
  "PROXY_INVALID"
])

/** Codes of node's HTTP parser: whoever answers speaks something else. */
const isParser = (code: string): boolean => code.startsWith("HPE_")

/**
 * Codes of certificates and of TLS itself: permanent, and raised before the request is written.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTls = (code: string): boolean =>
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|CRL_)/.test(
    code
  )

const sentences: Record<string, string> = {
  PROXY_ANSWER: "it closed the connection, or what it said is no proxy's answer",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "host not found",
  EAI_AGAIN: "the name service did not answer",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "the connection attempt timed out",
  EPIPE: "the connection was closed while sending",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed and not trusted (set cacert, or --insecure)",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by an authority that is not trusted (set cacert)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the server's certificate is signed by an authority that is not trusted (set cacert)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "the server's certificate is signed by an authority that is not trusted (set cacert)",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "the server asks for a client certificate (set cert and key)",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: "the server does not trust the authority of the client certificate (cert)",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the client certificate (cert) has expired",
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: "the server does not accept the client certificate (cert)",
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "the server does not accept the client certificate (cert)",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  EPROTO: "the server does not speak TLS here (is the URL http:// instead?)",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not speak TLS here (is the URL http:// instead?)",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not speak TLS here (is the URL http:// instead?)"
}

/**
 * The cause of a request's error on its way through a proxy. With `atProxy` the request did not get past it, so that the
 * service never saw it; otherwise the error is the service's, or that of a connection through the proxy.
 *
 * @since 0.1.0
 * @category models
 */
export class ViaProxy {
  /** Scheme, host and port: no user and no password. */
  readonly proxy: string
  readonly atProxy: boolean
  readonly code: string | undefined
  /** Said instead of the sentence for the code. */
  readonly detail: string | undefined
  constructor(options: {
    readonly proxy: string
    readonly atProxy: boolean
    readonly code: string | undefined
    readonly detail?: string | undefined
  }) {
    this.proxy = options.proxy
    this.atProxy = options.atProxy
    this.code = options.code
    this.detail = options.detail
  }
}

/**
 * The innermost `code` in a chain of causes. node:http gives every failure the same `reason`, so that only the code
 * tells a refused connection from an unknown host; several addresses tried in parallel come as one `AggregateError`.
 *
 * @since 0.1.0
 */
export const innermostCode = (error: unknown): string | undefined => {
  let found: string | undefined
  let current: unknown = error
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth++) {
    const { cause, code, errors } = current as { code?: unknown; cause?: unknown; errors?: unknown }
    if (typeof code === "string") found = code
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return found
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (request: { readonly method: string; readonly url: string }, code: string, detail?: string) =>
  new TransportFault({
    method: request.method,
    url: printable(request.url),
    code,
    detail: detail ?? sentences[code] ?? (isParser(code) ? `the answer is not HTTP (${code})` : `failed (${code})`),
    transient: !permanent.has(code) && !isTls(code) && !isParser(code),
    sent: !neverSent.has(code) && !isTls(code)
  })

/**
 * The time for one request is over. `millis` is the limit that passed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const timeout = (request: { readonly method: string; readonly url: string }, millis: number) =>
  make(request, "TIMEOUT", `no answer within ${millis / 1000} s`)

/**
 * Tells an `HttpClientError` by its innermost code. The error itself is dropped: it holds the request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromClientError = (
  request: { readonly method: string; readonly url: string },
  error: HttpClientError.HttpClientError
) => {
  const code = innermostCode(error.cause)
  if (error._tag === "RequestError") {
    if (error.reason === "InvalidUrl") return make(request, "INVALID_URL", "not a valid URL")
    if (error.cause instanceof ViaProxy) return fromProxy(request, error.cause)
    return make(request, code ?? "UNKNOWN")
  }
  return code === undefined || code === "ECONNRESET" || code === "ABORT_ERR"
    ? make(request, "TRUNCATED", "the answer was cut short")
    : make(request, code)
}

/** What is said of a server, of the proxy: it is verified in any case, and shown no certificate of the client. */
const ofProxy = (code: string, detail: string): string =>
  code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"
    ? "it asks for a client certificate, which proxies are not shown"
    : detail
        .replace(/^the server('s)? /, (_, its) => (its === undefined ? "it " : "its "))
        .replace(", or --insecure", "")

const fromProxy = (request: { readonly method: string; readonly url: string }, cause: ViaProxy) => {
  const fault = make(request, cause.code ?? (cause.atProxy ? "PROXY_ANSWER" : "UNKNOWN"), cause.detail)
  const { proxy } = cause
  const detail = cause.atProxy ? ofProxy(fault.code, fault.detail) : fault.detail
  return new TransportFault({
    ...fault,
    proxy,
    detail: cause.atProxy ? `the proxy ${proxy}: ${detail}` : `${detail} (through the proxy ${proxy})`,
    sent: fault.sent && !cause.atProxy
  })
}

/**
 * A URL without its query, and without a user and password in it.
 *
 * @since 0.1.0
 */
export const printable = (url: string): string => {
  const at = url.indexOf("?")
  return (at === -1 ? url : url.slice(0, at)).replace(/^(\w+:\/\/)[^/@]*@/, "$1")
}
