/**
 * `wait`: for resources that are there, or are to come, and for waits that another process began.
 *
 * @since 0.1.0
 */
import type { Manila } from "@effect-manila/core/manila/Manila"
import type * as Deadline from "@effect-manila/core/waiter/Deadline"
import type * as Goal from "@effect-manila/core/waiter/Goal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Context, Run } from "../Command.ts"
import type * as ExitCode from "../ExitCode.ts"
import * as Failure from "../Failure.ts"
import type * as Noun from "../nouns/Wait.ts"
import { Progress } from "../Progress.ts"
import { nameOf } from "../Spec.ts"
import * as Cloud from "./Cloud.ts"
import * as GoOn from "./GoOn.ts"
import * as Kinds from "./Kinds.ts"
import * as Records from "./Records.ts"
import * as Resume from "./Resume.ts"
import * as Waits from "./Waits.ts"

type Args = Parameters<Run<typeof Noun.wait>>[0]

/**
 * A kind of resource, its names and `--for` have to be given together, without `--resume`.
 *
 * @since 0.1.0
 * @category errors
 */
export class Incomplete extends Data.TaggedError("Incomplete")<{ readonly missing: string }> {
  override get message(): string {
    return `${this.missing} is missing: manila wait KIND NAME-OR-ID… --for STATUS`
  }
}

/**
 * One record for each resource, printed once all have ended; then the errors, and one result for each.
 *
 * @since 0.1.0
 */
export const run: Run<typeof Noun.wait> = (args, context) =>
  Effect.gen(function* () {
    const { resume } = args
    const endings = resume === undefined ? yield* named(args, context) : yield* Resume.run(resume, args, context)
    return yield* report(endings, context)
  }).pipe(Cloud.provide(context, args))

const named = (args: Args, context: Context) =>
  Effect.gen(function* () {
    const { for: target, kind: word, resources } = args
    if (word === undefined) return yield* new Incomplete({ missing: "KIND" })
    if (resources === undefined || resources.length === 0) return yield* new Incomplete({ missing: "NAME-OR-ID" })
    if (target === undefined) return yield* new Incomplete({ missing: "--for" })
    const kind = Kinds.byWord[word]
    const wanted = [target, ...args.or]
    const goal = Kinds.goal(kind, wanted, args.allowMissing)
    const limit = yield* Waits.deadline(args, Kinds.paceOf(wanted))
    const taken = new Set<string>()
    const isNew = (id: string) => taken.size < taken.add(id).size
    const endings = yield* Effect.forEach(
      [...new Set(resources)],
      (text) => one({ text, kind, goal, wanted, limit, args, context, isNew }),
      { concurrency: "unbounded" }
    )
    return endings.filter((ended) => ended !== undefined)
  })

const one = (wait: {
  readonly text: string
  readonly kind: Kinds.Kind
  readonly goal: Goal.Goal<Kinds.Seen>
  readonly wanted: ReadonlyArray<string>
  readonly limit: Deadline.Deadline
  readonly args: Args
  readonly context: Context
  /** False for an id that is waited for already, under another name. */
  readonly isNew: (id: string) => boolean
}): Effect.Effect<Kinds.Ended | undefined, never, Manila | Progress | Kinds.Env> => {
  const { args, context, goal, isNew, kind, limit, text, wanted } = wait
  return Effect.gen(function* () {
    const { note } = yield* Progress
    const look = Kinds.looker(kind, text, { ...args, onFound: (id) => note(`${kind.kind} ${text} is ${id}`) })
    const { id, name } = yield* Waits.within(limit, { kind: kind.kind, name: text })(look.start)
    if (!isNew(id)) return undefined
    // A name that nothing has yet is looked for again.
    const fields = { missing: args.allowMissing, allProjects: args.allProjects }
    const goes = { kind: kind.word, verb: "wait", for: wanted, ...(args.allowMissing ? { fields } : {}) }
    const goOn = yield* GoOn.make(context, goes, id, args, limit)
    const outcome = yield* Waits.plain(kind, id, goal, { args, goOn, limit, name, probe: look.probe })
    return Kinds.ended(kind, { id, name }, outcome)
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed(
        // Something that isn't there is what a wait for absence wants.
        error._tag === "NameNotFound" && wanted.some(Kinds.isAbsence)
          ? Kinds.absent(kind, text)
          : Kinds.failed(kind, text, error)
      )
    )
  )
}

const report = (endings: ReadonlyArray<Kinds.Ended>, context: Context) =>
  Effect.gen(function* () {
    const progress = yield* Progress
    yield* Records.list(
      context.spec,
      endings.map(({ record }) => record)
    )
    return yield* Effect.forEach(endings, ({ error }): Effect.Effect<ExitCode.Result> => {
      if (error === undefined) return Effect.succeed({ ending: "ok" })
      const told = Failure.describe(error, nameOf(context.spec))
      return Effect.as(progress.error({ ...told, text: `manila: ${told.text}` }), told)
    })
  })
