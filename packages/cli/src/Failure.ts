/**
 * From an error to what is said of it and how it ends the command: one or two sentences with what failed, which
 * resource, the service's reason, and what to try.
 *
 * The errors of the library compute their own message (what, which, why); this module knows what each means for an exit
 * code and what to try next. It reads them by tag and field, so that it loads none of them.
 *
 * @since 0.1.0
 */
import type * as ExitCode from "./ExitCode.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Failure extends ExitCode.Result {
  /** Empty where nothing is to be said: the reader of the output went away. */
  readonly text: string
  /** The id of the resource, if the error is about one that was waited for. */
  readonly id?: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/**
 * How one kind of error is taken; `hint` is a second sentence.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reading {
  readonly ending: ExitCode.Ending | ((error: Fields) => ExitCode.Ending)
  readonly hint?: (error: Fields, command: string) => string | undefined
}

/**
 * By tag.
 *
 * @since 0.1.0
 * @category models
 */
export type Readings = Readonly<Record<string, Reading>>

const text = (error: Fields, key: string): string | undefined => {
  const value = error[key]
  return typeof value === "string" && value !== "" ? value : undefined
}

const subject = (error: Fields): Fields => {
  const value = error["subject"]
  return typeof value === "object" && value !== null ? (value as Fields) : {}
}

const messages = (error: Fields): string | undefined => {
  const { kind } = subject(error)
  const id = text(subject(error), "id")
  if (id === undefined || error["reason"] !== null || kind === "access" || kind === "access rule") return undefined
  return `Messages of the service, if there are any: manila share message list --resource-id ${id}`
}

/** Share types whose driver makes share servers need a network; the service says so and does not say how to give it. */
const network = (error: Fields, command: string): string | undefined =>
  command === "share create" && /share[ _]network/i.test(text(error, "detail") ?? "")
    ? "Name one with --share-network, or take another --share-type."
    : undefined

/**
 * Every error by its tag. An unknown tag is an error without a name of its own.
 *
 * @since 0.1.0
 */
export const readings: Readings = {
  // this package's own
  Refused: { ending: "usage" },
  UnknownColumn: { ending: "usage" },
  UsageError: { ending: "usage" },
  StdoutFailed: { ending: (error) => (error["code"] === "EPIPE" ? "brokenPipe" : "other") },

  BadValue: { ending: "usage" },
  Incomplete: { ending: "usage" },
  TokenRefused: { ending: "usage" },
  AccessExists: { ending: "exists" },

  // waits
  WaitFailed: {
    ending: (error) => (error["cause"] === "notFound" ? "notFound" : "failed"),
    hint: messages
  },
  WaitTimedOut: { ending: "timedOut" },
  WaitNeedsAction: { ending: "needsAction" },

  // the share service
  NotFound: { ending: "notFound" },
  NameNotFound: { ending: "notFound" },
  NameAmbiguous: { ending: "ambiguous" },
  AlreadyExists: { ending: "exists" },
  Conflict: { ending: "conflict" },
  BadRequest: { ending: "badRequest", hint: network },
  Forbidden: { ending: "forbidden" },
  Unauthorized: {
    ending: "unauthorized",
    hint: () => "The token is no longer accepted: log in again, or give a password or an application credential."
  },
  OverQuota: { ending: "quota", hint: () => "See what is used and allowed: openstack share quota show" },
  NotSupported: { ending: "other" },
  OutcomeUnknown: {
    ending: "outcomeUnknown",
    hint: () => "It may or may not have been done: look before you repeat it."
  },

  // identity and configuration
  ConfigError: { ending: "other" },
  AuthenticationFailed: { ending: "unauthorized" },
  NotScoped: { ending: "unauthorized" },
  EndpointNotFound: { ending: "other" },
  IdentityFailed: { ending: (error) => (error["status"] === 403 ? "forbidden" : "other") },
  TransportFault: {
    ending: (error) => (error["sent"] === true && error["safe"] === false ? "outcomeUnknown" : "other")
  },
  TransportError: { ending: "other" }
}

/**
 * `own` are a program's own readings, which go before these.
 *
 * @since 0.1.0
 */
export const describe = (error: unknown, command: string, own: Readings = {}): Failure => {
  const fields = (typeof error === "object" && error !== null ? error : {}) as Fields
  const tag = text(fields, "_tag")
  if (tag === "About") {
    const inner = describe(fields["error"], command, own)
    const about = text(fields, "about") ?? ""
    // The name alone is enough, and an error of a wait has it.
    const isNamed = mentions(inner.text, text(fields, "name") ?? about)
    return isNamed ? inner : { ...inner, text: `${about}: ${inner.text}` }
  }
  const reading = tag === undefined ? undefined : (own[tag] ?? readings[tag])
  const ending =
    reading === undefined ? "other" : typeof reading.ending === "string" ? reading.ending : reading.ending(fields)
  const status = text(fields, "status")
  const id = text(subject(fields), "id")
  const common = { ending, ...(status === undefined ? {} : { status }), ...(id === undefined ? {} : { id }) }
  if (ending === "brokenPipe") return { ...common, text: "" }
  const usage = text(fields, "usage")
  const said = sentence(text(fields, "message") ?? tag ?? String(error))
  const hint = reading?.hint?.(fields, command)
  return {
    ...common,
    text: `${said}${hint === undefined ? "" : ` ${sentence(hint)}`}${usage === undefined ? "" : `\n${usage}`}`
  }
}

/**
 * Whether a sentence has the name in it as a word of its own.
 *
 * @since 0.1.0
 */
export const mentions = (said: string, name: string): boolean =>
  ` ${said} `.split(name).some((before, at, parts) => {
    const after = parts[at + 1]
    return after !== undefined && /[^\w-]$/.test(before) && /^[^\w-]/.test(after)
  })

/** Ends with a full stop, unless it ends with a mark already or with something that is to be copied. */
const sentence = (said: string): string =>
  /[.!?…)\]]$|: (manila|openstack|shakenfist-wait) .*$/.test(said.trim()) ? said.trim() : `${said.trim()}.`
