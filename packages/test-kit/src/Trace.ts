/**
 * A wait as a picture: statuses and looks over virtual time, as text for a terminal and as SVG for a page.
 *
 * @since 0.1.0
 */
import * as Scenario from "./model/Scenario.ts"
import type * as Timeline from "./Timeline.ts"
import { timeText } from "./internal/TimeText.ts"

/**
 * What is drawn. Times are milliseconds since the wait began.
 *
 * @since 0.1.0
 * @category models
 */
export interface Trace {
  readonly timeline: Timeline.Timeline
  readonly looks: ReadonlyArray<Scenario.Look>
  /** In words. */
  readonly ending: string
  readonly at: number
  /** `Infinity` for none. */
  readonly limit: number
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  scenario: Pick<Scenario.Scenario, "timeline" | "limit">,
  story: Pick<Scenario.Story, "looks" | "at"> & { readonly ending: Scenario.Ending | string }
): Trace => ({
  timeline: scenario.timeline,
  looks: story.looks,
  ending: typeof story.ending === "string" ? story.ending : Scenario.endingText(story.ending),
  at: story.at,
  limit: scenario.limit
})

const marks: Record<Scenario.Look["kind"], string> = {
  seen: "o",
  gone: "-",
  transient: "x",
  permanent: "X",
  aborted: "~"
}

/** The time up to which there is something to see. */
const extent = ({ at, limit, looks }: Trace): number =>
  Math.max(at, ...looks.slice(-1).map(({ end }) => end), Number.isFinite(limit) && limit < 2 * at + 1000 ? limit : 0, 1)

const clock = timeText

/**
 * Three lines over one scale, and the looks by their times. `o` is a good look, `-` one that found nothing, `x` and `X`
 * a transient and a permanent fault, `~` one that was aborted, `=` the time a look takes, `|` the limit, `#` the end.
 *
 * ```
 * status  working------------------moving-------ready-
 * looks   o             o             x             o#
 *         0                                        15s
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const toText = (trace: Trace, options: { readonly width?: number | undefined } = {}): string => {
  const width = options.width ?? 72
  const most = extent(trace)
  const column = (millis: number): number =>
    Math.min(width - 1, Math.round((Math.min(millis, most) / most) * (width - 1)))

  const statuses = Array.from({ length: width }, () => "-")
  for (const { start, status } of trace.timeline.spans) {
    if (start > most) break
    const from = column(start)
    for (const [index, letter] of [...status].entries()) if (from + index < width) statuses[from + index] = letter
  }
  const row = Array.from({ length: width + 1 }, () => " ")
  for (const { end, kind, start } of trace.looks) {
    for (let at = column(start) + 1; at <= column(end); at++) row[at] = "="
    row[column(start)] = marks[kind]
  }
  const mark = (at: number, text: string) => {
    if (row[at] === " " || row[at] === "=") row[at] = text
  }
  if (trace.limit <= most) mark(column(trace.limit), "|")
  if (row[column(trace.at)] === " ") row[column(trace.at)] = "#"
  else mark(column(trace.at) + 1, "#")

  const right = clock(most)
  return [
    `status  ${statuses.join("")}`,
    `looks   ${row.join("").trimEnd()}`,
    `        0${right.padStart(width - 1)}`,
    ...listed(trace),
    `ended   ${clock(trace.at)}: ${trace.ending}`
  ].join("\n")
}

const lookText = ({ end, saw, start }: Scenario.Look): string =>
  `${clock(start)} ${saw}${end > start ? ` (until ${clock(end)})` : ""}`

/** The first and the last looks in words: pictures of many looks say little. */
const listed = ({ looks }: Trace): ReadonlyArray<string> => {
  const shown =
    looks.length <= 12
      ? looks.map(lookText)
      : [...looks.slice(0, 6).map(lookText), `… ${looks.length - 11} more …`, ...looks.slice(-5).map(lookText)]
  return shown.map((text, index) => `${index === 0 ? "seen    " : "        "}${text}`)
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const fills: Record<Scenario.Look["kind"], string> = {
  seen: "#2a7f4f",
  gone: "#ffffff",
  transient: "#d08a00",
  permanent: "#b3261e",
  aborted: "#888888"
}

/**
 * The same picture as one SVG element: a band of statuses, a dot for each look, a dashed line for the limit.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSvg = (trace: Trace, options: { readonly width?: number | undefined } = {}): string => {
  const width = options.width ?? 720
  const most = extent(trace)
  const x = (millis: number): number => Math.round((10 + (Math.min(millis, most) / most) * (width - 20)) * 10) / 10
  const line = (at: number, attributes: string) => `<line x1="${x(at)}" y1="10" x2="${x(at)}" y2="74" ${attributes}/>`
  const bands = trace.timeline.spans
    .filter(({ start }) => start <= most)
    .map(({ end, start, status }, index) => {
      const shade = index % 2 === 0 ? "#dfe7ef" : "#c5d3e0"
      return (
        `<rect x="${x(start)}" y="14" width="${Math.round((x(end) - x(start)) * 10) / 10}" height="22" fill="${shade}"/>` +
        `<text x="${x(start) + 4}" y="29">${escape(status)}</text>`
      )
    })
  const looks = trace.looks.map(({ end, kind, saw, start }) => {
    const takes =
      end > start
        ? `<line x1="${x(start)}" y1="54" x2="${x(end)}" y2="54" stroke="${fills[kind]}" stroke-width="3"/>`
        : ""
    const title = `<title>${escape(lookText({ start, end, saw, kind }))}</title>`
    return `${takes}<circle cx="${x(start)}" cy="54" r="4" fill="${fills[kind]}" stroke="#333333">${title}</circle>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="100" viewBox="0 0 ${width} 100" font-family="monospace" font-size="12">`,
    ...bands,
    ...(trace.limit <= most ? [line(trace.limit, `stroke="#b3261e" stroke-dasharray="4 3"`)] : []),
    line(trace.at, `stroke="#333333"`),
    ...looks,
    `<text x="10" y="92">0</text>`,
    `<text x="${width - 10}" y="92" text-anchor="end">${escape(`${clock(trace.at)}: ${trace.ending}`)}</text>`,
    "</svg>"
  ].join("\n")
}
