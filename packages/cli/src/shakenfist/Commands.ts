/**
 * Every command of `shakenfist-wait`: its table, and the module with the code that runs it.
 *
 * @since 0.1.0
 */
import { type AnyCommand, command } from "../Command.ts"
import type * as Spec from "../Spec.ts"
import * as Nouns from "./Nouns.ts"

/**
 * In the order in which help lists them.
 *
 * @since 0.1.0
 */
export const all: ReadonlyArray<AnyCommand> = [
  command(Nouns.settle, async () => ({ run: (await import("./Settle.ts")).run })),
  command(Nouns.awaiting, async () => ({ run: (await import("./Await.ts")).run })),
  command(Nouns.operationsList, async () => ({ run: (await import("./Operations.ts")).list })),
  command(Nouns.operationsShow, async () => ({ run: (await import("./Operations.ts")).show })),
  command(Nouns.capabilities, async () => ({ run: (await import("./Capabilities.ts")).run })),
  command(Nouns.complete, async () => ({ run: (await import("../completion/Complete.ts")).run }))
]

/**
 * With the one that completion asks for the names of objects.
 *
 * @since 0.1.0
 */
export const listing: ReadonlyArray<AnyCommand> = [
  ...all,
  command(Nouns.objectsList, async () => ({ run: (await import("./Operations.ts")).objects }))
]

/**
 * @since 0.1.0
 */
export const specs: ReadonlyArray<Spec.Spec> = all.map(({ spec }) => spec)
