/**
 * Namespaces, their keys, and the tokens that were given for them.
 */
import type * as Ids from "../../internal/Ids.ts"

export interface Accounts {
  readonly keys: ReadonlyMap<string, string>
  readonly tokens: Map<string, { readonly namespace: string; readonly expiresAt: number }>
  lifeMillis: number
}

export const make = (namespaces: Readonly<Record<string, string>>, lifeMillis: number): Accounts => ({
  keys: new Map(Object.entries(namespaces)),
  tokens: new Map(),
  lifeMillis
})

export const issue = (accounts: Accounts, ids: Ids.Ids, namespace: string, now: number): string => {
  const token = `${ids.text(20)}.${ids.text(60)}.${ids.text(43)}`
  accounts.tokens.set(token, { namespace, expiresAt: now + accounts.lifeMillis })
  return token
}

/** The namespace a token is for, `undefined` if it is unknown, revoked or over. */
export const holder = (accounts: Accounts, token: string, now: number): string | undefined => {
  const found = accounts.tokens.get(token)
  return found === undefined || now >= found.expiresAt ? undefined : found.namespace
}
