/**
 * What every operation is on the wire, at every microversion that changed something, held to the server's own routes.
 */
import * as Manila from "@effect-manila/core/manila/Manila"
import * as Microversion from "@effect-manila/core/manila/Microversion"
import { kinds, operations } from "@effect-manila/core/manila/operations"
import type { ManilaError } from "@effect-manila/core/manila/ManilaError"
import type { Operation } from "@effect-manila/core/manila/Operation"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { assert, describe, it } from "vitest"
import { type Case, cases, ids } from "./support/cases.ts"
import * as Cloud from "./support/cloud.ts"
import * as Facts from "./support/facts.ts"

const versions = ["2.0", "2.6", "2.7", "2.9", "2.27", "2.28", "2.44", "2.45", "2.51", "2.69", "2.99"]

/** The fake cloud makes and changes no share types, and has no export location of this id. */
const notInFake = new Set([
  "share_type.create",
  "share_type.update",
  "share_type.delete",
  "export_location.show",
  "export_location_metadata.set",
  "export_location_metadata.delete_item"
])

const setup = (version: string): Cloud.Setup => ({
  as: "admin",
  options: { microversion: version },
  cloud: {
    seed: {
      shareTypes: [
        { id: ids.type, name: "t" },
        { name: "r", extra_specs: { replication_type: "dr" } }
      ],
      shares: [
        { id: ids.share, instance_id: ids.instance, size: 2, metadata: { "a b": "1" } },
        { id: ids.parent, size: 2 },
        { id: ids.binned, is_soft_deleted: true },
        { id: ids.replicated, share_type: "r" },
        { id: ids.copied, size: 2 }
      ],
      backups: [{ id: ids.backup, share_id: ids.copied }],
      replicas: [{ id: ids.replica, share_id: ids.replicated, metadata: { "a b": "1" } }],
      snapshots: [{ id: ids.snapshot, share_id: ids.parent, metadata: { "a b": "1" } }],
      accessRules: [{ id: ids.rule, share_id: ids.share, access_to: "10.0.0.0/24", metadata: { "a b": "1" } }],
      messages: [{ id: ids.message, resource_id: ids.share }]
    }
  }
})

/** An operation of some kind, given what its case says it takes. */
const call = ({ operation }: Case, input: unknown) => (operation as Operation<unknown, unknown>)(input)

/** What the facts say the request is; `undefined` where the microversion has none. */
const expected = (one: Case, version: string, fields: ReadonlyArray<readonly [string, unknown]>) => {
  const fact = Facts.at(one.fact, version) ?? (one.older === undefined ? undefined : Facts.at(one.older, version))
  if (fact === undefined) return undefined
  const extra = Object.fromEntries(fields)
  const inQuery = fact.method === "GET" || fact.method === "DELETE"
  const [, whole] = fields.find(([name]) => name === "") ?? []
  const argument =
    one.body === null && fields.length === 0 ? null : { ...(one.body as object | undefined), ...(inQuery ? {} : extra) }
  const key = fact.action ?? fact.root
  return {
    fact,
    method: fact.method,
    path: fact.path.replace(/\{(\w+)\}/g, (_, name: string) => one.path?.[name] ?? `{${name}}`),
    query: inQuery ? { ...one.query, ...extra } : {},
    body: inQuery || key === null ? undefined : { [key]: whole ?? argument }
  }
}

interface Asked {
  readonly result: Either.Either<unknown, ManilaError>
  readonly sent: ReadonlyArray<Cloud.Sent>
  readonly status: number | undefined
}

/** One cloud and client; what is asked of them is told apart. */
const at = <A>(
  version: string,
  program: (
    ask: (one: Case, input: unknown) => Effect.Effect<Asked, never, Manila.Manila>
  ) => Effect.Effect<A, never, Manila.Manila>
): A =>
  Cloud.run(setup(version), (world) =>
    Effect.gen(function* () {
      // Discovery and the token come first, and are not of interest here.
      assert.strictEqual(yield* Effect.flatMap(Manila.Manila, (manila) => manila.version), version)
      return yield* program((one, input) =>
        Effect.gen(function* () {
          yield* world.clear
          yield* world.cloud.journal.clear
          const result = yield* Effect.either(call(one, input))
          const journal = yield* world.cloud.journal.entries
          assert.lengthOf(journal, world.sent().length + world.identity().length + world.discovered().length)
          return { result, sent: world.sent(), status: journal[0]?.status }
        })
      )
    })
  )

