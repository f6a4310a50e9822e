/**
 * How much a simulated wait costs: on a direct probe, over a day, and over the in-process client of a fake cloud.
 *
 *     npm run build && node packages/test-kit/bench/simulation.bench.mjs
 *
 * The best of several rounds counts, in time and in processor time: other programs only ever make one slower. How fast
 * the machine is says the ratio, to the least that the same looks can cost: a loop without any wait, measured beside.
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
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
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

/** The looks of a wait without the wait: a probe and a sleep, in the same virtual time. */
const bareWaits = (count, looks) => {
  const loop = Effect.repeatN(Effect.zipRight(probe, Effect.sleep(5000)), looks - 1)
  for (let n = 0; n < count; n++) VirtualTime.runExit(loop)
  return count * looks
}

const bareTogether = (count, looks) => {
  const loop = Effect.repeatN(Effect.zipRight(probe, Effect.sleep(5000)), looks - 1)
  VirtualTime.runExit(
    Effect.forEach(Array.from({ length: count }), () => loop, { concurrency: "unbounded", discard: true })
  )
  return count * looks
}

/** Runs what is made from a client, the share and a signed request for it. */
const onCloud = (looks, make) => {
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
      Layer.provideMerge(Keystone.layer(config)),
      Layer.provide(Transport.layerHttpClient),
      Layer.provide(InProcess.layer(cloud))
    )
    yield* Effect.provide(
      Effect.gen(function* () {
        const keystone = yield* Keystone.Keystone
        const share = yield* Share.findByName("busy")
        const token = Redacted.value((yield* keystone.token).value)
        const request = HttpClientRequest.get(`${InProcess.defaultOrigin}/share/v2/shares/${share.id}`, {
          headers: { "x-auth-token": token, "x-openstack-manila-api-version": "2.99" }
        })
        yield* make({ client: InProcess.make(cloud), request, share })
      }),
      client
    )
  })
  VirtualTime.runSync(program)
  return looks
}

const http = (looks) =>
  onCloud(looks, ({ share }) => WaiterOf.outcome(Share.probe(share.id), Share.available, { attempts: looks }))

/** The platform's client, with nothing of ours: no token to renew, no time-out, no decoding. */
const bareHttp = (looks) =>
  onCloud(looks, ({ client, request }) => {
    const look = Effect.flatMap(client.execute(request), ({ text }) => text)
    return Effect.repeatN(Effect.zipRight(look, Effect.sleep(5000)), looks - 1)
  })

const laws = () => {
  const adapter = Adapter.ofWaiter({ name: "x", probe: (look) => look, statusOf: ({ status }) => status })
  Waiter.endsAsTheModel.check(adapter, { runs: 1000 })
  return 1000
}

const rows = [
  {
    name: "10 000 waits of 50 looks, one after the other",
    rounds: 3,
    run: () => waits(10_000, 50),
    bare: () => bareWaits(10_000, 50)
  },
  {
    name: "10 000 waits of 50 looks, together",
    rounds: 2,
    run: () => together(10_000, 50),
    bare: () => bareTogether(10_000, 50)
  },
  { name: "a day of looks every 5 s", rounds: 7, run: day, bare: () => bareWaits(1, 17_281) },
  {
    name: "5 000 looks at a share over the in-process client",
    rounds: 5,
    run: () => http(5000),
    bare: () => bareHttp(5000)
  },
  { name: "1 000 random scenarios against the model", rounds: 3, run: laws }
]

const measure = (rounds, run) => {
  let [best, cpu, count] = [Infinity, Infinity, 0]
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    const usage = process.cpuUsage()
    count = run()
    best = Math.min(best, performance.now() - before)
    cpu = Math.min(cpu, process.cpuUsage(usage).user / 1000)
  }
  return { best, cpu, each: (cpu * 1000) / count }
}

for (const { bare, name, rounds, run } of rows) {
  const { best, cpu, each } = measure(rounds, run)
  const least = bare && measure(rounds, bare)
  const ratio = least ? `, ×${(cpu / least.cpu).toFixed(1)} of ${least.each.toFixed(1)} µs without a wait` : ""
  console.log(
    `${name.padEnd(52)} ${best.toFixed(0).padStart(6)} ms, ${cpu.toFixed(0).padStart(6)} ms of processor, ${each.toFixed(1).padStart(6)} µs each${ratio}`
  )
}
