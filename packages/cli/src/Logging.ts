/**
 * Log lines on standard error, above a live line if there is one: Effect's own logger writes to standard output.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { Globals } from "./flags/Global.ts"
import { Progress } from "./Progress.ts"

/**
 * Warnings and errors, also with `--quiet`; more with `--verbose`, everything with `--debug`.
 *
 * @since 0.1.0
 */
export const levelOf = (globals: Pick<Globals, "debug" | "verbose">): LogLevel.LogLevel =>
  globals.debug ? LogLevel.Debug : globals.verbose ? LogLevel.Info : LogLevel.Warning

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (globals: Pick<Globals, "debug" | "verbose">): Layer.Layer<never, never, Progress> =>
  Layer.merge(
    Logger.minimumLogLevel(levelOf(globals)),
    Layer.unwrapEffect(
      Effect.map(Progress, (progress) =>
        Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ logLevel, message }) => {
            const parts = Array.isArray(message) ? message : [message]
            progress.unsafeNote(`${logLevel.label.toLowerCase()}: ${parts.map(textOf).join(" ")}`)
          })
        )
      )
    )
  )

const textOf = (part: unknown): string => (typeof part === "string" ? part : (JSON.stringify(part) ?? String(part)))