const assertRefused = (what: string, { result, sent, status }: Asked) => {
  assert.isTrue(Either.isLeft(result), what)
  if (Either.isLeft(result)) assert.strictEqual(result.left._tag, "NotSupported", what)
  assert.deepStrictEqual([sent, status], [[], undefined], `nothing was sent for ${what}`)
}

const assertSent = (what: string, { sent }: Asked, wanted: NonNullable<ReturnType<typeof expected>>) => {
  assert.lengthOf(sent, 1, what)
  const [{ body, method, path, query }] = sent as [Cloud.Sent]
  assert.deepStrictEqual(
    { method, path, query, body },
    { method: wanted.method, path: wanted.path, query: wanted.query, body: wanted.body },
    what
  )
}

describe("an operation on the wire", () => {
  for (const version of versions) {
    const served = cases.filter((one) => expected(one, version, []) !== undefined)

    it(`at ${version} is what the server's routes have`, () => {
      at(version, (ask) =>
        Effect.forEach(served, (one) =>
          Effect.map(ask(one, one.input), (asked) => {
            const what = one.operation.operation
            assertSent(what, asked, expected(one, version, [])!)
            const [{ body, headers }] = asked.sent as [Cloud.Sent]
            assert.strictEqual(headers["x-openstack-manila-api-version"], version, what)
            assert.strictEqual(headers["accept"], "application/json", what)
            assert.strictEqual(headers["user-agent"], "effect-manila", what)
            assert.match(headers["x-auth-token"] ?? "", /./, what)
            assert.strictEqual(headers["content-type"], body === undefined ? undefined : "application/json", what)
            const isExperimental = Facts.facts.some(({ experimental, fact }) => fact === one.fact && experimental)
            assert.strictEqual(
              headers["x-openstack-manila-api-experimental"],
              isExperimental ? "True" : undefined,
              what
            )
          })
        )
      )
    })

    it(`at ${version} is accepted by the cloud, if it is spelled otherwise than before`, () => {
      const before = versions[versions.indexOf(version) - 1]
      for (const one of served) {
        const wanted = expected(one, version, [])!
        const isNew = before === undefined || expected(one, before, [])?.fact !== wanted.fact || version === "2.99"
        if (!isNew || notInFake.has(one.fact)) continue
        const what = `${one.operation.operation} at ${version}`
        // Each on a cloud of its own: one deletes what another needs.
        const { result, status } = at(version, (ask) => ask(one, one.input))
        assert.isTrue(Either.isRight(result), `${what}: ${JSON.stringify(result)}`)
        assert.strictEqual(status, wanted.fact.status, what)
      }
    })

    it(`is not supported at ${version} where the server has none, and nothing is sent`, () => {
      at(version, (ask) =>
        Effect.forEach(
          cases.filter((one) => !served.includes(one)),
          (one) => Effect.map(ask(one, one.input), (asked) => assertRefused(one.operation.operation, asked))
        )
      )
    })

    it(`at ${version} has the fields of that microversion, and newer ones are refused before anything is sent`, () => {
      at(version, (ask) =>
        Effect.forEach(served, (one) =>
          Effect.forEach(Object.entries(one.optional ?? {}), ([key, { value, wire }]) =>
            Effect.map(ask(one, { ...one.input, [key]: value }), (asked) => {
              const what = `${key} of ${one.operation.operation}`
              const since = one.operation.fieldsSince[key]
              if (since !== undefined && Microversion.compare(version, since) < 0) return assertRefused(what, asked)
              const isOld = wire[0].startsWith("share_type_access:") && Microversion.compare(version, "2.7") < 0
              const sent = isOld
                ? ([`os-${wire[0].replaceAll("_", "-").replace("is-", "is_")}`, wire[1]] as const)
                : wire
              assertSent(what, asked, expected(one, version, [sent])!)
            })
          )
        )
      )
    })
  }

  it("has no field that is left out or undefined", () => {
    at("2.99", (ask) =>
      Effect.forEach(cases, (one) => {
        const empty = Object.fromEntries(Object.keys(one.optional ?? {}).map((key) => [key, undefined]))
        return Effect.map(ask(one, { ...one.input, ...empty }), (asked) => {
          const wanted = expected(one, "2.99", [])!
          assertSent(one.fact, asked, wanted)
        })
      })
    )
  })

  it("can't be led to another route by an id, whatever is in it", () => {
    at("2.99", (ask) =>
      Effect.forEach(
        cases.filter(({ input }) => "id" in input || "shareId" in input),
        (one) =>
          Effect.forEach(["../../shares/x?force=1#a/b", "..", "."], (evil) => {
            const keys = ["id", "shareId"].filter((key) => key in one.input)
            const input = { ...one.input, ...Object.fromEntries(keys.map((key) => [key, evil])) }
            return Effect.map(ask(one, input), ({ sent }) => {
              const wanted = expected(one, "2.99", [])
              assert.strictEqual(
                sent[0]?.path.split("/").length,
                wanted?.path.split("/").length,
                `${one.fact} of ${evil}`
              )
              assert.notProperty(sent[0]?.query, "force")
            })
          })
      )
    )
  })
})

