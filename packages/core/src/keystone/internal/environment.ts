/**
 * `OS_*` variables, through the `ConfigProvider` of the fiber.
 *
 * @internal
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type { Setting } from "./setting.ts"

/** A variable as it is, empty text included; `undefined` if it is not set. */
export const raw = (name: string): Effect.Effect<string | undefined> =>
  Effect.orElseSucceed(Config.string(name), () => undefined)

/** A variable, where empty text is the same as not set. */
export const text = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(raw(name), (value) => (value === "" ? undefined : value))

export const home: Effect.Effect<string | undefined> = Effect.flatMap(text("HOME"), (value) =>
  value === undefined ? text("USERPROFILE") : Effect.succeed(value)
)

/** Reads the variables of the given settings (`project_name` is `OS_PROJECT_NAME`). */
export const settings = (keys: Iterable<string>): Effect.Effect<ReadonlyMap<string, Setting>> =>
  Effect.gen(function* () {
    const found = new Map<string, Setting>()
    for (const key of keys) {
      const name = key === "manilaclient_bypass_url" ? "MANILACLIENT_BYPASS_URL" : `OS_${key.toUpperCase()}`
      const value = yield* raw(name)
      if (value !== undefined) found.set(key, { text: value, source: name })
    }
    return found
  })
