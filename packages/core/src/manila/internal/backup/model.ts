/**
 * Backups of shares: ids, models, operations, lists. Experimental from 2.80 on.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Http from "../../../http/Operation.ts"
import * as Page from "../../../http/Page.ts"
import * as Find from "../../Find.ts"
import type { Manila } from "../../Manila.ts"
import type { ManilaError } from "../../ManilaError.ts"
import * as Operation from "../../Operation.ts"
import { ShareId } from "../share/model.ts"

/**
 * @since 0.1.0
 * @category ids
 */
export const BackupId = Schema.String.pipe(Schema.brand("BackupId"))

/**
 * @since 0.1.0
 * @category ids
 */
export type BackupId = typeof BackupId.Type

const text = Schema.optional(Schema.NullOr(Schema.String))

/**
 * A backup as the service shows it.
 *
 * @since 0.1.0
 * @category models
 */
export const Backup = Schema.Struct({
  id: BackupId,
  status: Schema.String,
  name: text,
  description: text,
  share_id: text,
  /** GiB. */
  size: Schema.optional(Schema.NullOr(Schema.Number)),
  created_at: text,
  updated_at: text,
  availability_zone: text,
  /** Percent, as digits. */
  progress: text,
  /** Percent, as digits: of the latest restore. */
  restore_progress: text,
  /** Administrators only. */
  host: text,
  /** Administrators only: who does the work, the driver (`manila-share`) or the data service (`manila-data`). */
  topic: text,
  /** Since 2.85. */
  backup_type: text
})

/**
 * @since 0.1.0
 * @category models
 */
export type Backup = typeof Backup.Type

/**
 * @since 0.1.0
 * @category models
 */
export const BackupSummary = Schema.Struct({ id: BackupId, name: text, share_id: text, status: text })

/**
 * @since 0.1.0
 * @category models
 */
export type BackupSummary = typeof BackupSummary.Type

/**
 * @since 0.1.0
 * @category models
 */
export interface Create {
  readonly shareId: ShareId
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** `backup_type` names a driver's way; without any the data service copies the share. Empty ones break the server. */
  readonly backupOptions?: Readonly<Record<string, string>> | undefined
}

const since = "2.80"
const collection = "share-backups"

type ById = { readonly id: BackupId }

const path = ({ id }: ById): string => `/${collection}/${Http.segment(id)}`

/**
 * The share has to be available, without snapshots or replicas (400), and is `backup_creating` meanwhile.
 *
 * @since 0.1.0
 * @category operations
 */
export const create = Operation.make<Create, Backup>(
  { name: "backup.create", experimental: true, output: Http.key("share_backup", Backup) },
  {
    since,
    method: "POST",
    path: () => `/${collection}`,
    body: ({ backupOptions, description, name, shareId }) => ({
      share_backup: { share_id: shareId, name, description, backup_options: backupOptions }
    })
  }
)

/**
 * Filters of the list; text is matched exactly, `…Like` as a part.
 *
 * @since 0.1.0
 * @category models
 */
export interface Filter {
  readonly name?: string | undefined
  readonly nameLike?: string | undefined
  readonly description?: string | undefined
  readonly descriptionLike?: string | undefined
  readonly status?: string | undefined
  /** A share that is not there is a 400. */
  readonly shareId?: string | undefined
  readonly host?: string | undefined
  readonly topic?: string | undefined
  /** Needs an administrator; silently without effect for others. */
  readonly allProjects?: boolean | undefined
  readonly sortKey?: string | undefined
  readonly sortDir?: "asc" | "desc" | undefined
}

type Asked = Filter & Partial<Page.Window>

const query = (input: Asked): Http.Query => ({
  name: input.name,
  "name~": input.nameLike,
  description: input.description,
  "description~": input.descriptionLike,
  status: input.status,
  share_id: input.shareId,
  host: input.host,
  topic: input.topic,
  all_tenants: input.allProjects === true ? 1 : undefined,
  sort_key: input.sortKey,
  sort_dir: input.sortDir,
  limit: input.limit,
  offset: input.offset
})

