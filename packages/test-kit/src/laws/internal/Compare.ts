/**
 * A run beside the model's story: where they differ, in words.
 */
import * as Scenario from "../../model/Scenario.ts"
import * as Trace from "../../Trace.ts"
import type { Ended } from "../Adapter.ts"
import type { Ran } from "./Run.ts"

const endedText = (ended: Ended | undefined): string => {
  if (ended === undefined) return "interrupted"
  const { cause, ending, inARow, retryAfter, status } = ended
  const details = [
    status === undefined || status === "" ? undefined : `status ${status}`,
    cause,
    retryAfter == null ? undefined : `asked to wait ${retryAfter} ms`,
    inARow === undefined ? undefined : `${inARow} in a row`
  ].filter((part) => part !== undefined)
  return details.length === 0 ? ending : `${ending} (${details.join(", ")})`
}

const endsLike = (ending: Scenario.Ending, ended: Ended | undefined): boolean => {
  if (ending._tag === "interrupted" || ended === undefined) return ending._tag === "interrupted" && ended === undefined
  if (ending._tag !== ended.ending) return false
  switch (ending._tag) {
    case "timedOut":
      return (
        (ended.cause === undefined || ended.cause === ending.cause) &&
        (ended.retryAfter === undefined || ended.retryAfter === ending.retryAfter)
      )
    case "faulted":
      return ended.inARow === undefined || ended.inARow === ending.inARow
    default:
      return ended.status === undefined || ended.status === ending.status
  }
}

export const ending = (story: Scenario.Story, ran: Ran): string | undefined =>
  endsLike(story.ending, ran.ended) && story.at === ran.at
    ? undefined
    : `it ended at ${ran.at} ms: ${endedText(ran.ended)}; the model ends at ${story.at} ms: ${Scenario.endingText(story.ending)}`

const lookText = (look: Scenario.Look | undefined): string =>
  look === undefined ? "none" : `at ${look.start} ms until ${look.end} ms, ${look.saw}`

export const looks = (story: Scenario.Story, ran: Ran): string | undefined => {
  for (let index = 0; index < Math.max(story.looks.length, ran.looks.length); index++) {
    const [one, two] = [ran.looks[index], story.looks[index]]
    const isSame =
      one !== undefined && two !== undefined && one.start === two.start && one.end === two.end && one.saw === two.saw
    if (!isSame) return `look ${index + 1} is ${lookText(one)}; the model's is ${lookText(two)}`
  }
  return undefined
}

const seenText = ({ firstSeen, lastSeen, looks, status }: Scenario.StatusSeen): string =>
  `${status} ${firstSeen}–${lastSeen} (${looks})`

/** A history may leave out its middle, but neither its beginning nor its end. */
export const history = ({ ended, looks }: Ran): string | undefined => {
  const reported = ended?.history
  if (reported === undefined) return undefined
  const seen = Scenario.historyOf(looks)
  const whole = reported.length === seen.length
  const expected = whole ? seen : seen.slice(-reported.length)
  const [one, two] = whole ? [reported, expected] : [reported.slice(-8), expected.slice(-8)]
  const [text, wanted] = [one.map(seenText).join(", "), two.map(seenText).join(", ")]
  if (!whole && reported.length < 16) return `it reports ${reported.length} statuses of ${seen.length}`
  return text === wanted ? undefined : `it reports ${text || "nothing"}; the looks saw ${wanted || "nothing"}`
}

/** The scenario, and both pictures where they differ. */
export const print = (scenario: Scenario.Scenario, story: Scenario.Story, ran: Ran): string => {
  const picture = Trace.toText(Trace.make(scenario, { ...ran, ending: endedText(ran.ended) }))
  const model = Trace.toText(Trace.make(scenario, story))
  const differs = looks(story, ran) !== undefined || ending(story, ran) !== undefined
  return [Scenario.format(scenario), "", picture, ...(differs ? ["", "the model:", model] : [])].join("\n")
}
