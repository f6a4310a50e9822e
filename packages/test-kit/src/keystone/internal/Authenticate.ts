/**
 * Reads what `POST /v3/auth/tokens` was asked, and says who that is.
 */
import * as Predicate from "effect/Predicate"
import * as Accounts from "./Accounts.ts"
import type { Scope, Session, Sessions } from "./Sessions.ts"
import * as Totp from "./Totp.ts"

export interface Refused {
  readonly _tag: "Refused"
  readonly status: 400 | 401 | 403 | 404
  readonly message?: string
  /** Stands beside code, message and title. */
  readonly extra?: object
  /** What was proved, where more is needed: the answer is a receipt. */
  readonly receipt?: { readonly user: Accounts.User; readonly methods: ReadonlyArray<string> }
}

export const isRefused = (value: object): value is Refused => "_tag" in value && value._tag === "Refused"

type Json = Readonly<Record<string, unknown>>

const refused = (status: 400 | 401 | 403 | 404, message?: string, extra?: object): Refused => ({
  _tag: "Refused",
  status,
  ...(message === undefined ? {} : { message }),
  ...(extra === undefined ? {} : { extra })
})

/** 401 without a word about what was wrong: Keystone tells nobody which of name, password and project it was. */
const stranger = refused(401)

const missing = (what: string, where: string): Refused =>
  refused(
    400,
    `Expecting to find ${what} in ${where}. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.`
  )

const child = (value: unknown, key: string): Json | undefined => {
  const found = Predicate.isRecord(value) ? value[key] : undefined
  return Predicate.isRecord(found) ? found : undefined
}

const isOurDomain = (holder: Json): boolean => {
  const domain = child(holder, "domain")
  return domain !== undefined && (domain["id"] === Accounts.domain.id || domain["name"] === Accounts.domain.name)
}

const findUser = (user: Json): Accounts.User | Refused => {
  if (user["id"] !== undefined) return Accounts.allUsers.find((known) => known.id === user["id"]) ?? stranger
  if (user["name"] === undefined) return missing("id or name", "user")
  if (child(user, "domain") === undefined) return missing("domain", "user")
  if (!isOurDomain(user)) return stranger
  return Accounts.allUsers.find((known) => known.name === user["name"]) ?? stranger
}

interface Identified {
  readonly user: Accounts.User
  readonly parent?: Session | undefined
  /** An application credential is bound to its project. */
  readonly bound?: boolean
}

const byPassword = (identity: Json): Identified | Refused => {
  if (child(identity, "password") === undefined) return missing("password", "identity")
  const given = child(child(identity, "password"), "user")
  if (given === undefined) return missing("user", "password")
  const user = findUser(given)
  if (isRefused(user)) return user
  return user.password === given["password"] ? { user } : stranger
}

const byTotp = (identity: Json, now: number): Identified | Refused => {
  const given = child(child(identity, "totp"), "user")
  if (given === undefined) return missing(child(identity, "totp") === undefined ? "totp" : "user", "identity")
  const user = findUser(given)
  if (isRefused(user)) return user
  return Totp.accepts(user.totpSecret, given["passcode"], now) ? { user } : stranger
}

const byToken = (identity: Json, sessions: Sessions, now: number): Identified | Refused => {
  if (child(identity, "token") === undefined) return missing("token", "identity")
  const id = child(identity, "token")?.["id"]
  if (typeof id !== "string") return missing("id", "token")
  if (!id.startsWith("gAAAAA")) return refused(404, "Could not recognize Fernet token")
  const parent = sessions.find(id, now)
  return parent === undefined ? stranger : { user: parent.user, parent }
}

const byApplicationCredential = (identity: Json): Identified | Refused => {
  const given = child(identity, "application_credential")
  if (given === undefined) return missing("application_credential", "identity")
  let user: Accounts.User | undefined
  if (given["id"] !== undefined) {
    user = Accounts.allUsers.find((known) => known.applicationCredential.id === given["id"])
    // Here, and for the owner's name below, Keystone does tell a stranger what was wrong.
    if (user === undefined) return refused(404, `Could not find Application Credential: ${String(given["id"])}.`)
  } else {
    const owner = child(given, "user")
    if (owner === undefined) return missing("user", "application credential")
    const found = findUser(owner)
    if (isRefused(found))
      return found === stranger ? refused(404, `Could not find user: ${String(owner["name"] ?? owner["id"])}.`) : found
    user = found.applicationCredential.name === given["name"] ? found : undefined
  }
  if (user === undefined || user.applicationCredential.secret !== given["secret"]) return stranger
  return { user, bound: true }
}

