/** The contract of a wait, which every cloud's waits keep, for the states and the errors of this one. */
import * as Instance from "@effect-manila/core/shakenfist/Instance"
import type { ShakenFistError } from "@effect-manila/core/shakenfist/ShakenFistError"
import { Forbidden, Unavailable } from "@effect-manila/core/shakenfist/ShakenFistError"
import * as Patience from "@effect-manila/core/waiter/Patience"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { contract } from "../waiter/contract.ts"

const states: Readonly<Record<string, string>> = {
  working: "initial",
  moving: "creating",
  ready: "created",
  failed: "creating-error"
}

const shows = (status: string): string => states[status] ?? status

const view = (status: string): Instance.Instance => ({ uuid: "3f2", state: shows(status), name: "web" })

/** The contract looks for the words of a script in its messages, and for nothing else. */
class Away extends Unavailable {
  override get message(): string {
    return this.detail
  }
}

contract<Instance.Instance, ShakenFistError>({
  name: "an instance of Shaken Fist",
  probe: (look) =>
    look.pipe(
      Effect.map(Option.map(({ status }) => view(status))),
      Effect.mapError(({ message: detail, retryAfterMillis, transient }) => {
        const operation = "instance.get"
        return transient
          ? new Away({ operation, status: 503, detail, retryAfterMillis })
          : new Forbidden({ operation, status: 403, detail })
      })
    ),
  shows,
  ready: Instance.created,
  gone: Instance.deleted,
  patience: Patience.make
})
