/**
 * What becomes of a cluster operation after it was queued, as data: its states and how long each stands.
 */
import * as Timeline from "../../Timeline.ts"

/** What an operation is queued by. */
export const actions = [
  "instance.create",
  "instance.delete",
  "instance.plug",
  "network.create",
  "network.delete",
  "network.mesh",
  "artifact.fetch",
  "blob.verify",
  "sweep"
] as const

export type Action = (typeof actions)[number]

/** States in order, the last one without a duration. */
export type Phases = ReadonlyArray<Timeline.Step>

const usual = (queued: number, executing: number): Phases => [
  ["queued", queued],
  ["executing", executing],
  ["complete"]
]

export const defaults: Readonly<Record<Action, Phases>> = {
  "instance.create": usual(2000, 8000),
  "instance.delete": usual(1000, 4000),
  "instance.plug": usual(1000, 3000),
  "network.create": usual(1000, 3000),
  "network.delete": usual(1000, 2000),
  "network.mesh": usual(1000, 2000),
  "artifact.fetch": usual(1000, 6000),
  "blob.verify": usual(1000, 5000),
  sweep: usual(1000, 1000)
}

export const terminal: ReadonlySet<string> = new Set(["complete", "abort", "deleted", "error"])

export const states: ReadonlySet<string> = new Set(["queued", "preflight", "executing", ...terminal])

/** A timeline whose every state is one of an operation, and that ends in one that is final or stands for ever. */
export const timeline = (phases: Phases): Timeline.Timeline => {
  const made = Timeline.make(phases)
  for (const { status } of made.spans) {
    if (!states.has(status)) throw new Error(`${status} is no state of a cluster operation`)
  }
  return made
}

/** Adds time before anything happens: another operation has to be done first. */
export const after = (phases: Phases, millis: number): Phases =>
  millis <= 0 ? phases : [["queued", millis], ...phases]

/** How long a network's deletion puts itself off while interfaces are attached; then it gives up. */
const delays = [15_000, 30_000, ...Array.from({ length: 8 }, () => 60_000)]

/** `freeAt`: milliseconds from the beginning after which nothing is attached any more. */
export const deferring = (phases: Phases, freeAt: number): Phases => {
  const steps: Array<Timeline.Step> = []
  let at = 0
  const add = (state: string, millis: number) => {
    steps.push([state, millis])
    at += millis
  }
  const queued = phases.find(([state]) => state === "queued")
  add("queued", Number(queued?.[1] ?? 1000))
  for (const delay of delays) {
    if (at >= freeAt) break
    add("executing", 1000)
    add("queued", delay)
  }
  return at >= freeAt
    ? [...steps, ...phases.filter(([state]) => state !== "queued")]
    : [...steps, ["executing", 1000], ["error"]]
}
