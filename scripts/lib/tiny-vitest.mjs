/**
 * What stands in for vitest where a thousand runs of the same few tests must be quick: tests run one after the other in
 * this process, until the first that fails. Under `TestClock` every instant costs milliseconds, so those are left out.
 */
import { assert } from "chai"

export { assert }

/** Types are the compiler's. */
export const expectTypeOf = () => new Proxy(() => {}, { get: () => expectTypeOf() })

const tests = []
let path = []

const bodyOf = (rest) => rest.find((one) => typeof one === "function")

export const describe = (name, ...rest) => {
  if (name === "on TestClock") return
  path = [...path, name]
  bodyOf(rest)()
  path = path.slice(0, -1)
}

export const it = (name, ...rest) => tests.push({ name: [...path, name].join(" > "), body: bodyOf(rest) })

/** The tests that fail, only the first with `bail`; those whose name has `leave` are left out. */
export const run = async ({ bail, leave }) => {
  const failed = []
  for (const { name, body } of tests) {
    if (leave !== undefined && name.includes(leave)) continue
    try {
      await body()
    } catch (error) {
      failed.push({ name, said: error instanceof Error ? error.message : String(error) })
      if (bail) break
    }
  }
  return { failed, count: tests.length }
}
