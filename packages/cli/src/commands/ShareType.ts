/**
 * `share type list`, `show`.
 *
 * @since 0.1.0
 */
import * as Find from "@effect-manila/core/manila/Find"
import * as ShareType from "@effect-manila/core/manila/ShareType"
import * as Effect from "effect/Effect"
import * as Cell from "../Cell.ts"
import type { Cells } from "../Columns.ts"
import type { Run } from "../Command.ts"
import type * as Noun from "../nouns/ShareType.ts"
import * as Cloud from "./Cloud.ts"
import * as Parts from "./Parts.ts"
import * as Records from "./Records.ts"

const cells: Cells = {
  required_extra_specs: (value) => Cell.lines(value),
  optional_extra_specs: (value) => Cell.lines(value)
}

/** Visibility is a word here, and the optional specs are those that are not required. */
const record = (type: ShareType.ShareType): object => {
  const isPublic = type["share_type_access:is_public"] ?? type["os-share-type-access:is_public"]
  const required = type.required_extra_specs ?? {}
  const optional = Object.fromEntries(Object.entries(type.extra_specs ?? {}).filter(([key]) => !(key in required)))
  return {
    ...type,
    visibility: isPublic === false ? "private" : "public",
    required_extra_specs: required,
    optional_extra_specs: optional
  }
}

/**
 * @since 0.1.0
 */
export const list: Run<typeof Noun.list> = (args, context) =>
  Effect.gen(function* () {
    const types = yield* ShareType.list({
      isPublic: args.all ? "all" : undefined,
      extraSpecs: Parts.given(args.extraSpecs)
    })
    yield* Records.list(context.spec, types.map(record), { cells })
  }).pipe(Cloud.provide(context, args))

/**
 * @since 0.1.0
 */
export const show: Run<typeof Noun.show> = (args, context) =>
  Effect.gen(function* () {
    const text = args.shareType
    const type = Find.isId(text)
      ? yield* ShareType.get({ id: ShareType.ShareTypeId.make(text) })
      : yield* ShareType.findByName(text)
    yield* Records.single(context.spec, record(type), { cells })
  }).pipe(Cloud.provide(context, args))
