/**
 * What the server's own routes and handlers say of each operation: generated from its source, not from ours.
 */
import * as Microversion from "@effect-manila/core/manila/Microversion"
import { readFileSync } from "node:fs"

export interface Fact {
  /** `share.extend` */
  readonly fact: string
  readonly method: string
  readonly path: string
  readonly action: string | null
  readonly min: string
  readonly max: string | null
  readonly experimental: boolean
  /** The root key of a body that is no action's. */
  readonly root: string | null
  /** Fields of the body and the microversion each needs; `*` is any. */
  readonly fields: Readonly<Record<string, string | null>>
  readonly required: ReadonlyArray<string>
  readonly query: Readonly<Record<string, string | null>>
  readonly status: number
  readonly answer: string | null
  readonly list: boolean
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"))

export const facts = read("operations.json") as ReadonlyArray<Fact>

/** The spelling of an operation that a microversion has. */
export const at = (fact: string, version: string): Fact | undefined =>
  facts.find((one) => one.fact === fact && Microversion.within(version, one.min, one.max ?? undefined))

export interface Machine {
  readonly statuses: Readonly<Record<string, ReadonlyArray<string>>>
}

export const machines = read("statuses.json") as Readonly<
  Record<"share" | "snapshot" | "accessRule" | "replica" | "backup", Machine>
>
