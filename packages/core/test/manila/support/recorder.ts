/** Everything a program can see of itself, as text: spans, logs, and what is shown to it. */
import * as Cause from "effect/Cause"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"

export const make = () => {
  const seen: Array<string> = []
  const names: Array<string> = []
  const see = (...values: ReadonlyArray<unknown>) => {
    for (const value of values) {
      if (typeof value === "string") seen.push(value)
      else {
        seen.push(
          Inspectable.toStringUnknown(value),
          String(value),
          JSON.stringify(value) ?? "",
          inspect(value, { depth: 20, showHidden: false })
        )
      }
    }
  }
  let ids = 0
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      names.push(name)
      const spanId = (++ids).toString(16).padStart(16, "0")
      return {
        _tag: "Span",
        name,
        spanId,
        traceId: "0123456789abcdef0123456789abcdef",
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes,
        links,
        sampled: true,
        kind,
        attribute: (key, value) => {
          attributes.set(key, value)
          see(key, value)
        },
        event: (event, _, attributes) => see(event, attributes),
        addLinks: () => undefined,
        end: (_, exit) => {
          // What tracers keep of an ending: the texts of a failure.
          if (exit._tag === "Failure") see(Cause.pretty(exit.cause, { renderErrorCause: true }))
        }
      }
    },
    context: (f) => f()
  })
  const logger = Logger.make(({ annotations, cause, message }) => see(message, Cause.pretty(cause), [...annotations]))
  return {
    seen,
    names,
    see,
    layer: Layer.mergeAll(
      Layer.setTracer(tracer),
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(LogLevel.All)
    )
  }
}
