/**
 * The shape of a plan file, one schema for each kind of thing in it.
 *
 * Where a thing may be written in two ways, the way is chosen by what is there (a text, a list, an object) before
 * anything is checked: the errors of a union would speak of ways nobody meant.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { ParseOptions } from "effect/SchemaAST"
import type { Phase } from "../Lifecycle.ts"
import { actions } from "../Lifecycle.ts"

export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

type Decoder<A> = (input: unknown, options?: ParseOptions) => Effect.Effect<A, ParseResult.ParseIssue>

export const as = <A, I, B = A>(
  schema: Schema.Schema<A, I>,
  f: (value: A) => B = (value) => value as unknown as B
): Decoder<B> => {
  const decode = ParseResult.decodeUnknown(schema)
  return (input, options) => Effect.map(decode(input, options), f)
}

/** Decodes by what `choose` picks for what is there; a text says why nothing fits. Nothing is ever encoded. */
export const byShape = <A>(choose: (input: unknown) => Decoder<A> | string): Schema.Schema<A, unknown> =>
  Schema.transformOrFail(Schema.Unknown, Schema.Any as Schema.Schema<A>, {
    decode: (input, options, ast) => {
      const decoder = choose(input)
      return typeof decoder === "string"
        ? Either.left(new ParseResult.Type(ast, input, decoder))
        : decoder(input, options)
    },
    encode: (value, _options, ast) => Either.left(new ParseResult.Forbidden(ast, value, "a plan is only read"))
  })

const isObject = (input: unknown): boolean => typeof input === "object" && input !== null && !Array.isArray(input)

/** Seconds, or Effect's text; milliseconds inside. */
export const Millis: Schema.Schema<number, unknown> = Schema.transformOrFail(Schema.Unknown, Schema.Number, {
  decode: (input, _options, ast) => {
    const wrong = () =>
      Either.left(
        new ParseResult.Type(ast, input, `must be seconds from 0 up, or a text like "90 seconds", not ${shown(input)}`)
      )
    if (typeof input === "number") return input >= 0 ? Either.right(input * 1000) : wrong()
    if (typeof input !== "string") return wrong()
    if (/^\d+(\.\d+)?$/.test(input)) return Either.right(Number(input) * 1000)
    const millis = Option.map(Duration.decodeUnknown(input), Duration.toMillis)
    return Option.isSome(millis) && millis.value >= 0 && millis.value !== Infinity
      ? Either.right(millis.value)
      : wrong()
  },
  encode: (millis) => Either.right(millis / 1000)
})

export const shown = (input: unknown): string => JSON.stringify(input) ?? String(input)

/** A bare status stands for ever; a pair says how long. */
const foreverPhase = as(Schema.NonEmptyString, (status): Phase => ({ status }))
const timedPhase = as(Schema.Tuple(Schema.NonEmptyString, Millis), ([status, millis]): Phase => ({ status, millis }))

const APhase = byShape((input) => {
  if (Array.isArray(input)) return timedPhase
  return typeof input === "string" ? foreverPhase : 'must be a status, or a pair like ["creating", "20 seconds"]'
})

export const Phases = Schema.Array(APhase).pipe(
  Schema.filter((phases) => {
    if (phases.length === 0) return "needs at least one status"
    for (const [i, { millis, status }] of phases.entries()) {
      const last = i === phases.length - 1
      if (millis === undefined && !last) {
        return { path: [i], message: `${status} has no duration, so what follows would never come` }
      }
      if (millis !== undefined && last) {
        return { path: [i], message: `${status} is the last status and stands for ever: leave its duration out` }
      }
      if (status === "gone" && !last) return { path: [i], message: "nothing can follow gone" }
    }
    return true
  })
)

const Reason = Schema.Struct({
  detailId: optional(Schema.String.pipe(Schema.pattern(/^\d{3}$/, { message: () => "must be three digits" }))),
  message: optional(Schema.String),
  level: optional(Schema.String)
})

const FullLifecycle = Schema.Struct({
  phases: Phases,
  reason: optional(Reason),
  effect: optional(Schema.Literal("none"))
})

type Lifecycle = typeof FullLifecycle.Type

const fullLifecycle = as(FullLifecycle)
const bareLifecycle = as(Phases, (phases): Lifecycle => ({ phases }))
const oneEach = as(Schema.Array(FullLifecycle))

