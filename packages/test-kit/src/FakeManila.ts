/**
 * The library's client on a fake cloud, in one layer: what a program that needs `Manila` is given in a test.
 *
 * @since 0.1.0
 */
import type * as Manila from "@effect-manila/core/manila/Manila"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FakeCloud from "./FakeCloud.ts"
import * as Faults from "./Faults.ts"
import * as Client from "./laws/internal/Client.ts"

/**
 * The cloud, and how it is used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Default: an empty cloud where all goes well. */
  readonly cloud?: FakeCloud.Options | undefined
  /** Who signs in. Default: the member, `credentials` of the cloud. */
  readonly as?: "credentials" | "admin" | "other" | "reader" | undefined
  /** What goes wrong on the way. Default: nothing. */
  readonly faults?: ReadonlyArray<Faults.Fault> | undefined
  /** As {@link Manila.Options}. Default: the highest both know. */
  readonly microversion?: string | undefined
  /** Default 60 seconds. */
  readonly requestTimeout?: Duration.DurationInput | undefined
}

/**
 * A cloud of its own, and a client that is signed in to it. It lives on the clock of the fiber that uses it: `TestClock`
 * or `VirtualTime`. Nothing is sent before the first operation.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Manila.Manila | FakeCloud.FakeCloud> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { as = "credentials", faults = [], microversion, requestTimeout } = options
      const cloud = yield* FakeCloud.make(options.cloud)
      const { app } = yield* Faults.wrap({ app: cloud.app, journal: cloud.journal }, faults)
      const client = yield* Client.on(app, cloud[as], { microversion, requestTimeout })
      return Layer.merge(client, Layer.succeed(FakeCloud.FakeCloud, cloud))
    })
  )
