/**
 * Exchanges captured from a real server, asked again of the fake: same status, same headers, same fields, same types.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import * as Lifecycle from "@effect-manila/test-kit/Lifecycle"
import { type Answer, ask, type Cloud } from "../support/ask.ts"

interface Exchange {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly version: string | null
  readonly experimental: boolean
  /** `good`, `none`, or a text that is no token. */
  readonly token: string
  readonly body: unknown
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly answer: unknown
}

const exchanges: ReadonlyArray<Exchange> = JSON.parse(
  readFileSync(new URL("../fixtures/exchanges.json", import.meta.url), "utf8")
)

const one = "07f14118-f371-4ffa-b1a5-9d812912059e"
const instance = "b3573edb-3a7f-4242-9e3f-221b02b49cd9"
const old = "a4b35987-972c-439c-a15c-e60ae688357a"
const bad = "20a35bd0-6e1c-45fa-be0c-9d6884525584"
const snap = "c7bbc5ff-72f9-443a-ad9e-a6816be59657"
const network = "32efd53b-8ae6-46aa-8a3c-f39e36fd7530"
const capType = "116050dd-473b-49e5-9488-ebef5faccbad"

/** The cloud the exchanges were captured on, as far as they tell. */
const seed: FakeCloud.Seed = {
  shareTypes: [
    { id: "0d1ca22d-dd59-432e-942a-ac7bf9c95f0d", name: "default", description: "type default" },
    { name: "bare", extra_specs: {} },
    { name: "dhss", extra_specs: { driver_handles_share_servers: "True", snapshot_support: "True" } },
    { name: "nowhere", extra_specs: {} },
    {
      id: "7814eb62-e6d8-4442-9a3e-022a574fa114",
      name: "replicated",
      description: "type replicated",
      extra_specs: {
        snapshot_support: "True",
        create_share_from_snapshot_support: "True",
        revert_to_snapshot_support: "True",
        mount_snapshot_support: "True",
        replication_type: "readable"
      }
    },
    { id: capType, name: "kept", is_public: false, extra_specs: { availability_zones: "nova" } }
  ],
  shareNetworks: [{ id: network, name: "net", description: "d" }],
  shareGroups: [{ id: "2be3f1cf-a3f8-4e74-87f1-24c437f63155", name: "grp", description: "d" }],
  shares: [
    { id: old, name: "old", size: 2 },
    { id: one, instance_id: instance, name: "one", description: "first", metadata: { a: "b" } },
    { id: bad, name: "bad", share_type: "nowhere", phases: Lifecycle.phases(["creating", 1], "error"), reason: {} },
    { id: "8d3b5836-e13e-44af-ab2e-dbf605633c83", size: 2 }
  ],
  accessRules: [
    { id: "882a2cca-e13a-48ea-81ae-d1f33fe17cf7", share_id: old, access_to: "10.1.0.9", access_level: "ro" },
    { id: "ee84baf9-4f1f-4493-ad62-8f8073f9de94", share_id: one, access_to: "10.1.0.0/24", metadata: { k: "v" } }
  ],
  messages: [{ id: "0d912ccc-82e2-4cdd-97ce-305105f504ee", resource_id: one, action_id: "002", detail_id: "004" }]
}

const withShare = (id: string, more: Partial<FakeCloud.ShareSeed>): FakeCloud.Seed => ({
  ...seed,
  shares: (seed.shares ?? []).map((share) => (share.id === id ? { ...share, ...more } : share))
})

const withSnapshot = (status = "available"): FakeCloud.Seed => ({
  ...seed,
  snapshots: [{ id: snap, share_id: one, name: "snap", description: "d", metadata: { k: "v" }, status }]
})

const onNetwork = withShare(old, { share_network_id: network })

/** Where an exchange found another cloud than the usual one. */
const states: Readonly<Record<string, FakeCloud.Options>> = {
  "error-400-share-extend-smaller": { seed: withShare(one, { size: 3 }) },
  "error-403-extend-over-gigabytes-quota": { seed, quotas: { gigabytes: 10 } },
  "error-403-share-delete-while-snapshot-creating": { seed: withSnapshot("creating") },
  "error-409-network-delete-in-use": { seed: onNetwork },
  "error-409-type-access-add-twice": {
    seed: { ...seed, shareTypes: (seed.shareTypes ?? []).map((type) => ({ ...type, projects: ["demo"] })) }
  },
  "error-413-share-create-over-shares-quota": { seed, quotas: { shares: 1 } },
  "share-create-from-snapshot": { seed: withSnapshot() },
  "share-metadata-item-delete": { seed: withShare(one, { metadata: { a: "b", x: "y" } }) },
  "share-revert": { seed: withSnapshot() },
  "share-show-deleting": { seed: withShare(one, { status: "deleting" }) },
  "share-show-shrinking": { seed: withShare(one, { status: "shrinking" }) },
  "snapshot-access-create": { seed: withSnapshot() },
  "snapshot-delete": { seed: withSnapshot() },
  "snapshot-metadata-list": { seed: withSnapshot() },
  "snapshot-show-deleting": { seed: withSnapshot("deleting") },
  "snapshot-show-v2-99": { seed: withSnapshot() },
  "snapshots-list-detail-v2-7": { seed: withSnapshot() },
  "snapshots-list-detail-with-count": { seed: withSnapshot() },
  "snapshots-list-v2-99": { seed: withSnapshot() }
}