/** One for all calls, or a list of them: one a call, and the last one again and again. */
const Lifecycles = byShape<Lifecycle | ReadonlyArray<Lifecycle>>((input) => {
  if (!Array.isArray(input)) return isObject(input) ? fullLifecycle : "must be a list of statuses, or an object"
  return input.length > 0 && input.every(isObject) ? oneEach : bareLifecycle
})

const Share = Schema.Struct({
  id: optional(Schema.String),
  instance_id: optional(Schema.String),
  name: optional(Schema.NullOr(Schema.String)),
  description: optional(Schema.NullOr(Schema.String)),
  size: optional(Schema.Int),
  share_proto: optional(Schema.String),
  status: optional(Schema.String),
  phases: optional(Phases),
  reason: optional(Reason),
  project_id: optional(Schema.String),
  user_id: optional(Schema.String),
  is_public: optional(Schema.Boolean),
  is_soft_deleted: optional(Schema.Boolean),
  metadata: optional(texts),
  share_type: optional(Schema.String),
  share_network_id: optional(Schema.NullOr(Schema.String)),
  share_group_id: optional(Schema.NullOr(Schema.String)),
  snapshot_id: optional(Schema.NullOr(Schema.String)),
  availability_zone: optional(Schema.NullOr(Schema.String)),
  host: optional(Schema.String),
  task_state: optional(Schema.NullOr(Schema.String)),
  progress: optional(Schema.NullOr(Schema.String)),
  created_at: optional(Schema.String)
})

const Snapshot = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.NullOr(Schema.String)),
  description: optional(Schema.NullOr(Schema.String)),
  share_id: Schema.String,
  status: optional(Schema.String),
  phases: optional(Phases),
  reason: optional(Reason),
  project_id: optional(Schema.String),
  user_id: optional(Schema.String),
  metadata: optional(texts),
  created_at: optional(Schema.String)
})

const Replica = Schema.Struct({
  id: optional(Schema.String),
  share_id: Schema.String,
  status: optional(Schema.String),
  replica_state: optional(Schema.String),
  phases: optional(Phases),
  reason: optional(Reason),
  availability_zone: optional(Schema.NullOr(Schema.String)),
  metadata: optional(texts),
  created_at: optional(Schema.String)
})

const Backup = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.NullOr(Schema.String)),
  description: optional(Schema.NullOr(Schema.String)),
  share_id: Schema.String,
  status: optional(Schema.String),
  phases: optional(Phases),
  reason: optional(Reason),
  backup_type: optional(Schema.NullOr(Schema.String)),
  created_at: optional(Schema.String)
})

const AccessRule = Schema.Struct({
  id: optional(Schema.String),
  share_id: Schema.String,
  access_type: optional(Schema.String),
  access_to: optional(Schema.String),
  access_level: optional(Schema.String),
  access_key: optional(Schema.NullOr(Schema.String)),
  state: optional(Schema.String),
  phases: optional(Phases),
  reason: optional(Reason),
  metadata: optional(texts),
  created_at: optional(Schema.String)
})

const ShareType = Schema.Struct({
  id: optional(Schema.String),
  name: Schema.String,
  description: optional(Schema.NullOr(Schema.String)),
  is_public: optional(Schema.Boolean),
  is_default: optional(Schema.Boolean),
  extra_specs: optional(texts),
  projects: optional(Schema.Array(Schema.String))
})

const ShareNetwork = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.NullOr(Schema.String)),
  description: optional(Schema.NullOr(Schema.String)),
  project_id: optional(Schema.String),
  status: optional(Schema.String),
  created_at: optional(Schema.String)
})

const ShareGroup = Schema.Struct({ ...ShareNetwork.fields, phases: optional(Phases) })

const Message = Schema.Struct({
  id: optional(Schema.String),
  project_id: optional(Schema.String),
  resource_type: optional(Schema.String),
  resource_id: optional(Schema.NullOr(Schema.String)),
  action_id: optional(Schema.String),
  detail_id: optional(Schema.String),
  message_level: optional(Schema.String),
  user_message: optional(Schema.String),
  request_id: optional(Schema.String),
  created_at: optional(Schema.String)
})

