/**
 * The part of a plan file that is about a Shaken Fist cluster.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Phase } from "../Lifecycle.ts"
import { actions, type Phases as Steps } from "../shakenfist/internal/Plans.ts"
import { as, byShape, optional, Phases } from "./PlanSchema.ts"

const steps = (phases: ReadonlyArray<Phase>): Steps =>
  phases.map(({ millis, status }) => (millis === undefined ? [status] : [status, millis]))

const one = as(Phases, steps)
const several = as(Schema.Array(Phases), (all): ReadonlyArray<Steps> => all.map(steps))

/** A state, or a pair of state and duration, is what a list of phases begins with; a list of lists begins with neither. */
const isOne = (input: ReadonlyArray<unknown>): boolean =>
  typeof input[0] === "string" || (Array.isArray(input[0]) && typeof input[0][0] === "string")

const Operation = Schema.Struct({
  type: optional(Schema.String),
  tasks: optional(Schema.Array(Schema.String)),
  observational: optional(Schema.Boolean),
  phases: optional(byShape<Steps>((input) => (Array.isArray(input) ? one : "must be a list of states")))
})

const Seeded = Schema.Struct({
  name: optional(Schema.String),
  namespace: optional(Schema.String),
  operations: optional(Schema.Array(Operation))
})

/** What has a name and operations. */
export type Seeded = typeof Seeded.Type

export const Cluster = Schema.Struct({
  without: optional(Schema.Array(Schema.String)),
  errorReports: optional(Schema.Boolean),
  lifecycles: optional(
    Schema.Struct(
      Object.fromEntries(
        actions.map((action) => [
          action,
          optional(
            byShape<Steps | ReadonlyArray<Steps>>((input) => {
              if (!Array.isArray(input)) return "must be a list of states, or a list of such lists"
              return isOne(input) ? one : several
            })
          )
        ])
      )
    )
  ),
  instances: optional(Schema.Array(Seeded)),
  networks: optional(Schema.Array(Seeded)),
  artifacts: optional(Schema.Array(Seeded))
})

export type Cluster = typeof Cluster.Type
