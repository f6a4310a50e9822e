/**
 * A lifecycle that has begun: the status is a function of it and the clock.
 */
import type { Lifecycle, Phase } from "../../Lifecycle.ts"

export interface Track {
  /** When the first phase began, in the clock's milliseconds. */
  readonly from: number
  readonly phases: ReadonlyArray<Phase>
  /** When each phase begins; `Infinity` for one that never does. */
  readonly starts: ReadonlyArray<number>
  readonly rolledBack: boolean
}

export const start = (lifecycle: Lifecycle, from: number): Track => {
  const starts: Array<number> = []
  let at = from
  for (const phase of lifecycle.phases) {
    starts.push(at)
    at += phase.millis ?? Infinity
  }
  return { from, phases: lifecycle.phases, starts, rolledBack: lifecycle.effect === "none" }
}

const indexAt = (track: Track, now: number): number => {
  let index = track.phases.length - 1
  while (index > 0 && now < (track.starts[index] ?? 0)) index--
  return index
}

export const statusAt = (track: Track, now: number): string => track.phases[indexAt(track, now)]?.status ?? "error"

export const isGone = (track: Track, now: number): boolean => statusAt(track, now) === "gone"

/** When the phase that stands now began. */
export const changedAt = (track: Track, now: number): number => track.starts[indexAt(track, now)] ?? track.from

/** How far the phase that stands now is, from 0 to 1; `undefined` if it has no end. */
export const portionAt = (track: Track, now: number): number | undefined => {
  const index = indexAt(track, now)
  const millis = track.phases[index]?.millis
  return millis === undefined ? undefined : (now - (track.starts[index] ?? 0)) / millis
}

/** When a status is first reached; `undefined` if it never is. */
export const reachedAt = (track: Track, status: string): number | undefined => {
  const index = track.phases.findIndex((phase) => phase.status === status)
  const at = index === -1 ? undefined : track.starts[index]
  return at === Infinity ? undefined : at
}

/** When the last phase begins; `undefined` if it never does. */
export const endsAt = (track: Track): number | undefined => {
  const at = track.starts.at(-1)
  return at === Infinity ? undefined : at
}

/** The same track with another word for one of its statuses. */
export const rename = (track: Track, status: string, as: string): Track => ({
  ...track,
  phases: track.phases.map((phase) => (phase.status === status ? { ...phase, status: as } : phase))
})

const steadies = new Map<string, Track>()

/** One status without beginning or end; objects in it share one track. */
export const steady = (status: string): Track => {
  const known = steadies.get(status)
  if (known !== undefined) return known
  const track = start({ phases: [{ status }] }, -Infinity)
  steadies.set(status, track)
  return track
}
