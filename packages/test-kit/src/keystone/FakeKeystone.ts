/**
 * Identity v3, as much of it as clients of a shared file system use: tokens by password, passcode, token and application
 * credential, for a project, a domain, the system or a trust, the catalog, and look-ups of projects and users.
 *
 * @since 0.1.0
 */
import type { CatalogService, Credentials } from "../FakeCloud.ts"
import * as Answer from "../internal/Answer.ts"
import type { Ids } from "../internal/Ids.ts"
import * as Stamp from "../internal/Stamp.ts"
import type { WireAnswer, WireRequest } from "../Wire.ts"
import * as Accounts from "./internal/Accounts.ts"
import * as Authenticate from "./internal/Authenticate.ts"
import * as Catalog from "./internal/Catalog.ts"
import * as Sessions from "./internal/Sessions.ts"
import * as Totp from "./internal/Totp.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Session = Sessions.Session

/**
 * The projects there are; a seed may name one instead of giving its id.
 *
 * @since 0.1.0
 * @category data
 */
export const projects = Accounts.projects

/**
 * A member of the project `demo` whose password alone is not enough: identity answers 401 with a receipt until a passcode
 * comes with it. Every user has a device (see `passcode`); this one needs it.
 *
 * @since 0.1.0
 * @category data
 */
export const guarded: { readonly username: string; readonly userId: string; readonly password: string } = {
  username: Accounts.users.guarded.name,
  userId: Accounts.users.guarded.id,
  password: Accounts.users.guarded.password
}

/**
 * With this trust the user `other` acts as `demo` in its project.
 *
 * @since 0.1.0
 * @category data
 */
export const trustId: string = Accounts.trust.id

/**
 * What a user's device shows at a time, in milliseconds since the epoch. Passcodes change every 30 seconds, and one is
 * taken for as long after its end.
 *
 * @since 0.1.0
 * @category data
 */
export const passcode = (username: keyof typeof Accounts.users, at: number): string =>
  Totp.passcode(Accounts.users[username].totpSecret, at)

/**
 * @since 0.1.0
 * @category models
 */
export interface FakeKeystone {
  /** Answers a request whose path, without `/identity`, is `path`. */
  readonly handle: (request: WireRequest, path: string, now: number, requestId: string) => WireAnswer
  /** The holder of a token that is good now. */
  readonly session: (token: string | undefined, now: number) => Session | undefined
  readonly credentials: (name: keyof typeof Accounts.users, now: number) => Credentials
  readonly revokeAll: () => void
}

const iso = "2020-04-07T00:00:00Z"

const version = (origin: string) => ({
  id: "v3.14",
  status: "stable",
  updated: iso,
  links: [{ rel: "self", href: `${origin}/identity/v3/` }],
  "media-types": [{ base: "application/json", type: "application/vnd.openstack.identity-v3+json" }]
})

const headers = (requestId: string, more: Answer.Headers = {}): Answer.Headers => ({
  vary: "X-Auth-Token",
  "x-openstack-request-id": requestId,
  ...more
})

const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found"
}

const strangerMessage = "The request you have made requires authentication."

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const fault = (
  request: WireRequest,
  requestId: string,
  status: number,
  message: string = strangerMessage,
  extra: object = {}
): WireAnswer =>
  Answer.json(
    status,
    { error: { code: status, message, title: titles[status] ?? "Error", ...extra } },
    headers(requestId, status === 401 ? { "www-authenticate": `Keystone uri="${request.origin}/identity/v3"` } : {})
  )

/** A receipt stands for what was proved, for five minutes, and asks for the rest. */
const receipt = (
  ids: Ids,
  requestId: string,
  { methods, user }: { readonly user: Accounts.User; readonly methods: ReadonlyArray<string> },
  now: number
): WireAnswer =>
  Answer.json(
    401,
    {
      receipt: {
        methods,
        user: { domain: Accounts.domain, id: user.id, name: user.name },
        issued_at: Stamp.ofToken(now),
        expires_at: Stamp.ofToken(now + 300_000)
      },
      required_auth_methods: user.rules
    },
    headers(requestId, { "openstack-auth-receipt": `gAAAAAB${ids.text(120)}` })
  )

