/**
 * A cloud's TLS settings as options of node:tls, with the files of certificates and keys read and looked at once.
 *
 * @internal
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import * as NodeTls from "node:tls"
import { TransportError, type TransportSettings } from "../../http/Transport.ts"

export interface TlsOptions {
  readonly rejectUnauthorized: boolean
  /** Made once: a bundle would otherwise be parsed for each connection. */
  readonly secureContext?: NodeTls.SecureContext
}

export interface Tls {
  readonly server: TlsOptions
  /** For a proxy that speaks TLS itself; the authorities are read by the first one there is. */
  readonly proxy: Effect.Effect<TlsOptions>
}

export const options = (fs: FileSystem.FileSystem, settings: TransportSettings): Effect.Effect<Tls, TransportError> =>
  Effect.gen(function* () {
    const found = authorities(fs, settings.cacert)
    // Where nothing is verified with them, they matter to a proxy at most.
    const known = yield* settings.verify ? found : Effect.orElseSucceed(found, () => undefined)
    const ca = settings.verify ? known : undefined
    const own = yield* certificate(fs, settings)
    const extra = yield* Effect.orElseSucceed(Config.string("NODE_EXTRA_CA_CERTS"), () => "")
    return {
      server: {
        rejectUnauthorized: settings.verify,
        ...(ca === undefined && own === undefined
          ? {}
          : { secureContext: NodeTls.createSecureContext({ ...(ca === undefined ? {} : { ca }), ...own }) })
      },
      proxy: yield* Effect.cached(known === undefined ? Effect.succeed(verified) : beside(fs, known, extra))
    }
  })

const verified: TlsOptions = { rejectUnauthorized: true }

/** The types are those of an older Node. */
const node: {
  readonly rootCertificates: ReadonlyArray<string>
  readonly getCACertificates?: (type: "default") => ReadonlyArray<string>
} = NodeTls

/**
 * Whom an `https://` proxy is verified with: the cloud's own authorities beside Node's, as `openstack` takes them for both.
 * That the cloud is not verified says nothing of the proxy, which is told a password.
 *
 * Before 22.15 Node doesn't tell which authorities it got from `NODE_EXTRA_CA_CERTS`.
 */
const beside = (fs: FileSystem.FileSystem, known: string, extra: string): Effect.Effect<TlsOptions> =>
  Effect.suspend(() =>
    node.getCACertificates === undefined
      ? Effect.match(fs.readFileString(extra), {
          onFailure: () => node.rootCertificates,
          onSuccess: (text) => [...node.rootCertificates, text]
        })
      : Effect.succeed(node.getCACertificates("default"))
  ).pipe(
    Effect.map((others) => ({ ...verified, secureContext: NodeTls.createSecureContext({ ca: [...others, known] }) }))
  )

const fail = (setting: string, detail: string) => new TransportError({ setting, detail })

const authorities = (
  fs: FileSystem.FileSystem,
  path: string | undefined
): Effect.Effect<string | undefined, TransportError> =>
  path === undefined
    ? Effect.succeed(undefined)
    : Effect.filterOrElse(
        read(fs, "cacert", path),
        (text) => problemOf(text) === undefined,
        (text) => Effect.fail(fail("cacert", `${path}: ${problemOf(text)}`))
      )

interface Own {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
}

/** The client's certificate with its key, which may be in the same file. */
const certificate = (
  fs: FileSystem.FileSystem,
  { cert, key, keyPassword }: TransportSettings
): Effect.Effect<Own | undefined, TransportError> =>
  Effect.gen(function* () {
    if (cert === undefined) {
      return key === undefined ? undefined : yield* fail("cert", "a key is set, and no certificate it belongs to")
    }
    const certText = yield* read(fs, "cert", cert)
    const problem = problemOf(certText)
    if (problem !== undefined) return yield* fail("cert", `${cert}: ${problem}`)
    const setting = key === undefined ? "cert" : "key"
    const keyPath = key ?? cert
    const keyText = key === undefined ? certText : yield* read(fs, "key", key)
    if (!/-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/.test(keyText)) {
      return yield* key === undefined
        ? fail("key", `there is no private key in ${cert} either: set key to the PEM file that has it`)
        : fail("key", `${keyPath}: there is no PEM private key in the file`)
    }
    const passphrase = keyPassword === undefined ? undefined : Redacted.value(keyPassword)
    const opened = open(keyText, passphrase)
    if (typeof opened === "string") {
      return yield* fail(opened === wrongPassword ? "key_password" : setting, `${keyPath}: ${opened}`)
    }
    if (!new X509Certificate(certText).checkPrivateKey(opened)) {
      return yield* fail(setting, `the key of ${keyPath} does not belong to the first certificate of ${cert}`)
    }
    return { cert: certText, key: keyText, ...(passphrase === undefined ? {} : { passphrase }) }
  })

const wrongPassword = "key_password does not open the key"

/** The key, or why it can't be opened: OpenSSL's own words may hold parts of the file. */
const open = (text: string, passphrase: string | undefined): KeyObject | string => {
  try {
    return createPrivateKey({ key: text, format: "pem", ...(passphrase === undefined ? {} : { passphrase }) })
  } catch {
    if (!/ENCRYPTED/.test(text)) return "the private key can't be read"
    return passphrase === undefined ? "the key is encrypted: set key_password" : wrongPassword
  }
}

const read = (fs: FileSystem.FileSystem, setting: string, path: string): Effect.Effect<string, TransportError> =>
  Effect.mapError(fs.readFileString(path), (error) => {
    const reason = error._tag === "SystemError" ? reasons[error.reason] : undefined
    return fail(setting, `${path}: ${reason ?? "the file can't be read"}`)
  })

const reasons: Readonly<Record<string, string>> = {
  NotFound: "no such file",
  PermissionDenied: "permission denied",
  BadResource: "this is a folder, and a PEM file is needed"
}

/** OpenSSL stops at the first certificate it can't read, and says nothing. */
const problemOf = (text: string): string | undefined => {
  const blocks = text.match(/-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[\s\S]*?-----END \1-----/g) ?? []
  if (blocks.length === 0) return "there is no PEM certificate in the file"
  const bad = blocks.findIndex((block) => {
    try {
      return new X509Certificate(block).raw.length === 0
    } catch {
      return true
    }
  })
  return bad === -1 ? undefined : `certificate ${bad + 1} of ${blocks.length} in the file can't be read`
}
