/**
 * How much a simulated wait costs: on a direct probe, over a day, and over the in-process client of a fake cloud.
 *
 *     npx tsx --conditions=@effect-manila/source packages/test-kit/bench/simulation.bench.mjs
 *
 * The best of several rounds counts, in time and in processor time: other programs only ever make one slower.
 */
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as InProcess from "@effect-manila/test-kit/InProcess"
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
import * as VirtualTime from "@effect-manila/test-kit/VirtualTime"
import * as Transport from "@effect-manila/core/http/Transport"
import * as CloudConfig from "@effect-manila/core/keystone/CloudConfig"
import { Credentials, Scope } from "@effect-manila/core/keystone/Credentials"
import * as Keystone from "@effect-manila/core/keystone/Keystone"
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Share from "@effect-manila/core/manila/Share"
import * as StatusGoal from "@effect-manila/core/waiter/StatusGoal"
import * as WaiterOf from "@effect-manila/core/waiter/Waiter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const reader = { status: ({ status }) => status, failures: ["error"], leaving: [], steady: [] }
const goal = StatusGoal.present(reader, "available")
const probe = Effect.succeed(Option.some({ status: "creating" }))

const waits = (count, looks) => {
  for (let n = 0; n < count; n++) VirtualTime.runExit(WaiterOf.outcome(probe, goal, { attempts: looks }))
  return count * looks
}

const together = (count, looks) => {
  const wait = WaiterOf.outcome(probe, goal, { attempts: looks })
  VirtualTime.runExit(
    Effect.forEach(Array.from({ length: count }), () => wait, { concurrency: "unbounded", discard: true })
  )
  return count * looks
}

const day = () => {
  VirtualTime.runExit(WaiterOf.outcome(probe, goal, { limit: "24 hours" }))
  return 17_281
}

const http = (looks) => {
  const program = Effect.gen(function* () {
    const cloud = yield* FakeCloud.make({ seed: { shares: [{ name: "busy", status: "creating" }] } })
    const { authPath, password, projectId, region, userId } = cloud.credentials
    const config = CloudConfig.make({
      authUrl: `${InProcess.defaultOrigin}${authPath}`,
      credentials: Credentials.Password({
        user: { id: userId },
        password: Redacted.make(password),
        scope: Scope.Project({ id: projectId })
      }),
      region
    })
    const client = Manila.layer().pipe(
      Layer.provide(Keystone.layer(config)),
      Layer.provide(Transport.layerHttpClient),
      Layer.provide(InProcess.layer(cloud))
    )
    const share = yield* Effect.provide(Share.findByName("busy"), client)
    yield* Effect.provide(WaiterOf.outcome(Share.probe(share.id), Share.available, { attempts: looks }), client)
  })
  VirtualTime.runSync(program)
  return looks
}

const laws = () => {
  const adapter = Adapter.ofWaiter({ name: "x", probe: (look) => look, statusOf: ({ status }) => status })
  Waiter.endsAsTheModel.check(adapter, { runs: 1000 })
  return 1000
}

const rows = [
  ["10 000 waits of 50 looks, one after the other", 2, () => waits(10_000, 50), "a look"],
  ["10 000 waits of 50 looks, together", 2, () => together(10_000, 50), "a look"],
  ["a day of looks every 5 s", 5, day, "a look"],
  ["5 000 looks at a share over the in-process client", 4, () => http(5000), "a look"],
  ["1 000 random scenarios against the model", 3, laws, "a scenario"]
]

for (const [name, rounds, run, unit] of rows) {
  let best = Infinity
  let cpu = Infinity
  let count = 0
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    const usage = process.cpuUsage()
    count = run()
    best = Math.min(best, performance.now() - before)
    cpu = Math.min(cpu, process.cpuUsage(usage).user / 1000)
  }
  const each = (cpu * 1000) / count
  console.log(
    `${name.padEnd(52)} ${best.toFixed(0).padStart(6)} ms, ${cpu.toFixed(0).padStart(6)} ms of processor, ${each.toFixed(1).padStart(7)} µs ${unit}`
  )
}
