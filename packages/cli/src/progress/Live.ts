/**
 * The live part of a terminal: some lines at its lower end that are drawn over and over, with permanent lines above.
 *
 * Lines are cut to the terminal's width, and as many shown as it has rows, since going back over a line that wrapped or
 * scrolled away would leave rubbish behind.
 *
 * @since 0.1.0
 */
import * as Durations from "../Durations.ts"
import * as Width from "../format/Width.ts"
import type * as Event from "./Event.ts"
import * as Lines from "./Lines.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Terminal {
  readonly columns: () => number | undefined
  readonly rows: () => number | undefined
  readonly write: (text: string) => void
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Live {
  /** Replaces the live lines. */
  readonly draw: (resources: ReadonlyArray<Event.Resource>, now: number) => void
  /** Puts a line that stays above the live ones. */
  readonly line: (text: string) => void
  /** Takes the live lines away and shows the cursor again. */
  readonly close: () => void
}

/**
 * Shows a cursor that was hidden.
 *
 * @since 0.1.0
 */
export const showCursor = "\u001b[?25h"

const hideCursor = "\u001b[?25l"

const green = 32
const yellow = 33
const dim = 2

type Segment = readonly [text: string, style?: number]

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (terminal: Terminal, options: { readonly colour: boolean }): Live => {
  let shown: ReadonlyArray<string> = []
  let hidden = false
  const erase = (): string => {
    if (shown.length === 0) return ""
    return `\r${shown.length > 1 ? `\u001b[${shown.length - 1}A` : ""}\u001b[J`
  }
  const paint = (segments: ReadonlyArray<Segment>, columns: number): string => {
    let room = columns
    return segments
      .map(([text, style]) => {
        const fits = Width.clip(text, room)
        room -= Width.width(fits)
        return style === undefined || !options.colour || fits === "" ? fits : `\u001b[${style}m${fits}\u001b[0m`
      })
      .join("")
  }
  return {
    draw: (resources, now) => {
      // The last column stays free: a full line makes some terminals wrap.
      const columns = Math.max(1, (terminal.columns() ?? 80) - 1)
      const most = Math.max(1, (terminal.rows() ?? 24) - 1)
      const fit = resources.length <= most ? resources : resources.slice(0, most - 1)
      const lines = fit.map((resource) => paint(segments(resource, now), columns))
      const more = resources.length - fit.length
      const all = more === 0 ? lines : [...lines, paint([[`… and ${more} more`, dim]], columns)]
      const wanted = all.length > 0
      const cursor = wanted === hidden ? "" : wanted ? hideCursor : showCursor
      hidden = wanted
      terminal.write(`${erase()}${cursor}${all.join("\n")}`)
      shown = all
    },
    line: (text) => terminal.write(`${erase()}${text}\n${shown.join("\n")}`),
    close: () => {
      terminal.write(`${erase()}${hidden ? showCursor : ""}`)
      shown = []
      hidden = false
    }
  }
}

const segments = (resource: Event.Resource, now: number): ReadonlyArray<Segment> => {
  const called = Width.safeLine(`${resource.kind} ${resource.name ?? resource.id}`)
  const next = resource.nextAt === undefined ? "" : `, next look in ${Durations.format(resource.nextAt - now)}`
  const elapsed = `  ${Durations.format(now - resource.startedAt)}${next}`
  const good = resource.status === resource.wanted
  return [
    [`${called}  `],
    [Lines.statusOf(resource), good ? green : undefined],
    [elapsed, dim],
    ...(resource.fault === undefined ? [] : [[`  ${Width.safeLine(resource.fault)}`, yellow] as const])
  ].map(([text, style]) => (style === undefined ? [text as string] : [text as string, style as number]))
}
