/**
 * From a name or an id, as people write them, to one resource.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * More than one thing has this name. `matches` lists them all; an id picks one.
 *
 * @since 0.1.0
 * @category errors
 */
export class NameAmbiguous extends Schema.TaggedError<NameAmbiguous>("@effect-manila/core/NameAmbiguous")(
  "NameAmbiguous",
  {
    kind: Schema.String,
    name: Schema.String,
    matches: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        projectId: Schema.optional(Schema.NullOr(Schema.String)),
        createdAt: Schema.optional(Schema.NullOr(Schema.String))
      })
    )
  }
) {
  override get message(): string {
    const each = this.matches.map(({ createdAt, id, projectId }) =>
      [id, projectId == null ? "" : `project ${projectId}`, createdAt == null ? "" : `created ${createdAt}`]
        .filter((part) => part !== "")
        .join(", ")
    )
    return `${this.matches.length} ${this.kind}s are named ${this.name}; use an id: ${each.join("; ")}`
  }
}

/**
 * Nothing has this name.
 *
 * @since 0.1.0
 * @category errors
 */
export class NameNotFound extends Schema.TaggedError<NameNotFound>("@effect-manila/core/NameNotFound")("NameNotFound", {
  kind: Schema.String,
  name: Schema.String
}) {
  override get message(): string {
    return `no ${this.kind} is named ${this.name}, or it is not yours to see`
  }
}

/**
 * Manila's ids are UUIDs, with or without dashes.
 *
 * @since 0.1.0
 */
export const isId = (text: string): boolean => /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text)

/**
 * The one resource of this name. `listByName` asks the server for the name (see `http/Page.named`); the answer is
 * checked once more, since a server that ignores the filter answers with everything.
 *
 * @since 0.1.0
 */
export const byName = <
  A extends {
    readonly id: string
    readonly name?: string | null | undefined
    readonly project_id?: string | null | undefined
    readonly created_at?: string | null | undefined
  },
  E,
  R
>(
  kind: string,
  name: string,
  listByName: Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<A, E | NameNotFound | NameAmbiguous, R> =>
  Effect.flatMap(listByName, (candidates): Effect.Effect<A, NameNotFound | NameAmbiguous> => {
    const found = candidates.filter((one) => one.name === name)
    const [first] = found
    if (first === undefined) return Effect.fail(new NameNotFound({ kind, name }))
    if (found.length === 1) return Effect.succeed(first)
    const matches = found.map(({ created_at, id, project_id }) => ({
      id,
      projectId: project_id,
      createdAt: created_at
    }))
    return Effect.fail(new NameAmbiguous({ kind, name, matches }))
  })