const byAdmin = new Set([
  "error-409-type-access-add-twice",
  "quota-set-delete",
  "quota-set-update",
  "share-export-locations-list-admin",
  "share-instance-export-locations-list",
  "share-instance-show-v2-99",
  "share-instances-list-v2-99",
  "share-reset-status",
  "share-show-admin",
  "shares-list-detail-all-tenants-admin-v2-99",
  "type-access-add",
  "type-create-v2-7",
  "type-delete",
  "type-extra-specs-list-v2-99",
  "type-extra-specs-unset",
  "type-show-v2-99",
  "types-list-all-admin-v2-7"
])

/** What the capture left out, as this cloud has it. */
const replace = (text: string, cloud: Cloud): string =>
  text
    .replaceAll("{demo}", cloud.credentials.projectId)
    .replaceAll("{user}", cloud.credentials.userId)
    .replaceAll("{application-credential}", cloud.credentials.applicationCredentialId)
    .replaceAll("<secret>", cloud.credentials.applicationCredentialSecret)

const again = (cloud: Cloud, exchange: Exchange): Effect.Effect<Answer> => {
  const isIdentity = exchange.path.startsWith("/v3")
  const headers: Record<string, string> = {}
  if (exchange.experimental) headers["x-openstack-manila-api-experimental"] = "True"
  if (exchange.token !== "good" && exchange.token !== "none") headers["x-auth-token"] = exchange.token
  const body = exchange.body === null ? undefined : JSON.parse(replace(JSON.stringify(exchange.body), cloud))
  return ask(cloud, exchange.method, replace(exchange.path, cloud), {
    as: exchange.token !== "good" ? "nobody" : byAdmin.has(exchange.name) ? "admin" : "demo",
    service: isIdentity ? "/identity" : "/share",
    version: exchange.version,
    query: exchange.query,
    headers,
    ...(body === undefined ? {} : { body })
  })
}

/** Fields and types; a value that is null on one side tells nothing of its type. */
const differences = (real: unknown, fake: unknown, at: string): ReadonlyArray<string> => {
  if (real === null || fake === null) return []
  if (Array.isArray(real) && Array.isArray(fake)) {
    if (real.length > 0 && fake.length === 0) return [`${at}: the real server's has items`]
    return real.length === 0 ? [] : differences(real[0], fake[0], `${at}[0]`)
  }
  if (typeof real === "object" && typeof fake === "object") {
    const left = Object.entries(real)
    const right = new Map(Object.entries(fake))
    const missing = left.filter(([key]) => !right.has(key)).map(([key]) => `${at}.${key}: missing`)
    const extra = [...right.keys()].filter((key) => !(key in real)).map((key) => `${at}.${key}: not on the real server`)
    return [
      ...missing,
      ...extra,
      ...left
        .filter(([key]) => right.has(key))
        .flatMap(([key, value]) => differences(value, right.get(key), `${at}.${key}`))
    ]
  }
  if (typeof real !== typeof fake) return [`${at}: ${typeof real} on the real server, ${typeof fake} here`]
  return []
}

/** Ids and hosts made the same on both sides. */
const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== "content-length")
      .map(([name, value]) => [
        name,
        name.endsWith("request-id")
          ? value.replace(/[\da-f-]{36}$/, "")
          : name === "x-subject-token"
            ? ""
            : value.replace("/identity", "")
      ])
  )

describe("a captured exchange, asked again", () => {
  for (const exchange of exchanges) {
    it.effect(exchange.name, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make(states[exchange.name] ?? { seed })
        yield* TestClock.adjust("1 second")
        const answer = yield* again(cloud, exchange)
        assert.strictEqual(answer.status, exchange.status, answer.text)
        assert.deepStrictEqual(headersOf(answer.headers), headersOf(exchange.headers))
        if (exchange.answer === null) assert.strictEqual(answer.text, "")
        else assert.deepStrictEqual(differences(exchange.answer, answer.json, ""), [])
        assert.strictEqual(answer.headers["content-length"], String(Buffer.byteLength(answer.text)))
      })
    )
  }
})

describe("the sentences of a fault", () => {
  // Two are told in fewer words here.
  const same = exchanges.filter((exchange) => exchange.name.startsWith("error-") && exchange.token === "good")
  it.effect("are the server's own", () =>
    Effect.forEach(same, (exchange) =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make(states[exchange.name] ?? { seed })
        const answer = yield* again(cloud, exchange)
        if (exchange.name === "error-409-type-access-add-twice" || exchange.name === "error-409-network-delete-in-use")
          return
        assert.strictEqual(JSON.stringify(answer.json), JSON.stringify(exchange.answer), exchange.name)
      })
    )
  )
})
