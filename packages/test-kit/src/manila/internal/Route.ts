/**
 * One operation of the service: where it is, since when, who may, and what it does.
 */
import type { Call, Reply } from "./Call.ts"
import type { World } from "./World.ts"

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** Segments; one that begins with a colon takes any text. */
  readonly path: string
  /** Of `…/action`: the key of the body. */
  readonly action?: string
  /** Minor parts of the first and last microversion that have it. Default: all. */
  readonly since?: number
  readonly until?: number
  /** Up to this microversion the experimental header is needed. */
  readonly experimentalUntil?: number
  /** The weakest role that may. Default: a reader. */
  readonly role?: "member" | "admin"
  /** Default: a body is refused. */
  readonly body?: "needed" | "optional"
  readonly handle: (world: World, call: Call) => Reply
}

/** The two spellings of an action, and the microversion between them. */
export const renamed = (route: Route & { readonly action: string }): ReadonlyArray<Route> => [
  { ...route, action: `os-${route.action}`, until: 6 },
  { ...route, since: Math.max(7, route.since ?? 0) }
]
