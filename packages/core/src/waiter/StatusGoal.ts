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
 * Reads a resource for a goal. Statuses are compared in lower case and stay open strings: drivers add to them.
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

const saysError = (status: string): boolean =>
  status === "error" || status.startsWith("error_") || status.endsWith("_error") || status.endsWith("-error")

const lower = (status: string | null | undefined): string => (status ?? "").toLowerCase()

const shown = (status: string): string => (status === "" ? "(no status)" : status)

interface Memory {
  readonly seen: boolean
  /** The first status, if the verb could be asked for in it. */
  readonly old: string | undefined
  /** A status other than the old one has been seen. */
  readonly left: boolean
}

const nothingSeen: Memory = { seen: false, old: undefined, left: false }

/** Could the verb be asked for in this status? A transitional status is never an old state: it is waited on. */
const allows = <A>(reader: Reader<A>, status: string, from: VerbOptions["from"]): boolean =>
  from === "any"
    ? reader.steady.includes(status) || reader.failures.includes(status) || saysError(status)
    : from !== undefined && from.includes(status)

/** The memory after this status. The same object comes back when nothing changed, so that a long wait allocates none. */
const remember = <A>(reader: Reader<A>, memory: Memory, status: string, from: VerbOptions["from"]): Memory => {
  if (!memory.seen) {
    const isOld = allows(reader, status, from)
    return { seen: true, old: isOld ? status : undefined, left: !isOld }
  }
  return memory.left || status === memory.old ? memory : { ...memory, left: true }
}

/** What the old state means on this look, if the status is one the verb could be asked for in. */
const judgeOld = <A>(
  reader: Reader<A>,
  memory: Memory,
  status: string,
  elapsed: number,
  options: VerbOptions,
  noEffectAfter: number
): Goal.Verdict | undefined => {
  if (options.from === undefined) return undefined
  if (!memory.left) {
    return elapsed >= noEffectAfter
      ? failed(status, "noEffect", `still ${status} after ${noEffectAfter / 1000} s: the request did not take effect`)
      : pending(status)
  }
  const isFailure = reader.failures.includes(status) || saysError(status)
  return allows(reader, status, options.from) && !isFailure
    ? failed(status, "rolledBack", `back at ${status}`)
    : undefined
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
  const wanted = (typeof targets === "string" ? [targets] : targets).map(lower)
  const noEffectAfter = Duration.toMillis(options.noEffectAfter ?? defaultNoEffectAfter)
  const words = wanted.join(" or ")
  const description = options.alsoDescription === undefined ? words : `${words} and ${options.alsoDescription}`
  const wantsToLeave = wanted.some((status) => reader.leaving.includes(status) || /delet|unmanag/.test(status))
  return fold<A, Memory>(description, nothingSeen, (before, { elapsed, seen }) => {
    if (seen._tag === "None") {
      if (before.seen) return [before, failed("gone", "goneAfterSeen", "it was there and is gone")]
      return [
        before,
        options.missing === "allow" ? pending("missing") : failed("missing", "notFound", "it does not exist")
      ]
    }
    const status = lower(reader.status(seen.value))
    const memory = remember(reader, before, status, options.from)
    const hit = wanted.includes(status)
    const ambiguous = options.from !== undefined && options.also === undefined && !memory.left
    if (hit && !ambiguous && (options.also === undefined || options.also(seen.value))) {
      return [memory, reached(status, description)]
    }
    const old = judgeOld(reader, memory, status, elapsed, options, noEffectAfter)
    if (old !== undefined) return [memory, old]
    if (!hit && (reader.failures.includes(status) || saysError(status))) {
      return [memory, failed(status, "status", `status ${shown(status)}`)]
    }
    if (!hit && !wantsToLeave && reader.leaving.includes(status)) {
      return [memory, failed(status, "unreachable", `${description} can't be reached from ${status}`)]
    }
    return [memory, pending(shown(status))]
  })
}

/**
 * Wants the resource to be gone: `None`, or a readable object whose status is `deleted`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const absent = <A>(reader: Reader<A>, options: VerbOptions = {}): Goal.Goal<A> => {
  const noEffectAfter = Duration.toMillis(options.noEffectAfter ?? defaultNoEffectAfter)
  return fold<A, Memory>("deleted", nothingSeen, (before, { elapsed, seen }) => {
    if (seen._tag === "None") return [before, reached("deleted", "deleted")]
    const status = lower(reader.status(seen.value))
    if (status === "deleted") return [before, reached(status, "deleted")]
    const memory = remember(reader, before, status, options.from)
    const old = judgeOld(reader, memory, status, elapsed, options, noEffectAfter)
    if (old !== undefined) return [memory, old]
    return reader.failures.includes(status) || saysError(status)
      ? [memory, failed(status, "status", `status ${shown(status)}`)]
      : [memory, pending(shown(status))]
  })
}
