/**
 * Waits without any time, on a clock that does not stand still between two statements.
 */
import { it } from "vitest"
import { ids, ok, real } from "./support/Manila.ts"

it("a limit of nothing leaves one look, although some time has passed since it began", async () => {
  // What isn't there is gone, which nobody knows who doesn't look.
  ok(await real(`wait share ${ids.none} --for deleted --timeout 0`))
})