describe("the fields of an operation", () => {
  it("are fields the server reads, since the microversions they say", () => {
    for (const one of cases) {
      const { fieldsSince, operation } = one.operation
      const known = Facts.facts.filter(({ fact }) => fact === one.fact)
      const since = Object.entries(one.optional ?? {}).map(([key, { wire }]) => {
        if (wire[0] === "") return [key, fieldsSince[key]] as const
        const fact = known.find(({ fields, query }) => wire[0] in fields || wire[0] in query)
        assert.isDefined(fact, `${operation}: ${wire[0]} is not read`)
        const min = fact?.fields[wire[0]] ?? fact?.query[wire[0]]
        const inOlder = Facts.facts.some(({ fact, fields }) => fact === one.older && wire[0] in fields)
        // The rules' own list began with its filters.
        return [key, min ?? (one.older === undefined || inOlder ? undefined : fact?.min)] as const
      })
      assert.deepStrictEqual(fieldsSince, Object.fromEntries(since.filter(([, min]) => min !== undefined)), operation)
    }
  })

  it("have all that the server requires", () => {
    for (const one of cases) {
      const [newest] = Facts.facts.filter(({ fact }) => fact === one.fact)
      for (const name of newest?.required ?? []) assert.nestedProperty(one.body as object, name, one.fact)
    }
  })
})

describe("operations", () => {
  it("are all among the cases, those of networks and groups apart", () => {
    const tried = new Set(cases.map(({ operation }) => operation.operation))
    const untried = [...operations.keys()].filter((name) => !tried.has(name))
    assert.deepStrictEqual(untried, ["shareNetwork.list", "shareNetwork.get", "shareGroup.list", "shareGroup.get"])
    assert.strictEqual(operations.size, tried.size + untried.length)
    assert.includeMembers(Object.keys(kinds), ["Share", "ShareAccess", "ExportLocation", "Snapshot", "Message"])
  })

  it("are there for everything the server has of these kinds", () => {
    const later = [
      "share.migration_start",
      "share.migration_complete",
      "share.migration_cancel",
      "share.migration_get_progress",
      "share.migration_progress_show",
      "snapshot_export_location.show",
      "share_type_access.add",
      "share_type_access.remove",
      "share_type_access.list",
      "share_type_extra_specs.list",
      "share_type_extra_specs.set",
      "share_type_extra_specs.show_item",
      "share_type_extra_specs.update_item",
      "share_type_extra_specs.delete_item",
      // They are read with the location, and the list of them alone fails for everybody.
      "export_location_metadata.list",
      "export_location_metadata.replace_all",
      "export_location_metadata.show_item",
      "export_location_metadata.update_item"
    ]
    // It needs a body with two roots and fails as soon as there is another key; setting does the same and works.
    const broken = ["share_metadata.update_item", "snapshot_metadata.update_item", "share_replica_metadata.update_item"]
    const covered = cases.flatMap(({ fact, older }) => (older === undefined ? [fact] : [fact, older]))
    const all = new Set(Facts.facts.map(({ fact }) => fact))
    assert.sameMembers([...all], [...covered, ...later, ...broken])
  })

  it("have a name of their own, a form for some microversion, and say that they are safe only if they change nothing", () => {
    for (const { forms, operation, safe } of operations.values()) {
      const reads = forms.every(({ method }) => method === "GET") || operation === "accessRule.list"
      assert.strictEqual(safe, reads, operation)
    }
  })
})
