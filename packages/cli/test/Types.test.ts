/**
 * What must not compile. Each `@ts-expect-error` fails the type check if the line below it compiles after all.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { command } from "@effect-manila/cli/Command"
import type { Run } from "@effect-manila/cli/Command"
import type { Globals } from "@effect-manila/cli/flags/Global"
import type * as ShareAccess from "@effect-manila/cli/nouns/ShareAccess"
import * as Share from "@effect-manila/cli/nouns/Share"
import type * as ShareAction from "@effect-manila/cli/nouns/ShareAction"
import type * as Wait from "@effect-manila/cli/nouns/Wait"
import type * as ResumeToken from "@effect-manila/cli/ResumeToken"
import * as Spec from "@effect-manila/cli/Spec"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const yes = <T extends true>(value: T): T => value

type Create = Spec.Args<typeof Share.create>
type Resize = Spec.Args<typeof ShareAction.resize>
type WaitArgs = Spec.Args<typeof Wait.wait>
type Access = Spec.Args<typeof ShareAccess.create>

describe("the arguments' types follow from the table", () => {
  it("holds for every type of option", () => {
    yes<Equal<Create["shareProto"], string>>(true)
    yes<Equal<Create["size"], number>>(true)
    yes<Equal<Create["name"], string | undefined>>(true)
    yes<Equal<Create["property"], Readonly<Record<string, string>>>>(true)
    yes<Equal<Create["requireExports"], boolean>>(true)
    yes<Equal<Create["wait"], boolean | undefined>>(true)
    yes<Equal<Create["timeout"], number | undefined>>(true)
    yes<Equal<Create["maxAttempts"], number | undefined>>(true)
    yes<Equal<Create["progress"], "auto" | "plain" | "json" | "none">>(true)
    yes<Equal<Resize["newSize"], number>>(true)
    yes<Equal<Access["accessLevel"], "rw" | "ro" | undefined>>(true)
    yes<Equal<Spec.Args<typeof Share.remove>["shares"], ReadonlyArray<string>>>(true)
    yes<Equal<Spec.Args<typeof Share.unset>["property"], ReadonlyArray<string>>>(true)
    yes<Equal<Spec.Args<typeof Share.set>["taskState"], string | null | undefined>>(true)
    yes<Equal<Spec.Args<typeof Share.list>["sort"], string>>(true)
    yes<Equal<Spec.Args<typeof Share.list>["limit"], number | undefined>>(true)
    yes<Equal<WaitArgs["kind"], (typeof Wait.kinds)[number] | undefined>>(true)
    yes<Equal<WaitArgs["resources"], ReadonlyArray<string>>>(true)
    yes<Equal<WaitArgs["for"], string | undefined>>(true)
    yes<Equal<WaitArgs["resume"], ResumeToken.ResumeToken | undefined>>(true)
    yes<Equal<Globals["osPassword"], Redacted.Redacted<string> | undefined>>(true)
    yes<Equal<Globals["exitCodes"], "manila" | "osc">>(true)
    yes<Equal<Spec.FormatArgs["column"], ReadonlyArray<string>>>(true)
    yes<Equal<Spec.FormatArgs["maxWidth"], number>>(true)
  })

  it("a command that doesn't wait has no waiting options", () => {
    // @ts-expect-error `share show` has no --timeout
    type Missing = Spec.Args<typeof Share.show>["timeout"]
    // @ts-expect-error `wait` always waits
    type NoSwitch = WaitArgs["wait"]
    const unused: ReadonlyArray<Missing | NoSwitch> = []
    assert.strictEqual(unused.length, 0)
  })
})

describe("code that doesn't fit its table doesn't compile", () => {
  const right: Run<typeof Share.create> = (args) => Effect.log(args.name, args.size + 1)
  const loose = (args: { readonly size: number }) => Effect.log(args.size)

  it("the right types are taken, and fewer of them", () => {
    assert.strictEqual(command(Share.create, async () => ({ run: right })).spec, Share.create)
    assert.strictEqual(command(Share.create, async () => ({ run: loose })).spec, Share.create)
  })

  it("a flag of the wrong type is refused", () => {
    const wrong = (args: { readonly size: string }) => Effect.log(args.size)
    // @ts-expect-error size is a number
    command(Share.create, async () => ({ run: wrong }))
    const required = (args: { readonly name: string }) => Effect.log(args.name)
    // @ts-expect-error name may be missing
    command(Share.create, async () => ({ run: required }))
    const renamed = (args: { readonly newSize: number }) => Effect.log(args.newSize)
    // @ts-expect-error there is no such flag
    command(Share.create, async () => ({ run: renamed }))
    // @ts-expect-error another command's code
    command(Share.show, async () => ({ run: right }))
    const choice = (args: { readonly progress: "auto" | "plain" }) => Effect.log(args.progress)
    // @ts-expect-error there are other choices
    command(Share.create, async () => ({ run: choice }))
  })

  it("a table that is none is refused", () => {
    Spec.make({
      words: ["x"],
      summary: "x",
      // @ts-expect-error there is no such type
      args: { a: { type: "float", metavar: "a", help: "a" } },
      options: {},
      output: { kind: "none" }
    })
    Spec.make({
      words: ["x"],
      summary: "x",
      args: {},
      // @ts-expect-error a flag has no metavar and a string needs one
      options: { a: { flags: ["--a"], type: "string", help: "a" } },
      output: { kind: "none" }
    })
  })
})
