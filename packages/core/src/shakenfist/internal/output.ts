/**
 * Answers that are a bare value or a bare list. Fields the schema doesn't name survive.
 */
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as Http from "../../http/Operation.ts"

const keeping = <A, I>(schema: Schema.Schema<A, I>): ((raw: unknown) => Effect.Effect<A, ParseResult.ParseError>) => {
  const decode = Schema.decodeUnknown(schema)
  return (raw) =>
    Effect.map(decode(raw), (decoded) =>
      typeof decoded === "object" && decoded !== null && !Array.isArray(decoded) && typeof raw === "object"
        ? { ...raw, ...decoded }
        : decoded
    )
}

export const value = <A, I>(schema: Schema.Schema<A, I>): Http.Output<A> => ({
  readsBody: true,
  decode: keeping(schema)
})

export const list = <A, I>(schema: Schema.Schema<A, I>): Http.Output<ReadonlyArray<A>> => {
  const decode = keeping(schema)
  return {
    readsBody: true,
    decode: (json) =>
      Array.isArray(json)
        ? Effect.forEach(json, decode)
        : Effect.fail(ParseResult.parseError(new ParseResult.Type(Schema.String.ast, json, "the answer is not a list")))
  }
}
