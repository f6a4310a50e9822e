/**
 * Tokens: who holds one, for what scope, until when.
 */
import type { Ids } from "../../internal/Ids.ts"
import type * as Accounts from "./Accounts.ts"

export type Scope =
  | { readonly _tag: "Project"; readonly project: Accounts.Project; readonly trust?: Accounts.Trust }
  | { readonly _tag: "Domain" }
  | { readonly _tag: "System" }
  | { readonly _tag: "None" }

export interface Session {
  readonly token: string
  readonly user: Accounts.User
  readonly scope: Scope
  readonly methods: ReadonlyArray<string>
  readonly auditIds: ReadonlyArray<string>
  readonly issuedAt: number
  readonly expiresAt: number
  readonly byApplicationCredential: boolean
}

export interface Sessions {
  /** The holder of a token that is good now. */
  readonly find: (token: string | undefined, now: number) => Session | undefined
  readonly issue: (
    request: {
      readonly user: Accounts.User
      readonly scope: Scope
      readonly methods: ReadonlyArray<string>
      readonly parent?: Session | undefined
    },
    now: number
  ) => Session
  readonly revoke: (token: string) => void
  readonly revokeAll: () => void
}

export const make = (ids: Ids, lifetimeMillis: number): Sessions => {
  const open = new Map<string, Session>()
  return {
    find: (token, now) => {
      if (token === undefined) return undefined
      const session = open.get(token)
      if (session === undefined || now < session.expiresAt) return session
      open.delete(token)
      return undefined
    },
    issue: ({ user, scope, methods, parent }, now) => {
      const session: Session = {
        token: `gAAAAAB${ids.text(176)}`,
        user,
        scope,
        methods: parent === undefined ? methods : [...parent.methods, ...methods],
        auditIds: parent === undefined ? [ids.text(22)] : [ids.text(22), parent.auditIds.at(-1) ?? ids.text(22)],
        // A token made from a token ends when the first one does.
        issuedAt: now,
        expiresAt: parent === undefined ? now + lifetimeMillis : parent.expiresAt,
        byApplicationCredential: methods.includes("application_credential")
      }
      open.set(session.token, session)
      return session
    },
    revoke: (token) => {
      open.delete(token)
    },
    revokeAll: () => open.clear()
  }
}

/** The project a session works in. */
export const projectOf = (session: Session): Accounts.Project | undefined =>
  session.scope._tag === "Project" ? session.scope.project : undefined
