/**
 * An incident told again: what a journal and the progress lines of a wait say becomes faults, a plan and a scenario.
 *
 * It reads lines of JSON and takes what it knows: requests as `fake-cloud --journal` writes them (or anything that has
 * `method`, `path` and `status`), and the events of `manila … --progress json` (`status`, `fault`). The rest is left.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Faults from "./Faults.ts"
import * as Scenario from "./model/Scenario.ts"
import type * as Timeline from "./Timeline.ts"

const Request = Schema.Struct({ method: Schema.String, path: Schema.String, status: Schema.Number })

const Look = Schema.Union(
  Schema.Struct({ event: Schema.Literal("status"), status: Schema.String, elapsedMillis: Schema.Number }),
  Schema.Struct({ event: Schema.Literal("fault") })
)

/**
 * What was found, in the order of the lines.
 *
 * @since 0.1.0
 * @category models
 */
export interface Incident {
  readonly requests: ReadonlyArray<typeof Request.Type>
  readonly looks: ReadonlyArray<typeof Look.Type>
}

const line = Schema.parseJson(Schema.Unknown)

/**
 * @since 0.1.0
 * @category constructors
 */
export const parse = (text: string): Incident => {
  const requests: Array<typeof Request.Type> = []
  const looks: Array<typeof Look.Type> = []
  for (const one of text.split("\n")) {
    const value = Option.getOrUndefined(ParseResult.decodeOption(line)(one))
    const look = Schema.decodeUnknownOption(Look)(value)
    const request = Schema.decodeUnknownOption(Request)(value)
    if (Option.isSome(look)) looks.push(look.value)
    else if (Option.isSome(request)) requests.push(request.value)
  }
  return { requests, looks }
}

const isId = (segment: string): boolean =>
  /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)$/i.test(segment)

/** Ids are others when it is told again: any will do. */
const patternOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => (isId(segment) ? "*" : segment))
    .join("/")

interface Met {
  readonly method: string
  readonly path: string
  readonly nth: number
  readonly status: number
}

/** The requests that went wrong. A 404 and other refusals come from the cloud itself, once its state is the same. */
const met = ({ requests }: Incident): ReadonlyArray<Met> => {
  const counts = new Map<string, number>()
  return requests.flatMap(({ method, path, status }) => {
    const pattern = patternOf(path)
    const key = `${method} ${pattern}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    const isFault = status === 0 || status === 401 || status === 408 || status === 429 || status >= 500
    return isFault ? [{ method, path: pattern, nth, status }] : []
  })
}

/**
 * The faults that the requests met, each at the request of the same kind and number. No answer (status 0) is a reset.
 *
 * @since 0.1.0
 * @category conversions
 */
export const faults = (incident: Incident): ReadonlyArray<Faults.Fault> =>
  met(incident).map(({ method, nth, path, status }) =>
    Faults.on(
      { method, path, nth },
      status === 0 ? Faults.reset : status === 401 ? Faults.expiredToken : Faults.status(status)
    )
  )

/** Statuses with the time at which a look first saw them. */
const steps = ({ looks }: Incident): ReadonlyArray<Timeline.Step> => {
  const seen = looks
    .filter((look) => look.event === "status")
    .filter(({ status }, index, all) => index === 0 || all[index - 1]!.status !== status)
  return seen.map(({ elapsedMillis, status }, index) => {
    const next = seen[index + 1]
    return next === undefined ? [status] : [status, next.elapsedMillis - (index === 0 ? 0 : elapsedMillis)]
  })
}

/**
 * A scenario with the statuses and faults that the looks met: for models, laws and pictures.
 *
 * @since 0.1.0
 * @category conversions
 */
export const scenario = (incident: Incident, options: Parameters<typeof Scenario.make>[1] = {}): Scenario.Scenario =>
  Scenario.make(steps(incident), {
    incidents: incident.looks.map(({ event }): Scenario.Incident => (event === "fault" ? { fault: "transient" } : {})),
    ...options
  })

/**
 * A plan for `fake-cloud --plan`: the faults, and the statuses as the lifecycle of an action. Written as JSON it is a
 * regression test for programs in any language.
 *
 * @since 0.1.0
 * @category conversions
 */
export const plan = (
  incident: Incident,
  options: { readonly action?: string | undefined } = {}
): { readonly lifecycles?: Record<string, unknown>; readonly faults: ReadonlyArray<unknown> } => {
  const phases = steps(incident).map(([status, millis]) =>
    millis === undefined ? status : [status, `${String(millis)} millis`]
  )
  return {
    ...(options.action === undefined || phases.length === 0 ? {} : { lifecycles: { [options.action]: phases } }),
    faults: met(incident).map(({ status, ...match }) => ({
      ...match,
      ...(status === 0 ? { reset: true } : status === 401 ? { expiredToken: true } : { status })
    }))
  }
}
