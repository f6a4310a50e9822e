/**
 * One JSON line for every request.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { App } from "../../Wire.ts"
import { entry } from "../FaultReply.ts"

/**
 * Writes a line when the answer is known, before any delay of it: the time (of the cloud's clock, ISO 8601), method,
 * path, query, status (0 where nothing was said) and the microversion that was asked for, or null.
 */
export const record =
  (app: App, write: (line: string) => void): App =>
  (request) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.tap(app(request), (reply) =>
        Effect.sync(() => {
          const { method, microversion, path, query, status } = entry(request, reply, now)
          const line = { time: new Date(now).toISOString(), method, path, query, status }
          write(`${JSON.stringify({ ...line, microversion: microversion ?? null })}\n`)
        })
      )
    )
