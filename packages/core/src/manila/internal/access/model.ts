/**
 * Access rules: ids, models, operations.
 */
import * as Schema from "effect/Schema"
import * as Http from "../../../http/Operation.ts"
import * as Metadata from "../../Metadata.ts"
import * as Operation from "../../Operation.ts"
import type { ShareId } from "../share/model.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const AccessRuleId = Schema.String.pipe(Schema.brand("AccessRuleId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type AccessRuleId = typeof AccessRuleId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * An access rule as the service shows it. Lists leave out `share_id`.
 *
 * @since 0.1.0
 * @category models
 */
export const AccessRule = Schema.Struct({
  id: AccessRuleId,
  /** An open string, null while no back end knows the rule. Below 2.28 the share's `access_rules_status`. */
  state: text,
  /** `rw` or `ro`. */
  access_level: text,
  /** `******` where a lock hides it. */
  access_to: text,
  /** `ip`, `user`, `cert`, `cephx` (2.13). */
  access_type: text,
  share_id: text,
  /** Since 2.21: a secret, for `cephx` once the rule is active. */
  access_key: Schema.optional(Schema.NullOr(Schema.Redacted(Schema.String))),
  /** Since 2.33. */
  created_at: text,
  /** Since 2.33. */
  updated_at: text,
  /** Since 2.45. */
  metadata: Schema.optional(Schema.NullOr(Metadata.Metadata))
})

/**
 * @since 0.1.0
 * @category models
 */
export type AccessRule = typeof AccessRule.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Allow {
  readonly shareId: ShareId
  /** `ip`, `user`, `cert`, `cephx`. */
  readonly accessType: string
  readonly accessTo: string
  /** `rw` (the service's default) or `ro`. */
  readonly accessLevel?: string | undefined
  /** Since 2.45. */
  readonly metadata?: Metadata.Metadata | undefined
  /** Since 2.82. */
  readonly lockVisibility?: boolean | undefined
  /** Since 2.82. */
  readonly lockDeletion?: boolean | undefined
  /** Since 2.82. */
  readonly lockReason?: string | undefined
}

const shareAction = (shareId: ShareId) => `/shares/${Http.segment(shareId)}/action`

const rule = (id: AccessRuleId) => `/share-access-rules/${Http.segment(id)}`

const allowed = (input: Allow) => ({
  access_type: input.accessType,
  access_to: input.accessTo,
  access_level: input.accessLevel,
  metadata: input.metadata,
  lock_visibility: input.lockVisibility,
  lock_deletion: input.lockDeletion,
  lock_reason: input.lockReason
})

/**
 * Grants access. A rule for the same type and target is `AlreadyExists` (Manila says 400), whatever its level.
 *
 * @since 0.1.0
 * @category operations
 */
export const allow = Operation.make<Allow, AccessRule>(
  {
    name: "accessRule.allow",
    fieldsSince: { metadata: "2.45", lockVisibility: "2.82", lockDeletion: "2.82", lockReason: "2.82" },
    output: Http.key("access", AccessRule)
  },
  {
    since: "2.7",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: (input) => ({ allow_access: allowed(input) })
  },
  {
    until: "2.6",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: (input) => ({ "os-allow_access": allowed(input) })
  }
)

/**
 * Takes access back. `unrestrict` (2.82) removes the rule's locks first.
 *
 * @since 0.1.0
 * @category operations
 */
export const deny = Operation.make<
  { readonly shareId: ShareId; readonly id: AccessRuleId; readonly unrestrict?: boolean | undefined },
  void
>(
  { name: "accessRule.deny", fieldsSince: { unrestrict: "2.82" }, output: Http.empty },
  {
    since: "2.7",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: ({ id, unrestrict }) => ({ deny_access: { access_id: id, unrestrict } })
  },
  {
    until: "2.6",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: ({ id }) => ({ "os-deny_access": { access_id: id } })
  }
)

/**
 * Filters of the rules of a share.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly shareId: ShareId
  /** These all need 2.45; they are exact. */
  readonly accessType?: string | undefined
  readonly accessTo?: string | undefined
  readonly accessLevel?: string | undefined
  readonly accessKey?: string | undefined
  readonly metadata?: Metadata.Metadata | undefined
}

/**
 * The rules of a share: all of them in one answer, the service does not page them. Below 2.45 they are read by an
 * action of the share, which is a POST and changes nothing.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = Operation.make<Filter, ReadonlyArray<AccessRule>>(
  {
    name: "accessRule.list",
    safe: true,
    fieldsSince: {
      accessType: "2.45",
      accessTo: "2.45",
      accessLevel: "2.45",
      accessKey: "2.45",
      metadata: "2.45"
    },
    output: Http.list("access_list", AccessRule)
  },
  {
    since: "2.45",
    method: "GET",
    path: () => "/share-access-rules",
    query: (input) => ({
      share_id: input.shareId,
      access_type: input.accessType,
      access_to: input.accessTo,
      access_level: input.accessLevel,
      access_key: input.accessKey,
      metadata: input.metadata === undefined ? undefined : JSON.stringify(input.metadata)
    })
  },
  {
    since: "2.7",
    until: "2.44",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: () => ({ access_list: null })
  },
  {
    until: "2.6",
    method: "POST",
    path: ({ shareId }) => shareAction(shareId),
    body: () => ({ "os-access_list": null })
  }
)

/**
 * One rule (2.45).
 *
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<{ readonly id: AccessRuleId }, AccessRule>(
  { name: "accessRule.get", output: Http.key("access", AccessRule) },
  { since: "2.45", method: "GET", path: ({ id }) => rule(id) }
)

/**
 * Changes a rule's level (2.88).
 *
 * @since 0.1.0
 * @category operations
 */
export const update = Operation.make<{ readonly id: AccessRuleId; readonly accessLevel: string }, AccessRule>(
  { name: "accessRule.update", output: Http.key("access", AccessRule) },
  {
    since: "2.88",
    method: "PUT",
    path: ({ id }) => rule(id),
    body: ({ accessLevel }) => ({ update_access: { access_level: accessLevel } })
  }
)

/**
 * Merges metadata into a rule's (2.45).
 *
 * @since 0.1.0
 * @category operations
 */
export const setMetadata = Operation.make<
  { readonly id: AccessRuleId; readonly metadata: Metadata.Metadata },
  Metadata.Metadata
>(
  { name: "accessRule.setMetadata", output: Http.key("metadata", Metadata.Metadata) },
  { since: "2.45", method: "PUT", path: ({ id }) => `${rule(id)}/metadata`, body: ({ metadata }) => ({ metadata }) }
)

/**
 * Removes one key of a rule's metadata (2.45).
 *
 * @since 0.1.0
 * @category operations
 */
export const removeMetadata = Operation.make<{ readonly id: AccessRuleId; readonly key: string }, void>(
  { name: "accessRule.removeMetadata", output: Http.empty },
  { since: "2.45", method: "DELETE", path: ({ id, key }) => `${rule(id)}/metadata/${Http.segment(key)}` }
)
