/**
 * What instances, networks and artifacts have in common: a state, a pointer, and waits for the state.
 */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Deadline from "../../waiter/Deadline.ts"
import type * as Goal from "../../waiter/Goal.ts"
import * as Pace from "../../waiter/Pace.ts"
import * as Patience from "../../waiter/Patience.ts"
import type * as StatusGoal from "../../waiter/StatusGoal.ts"
import type * as WaitError from "../../waiter/WaitError.ts"
import * as Waiter from "../../waiter/Waiter.ts"
import { ShakenFist, withDeadline } from "../ShakenFist.ts"
import type { ShakenFistError } from "../ShakenFistError.ts"
import * as Strategy from "../Strategy.ts"
import { look } from "./look.ts"

/** Names the newest cluster operation of an object, or nothing. Never to be waited on: an older one may still be queued. */
export const Pointer = Schema.NullOr(Schema.Struct({ op_type: Schema.String, op_uuid: Schema.String }))

export const text = Schema.optional(Schema.NullOr(Schema.String))
export const integer = Schema.optional(Schema.NullOr(Schema.Number))
export const flag = Schema.optional(Schema.NullOr(Schema.Boolean))
export const list = Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown)))

/** Fields of every view. `has_pending_operations` is not decoded here: what it must be is the wait's to say. */
export const common = {
  uuid: Schema.String,
  state: Schema.NullOr(Schema.String),
  version: integer,
  metadata: Schema.optional(Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
  namespace: text,
  error_message: text,
  last_cluster_operation: Schema.optional(Pointer),
  has_pending_operations: Schema.optional(Schema.Unknown)
}

interface Stateful {
  readonly state: string | null
}

/**
 * One classifier for all waits: `error` and every `<state>-error` on the way to it are failures, on the look that sees
 * them (the waiter knows the suffix).
 */
export const reader: StatusGoal.Reader<Stateful> = {
  status: ({ state }) => state,
  failures: ["error"],
  leaving: ["delete-wait", "deleted"],
  steady: ["created"]
}

export type Options<R = never> = Omit<Waiter.Options<ShakenFistError, R>, "subject" | "reason">

export interface Subject {
  readonly kind: string
  readonly ref: string
  readonly verb?: string | undefined
}

/** A look at an object: a 404 is an observation. */
export const probe = <A>(
  request: Effect.Effect<A, ShakenFistError, ShakenFist>
): Effect.Effect<Option.Option<A>, ShakenFistError, ShakenFist> =>
  look(request).pipe(
    Effect.asSome,
    Effect.catchTag("NotFound", () => Effect.succeedNone)
  )

/** Every 5 s, 600 s in all: what the Python client has for creating an instance. */
export const pace: Pace.Pace = Pace.every("5 seconds", { limit: "600 seconds" })

export const wait = <A, R>(
  subject: Subject,
  request: Effect.Effect<A, ShakenFistError, ShakenFist>,
  goal: Goal.Goal<A>,
  options: Options<R>
): Effect.Effect<Option.Option<A>, ShakenFistError | WaitError.WaitError, ShakenFist | R> =>
  Waiter.until(probe(request), goal, {
    ...options,
    pace: options.pace ?? pace,
    patience: options.patience ?? Patience.none,
    subject: { kind: subject.kind, id: subject.ref, verb: subject.verb }
  })

/**
 * One limit over a request and the wait for what it began: the options', else the async strategy's. Looks come every
 * second, as the Python client's do inside such calls.
 */
export const within = <A, E, R, R2>(
  options: Options<R2>,
  use: (
    options: Options<R2> & { readonly limit: Deadline.Deadline; readonly pace: Pace.PaceInput }
  ) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | ShakenFist> =>
  Effect.gen(function* () {
    const { config } = yield* ShakenFist
    const pace = options.pace ?? Pace.operations("1 second")
    const own = options.limit ?? (options.pace === undefined ? undefined : Pace.fromInput(pace).limit)
    const limit =
      own !== undefined && Deadline.isDeadline(own)
        ? own
        : yield* Deadline.start(own ?? Strategy.limit(config.strategy))
    return yield* withDeadline(use({ ...options, limit, pace }), limit)
  })
