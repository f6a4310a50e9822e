/**
 * What a wait keeps of its looks.
 */
import * as Scenario from "../../model/Scenario.ts"
import type { Adapter } from "../Adapter.ts"
import { featuresOf } from "../Adapter.ts"
import type * as Law from "../Law.ts"
import * as Heap from "./Heap.ts"
import * as Run from "./Run.ts"

/** Bytes a look may seem to keep: the least entry of a list takes as much or more. */
const keptAtMost = 24

/**
 * The memory of a wait doesn't grow with its looks, however its statuses change.
 */
export const memoryIsFlat: Law.Law<Adapter> = {
  name: "its memory is flat",
  claim: "the memory of a wait does not grow with its looks",
  check: (adapter) => {
    const features = featuresOf(adapter)
    const pace: Scenario.Pace = features.paces.includes("Fixed")
      ? { _tag: "Fixed", interval: 1000 }
      : { _tag: "Spaced", interval: 1000 }
    const grown = (looks: number) => {
      const steps = Array.from({ length: 40 }, (_, index) => [index % 2 === 0 ? "working" : "moving", 3000] as const)
      const scenario = Scenario.make([...steps, ["working"]], { pace, interrupt: looks * 1000 + 0.5 })
      return Run.heap(adapter, scenario, Heap.used)
    }
    // The first wait pays for what is loaded and compiled only once. Other work of the process makes the heap grow and
    // shrink beside us: what a wait keeps is there in every try, so the least of some tries tells it from that noise.
    grown(500)
    let least = Infinity
    for (let tries = 0; tries < 8 && least > keptAtMost; tries++) {
      least = Math.min(least, (grown(8000) - grown(500)) / 7500)
    }
    if (least > keptAtMost) {
      throw new Error(`${adapter.name}: ${memoryIsFlat.claim}\n\nit keeps some ${Math.round(least)} bytes of each`)
    }
  }
}