const Seed = Schema.Struct({
  shares: optional(Schema.Array(Share)),
  snapshots: optional(Schema.Array(Snapshot)),
  replicas: optional(Schema.Array(Replica)),
  backups: optional(Schema.Array(Backup)),
  accessRules: optional(Schema.Array(AccessRule)),
  shareTypes: optional(Schema.Array(ShareType)),
  shareNetworks: optional(Schema.Array(ShareNetwork)),
  shareGroups: optional(Schema.Array(ShareGroup)),
  messages: optional(Schema.Array(Message))
})

const count = Schema.Int.pipe(Schema.positive({ message: () => "counts from 1" }))

const Range = Schema.Struct({ from: count, to: optional(count) })

type Nth = number | ReadonlyArray<number> | typeof Range.Type

const oneNth = as<number, number, Nth>(count)
const someNth = as<ReadonlyArray<number>, ReadonlyArray<number>, Nth>(Schema.Array(count))
const rangeNth = as<typeof Range.Type, typeof Range.Encoded, Nth>(Range)

const Nth = byShape((input) => {
  if (Array.isArray(input)) return someNth
  return typeof input === "number" ? oneNth : rangeNth
})

const status = Schema.Int.pipe(Schema.between(200, 599, { message: () => "must be a status from 200 to 599" }))

/** The keys of which a fault has exactly one. */
export const outcomes = ["status", "html", "expiredToken", "reset", "hang", "truncate", "malformed"] as const

const Fault = Schema.Struct({
  method: optional(Schema.String),
  path: optional(Schema.String),
  service: optional(Schema.Literal("identity", "share")),
  nth: optional(Nth),
  delay: optional(Millis),
  applied: optional(Schema.Boolean),
  status: optional(status),
  headers: optional(texts),
  body: optional(Schema.Unknown),
  html: optional(
    byShape<true | number>((input) => (typeof input === "number" ? as(status) : as(Schema.Literal(true))))
  ),
  expiredToken: optional(Schema.Literal(true)),
  reset: optional(Schema.Literal(true)),
  hang: optional(Schema.Literal(true)),
  truncate: optional(Schema.NonNegativeInt),
  malformed: optional(Schema.Literal(true))
}).pipe(
  Schema.filter((fault) => {
    const given = outcomes.filter((key) => fault[key] !== undefined)
    if (given.length > 1) return `can't be ${given.join(" and ")} at once`
    if (given.length === 0 && fault.delay === undefined) return `says nothing: give ${outcomes.join(", ")} or delay`
    if (fault.status === undefined && fault.headers !== undefined) return "has headers, but no status"
    if (fault.status === undefined && fault.body !== undefined) return "has a body, but no status"
    return true
  })
)

export type Fault = typeof Fault.Type

const notAVersion = 'must be a text like "2.63"'

const version = Schema.String.pipe(Schema.pattern(/^\d+\.\d+$/, { message: () => notAVersion }))

const Versions = Schema.Struct({ min: optional(version), max: optional(version) })

const versionRange = as(Versions)
const highestVersion = as(version, (max): typeof Versions.Type => ({ max }))

const Microversion = byShape((input) => {
  if (isObject(input)) return versionRange
  return typeof input === "string" ? highestVersion : notAVersion
})

const Service = Schema.Struct({
  type: Schema.String,
  name: optional(Schema.String),
  regions: optional(Schema.Array(Schema.String)),
  interfaces: optional(Schema.Array(Schema.Literal("public", "internal", "admin"))),
  path: optional(Schema.String)
})

const limit = Schema.Int.pipe(Schema.greaterThanOrEqualTo(-1, { message: () => "must be a number from 0 up, or -1" }))

const Quotas = Schema.Struct({
  shares: optional(limit),
  gigabytes: optional(limit),
  snapshots: optional(limit),
  snapshot_gigabytes: optional(limit),
  per_share_gigabytes: optional(limit),
  share_replicas: optional(limit),
  replica_gigabytes: optional(limit),
  backups: optional(limit),
  backup_gigabytes: optional(limit)
})

export const PlanFile = Schema.Struct({
  lifecycles: optional(Schema.Struct(Object.fromEntries(actions.map((action) => [action, optional(Lifecycles)])))),
  seed: optional(Seed),
  faults: optional(Schema.Array(Fault)),
  microversion: optional(Microversion),
  tokenLifetime: optional(Millis),
  pageCap: optional(count),
  quotas: optional(Quotas),
  catalog: optional(Schema.Array(Service)),
  speed: optional(Schema.Number.pipe(Schema.positive({ message: () => "must be a number above 0" })))
})

export type PlanFile = typeof PlanFile.Type
