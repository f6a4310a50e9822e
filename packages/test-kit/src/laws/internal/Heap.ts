/**
 * How much memory is in use, after everything that can go has gone.
 */
import * as v8 from "node:v8"
import * as vm from "node:vm"

let collect: (() => void) | undefined

/** Bytes in use on the heap. */
export const used = (): number => {
  if (collect === undefined) {
    v8.setFlagsFromString("--expose-gc")
    // The context's global has what the flag gives to contexts that are made from now on.
    collect = vm.runInNewContext("gc") as () => void
  }
  collect()
  return v8.getHeapStatistics().used_heap_size
}