const notFoundPage =
  "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>There is nothing at this URL.</p>\n"

const projectView = (origin: string, project: Accounts.Project) => ({
  id: project.id,
  name: project.name,
  domain_id: Accounts.domain.id,
  description: "",
  enabled: true,
  parent_id: Accounts.domain.id,
  is_domain: false,
  tags: [],
  options: {},
  links: { self: `${origin}/identity/v3/projects/${project.id}` }
})

const userView = (origin: string, user: Accounts.User) => ({
  id: user.id,
  name: user.name,
  domain_id: Accounts.domain.id,
  enabled: true,
  ...(user.defaultProject === undefined ? {} : { default_project_id: user.defaultProject.id }),
  password_expires_at: null,
  options: {},
  links: { self: `${origin}/identity/v3/users/${user.id}` }
})

const scopeView = (scope: Sessions.Scope): object => {
  switch (scope._tag) {
    case "Project":
      return {
        ...(scope.trust === undefined
          ? {}
          : {
              "OS-TRUST:trust": {
                id: scope.trust.id,
                trustor_user: { id: scope.trust.trustor.id },
                trustee_user: { id: scope.trust.trustee.id },
                impersonation: true
              }
            }),
        project: { domain: Accounts.domain, id: scope.project.id, name: scope.project.name },
        is_domain: false
      }
    case "Domain":
      return { domain: Accounts.domain }
    case "System":
      return { system: { all: true } }
    case "None":
      return {}
  }
}

