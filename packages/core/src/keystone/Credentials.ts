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
 * What the token is for. `Project` is by id, or by name within a domain; `System` is the whole deployment; `Trust` is
 * what another user has handed on. An application credential brings its own project and takes no scope.
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
  System: {}
  Trust: { readonly id: string }
  Unscoped: {}
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Scope = Data.taggedEnum<Scope>()

/**
 * One proof of who asks.
 *
 * @since 0.1.0
 * @category models
 */
export type Factor = Data.TaggedEnum<{
  Password: { readonly user: UserRef; readonly password: Redacted.Redacted<string> }
  Totp: { readonly user: UserRef; readonly passcode: Redacted.Redacted<string> }
  Token: { readonly token: Redacted.Redacted<string> }
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
export const Factor = Data.taggedEnum<Factor>()

/**
 * - `Password`: a user and its password.
 * - `Totp`: a user and the passcode that its device shows. A passcode is good for one login: when its token ends, nothing
 *   here can get another.
 * - `MultiFactor`: several proofs at once, for users that identity asks for more than one.
 * - `Token`: a token issued elsewhere. With a scope it is exchanged for a token of that scope, otherwise used as it is;
 *   once it is no longer accepted, nothing here can renew it.
 * - `ApplicationCredential`: by id, or by name and its user.
 * - `NoAuth`: no identity service at all, for a share service that stands alone (`auth_strategy = noauth`). It believes
 *   that the token is `user:project` and asks for no proof; an endpoint override must say where it is.
 *
 * @since 0.1.0
 * @category models
 */
export type Credentials = Data.TaggedEnum<{
  Password: { readonly user: UserRef; readonly password: Redacted.Redacted<string>; readonly scope: Scope }
  Totp: { readonly user: UserRef; readonly passcode: Redacted.Redacted<string>; readonly scope: Scope }
  MultiFactor: { readonly factors: ReadonlyArray<Factor>; readonly scope: Scope }
  Token: { readonly token: Redacted.Redacted<string>; readonly scope: Scope }
  ApplicationCredential: {
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly user?: UserRef | undefined
    readonly secret: Redacted.Redacted<string>
  }
  NoAuth: { readonly user: string; readonly scope: Scope }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Credentials = Data.taggedEnum<Credentials>()