const methods = ["password", "token", "totp", "application_credential"]

const identify = (identity: Json, sessions: Sessions, now: number): Identified | Refused => {
  const asked = identity["methods"]
  if (!Array.isArray(asked)) return missing("methods", "identity")
  let who: Identified | undefined
  for (const method of asked) {
    if (!methods.includes(method))
      return refused(401, "Attempted to authenticate with an unsupported method.", { identity: { methods } })
    const found =
      method === "password"
        ? byPassword(identity)
        : method === "token"
          ? byToken(identity, sessions, now)
          : method === "totp"
            ? byTotp(identity, now)
            : byApplicationCredential(identity)
    if (isRefused(found)) return found
    if (who !== undefined && who.user !== found.user) return stranger
    who = { ...who, ...found }
  }
  return who ?? stranger
}

const inProject = (user: Accounts.User, project: Accounts.Project | undefined): Scope | Refused =>
  project !== undefined && (user.project === project || user.roles.includes("admin"))
    ? { _tag: "Project", project }
    : stranger

const scopes = ["system", "project", "domain", "OS-TRUST:trust"]

const scopeOf = (who: Identified, scope: unknown): Scope | Refused => {
  if (who.bound === true) {
    return scope === undefined
      ? { _tag: "Project", project: who.user.project }
      : refused(
          401,
          "Error authenticating with application credential: Application credentials cannot request a scope.",
          { identity: {} }
        )
  }
  if (scope === "unscoped") return { _tag: "None" }
  if (scope === undefined) {
    const { defaultProject } = who.user
    return defaultProject === undefined ? { _tag: "None" } : { _tag: "Project", project: defaultProject }
  }
  if (scopes.filter((name) => child(scope, name) !== undefined).length > 1)
    return missing("system, project, domain, OS-TRUST:trust or unscoped", "scope")
  const trust = child(scope, "OS-TRUST:trust")
  if (trust !== undefined) {
    if (trust["id"] === undefined) return missing("trust_id", "trust")
    if (trust["id"] !== Accounts.trust.id) return stranger
    return who.user === Accounts.trust.trustee
      ? { _tag: "Project", project: Accounts.trust.project, trust: Accounts.trust }
      : refused(403, "You are not authorized to perform the requested action.")
  }
  const project = child(scope, "project")
  if (project !== undefined) {
    if (project["id"] !== undefined)
      return inProject(
        who.user,
        Accounts.allProjects.find((known) => known.id === project["id"])
      )
    if (child(project, "domain") === undefined) return missing("domain", "project")
    if (!isOurDomain(project)) return stranger
    return inProject(
      who.user,
      Accounts.allProjects.find((known) => known.name === project["name"])
    )
  }
  const admin = who.user.roles.includes("admin")
  const domain = child(scope, "domain")
  if (domain !== undefined)
    return admin && (domain["id"] === Accounts.domain.id || domain["name"] === Accounts.domain.name)
      ? { _tag: "Domain" }
      : stranger
  if (child(scope, "system") !== undefined) return admin ? { _tag: "System" } : stranger
  return missing("system, project, domain, OS-TRUST:trust or unscoped", "scope")
}

/** A new session, or why there is none. */
export const authenticate = (body: unknown, sessions: Sessions, now: number): Session | Refused => {
  const auth = child(body, "auth")
  if (auth === undefined) return missing("auth", "request body")
  const identity = child(auth, "identity")
  if (identity === undefined) return missing("identity", "auth")
  const who = identify(identity, sessions, now)
  if (isRefused(who)) return who
  const asked = (identity["methods"] as ReadonlyArray<unknown>).map(String) // `identify` has looked at each
  const proved = [...(who.parent?.methods ?? []), ...asked]
  const { rules } = who.user
  if (rules !== undefined && !rules.some((rule) => rule.every((method) => proved.includes(method))))
    return { ...stranger, receipt: { user: who.user, methods: asked } }
  const scope = scopeOf(who, auth["scope"])
  if (isRefused(scope)) return scope
  // With a trust one acts as the user who gave it.
  const user = scope._tag === "Project" && scope.trust !== undefined ? scope.trust.trustor : who.user
  return sessions.issue({ user, scope, methods: asked, parent: who.parent }, now)
}