const tokenView = (session: Session, catalog: ReadonlyArray<object> | undefined) => ({
  token: {
    methods: session.methods,
    user: { domain: Accounts.domain, id: session.user.id, name: session.user.name, password_expires_at: null },
    audit_ids: session.auditIds,
    expires_at: Stamp.ofToken(session.expiresAt),
    issued_at: Stamp.ofToken(session.issuedAt),
    ...scopeView(session.scope),
    ...(session.scope._tag === "None"
      ? {}
      : {
          roles: session.user.roles.map((name) => ({ id: Accounts.roles[name], name })),
          ...(catalog === undefined ? {} : { catalog })
        }),
    ...(session.byApplicationCredential
      ? {
          application_credential: {
            id: session.user.applicationCredential.id,
            name: session.user.applicationCredential.name,
            restricted: true
          }
        }
      : {})
  }
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly ids: Ids
  readonly tokenLifetimeMillis: number
  readonly services: ReadonlyArray<CatalogService>
}): FakeKeystone => {
  const sessions = Sessions.make(options.ids, options.tokenLifetimeMillis)
  const catalog = Catalog.make(options.services, options.ids)

  const catalogOf = (request: WireRequest, session: Session) => catalog(request.origin, Sessions.projectOf(session)?.id)

  const tokens = (request: WireRequest, now: number, requestId: string): WireAnswer => {
    const refuse = (status: number, message?: string, extra?: object) =>
      fault(request, requestId, status, message, extra)
    if (request.method === "POST") {
      const body = parse(request.body)
      if (body === undefined)
        return refuse(
          400,
          "Expecting to find valid JSON in request body. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error."
        )
      const session = Authenticate.authenticate(body, sessions, now)
      if (Authenticate.isRefused(session) && session.receipt !== undefined)
        return receipt(options.ids, requestId, session.receipt, now)
      if (Authenticate.isRefused(session)) return refuse(session.status, session.message, session.extra)
      const wanted = request.query.some(([key]) => key === "nocatalog") ? undefined : catalogOf(request, session)
      return Answer.json(201, tokenView(session, wanted), headers(requestId, { "x-subject-token": session.token }))
    }
    if (sessions.find(request.headers["x-auth-token"], now) === undefined) return refuse(401)
    const subject = request.headers["x-subject-token"]
    const session = sessions.find(subject, now)
    if (session === undefined) return refuse(404, "Could not recognize Fernet token")
    if (request.method === "DELETE") {
      sessions.revoke(session.token)
      return { status: 204, headers: headers(requestId), body: "" }
    }
    return Answer.json(
      200,
      tokenView(session, catalogOf(request, session)),
      headers(requestId, { "x-subject-token": session.token })
    )
  }

  const lookup = (
    request: WireRequest,
    requestId: string,
    session: Session,
    kind: "projects" | "users",
    id: string | undefined
  ): WireAnswer => {
    const { origin } = request
    const isAdmin = session.user.roles.includes("admin")
    const all =
      kind === "projects"
        ? Accounts.allProjects.map((project) => projectView(origin, project))
        : Accounts.allUsers.map((user) => userView(origin, user))
    if (id === undefined) {
      if (!isAdmin)
        return fault(
          request,
          requestId,
          403,
          `You are not authorized to perform the requested action: identity:list_${kind}.`
        )
      const name = Answer.queryOf(request).get("name")
      const found = all.filter((one) => name === undefined || one.name === name)
      const query = name === undefined ? "" : `?name=${name}`
      return Answer.json(
        200,
        { [kind]: found, links: { next: null, self: `${origin}/identity/v3/${kind}${query}`, previous: null } },
        headers(requestId)
      )
    }
    const one = kind.slice(0, -1)
    const found = all.find((known) => known.id === id)
    const own = kind === "projects" ? Sessions.projectOf(session)?.id : session.user.id
    if (!isAdmin && own !== id)
      return fault(
        request,
        requestId,
        403,
        `You are not authorized to perform the requested action: identity:get_${one}.`
      )
    if (found === undefined) return fault(request, requestId, 404, `Could not find ${one}: ${id}.`)
    return Answer.json(200, { [one]: found }, headers(requestId))
  }

  const reply = (request: WireRequest, path: string, now: number, requestId: string): WireAnswer => {
    const [root, first, second, ...rest] = Answer.segmentsOf(path).filter((segment) => segment !== "")
    const reads = request.method === "GET" || request.method === "HEAD"
    if (root === undefined && reads)
      return Answer.json(
        300,
        { versions: { values: [version(request.origin)] } },
        headers(requestId, { location: `${request.origin}/identity/v3/` })
      )
    if (root === "v3" && rest.length === 0) {
      if (first === undefined && reads)
        return Answer.json(200, { version: version(request.origin) }, headers(requestId))
      if (first === "auth" && second === "tokens" && (reads || ["POST", "DELETE"].includes(request.method)))
        return tokens(request, now, requestId)
      const isLookup = first === "projects" || first === "users"
      if (reads && (isLookup || (first === "auth" && (second === "catalog" || second === "projects")))) {
        const session = sessions.find(request.headers["x-auth-token"], now)
        if (session === undefined) return fault(request, requestId, 401)
        if (isLookup) return lookup(request, requestId, session, first, second)
        if (second === "catalog") return Answer.json(200, { catalog: catalogOf(request, session) }, headers(requestId))
        const mine = Accounts.allProjects.filter((project) => project === session.user.project)
        return Answer.json(
          200,
          {
            projects: mine.map((project) => projectView(request.origin, project)),
            links: { next: null, self: `${request.origin}/identity/v3/auth/projects`, previous: null }
          },
          headers(requestId)
        )
      }
    }
    return Answer.text(404, notFoundPage, "text/html; charset=utf-8", headers(requestId))
  }

  return {
    handle: (request, path, now, requestId) => {
      const answer = reply(request, path, now, requestId)
      return request.method === "HEAD" ? Answer.headOf(answer) : answer
    },
    session: sessions.find,
    revokeAll: sessions.revokeAll,
    credentials: (name, now) => {
      const user: Accounts.User = Accounts.users[name]
      const scope: Sessions.Scope = { _tag: "Project", project: user.project }
      return {
        authPath: "/identity/v3",
        username: user.name,
        userId: user.id,
        password: user.password,
        domainName: Accounts.domain.name,
        domainId: Accounts.domain.id,
        projectName: user.project.name,
        projectId: user.project.id,
        applicationCredentialId: user.applicationCredential.id,
        applicationCredentialName: user.applicationCredential.name,
        applicationCredentialSecret: user.applicationCredential.secret,
        region: options.services.find((service) => service.regions?.[0] !== undefined)?.regions?.[0] ?? "RegionOne",
        token: sessions.issue({ user, scope, methods: ["password"] }, now).token
      }
    }
  }
}
