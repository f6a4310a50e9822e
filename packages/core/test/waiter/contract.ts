/**
 * The contract of a wait, as a function of a cloud: each claim carries the number of its line in docs/waiting.md.
 */
import { describe } from "vitest"
import { endings } from "./contract/endings.ts"
import { faults } from "./contract/faults.ts"
import { limits } from "./contract/limits.ts"
import { pace } from "./contract/pace.ts"
import { server } from "./contract/server.ts"
import type { Adapter, ClockName } from "./contract/world.ts"
import { onClocks, World } from "./contract/world.ts"

export const contract = <A, E>(adapter: Adapter<A, E>, clocks: ReadonlyArray<ClockName> = ["VirtualTime"]): void => {
  const world = new World(adapter)
  describe(adapter.name, () =>
    onClocks(clocks, (claim) => {
      pace(world, claim)
      limits(world, claim)
      server(world, claim)
      faults(world, claim)
      endings(world, claim)
    })
  )
}