/**
 * One page of backups; see {@link list} for all of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const page = Operation.make<Asked, Http.Page<Backup>>(
  { name: "backup.list", experimental: true, output: Http.page("share_backups", Backup, "share_backup_links") },
  { since, method: "GET", path: () => `/${collection}/detail`, query }
)

/**
 * One page of ids, names, shares and statuses.
 *
 * @since 0.1.0
 * @category operations
 */
export const summaryPage = Operation.make<Asked, Http.Page<BackupSummary>>(
  {
    name: "backup.listSummary",
    experimental: true,
    output: Http.page("share_backups", BackupSummary, "share_backup_links")
  },
  { since, method: "GET", path: () => `/${collection}`, query }
)

/**
 * @since 0.1.0
 * @category operations
 */
export const get = Operation.make<ById, Backup>(
  { name: "backup.get", experimental: true, output: Http.key("share_backup", Backup) },
  { since, method: "GET", path }
)

/**
 * Changes name and description; `null` clears one. What is left out stays.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = Operation.make<
  ById & { readonly name?: string | null | undefined; readonly description?: string | null | undefined },
  Backup
>(
  { name: "backup.update", experimental: true, output: Http.key("share_backup", Backup) },
  { since, method: "PUT", path, body: ({ description, name }) => ({ share_backup: { name, description } }) }
)

/**
 * Accepted in `available` and `error`; 400 in other statuses.
 *
 * @since 0.1.0
 * @category operations
 */
export const remove = Operation.make<ById, void>(
  { name: "backup.delete", experimental: true, output: Http.empty },
  { since, method: "DELETE", path }
)

/**
 * Which share is overwritten.
 *
 * @since 0.1.0
 * @category models
 */
export const Restored = Schema.Struct({ backup_id: BackupId, share_id: ShareId })

/**
 * @since 0.1.0
 * @category models
 */
export type Restored = typeof Restored.Type

/**
 * Overwrites the share it was made of, or another one (2.91). Backup and share have to be available, and the share large
 * enough (400); the backup is `restoring`, the share `backup_restoring` meanwhile.
 *
 * @since 0.1.0
 * @category operations
 */
export const restore = Operation.action<ById & { readonly targetShareId?: ShareId | undefined }, Restored>({
  name: "backup.restore",
  collection,
  key: "restore",
  since,
  experimental: true,
  fieldsSince: { targetShareId: "2.91" },
  arguments: ({ targetShareId }) => targetShareId ?? null,
  output: Http.key("restore", Restored)
})

/**
 * Sets the status by hand; needs an administrator. Takes effect at once.
 *
 * @since 0.1.0
 * @category operations
 */
export const resetStatus = Operation.action<ById & { readonly status: string }, void>({
  name: "backup.resetStatus",
  collection,
  key: "reset_status",
  since,
  experimental: true,
  arguments: ({ status }) => ({ status }),
  output: Http.empty
})

/**
 * All backups that match, newest first unless sorted otherwise.
 *
 * @since 0.1.0
 * @category lists
 */
export const list = (
  filter: Filter = {},
  options?: { readonly total?: number | undefined; readonly offset?: number | undefined }
): Stream.Stream<Backup, ManilaError, Manila> => Page.stream((window) => page({ ...filter, ...window }), options)

/**
 * The backup of this name: one request with the server's own filter.
 *
 * @since 0.1.0
 * @category lists
 */
export const findByName = (
  name: string,
  filter: Omit<Filter, "name"> = {}
): Effect.Effect<Backup, ManilaError | Find.NameNotFound | Find.NameAmbiguous, Manila> =>
  Find.byName(
    "backup",
    name,
    Page.named(name, (window) => page({ ...filter, name, ...window }))
  )
