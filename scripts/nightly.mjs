/**
 * What takes too long for every change: many random scenarios against the reference model, and every fault at every
 * request of every verb of Manila and every wait of Shaken Fist, alone and in pairs.
 *
 *     npx tsx --conditions=@effect-manila/source scripts/nightly.mjs [--runs 100000] [--seed N] [--pairs 2] [--only scenarios|faults] \
 *       [--scenario PART]
 *
 * With a part of a name, faults are tried in the scenarios that have it. Seeds are printed, so that what one night found
 * can be run again. Exits with 1 if anything was found.
 */
import * as Exhaustive from "@effect-manila/test-kit/Exhaustive"
import * as Adapter from "@effect-manila/test-kit/laws/Adapter"
import * as Law from "@effect-manila/test-kit/laws/Law"
import * as Settling from "@effect-manila/test-kit/laws/Settling"
import * as Verbs from "@effect-manila/test-kit/laws/Verbs"
import * as Waiter from "@effect-manila/test-kit/laws/Waiter"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    pairs: { type: "string", default: "2" },
    only: { type: "string" },
    scenario: { type: "string", default: "" }
  }
})

const runs = Number(values.runs)
const first = Number(values.seed)
let found = 0

const tell = (name, said) => {
  found++
  console.log(`\n${name}\n${said}\n`)
}

/** Those that run each scenario once more; a tenth of the scenarios is enough for them. */
const twice = new Set([Waiter.sameSeedSameRun, Waiter.theSystemClockIsNothing, Waiter.oneFaultTooMany])
const laws = Waiter.laws.filter((law) => law !== Waiter.memoryIsFlat)

if (values.only !== "faults") {
  const each = 2000
  const started = performance.now()
  for (let done = 0, seed = first; done < runs; done += each, seed++) {
    // Made anew, so that the runs of the last seed can go.
    const adapter = Adapter.ofWaiter({
      name: "a resource with a status",
      probe: (look) => look,
      statusOf: ({ status }) => status
    })
    const once = { runs: Math.min(each, runs - done), seed }
    for (const { law, said } of [
      ...Law.broken(
        laws.filter((law) => !twice.has(law)),
        adapter,
        once
      ),
      ...Law.broken([...twice], adapter, { runs: Math.ceil(once.runs / 10), seed })
    ]) {
      tell(law, said)
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`seed ${seed}: ${Math.min(done + each, runs)} scenarios, ${found} found, ${seconds} s`)
  }
}

if (values.only !== "scenarios") {
  const pairs = Number(values.pairs)
  const all = [
    ...[...Verbs.scenarios].map(([name, scenario]) => ({ name, scenario, kinds: Exhaustive.kinds })),
    ...[...Settling.scenarios].map(([name, scenario]) => ({ name, scenario, kinds: Settling.kinds }))
  ]
  for (const { kinds, name, scenario } of all.filter(({ name }) => name.includes(values.scenario))) {
    const started = performance.now()
    const report = Exhaustive.run(scenario, { kinds, pairs })
    for (const said of report.broken) tell(name, said)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `${name}: ${report.requests.length} requests, ${report.runs} runs, ${report.broken.length} broken, ${seconds} s`
    )
  }
}

console.log(found === 0 ? "\nnothing found" : `\n${found} found`)
process.exitCode = found === 0 ? 0 : 1
