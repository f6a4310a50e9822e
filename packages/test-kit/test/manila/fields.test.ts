/**
 * Which fields an answer has at which microversion: measured on a real server at each of them.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FakeCloud from "@effect-manila/test-kit/FakeCloud"
import { act, type Cloud, get } from "../support/ask.ts"

type Field = readonly [name: string, since: number, until: number, adminOnly: boolean]

const fields: Readonly<Record<string, ReadonlyArray<Field>>> = JSON.parse(
  readFileSync(new URL("../fixtures/fields.json", import.meta.url), "utf8")
)

const seed: FakeCloud.Seed = {
  shareNetworks: [{ id: "net", name: "net" }],
  shareGroups: [{ id: "group", name: "group" }],
  shares: [{ id: "one", instance_id: "instance", name: "one" }],
  snapshots: [{ id: "snap", share_id: "one" }],
  accessRules: [{ id: "rule", share_id: "one" }],
  messages: [{ id: "message", resource_id: "one" }]
}

interface Kind {
  readonly name: string
  readonly since: number
  readonly until?: number
  readonly read: (cloud: Cloud, version: string, as: "demo" | "admin") => Effect.Effect<object>
}

const headers = { "x-openstack-manila-api-experimental": "True" }

const at =
  (path: string, pick: (json: Record<string, never>) => object): Kind["read"] =>
  (cloud, version, as) =>
    Effect.map(get(cloud, path, { version, as, headers }), (answer) => pick(answer.json))

const kinds: ReadonlyArray<Kind> = [
  { name: "share", since: 0, read: at("/v2/shares/one", (json) => json["share"] ?? {}) },
  { name: "share_summary", since: 0, read: at("/v2/shares?all_tenants=1", (json) => json["shares"]?.[0] ?? {}) },
  {
    name: "export_location_list_item",
    since: 9,
    read: at("/v2/shares/one/export_locations", (json) => json["export_locations"]?.[0] ?? {})
  },
  {
    name: "export_location",
    since: 9,
    read: (cloud, version, as) =>
      Effect.flatMap(get(cloud, "/v2/shares/one/export_locations", { version, as }), (list) =>
        Effect.map(
          get(cloud, `/v2/shares/one/export_locations/${list.json.export_locations[0].id}`, { version, as }),
          (answer) => answer.json.export_location
        )
      )
  },
  {
    name: "share_instance",
    since: 3,
    read: at("/v2/share_instances/instance", (json) => json["share_instance"] ?? {})
  },
  { name: "snapshot", since: 0, read: at("/v2/snapshots/snap", (json) => json["snapshot"] ?? {}) },
  {
    name: "snapshot_summary",
    since: 0,
    read: at("/v2/snapshots?all_tenants=1", (json) => json["snapshots"]?.[0] ?? {})
  },
  { name: "access_rule", since: 45, read: at("/v2/share-access-rules/rule", (json) => json["access"] ?? {}) },
  {
    name: "access_rule_summary",
    since: 0,
    until: 44,
    read: (cloud, version, as) =>
      Effect.map(
        act(cloud, "one", Number(version.slice(2)) < 7 ? "os-access_list" : "access_list", null, { version, as }),
        (answer) => answer.json.access_list[0]
      )
  },
  {
    name: "access_rule_summary",
    since: 45,
    read: at("/v2/share-access-rules?share_id=one", (json) => json["access_list"]?.[0] ?? {})
  },
  { name: "message", since: 37, read: at("/v2/messages/message", (json) => json["message"] ?? {}) },
  { name: "share_type", since: 0, read: at("/v2/types/default", (json) => json["share_type"] ?? {}) },
  { name: "share_network", since: 0, read: at("/v2/share-networks/net", (json) => json["share_network"] ?? {}) },
  {
    name: "share_network_inline_subnet",
    since: 51,
    read: at("/v2/share-networks/net", (json) => json["share_network"]?.["share_network_subnets"]?.[0] ?? {})
  },
  { name: "share_group", since: 31, read: at("/v2/share-groups/group", (json) => json["share_group"] ?? {}) },
  {
    name: "availability_zone",
    since: 7,
    read: at("/v2/availability-zones", (json) => json["availability_zones"]?.[0] ?? {})
  },
  {
    name: "quota_set",
    since: 7,
    read: (cloud, version, as) =>
      Effect.map(
        get(cloud, `/v2/quota-sets/${cloud[as === "admin" ? "admin" : "credentials"].projectId}`, { version, as }),
        (answer) => answer.json.quota_set
      )
  },
  {
    name: "quota_set_detail",
    since: 25,
    read: (cloud, version, as) =>
      Effect.map(
        get(cloud, `/v2/quota-sets/${cloud.credentials.projectId}/detail`, { version, as }),
        (answer) => answer.json.quota_set
      )
  },
  { name: "limits_absolute", since: 0, read: at("/v2/limits", (json) => json["limits"]?.["absolute"] ?? {}) }
]

describe("an answer has the fields of its microversion and no others", () => {
  for (const kind of kinds) {
    it.effect(`${kind.name}, 2.${kind.since} to 2.${kind.until ?? 99}`, () =>
      Effect.gen(function* () {
        const cloud = yield* FakeCloud.make({ seed })
        for (let minor = kind.since; minor <= (kind.until ?? 99); minor++) {
          for (const as of ["demo", "admin"] as const) {
            const found = Object.keys(yield* kind.read(cloud, `2.${minor}`, as))
            const wanted = (fields[kind.name] ?? [])
              .filter(
                ([, since, until, adminOnly]) => minor >= since && minor <= until && (!adminOnly || as === "admin")
              )
              .map(([name]) => name)
            assert.deepStrictEqual(found.toSorted(), wanted.toSorted(), `2.${minor} as ${as}`)
          }
        }
      })
    )
  }
})
