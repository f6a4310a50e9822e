/**
 * What the Python client would have done: its two loops as pure functions, so that any scenario can be asked.
 *
 * `--wait` of `openstack share …` is one of these: `statusLoop` for what ends in a status, `deleteLoop` for what ends in
 * absence. From osc-lib, `osc_lib/utils/__init__.py`, `wait_for_status` and `wait_for_delete`.
 *
 * @since 0.1.0
 */
import * as Timeline from "../Timeline.ts"
import type * as Reference from "./Reference.ts"
import type * as Scenario from "./Scenario.ts"

/**
 * `succeeded` and `error` are what the loop returns, `timedOut` too: it can't be told from `error` there. `raised` is an
 * exception on its way to the command line. `never`: it would still be looking, or hanging in a request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Story {
  readonly looks: ReadonlyArray<Pick<Scenario.Look, "start" | "end" | "saw">>
  readonly ending: "succeeded" | "error" | "timedOut" | "raised" | "never"
  readonly at: number
}

/** Every wait of the client looks each 5 s, and none passes another value. */
const interval = 5000

/** It counts its sleeps and not the time: 60 of them. */
const sleeps = 60

/** Statuses that its lists hold; it knows no other failure. */
const errors = ["failed"]

type Outcome = Story["ending"] | "pending"

const loop = (
  { incidents, timeline }: Pick<Scenario.Scenario, "timeline" | "incidents">,
  judge: (status: string) => Outcome,
  most: number
): Story => {
  const looks: Array<Story["looks"][number]> = []
  let start = 0
  for (let slept = 0; slept < most; slept++) {
    const { fault, takes = 0 } = incidents[looks.length] ?? {}
    const end = start + takes
    // There is no request timeout.
    if (end === Infinity) return { looks, ending: "never", at: Infinity }
    const status = Timeline.at(timeline, start)
    looks.push({ start, end, saw: fault === undefined ? status : `${fault} fault` })
    // Nothing is caught: the first fault of any kind leaves the loop.
    const outcome = fault === undefined ? judge(status) : "raised"
    if (outcome !== "pending") return { looks, ending: outcome, at: end }
    const isOver = start >= Timeline.end(timeline) && looks.length >= incidents.length
    if (isOver && most === Infinity) return { looks, ending: "never", at: Infinity }
    start = end + interval
  }
  return { looks, ending: "timedOut", at: start }
}

/**
 * Waits for a status: at once, then 5 s after each look, without limit. A 404 is an exception.
 *
 * @since 0.1.0
 */
export const statusLoop = (scenario: Scenario.Scenario): Story =>
  loop(
    scenario,
    (status) => {
      if (status === Timeline.gone) return "raised"
      if (scenario.goal.wanted.includes(status)) return "succeeded"
      return errors.includes(status) ? "error" : "pending"
    },
    Infinity
  )

/**
 * Waits for a 404: 60 looks, 5 s after each of them a sleep, and no look after the last.
 *
 * @since 0.1.0
 */
export const deleteLoop = (scenario: Scenario.Scenario): Story =>
  loop(
    scenario,
    (status) => (status === Timeline.gone ? "succeeded" : errors.includes(status) ? "error" : "pending"),
    sleeps
  )

/**
 * Whether both end alike, at the same time, with looks at the same times. `never` is like a wait that had to be
 * interrupted.
 *
 * @since 0.1.0
 */
export const agree = (python: Story, ours: Scenario.Story): boolean => {
  const alike: Record<Story["ending"], ReadonlyArray<Scenario.Ending["_tag"]>> = {
    succeeded: ["reached"],
    error: ["failed"],
    timedOut: ["timedOut"],
    raised: ["faulted"],
    never: ["interrupted"]
  }
  if (!alike[python.ending].includes(ours.ending._tag)) return false
  const isOpen = python.ending === "never"
  if (!isOpen && (python.at !== ours.at || python.looks.length !== ours.looks.length)) return false
  return python.looks.every(({ start }, index) => ours.looks[index] === undefined || ours.looks[index].start === start)
}

/**
 * One way in which today's client and this library differ on purpose.
 *
 * @since 0.1.0
 * @category models
 */
export interface Difference {
  readonly name: string
  readonly today: string
  readonly here: string
  /** Whether it can be the cause of a difference. */
  readonly applies: (scenario: Scenario.Scenario, python: Story, ours: ReturnType<typeof Reference.story>) => boolean
}

const upTo = (scenario: Scenario.Scenario, looks: number) => scenario.incidents.slice(0, looks)

/**
 * All the differences there are: a scenario to which none applies ends the same way in both, look by look.
 *
 * @since 0.1.0
 * @category data
 */
export const differences: ReadonlyArray<Difference> = [
  {
    name: "transient faults",
    today: "the first 503, reset or time-out ends the wait with an exception",
    here: "ten in a row are survived",
    applies: (scenario, { looks }) => upTo(scenario, looks.length).some(({ fault }) => fault === "transient")
  },
  {
    name: "statuses of failure",
    today: "only `error` is one; any other is polled for ever, or for 300 s",
    here: "every status of failure ends the wait on the look that sees it",
    applies: ({ goal }, _, { ending }) =>
      ending._tag === "failed" &&
      ending.status !== Timeline.gone &&
      goal.failures.includes(ending.status) &&
      !errors.includes(ending.status)
  },
  {
    name: "statuses of failure that nobody waits on",
    today: "`error` ends every wait",
    here: "a verb whose table does not have it as a failure waits on",
    applies: ({ goal }, { ending }) => ending === "error" && !errors.every((status) => goal.failures.includes(status))
  },
  {
    name: "absence",
    today: "a 404 while a status is wanted is an exception",
    here: "it is a failure with a name: not found, or gone after it was seen",
    applies: ({ goal }, { ending, looks }) =>
      goal.absent === "failed" && ending === "raised" && looks.at(-1)?.saw === Timeline.gone
  },
  {
    name: "a person has to go on",
    today: "the status is polled for ever",
    here: "the wait stops and names the next operation",
    applies: (_, __, { ending }) => ending._tag === "needsAction"
  },
  {
    name: "slow answers",
    today: "5 s pass after each answer, and only they count against the 300 s",
    here: "looks keep to a grid of 5 s, and the limit is a clock's",
    applies: (scenario, { looks }) => upTo(scenario, looks.length).some(({ takes = 0 }) => takes > 0)
  },
  {
    name: "answers that never come",
    today: "the client hangs",
    here: "the limit, or the time for one request, ends it",
    applies: (scenario) => scenario.incidents.some(({ takes }) => takes === Infinity)
  },
  {
    name: "Retry-After",
    today: "it is not read",
    here: "it is obeyed, up to 10 minutes",
    applies: (scenario, { looks }) => upTo(scenario, looks.length).some(({ retryAfter = 0 }) => retryAfter > 0)
  },
  {
    name: "the end of the 300 s",
    today: "60 looks, the last at 295 s",
    here: "61 looks: the one at 300 s still counts",
    applies: ({ limit }, { ending, looks }) =>
      Number.isFinite(limit) && ending === "timedOut" && looks.length === sleeps
  }
]
