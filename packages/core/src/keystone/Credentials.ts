/**
 * Who asks, and for what: the ways to authenticate at identity v3 and the scopes a token can have.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"

/**
 * A domain, by one or the other. Where both are given the id wins.
 *
 * @since 0.1.0
 * @category models
 */
export interface DomainRef {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

/**
 * A user by id, or by name within a domain.
 *
 * @since 0.1.0
 * @category models
 */
export type UserRef = { readonly id: string } | { readonly name: string; readonly domain: DomainRef }

/**
 * What the token is for. `Project` is by id, or by name within a domain. An application credential brings its own
 * project and takes no scope.
 *
 * @since 0.1.0
 * @category models
 */
export type Scope = Data.TaggedEnum<{
  Project: {
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly domain?: DomainRef | undefined
  }
  Domain: { readonly domain: DomainRef }
  Unscoped: {}
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Scope = Data.taggedEnum<Scope>()

/**
 * - `Password`: a user and its password.
 * - `Token`: a token issued elsewhere. With a scope it is exchanged for a token of that scope, otherwise used as it is;
 *   once it is no longer accepted, nothing here can renew it.
 * - `ApplicationCredential`: by id, or by name and its user.
 *
 * @since 0.1.0
 * @category models
 */
export type Credentials = Data.TaggedEnum<{
  Password: { readonly user: UserRef; readonly password: Redacted.Redacted<string>; readonly scope: Scope }
  Token: { readonly token: Redacted.Redacted<string>; readonly scope: Scope }
  ApplicationCredential: {
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly user?: UserRef | undefined
    readonly secret: Redacted.Redacted<string>
  }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Credentials = Data.taggedEnum<Credentials>()
