/**
 * `capabilities`: what the root page announces, and what these commands need.
 *
 * @since 0.1.0
 */
import * as Settle from "@effect-manila/core/shakenfist/settle"
import { ShakenFist } from "@effect-manila/core/shakenfist/ShakenFist"
import * as Effect from "effect/Effect"
import type { Run } from "../Command.ts"
import * as Cluster from "./Cluster.ts"
import type { Globals } from "./Flags.ts"
import type * as Nouns from "./Nouns.ts"
import * as Records from "./Records.ts"

/**
 * Which of the commands needs a capability, by its token.
 *
 * @since 0.1.0
 */
export const needs: Readonly<Record<string, string>> = {
  [Settle.capability]: "settle",
  "cluster-operations-by-target": "settle",
  "instance-clusteroperations": "operations list",
  "network-clusteroperations": "operations list",
  "artifact-clusteroperations": "operations list",
  "get-cluster-operations": "operations show",
  "get-instance-namespace": "--namespace with names of instances",
  "get-network-namespace": "--namespace with names of networks"
}

/** One item of a list for each family: `family: token, token`. */
const announced = (page: string): ReadonlyArray<{ readonly capability: string; readonly family: string }> =>
  [...page.matchAll(/<li>(.*?)(?=<\/?(?:li|ul)\b)/gis)].flatMap(([, item = ""]) => {
    const [family = "", ...rest] = item.replace(/<[^>]*>/g, "").split(":")
    return rest
      .join(":")
      .split(",")
      .map((token) => token.trim())
      .filter((token) => token !== "")
      .map((capability) => ({ capability, family: family.trim() }))
  })

/**
 * A token counts as announced wherever it stands on the page, as for the gates themselves.
 *
 * @since 0.1.0
 */
export const run: Run<typeof Nouns.capabilities, Globals> = (_, context) =>
  Effect.gen(function* () {
    const page = yield* (yield* ShakenFist).page
    const there = announced(page)
    const listed = new Set(there.map(({ capability }) => capability))
    const others = Object.keys(needs)
      .filter((token) => !listed.has(token))
      .map((capability) => ({ capability, family: null }))
    yield* Records.list(
      context.spec,
      [...there, ...others].map((one) => ({
        ...one,
        announced: page.includes(one.capability),
        needed: needs[one.capability] ?? null
      }))
    )
  }).pipe(Cluster.provide(context))
