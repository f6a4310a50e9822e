/**
 * Goals over a resource's status: what `Share.available`, `Share.gone` and every other ready-made goal are made of.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import type * as Goal from "./Goal.ts"
import { failed, fold, pending, reached } from "./Goal.ts"

/**
 * How long the old state may stand after an accepted request before the wait says that it did not take effect.
 *
 * @since 0.1.0
 */
export const defaultNoEffectAfter: Duration.Duration = Duration.seconds(60)

/**
 * Reads a resource for a goal. Statuses are compared without regard to case and stay open strings: drivers add to them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader<in A> {
  readonly status: (resource: A) => string | null | undefined
  /**
   * Failure statuses. A status that no table knows is a failure if its name says so (`error`, `error_…`, `…_error`,
   * `…-error`), since a wait for something else would never end.
   */
  readonly failures: ReadonlyArray<string>
  /** Statuses that end in absence or in a failure, never in a usable resource again: `deleting`. */
  readonly leaving: ReadonlyArray<string>
  /** Statuses in which nothing is going on and nothing is wrong. */
  readonly steady: ReadonlyArray<string>
}

/**
 * What a mutating verb adds to a goal.
 *
 * @since 0.1.0
 * @category models
 */
export interface VerbOptions {
  /**
   * The statuses the service accepts the verb in. Until another status has been seen they are the old state: neither
   * success nor failure. Seen again later, they mean that the verb was rolled back.
   */
  readonly from?: ReadonlyArray<string> | "any" | undefined
  /**
   * The old state standing this long since the wait began is a failure: the verb did not take effect. Default 60 s;
   * only with `from`.
   */
  readonly noEffectAfter?: Duration.DurationInput | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface PresentOptions<in A> extends VerbOptions {
  /** Also wanted: a field's value, such as the new size. */
  readonly also?: ((resource: A) => boolean) | undefined
  /** Words for `also`, for messages: `5 GiB`. */
  readonly alsoDescription?: string | undefined
  /** `None` before the first sight: a failure (default), or waited for. `None` later is always a failure. */
  readonly missing?: "fail" | "allow" | undefined
}

const lower = (status: string | null | undefined): string => (status ?? "").toLowerCase()

const shown = (status: string): string => (status === "" ? "(no status)" : status)

/** A reader's and a verb's tables in lower case, and the one classifier of failures. */
interface Tables<in A> {
  readonly status: (resource: A) => string
  readonly isFailure: (status: string) => boolean
  readonly isLeaving: (status: string) => boolean
  /** Could the verb be asked for in this status? A transitional status is never an old state: it is waited on. */
  readonly allows: (status: string) => boolean
  readonly isVerb: boolean
  readonly noEffectAfter: number
}

const tables = <A>(reader: Reader<A>, { from, noEffectAfter }: VerbOptions): Tables<A> => {
  const failures = new Set(reader.failures.map(lower))
  const leaving = new Set(reader.leaving.map(lower))
  const isFailure = (status: string) =>
    failures.has(status) ||
    status === "error" ||
    status.startsWith("error_") ||
    status.endsWith("_error") ||
    status.endsWith("-error")
  const old = new Set((from === "any" ? reader.steady : (from ?? [])).map(lower))
  return {
    status: (resource) => lower(reader.status(resource)),
    isFailure,
    isLeaving: (status) => leaving.has(status),
    allows: (status) => old.has(status) || (from === "any" && isFailure(status)),
    isVerb: from !== undefined,
    noEffectAfter: Duration.toMillis(noEffectAfter ?? defaultNoEffectAfter)
  }
}

interface Memory {
  readonly seen: boolean
  /** The first status. */
  readonly first: string | undefined
  /** A status other than the old one has been seen: the first, unless the verb could be asked for in it. */
  readonly left: boolean
}

const nothingSeen: Memory = { seen: false, first: undefined, left: false }

/** The memory after this status. The same object comes back when nothing changed, so that a long wait allocates none. */
const remember = <A>({ allows }: Tables<A>, memory: Memory, status: string): Memory => {
  if (!memory.seen) return { seen: true, first: status, left: !allows(status) }
  return memory.left || status === memory.first ? memory : { ...memory, left: true }
}

/** What a status means that is not the wanted one, or not yet. */
const judgeOther = <A>(
  { allows, isFailure, isVerb, noEffectAfter }: Tables<A>,
  { left }: Memory,
  status: string,
  elapsed: number
): Goal.Verdict => {
  const name = shown(status)
  if (isVerb && !left) {
    return elapsed >= noEffectAfter
      ? failed(name, "noEffect", `still ${name} after ${noEffectAfter / 1000} s: the request did not take effect`)
      : pending(name)
  }
  if (isFailure(status)) return failed(name, "status", `status ${name}`)
  return isVerb && allows(status) ? failed(name, "rolledBack", `back at ${name}`) : pending(name)
}

/**
 * Wants one of `targets`, and what `also` asks for.
 *
 * A verb whose old state is its target too (a revert: available, reverting, available) is done once another status has
 * been seen, or at once if `also` tells the two apart.
 *
 * @since 0.1.0
 * @category constructors
 */
export const present = <A>(
  reader: Reader<A>,
  targets: string | ReadonlyArray<string>,
  options: PresentOptions<A> = {}
): Goal.Goal<A> => {
  const { also, alsoDescription, missing } = options
  const table = tables(reader, options)
  const wanted = (typeof targets === "string" ? [targets] : targets).map(lower)
  const words = wanted.join(" or ")
  const description = alsoDescription === undefined ? words : `${words} and ${alsoDescription}`
  const wantsToLeave = wanted.some((status) => table.isLeaving(status) || /delet|unmanag/.test(status))
  return fold<A, Memory>(description, nothingSeen, (before, { elapsed, seen }) => {
    if (seen._tag === "None") {
      if (before.seen) return [before, failed("gone", "goneAfterSeen", "it was there and is gone")]
      return [before, missing === "allow" ? pending("missing") : failed("missing", "notFound", "it does not exist")]
    }
    const status = table.status(seen.value)
    const memory = remember(table, before, status)
    if (wanted.includes(status)) {
      // The target seen first may be the old state still, and nothing else tells them apart.
      const ambiguous = table.isVerb && also === undefined && !memory.left
      if (!ambiguous && (also === undefined || also(seen.value))) return [memory, reached(shown(status), description)]
      // A wanted status is no failure, whatever its name.
      const other = judgeOther(table, memory, status, elapsed)
      return [memory, other._tag === "Failed" && other.cause === "status" ? pending(other.status) : other]
    }
    if (!wantsToLeave && table.isLeaving(status)) {
      return [memory, failed(status, "unreachable", `${description} can't be reached from ${status}`)]
    }
    return [memory, judgeOther(table, memory, status, elapsed)]
  })
}

/**
 * Wants the resource to be gone: `None`, or a readable object whose status is `deleted`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const absent = <A>(reader: Reader<A>, options: VerbOptions = {}): Goal.Goal<A> => {
  const table = tables(reader, options)
  return fold<A, Memory>("deleted", nothingSeen, (before, { elapsed, seen }) => {
    if (seen._tag === "None") return [before, reached("deleted", "deleted")]
    const status = table.status(seen.value)
    if (status === "deleted") return [before, reached(status, "deleted")]
    const memory = remember(table, before, status)
    return [memory, judgeOther(table, memory, status, elapsed)]
  })
}
