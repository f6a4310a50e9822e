/**
 * The contract on a plain resource, and on one of another shape with errors that say nothing of themselves: what a
 * second cloud looks like to the waiter.
 */
import * as Goal from "@effect-manila/core/waiter/Goal"
import * as Patience from "@effect-manila/core/waiter/Patience"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { contract } from "./contract.ts"

const reader: StatusGoal.Reader<{ readonly status: string }> = {
  status: ({ status }) => status,
  failures: ["failed"],
  leaving: ["leaving"],
  steady: ["ready"]
}

contract(
  {
    name: "a resource with a status",
    probe: (look) => look,
    shows: (status) => status,
    ready: StatusGoal.present(reader, "ready"),
    gone: StatusGoal.absent(reader),
    patience: Patience.make
  },
  ["VirtualTime", "TestClock"]
)

class Refused extends Data.TaggedError("Refused")<{ readonly code: number; readonly message: string }> {}

contract({
  name: "a resource with a state, and errors with a code",
  probe: (look) =>
    look.pipe(
      Effect.map(Option.map(({ status }) => ({ state: `VM_${status.toUpperCase()}` }))),
      Effect.mapError(
        ({ message, retryAfterMillis, transient }) =>
          new Refused({ code: transient ? 500 + (retryAfterMillis ?? 0) : 403, message })
      )
    ),
  shows: (status) => `vm_${status}`,
  ready: Goal.mapInput(
    StatusGoal.present({ ...reader, failures: ["vm_failed"], leaving: [] }, "vm_ready"),
    ({ state }: { readonly state: string }) => ({ status: state })
  ),
  gone: Goal.mapInput(StatusGoal.absent(reader), ({ state }: { readonly state: string }) => ({ status: state })),
  patience: (options) =>
    Patience.make<Refused>({
      ...options,
      isTransient: ({ code }) => code >= 500,
      retryAfter: ({ code }) => (code > 500 ? Option.some(code - 500) : Option.none())
    })
})
